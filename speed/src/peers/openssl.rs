//! OpenSSL: AES, ChaCha20-Poly1305, TLS records (the stitched ciphers, where the CPU has AES instructions), SHA3-256,
//! SHAKE128 and ML-KEM through EVP; ChaCha20, Poly1305 and Keccak through the functions inside libcrypto that EVP ends
//! at (entered as `openssl internal`).

use std::{
    cell::OnceCell,
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    hint::black_box,
    ptr::{null, null_mut},
    rc::Rc,
    sync::OnceLock,
};

use libloading::Library;
use speed_openssl::LIBRARY;

use crate::{
    ops::{
        aead::{self, Variant},
        aes::{self, KeySize},
        chacha20,
        keccak::{self, Function},
        kem::{self, Kem, ParameterSet, SharedKey},
        poly1305,
        tls_cbc::{self, CipherSuite},
    },
    suite::{Implementation, Suite},
};

/// Room for the state that `Poly1305_ctx_size` tells the size of.
#[repr(C, align(64))]
struct Poly1305State([u8; 1024]);

macro_rules! api {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions that are called here, by their C names.
        #[allow(non_snake_case)]
        struct Api {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// Keeps the functions in memory.
            _library: Library,
        }

        impl Api {
            fn load() -> Result<Self, libloading::Error> {
                // SAFETY: libcrypto's initialisers have no conditions, and each type is the one that OpenSSL's headers
                // (for ChaCha20 and Poly1305 its internal headers) declare for the name.
                unsafe {
                    let library = Library::new(LIBRARY)?;
                    Ok(Self {
                        $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)*
                        _library: library,
                    })
                }
            }
        }
    };
}

api! {
    EVP_CIPHER_fetch: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
    EVP_CIPHER_free: fn(*mut c_void);
    EVP_CIPHER_CTX_new: fn() -> *mut c_void;
    EVP_CIPHER_CTX_free: fn(*mut c_void);
    EVP_CIPHER_CTX_set_padding: fn(*mut c_void, c_int) -> c_int;
    EVP_CIPHER_CTX_ctrl: fn(*mut c_void, c_int, c_int, *mut c_void) -> c_int;
    EVP_CipherInit_ex: fn(*mut c_void, *const c_void, *mut c_void, *const u8, *const u8, c_int) -> c_int;
    EVP_CipherUpdate: fn(*mut c_void, *mut u8, *mut c_int, *const u8, c_int) -> c_int;
    EVP_CipherFinal_ex: fn(*mut c_void, *mut u8, *mut c_int) -> c_int;
    EVP_Cipher: fn(*mut c_void, *mut u8, *const u8, c_uint) -> c_int;
    EVP_MD_fetch: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
    EVP_MD_free: fn(*mut c_void);
    EVP_MD_CTX_new: fn() -> *mut c_void;
    EVP_MD_CTX_free: fn(*mut c_void);
    EVP_DigestInit_ex: fn(*mut c_void, *const c_void, *mut c_void) -> c_int;
    EVP_DigestUpdate: fn(*mut c_void, *const u8, usize) -> c_int;
    EVP_DigestFinal_ex: fn(*mut c_void, *mut u8, *mut c_uint) -> c_int;
    EVP_DigestFinalXOF: fn(*mut c_void, *mut u8, usize) -> c_int;
    EVP_PKEY_new_raw_public_key_ex: fn(*mut c_void, *const c_char, *const c_char, *const u8, usize) -> *mut c_void;
    EVP_PKEY_get_raw_public_key: fn(*const c_void, *mut u8, *mut usize) -> c_int;
    EVP_PKEY_free: fn(*mut c_void);
    EVP_PKEY_CTX_new_from_name: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
    EVP_PKEY_CTX_new_from_pkey: fn(*mut c_void, *mut c_void, *const c_char) -> *mut c_void;
    EVP_PKEY_CTX_free: fn(*mut c_void);
    EVP_PKEY_keygen_init: fn(*mut c_void) -> c_int;
    EVP_PKEY_generate: fn(*mut c_void, *mut *mut c_void) -> c_int;
    EVP_PKEY_encapsulate_init: fn(*mut c_void, *const c_void) -> c_int;
    EVP_PKEY_encapsulate: fn(*mut c_void, *mut u8, *mut usize, *mut u8, *mut usize) -> c_int;
    EVP_PKEY_decapsulate_init: fn(*mut c_void, *const c_void) -> c_int;
    EVP_PKEY_decapsulate: fn(*mut c_void, *mut u8, *mut usize, *const u8, usize) -> c_int;
    SHA3_absorb: fn(*mut keccak::State, *const u8, usize, usize) -> usize;
    ChaCha20_ctr32: fn(*mut u8, *const u8, usize, *const u32, *const u32);
    Poly1305_ctx_size: fn() -> usize;
    Poly1305_Init: fn(*mut Poly1305State, *const u8);
    Poly1305_Update: fn(*mut Poly1305State, *const u8, usize);
    Poly1305_Final: fn(*mut Poly1305State, *mut u8);
}

