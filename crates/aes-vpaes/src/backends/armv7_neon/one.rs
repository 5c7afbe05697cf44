//! One block and the key schedule; the design is that of [`vpaes`](crate::backends::vpaes).
//!
//! A look-up of 16 bytes is two `vtbl` of 8 bytes each. What is looked up all the time stays in registers:
//!
//! ```text
//! q15 mask of nibbles   q13 1/x   q14 a/x   q11, q12 S-box   q9, q10 three times the S-box
//! ```
//!
//! so that a round of one block is 42 instructions of NEON, 24 of them `vtbl`, in registers that no caller wants kept.

use crate::backends::{
    keys::Aligned,
    vpaes::tables::{KeyTables, Tables},
};
use core::{arch::naked_asm, mem::offset_of};

// The tables are loaded one after another, and those that go round by the number of a round end where they began.
const _: () = {
    assert!(offset_of!(Tables, nibble) == 0);
    assert!(offset_of!(Tables, inverse) == 16);
    assert!(offset_of!(Tables, a_by) == 32);
    assert!(offset_of!(Tables, input) == 48);
    assert!(offset_of!(Tables, sub_bytes) == 80);
    assert!(offset_of!(Tables, sub_bytes_3) == 112);
    assert!(offset_of!(Tables, mix_columns) == 144);
    assert!(offset_of!(KeyTables, output) == offset_of!(KeyTables, constant_bytes) + 16);
    assert!(offset_of!(Tables, inv_mix) == offset_of!(Tables, inv_input) + 32);
    assert!(offset_of!(Tables, inv_mix_columns) == offset_of!(Tables, inv_mix) + 128);
};

/// From a byte in q0 to `io` in q8 and `jo` in q2, by q13, q14 and q15; q0, q1 and q3 are lost.
macro_rules! invert_bytes {
    () => {
        "vand q2, q0, q15
         vshr.u8 q1, q0, #4
         vtbl.8 d16, {{d28, d29}}, d4
         vtbl.8 d17, {{d28, d29}}, d5
         veor q3, q1, q2
         vtbl.8 d4, {{d26, d27}}, d2
         vtbl.8 d5, {{d26, d27}}, d3
         vtbl.8 d0, {{d26, d27}}, d6
         vtbl.8 d1, {{d26, d27}}, d7
         veor q2, q2, q8
         veor q0, q0, q8
         vtbl.8 d16, {{d26, d27}}, d4
         vtbl.8 d17, {{d26, d27}}, d5
         vtbl.8 d4, {{d26, d27}}, d0
         vtbl.8 d5, {{d26, d27}}, d1
         veor q8, q8, q3
         veor q2, q2, q1"
    };
}

/// From a byte in q0 to a linear map of it in q0, by the tables in q11 and q12.
macro_rules! map_bytes {
    () => {
        "vand q2, q0, q15
         vshr.u8 q1, q0, #4
         vtbl.8 d0, {{d22, d23}}, d4
         vtbl.8 d1, {{d22, d23}}, d5
         vtbl.8 d4, {{d24, d25}}, d2
         vtbl.8 d5, {{d24, d25}}, d3
         veor q0, q0, q2"
    };
}

