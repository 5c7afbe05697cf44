//! KangarooTwelve (RFC 9861, section 3).

use core::fmt;

use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, HashMarker, Reset, Update,
    common::AlgorithmName,
    consts::{U16, U32},
};

use crate::backends::{Kernel, Token, with_kernel};
use crate::consts::is_xof_rate;
use crate::encode::length_encode;
use crate::lanes::take;
use crate::sponge::Sponge;
use crate::sponge_xn::SpongeXn;
use crate::xof::TURBO_ROUNDS;
use crate::{Backend, SpongeReader};

/// Bytes of a chunk (RFC 9861, section 3.2).
const CHUNK: usize = 8192;

// Domain separation bytes (RFC 9861, section 3.2).
const SINGLE_NODE: u8 = 0x07;
const LEAF: u8 = 0x0b;
const FINAL_NODE: u8 = 0x06;

/// KangarooTwelve with a rate of `RATE` bytes: 168 is KT128, 136 is KT256. Another rate fails to compile.
///
/// A message of more than 8192 bytes becomes a tree: its chunks of 8192 bytes are hashed independently, as many at
/// once as [`Backend::parallelism`] says, if one `update` brings them whole.
///
/// Without a customization string through the traits; with one through
/// [`finalize_xof_customized`](Self::finalize_xof_customized) or [`CustomRefKt`](crate::CustomRefKt).
///
/// ```
/// use keccak_unrolled::{ExtendableOutput, Kt128, Update, XofReader};
///
/// let mut digest = [0; 32];
/// Kt128::default().chain(b"message").finalize_xof_into(&mut digest);
///
/// let mut reader = Kt128::default().chain(b"message").finalize_xof_customized(b"My application");
/// reader.read(&mut digest);
/// ```
#[derive(Clone)]
pub struct Kt<const RATE: usize> {
    /// The final node, which begins with the first chunk.
    trunk: Sponge<RATE, TURBO_ROUNDS>,
    /// Bytes of the chunk in hand, `0..=CHUNK` for the first one, `0..CHUNK` for a leaf, which is closed when full.
    filled: usize,
    /// `None` while the message fits in the first chunk, which spares short messages the second sponge.
    leaves: Option<Leaves<RATE>>,
}

#[derive(Clone)]
struct Leaves<const RATE: usize> {
    /// The leaf in hand.
    sponge: Sponge<RATE, TURBO_ROUNDS>,
    closed: u64,
}

/// KT128 (RFC 9861): security strength 128 bits.
pub type Kt128 = Kt<168>;
/// KT256 (RFC 9861): security strength 256 bits.
pub type Kt256 = Kt<136>;

/// Output of KangarooTwelve.
pub type KtReader<const RATE: usize> = SpongeReader<RATE, TURBO_ROUNDS>;
/// Output of KT128.
pub type Kt128Reader = KtReader<168>;
/// Output of KT256.
pub type Kt256Reader = KtReader<136>;

impl<const RATE: usize> Kt<RATE> {
    /// A hasher on the named back end, or `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn with_backend(backend: Backend) -> Option<Self> {
        Token::new(backend).map(Self::empty)
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub const fn backend(&self) -> Backend {
        self.trunk.backend()
    }

    /// Ends the message and gives the output for the customization string C.
    #[must_use]
    pub fn finalize_xof_customized(mut self, customization: &[u8]) -> KtReader<RATE> {
        self.update(customization);
        self.update(length_encode(customization.len() as u128).as_slice());
        let Some(mut leaves) = self.leaves else {
            return SpongeReader::new(self.trunk, SINGLE_NODE);
        };
        if self.filled != 0 {
            leaves.close(&mut self.trunk);
        }
        self.trunk
            .absorb(length_encode(leaves.closed.into()).as_slice());
        self.trunk.absorb(&[0xff, 0xff]);
        SpongeReader::new(self.trunk, FINAL_NODE)
    }