fn api() -> &'static Api {
    static API: OnceLock<Api> = OnceLock::new();
    API.get_or_init(|| {
        Api::load().unwrap_or_else(|error| panic!("could not open {LIBRARY}: {error}"))
    })
}

/// Whether a cipher encrypts or decrypts.
#[derive(Clone, Copy)]
enum Direction {
    Encrypt = 1,
    Decrypt = 0,
}

/// `enc` of `EVP_CipherInit_ex`: the direction stays.
const SAME_DIRECTION: c_int = -1;
const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;
const EVP_CTRL_AEAD_TLS1_AAD: c_int = 0x16;
const EVP_CTRL_AEAD_SET_MAC_KEY: c_int = 0x17;

/// A cipher under a key, without padding.
struct Context(*mut c_void);

impl Context {
    /// `key` and `iv` have the cipher's lengths; ECB has no `iv`.
    fn new(cipher: &CStr, direction: Direction, key: &[u8], iv: Option<&[u8]>) -> Self {
        Self::fetch(cipher, direction, key, iv).expect("OpenSSL has the cipher")
    }

    /// As `new`; `None` where this CPU has no such cipher.
    fn fetch(cipher: &CStr, direction: Direction, key: &[u8], iv: Option<&[u8]>) -> Option<Self> {
        let api = api();
        let iv = iv.map_or(null(), <[u8]>::as_ptr);
        // SAFETY: null pointers mean the default library context, properties and engine; the context takes its own
        // reference to the cipher, so that ours is given back; key and iv are read in the cipher's lengths.
        let (context, code) = unsafe {
            let cipher = (api.EVP_CIPHER_fetch)(null_mut(), cipher.as_ptr(), null());
            if cipher.is_null() {
                return None;
            }
            let context = (api.EVP_CIPHER_CTX_new)();
            assert!(!context.is_null(), "there is memory");
            let code = (api.EVP_CipherInit_ex)(
                context,
                cipher,
                null_mut(),
                key.as_ptr(),
                iv,
                direction as c_int,
            );
            (api.EVP_CIPHER_CTX_set_padding)(context, 0);
            (api.EVP_CIPHER_free)(cipher);
            (context, code)
        };
        assert_eq!(code, 1, "key and iv are taken");
        Some(Self(context))
    }

    /// Sets another key of the same length.
    fn set_key(&self, key: &[u8]) {
        // SAFETY: the context is live; the key is read in the cipher's length.
        let code = unsafe {
            (api().EVP_CipherInit_ex)(
                self.0,
                null(),
                null_mut(),
                key.as_ptr(),
                null(),
                SAME_DIRECTION,
            )
        };
        assert_eq!(code, 1, "the key is taken");
    }

    /// Begins a message.
    fn set_iv(&self, iv: &[u8]) {
        // SAFETY: the context is live; the iv is read in the cipher's length.
        let code = unsafe {
            (api().EVP_CipherInit_ex)(
                self.0,
                null(),
                null_mut(),
                null(),
                iv.as_ptr(),
                SAME_DIRECTION,
            )
        };
        assert_eq!(code, 1, "the iv is taken");
    }

    /// Works on a message in place; of a block cipher, whole blocks.
    fn update(&self, message: &mut [u8]) {
        let mut written = 0;
        let at = message.as_mut_ptr();
        // SAFETY: the context is live; without padding exactly the message's length is written, in place, which is
        // allowed.
        let code = unsafe {
            (api().EVP_CipherUpdate)(self.0, at, &mut written, at, message.len() as c_int)
        };
        assert_eq!(
            (code, written as usize),
            (1, message.len()),
            "the whole message is taken"
        );
    }