/// The last round on the state in q0, with the tables of the S-box to bytes at r12, ShiftRows of what is left out at
/// `unshift` and the key at r0; to q0.
macro_rules! last_round {
    ($unshift:literal) => {
        concat!(
            "vld1.64 {{d22-d25}}, [r12:128]
             vtbl.8 d0, {{d22, d23}}, d16
             vtbl.8 d1, {{d22, d23}}, d17
             vtbl.8 d2, {{d24, d25}}, d4
             vtbl.8 d3, {{d24, d25}}, d5
             vld1.64 {{d6, d7}}, [",
            $unshift,
            ":128]
             veor q0, q0, q1
             vld1.64 {{d16, d17}}, [r0:128]
             vtbl.8 d2, {{d0, d1}}, d6
             vtbl.8 d3, {{d0, d1}}, d7
             veor q0, q1, q8"
        )
    };
}

/// The cipher of `n` full rounds on one block.
///
/// # Safety
///
/// The CPU has NEON; `n` is 9, 11 or 13. 16 bytes can be read at `input` and written at `output`; the two are the same or
/// apart, at any address.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn encrypt(
    keys: &[Aligned; 15],
    n: usize,
    input: *const [u8; 16],
    output: *mut [u8; 16],
    tables: &Tables,
) {
    naked_asm!(
        ".fpu neon",
        "ldr r12, [sp]",
        "vld1.8 {{d0, d1}}, [r2]",
        "vld1.64 {{d30, d31}}, [r12:128]!",
        "vld1.64 {{d26-d29}}, [r12:128]!",
        "vld1.64 {{d22-d25}}, [r12:128]!",
        map_bytes!(),
        "vld1.64 {{d16, d17}}, [r0:128]!",
        "vld1.64 {{d22-d25}}, [r12:128]!",
        "vld1.64 {{d18-d21}}, [r12:128]!",
        "veor q0, q0, q8",
        // Tables of MixColumns: from the second of four, to the end of the last.
        "add r2, r12, #192",
        "add r12, r12, #48",
        "2:",
        invert_bytes!(),
        "vtbl.8 d0, {{d22, d23}}, d16",
        "vtbl.8 d1, {{d22, d23}}, d17",
        "vtbl.8 d2, {{d24, d25}}, d4",
        "vtbl.8 d3, {{d24, d25}}, d5",
        "vtbl.8 d6, {{d18, d19}}, d16",
        "vtbl.8 d7, {{d18, d19}}, d17",
        "vld1.64 {{d16, d17}}, [r0:128]!",
        "vtbl.8 d4, {{d20, d21}}, d4",
        "vtbl.8 d5, {{d20, d21}}, d5",
        "veor q0, q0, q1",
        "vld1.64 {{d2, d3}}, [r12:128]!",
        "veor q3, q3, q2",
        "vld1.64 {{d4, d5}}, [r12:128]!",
        "veor q8, q8, q0",
        "vtbl.8 d2, {{d6, d7}}, d2",
        "vtbl.8 d3, {{d6, d7}}, d3",
        "veor q8, q8, q3",
        "vtbl.8 d4, {{d0, d1}}, d4",
        "vtbl.8 d5, {{d0, d1}}, d5",
        "vld1.64 {{d6, d7}}, [r12:128]!",
        "veor q8, q8, q1",
        "vtbl.8 d6, {{d0, d1}}, d6",
        "vtbl.8 d7, {{d0, d1}}, d7",
        "veor q8, q8, q2",
        "cmp r12, r2",
        "it eq",
        "subeq r12, r12, #192",
        "subs r1, r1, #1",
        "veor q0, q8, q3",
        "bne 2b",
        invert_bytes!(),
        // The table of the round after the last full one says which of those at `unshift` is wanted: of every three.
        "sub r1, r2, r12",
        "ldr r12, [sp]",
        "add r12, r12, #{output}",
        // 144, 96, 48 and 192 bytes before the end: 1, 2, 3 and 0 rounds modulo 4.
        "cmp r1, #192",
        "add r2, r12, #32",
        "it ne",
        "addne r2, r2, #32",
        last_round!("r2"),
        "vst1.8 {{d0, d1}}, [r3]",
        "bx lr",
        output = const offset_of!(Tables, output),
    );
}

