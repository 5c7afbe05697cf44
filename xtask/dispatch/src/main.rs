//! Prints which back end every crate chooses on this CPU, and all that it could choose: `CRATE soft,*soft32`; and whether
//! `neon-detect` finds NEON. Before that it runs all of them and checks that they keep the registers which belong to their
//! caller.
//!
//! `cargo xtask test --all` runs it on every CPU model and compares what it prints with `xtask/cross/dispatch.txt`.

mod abi;

use std::process::ExitCode;

/// Prints one line a crate; the names are those of the crates.
macro_rules! print_back_ends {
    ($($name:ident)*) => {
        $({
            use $name::Backend;
            let mut separator = "";
            print!("{} ", stringify!($name).replace('_', "-"));
            for backend in Backend::available() {
                let mark = if backend == Backend::detect() { "*" } else { "" };
                print!("{separator}{mark}{backend}");
                separator = ",";
            }
            println!();
        })*
    };
}

fn main() -> ExitCode {
    let faults = abi::faults();
    if !faults.is_empty() {
        eprintln!("{}", faults.join("\n"));
        return ExitCode::FAILURE;
    }
    print_back_ends! {
        aead_chacha_poly
        aes_cbc_hmac
        aes_vpaes
        chacha20_simd
        keccak_unrolled
        kyber
        poly1305_simd
    }
    let neon = if neon_detect::available() {
        "yes"
    } else {
        "no"
    };
    println!("neon-detect {neon}");
    ExitCode::SUCCESS
}