    /// [`finalize_xof_customized`](Self::finalize_xof_customized), which leaves an empty hasher behind.
    #[must_use]
    pub fn finalize_xof_customized_reset(&mut self, customization: &[u8]) -> KtReader<RATE> {
        let empty = Self::empty(self.trunk.token());
        core::mem::replace(self, empty).finalize_xof_customized(customization)
    }

    #[inline]
    const fn empty(token: Token) -> Self {
        const { assert!(is_xof_rate(RATE), "the rate is 168 or 136 bytes") };
        Self {
            trunk: Sponge::new(token),
            filled: 0,
            leaves: None,
        }
    }

    /// `update` where the message leaves the first chunk, now or before.
    fn update_tree(&mut self, mut data: &[u8]) {
        let leaves = self.leaves.get_or_insert_with(|| {
            let (first, rest) = data.split_at(take(CHUNK, self.filled, data.len()));
            self.trunk.absorb(first);
            // RFC 9861, section 3.2: 0x03 and seven zeros, to the next whole lane.
            self.trunk.absorb(&[3, 0, 0, 0, 0, 0, 0, 0]);
            self.filled = 0;
            data = rest;
            Leaves {
                sponge: Sponge::new(self.trunk.token()),
                closed: 0,
            }
        });
        if self.filled != 0 {
            let (head, rest) = data.split_at(take(CHUNK, self.filled, data.len()));
            leaves.sponge.absorb(head);
            self.filled += head.len();
            if self.filled < CHUNK {
                return;
            }
            leaves.close(&mut self.trunk);
            data = rest;
        }
        let (whole, tail) = data.as_chunks();
        with_kernel!(self.trunk.token(), kernel => absorb_leaves(kernel, &mut self.trunk, whole));
        leaves.closed += whole.len() as u64;
        leaves.sponge.absorb(tail);
        self.filled = tail.len();
    }
}

impl<const RATE: usize> Leaves<RATE> {
    /// Bytes of a chaining value: the capacity.
    const CHAINING: usize = 200 - RATE;

    /// Ends the leaf in hand: its chaining value goes to the final node.
    fn close(&mut self, trunk: &mut Sponge<RATE, TURBO_ROUNDS>) {
        let mut value = [0; 64];
        let value = &mut value[..Self::CHAINING];
        self.sponge.finalize(LEAF, value);
        self.sponge.reset();
        self.closed += 1;
        trunk.absorb(value);
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(value);
    }
}

/// Absorbs the chaining values of whole leaves, as many at once as the kernel has states.
#[inline(always)]
fn absorb_leaves<K: Kernel, const RATE: usize>(
    kernel: K,
    trunk: &mut Sponge<RATE, TURBO_ROUNDS>,
    mut leaves: &[[u8; CHUNK]],
) {
    if K::WIDTH >= 8 {
        leaves = absorb_leaves_xn::<K, RATE, 8>(kernel, trunk, leaves);
    }
    if K::WIDTH >= 4 {
        leaves = absorb_leaves_xn::<K, RATE, 4>(kernel, trunk, leaves);
    }
    if K::WIDTH >= 2 {
        leaves = absorb_leaves_xn::<K, RATE, 2>(kernel, trunk, leaves);
    }
    absorb_leaves_xn::<K, RATE, 1>(kernel, trunk, leaves);
}

/// Absorbs the chaining values of leaves, `N` at once, and gives back those that make no `N`.
#[inline(always)]
fn absorb_leaves_xn<'a, K: Kernel, const RATE: usize, const N: usize>(
    kernel: K,
    trunk: &mut Sponge<RATE, TURBO_ROUNDS>,
    leaves: &'a [[u8; CHUNK]],
) -> &'a [[u8; CHUNK]] {
    let (groups, rest) = leaves.as_chunks::<N>();
    for group in groups {
        let mut values = [[0; 64]; N];
        let messages = group.each_ref().map(|leaf| &leaf[..]);
        let mut sponges = SpongeXn::<RATE, TURBO_ROUNDS, N>::new(trunk.token());
        sponges.absorb(kernel, &messages, LEAF);
        sponges.squeeze(
            kernel,
            values
                .each_mut()
                .map(|value| &mut value[..Leaves::<RATE>::CHAINING]),
        );
        for value in &values {
            trunk.absorb(&value[..Leaves::<RATE>::CHAINING]);
        }
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(values.as_flattened_mut());
    }
    rest
}

