//! RustCrypto's crates, called as a user would. They are always there: their outputs are the expected ones.

use chacha20::ChaCha20;
use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use cipher::{Array, KeyInit, KeyIvInit};
use digest::Digest;
use k12::Kt128;
use keccak::{Backend, BackendClosure, Keccak};
use poly1305::Poly1305;
use sha3::Sha3_256;
use shake::Shake128;
use turboshake::TurboShake128;
use universal_hash::UniversalHash;

use crate::{
    ops::{
        aead::{self, Variant, opens, seals},
        aes::{KeySize, decryptor, encryptor},
        chacha20 as chacha20_ops,
        keccak::{self as keccak_ops, Function, extendable_output, fixed_output},
        kem::{self, ParameterSet},
        poly1305 as poly1305_ops,
        tls_cbc::{self, CipherSuite, by_hand},
    },
    suite::{Implementation, Suite},
};

/// What compiles RustCrypto's crates with their portable code alone. Nothing can force that at run time.
pub(crate) const SOFT_FLAGS: &str = "--cfg aes_backend=\"soft\" --cfg chacha20_backend=\"soft\" \
    --cfg keccak_backend=\"soft\" --cfg poly1305_backend=\"soft\" \
    --cfg sha1_backend=\"soft\" --cfg sha2_backend=\"soft\"";

const AES_SOFT: bool = cfg!(aes_backend = "soft");
const CHACHA20_SOFT: bool = cfg!(chacha20_backend = "soft");
const KECCAK_SOFT: bool = cfg!(keccak_backend = "soft");
const POLY1305_SOFT: bool = cfg!(poly1305_backend = "soft");
const SHA1_SOFT: bool = cfg!(sha1_backend = "soft");
const SHA2_SOFT: bool = cfg!(sha2_backend = "soft");

/// Whether all of RustCrypto's crates were compiled with their portable code alone.
pub(crate) const SOFT: bool =
    AES_SOFT && CHACHA20_SOFT && KECCAK_SOFT && POLY1305_SOFT && SHA1_SOFT && SHA2_SOFT;

const fn who(soft: bool) -> Implementation {
    Implementation {
        backend: if soft { Some("soft") } else { None },
        ..Implementation::peer("rustcrypto")
    }
}

pub(crate) fn enter(suite: &mut Suite) {
    macro_rules! aes {
        ($size:expr, $enc:ident, $dec:ident) => {
            encryptor(suite, who(AES_SOFT), $size, |key| {
                aes::$enc::new_from_slice(key).expect(KEY_LENGTH)
            });
            decryptor(suite, who(AES_SOFT), $size, |key| {
                aes::$dec::new_from_slice(key).expect(KEY_LENGTH)
            });
        };
    }
    const KEY_LENGTH: &str = "the key has the cipher's length";
    aes!(KeySize::Bits128, Aes128Enc, Aes128Dec);
    aes!(KeySize::Bits192, Aes192Enc, Aes192Dec);
    aes!(KeySize::Bits256, Aes256Enc, Aes256Dec);

    let aead = who(CHACHA20_SOFT && POLY1305_SOFT);
    let key = aead::key().into();
    seals(suite, aead, Variant::ChaCha20Poly1305, move || {
        ChaCha20Poly1305::new(&key)
    });
    opens(
        suite,
        aead,
        Variant::ChaCha20Poly1305,
        ChaCha20Poly1305::new(&key),
    );
    seals(suite, aead, Variant::XChaCha20Poly1305, move || {
        XChaCha20Poly1305::new(&key)
    });

    chacha20_ops::stream_cipher(suite, who(CHACHA20_SOFT), |key, nonce| {
        ChaCha20::new(key.into(), nonce.into())
    });

    for bytes in poly1305_ops::SIZES {
        poly1305_ops::authenticate(suite, who(POLY1305_SOFT), bytes, authenticate);
    }

    enter_tls_cbc(suite);
    enter_keccak(suite, who(KECCAK_SOFT));
    enter_kem(suite, who(KECCAK_SOFT));
}

fn enter_tls_cbc(suite: &mut Suite) {
    macro_rules! cipher_suite {
        ($suite:expr, $hash_soft:expr) => {
            by_hand::with_types!($suite, |Enc, Dec, M| {
                let sealing = by_hand::Keys::<Enc, M>::new($suite);
                let opening = by_hand::Keys::<Dec, M>::new($suite);
                tls_cbc::every_size(
                    suite,
                    who(AES_SOFT && $hash_soft),
                    $suite,
                    move |buffer, len| sealing.seal(buffer, len),
                    move |record, len| opening.open(record, len),
                );
            })
        };
    }
    cipher_suite!(CipherSuite::Aes128Sha1, SHA1_SOFT);
    cipher_suite!(CipherSuite::Aes256Sha1, SHA1_SOFT);
    cipher_suite!(CipherSuite::Aes128Sha256, SHA2_SOFT);
    cipher_suite!(CipherSuite::Aes256Sha256, SHA2_SOFT);
}

/// Permutes as many states at once as the back end can.
struct Permute<'a>(&'a mut [keccak_ops::State]);

impl BackendClosure for Permute<'_> {
    fn call_once<B: Backend>(self) {
        let (together, alone) = Array::slice_as_chunks_mut(self.0);
        together.iter_mut().for_each(B::get_par_f1600());
        alone.iter_mut().for_each(B::get_f1600());
    }
}

fn enter_keccak(suite: &mut Suite, who: Implementation) {
    let keccak = Keccak::new();
    keccak_ops::permutation(suite, who, move |state| {
        keccak.with_f1600(|f1600| f1600(state));
    });
    keccak_ops::permutations::<2>(suite, who, "x2", move |states| {
        keccak.with_backend(Permute(states));
    });
    keccak_ops::permutations::<4>(suite, who, "x4", move |states| {
        keccak.with_backend(Permute(states));
    });
    keccak_ops::permutations::<8>(suite, who, "x8", move |states| {
        keccak.with_backend(Permute(states));
    });
    fixed_output(suite, who, Function::Sha3_256, Sha3_256::default);
    keccak_ops::no_batch(suite, who, |message| Sha3_256::digest(message).into());
    extendable_output(suite, who, Function::Shake128, Shake128::default);
    extendable_output(suite, who, Function::TurboShake128, TurboShake128::default);
    extendable_output(suite, who, Function::Kt128, Kt128::default);
}

/// ML-KEM; there is no Kyber of the third round.
fn enter_kem(suite: &mut Suite, who: Implementation) {
    macro_rules! parameter_set {
        ($set:ident) => {
            kem::with_traits::<ml_kem::$set>(
                suite,
                who,
                ParameterSet::$set,
                ml_kem::DecapsulationKey::from_seed,
                |encoded| ml_kem::EncapsulationKey::new(encoded).expect("the key is valid"),
            )
        };
    }
    parameter_set!(MlKem512);
    parameter_set!(MlKem768);
    parameter_set!(MlKem1024);
}

/// RustCrypto's fastest way: `compute_unpadded` takes one block at a time, so it gets only what is left after the
/// whole blocks.
fn authenticate(key: &[u8; 32], message: &[u8]) -> poly1305_ops::Tag {
    let mut mac = Poly1305::new(key.into());
    let (blocks, rest) = poly1305::Block::slice_as_chunks(message);
    mac.update(blocks);
    if rest.is_empty() {
        mac.finalize()
    } else {
        mac.compute_unpadded(rest)
    }
    .into()
}
