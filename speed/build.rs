//! Passes on what a report names: the compiler, the target, and the versions that were compiled in.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Packages whose versions a report lists, and the feature that compiles each in.
const LISTED: [(&str, &str); 35] = [
    ("aead-chacha-poly", ""),
    ("aes", ""),
    ("aes-cbc-hmac", ""),
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
    ("hmac", ""),
    ("k12", ""),
    ("kangarootwelve", "KANGAROOTWELVE"),
    ("keccak", ""),
    ("keccak-unrolled", ""),
    ("kyber", ""),
    ("libcrux-chacha20poly1305", "LIBCRUX"),
    ("libcrux-ml-kem", "LIBCRUX"),
    ("libcrux-poly1305", "LIBCRUX"),
    ("libcrux-sha3", "LIBCRUX"),
    ("ml-kem", ""),
    ("openssl-src", "OPENSSL"),
    ("poly1305", ""),
    ("poly1305-simd", ""),
    ("ring", "RING"),
    ("sha1", ""),
    ("sha2", ""),
    ("sha3", ""),
    ("sha3-asm", "SHA3_ASM"),
    ("shake", ""),
    ("tiny-keccak", "TINY_KECCAK"),
    ("turboshake", ""),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // RustCrypto's own flags for its portable code: seen here as everywhere else when they are in RUSTFLAGS.
    for flag in [
        "aes_backend",
        "chacha20_backend",
        "keccak_backend",
        "poly1305_backend",
        "sha1_backend",
        "sha2_backend",
    ] {
        println!("cargo::rustc-check-cfg=cfg({flag}, values(any()))");
    }
    println!("cargo::rustc-check-cfg=cfg(getrandom_backend, values(any()))");
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
    let versions = versions();
    println!("cargo::rustc-env=SPEED_VERSIONS={}", versions.join(";"));
    // AWS-LC puts the version of its bindings before each of its symbols.
    if let Some(version) = versions
        .iter()
        .find_map(|listed| listed.strip_prefix("aws-lc-sys "))
    {
        let version = version.replace('.', "_");
        println!("cargo::rustc-env=SPEED_AWS_LC_PREFIX=aws_lc_{version}_");
    }
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
            // Of two versions the later is the workspace's, the other a dependency of a peer's.
            let earlier = format!("{name} ");
            found.retain(|listed: &String| !listed.starts_with(&earlier));
            found.push(earlier + &value);
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
