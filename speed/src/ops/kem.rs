//! ML-KEM (FIPS 203) and Kyber, round 3.
//!
//! Randomness is the system's, or comes from the library's own generator where its interface takes none. Keys are dropped
//! within the call, and with that wiped where an implementation does so.

use std::{hint::black_box, marker::PhantomData, rc::Rc};

use kem::{
    Decapsulate, Decapsulator, Encapsulate, Generate, Key, KeyExport, TryKeyInit,
    common::array::{
        Array,
        sizes::{U32, U64},
    },
};

use crate::{
    randomness,
    suite::{Implementation, Operation, Suite},
};

/// A shared key.
pub(crate) type SharedKey = [u8; 32];

/// Which scheme and which parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterSet {
    MlKem512,
    MlKem768,
    MlKem1024,
    Kyber768,
}

impl ParameterSet {
    fn name(self) -> &'static str {
        match self {
            Self::MlKem512 => "ML-KEM-512",
            Self::MlKem768 => "ML-KEM-768",
            Self::MlKem1024 => "ML-KEM-1024",
            Self::Kyber768 => "Kyber768",
        }
    }

    /// Bytes in an encoded encapsulation key.
    fn encapsulation_key_size(self) -> usize {
        match self {
            Self::MlKem512 => 800,
            Self::MlKem768 | Self::Kyber768 => 1184,
            Self::MlKem1024 => 1568,
        }
    }

    /// Bytes in a ciphertext.
    fn ciphertext_size(self) -> usize {
        match self {
            Self::MlKem512 => 768,
            Self::MlKem768 | Self::Kyber768 => 1088,
            Self::MlKem1024 => 1568,
        }
    }
}

/// An implementation of one parameter set. Keys are in whatever form it works with.
pub(crate) trait Kem: 'static {
    type DecapsulationKey: 'static;
    type EncapsulationKey: 'static;

    /// Generates a pair of keys and writes the encoded encapsulation key, which goes to the other side.
    fn generate(&self, encoded: &mut [u8]) -> Self::DecapsulationKey;

    /// The shared key of a ciphertext.
    fn decapsulate(&self, key: &Self::DecapsulationKey, ciphertext: &[u8]) -> SharedKey;

    /// Decodes an encapsulation key and checks it.
    fn parse(&self, encoded: &[u8]) -> Self::EncapsulationKey;

    /// Makes a shared key and writes its ciphertext.
    fn encapsulate(&self, key: &Self::EncapsulationKey, ciphertext: &mut [u8]) -> SharedKey;
}

const KEYGEN: &str = "keygen";
const ENCAPS: &str = "encaps";
const DECAPS: &str = "decaps";
const GENERATE_DECAP: &str = "generate + decap";
const PARSE_ENCAP: &str = "parse + encap";
const ACTIONS: [&str; 5] = [KEYGEN, ENCAPS, DECAPS, GENERATE_DECAP, PARSE_ENCAP];

