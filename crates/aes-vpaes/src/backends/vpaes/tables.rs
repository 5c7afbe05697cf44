//! The tables of vector permutation AES, computed from the fields.
//!
//! All have 16 bytes, for an instruction that looks up 16 nibbles at once. An index with bit 7 set gives zero; on
//! machines where any index above 15 does, it makes no difference, since no other is used.

use crate::backends::keys::Aligned;

/// What one shuffle instruction takes.
pub(super) type Table = [u8; 16];

/// Two tables whose sum is a function of a byte: one for each of the numbers that stand for it.
pub(crate) type Pair = [Aligned; 2];

/// Multiplication in GF(2^8) (FIPS 197, section 4.2).
const fn mul(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = a << 1 ^ if a >> 7 == 1 { 0x1b } else { 0 };
        b >>= 1;
    }
    product
}

/// The affine map of the S-box without its constant (FIPS 197, equation 5.2).
const fn affine(x: u8) -> u8 {
    x ^ x.rotate_left(1) ^ x.rotate_left(2) ^ x.rotate_left(3) ^ x.rotate_left(4)
}

/// The inverse of [`affine`].
const fn inv_affine(x: u8) -> u8 {
    x.rotate_left(1) ^ x.rotate_left(3) ^ x.rotate_left(6)
}

/// The constant of the affine map.
const AFFINE: u8 = 0x63;

/// GF(2^4) within GF(2^8), and GF(2^8) over it.
struct Tower {
    /// The element that a nibble stands for: bit `b` is the coefficient of `g^b`, where `g^4 + g + 1 = 0`.
    element: [u8; 16],
    /// `w^2 + a w + a = 0`, so that every element is `i w + k`.
    w: u8,
    a: u8,
    /// The nibble of each element's inverse; that of zero, infinity, is 0x80: a table's entry for it is zero.
    inverse: [u8; 16],
    /// The byte `i << 4 | k` that stands for each element `i w + k`.
    nibbles: [u8; 256],
}

const TOWER: Tower = {
    let mut g = 2;
    while mul(mul(g, g), mul(g, g)) ^ g ^ 1 != 0 {
        g += 1;
    }
    let mut element = [0; 16];
    let mut n = 0;
    while n < 16 {
        let (mut power, mut bit) = (1, 0);
        while bit < 4 {
            if n >> bit & 1 == 1 {
                element[n] ^= power;
            }
            power = mul(power, g);
            bit += 1;
        }
        n += 1;
    }

    let mut inverse = [0x80; 16];
    let mut n = 1;
    while n < 16 {
        let mut m = 1;
        while mul(element[n], element[m]) != 1 {
            m += 1;
        }
        inverse[n] = m as u8;
        n += 1;
    }

    // The first such polynomial that has a root outside of GF(2^4), and that root.
    let (mut a, mut w) = (1, 0);
    while w == 0 {
        let mut x = 255;
        while x > 0 {
            let root = mul(x, x) ^ mul(element[a], x) ^ element[a] == 0;
            // The elements of GF(2^4) are their own 16th powers.
            let (x4, mut x16) = (mul(mul(x, x), mul(x, x)), 0);
            if root {
                x16 = mul(mul(x4, x4), mul(x4, x4));
            }
            if root && x16 != x {
                w = x;
            }
            x -= 1;
        }
        a += 1;
    }
    let a = element[a - 1];

    let mut nibbles = [0; 256];
    let mut i = 0;
    while i < 256 {
        let x = mul(element[i >> 4], w) ^ element[i & 15];
        nibbles[x as usize] = i as u8;
        i += 1;
    }
    Tower {
        element,
        w,
        a,
        inverse,
        nibbles,
    }
};

/// How a byte of the state is written.
#[derive(Clone, Copy)]
pub(super) enum Basis {
    /// As in FIPS 197.
    Standard,
    /// The two nibbles of `x`.
    Tower,
    /// The two nibbles of `x` with the affine map undone, save for its constant: what the inverse S-box inverts.
    Inverse,
}

impl Basis {
    const fn write(self, x: u8) -> u8 {
        match self {
            Self::Standard => x,
            Self::Tower => TOWER.nibbles[x as usize],
            Self::Inverse => TOWER.nibbles[inv_affine(x) as usize],
        }
    }

    /// The tables of `x -> factor x` from the basis `from` to `self`.
    pub(super) const fn of_nibbles(self, from: Self, factor: u8) -> Pair {
        let mut pair = [Aligned::ZERO; 2];
        let mut n = 0;
        while n < 16 {
            let (low, high) = match from {
                Self::Standard => (n as u8, (n as u8) << 4),
                Self::Tower => (TOWER.element[n], mul(TOWER.element[n], TOWER.w)),
                Self::Inverse => (
                    affine(TOWER.element[n]),
                    affine(mul(TOWER.element[n], TOWER.w)),
                ),
            };
            pair[0].0[n] = self.write(mul(factor, low));
            pair[1].0[n] = self.write(mul(factor, high));
            n += 1;
        }
        pair
    }

