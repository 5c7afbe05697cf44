//! Every back end against the slow model and against RustCrypto's `poly1305`.

mod model;

use poly1305_simd::{
    Backend, Block, Key, OneTimeAuthenticator, Poly1305,
    universal_hash::{
        KeyInit, ParBlocks, UhfBackend, UhfClosure, UniversalHash, common::BlockSizeUser,
        consts::U16,
    },
};
use proptest::prelude::*;

/// Bytes without a pattern that a fault could hide in.
fn message(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i as u8).wrapping_mul(151) ^ (i >> 8) as u8)
        .collect()
}

fn key(seed: u8) -> [u8; 32] {
    core::array::from_fn(|i| (i as u8).wrapping_mul(89).wrapping_add(seed))
}

fn new(backend: Backend, key: &[u8; 32]) -> Poly1305 {
    Poly1305::new_with_backend(backend, &(*key).into()).unwrap()
}

fn rustcrypto(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    poly1305::Poly1305::new(&(*key).into())
        .compute_unpadded(message)
        .0
}

#[test]
fn names_and_choice() {
    assert!(Backend::available().any(|b| b == Backend::detect()));
    assert!(Backend::available().any(|b| b == Backend::soft()));
    for backend in Backend::ALL {
        if !backend.is_available() {
            println!("skipped: {backend} (not on this CPU)");
        }
        let wanted = backend.is_available().then_some(*backend);
        let key = Key::default();
        assert_eq!(
            Poly1305::new_with_backend(*backend, &key).map(|p| p.backend()),
            wanted
        );
        let authenticator = OneTimeAuthenticator::new_with_backend(*backend, &key);
        assert_eq!(authenticator.map(|a| a.backend()), wanted);
        assert_eq!(backend.to_string(), backend.name());
    }
    assert_eq!(Poly1305::new(&Key::default()).backend(), Backend::detect());
    assert_eq!(
        OneTimeAuthenticator::new(&Key::default()).backend(),
        Backend::detect()
    );
}

/// Lengths 0..=4096, at every alignment in turn.
#[test]
fn every_length() {
    let input = message(4096 + 16);
    for len in 0..=4096 {
        let message = &input[len % 16..][..len];
        let key = key(len as u8);
        let expected = rustcrypto(&key, message);
        if len < 300 {
            assert_eq!(expected, model::tag(&key, message));
        }
        for backend in Backend::available() {
            let tag = new(backend, &key).compute_unpadded(message);
            assert_eq!(tag.0, expected, "{backend}, {len} bytes");
        }
    }
}

/// The same message, long enough for vectors, at every alignment (golang/crypto 81bf771).
#[test]
fn every_alignment() {
    let message = message(model::MANY * 16 + 140);
    let expected = rustcrypto(&key(1), &message);
    for backend in Backend::available() {
        for offset in 0..64 {
            let mut buf = vec![0; offset];
            buf.extend_from_slice(&message);
            assert_eq!(
                new(backend, &key(1)).compute_unpadded(&buf[offset..]).0,
                expected
            );
        }
    }
}

/// 0 to 40 blocks, cut in two at every block, and so many behind those that vectors need: the hand-over between wide
/// and narrow kernels. Behind a long piece, whose powers of the key the second one finds, the hand-over comes earlier.
#[test]
fn every_block_count() {
    let input = message((2 * model::MANY + 80) * 16);
    let (blocks, _) = Block::slice_as_chunks(&input);
    for backend in Backend::available() {
        for more in 0..=40 {
            let long = (model::MANY + more) * 16;
            for count in [more, model::MANY.saturating_sub(40) + more] {
                let whole = &input[..long + count * 16];
                let expected = rustcrypto(&key(2), whole);
                let (first, second) = whole.split_at(long);
                let mut pieces =
                    OneTimeAuthenticator::new_with_backend(backend, &key(2).into()).unwrap();
                pieces.update(first);
                pieces.update(second);
                assert_eq!(pieces.finalize().0, expected, "{backend}, {count} blocks");
                let tag = new(backend, &key(2)).compute_unpadded(first).0;
                assert_eq!(tag, rustcrypto(&key(2), first), "{backend}, {long} bytes");
            }
        }
        for count in 0..=40 {
            let expected = rustcrypto(&key(2), &input[..count * 16]);
            for cut in 0..=count {
                let mut hash = new(backend, &key(2));
                hash.update(&blocks[..cut]);
                hash.update(&blocks[cut..count]);
                assert_eq!(hash.finalize().0, expected, "{backend}, {cut} of {count}");
            }
        }
    }
}

