//! Records of TLS.

use aes_cbc_hmac::Backend;
use aes_cbc_hmac::aead::Key;
use aes_cbc_hmac::tls::{
    Aad, Aes128Sha1, Aes128Sha256, Aes256Sha1, Aes256Sha256, Aes256Sha384, ChainedOpener,
    ChainedSealer, EncryptThenMac, Iv, MacThenEncrypt, Opener, Order, Sealer, Suite,
};
use aes_vpaes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes_vpaes::{Aes128, Aes256};

use super::{AVAILABLE, CRATE};
use crate::operations::Operation;
use crate::probe::Probe;

/// Bytes in a record that is opened: a short one, of which every byte may be padding or MAC, and one with room for the
/// longest padding and more blocks than any back end takes at once. Without the MAC, for encrypt-then-MAC.
const RECORDS: [usize; 2] = [80, 640];
const LONGEST: usize = 740;

/// `padding_length` of the runs of one operation, as far as the record has room.
const PADDINGS: [usize; 7] = [0, 255, 17, 100, 64, 15, 200];

pub(super) fn add(operations: &mut Vec<Operation>, backend: Backend) {
    suite::<Aes128Sha1, Aes128>(operations, backend, "AES-128 SHA-1");
    suite::<Aes128Sha256, Aes128>(operations, backend, "AES-128 SHA-256");
    suite::<Aes256Sha1, Aes256>(operations, backend, "AES-256 SHA-1");
    suite::<Aes256Sha256, Aes256>(operations, backend, "AES-256 SHA-256");
    suite::<Aes256Sha384, Aes256>(operations, backend, "AES-256 SHA-384");
    let name = "TLS 1.0 AES-128 SHA-1";
    operations.push(Operation::new(CRATE, backend.name(), name, move |probe| {
        chained(backend, probe);
    }));
}

/// What the cipher of a suite has to be, to make records with paddings of choice.
trait Cipher: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt {}
impl Cipher for Aes128 {}
impl Cipher for Aes256 {}

fn suite<S: Suite, C: Cipher>(operations: &mut Vec<Operation>, backend: Backend, name: &str) {
    let mut add = |what: &str, body: Box<dyn Fn(&mut Probe)>| {
        let name = format!("TLS {name} {what}");
        operations.push(Operation::new(CRATE, backend.name(), name, body));
    };
    for length in RECORDS {
        add(
            &format!("open {length} bytes"),
            Box::new(move |probe| open::<S, C>(backend, probe, length)),
        );
        add(
            &format!("refuse {length} bytes"),
            Box::new(move |probe| refuse::<S, C>(backend, probe, length)),
        );
        add(
            &format!("open {length} bytes, encrypt-then-MAC"),
            Box::new(move |probe| open_encrypted_then_maced::<S>(backend, probe, length, true)),
        );
        add(
            &format!("refuse {length} bytes, encrypt-then-MAC"),
            Box::new(move |probe| open_encrypted_then_maced::<S>(backend, probe, length, false)),
        );
    }
    add(
        "seal",
        Box::new(move |probe| seal::<S, MacThenEncrypt>(backend, probe)),
    );
    add(
        "seal, encrypt-then-MAC",
        Box::new(move |probe| seal::<S, EncryptThenMac>(backend, probe)),
    );
}

/// A key of this run, for both directions.
fn vary_key<S: Suite>(probe: &mut Probe) -> Key<Sealer<S>> {
    let mut key = Key::<Sealer<S>>::default();
    probe.vary(&mut key);
    key
}

fn seal<S: Suite, O: Order>(backend: Backend, probe: &mut Probe) {
    let mut key = vary_key::<S>(probe);
    probe.hide(&mut key);
    let (iv, aad): (Iv, Aad) = (probe.fixed(), probe.fixed());
    let content = probe.secret::<LONGEST>();
    let lengths = probe.watch(|| {
        let sealer = Sealer::<S, O>::new_with_backend(backend, &key).expect(AVAILABLE);
        [0, 1, 16, 55, 300].map(|length| {
            let mut record = [0; LONGEST];
            sealer.seal(&iv, &aad, &content[..length], &mut record)
        })
    });
    assert!(lengths.iter().all(Result::is_ok));
}

/// What is in a record: content, MAC and padding, `text.len()` bytes in all. Returns the length of the content.
fn fill_text<S: Suite, C: Cipher>(
    backend: Backend,
    probe: &mut Probe,
    key: &Key<Sealer<S>>,
    (iv, aad): (&Iv, &Aad),
    padding_length: usize,
    text: &mut [u8],
) -> usize {
    let padding_length = padding_length.min(text.len() - S::MAC_SIZE - 1);
    let content = text.len() - S::MAC_SIZE - 1 - padding_length;
    // Sealed, which gives the MAC, and decrypted again.
    let mut record = [0; LONGEST];
    probe.vary(&mut record[..content]);
    let sealer = Sealer::<S>::new_with_backend(backend, key).expect(AVAILABLE);
    let sealed = sealer.seal_in_place(iv, aad, &mut record, content);
    let record = &mut record[..sealed.expect("the content is short enough")];
    decrypt(&cipher::<S, C>(key), iv, record);
    text.fill(padding_length as u8);
    text[..content + S::MAC_SIZE].copy_from_slice(&record[..content + S::MAC_SIZE]);
    content
}

