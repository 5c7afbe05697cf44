//! The token of every back end that this target does not have: there is none, so that nothing here is ever called.

#![forbid(unsafe_code)]

use super::keys::{Isa, RoundKeys};
use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, consts::U16};

#[derive(Clone, Copy)]
pub(crate) enum Absent {}

impl Absent {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        None
    }
}

impl Isa for Absent {
    fn expand<const N: usize, const DECRYPT: bool>(self, _: &[u8], _: &mut RoundKeys) {
        match self {}
    }

    fn invert<const N: usize>(self, _: &mut RoundKeys) {
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
