//! The functions G, H, J and PRF (FIPS 203, section 4.1), and SHAKE128 as XOF.

use crate::{
    backends::Backend,
    wipe::{Secret, Wipe},
};
use keccak_unrolled::{
    Digest, ExtendableOutput, Sha3_256, Sha3_512, Shake, ShakeXn, Update, XofReader,
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

/// H: SHA3-256.
pub(crate) fn h(backend: Backend, message: &[u8]) -> [u8; 32] {
    let mut hash = Sha3_256::with_backend(backend.keccak()).expect(AVAILABLE);
    Digest::update(&mut hash, message);
    hash.finalize().into()
}

/// J of ML-KEM and KDF of Kyber round 3: 32 bytes of SHAKE256 of the concatenation.
pub(crate) fn j(backend: Backend, parts: [&[u8]; 2]) -> [u8; 32] {
    let mut hash = Shake::<136>::with_backend(backend.keccak()).expect(AVAILABLE);
    for part in parts {
        hash.update(part);
    }
    let mut output = [0; 32];
    hash.finalize_xof().read(&mut output);
    output
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

/// How many messages the matrix and the noise are hashed from at once. The portable back ends of Keccak work on one
/// state at a time, where a larger number would only take stack: 200 bytes a state, several times.
pub(crate) const WIDTH: usize = 2;

/// SHAKE with a rate of `RATE` bytes on [`WIDTH`] messages at once.
#[inline(always)]
pub(crate) fn shake_xn<const RATE: usize, const L: usize>(
    backend: Backend,
    messages: [&[u8; L]; WIDTH],
) -> ShakeXn<RATE, WIDTH> {
    ShakeXn::new_with_backend(backend.keccak(), messages).expect(AVAILABLE)
}

/// PRF_eta: SHAKE256 of `key` and of each of the nonces from `first_nonce` on, 64 eta = `L` bytes for each output.
pub(crate) fn prf<const L: usize>(
    backend: Backend,
    key: &[u8; 32],
    first_nonce: u8,
    outputs: &mut [[u8; L]],
) {
    let (groups, singles) = outputs.as_chunks_mut();
    let mut nonce = first_nonce;
    for group in groups {
        let inputs = prf_inputs::<WIDTH>(key, &mut nonce);
        let mut hash = shake_xn::<136, 33>(backend, inputs.each_ref().map(|input| &**input));
        hash.squeeze(group.each_mut());
    }
    for output in singles {
        let [input] = prf_inputs(key, &mut nonce);
        shake::<136>(backend, &*input).read(output);
    }
}

#[inline(always)]
fn prf_inputs<const N: usize>(key: &[u8; 32], nonce: &mut u8) -> [Secret<[u8; 33]>; N] {
    let mut inputs = [const { Secret::<[u8; 33]>::ZERO }; N];
    for input in &mut inputs {
        input[..32].copy_from_slice(key);
        input[32] = *nonce;
        *nonce += 1;
    }
    inputs
}
