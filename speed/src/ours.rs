//! This workspace's crates, on the chosen back ends.

use aead_chacha_poly::{ChaCha20Poly1305, XChaCha20Poly1305};
use aes_cbc_hmac::tls::{Opener, Sealer};
use chacha20_simd::ChaCha20;
use digest::Digest;
use keccak_unrolled::{Kt128, Permutation, Sha3_256, Shake128, TurboShake128};
use poly1305_simd::Poly1305;

use crate::{
    ops::{
        aead::{self, Variant, opens, seals},
        aes::{KeySize, decryptor, encryptor},
        chacha20,
        keccak::{self, Function, extendable_output, fixed_output},
        kem::{self, ParameterSet},
        poly1305,
        tls_cbc::{self, CipherSuite},
    },
    suite::{Implementation, Suite},
};

/// Why unwrapping a forced back end is right: [`selected`] asked.
const AVAILABLE: &str = "this CPU can run the back end";
/// Why unwrapping a key's length is right: the operation's family made it.
const KEY_LENGTH: &str = "the key has the algorithm's length";

/// Selects the portable back end for this target's word size, whatever its name.
const SOFT: &str = "soft";
/// Selects the back end that a user gets by default.
const AUTO: &str = "auto";

/// What the crates' `Backend` enums have in common.
trait Backend: Copy + PartialEq + 'static {
    fn all() -> &'static [Self];
    fn detect() -> Self;
    fn soft() -> Self;
    fn is_available(self) -> bool;
    fn name(self) -> &'static str;
}

macro_rules! backends {
    ($($krate:ident)*) => {
        $(
            impl Backend for $krate::Backend {
                fn all() -> &'static [Self] {
                    Self::ALL
                }
                fn detect() -> Self {
                    Self::detect()
                }
                fn soft() -> Self {
                    Self::soft()
                }
                fn is_available(self) -> bool {
                    self.is_available()
                }
                fn name(self) -> &'static str {
                    self.name()
                }
            }
        )*

        /// Whether some crate has a back end of this name.
        fn is_known(name: &str) -> bool {
            false $(|| named::<$krate::Backend>(name).is_some())*
        }

        /// Whether some crate has a back end of this name that this CPU can run.
        fn is_runnable(name: &str) -> bool {
            false $(|| named::<$krate::Backend>(name).is_some_and(Backend::is_available))*
        }

        /// The names of all back ends of all crates that this CPU can run, each once.
        pub(crate) fn runnable_names() -> Vec<&'static str> {
            let mut names = Vec::new();
            $(
                for backend in selected::<$krate::Backend>(&[]) {
                    if !names.contains(&backend.name()) {
                        names.push(backend.name());
                    }
                }
            )*
            names
        }
    };
}

backends!(aead_chacha_poly aes_cbc_hmac aes_vpaes chacha20_simd keccak_unrolled kyber poly1305_simd);

/// The back end that a name on the command line means in one crate.
fn named<B: Backend>(name: &str) -> Option<B> {
    match name {
        SOFT => Some(B::soft()),
        AUTO => Some(B::detect()),
        _ => B::all()
            .iter()
            .copied()
            .find(|backend| backend.name() == name),
    }
}

/// The back ends of one crate that the names mean and this CPU can run, each once; without names, all that it can run.
fn selected<B: Backend>(names: &[String]) -> Vec<B> {
    let wanted: Vec<B> = if names.is_empty() {
        B::all().to_vec()
    } else {
        names.iter().filter_map(|name| named(name)).collect()
    };
    let mut selected = Vec::new();
    for backend in wanted {
        if backend.is_available() && !selected.contains(&backend) {
            selected.push(backend);
        }
    }
    selected
}

/// Of the back ends of AES that the names mean, the names of those without AES instructions.
pub(crate) fn names_without_aes(names: &[String]) -> Vec<String> {
    selected::<aes_vpaes::Backend>(names)
        .into_iter()
        .filter(|backend| !backend.uses_aes_instructions())
        .map(|backend| backend.name().to_owned())
        .collect()
}