    /// Takes additional data.
    fn authenticate(&self, aad: &[u8]) {
        let mut taken = 0;
        // SAFETY: the context is live; no output is what says that this is additional data.
        let code = unsafe {
            (api().EVP_CipherUpdate)(
                self.0,
                null_mut(),
                &mut taken,
                aad.as_ptr(),
                aad.len() as c_int,
            )
        };
        assert_eq!(code, 1, "additional data is taken");
    }

    /// Ends a message; whether its tag was right.
    fn finish(&self) -> bool {
        let (mut rest, mut written) = ([0; 16], 0);
        // SAFETY: the context is live; at most one block is written.
        unsafe { (api().EVP_CipherFinal_ex)(self.0, rest.as_mut_ptr(), &mut written) == 1 }
    }

    fn tag(&self, control: c_int, tag: &mut aead::Tag) {
        // SAFETY: the context is live and an AEAD's; 16 bytes are read or written.
        let code =
            unsafe { (api().EVP_CIPHER_CTX_ctrl)(self.0, control, 16, tag.as_mut_ptr().cast()) };
        assert_eq!(code, 1, "a tag has 16 bytes");
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context came from `EVP_CIPHER_CTX_new` and is freed once.
        unsafe { (api().EVP_CIPHER_CTX_free)(self.0) };
    }
}

pub(super) fn enter(suite: &mut Suite) {
    let evp = Implementation::peer("openssl");
    enter_aes(suite, evp);
    enter_aead(suite, evp);
    enter_tls_cbc(suite, evp);
    enter_hash(suite, evp);
    enter_kem(suite, evp);
    let internal = Implementation {
        backend: Some("internal"),
        ..evp
    };
    enter_chacha20(suite, internal);
    enter_poly1305(suite, internal);
    enter_keccak(suite, internal);
}

fn enter_aes(suite: &mut Suite, who: Implementation) {
    for size in KeySize::ALL {
        let (ecb, ctr, cbc) = match size {
            KeySize::Bits128 => (c"AES-128-ECB", c"AES-128-CTR", c"AES-128-CBC"),
            KeySize::Bits192 => (c"AES-192-ECB", c"AES-192-CTR", c"AES-192-CBC"),
            KeySize::Bits256 => (c"AES-256-ECB", c"AES-256-CTR", c"AES-256-CBC"),
        };
        let key = size.key();
        let block_cipher = |direction| {
            let context = Context::new(ecb, direction, &key, None);
            move |block: &mut aes::Block| context.update(block)
        };
        let setup = |direction| {
            let context = Context::new(ecb, direction, &key, None);
            move |key: &[u8]| context.set_key(key)
        };
        aes::encrypt_setup(
            suite,
            who,
            size,
            block_cipher(Direction::Encrypt),
            setup(Direction::Encrypt),
        );
        aes::decrypt_setup(
            suite,
            who,
            size,
            block_cipher(Direction::Decrypt),
            setup(Direction::Decrypt),
        );
        aes::encrypt(suite, who, size, block_cipher(Direction::Encrypt));
        aes::decrypt(suite, who, size, block_cipher(Direction::Decrypt));

        let mode = |cipher, direction| {
            let context = Context::new(cipher, direction, &key, Some(&aes::iv()));
            move |message: &mut [u8]| {
                context.set_iv(&aes::iv());
                context.update(message);
            }
        };
        for bytes in aes::SIZES {
            aes::ctr(suite, who, size, bytes, mode(ctr, Direction::Encrypt));
            aes::cbc_encrypt(suite, who, size, bytes, mode(cbc, Direction::Encrypt));
            aes::cbc_decrypt(suite, who, size, bytes, mode(cbc, Direction::Decrypt));
        }
    }
}

fn enter_aead(suite: &mut Suite, who: Implementation) {
    let (key, nonce) = (aead::key(), aead::nonce::<12>());
    let new = |direction| {
        Rc::new(Context::new(
            c"ChaCha20-Poly1305",
            direction,
            &key,
            Some(&nonce),
        ))
    };
    let (sealing, opening) = (new(Direction::Encrypt), new(Direction::Decrypt));
    for bytes in aead::SIZES {
        let context = Rc::clone(&sealing);
        aead::seal(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |message| {
                let mut tag = [0; 16];
                context.set_iv(&nonce);
                context.authenticate(&aead::aad());
                context.update(message);
                assert!(context.finish(), "sealing ends well");
                context.tag(EVP_CTRL_AEAD_GET_TAG, &mut tag);
                tag
            },
        );
        let context = Rc::clone(&opening);
        aead::open(
            suite,
            who,
            Variant::ChaCha20Poly1305,
            bytes,
            move |ciphertext, tag| {
                context.set_iv(&nonce);
                context.authenticate(&aead::aad());
                context.update(ciphertext);
                context.tag(EVP_CTRL_AEAD_SET_TAG, &mut tag.clone());
                context.finish()
            },
        );
    }
}

