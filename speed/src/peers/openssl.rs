//! OpenSSL: AES and ChaCha20-Poly1305 through EVP, ChaCha20 and Poly1305 through the functions inside libcrypto that
//! EVP ends at (entered as `openssl internal`).

use std::{
    ffi::{CStr, c_char, c_int, c_void},
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
        chacha20, poly1305,
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

/// A cipher under a key, without padding.
struct Context(*mut c_void);

impl Context {
    /// `key` and `iv` have the cipher's lengths; ECB has no `iv`.
    fn new(cipher: &CStr, direction: Direction, key: &[u8], iv: Option<&[u8]>) -> Self {
        let api = api();
        let iv = iv.map_or(null(), <[u8]>::as_ptr);
        // SAFETY: null pointers mean the default library context, properties and engine; the context takes its own
        // reference to the cipher, so that ours is given back; key and iv are read in the cipher's lengths.
        let (context, code) = unsafe {
            let cipher = (api.EVP_CIPHER_fetch)(null_mut(), cipher.as_ptr(), null());
            let context = (api.EVP_CIPHER_CTX_new)();
            assert!(
                !cipher.is_null() && !context.is_null(),
                "OpenSSL has the cipher"
            );
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
        Self(context)
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
    let internal = Implementation {
        backend: Some("internal"),
        ..evp
    };
    enter_chacha20(suite, internal);
    enter_poly1305(suite, internal);
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
