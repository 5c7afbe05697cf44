//! Encapsulation keys: import with the check of section 7.2, export, encapsulation (FIPS 203, sections 6.2 and 7.2).

use crate::{
    B32, SharedKey,
    backends::Backend,
    hash::{g, h, j},
    k_pke::EncryptionKey,
    params::{ParameterSet, Scheme},
    wipe::Secret,
};
use core::fmt;
use hybrid_array::Array;
use kem::{
    Ciphertext, Encapsulate, InvalidKey, Key, KeyExport, KeySizeUser, TryKeyInit,
    common::rand_core::CryptoRng,
};

/// An encapsulation key: the public key, which makes shared keys that the holder of the [`DecapsulationKey`] can find
/// out too.
///
/// It is kept expanded, with the matrix that its encoding holds the seed of: 3138 bytes for k = 2, 6210 for k = 3,
/// 10306 for k = 4.
///
/// [`DecapsulationKey`]: crate::DecapsulationKey
#[derive(Clone)]
pub struct EncapsulationKey<P: ParameterSet> {
    pub(crate) pke: EncryptionKey<P>,
    /// H of the encoded key.
    pub(crate) hash: [u8; 32],
}

impl<P: ParameterSet> EncapsulationKey<P> {
    /// Decodes a key.
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] if a coefficient is not below q (FIPS 203, section 7.2, modulus check).
    #[inline]
    pub fn new(encoded: &Key<Self>) -> Result<Self, InvalidKey> {
        Self::decode(Backend::detect(), encoded)
    }

    /// [`new`](Self::new) on the back end given; `None` where this CPU cannot run it.
    ///
    /// # Errors
    ///
    /// As `new`.
    #[must_use]
    #[inline]
    pub fn new_with_backend(
        backend: Backend,
        encoded: &Key<Self>,
    ) -> Option<Result<Self, InvalidKey>> {
        backend
            .is_available()
            .then(|| Self::decode(backend, encoded))
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub fn backend(&self) -> Backend {
        self.pke.backend
    }

    /// Makes a shared key and the ciphertext to send, from 32 bytes of randomness (Algorithm 17,
    /// ML-KEM.Encaps_internal).
    ///
    /// For known-answer tests and for protocols that prescribe it. ⚠️ Whoever knows or guesses `m` knows the shared
    /// key; use [`encapsulate_with_rng`](Encapsulate::encapsulate_with_rng) everywhere else.
    #[must_use]
    pub fn encapsulate_deterministic(&self, m: &B32) -> (Ciphertext<P>, SharedKey) {
        let mut output = (Array::default(), Array::default());
        self.encapsulate_into(&m.0, &mut output);
        output
    }

    fn encapsulate_into(&self, m: &[u8; 32], (c, key): &mut (Ciphertext<P>, SharedKey)) {
        let backend = self.backend();
        match P::SCHEME {
            Scheme::MlKem => {
                let [k, r] = g(backend, [m, &self.hash]);
                self.pke.encrypt(m, &r, c);
                key.0 = *k;
            }
            Scheme::KyberRound3 => {
                // The output of the caller's generator is hidden behind a hash.
                let mut hidden = Secret::ZERO;
                h(backend, m, &mut hidden);
                let [k_bar, r] = g(backend, [&*hidden, &self.hash]);
                self.pke.encrypt(&hidden, &r, c);
                let mut c_hash = [0; 32];
                h(backend, c, &mut c_hash);
                j(backend, [&*k_bar, &c_hash], &mut key.0);
            }
        }
    }

    fn decode(backend: Backend, encoded: &Key<Self>) -> Result<Self, InvalidKey> {
        let mut key = Self::ZERO;
        if key.fill_from(backend, encoded) {
            Ok(key)
        } else {
            Err(InvalidKey)
        }
    }

    /// A key to be filled in.
    pub(crate) const ZERO: Self = Self {
        pke: EncryptionKey::ZERO,
        hash: [0; 32],
    };

    /// Fills the key in from its encoding, of the right length; returns whether it passed the modulus check.
    #[must_use]
    #[inline(never)]
    pub(crate) fn fill_from(&mut self, backend: Backend, encoded: &[u8]) -> bool {
        self.pke.decode(backend, encoded, &mut self.hash)
    }

    /// Copies a key without a temporary copy on the stack, unlike `clone_from`.
    pub(crate) fn copy_from(&mut self, source: &Self) {
        self.pke.copy_from(&source.pke);
        self.hash = source.hash;
    }

    /// Fills the hash in for a key that has the rest.
    // Not inlined, to keep the buffer out of its caller's stack frame.
    #[inline(never)]
    pub(crate) fn fill_hash(&mut self) {
        let mut encoded = Key::<Self>::default();
        self.pke.encode(&mut encoded);
        h(self.backend(), &encoded, &mut self.hash);
    }
}

impl<P: ParameterSet> KeySizeUser for EncapsulationKey<P> {
    type KeySize = P::EncapsulationKeySize;
}

impl<P: ParameterSet> TryKeyInit for EncapsulationKey<P> {
    #[inline]
    fn new(encoded: &Key<Self>) -> Result<Self, InvalidKey> {
        Self::new(encoded)
    }
}

impl<P: ParameterSet> KeyExport for EncapsulationKey<P> {
    fn to_bytes(&self) -> Key<Self> {
        let mut encoded = Array::default();
        self.pke.encode(&mut encoded);
        encoded
    }
}

impl<P: ParameterSet> Encapsulate for EncapsulationKey<P> {
    type Kem = P;

    /// Algorithm 20, ML-KEM.Encaps: [`encapsulate_deterministic`](Self::encapsulate_deterministic) with 32 bytes of
    /// the generator's output.
    fn encapsulate_with_rng<R: CryptoRng + ?Sized>(
        &self,
        rng: &mut R,
    ) -> (Ciphertext<P>, SharedKey) {
        let mut m = Secret([0; 32]);
        rng.fill_bytes(&mut *m);
        let mut output = (Array::default(), Array::default());
        self.encapsulate_into(&m, &mut output);
        output
    }
}

impl<P: ParameterSet> PartialEq for EncapsulationKey<P> {
    /// Compares the public keys, in variable time.
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.to_bytes() == other.to_bytes()
    }
}

impl<P: ParameterSet> Eq for EncapsulationKey<P> {}

impl<P: ParameterSet> fmt::Debug for EncapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncapsulationKey").finish_non_exhaustive()
    }
}