impl<const RATE: usize> Default for Kt<RATE> {
    #[inline]
    fn default() -> Self {
        Self::empty(Token::detect())
    }
}

impl<const RATE: usize> Update for Kt<RATE> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        if self.leaves.is_none() && data.len() <= CHUNK - self.filled {
            self.trunk.absorb(data);
            self.filled += data.len();
        } else {
            self.update_tree(data);
        }
    }
}

impl<const RATE: usize> ExtendableOutput for Kt<RATE> {
    type Reader = KtReader<RATE>;

    #[inline]
    fn finalize_xof(self) -> Self::Reader {
        self.finalize_xof_customized(&[])
    }
}

impl<const RATE: usize> ExtendableOutputReset for Kt<RATE> {
    fn finalize_xof_reset(&mut self) -> Self::Reader {
        self.finalize_xof_customized_reset(&[])
    }
}

impl<const RATE: usize> Reset for Kt<RATE> {
    fn reset(&mut self) {
        *self = Self::empty(self.trunk.token());
    }
}

impl<const RATE: usize> HashMarker for Kt<RATE> {}

impl<const RATE: usize> AlgorithmName for Kt<RATE> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if RATE == 168 { "KT128" } else { "KT256" })
    }
}

impl<const RATE: usize> fmt::Debug for Kt<RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if RATE == 168 {
            "Kt128 { .. }"
        } else {
            "Kt256 { .. }"
        })
    }
}

// RFC 9861, section 7: 128 and 256 bits.
impl CollisionResistance for Kt128 {
    type CollisionResistance = U16;
}

impl CollisionResistance for Kt256 {
    type CollisionResistance = U32;
}

#[cfg(feature = "zeroize")]
impl<const RATE: usize> zeroize::ZeroizeOnDrop for Kt<RATE> {}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::vec::Vec;

    use super::{CHUNK, absorb_leaves_xn};
    use crate::Backend;
    use crate::backends::{Token, with_kernel};
    use crate::sponge::Sponge;

    /// Leaves taken 2, 4 and 8 at once by every kernel, whatever width it prefers, give the same final node as
    /// one by one, which the public types are tested with.
    #[test]
    fn leaves_at_once_are_leaves_one_by_one() {
        let leaves: Vec<[u8; CHUNK]> = (0..9)
            .map(|i| core::array::from_fn(|j| (i * 31 + j * j / 5) as u8))
            .collect();
        for backend in Backend::available() {
            macro_rules! trunk {
                ($rate:literal, $n:literal) => {{
                    let mut trunk = Sponge::<$rate, 12>::new(Token::new(backend).unwrap());
                    with_kernel!(trunk.token(), kernel => {
                        let rest = absorb_leaves_xn::<_, $rate, $n>(kernel, &mut trunk, &leaves);
                        assert_eq!(rest.len(), leaves.len() - leaves.len() / $n * $n);
                        absorb_leaves_xn::<_, $rate, 1>(kernel, &mut trunk, rest);
                    });
                    trunk.export()
                }};
            }
            let (kt128, kt256) = (trunk!(168, 1), trunk!(136, 1));
            assert_eq!(
                (trunk!(168, 2), trunk!(136, 2)),
                (kt128, kt256),
                "{backend}"
            );
            assert_eq!(
                (trunk!(168, 4), trunk!(136, 4)),
                (kt128, kt256),
                "{backend}"
            );
            assert_eq!(
                (trunk!(168, 8), trunk!(136, 8)),
                (kt128, kt256),
                "{backend}"
            );
        }
    }
}
