//! Poly1305: key and message are secret, lengths are not, nor is a verdict.

use poly1305_simd::universal_hash::UniversalHash as _;
use poly1305_simd::{Backend, OneTimeAuthenticator, Poly1305};

use super::Operation;

const CRATE: &str = "poly1305-simd";
const AVAILABLE: &str = "the back end is available";

/// The longest is several rounds of the widest loop, 32 blocks, with whole groups and a tail besides.
const LENGTHS: [usize; 8] = [0, 15, 16, 100, 256, 420, 1000, LONGEST];
const LONGEST: usize = 2200;

pub(super) fn add(operations: &mut Vec<Operation>) {
    for backend in Backend::available() {
        for length in LENGTHS {
            let name = format!("tag of {length} bytes");
            operations.push(Operation::new(CRATE, backend.name(), name, move |probe| {
                let key = probe.secret().into();
                let message = probe.secret::<LONGEST>();
                probe.watch(|| {
                    let hash = Poly1305::new_with_backend(backend, &key).expect(AVAILABLE);
                    hash.compute_unpadded(&message[..length])
                });
            }));
        }
        operations.push(Operation::new(
            CRATE,
            backend.name(),
            "tag of padded pieces",
            move |probe| {
                let key = probe.secret().into();
                let message = probe.secret::<1800>();
                probe.watch(|| {
                    let mut hash = Poly1305::new_with_backend(backend, &key).expect(AVAILABLE);
                    for piece in [0..7, 7..39, 39..800, 800..1500, 1500..1800] {
                        hash.update_padded(&message[piece]);
                    }
                    hash.finalize()
                });
            },
        ));
        operations.push(Operation::new(
            CRATE,
            backend.name(),
            "tag of long pieces",
            move |probe| {
                let key = probe.secret().into();
                let message = probe.secret::<LONGEST>();
                probe.watch(|| {
                    let mut hash =
                        OneTimeAuthenticator::new_with_backend(backend, &key).expect(AVAILABLE);
                    // The powers of the key are made in the third piece, and found in the last two.
                    for piece in [0..7, 7..39, 39..800, 800..1500, 1500..LONGEST] {
                        hash.update(&message[piece]);
                    }
                    hash.finalize()
                });
            },
        ));
        for right in [true, false] {
            let which = if right { "right" } else { "wrong" };
            let name = format!("verification of a {which} tag");
            operations.push(Operation::new(CRATE, backend.name(), name, move |probe| {
                let mut key = probe.varying().into();
                let mut message = probe.varying::<77>();
                let authenticator = || OneTimeAuthenticator::new_with_backend(backend, &key);
                let mut hash = authenticator().expect(AVAILABLE);
                hash.update(&message);
                let mut tag = hash.finalize();
                if !right {
                    tag[probe.run() % 16] ^= 0x40;
                }
                probe.hide(&mut key);
                probe.hide(&mut message);
                let mut verdict = probe.watch(|| {
                    let mut hash =
                        OneTimeAuthenticator::new_with_backend(backend, &key).expect(AVAILABLE);
                    hash.update(&message[..20]);
                    hash.update(&message[20..]);
                    hash.verify(&tag)
                });
                probe.reveal(&mut verdict);
                assert_eq!(verdict.is_ok(), right);
            }));
        }
    }
}
