//! What the crates make public although it was made from a secret: all of it, each with its reason.
//!
//! An instrument's complaint is put down to an entry only if it is about one of the statements named here, or about the
//! function. Statements are found by their text, so that one which changes is looked at again.

/// Something that becomes public.
#[derive(Debug)]
struct Declassified {
    name: &'static str,
    reason: &'static str,
    /// The source file, from the root of the workspace.
    file: &'static str,
    place: Place,
}

/// Where it becomes public.
#[derive(Debug)]
enum Place {
    /// The lines that are one of these, but for blanks around.
    Lines(&'static [&'static str]),
    /// All that this function does itself or calls directly.
    Function(&'static str),
}

const DECLASSIFIED: &[Declassified] = &[
    Declassified {
        name: "Poly1305 verdict",
        reason: "whether a tag is right is the result of its verification",
        file: "crates/poly1305-simd/src/lib.rs",
        place: Place::Lines(&["if core::hint::black_box(difference) == 0 {"]),
    },
    Declassified {
        name: "AEAD verdict",
        reason: "whether a message is authentic is the result of opening it; nothing is decrypted before",
        file: "crates/aead-chacha-poly/src/message.rs",
        place: Place::Lines(&[
            "let verified = check(&finish(mac), tag);",
            "if verified.is_ok() {",
            "if core::hint::black_box(difference) == 0 {",
        ]),
    },
    Declassified {
        name: "AEAD verdict",
        reason: "whether a message is authentic is the result of opening it; nothing is decrypted before",
        file: "crates/aead-chacha-poly/src/backends/avx2.rs",
        place: Place::Lines(&["check(&tag, expected)?;"]),
    },
    Declassified {
        name: "AEAD verdict",
        reason: "whether a message is authentic is the result of opening it; nothing is decrypted before",
        file: "crates/aead-chacha-poly/src/backends/avx512ifma.rs",
        place: Place::Lines(&["check(&tag, expected)?;"]),
    },
    Declassified {
        name: "KMAC verdict",
        reason: "whether a tag is right is the result of its verification",
        file: "crates/keccak-unrolled/src/kmac.rs",
        place: Place::Lines(&["if core::hint::black_box(difference) == 0 && !tag.is_empty() {"]),
    },
    Declassified {
        name: "matrix",
        reason: "rho is part of the encapsulation key, and the matrix is made from it by rejection (FIPS 203, algorithm 7)",
        file: "crates/kyber/src/k_pke.rs",
        place: Place::Function("sample_matrix"),
    },
    Declassified {
        name: "matrix",
        reason: "rho is part of the encapsulation key, and the matrix is made from it by rejection (FIPS 203, algorithm 7)",
        file: "crates/kyber/src/k_pke.rs",
        place: Place::Function("sample_entry"),
    },
    Declassified {
        name: "matrix",
        reason: "rho is part of the encapsulation key, and the matrix is made from it by rejection (FIPS 203, algorithm 7)",
        file: "crates/kyber/src/k_pke.rs",
        place: Place::Function("sample_matrix_in_parallel"),
    },
    Declassified {
        name: "matrix",
        reason: "rho is part of the encapsulation key, and the matrix is made from it by rejection (FIPS 203, algorithm 7)",
        file: "crates/kyber/src/k_pke.rs",
        place: Place::Function("squeeze"),
    },
    Declassified {
        name: "TLS verdict",
        reason: "whether a record is accepted is the result of opening it, one bit for whatever is wrong",
        file: "crates/aes-cbc-hmac/src/tls/record.rs",
        place: Place::Lines(&["if len.is_none() {"]),
    },
    Declassified {
        name: "TLS verdict",
        reason: "whether a record is accepted is the result of opening it, one bit for whatever is wrong",
        file: "crates/aes-cbc-hmac/src/tls/mte.rs",
        place: Place::Lines(&[
            "(padding.valid & authentic & short_enough)",
            ".declassify()",
            ".then_some(len as usize)",
        ]),
    },
    Declassified {
        name: "TLS verdict, encrypt-then-MAC",
        reason: "the MAC is checked before anything is decrypted (RFC 7366), the padding is the key owner's",
        file: "crates/aes-cbc-hmac/src/tls/etm.rs",
        place: Place::Lines(&[
            "if !ct::eq(tag, mac.truncated(S::MAC_SIZE)).declassify() {",
            "accepted.declassify().then_some(len as usize)",
        ]),
    },
    Declassified {
        name: "TLS verdict",
        reason: "whether a record is accepted is the result of opening it, one bit for whatever is wrong",
        file: "crates/aes-cbc-hmac/src/tls.rs",
        place: Place::Lines(&[
            "let len = open_in_place::<S, O>(&self.keys, RecordIv::Explicit(iv), aad, record)?;",
            "let len = open_in_place::<S, O>(&self.keys, RecordIv::Chained(&self.iv), aad, record)?;",
        ]),
    },
    Declassified {
        name: "length of accepted TLS content",
        reason: "what was accepted is the caller's, and so is its length",
        file: "crates/aes-cbc-hmac/src/tls.rs",
        place: Place::Lines(&["Ok(&mut record[..len])"]),
    },
    Declassified {
        name: "JOSE verdict",
        reason: "the tag is checked before anything is decrypted (RFC 7518, section 5.2.2.2), the padding is the key owner's",
        file: "crates/aes-cbc-hmac/src/jose.rs",
        place: Place::Lines(&[
            "if !ct::eq(tag, mac.truncated(A::TagSize::USIZE)).declassify() {",
            "if !padding.valid.declassify() {",
        ]),
    },
];

/// Prints one line for each statement or function: name, reason, file, `line` or `function`, text; tabs between.
pub(crate) fn print() {
    for entry in DECLASSIFIED {
        let line = |kind: &str, text: &str| {
            println!(
                "{}\t{}\t{}\t{kind}\t{text}",
                entry.name, entry.reason, entry.file
            );
        };
        match entry.place {
            Place::Lines(texts) => texts.iter().for_each(|text| line("line", text)),
            Place::Function(name) => line("function", name),
        }
    }
}
