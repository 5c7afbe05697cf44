//! Keccak-f\[1600\] alone (FIPS 202, section 3.3) and the functions over it: SHA3-256, SHAKE128 (FIPS 202, section 6),
//! TurboSHAKE128 and KT128 (RFC 9861).

use std::hint::black_box;

use digest::{Digest, ExtendableOutput, Update, XofReader, consts::U32};

use crate::{
    data,
    suite::{Implementation, Operation, Suite},
};

/// The state: 25 lanes.
pub(crate) type State = [u64; 25];

/// 32 bytes of output, of every function.
pub(crate) type Output = [u8; 32];

/// Which function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Function {
    Sha3_256,
    Shake128,
    TurboShake128,
    Kt128,
}

impl Function {
    fn name(self) -> &'static str {
        match self {
            Self::Sha3_256 => "SHA3-256",
            Self::Shake128 => "SHAKE128",
            Self::TurboShake128 => "TurboSHAKE128",
            Self::Kt128 => "KT128",
        }
    }

    /// Message lengths: less than a block, a TLS record's two ends. KT128 has a mebibyte too, since its tree begins at
    /// 8 KiB.
    pub(crate) fn sizes(self) -> &'static [usize] {
        match self {
            Self::Sha3_256 | Self::Shake128 | Self::TurboShake128 => &[64, 1350, 16384],
            Self::Kt128 => &[64, 1350, 16384, 1 << 20],
        }
    }

    /// What RustCrypto's crates make of a message.
    fn reference(self, message: &[u8]) -> Output {
        match self {
            Self::Sha3_256 => sha3::Sha3_256::digest(message).into(),
            Self::Shake128 => extend(shake::Shake128::default(), message),
            Self::TurboShake128 => extend(turboshake::TurboShake128::default(), message),
            Self::Kt128 => extend(k12::Kt128::default(), message),
        }
    }
}

/// Enters the permutation on one state, on what the call before gave: the time is the latency.
pub(crate) fn permutation(
    suite: &mut Suite,
    who: Implementation,
    mut permute: impl FnMut(&mut State) + 'static,
) {
    permutations(suite, who, "", move |[state]| permute(state));
}

/// Enters the permutation on `N` states, in the same way; the action `xN` says how many they are.
pub(crate) fn permutations<const N: usize>(
    suite: &mut Suite,
    who: Implementation,
    action: &'static str,
    mut permute: impl FnMut(&mut [State; N]) + 'static,
) {
    let mut states = states();
    permute(&mut states);
    let mut expected = self::states::<N>();
    keccak::Keccak::new().with_f1600(|f1600| expected.iter_mut().for_each(f1600));
    let operation = Operation::single("Keccak-f1600", action);
    suite.enter(
        who,
        operation,
        &bytes(&states),
        &bytes(&expected),
        move || {
            permute(black_box(&mut states));
        },
    );
}

/// The fixed states, all different.
fn states<const N: usize>() -> [State; N] {
    let mut next = 0_u64;
    [[(); 25]; N].map(|state| {
        state.map(|()| {
            next += 1;
            next.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    })
}

fn bytes(states: &[State]) -> Vec<u8> {
    let lanes = states.as_flattened().iter();
    lanes.flat_map(|lane| lane.to_le_bytes()).collect()
}

/// Enters hashing one message in one piece, to 32 bytes.
pub(crate) fn hash(
    suite: &mut Suite,
    who: Implementation,
    function: Function,
    bytes: usize,
    mut hash: impl FnMut(&[u8]) -> Output + 'static,
) {
    let operation = Operation::bulk(function.name(), "", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let message = data::message(bytes);
    let output = hash(&message);
    let expected = function.reference(&message);
    suite.enter(who, operation, &output, &expected, move || {
        black_box(hash(black_box(&message)));
    });
}

/// How many messages are hashed in a batch.
const BATCH: usize = 64;

/// Enters SHA3-256 of a batch of messages of 32 bytes and of 64, as a tree has them; the length of the operation is that of
/// all together.
pub(crate) fn batch(
    suite: &mut Suite,
    who: Implementation,
    action: &'static str,
    hash: impl Fn(&[&[u8]], &mut [Output]) + Copy + 'static,
) {
    for len in [32, 64] {
        let operation = Operation::bulk("SHA3-256", action, BATCH * len);
        if !suite.wants(&operation) {
            continue;
        }
        let data = data::message(BATCH * len);
        let hash_all = move |data: &[u8], outputs: &mut [Output; BATCH]| {
            let messages: [&[u8]; BATCH] = std::array::from_fn(|i| &data[len * i..][..len]);
            hash(&messages, outputs);
        };
        let mut outputs = [[0; 32]; BATCH];
        hash_all(&data, &mut outputs);
        let expected: Vec<Output> = data
            .chunks(len)
            .map(|message| Function::Sha3_256.reference(message))
            .collect();
        suite.enter(
            who,
            operation,
            &outputs.concat(),
            &expected.concat(),
            move || hash_all(black_box(&data), black_box(&mut outputs)),
        );
    }
}

/// Enters the same for those who have no batches.
pub(crate) fn no_batch(
    suite: &mut Suite,
    who: Implementation,
    hash: impl Fn(&[u8]) -> Output + Copy + 'static,
) {
    batch(suite, who, "64 messages", one_by_one(hash));
}

/// Messages one after the other.
pub(crate) fn one_by_one(
    hash: impl Fn(&[u8]) -> Output + Copy,
) -> impl Fn(&[&[u8]], &mut [Output]) + Copy {
    move |messages, outputs| {
        for (message, output) in messages.iter().zip(outputs) {
            *output = hash(message);
        }
    }
}

/// Enters every length for a hash function with the traits of the `digest` crate.
pub(crate) fn fixed_output<D: Digest<OutputSize = U32>>(
    suite: &mut Suite,
    who: Implementation,
    function: Function,
    new: impl Fn() -> D + Copy + 'static,
) {
    for &bytes in function.sizes() {
        hash(suite, who, function, bytes, move |message| {
            new().chain_update(message).finalize().into()
        });
    }
}

/// Enters every length for an extendable-output function with the traits of the `digest` crate.
pub(crate) fn extendable_output<X: ExtendableOutput + Update>(
    suite: &mut Suite,
    who: Implementation,
    function: Function,
    new: impl Fn() -> X + Copy + 'static,
) {
    for &bytes in function.sizes() {
        hash(suite, who, function, bytes, move |message| {
            extend(new(), message)
        });
    }
}

fn extend<X: ExtendableOutput + Update>(mut hasher: X, message: &[u8]) -> Output {
    let mut output = [0; 32];
    hasher.update(message);
    hasher.finalize_xof().read(&mut output);
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_is_sha3() {
        // FIPS 202 gives none; NIST's example of SHA3-256 on no bits.
        assert_eq!(
            Function::Sha3_256.reference(b"")[..8],
            [0xa7, 0xff, 0xc6, 0xf8, 0xbf, 0x1e, 0xd7, 0x66]
        );
    }

    #[test]
    fn states_differ() {
        let [first, second] = states();
        assert!(first.iter().all(|lane| !second.contains(lane)));
        assert_eq!(bytes(&[first, second]).len(), 400);
    }
}
