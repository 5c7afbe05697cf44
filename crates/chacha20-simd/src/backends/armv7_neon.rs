//! 32-bit Arm with NEON, in assembly: the intrinsics are not stable there.
//!
//! A block stands in four registers, one row of its four by four matrix in each, and one, two or three blocks go
//! together: twelve registers, three for the rotations and one for the counter's step.
//!
//! Bound: 18 instructions a round and block, 360 a block, and 20 to load, add, XOR and store. A NEON unit of 64 bits (Cortex-A7,
//! A9) takes two cycles for each, so that three blocks are as fast as they can be; one of 128 bits waits for the chain of a
//! quarter round, about 45 cycles, in which it could take more than three blocks. Four blocks by words, 14 instructions
//! a round and block, need all sixteen registers and so a store and a load for each rotation. A scalar block beside
//! (about 900 instructions with its spills) costs what it saves on a Cortex-A9 and more elsewhere.

use crate::state::{BLOCK_SIZE, Rounds, xor_keystream};
use cipher::inout::InOutBuf;
use core::arch::naked_asm;

/// Proof that the CPU has NEON.
#[derive(Clone, Copy, Debug)]
pub struct Armv7Neon(());

impl Armv7Neon {
    /// `None` where the CPU lacks NEON.
    #[must_use]
    #[inline]
    pub fn detect() -> Option<Self> {
        neon_detect::available().then_some(Self(()))
    }

    /// XORs the keystream that begins with block `counter` into `data`; see
    /// [`Available::xor`](super::Available::xor).
    pub(crate) fn xor<R: Rounds>(
        self,
        words: &[u32; 16],
        counter: u64,
        mut data: InOutBuf<'_, '_, u8>,
        last: &mut [u8; BLOCK_SIZE],
    ) {
        let mut row = LastRow {
            next: [counter as u32, (counter >> 32) as u32, words[14], words[15]],
            step: [1, 0, 0, 0],
        };
        for (blocks, kernel) in [(3, xor_3 as Kernel), (2, xor_2), (1, xor_1)] {
            let bytes = blocks * BLOCK_SIZE;
            let passes = data.len() / bytes;
            if passes == 0 {
                continue;
            }
            let (now, rest) = data.split_at(passes * bytes);
            let (input, output) = now.into_raw();
            // SAFETY: the token proves that the CPU has NEON; so many blocks are there.
            unsafe { kernel(words, &mut row, input, output, R::DOUBLE_ROUNDS, passes) };
            data = rest;
        }
        if !data.is_empty() {
            last.fill(0);
            let bytes = last.as_mut_ptr();
            // SAFETY: the token proves that the CPU has NEON; a block is there.
            unsafe { xor_1(words, &mut row, bytes, bytes, R::DOUBLE_ROUNDS, 1) };
            let n = data.len();
            xor_keystream(data, &last[..n]);
        }
    }

    /// Does what [`wipe_stack`](super::wipe_stack) does, in a tenth of the instructions: `memset` is a call for each part.
    #[inline]
    pub(crate) fn wipe_stack(self) {
        // SAFETY: the token proves that the CPU has NEON. The kernels spill nothing; deeper is one frame only.
        #[cfg(feature = "zeroize")]
        unsafe {
            wipe_parts(8);
        }
    }
}

/// Overwrites so many times 128 bytes, at least one, of the stack below the caller's frame.
#[cfg(feature = "zeroize")]
#[unsafe(naked)]
unsafe extern "C" fn wipe_parts(_parts: usize) {
    naked_asm!(
        ".fpu neon",
        "vmov.i32 q8, #0",
        "vmov.i32 q9, #0",
        "vmov.i32 q10, #0",
        "vmov.i32 q11, #0",
        "vmov.i32 q12, #0",
        "vmov.i32 q13, #0",
        "vmov.i32 q14, #0",
        "vmov.i32 q15, #0",
        "mov r12, sp",
        "sub r1, r12, r0, lsl #7",
        "mov sp, r1",
        "2:",
        "vstmia r1!, {{d16-d31}}",
        "cmp r1, r12",
        "bne 2b",
        "mov sp, r12",
        "bx lr",
    )
}

/// The last row of the next block, and what is added to it from one block to the one behind.
#[repr(C)]
struct LastRow {
    next: [u32; 4],
    step: [u32; 4],
}

/// XORs so many passes of one, two or three blocks from `input` into `output`, which may be the same. The rows of a block
/// but for the last are in the words, that one is in the [`LastRow`], which is left as the next block needs it.
type Kernel = unsafe extern "C" fn(
    words: &[u32; 16],
    last_row: &mut LastRow,
    input: *const u8,
    output: *mut u8,
    double_rounds: usize,
    passes: usize,
);

