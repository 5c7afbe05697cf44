//! ChaCha: keys, keystream and data are secret, nonces and positions are not.

use chacha20_simd::cipher::{StreamCipher as _, StreamCipherSeek as _};
use chacha20_simd::{
    Backend, ChaCha, Extended, Ietf, Legacy, R8, R12, R20, Rounds, Variant, hchacha,
};
use hybrid_array::Array;

use super::Operation;
use crate::probe::Probe;

const CRATE: &str = "chacha20-simd";

/// Parts of a block, whole blocks, and for each number of blocks that some kernel takes at once a length of its own; the
/// longest is two passes of the widest kernel, 32 blocks, and a tail.
const LENGTHS: [usize; 11] = [1, 64, 100, 200, 300, 450, 700, 1024, 1500, 1700, LONGEST];
const LONGEST: usize = 4500;

pub(super) fn add(operations: &mut Vec<Operation>) {
    for backend in Backend::available() {
        variant::<R20, Ietf>(operations, backend, "ChaCha20");
        variant::<R12, Ietf>(operations, backend, "ChaCha12");
        variant::<R8, Ietf>(operations, backend, "ChaCha8");
        variant::<R20, Extended>(operations, backend, "XChaCha20");
        variant::<R20, Legacy>(operations, backend, "ChaCha20 with a 64-bit nonce");
    }
    operations.push(Operation::new(
        CRATE,
        Backend::soft().name(),
        "HChaCha20",
        |probe| {
            let key = probe.secret().into();
            let input = probe.fixed().into();
            probe.watch(|| hchacha::<R20>(&key, &input));
        },
    ));
}

fn variant<R: Rounds, V: Variant>(
    operations: &mut Vec<Operation>,
    backend: Backend,
    name: &'static str,
) {
    for length in LENGTHS {
        let name = format!("{name}, {length} bytes");
        operations.push(Operation::new(CRATE, backend.name(), name, move |probe| {
            let (key, nonce) = key_and_nonce::<V>(probe);
            let mut data = probe.secret::<LONGEST>();
            probe.watch(|| {
                let cipher = ChaCha::<R, V>::new_with_backend(backend, &key, &nonce);
                cipher
                    .expect("the back end is available")
                    .apply_keystream(&mut data[..length]);
            });
        }));
    }
    let name = format!("{name}, pieces and seeks");
    operations.push(Operation::new(CRATE, backend.name(), name, move |probe| {
        let (key, nonce) = key_and_nonce::<V>(probe);
        let mut data = probe.secret::<300>();
        probe.watch(|| {
            let cipher = ChaCha::<R, V>::new_with_backend(backend, &key, &nonce);
            let mut cipher = cipher.expect("the back end is available");
            for position in [0_u32, 5, 64, 1000] {
                cipher.seek(position);
                let (head, tail) = data.split_at_mut(70);
                cipher.apply_keystream(head);
                cipher.apply_keystream(tail);
            }
        });
    }));
}

fn key_and_nonce<V: Variant>(probe: &mut Probe) -> (chacha20_simd::Key, Array<u8, V::NonceSize>) {
    let nonce = probe.fixed::<24>();
    let nonce = Array::from_fn(|i| nonce[i]);
    (probe.secret().into(), nonce)
}