fn enter_chacha20(suite: &mut Suite, who: Implementation) {
    /// Little-endian words.
    fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
        let (chunks, _) = bytes.as_chunks();
        std::array::from_fn(|i| u32::from_le_bytes(chunks[i]))
    }
    for bytes in chacha20::SIZES {
        chacha20::encrypt(suite, who, bytes, |key, nonce, message| {
            let key: [u32; 8] = words(key);
            let [n0, n1, n2] = words(nonce);
            let counter = [0, n0, n1, n2];
            let at = message.as_mut_ptr();
            // SAFETY: reads and writes the message in place, which is allowed; key and counter block have 8 and 4
            // words.
            unsafe {
                (api().ChaCha20_ctr32)(at, at, message.len(), key.as_ptr(), counter.as_ptr());
            };
        });
    }
}

fn enter_poly1305(suite: &mut Suite, who: Implementation) {
    // SAFETY: the function has no conditions.
    let needed = unsafe { (api().Poly1305_ctx_size)() };
    assert!(
        needed <= size_of::<Poly1305State>(),
        "Poly1305's state has {needed} bytes"
    );
    for bytes in poly1305::SIZES {
        let mut state = Poly1305State([0; 1024]);
        poly1305::authenticate(suite, who, bytes, move |key, message| {
            let mut tag = [0; 16];
            let state: *mut Poly1305State = black_box(&mut state);
            // SAFETY: the state is large enough; the first call makes it of a key of 32 bytes, the second reads the
            // message, the third writes a tag of 16 bytes.
            unsafe {
                (api().Poly1305_Init)(state, key.as_ptr());
                (api().Poly1305_Update)(state, message.as_ptr(), message.len());
                (api().Poly1305_Final)(state, tag.as_mut_ptr());
            }
            tag
        });
    }
}

impl Context {
    /// A stitched cipher under its two keys, where the CPU has it.
    fn stitched(cipher_suite: CipherSuite, direction: Direction) -> Option<Self> {
        let name = match cipher_suite {
            CipherSuite::Aes128Sha1 => c"AES-128-CBC-HMAC-SHA1",
            CipherSuite::Aes256Sha1 => c"AES-256-CBC-HMAC-SHA1",
            CipherSuite::Aes128Sha256 => c"AES-128-CBC-HMAC-SHA256",
            CipherSuite::Aes256Sha256 => c"AES-256-CBC-HMAC-SHA256",
        };
        let key = cipher_suite.cipher_key();
        let context = Self::fetch(name, direction, &key, Some(&tls_cbc::iv()))?;
        let mut mac_key = cipher_suite.mac_key();
        let code = context.control(EVP_CTRL_AEAD_SET_MAC_KEY, &mut mac_key);
        assert!(code > 0, "the MAC key is taken");
        Some(context)
    }

    fn control(&self, control: c_int, bytes: &mut [u8]) -> c_int {
        let (at, len) = (bytes.as_mut_ptr().cast(), bytes.len() as c_int);
        // SAFETY: the context is live; the bytes go with their length.
        unsafe { (api().EVP_CIPHER_CTX_ctrl)(self.0, control, len, at) }
    }

    /// Works on a record in place; whether all went well. `len` is what the record's header says, in the direction of
    /// sealing that of the content.
    fn record(&self, record: &mut [u8], len: usize) -> bool {
        let mut header = [0; 13];
        header[..11].copy_from_slice(&tls_cbc::aad());
        header[11..].copy_from_slice(&(len as u16).to_be_bytes());
        self.set_iv(&tls_cbc::iv());
        self.control(EVP_CTRL_AEAD_TLS1_AAD, &mut header);
        let at = record.as_mut_ptr();
        // SAFETY: the context is live; reads and writes the record in place, which is allowed.
        unsafe { (api().EVP_Cipher)(self.0, at, at, record.len() as c_uint) > 0 }
    }
}

