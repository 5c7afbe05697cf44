//! Hashing of many messages at once.

use crate::backends::{Kernel, Token, with_kernel};
use crate::consts::{F1600_ROUNDS, LANES};
use crate::sponge_xn::{read_state, xor_message, xor_padding};

/// Writes the digest of each message, of any lengths, to the output of the same index.
#[inline]
pub(crate) fn digest_batch<const RATE: usize, const OUT: usize>(
    token: Token,
    suffix: u8,
    messages: &[&[u8]],
    digests: &mut [[u8; OUT]],
) {
    with_kernel!(token, kernel => by_width::<_, RATE, OUT>(kernel, suffix, messages, digests));
}

#[inline(always)]
fn by_width<K: Kernel, const RATE: usize, const OUT: usize>(
    kernel: K,
    suffix: u8,
    messages: &[&[u8]],
    digests: &mut [[u8; OUT]],
) {
    match K::WIDTH {
        8 => digest_xn::<_, RATE, OUT, 8>(kernel, suffix, messages, digests),
        4 => digest_xn::<_, RATE, OUT, 4>(kernel, suffix, messages, digests),
        2 => digest_xn::<_, RATE, OUT, 2>(kernel, suffix, messages, digests),
        _ => {
            for (message, digest) in messages.iter().zip(digests) {
                let mut state = [[0]; LANES];
                finish::<_, RATE, OUT>(kernel, suffix, &mut state, message, digest);
            }
        }
    }
}

/// The rest of a message through one state, which is wiped.
#[inline(always)]
fn finish<K: Kernel, const RATE: usize, const OUT: usize>(
    kernel: K,
    suffix: u8,
    state: &mut [[u64; 1]; LANES],
    rest: &[u8],
    digest: &mut [u8; OUT],
) {
    let (blocks, tail) = rest.as_chunks::<RATE>();
    kernel.absorb_xn::<F1600_ROUNDS, RATE, 1>(state, &[blocks]);
    xor_message(kernel, state, 0, tail);
    xor_padding::<_, RATE, 1>(kernel, state, 0, tail.len(), suffix);
    kernel.permute_xn::<F1600_ROUNDS, 1>(state);
    read_state(kernel, state, 0, 0, digest);
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(state.as_flattened_mut());
}

/// Hashes through `N` states: each takes the next message as soon as it has given the digest of its last, so
/// messages of unequal lengths keep all of them busy until the messages run out. The last one goes on in a state of its
/// own, since with no kernel one state takes longer than several.
#[inline(always)]
fn digest_xn<K: Kernel, const RATE: usize, const OUT: usize, const N: usize>(
    kernel: K,
    suffix: u8,
    messages: &[&[u8]],
    digests: &mut [[u8; OUT]],
) {
    const { assert!(OUT <= RATE) };
    let mut states = [[0; N]; LANES];
    let mut waiting = messages.iter().zip(digests);
    // What is left of the message in each state, and where its digest goes.
    let mut hands: [_; N] =
        core::array::from_fn(|_| waiting.next().map(|(m, digest)| (*m, digest)));
    // PUBLIC: the lengths of the messages, on which alone the flow depends.
    while hands.iter().filter(|hand| hand.is_some()).count() > 1 || waiting.len() != 0 {
        let mut ends = [false; N];
        for (i, hand) in hands.iter_mut().enumerate() {
            let Some((rest, _)) = hand else { continue };
            if let Some((block, after)) = rest.split_first_chunk::<RATE>() {
                xor_message(kernel, &mut states, i, block);
                *rest = after;
            } else {
                xor_message(kernel, &mut states, i, rest);
                xor_padding::<_, RATE, N>(kernel, &mut states, i, rest.len(), suffix);
                ends[i] = true;
            }
        }
        kernel.permute_xn::<F1600_ROUNDS, N>(&mut states);
        let all_end = ends == [true; N];
        for i in (0..N).filter(|&i| ends[i]) {
            if let Some((_, digest)) = &mut hands[i] {
                read_state(kernel, &states, i, 0, &mut digest[..]);
            }
            hands[i] = waiting.next().map(|(m, digest)| (*m, digest));
            if !all_end {
                let lanes = states.as_flattened_mut();
                for lane in 0..LANES {
                    lanes[kernel.slot::<N>(lane, i)] = 0;
                }
            }
        }
        if all_end {
            states = [[0; N]; LANES];
        }
    }
    if let Some((i, Some((rest, digest)))) = hands
        .iter_mut()
        .enumerate()
        .find(|(_, hand)| hand.is_some())
    {
        // A kernel on several states has its lanes as they are, one by one or several at once.
        let lanes = states.as_flattened();
        let mut state = core::array::from_fn(|lane| [lanes[kernel.slot::<N>(lane, i)]]);
        finish::<_, RATE, OUT>(kernel, suffix, &mut state, rest, digest);
    }
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(states.as_flattened_mut());
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::vec;
    use alloc::vec::Vec;

    use super::digest_xn;
    use crate::backends::{Token, with_kernel};
    use crate::{Backend, Digest, Sha3_256};

    /// Through 1, 2, 4 and 8 states by every kernel, whatever width it prefers, messages of very unequal lengths
    /// get the digests that the hasher gives.
    #[test]
    fn digests_at_once_are_digests_one_by_one() {
        let data: Vec<u8> = (0..1000).map(|i: u32| (i * i / 3) as u8).collect();
        for backend in Backend::available() {
            for count in 0..=20 {
                let messages: Vec<&[u8]> =
                    (0..count).map(|i| &data[i..][..i * 389 % 977]).collect();
                macro_rules! digests {
                    ($n:literal) => {{
                        let mut digests = vec![[0; 32]; count];
                        with_kernel!(Token::new(backend).unwrap(), kernel => {
                            digest_xn::<_, 136, 32, $n>(kernel, 0x06, &messages, &mut digests);
                        });
                        digests
                    }};
                }
                let digest = |message: &&[u8]| {
                    let hasher = Sha3_256::with_backend(backend).unwrap();
                    hasher.chain_update(message).finalize().into()
                };
                let expected: Vec<[u8; 32]> = messages.iter().map(digest).collect();
                assert_eq!(digests!(1), expected, "{backend} {count}");
                assert_eq!(digests!(2), expected, "{backend} {count}");
                assert_eq!(digests!(4), expected, "{backend} {count}");
                assert_eq!(digests!(8), expected, "{backend} {count}");
            }
        }
    }
}