/// Checks the names of `--backend`.
///
/// # Errors
///
/// A message for the user, when a name is nobody's or this CPU can run it in no crate.
pub(crate) fn check_names(names: &[String]) -> Result<(), String> {
    for name in names {
        let problem = if !is_known(name) {
            "unknown back end"
        } else if !is_runnable(name) {
            "this CPU cannot run the back end"
        } else {
            continue;
        };
        return Err(format!(
            "{problem} `{name}`; there are: {}, auto",
            runnable_names().join(", ")
        ));
    }
    Ok(())
}

/// Enters every crate on the back ends that `names` means for it.
pub(crate) fn enter(suite: &mut Suite, names: &[String]) {
    for backend in selected(names) {
        enter_aes(suite, backend);
    }
    for backend in selected(names) {
        enter_aead(suite, backend);
    }
    for backend in selected(names) {
        enter_chacha20(suite, backend);
    }
    for backend in selected(names) {
        enter_poly1305(suite, backend);
    }
    for backend in selected(names) {
        enter_tls_cbc(suite, backend);
    }
    for backend in selected(names) {
        enter_keccak(suite, backend);
    }
    for backend in selected(names) {
        enter_kem(suite, backend);
    }
}

fn enter_aes(suite: &mut Suite, backend: aes_vpaes::Backend) {
    let who = Implementation::ours(backend.name());
    macro_rules! key_size {
        ($size:expr, $enc:ident, $dec:ident) => {
            encryptor(suite, who, $size, move |key| {
                aes_vpaes::$enc::new_with_backend(backend, key.try_into().expect(KEY_LENGTH))
                    .expect(AVAILABLE)
            });
            decryptor(suite, who, $size, move |key| {
                aes_vpaes::$dec::new_with_backend(backend, key.try_into().expect(KEY_LENGTH))
                    .expect(AVAILABLE)
            });
        };
    }
    key_size!(KeySize::Bits128, Aes128Enc, Aes128Dec);
    key_size!(KeySize::Bits192, Aes192Enc, Aes192Dec);
    key_size!(KeySize::Bits256, Aes256Enc, Aes256Dec);
}

fn enter_aead(suite: &mut Suite, backend: aead_chacha_poly::Backend) {
    let who = Implementation::ours(backend.name());
    let key = aead::key().into();
    let chacha = move || ChaCha20Poly1305::new_with_backend(backend, &key).expect(AVAILABLE);
    let xchacha = move || XChaCha20Poly1305::new_with_backend(backend, &key).expect(AVAILABLE);
    seals(suite, who, Variant::ChaCha20Poly1305, chacha);
    opens(suite, who, Variant::ChaCha20Poly1305, chacha());
    seals(suite, who, Variant::XChaCha20Poly1305, xchacha);
}

fn enter_chacha20(suite: &mut Suite, backend: chacha20_simd::Backend) {
    let who = Implementation::ours(backend.name());
    chacha20::stream_cipher(suite, who, move |key, nonce| {
        ChaCha20::new_with_backend(backend, key.into(), nonce.into()).expect(AVAILABLE)
    });
}

fn enter_poly1305(suite: &mut Suite, backend: poly1305_simd::Backend) {
    let who = Implementation::ours(backend.name());
    for bytes in poly1305::SIZES {
        poly1305::authenticate(suite, who, bytes, move |key, message| {
            Poly1305::new_with_backend(backend, key.into())
                .expect(AVAILABLE)
                .compute_unpadded(message)
                .into()
        });
    }
}

fn enter_tls_cbc(suite: &mut Suite, backend: aes_cbc_hmac::Backend) {
    let who = Implementation::ours(backend.name());
    macro_rules! cipher_suite {
        ($suite:ident) => {{
            let key = CipherSuite::$suite.key();
            let key = key.as_slice().try_into().expect(KEY_LENGTH);
            let sealer = Sealer::<aes_cbc_hmac::tls::$suite>::new_with_backend(backend, key);
            let opener = Opener::<aes_cbc_hmac::tls::$suite>::new_with_backend(backend, key);
            let (sealer, opener) = (sealer.expect(AVAILABLE), opener.expect(AVAILABLE));
            tls_cbc::every_size(
                suite,
                who,
                CipherSuite::$suite,
                move |buffer, len| {
                    let sealed = sealer.seal_in_place(&tls_cbc::iv(), &tls_cbc::aad(), buffer, len);
                    assert!(sealed.is_ok(), "the buffer has room");
                },
                move |record, len| {
                    opener
                        .open_in_place(&tls_cbc::iv(), &tls_cbc::aad(), record)
                        .is_ok_and(|content| content.len() == len)
                },
            );
        }};
    }
    cipher_suite!(Aes128Sha1);
    cipher_suite!(Aes256Sha1);
    cipher_suite!(Aes128Sha256);
    cipher_suite!(Aes256Sha256);
}