    /// The tables of `factor / x`, with the affine map after the inversion if `with_affine`, from the numbers `io` and `jo`
    /// (see [`vpaes`](super)) to `self`.
    const fn of_inverse(self, with_affine: bool, factor: u8) -> Pair {
        let mut pair = [Aligned::ZERO; 2];
        let inv_a = TOWER.element[TOWER.inverse[TOWER.nibbles[TOWER.a as usize] as usize] as usize];
        let mut n = 1;
        while n < 16 {
            let u = TOWER.element[TOWER.inverse[n] as usize];
            // 1/x = u + w (u + (u + v) / a) / a
            let w_by_v = mul(TOWER.w, mul(u, mul(inv_a, inv_a)));
            let by_u = u ^ mul(TOWER.w, mul(u, inv_a)) ^ w_by_v;
            let mut t = 0;
            while t < 2 {
                let mut x = [by_u, w_by_v][t];
                if with_affine {
                    x = affine(x);
                }
                pair[t].0[n] = self.write(mul(factor, x));
                t += 1;
            }
            n += 1;
        }
        pair
    }

    /// The constant of the affine map, at every byte.
    const fn constant(self) -> Aligned {
        Aligned([self.write(AFFINE); 16])
    }
}

/// Where ShiftRows takes the byte at `n` from (FIPS 197, equation 5.5).
const fn shift_rows(n: usize) -> usize {
    (n + 4 * (n % 4)) % 16
}

/// Where the bytes are after `r` rounds in which ShiftRows was left out: what belongs at `n` is at `shifted(r)[n]`.
pub(super) const fn shifted(r: usize) -> Table {
    let mut out = [0; 16];
    let mut n = 0;
    while n < 16 {
        let (mut at, mut i) = (n, 0);
        while i < r % 4 {
            at = shift_rows(at);
            i += 1;
        }
        out[n] = at as u8;
        n += 1;
    }
    out
}

/// The shuffle that gives every byte what is `by` rows below it in the same column, modulo 4, where bytes come from
/// where they are after `from` rounds and go to where they are after `to`.
const fn rows_below(by: usize, from: usize, to: usize) -> Aligned {
    let (from, to) = (shifted(from), shifted(to));
    let mut out = [0; 16];
    let mut n = 0;
    while n < 16 {
        out[to[n] as usize] = from[n / 4 * 4 + (n + by) % 4];
        n += 1;
    }
    Aligned(out)
}

/// The rows that MixColumns adds, when bytes are where they are after `r` rounds.
const fn mix_columns(r: usize) -> [Aligned; 3] {
    [
        rows_below(1, r, r),
        rows_below(2, r, r),
        rows_below(3, r, r),
    ]
}

/// RotWord (FIPS 197, section 5.2) `times` times: of every word, or of the last one into every word.
const fn rot_word(times: usize, last: bool) -> Aligned {
    let mut out = [0; 16];
    let mut n = 0;
    while n < 16 {
        let word = if last { 12 } else { n / 4 * 4 };
        out[n] = (word + (n + times) % 4) as u8;
        n += 1;
    }
    Aligned(out)
}

/// For encryption and decryption.
#[repr(C, align(64))]
pub(crate) struct Tables {
    /// A mask, which is not looked up.
    pub(crate) nibble: Aligned,
    /// `1/x` and `a/x`.
    pub(crate) inverse: Aligned,
    pub(crate) a_by: Aligned,

    /// From bytes.
    pub(crate) input: Pair,
    /// Once and three times the S-box, without its constant.
    pub(crate) sub_bytes: Pair,
    pub(crate) sub_bytes_3: Pair,
    /// MixColumns, by the number of the round modulo 4.
    pub(crate) mix_columns: [[Aligned; 3]; 4],
    /// The S-box of the last round, to bytes.
    pub(crate) output: Pair,
    /// ShiftRows as it is due after the last round, by the number of rounds modulo 4: the same in both directions.
    pub(crate) unshift: [Aligned; 4],

    /// The same for decryption: what the inverse S-box and InvMixColumns give is 14, 11, 13 and 9 times an inverse.
    pub(crate) inv_input: Pair,
    pub(crate) inv_mix: [Pair; 4],
    pub(crate) inv_mix_columns: [[Aligned; 3]; 4],
    pub(crate) inv_output: Pair,
}

