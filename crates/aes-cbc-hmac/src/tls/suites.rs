//! The ciphers and hashes of the CBC cipher suites.

use crate::{
    hash::{self, Hash},
    keys::WithBackend,
    sealed::Sealed,
};
use aead::array::ArraySize;
use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt,
    consts::{U16, U36, U48, U52, U64, U68, U80, U96},
};

/// A cipher and a hash.
pub trait Suite: Sealed + 'static {
    /// Bytes in the MAC key and the cipher key together.
    type KeySize: ArraySize;
    /// Bytes in the MAC key, the cipher key and the first IV together.
    type ChainedKeySize: ArraySize;
    /// Bytes in a MAC, and in a MAC key.
    const MAC_SIZE: usize = <Self::Hash as Hash>::OUTPUT_SIZE;

    #[doc(hidden)]
    type Enc: BlockCipherEncrypt<BlockSize = U16> + WithBackend;
    #[doc(hidden)]
    type Dec: BlockCipherDecrypt<BlockSize = U16> + WithBackend;
    #[doc(hidden)]
    type Hash: Hash;
}

macro_rules! suite {
    ($(#[$doc:meta])* $name:ident: $enc:ident, $dec:ident, $hash:ident, $key_size:ident, $chained_key_size:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Sealed for $name {}

        impl Suite for $name {
            type KeySize = $key_size;
            type ChainedKeySize = $chained_key_size;
            type Enc = aes_vpaes::$enc;
            type Dec = aes_vpaes::$dec;
            type Hash = hash::$hash;
        }
    };
}
suite!(
    /// AES-128-CBC with HMAC-SHA1: `TLS_…_WITH_AES_128_CBC_SHA` (RFC 5246, appendix A.5).
    /// Keys of 20 and 16 bytes.
    Aes128Sha1: Aes128Enc, Aes128Dec, Sha1, U36, U52
);
suite!(
    /// AES-128-CBC with HMAC-SHA256: `TLS_…_WITH_AES_128_CBC_SHA256` (RFC 5246, appendix A.5).
    /// Keys of 32 and 16 bytes.
    Aes128Sha256: Aes128Enc, Aes128Dec, Sha256, U48, U64
);
suite!(
    /// AES-256-CBC with HMAC-SHA1: `TLS_…_WITH_AES_256_CBC_SHA` (RFC 5246, appendix A.5).
    /// Keys of 20 and 32 bytes.
    Aes256Sha1: Aes256Enc, Aes256Dec, Sha1, U52, U68
);
suite!(
    /// AES-256-CBC with HMAC-SHA256: `TLS_…_WITH_AES_256_CBC_SHA256` (RFC 5246, appendix A.5).
    /// Keys of 32 and 32 bytes.
    Aes256Sha256: Aes256Enc, Aes256Dec, Sha256, U64, U80
);
suite!(
    /// AES-256-CBC with HMAC-SHA384: `TLS_…_WITH_AES_256_CBC_SHA384` (RFC 5289, section 3.1).
    /// Keys of 48 and 32 bytes.
    Aes256Sha384: Aes256Enc, Aes256Dec, Sha384, U80, U96
);
