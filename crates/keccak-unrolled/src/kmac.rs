//! KMAC (SP 800-185, section 4).

use core::fmt;

use digest::{
    ExtendableOutput, FixedOutput, InvalidLength, Key, KeyInit, MacError, MacMarker, Output,
    OutputSizeUser, Update, XofReader,
    common::{AlgorithmName, KeySizeUser},
    consts::{U16, U32, U64},
};

use crate::backends::Token;
use crate::consts::{F1600_ROUNDS, is_xof_rate};
use crate::cshake::{CSHAKE_SUFFIX, absorb_padded};
use crate::encode::right_encode;
use crate::sponge::Sponge;
use crate::{Backend, SpongeReader};

/// A sponge that has absorbed the names and the key.
fn keyed<const RATE: usize>(
    token: Token,
    key: &[u8],
    customization: &[u8],
) -> Sponge<RATE, F1600_ROUNDS> {
    let mut sponge = Sponge::new(token);
    absorb_padded(&mut sponge, &[b"KMAC", customization]);
    absorb_padded(&mut sponge, &[key]);
    sponge
}

macro_rules! kmac {
    ($(#[$attr:meta])* $name:ident, $algorithm:literal, $kmac128:ident, $kmac256:ident) => {
        $(#[$attr])*
        #[derive(Clone)]
        pub struct $name<const RATE: usize>(Sponge<RATE, F1600_ROUNDS>);

        #[doc = concat!($algorithm, "128 (SP 800-185, section 4): security strength 128 bits, rate 168 bytes.")]
        pub type $kmac128 = $name<168>;
        #[doc = concat!($algorithm, "256 (SP 800-185, section 4): security strength 256 bits, rate 136 bytes.")]
        pub type $kmac256 = $name<136>;

        impl<const RATE: usize> $name<RATE> {
            const IS_STANDARD: () = assert!(is_xof_rate(RATE), "the rate is 168 or 136 bytes");

            /// A key of any length and a customization string S, which may be empty.
            ///
            /// SP 800-185, section 8.4.1: a key should have as many bits as the security strength.
            #[must_use]
            pub fn new_customized(key: &[u8], customization: &[u8]) -> Self {
                const { Self::IS_STANDARD };
                Self(keyed(Token::detect(), key, customization))
            }

            /// [`new_customized`](Self::new_customized) on the named back end, or `None` where this CPU cannot run
            /// it.
            #[must_use]
            pub fn new_with_backend(backend: Backend, key: &[u8], customization: &[u8]) -> Option<Self> {
                const { Self::IS_STANDARD };
                Token::new(backend).map(|token| Self(keyed(token, key, customization)))
            }

            /// The back end in use.
            #[must_use]
            #[inline]
            pub const fn backend(&self) -> Backend {
                self.0.backend()
            }
        }

        impl<const RATE: usize> Update for $name<RATE> {
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.absorb(data);
            }
        }

        impl KeySizeUser for $kmac128 {
            type KeySize = U16;
        }

        impl KeySizeUser for $kmac256 {
            type KeySize = U32;
        }

        /// `new_from_slice` takes a key of any length and cannot fail. The customization string is empty.
        impl<const RATE: usize> KeyInit for $name<RATE>
        where
            Self: KeySizeUser,
        {
            #[inline]
            fn new(key: &Key<Self>) -> Self {
                Self::new_customized(key, &[])
            }

            #[inline]
            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                Ok(Self::new_customized(key, &[]))
            }
        }

        impl<const RATE: usize> AlgorithmName for $name<RATE> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(if RATE == 168 {
                    concat!($algorithm, "128")
                } else {
                    concat!($algorithm, "256")
                })
            }
        }

        impl<const RATE: usize> fmt::Debug for $name<RATE> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(if RATE == 168 {
                    concat!(stringify!($kmac128), " { .. }")
                } else {
                    concat!(stringify!($kmac256), " { .. }")
                })
            }
        }

        #[cfg(feature = "zeroize")]
        impl<const RATE: usize> zeroize::ZeroizeOnDrop for $name<RATE> {}
    };
}

