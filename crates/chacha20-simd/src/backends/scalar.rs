//! One block in general registers, a double round at a time, for the gaps of vector code.
//!
//! The scalar units do nothing while vectors turn: beside sixteen blocks in 512-bit registers a block here is free. It
//! is `soft` but for one thing: after every addition and every rotation the value is hidden from the compiler, which
//! would otherwise gather four of them into a vector and shuffle it about.

use crate::state::{BLOCK_SIZE, Core, Rounds};
use core::arch::asm;

/// A block in the making.
#[derive(Clone)]
pub struct Scalar {
    input: [u32; 16],
    s: [u32; 16],
}

impl Scalar {
    /// Block `counter` before its first round.
    #[must_use]
    #[inline(always)]
    pub fn new<R: Rounds>(core: &Core<R>, counter: u64) -> Self {
        let counter = core.counter(counter);
        let mut input = *core.words();
        input[12] = counter as u32;
        input[13] = (counter >> 32) as u32;
        Self { input, s: input }
    }

    /// A column round and a diagonal round.
    #[inline(always)]
    pub fn double_round(&mut self) {
        let s = &mut self.s;
        quarter_rounds(
            s,
            [0, 1, 2, 3],
            [4, 5, 6, 7],
            [8, 9, 10, 11],
            [12, 13, 14, 15],
        );
        quarter_rounds(
            s,
            [0, 1, 2, 3],
            [5, 6, 7, 4],
            [10, 11, 8, 9],
            [15, 12, 13, 14],
        );
    }

    /// The keystream block, after all rounds.
    #[must_use]
    #[inline(always)]
    pub fn finish(self) -> [u8; BLOCK_SIZE] {
        let mut block = [0; BLOCK_SIZE];
        for (i, bytes) in block.as_chunks_mut().0.iter_mut().enumerate() {
            *bytes = self.s[i].wrapping_add(self.input[i]).to_le_bytes();
        }
        block
    }
}

impl core::fmt::Debug for Scalar {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scalar").finish_non_exhaustive()
    }
}

/// Four quarter rounds (RFC 8439, section 2.1), step by step side by side: at `a[i], b[i], c[i], d[i]`.
#[inline(always)]
fn quarter_rounds(s: &mut [u32; 16], a: [usize; 4], b: [usize; 4], c: [usize; 4], d: [usize; 4]) {
    for (sum, addend, mixed, rotation) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)]
    {
        for i in 0..4 {
            s[sum[i]] = hide(s[sum[i]].wrapping_add(s[addend[i]]));
        }
        for i in 0..4 {
            s[mixed[i]] = hide((s[mixed[i]] ^ s[sum[i]]).rotate_left(rotation));
        }
    }
}

#[inline(always)]
fn hide(mut x: u32) -> u32 {
    // SAFETY: no instruction at all.
    unsafe {
        asm!("/* {0:e} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}
