//! Keccak: messages, keys and states are secret; lengths, names and the verdict on a tag are not.

use keccak_unrolled::{
    Backend, CShake128, CShake256, Digest, ExtendableOutput, Kmac128, Kmac256, KmacXof128, Kt128,
    Kt256, Permutation, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake128xN, Shake256,
    Shake256xN, TurboShake128, TurboShake256, Update, XofReader,
};

use super::Operation;
use crate::probe::Probe;

const CRATE: &str = "keccak-unrolled";
const AVAILABLE: &str = "the back end is available";

/// No byte, part of a block, the end of a block of every rate, several blocks.
const LENGTHS: [usize; 4] = [0, 71, 136, 500];

pub(super) fn add(operations: &mut Vec<Operation>) {
    for backend in Backend::available() {
        let mut add = |name: &str, body: Box<dyn Fn(&mut Probe)>| {
            operations.push(Operation::new(CRATE, backend.name(), name, body));
        };
        macro_rules! hashes {
            ($($name:literal: $hash:ident;)*) => {$(
                add($name, Box::new(move |probe| {
                    let message = probe.secret::<500>();
                    probe.watch(|| {
                        for length in LENGTHS {
                            let mut hash = $hash::with_backend(backend).expect(AVAILABLE);
                            Digest::update(&mut hash, &message[..length]);
                            let _ = hash.finalize();
                        }
                    });
                }));
            )*};
        }
        hashes! {
            "SHA3-224": Sha3_224;
            "SHA3-256": Sha3_256;
            "SHA3-384": Sha3_384;
            "SHA3-512": Sha3_512;
        }
        macro_rules! xofs {
            ($($name:literal: $xof:ident::$new:ident($($argument:expr),*);)*) => {$(
                add($name, Box::new(move |probe| {
                    let message = probe.secret::<500>();
                    probe.watch(|| {
                        for length in LENGTHS {
                            let mut hash = $xof::$new(backend $(, $argument)*).expect(AVAILABLE);
                            hash.update(&message[..length]);
                            let mut output = [0; 400];
                            let mut reader = hash.finalize_xof();
                            reader.read(&mut output[..10]);
                            reader.read(&mut output[10..]);
                        }
                    });
                }));
            )*};
        }
        xofs! {
            "SHAKE128": Shake128::with_backend();
            "SHAKE256": Shake256::with_backend();
            "cSHAKE128": CShake128::new_with_backend(b"name", b"customization");
            "cSHAKE256": CShake256::new_with_backend(b"name", b"customization");
            "TurboSHAKE128": TurboShake128::with_backend();
            "TurboSHAKE256": TurboShake256::with_backend();
        }
        macro_rules! trees {
            ($($name:literal: $tree:ident;)*) => {$(
                add($name, Box::new(move |probe| {
                    // The first chunk, leaves for every number of states that is permuted at once, and a bit.
                    let length = 2 * backend.parallelism() * 8192 + 1000;
                    let message = &probe.secret::<{ 16 * 8192 + 1000 }>()[..length];
                    probe.watch(|| {
                        let mut hash = $tree::with_backend(backend).expect(AVAILABLE);
                        hash.update(message);
                        let mut output = [0; 200];
                        hash.finalize_xof_customized(b"customization").read(&mut output);
                    });
                }));
            )*};
        }
        trees! {
            "KT128": Kt128;
            "KT256": Kt256;
        }
        macro_rules! kmacs {
            ($($name:literal: $kmac:ident;)*) => {$(
                add(concat!($name, " tag"), Box::new(move |probe| {
                    let key = probe.secret::<40>();
                    let message = probe.secret::<300>();
                    probe.watch(|| {
                        let mut mac = $kmac::new_with_backend(backend, &key, b"custom").expect(AVAILABLE);
                        mac.update(&message);
                        let mut tag = [0; 32];
                        mac.finalize_variable(&mut tag);
                    });
                }));
                for right in [true, false] {
                    let which = if right { "right" } else { "wrong" };
                    let name = format!(concat!($name, " verification of a {} tag"), which);
                    add(&name, Box::new(move |probe| {
                        let mut key = probe.varying::<40>();
                        let mut message = probe.varying::<300>();
                        let mac = |key: &[u8], message: &[u8]| {
                            let mut mac = $kmac::new_with_backend(backend, key, b"custom").expect(AVAILABLE);
                            mac.update(message);
                            mac
                        };
                        let mut tag = [0; 32];
                        mac(&key, &message).finalize_variable(&mut tag);
                        if !right {
                            tag[probe.run() % 32] ^= 8;
                        }
                        probe.hide(&mut key);
                        probe.hide(&mut message);
                        let mut verdict = probe.watch(|| mac(&key, &message).verify_variable(&tag));
                        probe.reveal(&mut verdict);
                        assert_eq!(verdict.is_ok(), right);
                    }));
                }
            )*};
        }
        kmacs! {
            "KMAC128": Kmac128;
            "KMAC256": Kmac256;
        }
        add(
            "KMACXOF128",
            Box::new(move |probe| {
                let key = probe.secret::<40>();
                let message = probe.secret::<300>();
                probe.watch(|| {
                    let mut mac =
                        KmacXof128::new_with_backend(backend, &key, b"custom").expect(AVAILABLE);
                    mac.update(&message);
                    let mut output = [0; 200];
                    mac.finalize_xof().read(&mut output);
                });
            }),
        );
        macro_rules! permutations {
            ($($name:literal: $n:literal;)*) => {$(
                add($name, Box::new(move |probe| {
                    let mut states = [[0; 25]; $n];
                    for lane in states.as_flattened_mut() {
                        *lane = u64::from_le_bytes(probe.secret());
                    }
                    let permutation = Permutation::with_backend(backend).expect(AVAILABLE);
                    probe.watch(|| permutation.p1600_xn::<24, $n>(&mut states));
                }));
            )*};
        }
        permutations! {
            "Keccak-f[1600]": 1;
            "Keccak-f[1600] on 2 states": 2;
            "Keccak-f[1600] on 4 states": 4;
            "Keccak-f[1600] on 8 states": 8;
        }
        macro_rules! parallel {
            ($($name:literal: $shake:ident<$n:literal>;)*) => {$(
                add($name, Box::new(move |probe| {
                    let seeds: [[u8; 34]; $n] = std::array::from_fn(|_| probe.secret());
                    probe.watch(|| {
                        let mut outputs = [[0; 300]; $n];
                        let mut shake = $shake::<$n>::new_with_backend(backend, seeds.each_ref())
                            .expect(AVAILABLE);
                        shake.squeeze(outputs.each_mut());
                        shake.squeeze(outputs.each_mut());
                        shake.squeeze_blocks(|i, block| outputs[i][..100].copy_from_slice(&block[..100]));
                    });
                }));
            )*};
        }
        parallel! {
            "SHAKE128 of 2 messages": Shake128xN<2>;
            "SHAKE128 of 4 messages": Shake128xN<4>;
            "SHAKE128 of 8 messages": Shake128xN<8>;
            "SHAKE256 of 2 messages": Shake256xN<2>;
            "SHAKE256 of 4 messages": Shake256xN<4>;
            "SHAKE256 of 8 messages": Shake256xN<8>;
        }
        add(
            "SHA3-256 of a batch",
            Box::new(move |probe| {
                // More than are hashed at once.
                let messages: [[u8; 400]; 11] = std::array::from_fn(|_| probe.secret());
                probe.watch(|| {
                    let messages: [&[u8]; 11] = std::array::from_fn(|i| &messages[i][..40 * i]);
                    let mut digests = [[0; 32]; 11];
                    Sha3_256::digest_batch_with_backend(backend, &messages, &mut digests)
                        .expect(AVAILABLE);
                });
            }),
        );
    }
}
