//! Eight blocks at once, bit-sliced, with round keys converted from those of [`vpaes`](crate::backends::vpaes).
//!
//! The design is that of `vpaes/eight.rs`, written out for sixteen registers. Planes 0 to 7 are in q0 to q7 at the start of
//! a round. The signals on the right are those of the circuits in `bitslice/sbox.rs`, in an order in which few of them have to
//! go to memory for a while, found by trying some thousand: 13 of them in the cipher, 14 in its inverse. A slot has
//! its address in a register each, since that makes a store or a load one instruction.
//!
//! A round on eight blocks is 231 instructions, 259 in the inverse, at 64 bits a cycle two cycles for most.

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

impl Planes {
    pub(super) const ZERO: Self = Self {
        first: Aligned::ZERO,
        last: Aligned::ZERO,
        middle: [[Aligned::ZERO; 8]; 13],
    };
}

/// Makes planes of `n + 1` round keys, the first of them at `key` and the others `step` bytes after one another, save for
/// the last one. `basis` takes bytes to the standard basis, `rows` to rows.
///
/// # Safety
///
/// The CPU has NEON. All is within the objects pointed to.
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
        "vtbl.8 d6, {{d4, d5}}, d14",
        "vtbl.8 d7, {{d4, d5}}, d15",
        "vtst.8 q0, q3, q8",
        "vst1.64 {{d0, d1}}, [r3:128]!",
        "vtst.8 q1, q3, q9",
        "vst1.64 {{d2, d3}}, [r3:128]!",
        "vtst.8 q0, q3, q10",
        "vst1.64 {{d0, d1}}, [r3:128]!",
        "vtst.8 q1, q3, q11",
        "vst1.64 {{d2, d3}}, [r3:128]!",
        "vtst.8 q0, q3, q12",
        "vst1.64 {{d0, d1}}, [r3:128]!",
        "vtst.8 q1, q3, q13",
        "vst1.64 {{d2, d3}}, [r3:128]!",
        "vtst.8 q0, q3, q14",
        "vst1.64 {{d0, d1}}, [r3:128]!",
        "vtst.8 q1, q3, q15",
        "vst1.64 {{d2, d3}}, [r3:128]!",
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

