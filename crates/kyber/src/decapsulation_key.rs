//! Decapsulation keys: generation, import with the checks of section 7.3, export, decapsulation (FIPS 203, sections
//! 6.1, 6.3 and 7.3).

use crate::{
    ExpandedDecapsulationKey, Seed, SharedKey,
    backends::Backend,
    ct::{copy_if, equal_mask},
    encapsulation_key::EncapsulationKey,
    hash::{g, h, j},
    k_pke::{DecryptionKey, decode_vector, decrypt, encode_vector},
    params::{ParameterSet, Scheme},
    wipe::{Secret, Wipe, wipe_slice},
};
use core::fmt;
use hybrid_array::{Array, ArraySize, sizes::U64};
use kem::{
    Ciphertext, Decapsulate, Decapsulator, Generate, InvalidKey, KeyExport, KeyInit, KeySizeUser,
    common::rand_core::{CryptoRng, TryCryptoRng},
};

/// A decapsulation key: the private key, with the [`EncapsulationKey`] that belongs to it.
///
/// It is kept expanded: 4228 bytes for k = 2, 7812 for k = 3, 12420 for k = 4. The short and preferred encoding is
/// the [`Seed`] of 64 bytes; [`ExpandedKeyEncoding`] is the other one.
///
/// Two keys cannot be compared; compare the encapsulation keys.
#[derive(Clone)]
pub struct DecapsulationKey<P: ParameterSet> {
    ek: EncapsulationKey<P>,
    s_hat: DecryptionKey<P>,
    z: Secret<[u8; 32]>,
    /// Zero if the key was imported in expanded form. No `Option`: the unused bytes of its `None` may hold what was on
    /// the stack before, and nothing wipes them.
    d: Secret<[u8; 32]>,
    has_seed: bool,
}

impl<P: ParameterSet> DecapsulationKey<P> {
    /// Expands a key from its seed d ‖ z of 64 bytes (Algorithm 16, ML-KEM.KeyGen_internal).
    #[must_use]
    #[inline]
    pub fn from_seed(mut seed: Seed) -> Self {
        let mut key = Self::ZERO;
        key.generate(Backend::detect(), &seed.0);
        seed.0.wipe();
        key
    }

    /// [`from_seed`](Self::from_seed) on the back end given; `None` where this CPU cannot run it.
    #[must_use]
    pub fn from_seed_with_backend(backend: Backend, mut seed: Seed) -> Option<Self> {
        let mut key = backend.is_available().then_some(Self::ZERO);
        if let Some(key) = &mut key {
            key.generate(backend, &seed.0);
        }
        seed.0.wipe();
        key
    }

