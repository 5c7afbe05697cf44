//! The program as a user runs it.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

fn speed(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_speed"))
        .args(args)
        .output()
        .expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is UTF-8")
}

/// Runs a command that must be refused, and returns what it says.
fn refused(args: &[&str]) -> String {
    let output = speed(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stderr).expect("the message is UTF-8")
}

fn path(folder: &Path, name: &str) -> String {
    folder
        .join(name)
        .to_str()
        .expect("the path is UTF-8")
        .to_owned()
}

#[test]
fn one_operation_with_json_and_chart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (json, svg) = (
        path(folder.path(), "speed.json"),
        path(folder.path(), "speed.svg"),
    );
    let output = speed(&[
        "chacha20-poly1305 (64 bytes) seal",
        "--backend",
        "soft",
        "--vs",
        "rustcrypto",
        "--time",
        "1",
        "--json",
        &json,
        "--plot",
        &svg,
    ]);
    assert!(output.status.success(), "{output:?}");

    // The filter matches XChaCha20-Poly1305 too.
    let stdout = stdout(&output);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{stdout}");
    for (line, name) in lines
        .iter()
        .zip(["ChaCha20", "ChaCha20", "XChaCha20", "XChaCha20"])
    {
        // As bssl's lines begin.
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[0], "Did", "{line}");
        assert!(
            words[1].parse::<u64>().is_ok_and(|count| count > 0),
            "{line}"
        );
        let rest = words[2..].join(" ");
        assert!(
            rest.starts_with(&format!("{name}-Poly1305 (64 bytes) seal operations in ")),
            "{line}"
        );
        let time = rest
            .split("operations in ")
            .nth(1)
            .and_then(|rest| rest.split("us (").next());
        assert!(
            time.is_some_and(|time| time.parse::<u64>().is_ok()),
            "{line}"
        );
        assert!(
            rest.contains(" ops/sec): ") && rest.contains(" MB/s ["),
            "{line}"
        );
    }
    assert!(lines[0].contains("[ours soft"), "{stdout}");
    assert!(
        lines[1].contains("[rustcrypto") && lines[1].contains(" x"),
        "{stdout}"
    );

    let text = fs::read_to_string(json).expect("the JSON file was written");
    let report: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(report["time_ms"], 1);
    let found = report["measurements"].as_array().expect("a list");
    assert_eq!(found.len(), 4);
    for (i, entry) in found.iter().enumerate() {
        assert_eq!(entry["bytes"], 64);
        assert_eq!(entry["action"], "seal");
        assert!(entry["ns_min"].as_f64() <= entry["ns_median"].as_f64());
        let peer = i % 2 == 1;
        assert_eq!(
            entry["implementation"],
            if peer { "rustcrypto" } else { "ours" }
        );
        let ratios = entry["ratio"].as_object().map(serde_json::Map::len);
        assert_eq!(ratios, peer.then_some(1), "{entry}");
    }

    let chart = fs::read_to_string(svg).expect("the chart was written");
    assert!(
        chart.starts_with("<svg") && chart.contains("Speed on ") && chart.contains("ours soft")
    );
}

