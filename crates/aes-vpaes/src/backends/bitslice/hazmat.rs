//! Parts of a round on whole blocks.

use super::{
    Blocks, Distinct, Lanes, Same, State, Twist, Word, columns, inv_mix_columns, inv_sub_bytes,
    mix_columns, store_columns, sub_bytes,
};
use crate::Block;
use cipher::array::Array;

/// The parts of a round by name, for back ends that have instructions for them.
#[allow(dead_code, reason = "not every target has such a back end")]
#[derive(Clone, Copy)]
pub(crate) enum Part {
    CipherRound,
    EquivInvCipherRound,
    MixColumns,
    InvMixColumns,
}

/// A part of a round: what is done to a state, and what the S-boxes leave out of it.
pub(crate) trait Step {
    #[allow(dead_code, reason = "as `Part`")]
    const PART: Part;
    /// To be added to every byte before and after [`apply`](Self::apply).
    const CONSTANTS: (u8, u8);
    /// The rotation of row 1 to the left by columns, which comes first; row `r` rotates `r` times as far.
    const ROTATION: usize;
    fn apply<W: Word, L: Lanes<W>>(s: &mut State<W>);
}

pub(crate) enum CipherRound {}

impl Step for CipherRound {
    const PART: Part = Part::CipherRound;
    const CONSTANTS: (u8, u8) = (0, 0x63);
    const ROTATION: usize = 1;

    #[inline(always)]
    fn apply<W: Word, L: Lanes<W>>(s: &mut State<W>) {
        sub_bytes(s);
        mix_columns::<W, L>(s, &[W::ZERO; 8], 0);
    }
}

pub(crate) enum EquivInvCipherRound {}

impl Step for EquivInvCipherRound {
    const PART: Part = Part::EquivInvCipherRound;
    const CONSTANTS: (u8, u8) = (0x63, 0);
    const ROTATION: usize = 3;

    #[inline(always)]
    fn apply<W: Word, L: Lanes<W>>(s: &mut State<W>) {
        inv_sub_bytes(s);
        inv_mix_columns::<W, L>(s, 0);
    }
}

pub(crate) enum MixColumns {}

impl Step for MixColumns {
    const PART: Part = Part::MixColumns;
    const CONSTANTS: (u8, u8) = (0, 0);
    const ROTATION: usize = 0;

    #[inline(always)]
    fn apply<W: Word, L: Lanes<W>>(s: &mut State<W>) {
        mix_columns::<W, L>(s, &[W::ZERO; 8], 0);
    }
}

pub(crate) enum InvMixColumns {}

impl Step for InvMixColumns {
    const PART: Part = Part::InvMixColumns;
    const CONSTANTS: (u8, u8) = (0, 0);
    const ROTATION: usize = 0;

    #[inline(always)]
    fn apply<W: Word, L: Lanes<W>>(s: &mut State<W>) {
        inv_mix_columns::<W, L>(s, 0);
    }
}

#[inline(always)]
fn before<S: Step>(block: &Block) -> Block {
    Array::from_fn(|i| block[(i + 4 * (i % 4) * S::ROTATION) % 16] ^ S::CONSTANTS.0)
}

#[inline(always)]
fn after<S: Step>(block: &mut Block) {
    block.iter_mut().for_each(|byte| *byte ^= S::CONSTANTS.1);
}

#[inline(always)]
fn one<W: Word, S: Step>(block: &mut Block) {
    let mut s = W::pack_one(columns(&before::<S>(block)));
    S::apply::<W, Same>(&mut s);
    store_columns(W::unpack_one(&s), block);
    after::<S>(block);
}

#[inline(always)]
pub(crate) fn many<W: Word, S: Step>(blocks: &mut [Block]) {
    let (states, rest) = Blocks::<W>::slice_as_chunks_mut(blocks);
    for blocks in states {
        blocks
            .iter_mut()
            .for_each(|block| *block = before::<S>(block));
        let mut s = W::pack(blocks, &[0; 4], Twist::No);
        S::apply::<W, Distinct>(&mut s);
        W::unpack(&s, &[0; 4], Twist::No, blocks);
        blocks.iter_mut().for_each(after::<S>);
    }
    for block in rest {
        one::<W, S>(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aes::hazmat;

    /// The parts of a round on each word size, alone and with all lanes full, against RustCrypto's (whose round key is
    /// zero here).
    #[test]
    fn every_word_size() {
        fn check<S: Step>(expected: impl Fn(&mut Block)) {
            let blocks: [Block; 7] =
                core::array::from_fn(|b| Array::from_fn(|i| (37 * i + 101 * b + i * i * b) as u8));
            let mut out = blocks;
            out.iter_mut().for_each(expected);
            let (mut a, mut b) = (blocks, blocks);
            a.iter_mut().for_each(one::<u64, S>);
            b.iter_mut().for_each(one::<u32, S>);
            assert_eq!((a, b), (out, out));
            let (mut a, mut b) = (blocks, blocks);
            many::<u64, S>(&mut a);
            many::<u32, S>(&mut b);
            assert_eq!((a, b), (out, out));
        }
        let zero = Block::default();
        check::<CipherRound>(|block| hazmat::cipher_round(block, &zero));
        check::<EquivInvCipherRound>(|block| hazmat::equiv_inv_cipher_round(block, &zero));
        check::<MixColumns>(hazmat::mix_columns);
        check::<InvMixColumns>(hazmat::inv_mix_columns);
    }
}
