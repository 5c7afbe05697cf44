//! Vector permutations on x86 with SSSE3.

use super::{
    Ssse3,
    arch::*,
    keys::{Aligned, Isa, RoundKeys},
    ssse3 as one,
    vpaes::tables::{KEY_TABLES, Pair, TABLES},
};
use crate::{Block, wipe::wipe};
use core::mem::MaybeUninit;
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend, BlockCipherEncClosure,
    BlockSizeUser, InOut, InOutBuf, ParBlocksSizeUser,
    array::Array,
    consts::{U8, U16},
};

type Blocks = Array<Block, U8>;

vpaes_xmm!(ssse3);
vpaes_three_nibbles!(ssse3, __m128i);
vpaes_bytes!(ssse3, __m128i);
vpaes_one!(ssse3);
vpaes_many!(ssse3, one, __m128i, 8);
vpaes_isa!(Ssse3, one, 8);