pub(crate) static TABLES: Tables = Tables {
    nibble: Aligned([0x0f; 16]),
    inverse: Aligned(TOWER.inverse),
    a_by: {
        let mut out = [0x80; 16];
        let mut n = 1;
        while n < 16 {
            let inverse = TOWER.element[TOWER.inverse[n] as usize];
            out[n] = TOWER.nibbles[mul(TOWER.a, inverse) as usize];
            n += 1;
        }
        Aligned(out)
    },

    input: Basis::Tower.of_nibbles(Basis::Standard, 1),
    sub_bytes: Basis::Tower.of_inverse(true, 1),
    sub_bytes_3: Basis::Tower.of_inverse(true, 3),
    mix_columns: [
        mix_columns(0),
        mix_columns(1),
        mix_columns(2),
        mix_columns(3),
    ],
    output: Basis::Standard.of_inverse(true, 1),
    unshift: [
        Aligned(shifted(0)),
        Aligned(shifted(1)),
        Aligned(shifted(2)),
        Aligned(shifted(3)),
    ],

    inv_input: Basis::Inverse.of_nibbles(Basis::Standard, 1),
    inv_mix: [
        Basis::Inverse.of_inverse(false, 14),
        Basis::Inverse.of_inverse(false, 11),
        Basis::Inverse.of_inverse(false, 13),
        Basis::Inverse.of_inverse(false, 9),
    ],
    // InvShiftRows `r` times is ShiftRows `4 - r` times.
    inv_mix_columns: [
        mix_columns(0),
        mix_columns(3),
        mix_columns(2),
        mix_columns(1),
    ],
    inv_output: Basis::Standard.of_inverse(false, 1),
};

/// For the key schedules, beside [`TABLES`].
#[repr(C, align(64))]
pub(crate) struct KeyTables {
    /// RotWord, by how often: the last word into every word, and every word.
    pub(crate) last_word: [Aligned; 4],
    pub(crate) rot_word: [Aligned; 4],
    /// The round constants and the S-box's, by the number of the round, from 1; for 0, the S-box's alone.
    pub(crate) rcon: [Aligned; 11],
    /// The S-box's constant, as in `rcon` and as bytes.
    pub(crate) constant: Aligned,
    pub(crate) constant_bytes: Aligned,
    /// To bytes.
    pub(crate) output: Pair,
    /// ShiftRows left out in advance, by the number of the round modulo 4.
    pub(crate) shift: [Aligned; 4],

    /// 14, 11, 13 and 9 times a byte of a key for encryption, for decryption.
    pub(crate) inv_mix: [Pair; 4],
    /// InvMixColumns, by the number of the round in encryption modulo 4, then by whether there are 10 or 14 rounds, not
    /// 12.
    pub(crate) inv_mix_columns: [[[Aligned; 4]; 2]; 4],
}

pub(crate) static KEY_TABLES: KeyTables = KeyTables {
    last_word: [
        rot_word(0, true),
        rot_word(1, true),
        rot_word(2, true),
        rot_word(3, true),
    ],
    rot_word: [
        rot_word(0, false),
        rot_word(1, false),
        rot_word(2, false),
        rot_word(3, false),
    ],
    rcon: {
        let mut out = [Basis::Tower.constant(); 11];
        let (mut power, mut r) = (1, 1);
        while r < 11 {
            let mut word = 0;
            while word < 4 {
                out[r].0[4 * word] = Basis::Tower.write(AFFINE ^ power);
                word += 1;
            }
            power = mul(power, 2);
            r += 1;
        }
        out
    },
    constant: Basis::Tower.constant(),
    constant_bytes: Basis::Standard.constant(),
    output: Basis::Standard.of_nibbles(Basis::Tower, 1),
    shift: [
        rows_below(0, 0, 0),
        rows_below(0, 0, 1),
        rows_below(0, 0, 2),
        rows_below(0, 0, 3),
    ],

    inv_mix: [
        Basis::Inverse.of_nibbles(Basis::Tower, 14),
        Basis::Inverse.of_nibbles(Basis::Tower, 11),
        Basis::Inverse.of_nibbles(Basis::Tower, 13),
        Basis::Inverse.of_nibbles(Basis::Tower, 9),
    ],
    inv_mix_columns: [inv_keys(0), inv_keys(1), inv_keys(2), inv_keys(3)],
};

/// InvMixColumns on the key of round `r` of encryption. Of `n` rounds this is round `n - r` of decryption, in which
/// bytes are where they are after `r - n` rounds of encryption.
const fn inv_keys(r: usize) -> [[Aligned; 4]; 2] {
    let mut out = [[Aligned::ZERO; 4]; 2];
    let mut twist = 0;
    while twist < 2 {
        let mut by = 0;
        while by < 4 {
            out[twist][by] = rows_below(by, r, r + 2 * twist);
            by += 1;
        }
        twist += 1;
    }
    out
}