fn enter_tls_cbc(suite: &mut Suite, who: Implementation) {
    for cipher_suite in CipherSuite::ALL {
        let new = |direction| Context::stitched(cipher_suite, direction);
        let (Some(sealing), Some(opening)) = (new(Direction::Encrypt), new(Direction::Decrypt))
        else {
            continue;
        };
        tls_cbc::every_size(
            suite,
            who,
            cipher_suite,
            move |buffer, len| assert!(sealing.record(buffer, len), "sealing ends well"),
            // The length of the content is not told; the MAC covers it.
            move |record, _| opening.record(record, record.len()),
        );
    }
}

/// A hash function and a hasher.
struct Hasher {
    function: *mut c_void,
    context: *mut c_void,
}

impl Hasher {
    fn new(name: &CStr) -> Self {
        // SAFETY: null pointers mean the default library context and properties.
        let (function, context) = unsafe {
            let function = (api().EVP_MD_fetch)(null_mut(), name.as_ptr(), null());
            (function, (api().EVP_MD_CTX_new)())
        };
        assert!(
            !function.is_null() && !context.is_null(),
            "OpenSSL has the hash function"
        );
        Self { function, context }
    }

    fn absorb(&self, message: &[u8]) {
        // SAFETY: function and context are live; a null pointer means no engine; the message goes with its length.
        let codes = unsafe {
            [
                (api().EVP_DigestInit_ex)(self.context, self.function, null_mut()),
                (api().EVP_DigestUpdate)(self.context, message.as_ptr(), message.len()),
            ]
        };
        assert_eq!(codes, [1; 2], "hashing does not fail");
    }

    fn sha3_256(&self, message: &[u8]) -> keccak::Output {
        let mut output = [0; 32];
        self.absorb(message);
        // SAFETY: the context is live; 32 bytes are written; a null pointer means that the length is not asked for.
        let code =
            unsafe { (api().EVP_DigestFinal_ex)(self.context, output.as_mut_ptr(), null_mut()) };
        assert_eq!(code, 1, "hashing does not fail");
        output
    }

    fn shake128(&self, message: &[u8]) -> keccak::Output {
        let mut output = [0; 32];
        self.absorb(message);
        // SAFETY: the context is live; the output goes with its length.
        let code =
            unsafe { (api().EVP_DigestFinalXOF)(self.context, output.as_mut_ptr(), output.len()) };
        assert_eq!(code, 1, "hashing does not fail");
        output
    }
}

impl Drop for Hasher {
    fn drop(&mut self) {
        // SAFETY: both came from the functions in `new` and are freed once.
        unsafe {
            (api().EVP_MD_CTX_free)(self.context);
            (api().EVP_MD_free)(self.function);
        }
    }
}

fn enter_hash(suite: &mut Suite, who: Implementation) {
    for &bytes in Function::Sha3_256.sizes() {
        let hasher = Hasher::new(c"SHA3-256");
        keccak::hash(suite, who, Function::Sha3_256, bytes, move |message| {
            hasher.sha3_256(message)
        });
    }
    for &bytes in Function::Shake128.sizes() {
        let hasher = Hasher::new(c"SHAKE128");
        keccak::hash(suite, who, Function::Shake128, bytes, move |message| {
            hasher.shake128(message)
        });
    }
}

/// Absorbs a block of zeros, which leaves the permutation alone to be seen.
fn enter_keccak(suite: &mut Suite, who: Implementation) {
    const RATE: usize = 168;
    keccak::permutation(suite, who, |state| {
        let block = [0; RATE];
        // SAFETY: reads the block, whose length is the rate, and reads and writes the state.
        unsafe { (api().SHA3_absorb)(state, block.as_ptr(), block.len(), RATE) };
    });
}

/// A parameter set by its name, with the context that generates keys.
struct MlKem {
    name: &'static CStr,
    generator: *mut c_void,
}

/// A key of either kind, and the context for the one operation that it serves, which is made when it is first needed.
struct MlKemKey {
    key: *mut c_void,
    context: OnceCell<*mut c_void>,
}

impl MlKem {
    fn new(name: &'static CStr) -> Self {
        // SAFETY: null pointers mean the default library context and properties; the context is checked first.
        let (generator, code) = unsafe {
            let generator = (api().EVP_PKEY_CTX_new_from_name)(null_mut(), name.as_ptr(), null());
            assert!(!generator.is_null(), "OpenSSL has ML-KEM");
            (generator, (api().EVP_PKEY_keygen_init)(generator))
        };
        assert_eq!(code, 1, "OpenSSL generates keys of ML-KEM");
        Self { name, generator }
    }
}

