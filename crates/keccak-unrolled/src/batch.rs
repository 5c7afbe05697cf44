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
        _ => digest_xn::<_, RATE, OUT, 1>(kernel, suffix, messages, digests),
    }
}

/// Hashes through `N` states: each takes the next message as soon as it has given the digest of its last, so
/// messages of unequal lengths keep all of them busy until the messages run out.
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
    while hands.iter().any(Option::is_some) {
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
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(states.as_flattened_mut());
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::vec;
    use alloc::vec::Vec;

    use super::digest_xn;
    use crate::Backend;
    use crate::backends::{Token, with_kernel};

    /// Through 2, 4 and 8 states by every kernel, whatever width it prefers, messages of very unequal lengths
    /// get the digests that one state gives, which the public functions are tested with.
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
                let expected = digests!(1);
                assert_eq!(digests!(2), expected, "{backend} {count}");
                assert_eq!(digests!(4), expected, "{backend} {count}");
                assert_eq!(digests!(8), expected, "{backend} {count}");
            }
        }
    }
}