/// Enters the five operations.
///
/// `keygen` makes a pair and encodes the encapsulation key; `encaps` and `decaps` have their keys in the form that the
/// implementation works with; `generate + decap` and `parse + encap` are the two sides of an exchange with fresh keys.
/// The ciphertext for `generate + decap` was made for another key, which takes the same time.
pub(crate) fn enter<K: Kem>(suite: &mut Suite, who: Implementation, set: ParameterSet, kem: K) {
    let operation = |action| Operation::single(set.name(), action);
    if !ACTIONS.map(operation).iter().any(|one| suite.wants(one)) {
        return;
    }

    // Where randomness can be repeated, every implementation gets the same keys.
    randomness::restart();
    // Shared keys are random: what the implementation finds is compared with what RustCrypto finds on the other side.
    let mut encoded = vec![0; set.encapsulation_key_size()];
    let decapsulation_key = kem.generate(&mut encoded);
    let (ciphertext, expected_by_decaps) = reference::encapsulate(set, &encoded);
    let by_decaps = kem.decapsulate(&decapsulation_key, &ciphertext);

    let other_side = reference::DecapsulationKey::generate(set);
    let other_encoded = other_side.encoded_encapsulation_key();
    let encapsulation_key = kem.parse(&other_encoded);
    let mut other_ciphertext = vec![0; set.ciphertext_size()];
    let by_encaps = kem.encapsulate(&encapsulation_key, &mut other_ciphertext);
    let expected_by_encaps = other_side.decapsulate(&other_ciphertext);

    let kem = Rc::new(kem);
    let keygen = {
        let (kem, mut encoded) = (Rc::clone(&kem), encoded.clone());
        move || {
            black_box(&kem.generate(black_box(&mut encoded)));
        }
    };
    let encaps = {
        let (kem, mut ciphertext) = (Rc::clone(&kem), other_ciphertext.clone());
        move || {
            black_box(kem.encapsulate(black_box(&encapsulation_key), black_box(&mut ciphertext)));
        }
    };
    let decaps = {
        let (kem, ciphertext) = (Rc::clone(&kem), ciphertext.clone());
        move || {
            black_box(kem.decapsulate(black_box(&decapsulation_key), black_box(&ciphertext)));
        }
    };
    let generate_decap = {
        let kem = Rc::clone(&kem);
        move || {
            let key = kem.generate(black_box(&mut encoded));
            black_box(kem.decapsulate(black_box(&key), black_box(&ciphertext)));
        }
    };
    let parse_encap = move || {
        let key = kem.parse(black_box(&other_encoded));
        black_box(kem.encapsulate(black_box(&key), black_box(&mut other_ciphertext)));
    };

    let (generator, partner) = (
        (&by_decaps, &expected_by_decaps),
        (&by_encaps, &expected_by_encaps),
    );
    let mut enter =
        |action, (output, expected): (&SharedKey, &SharedKey), once: Box<dyn FnMut()>| {
            suite.enter(who, operation(action), output, expected, once);
        };
    enter(KEYGEN, generator, Box::new(keygen));
    enter(ENCAPS, partner, Box::new(encaps));
    enter(DECAPS, generator, Box::new(decaps));
    enter(GENERATE_DECAP, generator, Box::new(generate_decap));
    enter(PARSE_ENCAP, partner, Box::new(parse_encap));
}

/// The seed of a pair of keys.
pub(crate) type Seed = Array<u8, U64>;

/// A parameter set `P` with the traits of the `kem` crate.
struct WithTraits<P, S, E> {
    from_seed: S,
    parse: E,
    parameters: PhantomData<P>,
}

/// Enters a parameter set `P` with the traits of the `kem` crate. `from_seed` makes a decapsulation key of what is drawn,
/// `parse` an encapsulation key of what is received.
pub(crate) fn with_traits<P>(
    suite: &mut Suite,
    who: Implementation,
    set: ParameterSet,
    from_seed: impl Fn(Seed) -> P::DecapsulationKey + 'static,
    parse: impl Fn(&Key<P::EncapsulationKey>) -> P::EncapsulationKey + 'static,
) where
    P: kem::Kem<SharedKeySize = U32, DecapsulationKey: Decapsulate>,
{
    let kem = WithTraits::<P, _, _> {
        from_seed,
        parse,
        parameters: PhantomData,
    };
    enter(suite, who, set, kem);
}

impl<P, S, E> Kem for WithTraits<P, S, E>
where
    P: kem::Kem<SharedKeySize = U32, DecapsulationKey: Decapsulate>,
    S: Fn(Seed) -> P::DecapsulationKey + 'static,
    E: Fn(&Key<P::EncapsulationKey>) -> P::EncapsulationKey + 'static,
{
    type DecapsulationKey = P::DecapsulationKey;
    type EncapsulationKey = P::EncapsulationKey;

    fn generate(&self, encoded: &mut [u8]) -> Self::DecapsulationKey {
        let key = (self.from_seed)(Array::generate());
        encoded.copy_from_slice(&key.encapsulation_key().to_bytes());
        key
    }

    fn decapsulate(&self, key: &Self::DecapsulationKey, ciphertext: &[u8]) -> SharedKey {
        let ciphertext = ciphertext.try_into().expect(LENGTH);
        key.decapsulate(ciphertext).0
    }

    fn parse(&self, encoded: &[u8]) -> Self::EncapsulationKey {
        (self.parse)(encoded.try_into().expect(LENGTH))
    }

    fn encapsulate(&self, key: &Self::EncapsulationKey, ciphertext: &mut [u8]) -> SharedKey {
        let (made, shared_key) = key.encapsulate();
        ciphertext.copy_from_slice(&made);
        shared_key.0
    }
}