    /// Decodes an expanded key (FIPS 203, Algorithm 16: ByteEncode_12(s) ‖ ek ‖ H(ek) ‖ z).
    ///
    /// Coefficients of s that are not below q are reduced, as ByteDecode_12 demands.
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] if the encapsulation key inside has a coefficient that is not below q, or if the hash does not
    /// match it (FIPS 203, section 7.3, hash check).
    #[inline]
    pub fn from_expanded(encoded: &ExpandedDecapsulationKey<P>) -> Result<Self, InvalidKey> {
        Self::decode(Backend::detect(), encoded)
    }

    /// [`from_expanded`](Self::from_expanded) of a slice.
    ///
    /// # Errors
    ///
    /// As `from_expanded`, and [`InvalidKey`] if the length is wrong.
    #[inline]
    pub fn from_expanded_slice(encoded: &[u8]) -> Result<Self, InvalidKey> {
        let encoded = encoded.try_into().map_err(|_| InvalidKey)?;
        Self::from_expanded(encoded)
    }

    /// [`from_expanded`](Self::from_expanded) on the back end given; `None` where this CPU cannot run it.
    ///
    /// # Errors
    ///
    /// As `from_expanded`.
    #[must_use]
    #[inline]
    pub fn from_expanded_with_backend(
        backend: Backend,
        encoded: &ExpandedDecapsulationKey<P>,
    ) -> Option<Result<Self, InvalidKey>> {
        backend
            .is_available()
            .then(|| Self::decode(backend, encoded))
    }

    /// The seed that the key was made from; `None` for a key that was imported in expanded form.
    #[must_use]
    pub fn to_seed(&self) -> Option<Seed> {
        self.has_seed.then(|| {
            let mut seed = Seed::default();
            seed[..32].copy_from_slice(&*self.d);
            seed[32..].copy_from_slice(&*self.z);
            seed
        })
    }

    /// The encapsulation key that belongs to this one.
    #[must_use]
    #[inline]
    pub fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.ek
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub fn backend(&self) -> Backend {
        self.ek.backend()
    }

    /// A key to be filled in.
    const ZERO: Self = Self {
        ek: EncapsulationKey::ZERO,
        s_hat: Secret::ZERO,
        z: Secret::ZERO,
        d: Secret::ZERO,
        has_seed: false,
    };

    /// Fills the key in from its seed.
    #[inline(never)]
    fn generate(&mut self, backend: Backend, seed: &[u8; 64]) {
        let (halves, _) = seed.as_chunks();
        self.ek.pke.generate(backend, &mut self.s_hat, &halves[0]);
        self.ek.fill_hash();
        self.d.0 = halves[0];
        self.z.0 = halves[1];
        self.has_seed = true;
    }

    fn decode(backend: Backend, encoded: &ExpandedDecapsulationKey<P>) -> Result<Self, InvalidKey> {
        let mut key = Self::ZERO;
        if key.fill_from(backend, encoded) {
            Ok(key)
        } else {
            Err(InvalidKey)
        }
    }

    #[must_use]
    #[inline(never)]
    fn fill_from(&mut self, backend: Backend, encoded: &[u8]) -> bool {
        let (s, rest) = encoded.split_at(384 * P::K);
        let (ek, rest) = rest.split_at(384 * P::K + 32);
        let (hash, z) = rest.split_at(32);
        decode_vector(s.as_chunks().0, self.s_hat.as_mut());
        self.z.copy_from_slice(z);
        // PUBLIC: the encapsulation key, its hash, and whether they fit together.
        self.ek.fill_from(backend, ek) && self.ek.hash == hash
    }

    /// Algorithm 19, ML-KEM.KeyGen, of a pair.
    pub(crate) fn generate_keypair<R: CryptoRng>(rng: &mut R) -> (Self, EncapsulationKey<P>) {
        let mut seed = Secret::ZERO;
        fill_seed(rng, &mut seed).unwrap_or_else(|error| match error {});
        let mut pair = (Self::ZERO, EncapsulationKey::ZERO);
        pair.0.generate(Backend::detect(), &seed);
        pair.1.copy_from(&pair.0.ek);
        pair
    }
}

/// d, then z, in two draws. In place: a returned seed would leave a copy, and an error what was drawn before.
fn fill_seed<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    seed: &mut Secret<[u8; 64]>,
) -> Result<(), R::Error> {
    seed.chunks_exact_mut(32)
        .try_for_each(|half| rng.try_fill_bytes(half))
}

impl<P: ParameterSet> Generate for DecapsulationKey<P> {
    /// Algorithm 19, ML-KEM.KeyGen: draws d and then z, 32 bytes each.
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Secret::ZERO;
        fill_seed(rng, &mut seed)?;
        let mut key = Self::ZERO;
        key.generate(Backend::detect(), &seed);
        Ok(key)
    }
}

impl<P: ParameterSet> KeySizeUser for DecapsulationKey<P> {
    type KeySize = U64;
}

impl<P: ParameterSet> KeyInit for DecapsulationKey<P> {
    fn new(seed: &Seed) -> Self {
        let mut key = Self::ZERO;
        key.generate(Backend::detect(), &seed.0);
        key
    }
}

