//! Eight blocks at once, bit-sliced, with round keys converted from those of [`vpaes`](crate::backends::vpaes).
//!
//! The design is that of `vpaes/eight.rs`, written out for sixteen registers. Planes 0 to 7 are in q0 to q7 at the start of
//! a round. The signals on the right are those of the circuits in `bitslice/sbox.rs`. Those of the cipher are in an order
//! found by simulated annealing, with which few have to go to memory for a while or be made again of others: 16
//! instructions, where the best of some thousand random orders took 22. In its inverse, of such an order, 12 signals
//! go to memory. A slot has its address in a register each, since that makes a store or a load one instruction.
//!
//! A round on eight blocks is 207 instructions, 253 in the inverse, at 64 bits a cycle two cycles for most.

use crate::backends::keys::Aligned;
use core::arch::naked_asm;

/// Round keys in the order of their use.
#[repr(C, align(16))]
pub(super) struct Planes {
    /// What is added to the bytes before the first round and after the last.
    pub(super) first: Aligned,
    pub(super) last: Aligned,
    /// What is added to the planes after each full round.
    pub(super) middle: [[Aligned; 8]; 13],
}

/// Makes planes of `n + 1` round keys, the first of them at `key` and the others `step` bytes after one another, save for
/// the one that comes last of all. `basis` takes bytes to the standard basis, `rows` to rows.
///
/// # Safety
///
/// The CPU has NEON; `n` is 9, 11 or 13. The `n + 1` keys that begin at `key` and at every `step` bytes from there, which is 16
/// or -16, can be read. `planes` can be written, at an address divisible by 16, and is apart from them. `rows` is at an
/// address divisible by 64, by which its end is known.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn slice_keys(
    key: *const Aligned,
    n: usize,
    step: isize,
    planes: *mut Planes,
    basis: &[Aligned; 2],
    rows: &[Aligned; 4],
) {
    naked_asm!(
        ".fpu neon",
        "vpush {{d8-d15}}",
        "ldr r12, [sp, #64]",
        "vld1.64 {{d8-d11}}, [r12:128]",
        "ldr r12, [sp, #68]",
        "vmov.i8 q6, #0x0f",
        "vmov.i8 q8, #0x01",
        "vmov.i8 q9, #0x02",
        "vmov.i8 q10, #0x04",
        "vmov.i8 q11, #0x08",
        "vmov.i8 q12, #0x10",
        "vmov.i8 q13, #0x20",
        "vmov.i8 q14, #0x40",
        "vmov.i8 q15, #0x80",
        "vld1.64 {{d4, d5}}, [r0:128], r2",
        "vand q0, q2, q6",
        "vshr.u8 q1, q2, #4",
        "vtbl.8 d4, {{d8, d9}}, d0",
        "vtbl.8 d5, {{d8, d9}}, d1",
        "vtbl.8 d6, {{d10, d11}}, d2",
        "vtbl.8 d7, {{d10, d11}}, d3",
        "veor q2, q2, q3",
        "vst1.64 {{d4, d5}}, [r3:128]!",
        "add r3, r3, #16",
        // From the order of bytes after one round.
        "add r12, r12, #16",
        "2:",
        "vld1.64 {{d4, d5}}, [r0:128], r2",
        "vld1.64 {{d14, d15}}, [r12:128]!",
        "vand q0, q2, q6",
        "vshr.u8 q1, q2, #4",
        "vtbl.8 d4, {{d8, d9}}, d0",
        "vtbl.8 d5, {{d8, d9}}, d1",
        "vtbl.8 d6, {{d10, d11}}, d2",
        "vtbl.8 d7, {{d10, d11}}, d3",
        "veor q2, q2, q3",
        "vtbl.8 d14, {{d4, d5}}, d14",
        "vtbl.8 d15, {{d4, d5}}, d15",
        "vtst.8 q0, q7, q8",
        "vtst.8 q1, q7, q9",
        "vtst.8 q2, q7, q10",
        "vtst.8 q3, q7, q11",
        "vst1.64 {{d0-d3}}, [r3:128]!",
        "vst1.64 {{d4-d7}}, [r3:128]!",
        "vtst.8 q0, q7, q12",
        "vtst.8 q1, q7, q13",
        "vtst.8 q2, q7, q14",
        "vtst.8 q3, q7, q15",
        "vst1.64 {{d0-d3}}, [r3:128]!",
        "vst1.64 {{d4-d7}}, [r3:128]!",
        "tst r12, #63",
        "it eq",
        "subeq r12, r12, #64",
        "subs r1, r1, #1",
        "bne 2b",
        "vmov.i8 q0, #0",
        "vpop {{d8-d15}}",
        "bx lr",
    );
}

/// Overwrites the planes of `n` round keys with zeros.
///
/// # Safety
///
/// The CPU has NEON; `n` is 9, 11 or 13. `planes` can be written, at an address divisible by 16.
#[cfg(feature = "zeroize")]
#[unsafe(naked)]
pub(super) unsafe extern "C" fn wipe(planes: *mut Planes, n: usize) {
    naked_asm!(
        ".fpu neon",
        "vmov.i8 q8, #0",
        "vmov.i8 q9, #0",
        "vmov.i8 q10, #0",
        "vmov.i8 q11, #0",
        "vmov.i8 q12, #0",
        "vmov.i8 q13, #0",
        "vmov.i8 q14, #0",
        "vmov.i8 q15, #0",
        "vst1.64 {{d16-d19}}, [r0:128]!",
        "2:",
        "vstmia r0!, {{d16-d31}}",
        "subs r1, r1, #1",
        "bne 2b",
        "bx lr",
    );
}

