//! BoringSSL and AWS-LC share their C interface: safe wrappers over the bindings of either, made by one macro.

/// Defines, over the bindings `$sys`, what a peer of this family needs. The bindings name the directions `$open` and
/// `$seal` differently.
macro_rules! bssl_family {
    ($sys:ident, $open:expr, $seal:expr) => {
        use std::{ffi::c_uint, hint::black_box, mem::MaybeUninit};

        use crate::{
            ops::{
                aead::{self, Variant},
                aes::{self, KeySize},
                chacha20,
                keccak::{self, Function},
                poly1305,
                tls_cbc::{self, CipherSuite},
            },
            suite::{Implementation, Suite},
        };

        /// An expanded AES key, for one direction.
        #[derive(Clone)]
        struct AesKey($sys::AES_KEY);

        impl AesKey {
            fn empty() -> Self {
                // SAFETY: the C structure holds integers only, for which all zeros is a value.
                Self(unsafe { MaybeUninit::zeroed().assume_init() })
            }

            fn encrypting(key: &[u8]) -> Self {
                let mut new = Self::empty();
                new.set_encrypting(key);
                new
            }

            fn decrypting(key: &[u8]) -> Self {
                let mut new = Self::empty();
                new.set_decrypting(key);
                new
            }

            fn set_encrypting(&mut self, key: &[u8]) {
                // SAFETY: reads the bits of `key`, which are the length given, and writes the structure.
                let code = unsafe {
                    $sys::AES_set_encrypt_key(key.as_ptr(), 8 * key.len() as c_uint, &mut self.0)
                };
                assert_eq!(code, 0, "a key of 16, 24 or 32 bytes is taken");
            }

            fn set_decrypting(&mut self, key: &[u8]) {
                // SAFETY: reads the bits of `key`, which are the length given, and writes the structure.
                let code = unsafe {
                    $sys::AES_set_decrypt_key(key.as_ptr(), 8 * key.len() as c_uint, &mut self.0)
                };
                assert_eq!(code, 0, "a key of 16, 24 or 32 bytes is taken");
            }

            fn encrypt(&self, block: &mut aes::Block) {
                let at = block.as_mut_ptr();
                // SAFETY: reads and writes one block of 16 bytes, in place, which is allowed; the key is set.
                unsafe { $sys::AES_encrypt(at, at, &self.0) };
            }

            fn decrypt(&self, block: &mut aes::Block) {
                let at = block.as_mut_ptr();
                // SAFETY: reads and writes one block of 16 bytes, in place, which is allowed; the key is set.
                unsafe { $sys::AES_decrypt(at, at, &self.0) };
            }

            fn ctr(&self, message: &mut [u8]) {
                let (mut counter, mut keystream, mut used) = (aes::iv(), [0; 16], 0);
                let at = message.as_mut_ptr();
                // SAFETY: reads and writes the message in place, which is allowed; counter block and keystream block
                // have 16 bytes each.
                unsafe {
                    $sys::AES_ctr128_encrypt(
                        at,
                        at,
                        message.len(),
                        &self.0,
                        counter.as_mut_ptr(),
                        keystream.as_mut_ptr(),
                        &mut used,
                    );
                }
            }

            /// `direction` is 1 to encrypt, 0 to decrypt.
            fn cbc(&self, message: &mut [u8], direction: i32) {
                let mut iv = aes::iv();
                let at = message.as_mut_ptr();
                // SAFETY: reads and writes the message, which is whole blocks, in place, which is allowed; the vector
                // has 16 bytes.
                unsafe {
                    $sys::AES_cbc_encrypt(
                        at,
                        at,
                        message.len(),
                        &self.0,
                        iv.as_mut_ptr(),
                        direction,
                    )
                };
            }
        }

        fn enter_aes(suite: &mut Suite, who: Implementation) {
            for size in KeySize::ALL {
                let key = size.key();
                let (encrypting, decrypting) = (AesKey::encrypting(&key), AesKey::decrypting(&key));

                let (cipher, mut slot) = (encrypting.clone(), AesKey::empty());
                let once = move |block: &mut aes::Block| cipher.encrypt(block);
                aes::encrypt_setup(suite, who, size, once, move |key| {
                    slot.set_encrypting(key);
                    black_box(&slot);
                });
                let (cipher, mut slot) = (decrypting.clone(), AesKey::empty());
                let once = move |block: &mut aes::Block| cipher.decrypt(block);
                aes::decrypt_setup(suite, who, size, once, move |key| {
                    slot.set_decrypting(key);
                    black_box(&slot);
                });
                let cipher = encrypting.clone();
                aes::encrypt(suite, who, size, move |block| cipher.encrypt(block));
                let cipher = decrypting.clone();
                aes::decrypt(suite, who, size, move |block| cipher.decrypt(block));
                for bytes in aes::SIZES {
                    let cipher = encrypting.clone();
                    aes::ctr(suite, who, size, bytes, move |message| cipher.ctr(message));
                    let cipher = encrypting.clone();
                    aes::cbc_encrypt(suite, who, size, bytes, move |message| {
                        cipher.cbc(message, 1)
                    });
                    let cipher = decrypting.clone();
                    aes::cbc_decrypt(suite, who, size, bytes, move |message| {
                        cipher.cbc(message, 0)
                    });
                }
            }
        }

        fn enter_chacha20(suite: &mut Suite, who: Implementation) {
            for bytes in chacha20::SIZES {
                chacha20::encrypt(suite, who, bytes, |key, nonce, message| {
                    let at = message.as_mut_ptr();
                    // SAFETY: reads and writes the message in place, which is allowed; key and nonce have 32 and 12
                    // bytes.
                    unsafe {
                        $sys::CRYPTO_chacha_20(
                            at,
                            at,
                            message.len(),
                            key.as_ptr(),
                            nonce.as_ptr(),
                            0,
                        )
                    };
                });
            }
        }

        fn enter_poly1305(suite: &mut Suite, who: Implementation) {
            for bytes in poly1305::SIZES {
                poly1305::authenticate(suite, who, bytes, |key, message| {
                    let mut tag = [0; 16];
                    let mut state = MaybeUninit::<$sys::poly1305_state>::uninit();
                    // SAFETY: the first call makes the state of a key of 32 bytes, the second reads the message, the
                    // third writes a tag of 16 bytes.
                    unsafe {
                        $sys::CRYPTO_poly1305_init(state.as_mut_ptr(), key.as_ptr());
                        $sys::CRYPTO_poly1305_update(
                            state.as_mut_ptr(),
                            message.as_ptr(),
                            message.len(),
                        );
                        $sys::CRYPTO_poly1305_finish(state.as_mut_ptr(), tag.as_mut_ptr());
                    }
                    tag
                });
            }
        }

        /// An AEAD under a key.
        struct Aead(*mut $sys::EVP_AEAD_CTX);

        impl Aead {
            /// `description` gives the algorithm, whose keys have 32 bytes and whose tags 16.
            fn new(description: unsafe extern "C" fn() -> *const $sys::EVP_AEAD) -> Self {
                let key = aead::key();
                let (at, len) = (key.as_ptr(), key.len());
                // SAFETY: the description is static; the key goes with its length.
                let context = unsafe { $sys::EVP_AEAD_CTX_new(description(), at, len, 16) };
                assert!(!context.is_null(), "a key of 32 bytes is taken");
                Self(context)
            }

            fn seal(&self, nonce: &[u8], message: &mut [u8]) -> aead::Tag {
                let (mut tag, mut tag_len, aad) = ([0; 16], 0, aead::aad());
                let at = message.as_mut_ptr();
                // SAFETY: the context is live; reads and writes the message in place, which is allowed; every other
                // pointer goes with its length.
                let code = unsafe {
                    $sys::EVP_AEAD_CTX_seal_scatter(
                        self.0,
                        at,
                        tag.as_mut_ptr(),
                        &mut tag_len,
                        tag.len(),
                        nonce.as_ptr(),
                        nonce.len(),
                        at,
                        message.len(),
                        std::ptr::null(),
                        0,
                        aad.as_ptr(),
                        aad.len(),
                    )
                };
                assert_eq!(
                    (code, tag_len),
                    (1, tag.len()),
                    "the message is short enough"
                );
                tag
            }
        }

        impl Drop for Aead {
            fn drop(&mut self) {
                // SAFETY: the context came from `EVP_AEAD_CTX_new` and is freed once.
                unsafe { $sys::EVP_AEAD_CTX_free(self.0) };
            }
        }

        /// The form with the 24-byte nonce.
        fn enter_xchacha20_poly1305(suite: &mut Suite, who: Implementation) {
            for bytes in aead::SIZES {
                let (cipher, nonce) = (
                    Aead::new($sys::EVP_aead_xchacha20_poly1305),
                    aead::nonce::<24>(),
                );
                aead::seal(
                    suite,
                    who,
                    Variant::XChaCha20Poly1305,
                    bytes,
                    move |message| cipher.seal(&nonce, message),
                );
            }
        }

        /// One direction of a TLS cipher suite, under a key.
        struct TlsAead(Box<$sys::EVP_AEAD_CTX>);

        impl TlsAead {
            fn new(
                cipher_suite: CipherSuite,
                direction: $sys::evp_aead_direction_t,
            ) -> Option<Self> {
                let description: unsafe extern "C" fn() -> *const $sys::EVP_AEAD =
                    match cipher_suite {
                        CipherSuite::Aes128Sha1 => $sys::EVP_aead_aes_128_cbc_sha1_tls,
                        CipherSuite::Aes256Sha1 => $sys::EVP_aead_aes_256_cbc_sha1_tls,
                        CipherSuite::Aes128Sha256 => $sys::EVP_aead_aes_128_cbc_sha256_tls,
                        CipherSuite::Aes256Sha256 => return None,
                    };
                let key = cipher_suite.key();
                // SAFETY: the C structure is a pointer, which may be null, and integers, for which all zeros is a value.
                let mut context = Box::new(unsafe { MaybeUninit::zeroed().assume_init() });
                // SAFETY: the description is static, the key goes with its length; writes the context, whose place
                // does not change. No tag length means the MAC's.
                let code = unsafe {
                    $sys::EVP_AEAD_CTX_init_with_direction(
                        &mut *context,
                        description(),
                        key.as_ptr(),
                        key.len(),
                        0,
                        direction,
                    )
                };
                assert_eq!(code, 1, "a MAC key and a cipher key are taken");
                Some(Self(context))
            }

            /// The content of `len` bytes is at the start of the buffer, which has the record's length.
            fn seal(&self, buffer: &mut [u8], len: usize) {
                let (iv, aad) = (tls_cbc::iv(), tls_cbc::aad());
                let (mut rest_len, buffer_len, at) = (0, buffer.len(), buffer.as_mut_ptr());
                // SAFETY: the context is live; reads and writes the content in place, which is allowed; what the record
                // has beside goes behind it, where the buffer has the room that is given; every other pointer goes
                // with its length.
                let code = unsafe {
                    $sys::EVP_AEAD_CTX_seal_scatter(
                        &*self.0,
                        at,
                        at.add(len),
                        &mut rest_len,
                        buffer_len - len,
                        iv.as_ptr(),
                        iv.len(),
                        at,
                        len,
                        std::ptr::null(),
                        0,
                        aad.as_ptr(),
                        aad.len(),
                    )
                };
                assert_eq!(
                    (code, len + rest_len),
                    (1, buffer_len),
                    "the record has the buffer's length"
                );
            }

            /// Whether the record is authentic and its content has `len` bytes.
            fn open(&self, record: &mut [u8], len: usize) -> bool {
                let (iv, aad) = (tls_cbc::iv(), tls_cbc::aad());
                let (mut content_len, record_len, at) = (0, record.len(), record.as_mut_ptr());
                // SAFETY: the context is live; reads and writes the record in place, which is allowed; every other
                // pointer goes with its length.
                let code = unsafe {
                    $sys::EVP_AEAD_CTX_open(
                        &*self.0,
                        at,
                        &mut content_len,
                        record_len,
                        iv.as_ptr(),
                        iv.len(),
                        at,
                        record_len,
                        aad.as_ptr(),
                        aad.len(),
                    )
                };
                (code, content_len) == (1, len)
            }
        }

        impl Drop for TlsAead {
            fn drop(&mut self) {
                // SAFETY: the context was made in `new` and is cleaned up once.
                unsafe { $sys::EVP_AEAD_CTX_cleanup(&mut *self.0) };
            }
        }

        fn enter_tls_cbc(suite: &mut Suite, who: Implementation) {
            for cipher_suite in CipherSuite::ALL {
                let (Some(sealing), Some(opening)) = (
                    TlsAead::new(cipher_suite, $seal),
                    TlsAead::new(cipher_suite, $open),
                ) else {
                    continue;
                };
                tls_cbc::every_size(
                    suite,
                    who,
                    cipher_suite,
                    move |buffer, len| sealing.seal(buffer, len),
                    move |record, len| opening.open(record, len),
                );
            }
        }

        fn enter_sha3_256(suite: &mut Suite, who: Implementation) {
            for &bytes in Function::Sha3_256.sizes() {
                keccak::hash(suite, who, Function::Sha3_256, bytes, |message| {
                    let mut output = [0; 32];
                    // SAFETY: the message goes with its length; 32 bytes are written. Null pointers mean that the
                    // output's length is not asked for, and no engine.
                    let code = unsafe {
                        $sys::EVP_Digest(
                            message.as_ptr().cast(),
                            message.len(),
                            output.as_mut_ptr(),
                            std::ptr::null_mut(),
                            $sys::EVP_sha3_256(),
                            std::ptr::null_mut(),
                        )
                    };
                    assert_eq!(code, 1, "hashing does not fail");
                    output
                });
            }
        }
    };
}
pub(super) use bssl_family;