kmac!(
    /// KMAC with a rate of `RATE` bytes: 168 is KMAC128, 136 is KMAC256. Another rate fails to compile.
    ///
    /// The length of the tag is part of what is authenticated: a tag of 16 bytes is not the beginning of a tag
    /// of 32. Through [`Mac`](digest::Mac) the tag has 32 bytes (KMAC128) or 64 (KMAC256), of which
    /// `verify_truncated_left` compares the beginning; [`finalize_variable`](Self::finalize_variable) and
    /// [`verify_variable`](Self::verify_variable) work with a tag of the length that is asked for.
    ///
    /// It has no `Reset`, since that would need a second state: clone a keyed instance instead.
    ///
    /// ```
    /// use keccak_unrolled::{Kmac256, Mac, Update};
    ///
    /// let keyed = Kmac256::new_customized(b"a key of at least 32 bytes, secret", b"My Tagged Application");
    /// let tag = Mac::finalize(keyed.clone().chain(b"message")).into_bytes();
    /// assert!(keyed.chain(b"message").verify_slice(&tag).is_ok());
    /// ```
    Kmac, "KMAC", Kmac128, Kmac256
);

kmac!(
    /// KMAC with arbitrary-length output (SP 800-185, section 4.3.1) and a rate of `RATE` bytes: 168 is KMACXOF128,
    /// 136 is KMACXOF256. Another rate fails to compile.
    ///
    /// The length of the output is not authenticated: a short output is the beginning of a long one.
    ///
    /// It has no `Reset`, since that would need a second state: clone a keyed instance instead.
    KmacXof, "KMACXOF", KmacXof128, KmacXof256
);

impl<const RATE: usize> Kmac<RATE> {
    /// A tag of `out.len()` bytes, which is authenticated with the message.
    #[inline]
    pub fn finalize_variable(self, out: &mut [u8]) {
        self.tag(out.len()).read(out);
    }

    /// Compares `tag` with the tag of its length, in constant time.
    ///
    /// # Errors
    ///
    /// [`MacError`] if the tag is wrong or empty. Whoever may choose the length of the tag may choose one byte: check the
    /// length first where it comes from outside.
    pub fn verify_variable(self, tag: &[u8]) -> Result<(), MacError> {
        let mut reader = self.tag(tag.len());
        let mut difference = 0;
        for part in tag.chunks(RATE) {
            let mut expected = [0; RATE];
            let expected = &mut expected[..part.len()];
            reader.read(expected);
            for (&a, &b) in expected.iter().zip(part) {
                difference |= a ^ b;
            }
            #[cfg(feature = "zeroize")]
            zeroize::Zeroize::zeroize(expected);
        }
        // PUBLIC: whether the tag is right. The barrier keeps the compiler from leaving the loop early.
        if core::hint::black_box(difference) == 0 && !tag.is_empty() {
            Ok(())
        } else {
            Err(MacError)
        }
    }

    /// The output that belongs to a tag of `len` bytes.
    #[inline]
    fn tag(mut self, len: usize) -> SpongeReader<RATE, F1600_ROUNDS> {
        self.0.absorb(right_encode(8 * len as u128).as_slice());
        SpongeReader::new(self.0, CSHAKE_SUFFIX)
    }
}

impl OutputSizeUser for Kmac128 {
    type OutputSize = U32;
}

impl OutputSizeUser for Kmac256 {
    type OutputSize = U64;
}

impl<const RATE: usize> FixedOutput for Kmac<RATE>
where
    Self: OutputSizeUser,
{
    #[inline]
    fn finalize_into(self, out: &mut Output<Self>) {
        self.finalize_variable(out);
    }
}

impl<const RATE: usize> MacMarker for Kmac<RATE> {}

impl<const RATE: usize> ExtendableOutput for KmacXof<RATE> {
    type Reader = SpongeReader<RATE, F1600_ROUNDS>;

    #[inline]
    fn finalize_xof(mut self) -> Self::Reader {
        self.0.absorb(right_encode(0).as_slice());
        SpongeReader::new(self.0, CSHAKE_SUFFIX)
    }
}
