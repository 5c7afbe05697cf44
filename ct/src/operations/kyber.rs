//! ML-KEM and Kyber: seeds, decapsulation keys, the message and shared keys are secret, and whether a ciphertext is
//! accepted; encapsulation keys and ciphertexts are not.

use kyber::array::Array;
use kyber::{
    Backend, Ciphertext, Decapsulate as _, DecapsulationKey, ExpandedDecapsulationKey,
    ExpandedKeyEncoding as _, Kyber512, Kyber768, Kyber1024, MlKem512, MlKem768, MlKem1024,
    ParameterSet,
};

use super::Operation;
use crate::probe::Probe;

const CRATE: &str = "kyber";
const AVAILABLE: &str = "the back end is available";

pub(super) fn add(operations: &mut Vec<Operation>) {
    for backend in Backend::available() {
        parameter_set::<MlKem512>(operations, backend, "ML-KEM-512");
        parameter_set::<MlKem768>(operations, backend, "ML-KEM-768");
        parameter_set::<MlKem1024>(operations, backend, "ML-KEM-1024");
        parameter_set::<Kyber512>(operations, backend, "Kyber512");
        parameter_set::<Kyber768>(operations, backend, "Kyber768");
        parameter_set::<Kyber1024>(operations, backend, "Kyber1024");
    }
}

fn parameter_set<P: ParameterSet>(operations: &mut Vec<Operation>, backend: Backend, name: &str) {
    let mut add = |what: &str, body: fn(Backend, &mut Probe)| {
        let name = format!("{name} {what}");
        let body = move |probe: &mut Probe| body(backend, probe);
        operations.push(Operation::new(CRATE, backend.name(), name, body));
    };
    add("key generation", key_generation::<P>);
    add("key import", key_import::<P>);
    add("key export", key_export::<P>);
    add("encapsulation", encapsulation::<P>);
    add("decapsulation", decapsulation::<P>);
}

fn key_of<P: ParameterSet>(backend: Backend, seed: [u8; 64]) -> DecapsulationKey<P> {
    DecapsulationKey::from_seed_with_backend(backend, seed.into()).expect(AVAILABLE)
}

fn key_generation<P: ParameterSet>(backend: Backend, probe: &mut Probe) {
    let seed = probe.secret();
    let key = probe.watch(|| key_of::<P>(backend, seed));
    drop(key);
}

/// The encapsulation key inside an expanded key is public; it is that of another key, which the import cannot tell.
fn key_import<P: ParameterSet>(backend: Backend, probe: &mut Probe) {
    let mut encoded = key_of::<P>(backend, probe.fixed()).to_expanded_bytes();
    let secret = key_of::<P>(backend, probe.varying()).to_expanded_bytes();
    for part in secret_parts::<P>() {
        encoded[part.clone()].copy_from_slice(&secret[part.clone()]);
        probe.hide(&mut encoded[part]);
    }
    let mut key = probe.watch(|| {
        DecapsulationKey::<P>::from_expanded_with_backend(backend, &encoded).expect(AVAILABLE)
    });
    probe.reveal(&mut key);
    assert!(key.is_ok());
}

/// The encoded s, and z.
fn secret_parts<P: ParameterSet>() -> [std::ops::Range<usize>; 2] {
    let size = ExpandedDecapsulationKey::<P>::default().len();
    // 384 k + (384 k + 32) + 32 + 32.
    let s = (size - 96) / 2;
    [0..s, size - 32..size]
}

/// A decapsulation key whose secrets are poisoned, and whose seed they come from is not.
fn secret_key<P: ParameterSet>(backend: Backend, probe: &mut Probe) -> DecapsulationKey<P> {
    let mut encoded = key_of::<P>(backend, probe.varying()).to_expanded_bytes();
    for part in secret_parts::<P>() {
        probe.hide(&mut encoded[part]);
    }
    let key = DecapsulationKey::from_expanded_with_backend(backend, &encoded).expect(AVAILABLE);
    key.expect("an exported key is imported")
}

fn key_export<P: ParameterSet>(backend: Backend, probe: &mut Probe) {
    let key = secret_key::<P>(backend, probe);
    probe.watch(|| key.to_expanded_bytes());
}

fn encapsulation<P: ParameterSet>(backend: Backend, probe: &mut Probe) {
    let key = key_of::<P>(backend, probe.varying());
    let m = probe.secret().into();
    probe.watch(|| key.encapsulation_key().encapsulate_deterministic(&m));
}

/// A ciphertext is right in runs of even numbers and wrong in others, which must not be noticed.
fn decapsulation<P: ParameterSet>(backend: Backend, probe: &mut Probe) {
    let key = secret_key::<P>(backend, probe);
    let m: Array<u8, _> = probe.varying().into();
    let (mut ciphertext, shared): (Ciphertext<P>, _) =
        key.encapsulation_key().encapsulate_deterministic(&m);
    let right = probe.run().is_multiple_of(2);
    if !right {
        let place = (97 * probe.run() + 5) % 768;
        ciphertext[place] ^= 0x10;
    }
    let mut result = probe.watch(|| key.decapsulate(&ciphertext));
    probe.reveal(&mut result);
    assert_eq!(result == shared, right);
}