/// The equivalent inverse cipher of `n` full rounds on one block.
///
/// # Safety
///
/// The CPU has NEON; `n` is 9, 11 or 13. 16 bytes can be read at `input` and written at `output`; the two are the same or
/// apart, at any address.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn decrypt(
    keys: &[Aligned; 15],
    n: usize,
    input: *const [u8; 16],
    output: *mut [u8; 16],
    tables: &Tables,
) {
    naked_asm!(
        ".fpu neon",
        "ldr r12, [sp]",
        "push {{r4, r5}}",
        "vpush {{d8-d15}}",
        "mov r5, r12",
        "vld1.8 {{d0, d1}}, [r2]",
        "vld1.64 {{d30, d31}}, [r12:128]!",
        "vld1.64 {{d26-d29}}, [r12:128]!",
        "add r12, r12, #({inv_input} - 48)",
        "vld1.64 {{d22-d25}}, [r12:128]!",
        // From the last key backwards.
        "mvn r2, #15",
        "add r0, r0, r1, lsl #4",
        "add r0, r0, #16",
        map_bytes!(),
        "vld1.64 {{d16, d17}}, [r0:128], r2",
        "vld1.64 {{d8-d11}}, [r12:128]!",
        "vld1.64 {{d12-d15}}, [r12:128]!",
        "vld1.64 {{d18-d21}}, [r12:128]!",
        "vld1.64 {{d22-d25}}, [r12:128]!",
        "veor q0, q0, q8",
        // Tables of InvMixColumns: from the second of four, to the end of the last.
        "add r4, r12, #192",
        "add r12, r12, #48",
        "2:",
        invert_bytes!(),
        "vld1.64 {{d0, d1}}, [r0:128], r2",
        "vtbl.8 d2, {{d8, d9}}, d16",
        "vtbl.8 d3, {{d8, d9}}, d17",
        "vtbl.8 d6, {{d10, d11}}, d4",
        "vtbl.8 d7, {{d10, d11}}, d5",
        "veor q0, q0, q1",
        "vtbl.8 d2, {{d12, d13}}, d16",
        "vtbl.8 d3, {{d12, d13}}, d17",
        "veor q0, q0, q3",
        "vtbl.8 d6, {{d14, d15}}, d4",
        "vtbl.8 d7, {{d14, d15}}, d5",
        "veor q1, q1, q3",
        "vld1.64 {{d6, d7}}, [r12:128]!",
        "vtbl.8 d6, {{d2, d3}}, d6",
        "vtbl.8 d7, {{d2, d3}}, d7",
        "vtbl.8 d2, {{d18, d19}}, d16",
        "vtbl.8 d3, {{d18, d19}}, d17",
        "veor q0, q0, q3",
        "vtbl.8 d6, {{d20, d21}}, d4",
        "vtbl.8 d7, {{d20, d21}}, d5",
        "veor q1, q1, q3",
        "vld1.64 {{d6, d7}}, [r12:128]!",
        "vtbl.8 d16, {{d22, d23}}, d16",
        "vtbl.8 d17, {{d22, d23}}, d17",
        "vtbl.8 d4, {{d24, d25}}, d4",
        "vtbl.8 d5, {{d24, d25}}, d5",
        "vtbl.8 d6, {{d2, d3}}, d6",
        "vtbl.8 d7, {{d2, d3}}, d7",
        "vld1.64 {{d2, d3}}, [r12:128]!",
        "veor q2, q2, q8",
        "veor q0, q0, q3",
        "vtbl.8 d2, {{d4, d5}}, d2",
        "vtbl.8 d3, {{d4, d5}}, d3",
        "cmp r12, r4",
        "it eq",
        "subeq r12, r12, #192",
        "subs r1, r1, #1",
        "veor q0, q0, q1",
        "bne 2b",
        invert_bytes!(),
        "sub r1, r4, r12",
        "add r12, r5, #{inv_output}",
        "add r2, r5, #{unshift}",
        "cmp r1, #192",
        "it ne",
        "addne r2, r2, #32",
        last_round!("r2"),
        "vst1.8 {{d0, d1}}, [r3]",
        "vpop {{d8-d15}}",
        "pop {{r4, r5}}",
        "bx lr",
        inv_input = const offset_of!(Tables, inv_input),
        inv_output = const offset_of!(Tables, inv_output),
        unshift = const offset_of!(Tables, unshift),
    );
}