/// The cipher of `n` full rounds on `count` times eight blocks, which is not zero. `shift_rows` are the shuffles of the first
/// round, of those that follow and of the last.
///
/// # Safety
///
/// The CPU has NEON; `n` is 9, 11 or 13. `planes` has been written by [`slice_keys`] with the same `n`, and `last` too. At `input`
/// `count` eights of blocks can be read, of which there is one or more, and as many can be written at `output`, which is the
/// same or apart, at any address.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn encrypt(
    planes: *const Planes,
    n: usize,
    input: *const [u8; 128],
    output: *mut [u8; 128],
    count: usize,
    shift_rows: &[Aligned; 3],
) {
    naked_asm!(
        ".fpu neon",
        "push {{r4-r11, lr}}",
        "vpush {{d8-d15}}",
        "ldr r12, [sp, #100]",
        "ldr r11, [sp, #104]",
        "mov r4, sp",
        "sub lr, sp, #128",
        "bic lr, lr, #15",
        "mov sp, lr",
        "str r0, [sp, #112]",
        "str r1, [sp, #116]",
        "str r4, [sp, #120]",
        "add r4, sp, #0",
        "add r5, sp, #16",
        "add r6, sp, #32",
        "add r7, sp, #48",
        "add r8, sp, #64",
        "add r9, sp, #80",
        "add r10, sp, #96",
        "add r11, r11, #16",
        "2:",
        "ldr r0, [sp, #112]",
        "ldr r1, [sp, #116]",
        "sub lr, r11, #16",
        "vld1.8 {{d0-d3}}, [r2]!",
        "vld1.8 {{d4-d7}}, [r2]!",
        "vld1.8 {{d8-d11}}, [r2]!",
        "vld1.8 {{d12-d15}}, [r2]!",
        "vld1.64 {{d16, d17}}, [r0:128]",
        "add r0, r0, #32",
        "veor q0, q0, q8",
        "veor q1, q1, q8",
        "veor q2, q2, q8",
        "veor q3, q3, q8",
        "veor q4, q4, q8",
        "veor q5, q5, q8",
        "veor q6, q6, q8",
        "veor q7, q7, q8",
        "vmov q8, q0",
        "vsli.8 q0, q4, #4",
        "vsri.8 q4, q8, #4",
        "vmov q8, q1",
        "vsli.8 q1, q5, #4",
        "vsri.8 q5, q8, #4",
        "vmov q8, q2",
        "vsli.8 q2, q6, #4",
        "vsri.8 q6, q8, #4",
        "vmov q8, q3",
        "vsli.8 q3, q7, #4",
        "vsri.8 q7, q8, #4",
        "vmov.i8 q10, #0x33",
        "vshr.u8 q8, q0, #2",
        "vshl.i8 q9, q2, #2",
        "vbif q0, q9, q10",
        "vbit q2, q8, q10",
        "vshr.u8 q8, q1, #2",
        "vshl.i8 q9, q3, #2",
        "vbif q1, q9, q10",
        "vbit q3, q8, q10",
        "vshr.u8 q8, q4, #2",
        "vshl.i8 q9, q6, #2",
        "vbif q4, q9, q10",
        "vbit q6, q8, q10",
        "vshr.u8 q8, q5, #2",
        "vshl.i8 q9, q7, #2",
        "vbif q5, q9, q10",
        "vbit q7, q8, q10",
        "vmov.i8 q10, #0x55",
        "vshr.u8 q8, q0, #1",
        "vshl.i8 q9, q1, #1",
        "vbif q0, q9, q10",
        "vbit q1, q8, q10",
        "vshr.u8 q8, q2, #1",
        "vshl.i8 q9, q3, #1",
        "vbif q2, q9, q10",
        "vbit q3, q8, q10",
        "vshr.u8 q8, q4, #1",
        "vshl.i8 q9, q5, #1",
        "vbif q4, q9, q10",
        "vbit q5, q8, q10",
        "vshr.u8 q8, q6, #1",
        "vshl.i8 q9, q7, #1",
        "vbif q6, q9, q10",
        "vbit q7, q8, q10",
        "3:",
        "veor q14, q7, q1",  // y13
        "veor q15, q4, q2",  // y14
        "veor q11, q7, q2",  // y8
        "veor q8, q14, q15", // y12
        "veor q10, q6, q5",  // t0
        "veor q13, q3, q8",  // t1
        "veor q12, q10, q0", // y1
        "veor q9, q13, q2",  // y15
        "veor q3, q12, q1",  // y5
        "vand q2, q8, q9",   // t2
        "veor q5, q9, q10",  // y10
        "veor q13, q13, q6", // y20
        "veor q1, q9, q0",   // y6
        "veor q6, q3, q11",  // y3
        "vst1.64 {{d16, d17}}, [r4:128]",
        "veor q8, q12, q4", // y4
        "vst1.64 {{d18, d19}}, [r5:128]",
        "vand q9, q6, q1", // t3
        "veor q4, q7, q4", // y9
        "vst1.64 {{d2, d3}}, [r6:128]",
        "vand q1, q8, q0", // t5
        "vst1.64 {{d16, d17}}, [r7:128]",
        "veor q8, q13, q4", // y11
        "veor q1, q1, q2",  // t6
        "veor q2, q9, q2",  // t4
        "veor q9, q5, q8",  // y17
        "vand q6, q4, q8",  // t12
        "vst1.64 {{d8, d9}}, [r8:128]",
        "vand q4, q15, q9", // t13
        "vst1.64 {{d30, d31}}, [r9:128]",
        "veor q15, q5, q11", // y19
        "veor q4, q4, q6",   // t14
        "vand q9, q11, q5",  // t15
        "veor q2, q2, q4",   // t17
        "veor q6, q9, q6",   // t16
        "veor q9, q10, q8",  // y16
        "veor q10, q2, q13", // t21
        "veor q13, q1, q6",  // t18
        "veor q2, q12, q7",  // y2
        "veor q1, q13, q15", // t22
        "veor q13, q0, q8",  // y7
        "vand q15, q14, q9", // t7
        "vst1.64 {{d0, d1}}, [r10:128]",
        "vand q0, q2, q13",   // t10
        "veor q0, q0, q15",   // t11
        "veor q7, q7, q9",    // y18
        "veor q6, q0, q6",    // t20
        "vand q0, q3, q12",   // t8
        "veor q7, q6, q7",    // t24
        "veor q15, q0, q15",  // t9
        "veor q0, q14, q9",   // y21
        "veor q4, q15, q4",   // t19
        "veor q4, q4, q0",    // t23
        "veor q0, q10, q1",   // t25
        "vand q6, q10, q4",   // t26
        "vand q15, q10, q7",  // m31
        "veor q10, q7, q6",   // t27
        "vand q15, q0, q15",  // m32
        "vand q10, q0, q10",  // t28
        "veor q0, q0, q6",    // m33
        "veor q10, q10, q1",  // t29
        "veor q15, q15, q0",  // t40
        "vand q0, q1, q4",    // m34
        "veor q4, q4, q7",    // t30
        "vand q2, q10, q2",   // z14
        "vand q0, q4, q0",    // m35
        "veor q1, q1, q6",    // t31
        "vand q13, q10, q13", // z5
        "vand q1, q1, q4",    // t32
        "veor q6, q4, q6",    // m36
        "veor q4, q10, q15",  // t43
        "veor q0, q0, q6",    // t37
        "veor q6, q3, q11",   // y3
        "vand q6, q0, q6",    // z10
        "veor q7, q1, q7",    // t33
        "veor q1, q15, q0",   // t41
        "vand q12, q15, q12", // z4
        "veor q10, q10, q7",  // t42
        "vand q15, q15, q3",  // z13
        "vand q3, q4, q14",   // z12
        "vand q11, q1, q11",  // z17
        "vand q14, q4, q9",   // z3
        "veor q4, q10, q1",   // t45
        "veor q9, q5, q8",    // y17
        "vand q9, q4, q9",    // z7
        "vand q5, q1, q5",    // z8
        "vld1.64 {{d2, d3}}, [r9:128]",
        "vand q1, q4, q1",  // z16
        "veor q4, q12, q9", // b23
        "vld1.64 {{d18, d19}}, [r8:128]",
        "vand q9, q10, q9",  // z15
        "vand q10, q10, q8", // z6
        "veor q11, q9, q11", // b18
        "veor q8, q7, q0",   // t44
        "veor q1, q9, q1",   // b19
        "veor q5, q5, q3",   // b22
        "veor q6, q6, q1",   // b21
        "vld1.64 {{d18, d19}}, [r5:128]",
        "vand q9, q8, q9",    // z0
        "veor q10, q14, q10", // b26
        "veor q1, q15, q1",   // b20
        "vld1.64 {{d30, d31}}, [r4:128]",
        "vand q8, q8, q15", // z9
        "vld1.64 {{d30, d31}}, [r10:128]",
        "vand q15, q7, q15", // z2
        "veor q5, q4, q5",   // b28
        "veor q14, q9, q14", // b25
        "vld1.64 {{d18, d19}}, [r6:128]",
        "vand q9, q0, q9",    // z1
        "veor q15, q15, q14", // b33
        "veor q0, q8, q6",    // b24
        "veor q13, q13, q15", // b34
        "veor q5, q15, q5",   // b35
        "veor q8, q9, q0",    // b29
        "veor q9, q2, q5",    // b36
        "veor q1, q13, q1",   // b43
        "vld1.64 {{d30, d31}}, [r7:128]",
        "vand q7, q7, q15",  // z11
        "veor q4, q4, q10",  // b27
        "veor q12, q12, q8", // b30
        "veor q2, q14, q12", // b32
        "veor q15, q7, q9",  // b37
        "veor q7, q2, q13",  // b42
        "veor q10, q5, q1",  // b45
        "veor q5, q6, q15",  // b38
        "veor q9, q4, q9",   // b39
        "veor q15, q0, q4",  // b31
        "veor q6, q9, q11",  // b40
        "vld1.64 {{d0, d1}}, [lr:128]",
        "vtbl.8 d26, {{d4, d5}}, d0", // s4
        "vtbl.8 d27, {{d4, d5}}, d1",
        "veor q2, q2, q4",              // b41
        "vtbl.8 d16, {{d10, d11}}, d0", // s2
        "vtbl.8 d17, {{d10, d11}}, d1",
        "veor q4, q3, q1",              // b44
        "vtbl.8 d10, {{d14, d15}}, d0", // s3
        "vtbl.8 d11, {{d14, d15}}, d1",
        "vtbl.8 d28, {{d30, d31}}, d0", // s7
        "vtbl.8 d29, {{d30, d31}}, d1",
        "vtbl.8 d14, {{d20, d21}}, d0", // s1
        "vtbl.8 d15, {{d20, d21}}, d1",
        "vtbl.8 d24, {{d8, d9}}, d0", // s0
        "vtbl.8 d25, {{d8, d9}}, d1",
        "vtbl.8 d18, {{d12, d13}}, d0", // s5
        "vtbl.8 d19, {{d12, d13}}, d1",
        "vtbl.8 d30, {{d4, d5}}, d0", // s6
        "vtbl.8 d31, {{d4, d5}}, d1",
        "subs r1, r1, #1",
        "bmi 4f",
        "vext.8 q10, q14, q14, #4", // w7
        "veor q14, q14, q10",       // tt7
        "vld1.64 {{d4-d7}}, [r0:128]!",
        "vext.8 q11, q12, q12, #4", // w0
        "veor q12, q12, q11",       // tt0
        "veor q0, q11, q2",
        "veor q0, q0, q14", // a0
        "veor d0, d0, d25", // o0
        "veor d1, d1, d24",
        "vext.8 q11, q7, q7, #4", // w1
        "veor q2, q7, q11",       // tt1
        "veor q1, q11, q3",
        "veor q1, q1, q14", // x1
        "veor q1, q1, q12", // a1
        "veor d2, d2, d5",  // o1
        "veor d3, d3, d4",
        "vld1.64 {{d22-d25}}, [r0:128]!",
        "vext.8 q3, q8, q8, #4", // w2
        "veor q8, q8, q3",       // tt2
        "veor q11, q3, q11",
        "veor q2, q11, q2", // a2
        "veor d4, d4, d17", // o2
        "veor d5, d5, d16",
        "vext.8 q11, q5, q5, #4", // w3
        "veor q7, q5, q11",       // tt3
        "veor q3, q11, q12",
        "veor q3, q3, q14", // x3
        "veor q3, q3, q8",  // a3
        "veor d6, d6, d15", // o3
        "veor d7, d7, d14",
        "vld1.64 {{d22-d25}}, [r0:128]!",
        "vext.8 q8, q13, q13, #4", // w4
        "veor q13, q13, q8",       // tt4
        "veor q4, q8, q11",
        "veor q4, q4, q14", // x4
        "veor q4, q4, q7",  // a4
        "veor d8, d8, d27", // o4
        "veor d9, d9, d26",
        "vext.8 q8, q9, q9, #4", // w5
        "veor q11, q9, q8",      // tt5
        "veor q5, q8, q12",
        "veor q5, q5, q13",   // a5
        "veor d10, d10, d23", // o5
        "veor d11, d11, d22",
        "vld1.64 {{d16-d19}}, [r0:128]!",
        "vext.8 q12, q15, q15, #4", // w6
        "veor q15, q15, q12",       // tt6
        "veor q6, q12, q8",
        "veor q6, q6, q11",   // a6
        "veor d12, d12, d31", // o6
        "veor d13, d13, d30",
        "veor q7, q10, q9",
        "veor q7, q7, q15",   // a7
        "veor d14, d14, d29", // o7
        "veor d15, d15, d28",
        "mov lr, r11",
        "it eq",
        "addeq lr, r11, #16",
        "b 3b",
        "4:",
        "vmov q0, q12",
        "vsli.8 q12, q13, #4",
        "vsri.8 q13, q0, #4",
        "vmov q0, q7",
        "vsli.8 q7, q9, #4",
        "vsri.8 q9, q0, #4",
        "vmov q0, q8",
        "vsli.8 q8, q15, #4",
        "vsri.8 q15, q0, #4",
        "vmov q0, q5",
        "vsli.8 q5, q14, #4",
        "vsri.8 q14, q0, #4",
        "vmov.i8 q2, #0x33",
        "vshr.u8 q0, q12, #2",
        "vshl.i8 q1, q8, #2",
        "vbif q12, q1, q2",
        "vbit q8, q0, q2",
        "vshr.u8 q0, q7, #2",
        "vshl.i8 q1, q5, #2",
        "vbif q7, q1, q2",
        "vbit q5, q0, q2",
        "vshr.u8 q0, q13, #2",
        "vshl.i8 q1, q15, #2",
        "vbif q13, q1, q2",
        "vbit q15, q0, q2",
        "vshr.u8 q0, q9, #2",
        "vshl.i8 q1, q14, #2",
        "vbif q9, q1, q2",
        "vbit q14, q0, q2",
        "vmov.i8 q2, #0x55",
        "vshr.u8 q0, q12, #1",
        "vshl.i8 q1, q7, #1",
        "vbif q12, q1, q2",
        "vbit q7, q0, q2",
        "vshr.u8 q0, q8, #1",
        "vshl.i8 q1, q5, #1",
        "vbif q8, q1, q2",
        "vbit q5, q0, q2",
        "vshr.u8 q0, q13, #1",
        "vshl.i8 q1, q9, #1",
        "vbif q13, q1, q2",
        "vbit q9, q0, q2",
        "vshr.u8 q0, q15, #1",
        "vshl.i8 q1, q14, #1",
        "vbif q15, q1, q2",
        "vbit q14, q0, q2",
        "ldr r0, [sp, #112]",
        "add r0, r0, #16",
        "vld1.64 {{d0, d1}}, [r0:128]",
        "veor q6, q12, q0",
        "veor q7, q7, q0",
        "vst1.8 {{d12-d15}}, [r3]!",
        "veor q4, q8, q0",
        "veor q5, q5, q0",
        "vst1.8 {{d8-d11}}, [r3]!",
        "veor q8, q13, q0",
        "veor q9, q9, q0",
        "vst1.8 {{d16-d19}}, [r3]!",
        "veor q13, q15, q0",
        "veor q14, q14, q0",
        "vst1.8 {{d26-d29}}, [r3]!",
        "subs r12, r12, #1",
        "bne 2b",
        "vmov.i8 q0, #0",
        "vst1.64 {{d0, d1}}, [r4:128]",
        "vst1.64 {{d0, d1}}, [r5:128]",
        "vst1.64 {{d0, d1}}, [r6:128]",
        "vst1.64 {{d0, d1}}, [r7:128]",
        "vst1.64 {{d0, d1}}, [r8:128]",
        "vst1.64 {{d0, d1}}, [r9:128]",
        "vst1.64 {{d0, d1}}, [r10:128]",
        "ldr r12, [sp, #120]",
        "mov sp, r12",
        "vpop {{d8-d15}}",
        "pop {{r4-r11, pc}}",
    );
}