#[test]
fn every_operation_is_listed_with_right_outputs() {
    let listed = stdout(&speed(&["--list", "--vs", "all"]));
    for operation in [
        "AES-128 encrypt setup",
        "AES-192 decrypt setup",
        "AES-256 encrypt",
        "AES-128 decrypt",
        "AES-128-CTR (16 bytes) encrypt",
        "AES-192-CBC (1350 bytes) encrypt",
        "AES-256-CBC (16384 bytes) decrypt",
        "ChaCha20-Poly1305 (16 bytes) seal",
        "ChaCha20-Poly1305 (16384 bytes) open",
        "ChaCha20-Poly1305 (1048576 bytes) setup + seal",
        "XChaCha20-Poly1305 (1350 bytes) seal",
        "ChaCha20 (64 bytes) encrypt",
        "Poly1305 (8192 bytes)",
        "AES-128-CBC-SHA1 (16 bytes) seal",
        "AES-256-CBC-SHA1 (16384 bytes) open",
        "AES-128-CBC-SHA256 (1350 bytes) seal",
        "AES-256-CBC-SHA256 (8192 bytes) seal",
        "Keccak-f1600",
        "Keccak-f1600 x2",
        "Keccak-f1600 x4",
        "Keccak-f1600 x8",
        "SHA3-256 (64 bytes)",
        "SHA3-256 (2048 bytes) 64 messages",
        "SHAKE128 (1350 bytes)",
        "TurboSHAKE128 (16384 bytes)",
        "KT128 (1048576 bytes)",
        "ML-KEM-512 keygen",
        "ML-KEM-768 encaps",
        "ML-KEM-768 decaps",
        "ML-KEM-768 generate + decap",
        "ML-KEM-1024 parse + encap",
    ] {
        let line = listed
            .lines()
            .find(|line| line.starts_with(&format!("{operation} [")));
        let line = line.unwrap_or_else(|| panic!("{operation} is missing in\n{listed}"));
        assert!(
            line.contains("ours soft") && line.contains("rustcrypto"),
            "{line}"
        );
    }
    // Nobody but us has Kyber always built in, and it is checked all the same.
    assert!(
        listed
            .lines()
            .any(|line| line.starts_with("Kyber768 generate + decap [ours soft")),
        "{listed}"
    );
    // Three keys of 4 + 3 x 5 operations, five of AEADs and two of primitives at seven lengths.
    let earlier = 3 * 19 + 7 * 7;
    // Six kinds of records at five lengths, four permutations, three functions at three lengths and one at four, two ways
    // to hash messages of two lengths, four parameter sets with five operations.
    let later = 6 * 5 + 4 + 3 * 3 + 4 + 2 * 2 + 4 * 5;
    assert_eq!(listed.lines().count(), earlier + later);
}

#[test]
fn key_encapsulation_has_no_throughput() {
    let output = speed(&[
        "ml-kem-512 decaps",
        "kyber768 keygen",
        "--backend=soft",
        "--vs=rustcrypto",
        "--time=1",
    ]);
    assert!(output.status.success(), "{output:?}");
    let stdout = stdout(&output);
    let lines: Vec<&str> = stdout.lines().collect();
    let [ours, rustcrypto, kyber] = lines[..] else {
        panic!("three measurements were asked for:\n{stdout}")
    };
    assert!(
        ours.contains(" ML-KEM-512 decaps operations in ")
            && ours.ends_with("ops/sec) [ours soft]"),
        "{ours}"
    );
    assert!(
        rustcrypto.contains("ops/sec) [rustcrypto") && rustcrypto.contains("] x"),
        "{rustcrypto}"
    );
    assert!(
        kyber.contains(" Kyber768 keygen operations in ") && kyber.ends_with("[ours soft]"),
        "{kyber}"
    );
}

#[test]
fn soft_selects_one_back_end() {
    let listed = stdout(&speed(&["--list", "--backend", "soft"]));
    assert!(listed.lines().count() > 0);
    assert!(
        listed.lines().all(|line| line.matches("ours").count() == 1),
        "{listed}"
    );
}

#[test]
fn help_has_examples() {
    let help = stdout(&speed(&["--help"]));
    assert!(
        help.contains("Examples:")
            && help.contains("cargo xtask speed --backend soft --vs rustcrypto")
            && help.contains("NOT constant-time")
    );
}

#[test]
fn unknown_back_end_is_refused() {
    let message = refused(&["--backend", "sfot"]);
    assert!(
        message.contains("unknown back end `sfot`") && message.contains("soft"),
        "{message}"
    );
}

#[test]
fn unknown_peer_is_refused() {
    let message = refused(&["--vs", "nobody"]);
    assert!(
        message.contains("nobody") && message.contains("rustcrypto"),
        "{message}"
    );
}

#[cfg(not(feature = "boring"))]
#[test]
fn peer_that_is_not_built_in_is_refused() {
    let message = refused(&["--vs", "boring"]);
    assert!(message.contains("--features boring"), "{message}");
    assert!(
        message.contains("cargo xtask speed --vs boring"),
        "{message}"
    );
}

#[test]
fn peer_without_comma_is_refused() {
    let message = refused(&["--vs", "rustcrypto", "ring", "aes"]);
    assert!(message.contains("`ring` is a peer"), "{message}");
}

#[test]
fn filter_without_match_is_refused() {
    let message = refused(&["rot13"]);
    assert!(
        message.contains("no operation matches `rot13`"),
        "{message}"
    );
}

#[test]
fn file_that_cannot_be_written_is_an_error() {
    let output = speed(&[
        "poly1305 (16 bytes)",
        "--backend=soft",
        "--time=1",
        "--json",
        "/no/such/folder/speed.json",
    ]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("speed.json"),
        "{output:?}"
    );
}