impl Drop for MlKem {
    fn drop(&mut self) {
        // SAFETY: the context came from `EVP_PKEY_CTX_new_from_name` and is freed once.
        unsafe { (api().EVP_PKEY_CTX_free)(self.generator) };
    }
}

impl MlKemKey {
    fn new(key: *mut c_void) -> Self {
        assert!(!key.is_null(), "the key is valid");
        let context = OnceCell::new();
        Self { key, context }
    }

    /// The context, prepared by `init` at the first call.
    fn context(
        &self,
        init: unsafe extern "C" fn(*mut c_void, *const c_void) -> c_int,
    ) -> *mut c_void {
        *self.context.get_or_init(|| {
            // SAFETY: the key is live, and null pointers mean the default library context, properties and
            // parameters; the context is checked first.
            let (context, code) = unsafe {
                let context = (api().EVP_PKEY_CTX_new_from_pkey)(null_mut(), self.key, null());
                assert!(!context.is_null(), "there is memory");
                (context, init(context, null()))
            };
            assert_eq!(code, 1, "the key serves the operation");
            context
        })
    }
}

impl Drop for MlKemKey {
    fn drop(&mut self) {
        // SAFETY: the context, if there is one, and the key came from OpenSSL and are freed once.
        unsafe {
            if let Some(&context) = self.context.get() {
                (api().EVP_PKEY_CTX_free)(context);
            }
            (api().EVP_PKEY_free)(self.key);
        }
    }
}

impl Kem for MlKem {
    type DecapsulationKey = MlKemKey;
    type EncapsulationKey = MlKemKey;

    fn generate(&self, encoded: &mut [u8]) -> MlKemKey {
        let (mut key, mut len) = (null_mut(), encoded.len());
        // SAFETY: the context is live and initialised; the key is written before it is read; the encoded key goes with
        // the length that there is room for.
        let codes = unsafe {
            [
                (api().EVP_PKEY_generate)(self.generator, &mut key),
                (api().EVP_PKEY_get_raw_public_key)(key, encoded.as_mut_ptr(), &mut len),
            ]
        };
        assert_eq!((codes, len), ([1; 2], encoded.len()), "keys are generated");
        MlKemKey::new(key)
    }

    fn decapsulate(&self, key: &MlKemKey, ciphertext: &[u8]) -> SharedKey {
        let context = key.context(api().EVP_PKEY_decapsulate_init);
        let mut shared_key = [0; 32];
        let mut len = shared_key.len();
        // SAFETY: the context is live and initialised; both buffers go with their lengths.
        let code = unsafe {
            (api().EVP_PKEY_decapsulate)(
                context,
                shared_key.as_mut_ptr(),
                &mut len,
                ciphertext.as_ptr(),
                ciphertext.len(),
            )
        };
        assert_eq!((code, len), (1, 32), "the ciphertext has the right length");
        shared_key
    }

    fn parse(&self, encoded: &[u8]) -> MlKemKey {
        // SAFETY: null pointers mean the default library context and properties; the bytes go with their length.
        MlKemKey::new(unsafe {
            (api().EVP_PKEY_new_raw_public_key_ex)(
                null_mut(),
                self.name.as_ptr(),
                null(),
                encoded.as_ptr(),
                encoded.len(),
            )
        })
    }

    fn encapsulate(&self, key: &MlKemKey, ciphertext: &mut [u8]) -> SharedKey {
        let context = key.context(api().EVP_PKEY_encapsulate_init);
        let mut shared_key = [0; 32];
        let (mut ciphertext_len, mut len) = (ciphertext.len(), shared_key.len());
        // SAFETY: the context is live and initialised; both buffers go with their lengths.
        let code = unsafe {
            (api().EVP_PKEY_encapsulate)(
                context,
                ciphertext.as_mut_ptr(),
                &mut ciphertext_len,
                shared_key.as_mut_ptr(),
                &mut len,
            )
        };
        assert_eq!(
            (code, ciphertext_len, len),
            (1, ciphertext.len(), 32),
            "the ciphertext has room"
        );
        shared_key
    }
}

fn enter_kem(suite: &mut Suite, who: Implementation) {
    for (set, name) in [
        (ParameterSet::MlKem512, c"ML-KEM-512"),
        (ParameterSet::MlKem768, c"ML-KEM-768"),
        (ParameterSet::MlKem1024, c"ML-KEM-1024"),
    ] {
        kem::enter(suite, who, set, MlKem::new(name));
    }
}