/// The equivalent inverse cipher of `n` full rounds on `count` times eight blocks, which is not zero. `shift_rows` are the shuffles of the first
/// round, of those that follow and of the last.
///
/// # Safety
///
/// The CPU has NEON; `n` is 9, 11 or 13. `planes` has been written by [`slice_keys`] with the same `n`, and `last` too. At `input`
/// `count` eights of blocks can be read, of which there is one or more, and as many can be written at `output`, which is the
/// same or apart, at any address.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn decrypt(
    planes: *const Planes,
    n: usize,
    input: *const [u8; 128],
    output: *mut [u8; 128],
    count: usize,
    shift_rows: &[Aligned; 3],
) {
    naked_asm!(
        ".fpu neon",
        "push {{r4-r11, lr}}",
        "vpush {{d8-d15}}",
        "ldr r4, [sp, #100]",
        "ldr r5, [sp, #104]",
        "mov r12, sp",
        "sub lr, sp, #208",
        "bic lr, lr, #15",
        "mov sp, lr",
        "str r0, [sp, #176]",
        "str r1, [sp, #180]",
        "str r4, [sp, #184]",
        "str r5, [sp, #188]",
        "str r12, [sp, #192]",
        "add r4, sp, #0",
        "add r5, sp, #16",
        "add r6, sp, #32",
        "add r7, sp, #48",
        "add r8, sp, #64",
        "add r9, sp, #80",
        "add r10, sp, #96",
        "add r11, sp, #112",
        "add r12, sp, #128",
        "2:",
        "ldr r0, [sp, #176]",
        "ldr r1, [sp, #180]",
        "ldr lr, [sp, #188]",
        "vld1.8 {{d0-d3}}, [r2]!",
        "vld1.8 {{d4-d7}}, [r2]!",
        "vld1.8 {{d8-d11}}, [r2]!",
        "vld1.8 {{d12-d15}}, [r2]!",
        "vld1.64 {{d16, d17}}, [r0:128]",
        "add r0, r0, #32",
        "veor q0, q0, q8",
        "veor q1, q1, q8",
        "veor q2, q2, q8",
        "veor q3, q3, q8",
        "veor q4, q4, q8",
        "veor q5, q5, q8",
        "veor q6, q6, q8",
        "veor q7, q7, q8",
        "vmov q8, q0",
        "vsli.8 q0, q4, #4",
        "vsri.8 q4, q8, #4",
        "vmov q8, q1",
        "vsli.8 q1, q5, #4",
        "vsri.8 q5, q8, #4",
        "vmov q8, q2",
        "vsli.8 q2, q6, #4",
        "vsri.8 q6, q8, #4",
        "vmov q8, q3",
        "vsli.8 q3, q7, #4",
        "vsri.8 q7, q8, #4",
        "vmov.i8 q10, #0x33",
        "vshr.u8 q8, q0, #2",
        "vshl.i8 q9, q2, #2",
        "vbif q0, q9, q10",
        "vbit q2, q8, q10",
        "vshr.u8 q8, q1, #2",
        "vshl.i8 q9, q3, #2",
        "vbif q1, q9, q10",
        "vbit q3, q8, q10",
        "vshr.u8 q8, q4, #2",
        "vshl.i8 q9, q6, #2",
        "vbif q4, q9, q10",
        "vbit q6, q8, q10",
        "vshr.u8 q8, q5, #2",
        "vshl.i8 q9, q7, #2",
        "vbif q5, q9, q10",
        "vbit q7, q8, q10",
        "vmov.i8 q10, #0x55",
        "vshr.u8 q8, q0, #1",
        "vshl.i8 q9, q1, #1",
        "vbif q0, q9, q10",
        "vbit q1, q8, q10",
        "vshr.u8 q8, q2, #1",
        "vshl.i8 q9, q3, #1",
        "vbif q2, q9, q10",
        "vbit q3, q8, q10",
        "vshr.u8 q8, q4, #1",
        "vshl.i8 q9, q5, #1",
        "vbif q4, q9, q10",
        "vbit q5, q8, q10",
        "vshr.u8 q8, q6, #1",
        "vshl.i8 q9, q7, #1",
        "vbif q6, q9, q10",
        "vbit q7, q8, q10",
        "3:",
        "veor q2, q7, q2",    // a25
        "veor q8, q7, q4",    // a8
        "veor q7, q7, q6",    // a10
        "veor q9, q4, q3",    // a9
        "veor q6, q6, q4",    // a18
        "veor q10, q0, q9",   // a13
        "veor q11, q1, q10",  // a17
        "veor q12, q11, q6",  // a19
        "veor q4, q4, q7",    // a12
        "veor q0, q3, q0",    // a15
        "veor q3, q9, q12",   // a20
        "veor q13, q5, q3",   // a21
        "vand q14, q12, q13", // t10
        "veor q15, q10, q13", // a23
        "vst1.64 {{d16, d17}}, [r4:128]",
        "vand q8, q6, q10", // t8
        "vst1.64 {{d12, d13}}, [r5:128]",
        "vand q6, q11, q15", // t7
        "veor q8, q8, q6",   // t9
        "vst1.64 {{d30, d31}}, [r6:128]",
        "veor q15, q3, q2", // a28
        "vst1.64 {{d16, d17}}, [r7:128]",
        "veor q8, q9, q7",  // a11
        "veor q1, q1, q13", // a24
        "vst1.64 {{d26, d27}}, [r8:128]",
        "veor q13, q5, q2", // a26
        "veor q2, q12, q2", // a27
        "vst1.64 {{d24, d25}}, [r9:128]",
        "veor q12, q8, q11", // a22
        "vst1.64 {{d22, d23}}, [r10:128]",
        "veor q11, q4, q13", // a30
        "veor q6, q14, q6",  // t11
        "vand q14, q3, q13", // t5
        "vst1.64 {{d26, d27}}, [r11:128]",
        "veor q13, q4, q10", // a16
        "vst1.64 {{d20, d21}}, [r12:128]",
        "vand q10, q12, q11", // t2
        "vstr d22, [sp, #144]",
        "vstr d23, [sp, #152]",
        "vand q11, q9, q15", // t12
        "veor q5, q5, q9",   // a14
        "vstr d24, [sp, #160]",
        "vstr d25, [sp, #168]",
        "vand q12, q7, q13",  // t15
        "veor q14, q14, q10", // t6
        "veor q12, q12, q11", // t16
        "veor q14, q14, q12", // t18
        "veor q6, q6, q12",   // t20
        "veor q0, q14, q0",   // t22
        "veor q12, q13, q15", // a29
        "veor q5, q6, q5",    // t24
        "vld1.64 {{d12, d13}}, [r4:128]",
        "vand q14, q6, q4",   // t3
        "vand q6, q8, q12",   // t13
        "veor q10, q14, q10", // t4
        "veor q6, q6, q11",   // t14
        "veor q10, q10, q6",  // t17
        "vld1.64 {{d22, d23}}, [r7:128]",
        "veor q6, q11, q6",   // t19
        "veor q1, q6, q1",    // t23
        "veor q2, q10, q2",   // t21
        "veor q6, q2, q0",    // t25
        "vand q10, q2, q1",   // t26
        "veor q11, q6, q10",  // m33
        "vand q2, q2, q5",    // m31
        "veor q14, q1, q5",   // t30
        "vand q2, q6, q2",    // m32
        "veor q2, q2, q11",   // t40
        "vand q1, q0, q1",    // m34
        "veor q11, q5, q10",  // t27
        "vand q6, q6, q11",   // t28
        "veor q6, q6, q0",    // t29
        "veor q0, q0, q10",   // t31
        "vand q0, q0, q14",   // t32
        "veor q10, q14, q10", // m36
        "veor q0, q0, q5",    // t33
        "vand q3, q0, q3",    // z11
        "vand q1, q14, q1",   // m35
        "veor q5, q6, q0",    // t42
        "veor q1, q1, q10",   // t37
        "veor q10, q2, q1",   // t41
        "vand q7, q10, q7",   // z17
        "veor q11, q5, q10",  // t45
        "vand q8, q11, q8",   // z16
        "vand q11, q11, q12", // z7
        "vand q9, q5, q9",    // z15
        "vand q5, q5, q15",   // z6
        "veor q12, q5, q9",   // b23
        "vld1.64 {{d28, d29}}, [r5:128]",
        "vand q14, q2, q14",  // z13
        "vand q10, q10, q13", // z8
        "veor q13, q6, q2",   // t43
        "veor q7, q3, q7",    // b18
        "vand q4, q1, q4",    // z1
        "vld1.64 {{d30, d31}}, [r10:128]",
        "vand q15, q13, q15", // z12
        "veor q12, q15, q12", // b25
        "vld1.64 {{d30, d31}}, [r12:128]",
        "vand q2, q2, q15",   // z4
        "veor q12, q14, q12", // b27
        "vld1.64 {{d30, d31}}, [r6:128]",
        "vand q13, q13, q15", // z3
        "veor q8, q8, q12",   // b31
        "veor q15, q0, q1",   // t44
        "veor q2, q13, q2",   // b28
        "veor q3, q3, q14",   // b26
        "vld1.64 {{d28, d29}}, [r8:128]",
        "vand q14, q6, q14",  // z5
        "veor q10, q10, q8",  // b33
        "veor q14, q14, q10", // b35
        "veor q13, q13, q14", // b36
        "vld1.64 {{d28, d29}}, [r4:128]",
        "vand q1, q1, q14", // z10
        "vld1.64 {{d28, d29}}, [r11:128]",
        "vand q0, q0, q14", // z2
        "veor q4, q4, q2",  // b30
        "veor q0, q0, q10", // b34
        "vldr d20, [sp, #160]",
        "vldr d21, [sp, #168]",
        "vand q10, q15, q10", // z9
        "veor q10, q10, q7",  // b21
        "vldr d28, [sp, #144]",
        "vldr d29, [sp, #152]",
        "vand q14, q15, q14", // z0
        "veor q7, q1, q7",    // b20
        "veor q9, q9, q10",   // b22
        "vld1.64 {{d20, d21}}, [r9:128]",
        "vand q6, q6, q10",  // z14
        "veor q10, q14, q0", // b39
        "veor q2, q11, q2",  // b29
        "veor q11, q12, q2", // b32
        "veor q0, q0, q4",   // b40
        "veor q4, q10, q13", // b41
        "veor q1, q1, q6",   // b19
        "veor q5, q5, q9",   // b24
        "vld1.64 {{d12, d13}}, [lr:128]",
        "vtbl.8 d24, {{d26, d27}}, d12", // s7
        "vtbl.8 d25, {{d26, d27}}, d13",
        "veor q11, q4, q11",            // b46
        "veor q4, q0, q4",              // b45
        "veor q7, q7, q11",             // b47
        "veor q0, q0, q1",              // b42
        "vtbl.8 d2, {{d20, d21}}, d12", // s4
        "vtbl.8 d3, {{d20, d21}}, d13",
        "veor q0, q0, q3",              // b43
        "vtbl.8 d6, {{d14, d15}}, d12", // s3
        "vtbl.8 d7, {{d14, d15}}, d13",
        "veor q2, q8, q2",             // b38
        "vtbl.8 d14, {{d8, d9}}, d12", // s2
        "vtbl.8 d15, {{d8, d9}}, d13",
        "veor q4, q8, q5",               // b37
        "vtbl.8 d10, {{d18, d19}}, d12", // s0
        "vtbl.8 d11, {{d18, d19}}, d13",
        "vtbl.8 d16, {{d0, d1}}, d12", // s5
        "vtbl.8 d17, {{d0, d1}}, d13",
        "vtbl.8 d18, {{d4, d5}}, d12", // s1
        "vtbl.8 d19, {{d4, d5}}, d13",
        "veor q0, q0, q4",            // b44
        "vtbl.8 d4, {{d0, d1}}, d12", // s6
        "vtbl.8 d5, {{d0, d1}}, d13",
        "subs r1, r1, #1",
        "bmi 4f",
        "vext.8 q10, q9, q9, #4",  // w1
        "veor q10, q9, q10",       // tt1
        "vext.8 q11, q5, q5, #4",  // w0
        "veor q11, q5, q11",       // tt0
        "vext.8 q13, q1, q1, #4",  // w4
        "veor q13, q1, q13",       // tt4
        "vext.8 q14, q8, q8, #4",  // w5
        "veor q14, q8, q14",       // tt5
        "vext.8 q15, q3, q3, #4",  // w3
        "veor q15, q3, q15",       // tt3
        "vext.8 q0, q2, q2, #4",   // w6
        "veor q0, q2, q0",         // tt6
        "veor q2, q2, q14",        // u6
        "veor q8, q8, q13",        // u5
        "vext.8 q4, q7, q7, #4",   // w2
        "veor q4, q7, q4",         // tt2
        "veor q6, q7, q10",        // u2
        "vext.8 q7, q12, q12, #4", // w7
        "veor q7, q12, q7",        // tt7
        "veor q5, q5, q7",         // u0
        "veor q12, q12, q0",       // u7
        "vst1.64 {{d16, d17}}, [r4:128]",
        "veor q8, q11, q7",  // x1
        "veor q8, q9, q8",   // u1
        "veor q9, q4, q7",   // x3
        "veor q9, q3, q9",   // u3
        "veor q11, q11, q2", // v0
        "veor q3, q15, q7",  // x4
        "veor q1, q1, q3",   // u4
        "veor q3, q5, q12",  // y1
        "veor q3, q4, q3",   // v2
        "veor q4, q5, q11",  // a0
        "veor q5, q8, q2",   // z3
        "veor q15, q15, q5", // v3
        "veor q5, q6, q12",  // y3
        "veor q5, q5, q2",   // z4
        "veor q13, q13, q5", // v4
        "veor q5, q6, q3",   // a2
        "veor q6, q9, q12",  // y4
        "veor q14, q14, q6", // v5
        "veor q9, q9, q15",  // a3
        "veor q6, q12, q2",  // z1
        "veor q10, q10, q6", // v1
        "veor q8, q8, q10",  // a1
        "vld1.64 {{d12, d13}}, [r0:128]!",
        "veor q4, q4, q6",  // c0
        "veor d8, d8, d23", // o0
        "veor d9, d9, d22",
        "vld1.64 {{d22, d23}}, [r0:128]!",
        "veor q8, q8, q11",   // c1
        "veor d16, d16, d21", // o1
        "veor d17, d17, d20",
        "veor q10, q0, q1",  // v6
        "veor q11, q1, q13", // a4
        "veor q0, q2, q10",  // a6
        "vld1.64 {{d2, d3}}, [r0:128]!",
        "veor q1, q5, q1", // c2
        "veor d4, d2, d7", // o2
        "veor d5, d3, d6",
        "vld1.64 {{d2, d3}}, [r0:128]!",
        "veor q9, q9, q1",   // c3
        "veor d6, d18, d31", // o3
        "veor d7, d19, d30",
        "vld1.64 {{d18, d19}}, [r4:128]",
        "veor q15, q7, q9",   // v7
        "veor q9, q9, q14",   // a5
        "veor q12, q12, q15", // a7
        "vld1.64 {{d2, d3}}, [r0:128]!",
        "veor q11, q11, q1",  // c4
        "veor d22, d22, d27", // o4
        "veor d23, d23, d26",
        "vld1.64 {{d26, d27}}, [r0:128]!",
        "veor q9, q9, q13",   // c5
        "veor d10, d18, d29", // o5
        "veor d11, d19, d28",
        "vld1.64 {{d18, d19}}, [r0:128]!",
        "veor q9, q0, q9",    // c6
        "veor d12, d18, d21", // o6
        "veor d13, d19, d20",
        "vld1.64 {{d18, d19}}, [r0:128]!",
        "veor q9, q12, q9",   // c7
        "veor d14, d18, d31", // o7
        "veor d15, d19, d30",
        "vmov q0, q4",
        "vmov q1, q8",
        "vmov q4, q11",
        "ldr lr, [sp, #188]",
        "add lr, lr, #16",
        "it eq",
        "addeq lr, lr, #16",
        "b 3b",
        "4:",
        "vmov q0, q5",
        "vsli.8 q5, q1, #4",
        "vsri.8 q1, q0, #4",
        "vmov q0, q9",
        "vsli.8 q9, q8, #4",
        "vsri.8 q8, q0, #4",
        "vmov q0, q7",
        "vsli.8 q7, q2, #4",
        "vsri.8 q2, q0, #4",
        "vmov q0, q3",
        "vsli.8 q3, q12, #4",
        "vsri.8 q12, q0, #4",
        "vmov.i8 q6, #0x33",
        "vshr.u8 q0, q5, #2",
        "vshl.i8 q4, q7, #2",
        "vbif q5, q4, q6",
        "vbit q7, q0, q6",
        "vshr.u8 q0, q9, #2",
        "vshl.i8 q4, q3, #2",
        "vbif q9, q4, q6",
        "vbit q3, q0, q6",
        "vshr.u8 q0, q1, #2",
        "vshl.i8 q4, q2, #2",
        "vbif q1, q4, q6",
        "vbit q2, q0, q6",
        "vshr.u8 q0, q8, #2",
        "vshl.i8 q4, q12, #2",
        "vbif q8, q4, q6",
        "vbit q12, q0, q6",
        "vmov.i8 q6, #0x55",
        "vshr.u8 q0, q5, #1",
        "vshl.i8 q4, q9, #1",
        "vbif q5, q4, q6",
        "vbit q9, q0, q6",
        "vshr.u8 q0, q7, #1",
        "vshl.i8 q4, q3, #1",
        "vbif q7, q4, q6",
        "vbit q3, q0, q6",
        "vshr.u8 q0, q1, #1",
        "vshl.i8 q4, q8, #1",
        "vbif q1, q4, q6",
        "vbit q8, q0, q6",
        "vshr.u8 q0, q2, #1",
        "vshl.i8 q4, q12, #1",
        "vbif q2, q4, q6",
        "vbit q12, q0, q6",
        "ldr r0, [sp, #176]",
        "add r0, r0, #16",
        "vld1.64 {{d0, d1}}, [r0:128]",
        "veor q5, q5, q0",
        "veor q9, q9, q0",
        "veor q7, q7, q0",
        "veor q3, q3, q0",
        "veor q1, q1, q0",
        "veor q8, q8, q0",
        "veor q2, q2, q0",
        "veor q12, q12, q0",
        "vst1.8 {{d10, d11}}, [r3]!",
        "vst1.8 {{d18, d19}}, [r3]!",
        "vst1.8 {{d14, d15}}, [r3]!",
        "vst1.8 {{d6, d7}}, [r3]!",
        "vst1.8 {{d2, d3}}, [r3]!",
        "vst1.8 {{d16, d17}}, [r3]!",
        "vst1.8 {{d4, d5}}, [r3]!",
        "vst1.8 {{d24, d25}}, [r3]!",
        "ldr r1, [sp, #184]",
        "subs r1, r1, #1",
        "str r1, [sp, #184]",
        "bne 2b",
        "vmov.i8 q0, #0",
        "vst1.64 {{d0, d1}}, [r4:128]",
        "vst1.64 {{d0, d1}}, [r5:128]",
        "vst1.64 {{d0, d1}}, [r6:128]",
        "vst1.64 {{d0, d1}}, [r7:128]",
        "vst1.64 {{d0, d1}}, [r8:128]",
        "vst1.64 {{d0, d1}}, [r9:128]",
        "vst1.64 {{d0, d1}}, [r10:128]",
        "vst1.64 {{d0, d1}}, [r11:128]",
        "vst1.64 {{d0, d1}}, [r12:128]",
        "vstr d0, [sp, #144]",
        "vstr d1, [sp, #152]",
        "vstr d0, [sp, #160]",
        "vstr d1, [sp, #168]",
        "ldr r12, [sp, #192]",
        "mov sp, r12",
        "vpop {{d8-d15}}",
        "pop {{r4-r11, pc}}",
    );
}
