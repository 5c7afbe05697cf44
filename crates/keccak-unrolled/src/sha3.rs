//! SHA-3 (FIPS 202, section 6.1) and Keccak as it was submitted to the competition.

use core::fmt;

use digest::{
    FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update,
    block_api::{
        AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, Eager, EagerHash,
        FixedOutputCore, UpdateCore,
    },
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    consts::{U28, U32, U48, U64, U72, U104, U136, U144, U200, U201},
};

use crate::Backend;
use crate::backends::Token;
use crate::batch::digest_batch;
use crate::consts::F1600_ROUNDS;
use crate::sponge::Sponge;

/// The domain separation bits 01 of SHA-3, then the first bit of the padding.
const SHA3_SUFFIX: u8 = 0x06;
/// Keccak has no domain separation bits.
const KECCAK_SUFFIX: u8 = 0x01;

macro_rules! hash {
    ($(
        $(#[$attr:meta])*
        $name:ident, rate $rate:literal $block_size:ty, output $($digest:literal)? $output_size:ty, $suffix:expr $(, oid $oid:literal)?;
    )*) => {$(
        $(#[$attr])*
        #[derive(Clone)]
        pub struct $name(Sponge<$rate, F1600_ROUNDS>);

        impl $name {
            /// A hasher on the named back end, or `None` where this CPU cannot run it.
            #[must_use]
            #[inline]
            pub fn with_backend(backend: Backend) -> Option<Self> {
                Token::new(backend).map(|token| Self(Sponge::new(token)))
            }

            $(
                /// The digest of each message, of any lengths, at the same index in `digests`; as many are
                /// hashed at once as [`Backend::parallelism`] says.
                ///
                /// # Panics
                ///
                /// If there are not as many digests as messages.
                #[inline]
                pub fn digest_batch(messages: &[&[u8]], digests: &mut [[u8; $digest]]) {
                    assert_eq!(messages.len(), digests.len(), "one digest for each message");
                    digest_batch::<$rate, $digest>(Token::detect(), $suffix, messages, digests);
                }

                /// [`digest_batch`](Self::digest_batch) on the named back end, or `None` where this CPU cannot run it.
                ///
                /// # Panics
                ///
                /// If there are not as many digests as messages.
                #[must_use]
                #[inline]
                pub fn digest_batch_with_backend(
                    backend: Backend,
                    messages: &[&[u8]],
                    digests: &mut [[u8; $digest]],
                ) -> Option<()> {
                    assert_eq!(messages.len(), digests.len(), "one digest for each message");
                    Token::new(backend).map(|token| {
                        digest_batch::<$rate, $digest>(token, $suffix, messages, digests);
                    })
                }
            )?

            /// The back end in use.
            #[must_use]
            #[inline]
            pub const fn backend(&self) -> Backend {
                self.0.backend()
            }
        }

        impl Default for $name {
            #[inline]
            fn default() -> Self {
                Self(Sponge::new(Token::detect()))
            }
        }

        impl Update for $name {
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.0.absorb(data);
            }
        }

        impl FixedOutput for $name {
            #[inline]
            fn finalize_into(mut self, out: &mut Output<Self>) {
                self.0.finalize($suffix, out);
            }
        }

        impl FixedOutputReset for $name {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                self.0.finalize($suffix, out);
                self.0.reset();
            }
        }

        impl Reset for $name {
            #[inline]
            fn reset(&mut self) {
                self.0.reset();
            }
        }

        impl HashMarker for $name {}

        impl BlockSizeUser for $name {
            type BlockSize = $block_size;
        }

        impl OutputSizeUser for $name {
            type OutputSize = $output_size;
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }

        // What `hmac::Hmac` and its users ask for. The hasher is its own block-level core: a sponge
        // needs no buffer in front of it.
        impl EagerHash for $name {
            type Core = Self;
        }

        impl UpdateCore for $name {
            #[inline]
            fn update_blocks(&mut self, blocks: &[Block<Self>]) {
                for block in blocks {
                    self.0.absorb(block);
                }
            }
        }

        impl BufferKindUser for $name {
            type BufferKind = Eager;
        }

        impl FixedOutputCore for $name {
            #[inline]
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                self.0.absorb(buffer.get_data());
                buffer.reset();
                self.0.finalize($suffix, out);
            }
        }

        impl SerializableState for $name {
            type SerializedStateSize = U201;

            fn serialize(&self) -> SerializedState<Self> {
                self.0.export().into()
            }

            fn deserialize(state: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                Sponge::import(Token::detect(), &state.0).map(Self).ok_or(DeserializeStateError)
            }
        }

        $(
            #[cfg(feature = "oid")]
            impl digest::const_oid::AssociatedOid for $name {
                const OID: digest::const_oid::ObjectIdentifier =
                    digest::const_oid::ObjectIdentifier::new_unwrap($oid);
            }
        )?

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $name {}
    )*};
}

hash!(
    /// SHA3-224 (FIPS 202, section 6.1): digest 28 bytes, block (rate) 144 bytes.
    Sha3_224, rate 144 U144, output 28 U28, SHA3_SUFFIX, oid "2.16.840.1.101.3.4.2.7";
    /// SHA3-256 (FIPS 202, section 6.1): digest 32 bytes, block (rate) 136 bytes.
    Sha3_256, rate 136 U136, output 32 U32, SHA3_SUFFIX, oid "2.16.840.1.101.3.4.2.8";
    /// SHA3-384 (FIPS 202, section 6.1): digest 48 bytes, block (rate) 104 bytes.
    Sha3_384, rate 104 U104, output 48 U48, SHA3_SUFFIX, oid "2.16.840.1.101.3.4.2.9";
    /// SHA3-512 (FIPS 202, section 6.1): digest 64 bytes, block (rate) 72 bytes.
    Sha3_512, rate 72 U72, output 64 U64, SHA3_SUFFIX, oid "2.16.840.1.101.3.4.2.10";

    /// Keccak-224 with the padding of the competition: digest 28 bytes, block (rate) 144 bytes.
    Keccak224, rate 144 U144, output 28 U28, KECCAK_SUFFIX;
    /// Keccak-256 with the padding of the competition (Ethereum's hash): digest 32 bytes, block (rate) 136 bytes.
    Keccak256, rate 136 U136, output 32 U32, KECCAK_SUFFIX;
    /// Keccak-384 with the padding of the competition: digest 48 bytes, block (rate) 104 bytes.
    Keccak384, rate 104 U104, output 48 U48, KECCAK_SUFFIX;
    /// Keccak-512 with the padding of the competition: digest 64 bytes, block (rate) 72 bytes.
    Keccak512, rate 72 U72, output 64 U64, KECCAK_SUFFIX;

    /// Keccak-256 whose digest is the whole state, 200 bytes (CryptoNight). It holds the capacity, so it
    /// hides nothing of the message's state.
    Keccak256Full, rate 136 U136, output U200, KECCAK_SUFFIX;
);
