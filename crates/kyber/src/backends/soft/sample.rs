//! Sampling: uniform elements of the NTT domain by rejection, small polynomials from a binomial distribution
//! (FIPS 203, section 4.2.2).

#![cfg_attr(not(test), deny(clippy::integer_division_remainder_used))]

use super::{
    field::{N, Q},
    ntt::ntt_position,
};

/// SampleNTT (Algorithm 7) for one entry of the matrix, fed with as many blocks of SHAKE128 output as it takes.
///
/// PUBLIC: the matrix and the seed that it comes from are part of the encapsulation key.
pub(crate) struct MatrixSampler<'a> {
    /// In NTT order.
    entry: &'a mut [i16; N],
    filled: usize,
}

impl<'a> MatrixSampler<'a> {
    pub(crate) fn new(entry: &'a mut [i16; N]) -> Self {
        Self { entry, filled: 0 }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.filled == N
    }

    /// Takes coefficients from a block, whose length is a multiple of 3 bytes, until the entry is full.
    pub(crate) fn feed_vartime(&mut self, block: &[u8]) {
        let mut filled = self.filled;
        for &[a, b, c] in block.as_chunks().0 {
            let candidates = [
                u16::from(a) | (u16::from(b) & 15) << 8,
                u16::from(b) >> 4 | u16::from(c) << 4,
            ];
            for candidate in candidates {
                // A fifth is rejected, at random: writing all and moving on past the good ones is faster than a branch.
                if filled < N {
                    self.entry[ntt_position(filled)] = candidate as i16;
                    filled += usize::from(candidate < Q as u16);
                }
            }
        }
        self.filled = filled;
    }
}

/// Adds SamplePolyCBD_eta (Algorithm 8) to `f` in normal order, where `bytes` has 64 eta bytes and eta is 2 or 3.
///
/// Sums of bits are computed in the bits of words, without a table that a secret would index.
pub(crate) fn add_poly_cbd(bytes: &[u8], f: &mut [i16; N]) {
    if bytes.len() == 128 {
        for (pair, &byte) in f.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
            // Four sums of two bits each, 0 to 2.
            let sums = (byte & 0x55) + (byte >> 1 & 0x55);
            let sum = |i: u32| i16::from(sums >> (2 * i) & 3);
            pair[0] += sum(0) - sum(1);
            pair[1] += sum(2) - sum(3);
        }
    } else {
        debug_assert_eq!(bytes.len(), 192);
        for (group, &[a, b, c]) in f.as_chunks_mut::<4>().0.iter_mut().zip(bytes.as_chunks().0) {
            let word = u32::from_le_bytes([a, b, c, 0]);
            // Eight sums of three bits each, 0 to 3.
            let sums = (word & 0x24_9249) + (word >> 1 & 0x24_9249) + (word >> 2 & 0x24_9249);
            let sum = |i: usize| (sums >> (3 * i) & 7) as i16;
            for (i, c) in group.iter_mut().enumerate() {
                *c += sum(2 * i) - sum(2 * i + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Algorithm 8 bit by bit.
    #[test]
    fn cbd_is_as_defined() {
        for eta in [2, 3] {
            for seed in 0..64u8 {
                let mut buffer = [0u8; 192];
                for (i, byte) in buffer.iter_mut().enumerate() {
                    *byte = (i as u8)
                        .wrapping_mul(167)
                        .wrapping_add(seed.wrapping_mul(41))
                        .rotate_left(i as u32 % 7);
                }
                let bytes = &buffer[..64 * eta];
                let bit = |i: usize| i16::from(bytes[i / 8] >> (i % 8) & 1);
                let mut f = [100; N];
                add_poly_cbd(bytes, &mut f);
                for (i, &c) in f.iter().enumerate() {
                    let x: i16 = (0..eta).map(|j| bit(2 * i * eta + j)).sum();
                    let y: i16 = (0..eta).map(|j| bit(2 * i * eta + eta + j)).sum();
                    assert_eq!(c, 100 + x - y);
                }
            }
        }
    }

    /// Algorithm 7 on blocks of any length, with candidates around q and the end of the entry at every place.
    #[test]
    fn rejection_is_as_defined() {
        for seed in 0..300u32 {
            let mut state = seed;
            let stream: [u8; 1008] = core::array::from_fn(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8 | (seed % 3 * 0x80) as u8
            });
            let mut expected = [0; N];
            let mut count = 0;
            for &[a, b, c] in stream.as_chunks().0 {
                let d1 = u16::from(a) + 256 * (u16::from(b) % 16);
                let d2 = u16::from(b) / 16 + 16 * u16::from(c);
                for d in [d1, d2] {
                    if d < 3329 && count < N {
                        expected[count] = d as i16;
                        count += 1;
                    }
                }
            }
            // However many blocks it takes: these give nothing.
            let mut entry = [0; N];
            let mut sampler = MatrixSampler::new(&mut entry);
            for _ in 0..100 {
                sampler.feed_vartime(&[0xff; 168]);
            }
            assert_eq!(sampler.filled, 0);
            for block in [3, 21, 168, 504] {
                let mut entry = [0; N];
                let mut sampler = MatrixSampler::new(&mut entry);
                for block in stream.chunks(block) {
                    if !sampler.is_full() {
                        sampler.feed_vartime(block);
                    }
                }
                assert_eq!(sampler.filled, count);
                let full = sampler.is_full();
                for i in 0..count {
                    assert_eq!(entry[ntt_position(i)], expected[i], "{block}, {full}");
                }
            }
        }
    }
}
