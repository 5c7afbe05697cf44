//! Constants of Keccak-p\[1600\], computed from their definitions in FIPS 202.

/// Lanes of a state.
pub(crate) const LANES: usize = 25;

/// Rounds of Keccak-f\[1600\].
pub(crate) const F1600_ROUNDS: usize = 24;

/// Whether extendable-output functions have this rate: 168 bytes at 128 bits of security, 136 at 256.
pub(crate) const fn is_xof_rate(rate: usize) -> bool {
    matches!(rate, 168 | 136)
}

/// Round constants of Keccak-f\[1600\] (FIPS 202, Algorithms 5 and 6): bit `2^j - 1` of constant `i` is
/// `rc(j + 7i)`, the output bit of an LFSR with the polynomial x^8 + x^6 + x^5 + x^4 + 1.
pub(crate) const RC: [u64; F1600_ROUNDS] = {
    let mut constants = [0; F1600_ROUNDS];
    let mut lfsr: u16 = 1;
    let mut i = 0;
    while i < F1600_ROUNDS {
        let mut j = 0;
        while j <= 6 {
            constants[i] |= ((lfsr & 1) as u64) << ((1 << j) - 1);
            // In Algorithm 5 bit 0 leaves last: as an integer the register shifts left, and what leaves
            // at the top comes back at bits 0, 4, 5 and 6.
            lfsr <<= 1;
            if lfsr & 0x100 != 0 {
                lfsr ^= 0x171;
            }
            j += 1;
        }
        i += 1;
    }
    constants
};

/// Offsets of rho (FIPS 202, Algorithm 2, step 3), indexed `x + 5y`.
pub(crate) const RHO: [u32; LANES] = {
    let mut offsets = [0; LANES];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        offsets[x + 5 * y] = ((t + 1) * (t + 2) / 2) % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
};

#[cfg(test)]
mod tests {
    use super::{RC, RHO};

    /// FIPS 202 prints the offsets modulo 64 in no table, but before reduction in Table 2, by column x.
    #[test]
    fn rho_offsets_are_table_2() {
        let table: [[u32; 5]; 5] = [
            [0, 36, 3, 105, 210],
            [1, 300, 10, 45, 66],
            [190, 6, 171, 15, 253],
            [28, 55, 153, 21, 120],
            [91, 276, 231, 136, 78],
        ];
        for x in 0..5 {
            for y in 0..5 {
                assert_eq!(RHO[x + 5 * y], table[x][y] % 64, "x = {x}, y = {y}");
            }
        }
    }

    /// The Keccak reference, version 3.0, section 1.2: RC[0], RC[1], RC[2] and RC[23].
    #[test]
    fn round_constants_are_the_published_ones() {
        assert_eq!(RC[0], 0x0000_0000_0000_0001);
        assert_eq!(RC[1], 0x0000_0000_0000_8082);
        assert_eq!(RC[2], 0x8000_0000_0000_808a);
        assert_eq!(RC[23], 0x8000_0000_8000_8008);
    }
}