const LENGTH: &str = "it has the parameter set's length";

/// RustCrypto's side of an exchange, by `ml-kem`.
///
/// Kyber's ciphertexts are those of ML-KEM; its shared key is a hash of ML-KEM's and the ciphertext, so that ML-KEM's
/// keys serve for it too.
mod reference {
    use super::*;
    use digest::{Digest, ExtendableOutput, Update, XofReader};
    use ml_kem::{MlKem512, MlKem768, MlKem1024};

    /// Runs `$work` with the parameter set as a type.
    macro_rules! with_type {
        ($set:expr, |$P:ident| $work:expr) => {
            match $set {
                ParameterSet::MlKem512 => {
                    type $P = MlKem512;
                    $work
                }
                ParameterSet::MlKem768 | ParameterSet::Kyber768 => {
                    type $P = MlKem768;
                    $work
                }
                ParameterSet::MlKem1024 => {
                    type $P = MlKem1024;
                    $work
                }
            }
        };
    }

    /// A ciphertext for the key, and the shared key in it.
    ///
    /// # Panics
    ///
    /// If the key is not one.
    pub(super) fn encapsulate(set: ParameterSet, encoded: &[u8]) -> (Vec<u8>, SharedKey) {
        let (ciphertext, shared_key) = with_type!(set, |P| {
            let key = ml_kem::EncapsulationKey::<P>::new_from_slice(encoded)
                .unwrap_or_else(|_| panic!("not an encapsulation key of {}", set.name()));
            let (ciphertext, shared_key) = key.encapsulate();
            (ciphertext.to_vec(), shared_key.0)
        });
        let shared_key = finished(set, shared_key, &ciphertext);
        (ciphertext, shared_key)
    }

    /// A decapsulation key by its seed.
    pub(super) struct DecapsulationKey {
        set: ParameterSet,
        seed: ml_kem::Seed,
    }

    impl DecapsulationKey {
        pub(super) fn generate(set: ParameterSet) -> Self {
            let seed = Array::generate();
            Self { set, seed }
        }

        pub(super) fn encoded_encapsulation_key(&self) -> Vec<u8> {
            with_type!(self.set, |P| {
                let key = ml_kem::DecapsulationKey::<P>::from_seed(self.seed);
                key.encapsulation_key().to_bytes().to_vec()
            })
        }

        pub(super) fn decapsulate(&self, ciphertext: &[u8]) -> SharedKey {
            let shared_key = with_type!(self.set, |P| {
                let key = ml_kem::DecapsulationKey::<P>::from_seed(self.seed);
                key.decapsulate_slice(ciphertext).expect(LENGTH).0
            });
            finished(self.set, shared_key, ciphertext)
        }
    }

    /// The scheme's shared key, of ML-KEM's.
    fn finished(set: ParameterSet, shared_key: SharedKey, ciphertext: &[u8]) -> SharedKey {
        if set != ParameterSet::Kyber768 {
            return shared_key;
        }
        // KDF(K' || H(c)), as the specification of round 3 has it in its algorithms 8 and 9.
        let mut kdf = shake::Shake256::default();
        kdf.update(&shared_key);
        kdf.update(&sha3::Sha3_256::digest(ciphertext));
        let mut finished = [0; 32];
        kdf.finalize_xof().read(&mut finished);
        finished
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_the_reference_agree() {
        for set in [
            ParameterSet::MlKem512,
            ParameterSet::MlKem768,
            ParameterSet::MlKem1024,
            ParameterSet::Kyber768,
        ] {
            let key = reference::DecapsulationKey::generate(set);
            let encoded = key.encoded_encapsulation_key();
            assert_eq!(encoded.len(), set.encapsulation_key_size());
            let (mut ciphertext, shared_key) = reference::encapsulate(set, &encoded);
            assert_eq!(ciphertext.len(), set.ciphertext_size());
            assert_eq!(key.decapsulate(&ciphertext), shared_key);
            ciphertext[0] ^= 1;
            assert_ne!(key.decapsulate(&ciphertext), shared_key);
        }
    }
}