/// Every word of q4 plus all those before it, the constants at r4 and SubWord of the word that q0 has in every column; by
/// q10, which is zero, and the tables of the S-box in q11 and q12.
macro_rules! next_words {
    ($constants:literal) => {
        concat!(
            invert_bytes!(),
            "
             vext.8 q3, q10, q4, #12
             vtbl.8 d0, {{d22, d23}}, d16
             vtbl.8 d1, {{d22, d23}}, d17
             veor q4, q4, q3
             vtbl.8 d2, {{d24, d25}}, d4
             vtbl.8 d3, {{d24, d25}}, d5
             vext.8 q3, q10, q4, #8
             vld1.64 {{d16, d17}}, [",
            $constants,
            "
             veor q4, q4, q3
             veor q0, q0, q1
             veor q4, q4, q8
             veor q4, q4, q0"
        )
    };
}

/// Stores the round key in q0 at r2, in the order of bytes of the round whose table is at r5 and r6 bytes from there; by q9,
/// the constant of the S-box.
macro_rules! put_key {
    () => {
        "add r12, r5, r6
         vld1.64 {{d2, d3}}, [r12:128]
         add r6, r6, #16
         vtbl.8 d4, {{d0, d1}}, d2
         vtbl.8 d5, {{d0, d1}}, d3
         and r6, r6, #48
         veor q2, q2, q9
         vst1.64 {{d4, d5}}, [r2:128]!"
    };
}

/// KeyExpansion (FIPS 197, algorithm 2) of a key of 16, 24 or 32 bytes, for which `n` is 9, 11 or 13.
///
/// # Safety
///
/// The CPU has NEON; `n` is 9, 11 or 13. At `key`, at any address, 16, 24 or 32 bytes can be read accordingly.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn expand(
    key: *const u8,
    n: usize,
    keys: &mut [Aligned; 15],
    tables: &Tables,
    key_tables: &KeyTables,
) {
    naked_asm!(
        ".fpu neon",
        "ldr r12, [sp]",
        "push {{r4-r7}}",
        "vpush {{d8-d15}}",
        "mov r7, r12",
        "vld1.64 {{d30, d31}}, [r3:128]!",
        "vld1.64 {{d26-d29}}, [r3:128]!",
        "vld1.64 {{d22-d25}}, [r3:128]!",
        // The first four words in q4, the last four in q7.
        "vld1.8 {{d0, d1}}, [r0]",
        map_bytes!(),
        "vmov q4, q0",
        "sub r4, r1, #9",
        "add r0, r0, r4, lsl #2",
        "vld1.8 {{d0, d1}}, [r0]",
        map_bytes!(),
        "vmov q7, q0",
        "vst1.64 {{d8, d9}}, [r2:128]!",
        "vld1.64 {{d22-d25}}, [r3:128]",
        "vmov.i8 q10, #0",
        // The last word in every column, as it is in q6 and rotated in q5.
        "add r4, r7, #{last_word}",
        "vld1.64 {{d12, d13}}, [r4:128]!",
        "vld1.64 {{d10, d11}}, [r4:128]",
        "add r4, r7, #{rcon}",
        "vld1.64 {{d18, d19}}, [r4:128]!",
        "add r5, r7, #{shift}",
        "mov r6, #16",
        "cmp r1, #11",
        "beq 3f",
        "bgt 4f",
        // AES-128: the next four words after four.
        "2:",
        "vtbl.8 d0, {{d8, d9}}, d10",
        "vtbl.8 d1, {{d8, d9}}, d11",
        next_words!("r4:128]!"),
        "subs r1, r1, #1",
        "bmi 5f",
        "vmov q0, q4",
        put_key!(),
        "b 2b",
        // AES-192: the next six words after six, of which the last two are in d15.
        "3:",
        "vmov d12, d15",
        "vtbl.8 d0, {{d14, d15}}, d10",
        "vtbl.8 d1, {{d14, d15}}, d11",
        next_words!("r4:128]!"),
        "vshl.i64 d2, d15, #32",
        "vdup.32 d3, d9[1]",
        "veor d15, d15, d2",
        "vmov d0, d12",
        "veor d15, d15, d3",
        "vmov d1, d8",
        put_key!(),
        "vmov d0, d9",
        "vmov d1, d15",
        put_key!(),
        "vtbl.8 d0, {{d14, d15}}, d10",
        "vtbl.8 d1, {{d14, d15}}, d11",
        next_words!("r4:128]!"),
        "subs r1, r1, #3",
        "bmi 5f",
        "vshl.i64 d2, d15, #32",
        "vdup.32 d3, d9[1]",
        "veor d15, d15, d2",
        "vmov q0, q4",
        "veor d15, d15, d3",
        put_key!(),
        "b 3b",
        // AES-256: the next eight words after eight.
        "4:",
        "vmov q0, q7",
        put_key!(),
        "vtbl.8 d0, {{d14, d15}}, d10",
        "vtbl.8 d1, {{d14, d15}}, d11",
        next_words!("r4:128]!"),
        "subs r1, r1, #2",
        "bmi 5f",
        "vmov q0, q4",
        put_key!(),
        "vtbl.8 d0, {{d8, d9}}, d12",
        "vtbl.8 d1, {{d8, d9}}, d13",
        "vswp q4, q7",
        "add r12, r7, #{rcon}",
        next_words!("r12:128]"),
        "vswp q4, q7",
        "b 4b",
        // The last round key.
        "5:",
        "vmov q0, q4",
        "add r7, r7, #{constant_bytes}",
        "vld1.64 {{d18, d19}}, [r7:128]!",
        "vld1.64 {{d22-d25}}, [r7:128]",
        map_bytes!(),
        "veor q0, q0, q9",
        "vst1.64 {{d0, d1}}, [r2:128]",
        "vpop {{d8-d15}}",
        "pop {{r4-r7}}",
        "bx lr",
        last_word = const offset_of!(KeyTables, last_word),
        rcon = const offset_of!(KeyTables, rcon),
        shift = const offset_of!(KeyTables, shift),
        constant_bytes = const offset_of!(KeyTables, constant_bytes),
    );
}