/// What `update_padded` hashes, against RustCrypto.
#[test]
fn zero_padded() {
    for backend in Backend::available() {
        for len in 0..=200 {
            let message = message(len);
            let mut theirs = poly1305::Poly1305::new(&key(3).into());
            theirs.update_padded(&message);
            let expected = theirs.finalize();
            let mut hash = new(backend, &key(3));
            hash.update_padded(&message);
            assert_eq!(hash.clone().finalize(), expected);
            hash.clone().verify(&expected).unwrap();
            for bit in 0..128 {
                let mut wrong = expected;
                wrong[bit / 8] ^= 1 << (bit % 8);
                assert!(hash.clone().verify(&wrong).is_err());
            }
        }
    }
}

/// `compute_unpadded` goes on from what was hashed before.
#[test]
fn unpadded_after_blocks() {
    let input = message(100);
    let (blocks, _) = Block::slice_as_chunks(&input[..48]);
    for backend in Backend::available() {
        let mut hash = new(backend, &key(4));
        hash.update(blocks);
        assert_eq!(
            hash.compute_unpadded(&input[48..]).0,
            rustcrypto(&key(4), &input)
        );
    }
}

/// The closure interface that generic code uses.
#[test]
fn closure_interface() {
    struct Feed<'a>(&'a [Block]);
    impl BlockSizeUser for Feed<'_> {
        type BlockSize = U16;
    }
    impl UhfClosure for Feed<'_> {
        fn call<B: UhfBackend<BlockSize = U16>>(self, backend: &mut B) {
            let (wide, rest) = ParBlocks::<B>::slice_as_chunks(self.0);
            wide.iter()
                .for_each(|blocks| backend.proc_par_blocks(blocks));
            rest.iter().for_each(|block| backend.proc_block(block));
        }
    }
    let input = message(37 * 16);
    for backend in Backend::available() {
        let mut hash = new(backend, &key(5));
        hash.update_with_backend(Feed(Block::slice_as_chunks(&input).0));
        assert_eq!(hash.finalize().0, rustcrypto(&key(5), &input));
    }
}

proptest! {
    /// Any split of a message into pieces gives the same tag; pieces may be empty. (RustCrypto universal-hashes:
    /// a partial block with more data behind it tripped an assertion.)
    #[test]
    fn any_split(key: [u8; 32], pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..90), 0..12)) {
        let whole = pieces.concat();
        let expected = model::tag(&key, &whole);
        prop_assert_eq!(rustcrypto(&key, &whole), expected);
        for backend in Backend::available() {
            let mut authenticator =
                OneTimeAuthenticator::new_with_backend(backend, &key.into()).unwrap();
            for piece in &pieces {
                authenticator.update(piece);
            }
            prop_assert_eq!(authenticator.finalize().0, expected);
        }
    }

    /// The same with pieces of which some are long enough for vectors, whose powers the later ones find computed.
    #[test]
    fn any_split_into_long_pieces(
        key: [u8; 32],
        lengths in prop::collection::vec(prop_oneof![0usize..40, 100usize..700, 1700usize..2600], 0..8),
        seed: u8,
    ) {
        let whole = message(lengths.iter().sum::<usize>() + usize::from(seed));
        let mut whole = &whole[usize::from(seed)..];
        let expected = rustcrypto(&key, whole);
        let mut pieces = Vec::new();
        for length in lengths {
            let (piece, rest) = whole.split_at(length);
            pieces.push(piece);
            whole = rest;
        }
        for backend in Backend::available() {
            let mut authenticator =
                OneTimeAuthenticator::new_with_backend(backend, &key.into()).unwrap();
            for piece in &pieces {
                authenticator.update(piece);
            }
            prop_assert_eq!(authenticator.finalize().0, expected);
        }
    }
}
