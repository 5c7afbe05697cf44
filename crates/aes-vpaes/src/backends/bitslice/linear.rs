//! MixColumns, its inverse and AddRoundKey on bit planes, with ShiftRows left out.
//!
//! A plane is a word of four rows; a row has a nibble for each lane, a nibble a bit for each column:
//!
//! ```text
//! u64: row 3 | row 2 | row 1 | row 0        row: lane 3 | lane 2 | lane 1 | lane 0
//! u32:                                      row:                   lane 1 | lane 0
//!                                          lane: column 3 | column 2 | column 1 | column 0
//! ```
//!
//! ShiftRows is left out ("fixslicing", A. Adomnicai and T. Peyrin, IACR ePrint 2020/1123): after `i` rounds, what
//! belongs in row `r`, column `c` stands in column `c + i r`. So MixColumns of round `i`, which adds to a byte those
//! in the same column one, two and three rows below, finds the first in column `c + i`, the second in `c + 2 i`: the
//! word is rotated by rows and columns at once. After four rounds all is in place again.

use super::{Bits, State, Word, planes};

/// What the lanes of a state hold, which decides how columns are rotated.
pub(crate) trait Lanes<W: Word> {
    /// Brings what is `rows` below and `columns` to the right (modulo 4) to every place.
    fn rotate(x: W, rows: u32, columns: i32) -> W;

    /// Copies the lane given to all others, if they are the same.
    fn renew(s: &mut State<W>, lane: Option<u32>);
}

/// A block in each lane.
pub(crate) enum Distinct {}

impl<W: Word> Lanes<W> for Distinct {
    #[inline(always)]
    fn rotate(x: W, rows: u32, columns: i32) -> W {
        let columns = columns.rem_euclid(4) as u32;
        let n = W::ROW_BITS * rows + columns;
        if columns == 0 {
            return x.rotate_right(n);
        }
        // The columns that do not leave their nibble, and those that enter it again on the other side.
        let stay = W::every_row(0x1111 * (0xf >> columns));
        (x.rotate_right(n) & stay) | (x.rotate_right(n - 4) & !stay)
    }

    #[inline(always)]
    fn renew(_: &mut State<W>, _: Option<u32>) {}
}

/// The same block in every lane.
///
/// A row is periodic then, and a rotation of its columns is one of the whole word, save that bits of the next row
/// enter at one end: the columns at that end are spoilt. [`Word::RENEWAL`] says when a whole lane must be copied to
/// the others again.
pub(crate) enum Same {}

impl<W: Word> Lanes<W> for Same {
    #[inline(always)]
    fn rotate(x: W, rows: u32, columns: i32) -> W {
        x.rotate_right((W::ROW_BITS * rows).wrapping_add_signed(columns))
    }

    #[inline(always)]
    fn renew(s: &mut State<W>, lane: Option<u32>) {
        if let Some(lane) = lane {
            *s = planes!(K => ((s[K] >> (4 * lane)) & W::every_row(0xf)).repeat_lane());
        }
    }
}

/// The columns by which round `i` (modulo 4) rotates along with one row and with two.
const fn columns(i: usize) -> (i32, i32) {
    match i {
        0 => (0, 0),
        1 => (1, 2),
        2 => (2, 0),
        _ => (-1, -2),
    }
}

#[inline(always)]
pub(crate) fn add_round_key<W: Bits>(s: &mut State<W>, key: &State<W>) {
    *s = planes!(K => s[K] ^ key[K]);
}

/// Multiplication of every byte by x (FIPS 197, section 4.3).
#[inline(always)]
pub(crate) fn xtime<W: Bits>([s0, s1, s2, s3, s4, s5, s6, s7]: State<W>) -> State<W> {
    [s7, s0 ^ s7, s1, s2 ^ s7, s3 ^ s7, s4, s5, s6]
}

/// MixColumns of round `i` modulo 4 (FIPS 197, section 5.1.3) and AddRoundKey: with `t` the sum of a byte and the one
/// below it, x t plus the byte below plus `t` of two rows below. The latter is there last, so that the key is added
/// before it.
#[inline(always)]
pub(crate) fn mix_columns<W: Word, L: Lanes<W>>(s: &mut State<W>, key: &State<W>, i: usize) {
    let (one_row, two_rows) = columns(i);
    let below = planes!(K => L::rotate(s[K], 1, one_row));
    let t = planes!(K => s[K] ^ below[K]);
    let xt = xtime(t);
    *s = planes!(K => ((xt[K] ^ key[K]) ^ below[K]) ^ L::rotate(t[K], 2, two_rows));
    L::renew(s, W::RENEWAL.mix[i]);
}

/// InvMixColumns of round `i` modulo 4 (FIPS 197, section 5.3.3). With `t` as in MixColumns and `u` a byte plus x t,
/// {0d} times the byte plus {09} times the one below is `v` = t + x^2 u; to this adds what {0e} and {0b} are more,
/// which is u, and `v` of two rows below.
#[inline(always)]
pub(crate) fn inv_mix_columns<W: Word, L: Lanes<W>>(s: &mut State<W>, i: usize) {
    let (one_row, two_rows) = columns(i);
    let t = planes!(K => s[K] ^ L::rotate(s[K], 1, one_row));
    let xt = xtime(t);
    let u = planes!(K => s[K] ^ xt[K]);
    let xxu = xtime(xtime(u));
    let v = planes!(K => t[K] ^ xxu[K]);
    *s = planes!(K => u[K] ^ v[K] ^ L::rotate(v[K], 2, two_rows));
    L::renew(s, W::RENEWAL.inv_mix[i]);
}
