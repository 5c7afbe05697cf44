//! sha3-asm: OpenSSL's assembly of Keccak for the target, which absorbs and squeezes whole blocks; the padding is ours.

use sha3_asm::{sha3_absorb, sha3_squeeze};

use crate::{
    ops::keccak::{self, Function, Output},
    suite::{Implementation, Suite},
};

pub(super) fn enter(suite: &mut Suite) {
    let who = Implementation::peer("sha3-asm");
    // A block of zeros leaves the permutation alone to be seen.
    keccak::permutation(suite, who, |state| {
        sha3_absorb(state, &[0; 168], 168);
    });
    for &bytes in Function::Sha3_256.sizes() {
        keccak::hash(suite, who, Function::Sha3_256, bytes, sha3_256);
    }
    keccak::no_batch(suite, who, sha3_256);
    for &bytes in Function::Shake128.sizes() {
        keccak::hash(suite, who, Function::Shake128, bytes, |message| {
            sponge::<168>(message, 0x1f)
        });
    }
}

fn sha3_256(message: &[u8]) -> Output {
    sponge::<136>(message, 0x06)
}

fn sponge<const RATE: usize>(message: &[u8], suffix: u8) -> Output {
    let (blocks, rest) = message.as_chunks::<RATE>();
    let mut last = [0; RATE];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = suffix;
    last[RATE - 1] |= 0x80;
    let mut state = [0; 25];
    sha3_absorb(&mut state, blocks.as_flattened(), RATE);
    sha3_absorb(&mut state, &last, RATE);
    let mut output = [0; 32];
    sha3_squeeze(&mut state, &mut output, RATE);
    output
}
