//! The other implementations, one file a peer.

#[cfg(feature = "aws-lc-rs")]
mod aws_lc_rs;
#[cfg(feature = "boring")]
mod boring;
#[cfg(any(feature = "aws-lc-rs", feature = "boring"))]
mod bssl_family;
#[cfg(all(
    feature = "graviola",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod graviola;
#[cfg(feature = "kangarootwelve")]
mod kangarootwelve;
#[cfg(feature = "libcrux")]
mod libcrux;
#[cfg(feature = "libsodium")]
mod libsodium;
#[cfg(all(feature = "openssl", target_os = "linux"))]
mod openssl;
#[cfg(feature = "ring")]
mod ring;
#[cfg(any(feature = "aws-lc-rs", feature = "ring"))]
mod ring_family;
pub(crate) mod rustcrypto;
#[cfg(feature = "sha3-asm")]
mod sha3_asm;
#[cfg(feature = "tiny-keccak")]
mod tiny_keccak;

use clap::ValueEnum;

use crate::suite::Suite;

/// A peer's name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Peer {
    /// RustCrypto's crates; always built in
    #[value(name = "rustcrypto")]
    RustCrypto,
    /// BoringSSL
    Boring,
    /// AWS-LC
    AwsLcRs,
    /// OpenSSL
    #[value(name = "openssl")]
    OpenSsl,
    /// ring
    Ring,
    /// graviola
    Graviola,
    /// libcrux
    Libcrux,
    /// libsodium
    Libsodium,
    /// sha3-asm, OpenSSL's assembly of Keccak
    Sha3Asm,
    /// tiny-keccak
    TinyKeccak,
    /// The crate kangarootwelve
    #[value(name = "kangarootwelve")]
    KangarooTwelve,
    /// Every peer that is built in
    All,
}

/// How a peer enters its implementations.
type Enter = fn(&mut Suite);

impl Peer {
    /// The name, which is the cargo feature's too.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::RustCrypto => "rustcrypto",
            Self::Boring => "boring",
            Self::AwsLcRs => "aws-lc-rs",
            Self::OpenSsl => "openssl",
            Self::Ring => "ring",
            Self::Graviola => "graviola",
            Self::Libcrux => "libcrux",
            Self::Libsodium => "libsodium",
            Self::Sha3Asm => "sha3-asm",
            Self::TinyKeccak => "tiny-keccak",
            Self::KangarooTwelve => "kangarootwelve",
            Self::All => "all",
        }
    }

    /// What enters the peer; `None` where it is not built in.
    fn built_in(self) -> Option<Enter> {
        match self {
            Self::RustCrypto => Some(rustcrypto::enter),
            #[cfg(feature = "boring")]
            Self::Boring => Some(boring::enter),
            #[cfg(feature = "aws-lc-rs")]
            Self::AwsLcRs => Some(aws_lc_rs::enter),
            #[cfg(all(feature = "openssl", target_os = "linux"))]
            Self::OpenSsl => Some(openssl::enter),
            #[cfg(feature = "ring")]
            Self::Ring => Some(ring::enter),
            #[cfg(all(
                feature = "graviola",
                any(target_arch = "x86_64", target_arch = "aarch64")
            ))]
            Self::Graviola => Some(graviola::enter),
            #[cfg(feature = "libcrux")]
            Self::Libcrux => Some(libcrux::enter),
            #[cfg(feature = "libsodium")]
            Self::Libsodium => Some(libsodium::enter),
            #[cfg(feature = "sha3-asm")]
            Self::Sha3Asm => Some(sha3_asm::enter),
            #[cfg(feature = "tiny-keccak")]
            Self::TinyKeccak => Some(tiny_keccak::enter),
            #[cfg(feature = "kangarootwelve")]
            Self::KangarooTwelve => Some(kangarootwelve::enter),
            #[allow(unreachable_patterns)]
            _ => None,
        }
    }

    /// Where the peer exists at all.
    fn targets(self) -> &'static str {
        match self {
            Self::OpenSsl => " (on Linux)",
            Self::Graviola => " (on x86-64 and AArch64)",
            _ => "",
        }
    }
}

/// The peers that the names mean, each once.
///
/// # Errors
///
/// A message for the user, when a peer was not compiled in.
pub(crate) fn select(names: &[Peer]) -> Result<Vec<Peer>, String> {
    let mut peers = Vec::new();
    for &name in names {
        if name == Peer::All {
            peers.extend(
                Peer::value_variants()
                    .iter()
                    .filter(|peer| peer.built_in().is_some()),
            );
        } else if name.built_in().is_some() {
            peers.push(name);
        } else {
            let feature = name.name();
            return Err(format!(
                "the peer `{feature}` is not built in: it needs the feature `{feature}`{}, as in\n  \
                 cargo xtask speed --vs {feature}\n  \
                 cargo run --profile speed -p speed --features {feature} -- --vs {feature}",
                name.targets(),
            ));
        }
    }
    let mut seen = Vec::new();
    peers.retain(|&peer| {
        let new = !seen.contains(&peer);
        seen.push(peer);
        new
    });
    Ok(peers)
}

/// Enters the peers.
pub(crate) fn enter(suite: &mut Suite, peers: &[Peer]) {
    for enter in peers.iter().filter_map(|peer| peer.built_in()) {
        enter(suite);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_names_are_the_names() {
        for peer in Peer::value_variants() {
            let value = peer.to_possible_value().expect("every peer can be named");
            assert_eq!(value.get_name(), peer.name());
        }
    }

    #[test]
    fn selection_has_no_doubles() {
        let peers = select(&[Peer::RustCrypto, Peer::All, Peer::RustCrypto])
            .expect("all means what is built in");
        assert_eq!(peers[0], Peer::RustCrypto);
        assert_eq!(
            peers
                .iter()
                .filter(|&&peer| peer == Peer::RustCrypto)
                .count(),
            1
        );
        assert!(!peers.contains(&Peer::All));
    }

    #[test]
    fn a_missing_peer_names_its_feature() {
        for &peer in Peer::value_variants() {
            if peer != Peer::All && peer.built_in().is_none() {
                let message = select(&[peer]).expect_err("it is not built in");
                assert!(
                    message.contains(&format!("--features {}", peer.name())),
                    "{message}"
                );
                assert!(
                    message.contains(&format!("cargo xtask speed --vs {}", peer.name())),
                    "{message}"
                );
            }
        }
    }
}