/// The runs differ in the length of the padding.
fn open<S: Suite, C: Cipher>(backend: Backend, probe: &mut Probe, length: usize) {
    let mut key = vary_key::<S>(probe);
    let (iv, aad): (Iv, Aad) = (probe.fixed(), probe.fixed());
    let mut record = [0; LONGEST];
    let record = &mut record[..length];
    let padding = PADDINGS[probe.run() % PADDINGS.len()];
    let content = fill_text::<S, C>(backend, probe, &key, (&iv, &aad), padding, record);
    let mut text = [0; LONGEST];
    text[..length].copy_from_slice(record);
    encrypt(&cipher::<S, C>(&key), &iv, record);
    probe.hide(&mut key);
    let mut opened = probe.watch(|| {
        let opener = Opener::<S>::new_with_backend(backend, &key).expect(AVAILABLE);
        opener
            .open_in_place(&iv, &aad, record)
            .map(|content| content.len())
    });
    probe.reveal(&mut opened);
    probe.reveal(record);
    assert_eq!(opened, Ok(content));
    assert_eq!(record[..content], text[..content]);
}

/// The runs differ in what is wrong.
fn refuse<S: Suite, C: Cipher>(backend: Backend, probe: &mut Probe, length: usize) {
    let mut key = vary_key::<S>(probe);
    let (iv, aad): (Iv, Aad) = (probe.fixed(), probe.fixed());
    let mut record = [0; LONGEST];
    let record = &mut record[..length];
    let content = fill_text::<S, C>(backend, probe, &key, (&iv, &aad), 21, record);
    match probe.run() % 5 {
        // The MAC, its last byte, a byte of the padding, its length.
        0 => record[content] ^= 4,
        1 => record[content + S::MAC_SIZE - 1] ^= 4,
        2 => record[length - 3] ^= 4,
        3 => record[length - 1] = 0xff,
        _ => record.fill(0),
    }
    encrypt(&cipher::<S, C>(&key), &iv, record);
    probe.hide(&mut key);
    let mut refused = probe.watch(|| {
        let opener = Opener::<S>::new_with_backend(backend, &key).expect(AVAILABLE);
        opener.open_in_place(&iv, &aad, record).is_err()
    });
    probe.reveal(&mut refused);
    assert!(refused);
}

/// The runs differ in the length of the padding, or in which byte of the MAC is wrong.
fn open_encrypted_then_maced<S: Suite>(
    backend: Backend,
    probe: &mut Probe,
    length: usize,
    right: bool,
) {
    let mut key = vary_key::<S>(probe);
    let (iv, aad): (Iv, Aad) = (probe.fixed(), probe.fixed());
    let mut record = [0; LONGEST];
    let content = length - 1 - 5 * probe.run() % 16;
    probe.vary(&mut record[..content]);
    let sealer = Sealer::<S, EncryptThenMac>::new_with_backend(backend, &key).expect(AVAILABLE);
    let sealed = sealer.seal_in_place(&iv, &aad, &mut record, content);
    let sealed = sealed.expect("the content is short enough");
    assert_eq!(sealed, length + S::MAC_SIZE);
    if !right {
        record[length + 5 * probe.run() % S::MAC_SIZE] ^= 1;
    }
    probe.hide(&mut key);
    let mut opened = probe.watch(|| {
        let opener = Opener::<S, EncryptThenMac>::new_with_backend(backend, &key);
        opener
            .expect(AVAILABLE)
            .open_in_place(&iv, &aad, &mut record[..sealed])
            .map(|content| content.len())
            .ok()
    });
    probe.reveal(&mut opened);
    assert_eq!(opened, right.then_some(content));
}

/// Both ends of a connection with chained IVs, of which the first is part of the key.
fn chained(backend: Backend, probe: &mut Probe) {
    let mut key = Key::<ChainedSealer<Aes128Sha1>>::default();
    probe.vary(&mut key);
    probe.hide(&mut key);
    let aad = probe.fixed();
    let content = probe.secret::<100>();
    let mut opened = probe.watch(|| {
        let sealer = ChainedSealer::<Aes128Sha1>::new_with_backend(backend, &key);
        let opener = ChainedOpener::<Aes128Sha1>::new_with_backend(backend, &key);
        let (mut sealer, mut opener) = (sealer.expect(AVAILABLE), opener.expect(AVAILABLE));
        [(); 2].map(|()| {
            let mut record = [0; 200];
            let length = sealer.seal(&aad, &content, &mut record);
            let record = &mut record[..length.expect("the content is short enough")];
            opener
                .open_in_place(&aad, record)
                .map(|content| content.len())
        })
    });
    probe.reveal(&mut opened);
    assert_eq!(opened, [Ok(100); 2]);
}

fn cipher<S: Suite, C: Cipher>(key: &Key<Sealer<S>>) -> C {
    C::new_from_slice(&key[S::MAC_SIZE..]).expect("a suite's cipher has this key size")
}

fn encrypt(cipher: &impl BlockCipherEncrypt, iv: &Iv, text: &mut [u8]) {
    let mut last = *iv;
    for block in text.as_chunks_mut::<16>().0 {
        xor(block, &last);
        cipher.encrypt_block(block.as_mut_slice().try_into().expect("16 bytes"));
        last = *block;
    }
}

fn decrypt(cipher: &impl BlockCipherDecrypt, iv: &Iv, text: &mut [u8]) {
    let mut last = *iv;
    for block in text.as_chunks_mut::<16>().0 {
        let ciphertext = *block;
        cipher.decrypt_block(block.as_mut_slice().try_into().expect("16 bytes"));
        xor(block, &last);
        last = ciphertext;
    }
}

fn xor(block: &mut [u8; 16], other: &[u8; 16]) {
    for (a, b) in block.iter_mut().zip(other) {
        *a ^= b;
    }
}