/// A round of all blocks, step by step side by side, and the rotations of the rows that lead to the next one: the
/// second by `$b` bytes, the last by `$d`.
macro_rules! round {
    ($b:literal $d:literal; $(($a0:literal $b0:literal $c0:literal $d0:literal $t:literal))*) => {
        concat!(
            $("vadd.i32 q", $a0, ", q", $a0, ", q", $b0, "\n",)*
            $("veor q", $d0, ", q", $d0, ", q", $a0, "\n",)*
            $("vrev32.16 q", $d0, ", q", $d0, "\n",)*
            $("vadd.i32 q", $c0, ", q", $c0, ", q", $d0, "\n",)*
            $("veor q", $t, ", q", $b0, ", q", $c0, "\n",)*
            $("vshl.u32 q", $b0, ", q", $t, ", #12\n",)*
            $("vsri.u32 q", $b0, ", q", $t, ", #20\n",)*
            $("vadd.i32 q", $a0, ", q", $a0, ", q", $b0, "\n",)*
            $("veor q", $t, ", q", $d0, ", q", $a0, "\n",)*
            $("vshl.u32 q", $d0, ", q", $t, ", #8\n",)*
            $("vsri.u32 q", $d0, ", q", $t, ", #24\n",)*
            $("vadd.i32 q", $c0, ", q", $c0, ", q", $d0, "\n",)*
            $("veor q", $t, ", q", $b0, ", q", $c0, "\n",)*
            $("vext.8 q", $d0, ", q", $d0, ", q", $d0, ", #", $d, "\n",)*
            $("vshl.u32 q", $b0, ", q", $t, ", #7\n",)*
            $("vext.8 q", $c0, ", q", $c0, ", q", $c0, ", #8\n",)*
            $("vsri.u32 q", $b0, ", q", $t, ", #25\n",)*
            $("vext.8 q", $b0, ", q", $b0, ", q", $b0, ", #", $b, "\n",)*
        )
    };
}

macro_rules! kernels {
    ($($name:ident $save:literal $restore:literal [$first:tt $($other:tt)*])*) => {$(
        /// A [`Kernel`].
        #[unsafe(naked)]
        unsafe extern "C" fn $name(
            _words: &[u32; 16],
            _last_row: &mut LastRow,
            _input: *const u8,
            _output: *mut u8,
            _double_rounds: usize,
            _passes: usize,
        ) {
            naked_asm!(
                ".fpu neon",
                "push {{r4, r5}}",
                "ldrd r4, r5, [sp, #8]",
                $save,
                "3:",
                "mov r12, r4",
                "vldmia r0, {{d0-d5}}",
                "vldmia r1, {{d6-d7}}",
                "add r1, r1, #16",
                "vldmia r1, {{d30-d31}}",
                kernels!(@copy (0 1 2 3 12) $($other)*),
                "2:",
                round!(4 12; $first $($other)*),
                round!(12 4; $first $($other)*),
                "subs r12, r12, #1",
                "bne 2b",
                "vldmia r0, {{d24-d29}}",
                kernels!(@add $first $($other)*),
                "sub r1, r1, #16",
                "vldmia r1, {{d24-d25}}",
                kernels!(@last $first $($other)*),
                "vstmia r1, {{d24-d25}}",
                kernels!(@xor $first $($other)*),
                "subs r5, r5, #1",
                "bne 3b",
                $restore,
                "pop {{r4, r5}}",
                "bx lr",
            )
        }
    )*};
    (@copy $last:tt) => { "" };
    (@copy ($a:literal $b:literal $c:literal $d:literal $t:literal)
        ($a1:literal $b1:literal $c1:literal $d1:literal $t1:literal) $($other:tt)*) => {
        concat!(
            "vmov q", $a1, ", q0\n",
            "vmov q", $b1, ", q1\n",
            "vmov q", $c1, ", q2\n",
            "vadd.i64 q", $d1, ", q", $d, ", q15\n",
            kernels!(@copy ($a1 $b1 $c1 $d1 $t1) $($other)*),
        )
    };
    (@add $(($a:literal $b:literal $c:literal $d:literal $t:literal))*) => {
        concat!(
            $("vadd.i32 q", $a, ", q", $a, ", q12\n",)*
            $("vadd.i32 q", $b, ", q", $b, ", q13\n",)*
            $("vadd.i32 q", $c, ", q", $c, ", q14\n",)*
        )
    };
    (@last $(($a:literal $b:literal $c:literal $d:literal $t:literal))*) => {
        concat!($(
            "vadd.i32 q", $d, ", q", $d, ", q12\n",
            "vadd.i64 q12, q12, q15\n",
        )*)
    };
    (@xor $(($a:literal $b:literal $c:literal $d:literal $t:literal))*) => {
        concat!($(
            "vld1.8 {{d24-d27}}, [r2]!\n",
            "vld1.8 {{d28-d31}}, [r2]!\n",
            "veor q12, q12, q", $a, "\n",
            "veor q13, q13, q", $b, "\n",
            "veor q14, q14, q", $c, "\n",
            "veor q15, q15, q", $d, "\n",
            "vst1.8 {{d24-d27}}, [r3]!\n",
            "vst1.8 {{d28-d31}}, [r3]!\n",
        )*)
    };
}

// The rows of each block, and a register for its rotations. Registers 4 to 7 are the caller's.
kernels! {
    xor_1 "" "" [(0 1 2 3 12)]
    xor_2 "" "" [(0 1 2 3 12) (8 9 10 11 13)]
    xor_3 "vpush {{d8-d15}}" "vpop {{d8-d15}}" [(0 1 2 3 12) (8 9 10 11 13) (4 5 6 7 14)]
}
