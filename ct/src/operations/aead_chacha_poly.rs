//! ChaCha20-Poly1305: key and plaintext are secret; nonce, associated data, ciphertext, lengths and the verdict are not.

use aead_chacha_poly::aead::{AeadInOut, Nonce};
use aead_chacha_poly::hazmat::{Open, Seal};
use aead_chacha_poly::{Backend, ChaCha20Poly1305, Key, XChaCha20Poly1305};

use super::Operation;
use crate::probe::Probe;

const CRATE: &str = "aead-chacha-poly";
const LONGEST: usize = 9100;

/// A length for each number of blocks that some kernel takes at once, the first of which is the key's, and for each form
/// of the last pass of a long message. The longest is more than what a back end without a kernel of its own encrypts
/// before it is authenticated.
const LENGTHS: [usize; 9] = [0, 64, 150, 300, 400, 800, 1060, 1700, LONGEST];

pub(super) fn add(operations: &mut Vec<Operation>) {
    for backend in Backend::available() {
        cipher(operations, backend, "ChaCha20Poly1305", move |key| {
            ChaCha20Poly1305::new_with_backend(backend, key)
        });
        cipher(operations, backend, "XChaCha20Poly1305", move |key| {
            XChaCha20Poly1305::new_with_backend(backend, key)
        });
        pieces(operations, backend);
    }
}

/// A message in pieces.
fn pieces(operations: &mut Vec<Operation>, backend: Backend) {
    const PIECES: [core::ops::Range<usize>; 4] = [0..5, 5..70, 70..1500, 1500..2900];
    const BYTES: usize = 2900;
    let new = move |key: &Key| {
        ChaCha20Poly1305::new_with_backend(backend, key).expect("the back end is available")
    };
    operations.push(Operation::new(
        CRATE,
        backend.name(),
        "seal in pieces",
        move |probe| {
            let (nonce, associated_data) = public::<ChaCha20Poly1305>(probe);
            let key = probe.secret().into();
            let mut data = probe.secret::<BYTES>();
            let result = probe.watch(|| {
                let mut seal = Seal::new(&new(&key), &nonce, &associated_data)?;
                for piece in PIECES {
                    seal.update((&mut data[piece]).into())?;
                }
                Ok::<_, aead_chacha_poly::Error>(seal.finish())
            });
            assert!(result.is_ok());
        },
    ));
    operations.push(Operation::new(
        CRATE,
        backend.name(),
        "open in pieces",
        move |probe| {
            let (nonce, associated_data) = public::<ChaCha20Poly1305>(probe);
            let mut key = probe.varying().into();
            let mut data = probe.varying::<BYTES>();
            let tag = new(&key)
                .encrypt_inout_detached(&nonce, &associated_data, data[..].as_mut().into())
                .expect("the message is short enough");
            probe.hide(&mut key);
            let mut verdict = probe.watch(|| {
                let mut open = Open::new(&new(&key), &nonce, &associated_data)?;
                for piece in PIECES {
                    let _ = open.update((&mut data[piece]).into())?;
                }
                open.finish(&tag)
            });
            probe.reveal(&mut verdict);
            assert!(verdict.is_ok());
        },
    ));
}

fn cipher<A: AeadInOut>(
    operations: &mut Vec<Operation>,
    backend: Backend,
    name: &str,
    new: impl Fn(&Key) -> Option<A> + Copy + 'static,
) {
    let new = move |key: &Key| new(key).expect("the back end is available");
    for length in LENGTHS {
        let mut add = |what: &str, body: Box<dyn Fn(&mut Probe)>| {
            let name = format!("{name} {what} {length} bytes");
            operations.push(Operation::new(CRATE, backend.name(), name, body));
        };
        add(
            "seal",
            Box::new(move |probe| {
                let (nonce, associated_data) = public::<A>(probe);
                let key = probe.secret().into();
                let mut data = probe.secret::<LONGEST>();
                let result = probe.watch(|| {
                    new(&key).encrypt_inout_detached(
                        &nonce,
                        &associated_data,
                        (&mut data[..length]).into(),
                    )
                });
                assert!(result.is_ok());
            }),
        );
        for right in [true, false] {
            let what = if right { "open" } else { "refuse" };
            add(
                what,
                Box::new(move |probe| {
                    let (nonce, associated_data) = public::<A>(probe);
                    let mut key = probe.varying().into();
                    let mut data = probe.varying::<LONGEST>();
                    let data = &mut data[..length];
                    let mut tag = new(&key)
                        .encrypt_inout_detached(&nonce, &associated_data, (&mut *data).into())
                        .expect("the message is short enough");
                    if !right {
                        let place = probe.run() % 16;
                        tag[place] ^= 1;
                    }
                    probe.hide(&mut key);
                    let mut verdict = probe.watch(|| {
                        new(&key).decrypt_inout_detached(
                            &nonce,
                            &associated_data,
                            (&mut *data).into(),
                            &tag,
                        )
                    });
                    probe.reveal(&mut verdict);
                    assert_eq!(verdict.is_ok(), right);
                }),
            );
        }
    }
}

/// A nonce and associated data.
fn public<A: AeadInOut>(probe: &mut Probe) -> (Nonce<A>, [u8; 20]) {
    let nonce = probe.fixed::<24>();
    (Nonce::<A>::from_fn(|i| nonce[i]), probe.fixed())
}
