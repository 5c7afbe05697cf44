//! The AEADs of JOSE.

use aes_cbc_hmac::Backend;
use aes_cbc_hmac::aead::{Buffer, Error, Key};
use aes_cbc_hmac::jose::{
    Aes128CbcHmacSha256, Aes192CbcHmacSha384, Aes256CbcHmacSha512, Algorithm, CbcHmac,
};

use super::{AVAILABLE, CRATE};
use crate::operations::Operation;
use crate::probe::Probe;

/// Bytes in a ciphertext that is opened: more blocks than any back end takes at once.
const LENGTH: usize = 560;

pub(super) fn add(operations: &mut Vec<Operation>, backend: Backend) {
    algorithm::<Aes128CbcHmacSha256>(operations, backend, "A128CBC-HS256");
    algorithm::<Aes192CbcHmacSha384>(operations, backend, "A192CBC-HS384");
    algorithm::<Aes256CbcHmacSha512>(operations, backend, "A256CBC-HS512");
}

fn algorithm<A: Algorithm>(operations: &mut Vec<Operation>, backend: Backend, name: &str) {
    let mut add = |what: &str, body: Box<dyn Fn(&mut Probe)>| {
        let name = format!("{name} {what}");
        operations.push(Operation::new(CRATE, backend.name(), name, body));
    };
    add("seal", Box::new(move |probe| seal::<A>(backend, probe)));
    add(
        "open",
        Box::new(move |probe| open::<A>(backend, probe, true)),
    );
    add(
        "refuse",
        Box::new(move |probe| open::<A>(backend, probe, false)),
    );
}

fn aead<A: Algorithm>(backend: Backend, key: &Key<CbcHmac<A>>) -> CbcHmac<A> {
    CbcHmac::new_with_backend(backend, key).expect(AVAILABLE)
}

fn seal<A: Algorithm>(backend: Backend, probe: &mut Probe) {
    let mut key = Key::<CbcHmac<A>>::default();
    probe.vary(&mut key);
    probe.hide(&mut key);
    let (nonce, associated_data) = (probe.fixed().into(), probe.fixed::<21>());
    let mut text = Text::new(probe.secret::<550>());
    let result = probe
        .watch(|| aead::<A>(backend, &key).encrypt_in_place(&nonce, &associated_data, &mut text));
    assert_eq!(result, Ok(()));
}

/// The runs differ in the length of the padding, or in which byte of the tag is wrong.
fn open<A: Algorithm>(backend: Backend, probe: &mut Probe, right: bool) {
    let mut key = Key::<CbcHmac<A>>::default();
    probe.vary(&mut key);
    let (nonce, associated_data) = (probe.fixed().into(), probe.fixed::<21>());
    let length = LENGTH - 1 - 5 * probe.run() % 16;
    let mut text = Text::new(probe.varying::<LENGTH>());
    text.truncate(length);
    let tag =
        aead::<A>(backend, &key).encrypt_in_place_detached(&nonce, &associated_data, &mut text);
    let mut tag = tag.expect("the text has room for the padding");
    assert_eq!(text.len(), LENGTH);
    if !right {
        let place = 5 * probe.run() % tag.len();
        tag[place] ^= 1;
    }
    probe.hide(&mut key);
    let mut result = probe.watch(|| {
        aead::<A>(backend, &key).decrypt_in_place_detached(
            &nonce,
            &associated_data,
            &mut text,
            &tag,
        )
    });
    probe.reveal(&mut result);
    assert_eq!(result.is_ok(), right);
    if right {
        probe.reveal(&mut text);
        assert_eq!(text.len(), length);
    }
}

/// A buffer that allocates nothing: its address is the same in each run.
struct Text {
    bytes: [u8; 700],
    length: usize,
}

impl Text {
    fn new<const N: usize>(content: [u8; N]) -> Self {
        let mut bytes = [0; 700];
        bytes[..N].copy_from_slice(&content);
        Self { bytes, length: N }
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl AsMut<[u8]> for Text {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.length]
    }
}

impl Buffer for Text {
    fn extend_from_slice(&mut self, other: &[u8]) -> Result<(), Error> {
        let end = self.length + other.len();
        let room = self.bytes.get_mut(self.length..end).ok_or(Error)?;
        room.copy_from_slice(other);
        self.length = end;
        Ok(())
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }
}
