//! The functions G, H, J and PRF (FIPS 203, section 4.1), and SHAKE128 as XOF.

use crate::{
    backends::Backend,
    wipe::{Secret, Wipe},
};
use keccak_unrolled::{
    Digest, ExtendableOutput, Permutation, Sha3_256, Sha3_512, Shake, ShakeXn, Update, XofReader,
};

/// Every public constructor has checked its back end, and those of Keccak follow from it.
const AVAILABLE: &str = "the back end is available";

/// G: SHA3-512 of the concatenation, in halves.
pub(crate) fn g(backend: Backend, parts: [&[u8]; 2]) -> [Secret<[u8; 32]>; 2] {
    let mut hash = Sha3_512::with_backend(backend.keccak()).expect(AVAILABLE);
    for part in parts {
        Digest::update(&mut hash, part);
    }
    let mut output: [u8; 64] = hash.finalize().into();
    let mut halves = [Secret::ZERO; 2];
    for (half, bytes) in halves.iter_mut().zip(output.as_chunks().0) {
        half.0 = *bytes;
    }
    output.wipe();
    halves
}

/// H: SHA3-256. In place, as in `j`: of what is returned by value copies stay on the stack.
pub(crate) fn h(backend: Backend, message: &[u8], output: &mut [u8; 32]) {
    let mut hash = Sha3_256::with_backend(backend.keccak()).expect(AVAILABLE);
    Digest::update(&mut hash, message);
    hash.finalize_into(output.into());
}

/// J of ML-KEM and KDF of Kyber round 3: 32 bytes of SHAKE256 of the concatenation.
pub(crate) fn j(backend: Backend, parts: [&[u8]; 2], output: &mut [u8; 32]) {
    let mut hash = Shake::<136>::with_backend(backend.keccak()).expect(AVAILABLE);
    for part in parts {
        hash.update(part);
    }
    hash.finalize_xof().read(output);
}

/// The permutation alone.
pub(crate) fn permutation(backend: Backend) -> Permutation {
    Permutation::with_backend(backend.keccak()).expect(AVAILABLE)
}

/// SHAKE with a rate of `RATE` bytes on one message.
pub(crate) fn shake<const RATE: usize>(
    backend: Backend,
    message: &[u8],
) -> keccak_unrolled::ShakeReader<RATE> {
    let mut hash = Shake::with_backend(backend.keccak()).expect(AVAILABLE);
    hash.update(message);
    hash.finalize_xof()
}

/// SHAKE with a rate of `RATE` bytes for `N` messages at once.
#[inline(always)]
pub(crate) fn shake_xn<const RATE: usize, const N: usize>(backend: Backend) -> ShakeXn<RATE, N> {
    ShakeXn::with_backend(backend.keccak()).expect(AVAILABLE)
}

/// PRF_eta: SHAKE256 of `key` and of each of the nonces 0 to `count - 1`, which `take` is given with the output: 64 eta_1 =
/// `L` bytes for each of the first `long`, 128 for the others.
pub(crate) fn prf<const L: usize>(
    backend: Backend,
    key: &[u8; 32],
    long: usize,
    count: usize,
    take: &mut dyn FnMut(usize, &[u8]),
) {
    let width = backend.keccak().parallelism();
    let len = |i| if i < long { L } else { 128 };
    let mut done = 0;
    while done < count {
        // A group that is not full costs no more than one half as wide, and less than two of these.
        let group = (count - done).next_power_of_two().min(width);
        let two_blocks = len(done) > 136;
        let mut take = |i: usize, output: &[u8; L]| {
            let i = done + i;
            if i < count {
                take(i, &output[..len(i)]);
            }
        };
        match group {
            8 => prf_xn::<L, 8>(backend, key, done as u8, two_blocks, &mut take),
            4 => prf_xn::<L, 4>(backend, key, done as u8, two_blocks, &mut take),
            2 => prf_xn::<L, 2>(backend, key, done as u8, two_blocks, &mut take),
            _ => prf_single::<L>(backend, key, done as u8, len(done), &mut take),
        }
        done += group;
    }
}

#[inline(never)]
fn prf_single<const L: usize>(
    backend: Backend,
    key: &[u8; 32],
    nonce: u8,
    len: usize,
    take: &mut dyn FnMut(usize, &[u8; L]),
) {
    let [input] = prf_inputs(key, nonce);
    let mut output = Secret([0; L]);
    shake::<136>(backend, &*input).read(&mut output[..len]);
    take(0, &output);
}

#[inline(never)]
fn prf_xn<const L: usize, const N: usize>(
    backend: Backend,
    key: &[u8; 32],
    first_nonce: u8,
    two_blocks: bool,
    take: &mut dyn FnMut(usize, &[u8; L]),
) {
    let mut hash = shake_xn::<136, N>(backend);
    {
        let inputs = prf_inputs::<N>(key, first_nonce);
        hash.absorb(inputs.each_ref().map(|input| &**input));
    }
    if L <= 136 {
        hash.squeeze_blocks(|i, block| take(i, block.first_chunk().expect("L <= 136")));
    } else {
        let mut outputs = Secret([[0; L]; N]);
        hash.squeeze_blocks(|i, block| outputs[i][..136].copy_from_slice(block));
        if two_blocks {
            hash.squeeze_blocks(|i, block| {
                outputs[i][136..].copy_from_slice(&block[..L - 136]);
            });
        }
        for (i, output) in outputs.iter().enumerate() {
            take(i, output);
        }
    }
}

#[inline(always)]
fn prf_inputs<const N: usize>(key: &[u8; 32], first_nonce: u8) -> [Secret<[u8; 33]>; N] {
    let mut inputs = [const { Secret::<[u8; 33]>::ZERO }; N];
    for (nonce, input) in (first_nonce..).zip(&mut inputs) {
        input[..32].copy_from_slice(key);
        input[32] = nonce;
    }
    inputs
}
