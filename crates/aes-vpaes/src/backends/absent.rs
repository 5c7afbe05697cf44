//! The token of every back end that this target does not have: there is none, so that nothing here is ever called.

use super::keys::{Isa, RoundKeys};
use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, consts::U16};
use core::mem::MaybeUninit;

#[derive(Clone, Copy)]
pub(crate) enum Absent {}

impl Absent {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        None
    }
}

// SAFETY: there is no token with which anything could be called.
unsafe impl Isa for Absent {
    fn expand<const N: usize, const DECRYPT: bool>(self, _: &[u8], _: &mut MaybeUninit<RoundKeys>) {
        match self {}
    }

    fn invert<const N: usize>(self, _: &RoundKeys, _: &mut MaybeUninit<RoundKeys>) {
        match self {}
    }

    fn encrypt<const N: usize>(
        self,
        _: &RoundKeys,
        _: impl BlockCipherEncClosure<BlockSize = U16>,
    ) {
        match self {}
    }

    fn decrypt<const N: usize>(
        self,
        _: &RoundKeys,
        _: impl BlockCipherDecClosure<BlockSize = U16>,
    ) {
        match self {}
    }
}
