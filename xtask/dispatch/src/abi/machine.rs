//! For each architecture: [`REGISTERS`], the words of the callee-saved registers; [`call`], which loads all of them from
//! `values`, calls, stores them to `values` and gives its own caller back what was there; [`zero`], which keeps none.

use core::ffi::c_void;

pub(super) use this::{REGISTERS, call, zero};

/// What is called: `data` is its own affair.
pub(super) type Callee = unsafe extern "C" fn(data: *mut c_void);

#[cfg(target_arch = "x86_64")]
mod this {
    use core::arch::naked_asm;

    use super::{Callee, c_void};

    /// Lines for Windows alone, where more is callee-saved.
    #[cfg(windows)]
    macro_rules! windows {
        ($lines:literal) => {
            $lines
        };
    }
    #[cfg(not(windows))]
    macro_rules! windows {
        ($lines:literal) => {
            ""
        };
    }

    #[cfg(not(windows))]
    pub(crate) const REGISTERS: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];
    #[cfg(windows)]
    #[rustfmt::skip]
    pub(crate) const REGISTERS: [&str; 28] = [
        "rbx", "rbp", "r12", "r13", "r14", "r15", "rsi", "rdi",
        "xmm6", "xmm6", "xmm7", "xmm7", "xmm8", "xmm8", "xmm9", "xmm9",
        "xmm10", "xmm10", "xmm11", "xmm11", "xmm12", "xmm12", "xmm13", "xmm13",
        "xmm14", "xmm14", "xmm15", "xmm15",
    ];

    /// Called by other systems' rules on Windows too, so that the compiler saves what is callee-saved on Windows alone.
    #[unsafe(naked)]
    pub(crate) unsafe extern "sysv64" fn call(
        callee: Callee,
        data: *mut c_void,
        values: *mut usize,
    ) {
        naked_asm!(
            ".irp r, rbx, rbp, r12, r13, r14, r15, rdx\n push \\r\n .endr",
            // Windows' callee may write 32 bytes here.
            "sub rsp, 32",
            "mov rax, rdi",
            "mov rdi, rsi",
            windows!("mov rcx, rsi"),
            "mov rbx, [rdx]",
            "mov rbp, [rdx + 8]",
            ".irp i, 12, 13, 14, 15\n mov r\\i, [rdx + 8 * \\i - 80]\n .endr",
            windows!("mov rsi, [rdx + 48]\n mov rdi, [rdx + 56]"),
            windows!(
                ".irp i, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n movups xmm\\i, [rdx + 16 * \\i - 32]\n .endr"
            ),
            "call rax",
            "add rsp, 32",
            "pop rdx",
            "mov [rdx], rbx",
            "mov [rdx + 8], rbp",
            ".irp i, 12, 13, 14, 15\n mov [rdx + 8 * \\i - 80], r\\i\n .endr",
            windows!("mov [rdx + 48], rsi\n mov [rdx + 56], rdi"),
            windows!(
                ".irp i, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n movups [rdx + 16 * \\i - 32], xmm\\i\n .endr"
            ),
            ".irp r, r15, r14, r13, r12, rbp, rbx\n pop \\r\n .endr",
            "ret",
        )
    }

    #[unsafe(naked)]
    pub(crate) unsafe extern "C" fn zero(_: *mut c_void) {
        naked_asm!(
            ".irp r, rbx, rbp, r12, r13, r14, r15\n xor \\r, \\r\n .endr",
            windows!("xor esi, esi\n xor edi, edi"),
            windows!(".irp i, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n xorps xmm\\i, xmm\\i\n .endr"),
            "ret",
        )
    }
}

#[cfg(target_arch = "aarch64")]
mod this {
    use core::arch::naked_asm;

    use super::{Callee, c_void};

    /// Of the vector registers only the lower halves are callee-saved.
    #[rustfmt::skip]
    pub(crate) const REGISTERS: [&str; 18] = [
        "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
        "d8", "d9", "d10", "d11", "d12", "d13", "d14", "d15",
    ];

    /// Loads or stores all of them.
    #[rustfmt::skip]
    macro_rules! all {
        ($instruction:literal, $base:literal) => {
            concat!(
                ".irp i, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28\n",
                $instruction, " x\\i, [", $base, ", #8 * \\i - 152]\n .endr\n",
                ".irp i, 8, 9, 10, 11, 12, 13, 14, 15\n",
                $instruction, " d\\i, [", $base, ", #8 * \\i + 16]\n .endr",
            )
        };
    }

    #[unsafe(naked)]
    pub(crate) unsafe extern "C" fn call(callee: Callee, data: *mut c_void, values: *mut usize) {
        naked_asm!(
            "stp x29, x30, [sp, #-176]!",
            "mov x29, sp",
            "str x2, [sp, #16]",
            "add x9, sp, #32",
            all!("str", "x9"),
            "mov x3, x0",
            "mov x0, x1",
            all!("ldr", "x2"),
            "blr x3",
            "ldr x2, [sp, #16]",
            all!("str", "x2"),
            "add x9, sp, #32",
            all!("ldr", "x9"),
            "ldp x29, x30, [sp], #176",
            "ret",
        )
    }

    #[unsafe(naked)]
    pub(crate) unsafe extern "C" fn zero(_: *mut c_void) {
        naked_asm!(
            ".irp i, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28\n mov x\\i, #0\n .endr",
            ".irp i, 8, 9, 10, 11, 12, 13, 14, 15\n movi d\\i, #0\n .endr",
            "ret",
        )
    }
}

/// In Arm and Thumb mode alike. Systems that pass floating-point numbers in registers have these registers.
#[cfg(all(target_arch = "arm", target_abi = "eabihf"))]
mod this {
    use core::arch::naked_asm;

    use super::{Callee, c_void};

    /// s16 to s31 are the halves of d8 to d15.
    #[rustfmt::skip]
    pub(crate) const REGISTERS: [&str; 24] = [
        "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11",
        "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23",
        "s24", "s25", "s26", "s27", "s28", "s29", "s30", "s31",
    ];

    #[unsafe(naked)]
    pub(crate) unsafe extern "C" fn call(callee: Callee, data: *mut c_void, values: *mut usize) {
        naked_asm!(
            "push {{r2, r4-r11, lr}}",
            "vpush {{d8-d15}}",
            "mov r12, r0",
            "mov r0, r1",
            "ldmia r2!, {{r4-r11}}",
            "vldmia r2, {{d8-d15}}",
            "blx r12",
            "ldr r2, [sp, #64]",
            "stmia r2!, {{r4-r11}}",
            "vstmia r2, {{d8-d15}}",
            "vpop {{d8-d15}}",
            "pop {{r2, r4-r11, pc}}",
        )
    }

    #[unsafe(naked)]
    pub(crate) unsafe extern "C" fn zero(_: *mut c_void) {
        naked_asm!(
            ".irp i, 4, 5, 6, 7, 8, 9, 10, 11\n mov r\\i, #0\n .endr",
            ".irp i, 8, 9, 10, 11, 12, 13, 14, 15\n vmov d\\i, r4, r4\n .endr",
            "bx lr",
        )
    }
}

/// Where no assembly of ours has an instruction, there is nothing to check.
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "arm", target_abi = "eabihf")
)))]
mod this {
    use super::{Callee, c_void};

    pub(crate) const REGISTERS: [&str; 0] = [];

    pub(crate) unsafe fn call(callee: Callee, data: *mut c_void, _: *mut usize) {
        // SAFETY: the caller knows that the call is right.
        unsafe { callee(data) }
    }

    pub(crate) unsafe extern "C" fn zero(_: *mut c_void) {}
}