/// Makes round keys for decryption of those for encryption.
///
/// # Safety
///
/// The CPU has NEON; `n` is 9, 11 or 13.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn invert(
    from: &[Aligned; 15],
    to: &mut [Aligned; 15],
    n: usize,
    key_tables: &KeyTables,
    tables: &Tables,
) {
    naked_asm!(
        ".fpu neon",
        "ldr r12, [sp]",
        "push {{r4, r5}}",
        "vpush {{d8-d15}}",
        "vmov.i8 q15, #0x0f",
        // The last and the first round key.
        "add r12, r12, #{inv_input}",
        "vld1.64 {{d22-d25}}, [r12:128]",
        "add r4, r2, #1",
        "add r12, r0, r4, lsl #4",
        "vld1.64 {{d0, d1}}, [r12:128]",
        map_bytes!(),
        "add r12, r1, r4, lsl #4",
        "vst1.64 {{d0, d1}}, [r12:128]",
        "add r12, r3, #{output}",
        "vld1.64 {{d22-d25}}, [r12:128]",
        "vld1.64 {{d0, d1}}, [r0:128]!",
        map_bytes!(),
        "vst1.64 {{d0, d1}}, [r1:128]!",
        "add r12, r3, #{inv_mix}",
        "vld1.64 {{d8-d11}}, [r12:128]!",
        "vld1.64 {{d12-d15}}, [r12:128]!",
        "vld1.64 {{d18-d21}}, [r12:128]!",
        "vld1.64 {{d22-d25}}, [r12:128]",
        // Shuffles: four for every round modulo 4, twice, where the second are for other numbers of rounds than 12.
        "add r4, r3, #{inv_mix_columns}",
        "cmp r2, #11",
        "it ne",
        "addne r4, r4, #64",
        "add r5, r4, #512",
        "add r12, r4, #128",
        "2:",
        "vld1.64 {{d6, d7}}, [r0:128]!",
        "vand q0, q3, q15",
        "vshr.u8 q1, q3, #4",
        "vld1.64 {{d26-d29}}, [r12:128]!",
        "vtbl.8 d4, {{d8, d9}}, d0",
        "vtbl.8 d5, {{d8, d9}}, d1",
        "vtbl.8 d6, {{d10, d11}}, d2",
        "vtbl.8 d7, {{d10, d11}}, d3",
        "veor q2, q2, q3",
        "vtbl.8 d6, {{d12, d13}}, d0",
        "vtbl.8 d7, {{d12, d13}}, d1",
        "vtbl.8 d16, {{d4, d5}}, d26",
        "vtbl.8 d17, {{d4, d5}}, d27",
        "vtbl.8 d4, {{d14, d15}}, d2",
        "vtbl.8 d5, {{d14, d15}}, d3",
        "veor q2, q2, q3",
        "vtbl.8 d6, {{d4, d5}}, d28",
        "vtbl.8 d7, {{d4, d5}}, d29",
        "vld1.64 {{d26-d29}}, [r12:128]",
        "vtbl.8 d4, {{d18, d19}}, d0",
        "vtbl.8 d5, {{d18, d19}}, d1",
        "veor q8, q8, q3",
        "vtbl.8 d6, {{d20, d21}}, d2",
        "vtbl.8 d7, {{d20, d21}}, d3",
        "veor q2, q2, q3",
        "vtbl.8 d0, {{d22, d23}}, d0",
        "vtbl.8 d1, {{d22, d23}}, d1",
        "vtbl.8 d2, {{d24, d25}}, d2",
        "vtbl.8 d3, {{d24, d25}}, d3",
        "vtbl.8 d6, {{d4, d5}}, d26",
        "vtbl.8 d7, {{d4, d5}}, d27",
        "veor q0, q0, q1",
        "veor q8, q8, q3",
        "add r12, r12, #96",
        "vtbl.8 d2, {{d0, d1}}, d28",
        "vtbl.8 d3, {{d0, d1}}, d29",
        "cmp r12, r5",
        "it eq",
        "moveq r12, r4",
        "veor q8, q8, q1",
        "subs r2, r2, #1",
        "vst1.64 {{d16, d17}}, [r1:128]!",
        "bne 2b",
        "vpop {{d8-d15}}",
        "pop {{r4, r5}}",
        "bx lr",
        output = const offset_of!(KeyTables, output),
        inv_input = const offset_of!(Tables, inv_input),
        inv_mix = const offset_of!(KeyTables, inv_mix),
        inv_mix_columns = const offset_of!(KeyTables, inv_mix_columns),
    );
}
