//! ⚠️ The AES round functions one by one, for constructions that are built of them.
//!
//! None of these is a cipher. They run on the back end of
//! [`Backend::detect`](crate::Backend::detect). Exempt from semver.

pub use crate::Block;

use crate::backends::{
    Proven,
    bitslice::hazmat::{CipherRound, EquivInvCipherRound, InvMixColumns, MixColumns, Step, many},
    keys::Isa,
};
use cipher::{array::Array, consts::U8};
use core::slice;

/// Eight blocks.
pub type Block8 = Array<Block, U8>;

fn step<S: Step>(blocks: &mut [Block]) {
    step_with::<S>(Proven::detect(), blocks);
}

fn step_with<S: Step>(backend: Proven, blocks: &mut [Block]) {
    match backend {
        Proven::Vaes512(isa) => isa.step::<S>(blocks),
        Proven::Vaes256(isa) => isa.step::<S>(blocks),
        Proven::Aesni(isa) => isa.step::<S>(blocks),
        Proven::Avx512(isa) => isa.step::<S>(blocks),
        Proven::Avx2(isa) => isa.step::<S>(blocks),
        Proven::Ssse3(isa) => isa.step::<S>(blocks),
        Proven::ArmV8Ce(isa) => isa.step::<S>(blocks),
        Proven::Neon(isa) => isa.step::<S>(blocks),
        Proven::ArmV7Neon(isa) => isa.step::<S>(blocks),
        Proven::Simd128(isa) => isa.step::<S>(blocks),
        Proven::Soft(_) => many::<u64, S>(blocks),
        Proven::Soft32(_) => many::<u32, S>(blocks),
    }
}

fn add_round_key(block: &mut Block, round_key: &Block) {
    for (byte, key) in block.iter_mut().zip(round_key) {
        *byte ^= key;
    }
}

/// ⚠️ One round of the cipher: SubBytes, ShiftRows, MixColumns, AddRoundKey (FIPS 197, section 5.1), as the x86
/// instruction `AESENC`.
pub fn cipher_round(block: &mut Block, round_key: &Block) {
    step::<CipherRound>(slice::from_mut(block));
    add_round_key(block, round_key);
}

/// ⚠️ [`cipher_round`] on eight blocks, each with its own round key.
pub fn cipher_round_par(blocks: &mut Block8, round_keys: &Block8) {
    step::<CipherRound>(blocks);
    for (block, round_key) in blocks.iter_mut().zip(round_keys) {
        add_round_key(block, round_key);
    }
}

/// ⚠️ One round of the equivalent inverse cipher: InvSubBytes, InvShiftRows, InvMixColumns, AddRoundKey (FIPS 197,
/// section 5.3.5), as the x86 instruction `AESDEC`.
pub fn equiv_inv_cipher_round(block: &mut Block, round_key: &Block) {
    step::<EquivInvCipherRound>(slice::from_mut(block));
    add_round_key(block, round_key);
}

/// ⚠️ [`equiv_inv_cipher_round`] on eight blocks, each with its own round key.
pub fn equiv_inv_cipher_round_par(blocks: &mut Block8, round_keys: &Block8) {
    step::<EquivInvCipherRound>(blocks);
    for (block, round_key) in blocks.iter_mut().zip(round_keys) {
        add_round_key(block, round_key);
    }
}

/// ⚠️ MixColumns (FIPS 197, section 5.1.3).
pub fn mix_columns(block: &mut Block) {
    step::<MixColumns>(slice::from_mut(block));
}

/// ⚠️ InvMixColumns (FIPS 197, section 5.3.3), as the x86 instruction `AESIMC`.
pub fn inv_mix_columns(block: &mut Block) {
    step::<InvMixColumns>(slice::from_mut(block));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;
    use aes::hazmat as theirs;
    use cipher::consts::U16;

    /// What takes the CPU's back end elsewhere, with each of them in turn.
    #[test]
    fn every_back_end_agrees_with_rustcrypto() {
        fn check<S: Step>(expected: impl Fn(&mut Block)) {
            // 256 different blocks, which have every byte in every place.
            let blocks: [Block; 256] =
                core::array::from_fn(|x| Array::<u8, U16>::from_fn(|i| (x + 29 * i) as u8));
            for backend in Backend::available().filter_map(Backend::prove) {
                for n in 1..=17 {
                    for blocks in blocks.chunks(n) {
                        let mut ours = [Block::default(); 17];
                        let ours = &mut ours[..blocks.len()];
                        ours.copy_from_slice(blocks);
                        step_with::<S>(backend, ours);
                        for (ours, block) in ours.iter().zip(blocks) {
                            let mut theirs = *block;
                            expected(&mut theirs);
                            assert_eq!(*ours, theirs, "{}, {n}", backend.backend());
                        }
                    }
                }
            }
        }
        let zero = Block::default();
        check::<CipherRound>(|block| theirs::cipher_round(block, &zero));
        check::<EquivInvCipherRound>(|block| theirs::equiv_inv_cipher_round(block, &zero));
        check::<MixColumns>(theirs::mix_columns);
        check::<InvMixColumns>(theirs::inv_mix_columns);
    }
}