/// The cipher of `n` full rounds on `count` times eight blocks, which is not zero. `shift_rows` are the shuffles of the first
/// round, of those that follow and of the last.
///
/// # Safety
///
/// The CPU has NEON. `input` is as long as `output`, the same or apart from it.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn encrypt(
    planes: &Planes,
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
        "sub lr, sp, #192",
        "bic lr, lr, #15",
        "mov sp, lr",
        "str r0, [sp, #160]",
        "str r1, [sp, #164]",
        "str r4, [sp, #168]",
        "str r5, [sp, #172]",
        "str r12, [sp, #176]",
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
        "ldr r0, [sp, #160]",
        "ldr r1, [sp, #164]",
        "ldr lr, [sp, #172]",
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
        "veor q5, q6, q5",   // t0
        "veor q8, q7, q4",   // y9
        "veor q9, q7, q2",   // y8
        "veor q10, q7, q1",  // y13
        "veor q11, q4, q2",  // y14
        "veor q12, q5, q0",  // y1
        "veor q1, q12, q1",  // y5
        "veor q4, q12, q4",  // y4
        "veor q13, q12, q7", // y2
        "veor q14, q1, q9",  // y3
        "vand q15, q1, q12", // t8
        "vst1.64 {{d2, d3}}, [r4:128]",
        "veor q1, q10, q11", // y12
        "veor q3, q3, q1",   // t1
        "veor q6, q3, q6",   // y20
        "veor q2, q3, q2",   // y15
        "vand q3, q1, q2",   // t2
        "vst1.64 {{d2, d3}}, [r5:128]",
        "veor q1, q6, q8", // y11
        "vst1.64 {{d24, d25}}, [r6:128]",
        "veor q12, q0, q1", // y7
        "vst1.64 {{d12, d13}}, [r7:128]",
        "vand q6, q13, q12", // t10
        "vst1.64 {{d26, d27}}, [r8:128]",
        "vand q13, q8, q1", // t12
        "vst1.64 {{d16, d17}}, [r9:128]",
        "veor q8, q5, q1", // y16
        "veor q7, q7, q8", // y18
        "veor q5, q2, q5", // y10
        "vst1.64 {{d24, d25}}, [r10:128]",
        "veor q12, q5, q1", // y17
        "vst1.64 {{d2, d3}}, [r11:128]",
        "vand q1, q9, q5",  // t15
        "veor q1, q1, q13", // t16
        "vst1.64 {{d18, d19}}, [r12:128]",
        "vand q9, q10, q8",   // t7
        "veor q15, q15, q9",  // t9
        "veor q6, q6, q9",    // t11
        "veor q6, q6, q1",    // t20
        "veor q6, q6, q7",    // t24
        "vand q7, q11, q12",  // t13
        "veor q7, q7, q13",   // t14
        "veor q9, q15, q7",   // t19
        "veor q13, q2, q0",   // y6
        "vand q15, q4, q0",   // t5
        "veor q15, q15, q3",  // t6
        "veor q1, q15, q1",   // t18
        "vand q15, q14, q13", // t3
        "veor q3, q15, q3",   // t4
        "veor q3, q3, q7",    // t17
        "vld1.64 {{d14, d15}}, [r7:128]",
        "veor q3, q3, q7", // t21
        "vld1.64 {{d14, d15}}, [r12:128]",
        "veor q15, q5, q7",  // y19
        "veor q1, q1, q15",  // t22
        "vand q15, q3, q6",  // m31
        "veor q7, q10, q8",  // y21
        "veor q7, q9, q7",   // t23
        "vand q9, q3, q7",   // t26
        "veor q3, q3, q1",   // t25
        "vand q15, q3, q15", // m32
        "vst1.64 {{d10, d11}}, [r7:128]",
        "veor q5, q1, q9", // t31
        "vstr d22, [sp, #144]",
        "vstr d23, [sp, #152]",
        "veor q11, q7, q6", // t30
        "vand q5, q5, q11", // t32
        "veor q5, q5, q6",  // t33
        "vand q0, q5, q0",  // z2
        "veor q6, q6, q9",  // t27
        "vand q6, q3, q6",  // t28
        "vand q4, q5, q4",  // z11
        "vand q7, q1, q7",  // m34
        "veor q1, q6, q1",  // t29
        "vand q6, q11, q7", // m35
        "veor q7, q11, q9", // m36
        "veor q6, q6, q7",  // t37
        "veor q3, q3, q9",  // m33
        "veor q3, q15, q3", // t40
        "vand q7, q6, q14", // z10
        "vld1.64 {{d18, d19}}, [r6:128]",
        "vand q9, q3, q9", // z4
        "vld1.64 {{d22, d23}}, [r4:128]",
        "vand q11, q3, q11", // z13
        "vand q13, q6, q13", // z1
        "vld1.64 {{d28, d29}}, [r10:128]",
        "vand q14, q1, q14", // z5
        "vld1.64 {{d30, d31}}, [r8:128]",
        "vand q15, q1, q15", // z14
        "vst1.64 {{d8, d9}}, [r8:128]",
        "veor q4, q1, q3",  // t43
        "vand q8, q4, q8",  // z3
        "vand q4, q4, q10", // z12
        "veor q3, q3, q6",  // t41
        "veor q6, q5, q6",  // t44
        "veor q1, q1, q5",  // t42
        "vand q2, q6, q2",  // z0
        "vld1.64 {{d10, d11}}, [r5:128]",
        "vand q5, q6, q5", // z9
        "veor q2, q2, q8", // b25
        "vld1.64 {{d12, d13}}, [r9:128]",
        "vand q6, q1, q6", // z15
        "vld1.64 {{d20, d21}}, [r11:128]",
        "vand q10, q1, q10", // z6
        "veor q8, q8, q10",  // b26
        "veor q1, q1, q3",   // t45
        "vand q10, q1, q12", // z7
        "vldr d24, [sp, #144]",
        "vldr d25, [sp, #152]",
        "vand q1, q1, q12",  // z16
        "veor q1, q6, q1",   // b19
        "veor q11, q11, q1", // b20
        "veor q1, q7, q1",   // b21
        "veor q7, q9, q10",  // b23
        "vld1.64 {{d20, d21}}, [r12:128]",
        "vand q10, q3, q10", // z17
        "vld1.64 {{d24, d25}}, [r7:128]",
        "vand q3, q3, q12",  // z8
        "veor q6, q6, q10",  // b18
        "veor q3, q3, q4",   // b22
        "veor q5, q5, q1",   // b24
        "veor q10, q13, q5", // b29
        "veor q9, q9, q10",  // b30
        "veor q8, q7, q8",   // b27
        "veor q3, q7, q3",   // b28
        "veor q5, q5, q8",   // b31
        "veor q7, q2, q9",   // b32
        "veor q0, q0, q2",   // b33
        "veor q2, q0, q3",   // b35
        "veor q0, q14, q0",  // b34
        "veor q3, q0, q11",  // b43
        "veor q0, q7, q0",   // b42
        "veor q9, q15, q2",  // b36
        "vld1.64 {{d20, d21}}, [r8:128]",
        "veor q10, q10, q9", // b37
        "veor q1, q1, q10",  // b38
        "veor q9, q8, q9",   // b39
        "veor q6, q9, q6",   // b40
        "veor q8, q7, q8",   // b41
        "veor q2, q2, q3",   // b45
        "veor q3, q4, q3",   // b44
        "vld1.64 {{d8, d9}}, [lr:128]",
        "vtbl.8 d18, {{d16, d17}}, d8", // s6
        "vtbl.8 d19, {{d16, d17}}, d9",
        "vtbl.8 d16, {{d6, d7}}, d8", // s0
        "vtbl.8 d17, {{d6, d7}}, d9",
        "vtbl.8 d6, {{d4, d5}}, d8", // s1
        "vtbl.8 d7, {{d4, d5}}, d9",
        "vtbl.8 d4, {{d0, d1}}, d8", // s3
        "vtbl.8 d5, {{d0, d1}}, d9",
        "vtbl.8 d0, {{d2, d3}}, d8", // s2
        "vtbl.8 d1, {{d2, d3}}, d9",
        "vtbl.8 d2, {{d10, d11}}, d8", // s7
        "vtbl.8 d3, {{d10, d11}}, d9",
        "vtbl.8 d10, {{d12, d13}}, d8", // s5
        "vtbl.8 d11, {{d12, d13}}, d9",
        "vtbl.8 d8, {{d14, d15}}, d8", // s4
        "vtbl.8 d9, {{d14, d15}}, d9",
        "subs r1, r1, #1",
        "bmi 4f",
        "vext.8 q10, q8, q8, #4", // w0
        "veor q8, q8, q10",       // tt0
        "vext.8 q11, q3, q3, #4", // w1
        "veor q12, q3, q11",      // tt1
        "vext.8 q13, q0, q0, #4", // w2
        "veor q14, q0, q13",      // tt2
        "vext.8 q15, q2, q2, #4", // w3
        "veor q0, q2, q15",       // tt3
        "vext.8 q2, q4, q4, #4",  // w4
        "veor q3, q4, q2",        // tt4
        "vext.8 q4, q5, q5, #4",  // w5
        "veor q5, q5, q4",        // tt5
        "vext.8 q6, q9, q9, #4",  // w6
        "veor q9, q9, q6",        // tt6
        "vext.8 q7, q1, q1, #4",  // w7
        "veor q1, q1, q7",        // tt7
        "veor q10, q1, q10",      // a0
        "vst1.64 {{d18, d19}}, [r4:128]",
        "veor q9, q8, q1",    // x1
        "veor q9, q9, q11",   // a1
        "veor q11, q14, q1",  // x3
        "veor q11, q11, q15", // a3
        "veor q13, q12, q13", // a2
        "veor q15, q0, q1",   // x4
        "veor q15, q15, q2",  // a4
        "vld1.64 {{d4, d5}}, [r0:128]!",
        "veor q10, q10, q2",  // c0
        "veor d20, d20, d17", // o0
        "veor d21, d21, d16",
        "vld1.64 {{d16, d17}}, [r0:128]!",
        "veor q8, q9, q8",    // c1
        "veor d16, d16, d25", // o1
        "veor d17, d17, d24",
        "vld1.64 {{d18, d19}}, [r0:128]!",
        "veor q9, q13, q9",  // c2
        "veor d4, d18, d29", // o2
        "veor d5, d19, d28",
        "vld1.64 {{d18, d19}}, [r0:128]!",
        "veor q9, q11, q9",  // c3
        "veor d18, d18, d1", // o3
        "veor d19, d19, d0",
        "veor q11, q3, q4", // a5
        "veor q12, q5, q6", // a6
        "vld1.64 {{d26, d27}}, [r0:128]!",
        "veor q13, q15, q13", // c4
        "veor d8, d26, d7",   // o4
        "veor d9, d27, d6",
        "vld1.64 {{d26, d27}}, [r4:128]",
        "veor q14, q13, q7", // a7
        "vld1.64 {{d30, d31}}, [r0:128]!",
        "veor q11, q11, q15", // c5
        "veor d22, d22, d11", // o5
        "veor d23, d23, d10",
        "vld1.64 {{d30, d31}}, [r0:128]!",
        "veor q12, q12, q15", // c6
        "veor d12, d24, d27", // o6
        "veor d13, d25, d26",
        "vld1.64 {{d24, d25}}, [r0:128]!",
        "veor q12, q14, q12", // c7
        "veor d14, d24, d3",  // o7
        "veor d15, d25, d2",
        "vmov q0, q10",
        "vmov q1, q8",
        "vmov q3, q9",
        "vmov q5, q11",
        "ldr lr, [sp, #172]",
        "cmp r1, #0",
        "add lr, lr, #16",
        "it eq",
        "addeq lr, lr, #16",
        "b 3b",
        "4:",
        "vmov q6, q8",
        "vsli.8 q8, q4, #4",
        "vsri.8 q4, q6, #4",
        "vmov q6, q3",
        "vsli.8 q3, q5, #4",
        "vsri.8 q5, q6, #4",
        "vmov q6, q0",
        "vsli.8 q0, q9, #4",
        "vsri.8 q9, q6, #4",
        "vmov q6, q2",
        "vsli.8 q2, q1, #4",
        "vsri.8 q1, q6, #4",
        "vmov.i8 q10, #0x33",
        "vshr.u8 q6, q8, #2",
        "vshl.i8 q7, q0, #2",
        "vbif q8, q7, q10",
        "vbit q0, q6, q10",
        "vshr.u8 q6, q3, #2",
        "vshl.i8 q7, q2, #2",
        "vbif q3, q7, q10",
        "vbit q2, q6, q10",
        "vshr.u8 q6, q4, #2",
        "vshl.i8 q7, q9, #2",
        "vbif q4, q7, q10",
        "vbit q9, q6, q10",
        "vshr.u8 q6, q5, #2",
        "vshl.i8 q7, q1, #2",
        "vbif q5, q7, q10",
        "vbit q1, q6, q10",
        "vmov.i8 q10, #0x55",
        "vshr.u8 q6, q8, #1",
        "vshl.i8 q7, q3, #1",
        "vbif q8, q7, q10",
        "vbit q3, q6, q10",
        "vshr.u8 q6, q0, #1",
        "vshl.i8 q7, q2, #1",
        "vbif q0, q7, q10",
        "vbit q2, q6, q10",
        "vshr.u8 q6, q4, #1",
        "vshl.i8 q7, q5, #1",
        "vbif q4, q7, q10",
        "vbit q5, q6, q10",
        "vshr.u8 q6, q9, #1",
        "vshl.i8 q7, q1, #1",
        "vbif q9, q7, q10",
        "vbit q1, q6, q10",
        "ldr r0, [sp, #160]",
        "add r0, r0, #16",
        "vld1.64 {{d12, d13}}, [r0:128]",
        "veor q8, q8, q6",
        "veor q3, q3, q6",
        "veor q0, q0, q6",
        "veor q2, q2, q6",
        "veor q4, q4, q6",
        "veor q5, q5, q6",
        "veor q9, q9, q6",
        "veor q1, q1, q6",
        "vst1.8 {{d16, d17}}, [r3]!",
        "vst1.8 {{d6, d7}}, [r3]!",
        "vst1.8 {{d0, d1}}, [r3]!",
        "vst1.8 {{d4, d5}}, [r3]!",
        "vst1.8 {{d8, d9}}, [r3]!",
        "vst1.8 {{d10, d11}}, [r3]!",
        "vst1.8 {{d18, d19}}, [r3]!",
        "vst1.8 {{d2, d3}}, [r3]!",
        "ldr r1, [sp, #168]",
        "subs r1, r1, #1",
        "str r1, [sp, #168]",
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
        "ldr r12, [sp, #176]",
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
/// The CPU has NEON. `input` is as long as `output`, the same or apart from it.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn decrypt(
    planes: &Planes,
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
        "veor q2, q7, q2",   // a25
        "veor q8, q6, q4",   // a18
        "veor q6, q7, q6",   // a10
        "veor q7, q7, q4",   // a8
        "veor q9, q4, q6",   // a12
        "veor q4, q4, q3",   // a9
        "veor q3, q3, q0",   // a15
        "veor q0, q0, q4",   // a13
        "veor q10, q9, q0",  // a16
        "vand q11, q6, q10", // t15
        "vand q12, q7, q9",  // t3
        "veor q13, q5, q4",  // a14
        "veor q14, q4, q6",  // a11
        "veor q15, q5, q2",  // a26
        "vst1.64 {{d12, d13}}, [r4:128]",
        "veor q6, q9, q15", // a30
        "vst1.64 {{d18, d19}}, [r5:128]",
        "vand q9, q8, q0", // t8
        "vst1.64 {{d14, d15}}, [r6:128]",
        "veor q7, q1, q0", // a17
        "vst1.64 {{d20, d21}}, [r7:128]",
        "veor q10, q14, q7", // a22
        "vst1.64 {{d28, d29}}, [r8:128]",
        "vand q14, q10, q6",  // t2
        "veor q12, q12, q14", // t4
        "vst1.64 {{d20, d21}}, [r9:128]",
        "veor q10, q7, q8", // a19
        "vst1.64 {{d12, d13}}, [r10:128]",
        "veor q6, q4, q10", // a20
        "veor q5, q5, q6",  // a21
        "veor q1, q1, q5",  // a24
        "vst1.64 {{d16, d17}}, [r11:128]",
        "vand q8, q10, q5", // t10
        "vst1.64 {{d2, d3}}, [r12:128]",
        "veor q1, q0, q5", // a23
        "vstr d0, [sp, #144]",
        "vstr d1, [sp, #152]",
        "vand q0, q7, q1",   // t7
        "veor q9, q9, q0",   // t9
        "veor q0, q8, q0",   // t11
        "vand q8, q6, q15",  // t5
        "veor q8, q8, q14",  // t6
        "veor q14, q10, q2", // a27
        "veor q2, q6, q2",   // a28
        "vstr d14, [sp, #160]",
        "vstr d15, [sp, #168]",
        "vand q7, q4, q2",   // t12
        "veor q11, q11, q7", // t16
        "veor q8, q8, q11",  // t18
        "veor q3, q8, q3",   // t22
        "veor q0, q0, q11",  // t20
        "veor q0, q0, q13",  // t24
        "vld1.64 {{d16, d17}}, [r7:128]",
        "veor q11, q8, q2", // a29
        "vld1.64 {{d26, d27}}, [r8:128]",
        "vand q8, q13, q11", // t13
        "veor q7, q8, q7",   // t14
        "veor q8, q12, q7",  // t17
        "veor q8, q8, q14",  // t21
        "veor q7, q9, q7",   // t19
        "vld1.64 {{d18, d19}}, [r12:128]",
        "veor q7, q7, q9",   // t23
        "veor q9, q7, q0",   // t30
        "vand q12, q8, q7",  // t26
        "vand q7, q3, q7",   // m34
        "vand q7, q9, q7",   // m35
        "veor q14, q3, q12", // t31
        "vand q14, q14, q9", // t32
        "veor q9, q9, q12",  // m36
        "veor q7, q7, q9",   // t37
        "vld1.64 {{d18, d19}}, [r6:128]",
        "vand q9, q7, q9",    // z10
        "veor q14, q14, q0",  // t33
        "vand q6, q14, q6",   // z11
        "vand q15, q14, q15", // z2
        "vld1.64 {{d26, d27}}, [r5:128]",
        "vand q13, q7, q13", // z1
        "vst1.64 {{d30, d31}}, [r5:128]",
        "veor q15, q8, q3",   // t25
        "vand q8, q8, q0",    // m31
        "vand q8, q15, q8",   // m32
        "veor q0, q0, q12",   // t27
        "veor q12, q15, q12", // m33
        "veor q8, q8, q12",   // t40
        "vand q0, q15, q0",   // t28
        "veor q0, q0, q3",    // t29
        "vand q3, q0, q10",   // z14
        "veor q3, q9, q3",    // b19
        "vand q5, q0, q5",    // z5
        "vld1.64 {{d20, d21}}, [r11:128]",
        "vand q10, q8, q10", // z13
        "vldr d24, [sp, #144]",
        "vldr d25, [sp, #152]",
        "vand q12, q8, q12", // z4
        "veor q15, q8, q7",  // t41
        "veor q8, q0, q8",   // t43
        "veor q0, q0, q14",  // t42
        "veor q7, q14, q7",  // t44
        "vld1.64 {{d28, d29}}, [r10:128]",
        "vand q14, q7, q14", // z0
        "vst1.64 {{d6, d7}}, [r10:128]",
        "vld1.64 {{d6, d7}}, [r9:128]",
        "vand q3, q7, q3", // z9
        "vld1.64 {{d14, d15}}, [r4:128]",
        "vand q7, q15, q7", // z17
        "veor q7, q6, q7",  // b18
        "veor q9, q9, q7",  // b20
        "veor q3, q3, q7",  // b21
        "vand q1, q8, q1",  // z3
        "vldr d14, [sp, #160]",
        "vldr d15, [sp, #168]",
        "vand q7, q8, q7",   // z12
        "veor q8, q1, q12",  // b28
        "veor q12, q13, q8", // b30
        "vld1.64 {{d26, d27}}, [r7:128]",
        "vand q13, q15, q13", // z8
        "veor q15, q0, q15",  // t45
        "vand q11, q15, q11", // z7
        "veor q8, q11, q8",   // b29
        "vld1.64 {{d22, d23}}, [r8:128]",
        "vand q11, q15, q11", // z16
        "vand q4, q0, q4",    // z15
        "vand q0, q0, q2",    // z6
        "veor q2, q4, q3",    // b22
        "veor q3, q0, q4",    // b23
        "veor q3, q7, q3",    // b25
        "veor q3, q10, q3",   // b27
        "veor q4, q6, q10",   // b26
        "veor q6, q11, q3",   // b31
        "veor q3, q3, q8",    // b32
        "veor q0, q0, q2",    // b24
        "vld1.64 {{d14, d15}}, [lr:128]",
        "vtbl.8 d20, {{d4, d5}}, d14", // s0
        "vtbl.8 d21, {{d4, d5}}, d15",
        "veor q2, q6, q8",             // b38
        "veor q8, q13, q6",            // b33
        "veor q0, q6, q0",             // b37
        "vtbl.8 d12, {{d4, d5}}, d14", // s1
        "vtbl.8 d13, {{d4, d5}}, d15",
        "vld1.64 {{d4, d5}}, [r5:128]",
        "veor q2, q2, q8",  // b34
        "veor q5, q5, q8",  // b35
        "veor q1, q1, q5",  // b36
        "veor q5, q2, q12", // b40
        "veor q2, q14, q2", // b39
        "vld1.64 {{d16, d17}}, [r10:128]",
        "veor q8, q5, q8",             // b42
        "veor q4, q8, q4",             // b43
        "veor q0, q4, q0",             // b44
        "vtbl.8 d16, {{d0, d1}}, d14", // s6
        "vtbl.8 d17, {{d0, d1}}, d15",
        "vtbl.8 d0, {{d8, d9}}, d14", // s5
        "vtbl.8 d1, {{d8, d9}}, d15",
        "vtbl.8 d8, {{d4, d5}}, d14", // s4
        "vtbl.8 d9, {{d4, d5}}, d15",
        "veor q2, q2, q1",            // b41
        "veor q5, q5, q2",            // b45
        "veor q2, q2, q3",            // b46
        "veor q2, q9, q2",            // b47
        "vtbl.8 d6, {{d4, d5}}, d14", // s3
        "vtbl.8 d7, {{d4, d5}}, d15",
        "vtbl.8 d4, {{d10, d11}}, d14", // s2
        "vtbl.8 d5, {{d10, d11}}, d15",
        "vtbl.8 d10, {{d2, d3}}, d14", // s7
        "vtbl.8 d11, {{d2, d3}}, d15",
        "subs r1, r1, #1",
        "bmi 4f",
        "vext.8 q9, q10, q10, #4", // w0
        "veor q9, q10, q9",        // tt0
        "vext.8 q11, q6, q6, #4",  // w1
        "veor q11, q6, q11",       // tt1
        "vext.8 q12, q2, q2, #4",  // w2
        "veor q12, q2, q12",       // tt2
        "veor q13, q2, q11",       // u2
        "vext.8 q14, q3, q3, #4",  // w3
        "veor q14, q3, q14",       // tt3
        "vext.8 q15, q4, q4, #4",  // w4
        "veor q15, q4, q15",       // tt4
        "vext.8 q1, q0, q0, #4",   // w5
        "veor q1, q0, q1",         // tt5
        "veor q0, q0, q15",        // u5
        "vext.8 q2, q8, q8, #4",   // w6
        "veor q2, q8, q2",         // tt6
        "veor q8, q8, q1",         // u6
        "vext.8 q7, q5, q5, #4",   // w7
        "veor q7, q5, q7",         // tt7
        "veor q10, q10, q7",       // u0
        "veor q5, q5, q2",         // u7
        "vst1.64 {{d0, d1}}, [r4:128]",
        "veor q0, q9, q7",    // x1
        "veor q0, q6, q0",    // u1
        "veor q9, q9, q8",    // v0
        "veor q6, q12, q7",   // x3
        "veor q3, q3, q6",    // u3
        "veor q6, q14, q7",   // x4
        "veor q4, q4, q6",    // u4
        "veor q6, q10, q5",   // y1
        "veor q12, q12, q6",  // v2
        "veor q10, q10, q9",  // a0
        "veor q6, q5, q8",    // z1
        "veor q11, q11, q6",  // v1
        "veor q6, q13, q5",   // y3
        "veor q6, q6, q8",    // z4
        "veor q15, q15, q6",  // v4
        "veor q13, q13, q12", // a2
        "veor q6, q3, q5",    // y4
        "veor q1, q1, q6",    // v5
        "veor q6, q0, q8",    // z3
        "veor q14, q14, q6",  // v3
        "veor q0, q0, q11",   // a1
        "veor q3, q3, q14",   // a3
        "vld1.64 {{d12, d13}}, [r0:128]!",
        "veor q10, q10, q6",  // c0
        "veor d20, d20, d19", // o0
        "veor d21, d21, d18",
        "vld1.64 {{d18, d19}}, [r0:128]!",
        "veor q9, q0, q9",    // c1
        "veor d18, d18, d23", // o1
        "veor d19, d19, d22",
        "veor q11, q2, q4", // v6
        "veor q0, q4, q15", // a4
        "vld1.64 {{d4, d5}}, [r0:128]!",
        "veor q13, q13, q2", // c2
        "veor d4, d26, d25", // o2
        "veor d5, d27, d24",
        "vld1.64 {{d24, d25}}, [r4:128]",
        "veor q13, q7, q12", // v7
        "veor q12, q12, q1", // a5
        "veor q8, q8, q11",  // a6
        "veor q4, q5, q13",  // a7
        "vld1.64 {{d10, d11}}, [r0:128]!",
        "veor q3, q3, q5",  // c3
        "veor d6, d6, d29", // o3
        "veor d7, d7, d28",
        "vld1.64 {{d28, d29}}, [r0:128]!",
        "veor q14, q0, q14",  // c4
        "veor d28, d28, d31", // o4
        "veor d29, d29, d30",
        "vld1.64 {{d30, d31}}, [r0:128]!",
        "veor q12, q12, q15", // c5
        "veor d10, d24, d3",  // o5
        "veor d11, d25, d2",
        "vld1.64 {{d24, d25}}, [r0:128]!",
        "veor q8, q8, q12",   // c6
        "veor d12, d16, d23", // o6
        "veor d13, d17, d22",
        "vld1.64 {{d16, d17}}, [r0:128]!",
        "veor q8, q4, q8",    // c7
        "veor d14, d16, d27", // o7
        "veor d15, d17, d26",
        "vmov q0, q10",
        "vmov q1, q9",
        "vmov q4, q14",
        "ldr lr, [sp, #188]",
        "cmp r1, #0",
        "add lr, lr, #16",
        "it eq",
        "addeq lr, lr, #16",
        "b 3b",
        "4:",
        "vmov q1, q10",
        "vsli.8 q10, q4, #4",
        "vsri.8 q4, q1, #4",
        "vmov q1, q6",
        "vsli.8 q6, q0, #4",
        "vsri.8 q0, q1, #4",
        "vmov q1, q2",
        "vsli.8 q2, q8, #4",
        "vsri.8 q8, q1, #4",
        "vmov q1, q3",
        "vsli.8 q3, q5, #4",
        "vsri.8 q5, q1, #4",
        "vmov.i8 q9, #0x33",
        "vshr.u8 q1, q10, #2",
        "vshl.i8 q7, q2, #2",
        "vbif q10, q7, q9",
        "vbit q2, q1, q9",
        "vshr.u8 q1, q6, #2",
        "vshl.i8 q7, q3, #2",
        "vbif q6, q7, q9",
        "vbit q3, q1, q9",
        "vshr.u8 q1, q4, #2",
        "vshl.i8 q7, q8, #2",
        "vbif q4, q7, q9",
        "vbit q8, q1, q9",
        "vshr.u8 q1, q0, #2",
        "vshl.i8 q7, q5, #2",
        "vbif q0, q7, q9",
        "vbit q5, q1, q9",
        "vmov.i8 q9, #0x55",
        "vshr.u8 q1, q10, #1",
        "vshl.i8 q7, q6, #1",
        "vbif q10, q7, q9",
        "vbit q6, q1, q9",
        "vshr.u8 q1, q2, #1",
        "vshl.i8 q7, q3, #1",
        "vbif q2, q7, q9",
        "vbit q3, q1, q9",
        "vshr.u8 q1, q4, #1",
        "vshl.i8 q7, q0, #1",
        "vbif q4, q7, q9",
        "vbit q0, q1, q9",
        "vshr.u8 q1, q8, #1",
        "vshl.i8 q7, q5, #1",
        "vbif q8, q7, q9",
        "vbit q5, q1, q9",
        "ldr r0, [sp, #176]",
        "add r0, r0, #16",
        "vld1.64 {{d2, d3}}, [r0:128]",
        "veor q10, q10, q1",
        "veor q6, q6, q1",
        "veor q2, q2, q1",
        "veor q3, q3, q1",
        "veor q4, q4, q1",
        "veor q0, q0, q1",
        "veor q8, q8, q1",
        "veor q5, q5, q1",
        "vst1.8 {{d20, d21}}, [r3]!",
        "vst1.8 {{d12, d13}}, [r3]!",
        "vst1.8 {{d4, d5}}, [r3]!",
        "vst1.8 {{d6, d7}}, [r3]!",
        "vst1.8 {{d8, d9}}, [r3]!",
        "vst1.8 {{d0, d1}}, [r3]!",
        "vst1.8 {{d16, d17}}, [r3]!",
        "vst1.8 {{d10, d11}}, [r3]!",
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
