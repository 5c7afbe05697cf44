//! A MAC key and a cipher key, cut from one.

#![forbid(unsafe_code)]

use crate::{Backend, hash::Hash, hmac::Hmac};
use cipher::{Key, KeySizeUser, typenum::Unsigned};
use core::fmt;

/// A block cipher that can be told its back end.
pub trait WithBackend: KeySizeUser + Sized {
    /// The cipher, or `None` where this CPU cannot run the back end.
    fn with_backend(backend: Backend, key: &Key<Self>) -> Option<Self>;
}

macro_rules! with_backend {
    ($($cipher:ident)*) => {$(
        impl WithBackend for aes_vpaes::$cipher {
            #[inline]
            fn with_backend(backend: Backend, key: &Key<Self>) -> Option<Self> {
                Self::new_with_backend(backend.aes(), key)
            }
        }
    )*};
}
with_backend!(Aes128 Aes128Enc Aes128Dec Aes192 Aes256 Aes256Enc Aes256Dec);

/// The keys of a cipher `C` and a hash `H`, and the back end that uses them.
pub struct Keys<C, H: Hash> {
    pub(crate) cipher: C,
    pub(crate) hmac: Hmac<H>,
    pub(crate) backend: Backend,
}

impl<C: WithBackend, H: Hash> Keys<C, H> {
    /// The MAC key comes first, the cipher key ends the bytes; `None` where this CPU cannot run the back end.
    ///
    /// # Panics
    /// If there are fewer bytes than the cipher key has.
    pub(crate) fn new(backend: Backend, key: &[u8]) -> Option<Self> {
        let (mac_key, cipher_key) = key.split_at(key.len() - C::KeySize::USIZE);
        let cipher_key = cipher_key
            .try_into()
            .expect("as many bytes as the cipher key has");
        Some(Self {
            cipher: C::with_backend(backend, cipher_key)?,
            hmac: Hmac::new(mac_key),
            backend,
        })
    }
}

impl<C, H: Hash> fmt::Debug for Keys<C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").finish_non_exhaustive()
    }
}