impl<P: ParameterSet> From<Seed> for DecapsulationKey<P> {
    #[inline]
    fn from(seed: Seed) -> Self {
        Self::from_seed(seed)
    }
}

impl<P: ParameterSet> KeyExport for DecapsulationKey<P> {
    /// The seed that the key was made from.
    ///
    /// # Panics
    ///
    /// If the key was imported in expanded form, which has no seed; see [`to_seed`](Self::to_seed).
    fn to_bytes(&self) -> Seed {
        self.to_seed()
            .expect("a key imported in expanded form has no seed")
    }
}

/// The expanded form of decapsulation keys, 768 k + 96 bytes: 1632, 2400 or 3168.
///
/// Seeds are shorter and need no check. This form is for what other implementations have stored.
pub trait ExpandedKeyEncoding: Sized {
    /// Bytes in an expanded key.
    type EncodedSize: ArraySize;

    /// Decodes a key: [`DecapsulationKey::from_expanded`].
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] if the key fails a check.
    fn from_expanded_bytes(encoded: &Array<u8, Self::EncodedSize>) -> Result<Self, InvalidKey>;

    /// The encoded key.
    fn to_expanded_bytes(&self) -> Array<u8, Self::EncodedSize>;
}

impl<P: ParameterSet> ExpandedKeyEncoding for DecapsulationKey<P> {
    type EncodedSize = P::ExpandedDecapsulationKeySize;

    #[inline]
    fn from_expanded_bytes(encoded: &ExpandedDecapsulationKey<P>) -> Result<Self, InvalidKey> {
        Self::from_expanded(encoded)
    }

    fn to_expanded_bytes(&self) -> ExpandedDecapsulationKey<P> {
        let mut encoded = Array::default();
        let (s, rest) = encoded.split_at_mut(384 * P::K);
        let (ek, rest) = rest.split_at_mut(384 * P::K + 32);
        let (hash, z) = rest.split_at_mut(32);
        encode_vector(self.s_hat.as_ref(), s.as_chunks_mut().0);
        self.ek.pke.encode(ek);
        hash.copy_from_slice(&self.ek.hash);
        z.copy_from_slice(&*self.z);
        encoded
    }
}

impl<P: ParameterSet> Decapsulator for DecapsulationKey<P> {
    type Kem = P;

    #[inline]
    fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.ek
    }
}

impl<P: ParameterSet> Decapsulate for DecapsulationKey<P> {
    /// Algorithm 18, ML-KEM.Decaps_internal: the shared key.
    ///
    /// A ciphertext that [`encapsulate`](kem::Encapsulate) did not make gives a key that nobody else can find out
    /// (implicit rejection), in the same time.
    fn decapsulate(&self, c: &Ciphertext<P>) -> SharedKey {
        let backend = self.backend();
        let m = decrypt::<P>(&self.s_hat, c);
        let [k, r] = g(backend, [&*m, &self.ek.hash]);
        let mut c_again = Ciphertext::<P>::default();
        self.ek.pke.encrypt(&m, &r, &mut c_again);
        let accept = equal_mask(c, &c_again);
        wipe_slice(&mut c_again);
        let mut key = SharedKey::default();
        match P::SCHEME {
            Scheme::MlKem => {
                j(backend, [&*self.z, c], &mut key.0);
                copy_if(accept, &mut key.0, &k);
            }
            Scheme::KyberRound3 => {
                let mut pre_key = self.z.clone();
                copy_if(accept, &mut pre_key, &k);
                let mut c_hash = [0; 32];
                h(backend, c, &mut c_hash);
                j(backend, [&*pre_key, &c_hash], &mut key.0);
            }
        }
        key
    }
}

impl<P: ParameterSet> fmt::Debug for DecapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecapsulationKey").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<P: ParameterSet> zeroize::ZeroizeOnDrop for DecapsulationKey<P> {}
