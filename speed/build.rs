//! Passes on what a report names: the compiler, the target, and the versions that were compiled in.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Packages whose versions a report lists, and the feature that compiles each in.
const LISTED: [(&str, &str); 18] = [
    ("aead-chacha-poly", ""),
    ("aes", ""),
    ("aes-vpaes", ""),
    ("aws-lc-rs", "AWS_LC_RS"),
    ("aws-lc-sys", "AWS_LC_RS"),
    ("boring-sys", "BORING"),
    ("cbc", ""),
    ("chacha20", ""),
    ("chacha20-simd", ""),
    ("chacha20poly1305", ""),
    ("ctr", ""),
    ("graviola", "GRAVIOLA"),
    ("libcrux-chacha20poly1305", "LIBCRUX"),
    ("libcrux-poly1305", "LIBCRUX"),
    ("openssl-src", "OPENSSL"),
    ("poly1305", ""),
    ("poly1305-simd", ""),
    ("ring", "RING"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // RustCrypto's own flags for its portable code: seen here as everywhere else when they are in RUSTFLAGS.
    for flag in ["aes_backend", "chacha20_backend", "poly1305_backend"] {
        println!(
            "cargo::rustc-check-cfg=cfg({flag}, values(\"soft\", \"sse2\", \"avx2\", \"avx512\"))"
        );
    }
    let rustc = env::var_os("RUSTC").expect("cargo sets RUSTC");
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_default();
    println!("cargo::rustc-env=SPEED_RUSTC={}", version.trim());
    println!(
        "cargo::rustc-env=SPEED_TARGET={}",
        env::var("TARGET").unwrap_or_default()
    );
    println!("cargo::rustc-env=SPEED_VERSIONS={}", versions().join(";"));
}

/// `name version` of every listed package in the lock file.
fn versions() -> Vec<String> {
    let Some(lock) = lock_file() else {
        return Vec::new();
    };
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(lock).unwrap_or_default();
    let value = |line: &str, key: &str| {
        line.strip_prefix(key)
            .and_then(|rest| rest.strip_prefix(" = "))
            .map(|rest| rest.trim_matches('"').to_owned())
    };
    let mut found = Vec::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(value) = value(line, "name") {
            name = value;
        } else if let Some(value) = value(line, "version")
            && LISTED
                .iter()
                .any(|&(listed, feature)| listed == name && compiled_in(feature))
        {
            found.push(format!("{name} {value}"));
        }
    }
    found
}

fn compiled_in(feature: &str) -> bool {
    feature.is_empty() || env::var_os(format!("CARGO_FEATURE_{feature}")).is_some()
}

fn lock_file() -> Option<PathBuf> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR")?;
    Path::new(&manifest)
        .ancestors()
        .map(|folder| folder.join("Cargo.lock"))
        .find(|path| path.is_file())
}