fn enter_keccak(suite: &mut Suite, backend: keccak_unrolled::Backend) {
    let who = Implementation::ours(backend.name());
    let keccak = Permutation::with_backend(backend).expect(AVAILABLE);
    keccak::permutation(suite, who, move |state| keccak.f1600(state));
    keccak::permutations(suite, who, "x2", move |states| keccak.f1600_x2(states));
    keccak::permutations(suite, who, "x4", move |states| keccak.f1600_x4(states));
    keccak::permutations(suite, who, "x8", move |states| keccak.f1600_x8(states));
    fixed_output(suite, who, Function::Sha3_256, move || {
        Sha3_256::with_backend(backend).expect(AVAILABLE)
    });
    keccak::batch(suite, who, "64 messages", move |messages, digests| {
        Sha3_256::digest_batch_with_backend(backend, messages, digests).expect(AVAILABLE);
    });
    let one = move |message: &[u8]| {
        let hasher = Sha3_256::with_backend(backend).expect(AVAILABLE);
        hasher.chain_update(message).finalize().into()
    };
    keccak::batch(
        suite,
        who,
        "64 messages one by one",
        keccak::one_by_one(one),
    );
    extendable_output(suite, who, Function::Shake128, move || {
        Shake128::with_backend(backend).expect(AVAILABLE)
    });
    extendable_output(suite, who, Function::TurboShake128, move || {
        TurboShake128::with_backend(backend).expect(AVAILABLE)
    });
    extendable_output(suite, who, Function::Kt128, move || {
        Kt128::with_backend(backend).expect(AVAILABLE)
    });
}

fn enter_kem(suite: &mut Suite, backend: kyber::Backend) {
    fn enter<P: kyber::ParameterSet>(
        suite: &mut Suite,
        backend: kyber::Backend,
        set: ParameterSet,
    ) {
        kem::with_traits::<P>(
            suite,
            Implementation::ours(backend.name()),
            set,
            move |seed| {
                kyber::DecapsulationKey::from_seed_with_backend(backend, seed).expect(AVAILABLE)
            },
            move |encoded| {
                kyber::EncapsulationKey::new_with_backend(backend, encoded)
                    .expect(AVAILABLE)
                    .expect("the key is valid")
            },
        );
    }
    enter::<kyber::MlKem512>(suite, backend, ParameterSet::MlKem512);
    enter::<kyber::MlKem768>(suite, backend, ParameterSet::MlKem768);
    enter::<kyber::MlKem1024>(suite, backend, ParameterSet::MlKem1024);
    enter::<kyber::Kyber768>(suite, backend, ParameterSet::Kyber768);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn names_are_checked() {
        assert_eq!(check_names(&[]), Ok(()));
        assert_eq!(check_names(&names(&["soft", "auto"])), Ok(()));
        let message = check_names(&names(&["soft", "sfot"])).expect_err("nobody has it");
        assert!(
            message.starts_with("unknown back end `sfot`; there are: "),
            "{message}"
        );
    }

    #[test]
    fn selection_has_no_doubles_and_is_available() {
        fn check<B: Backend + std::fmt::Debug>() {
            assert_eq!(selected::<B>(&names(&["soft", "soft"])), [B::soft()]);
            assert_eq!(selected::<B>(&names(&["auto"])), [B::detect()]);
            assert_eq!(selected::<B>(&names(&["nobody's"])), []);
            let all = selected::<B>(&[]);
            assert!(all.contains(&B::soft()) && all.contains(&B::detect()));
            assert!(all.iter().all(|backend| backend.is_available()));
        }
        check::<aead_chacha_poly::Backend>();
        check::<aes_cbc_hmac::Backend>();
        check::<aes_vpaes::Backend>();
        check::<chacha20_simd::Backend>();
        check::<keccak_unrolled::Backend>();
        check::<kyber::Backend>();
        check::<poly1305_simd::Backend>();
    }
}
