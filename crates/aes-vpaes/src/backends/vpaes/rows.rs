//! Tables for bit-slicing with the round keys of [`vpaes`](super): conversion of these to the standard basis, and order of
//! bytes by rows.

use super::tables::{Basis, Pair, Table, shifted};
use crate::backends::keys::Aligned;

/// For both directions.
#[repr(C, align(64))]
pub(crate) struct RowTables {
    /// The rows of round keys, by the number of the round modulo 4.
    pub(crate) keys: [Aligned; 4],
    pub(crate) inv_keys: [Aligned; 4],
    /// From the bases of encryption and of decryption to bytes.
    pub(crate) output: Pair,
    pub(crate) inv_output: Pair,
    /// ShiftRows: from blocks to rows, among rows, and back.
    pub(crate) shift_rows: [Aligned; 3],
    pub(crate) inv_shift_rows: [Aligned; 3],
}

pub(crate) static ROW_TABLES: RowTables = RowTables {
    output: Basis::Standard.of_nibbles(Basis::Tower, 1),
    inv_output: Basis::Standard.of_nibbles(Basis::Inverse, 1),
    shift_rows: [
        transposed(shifted(1), false, true),
        transposed(shifted(1), true, true),
        transposed(shifted(1), true, false),
    ],
    inv_shift_rows: [
        transposed(shifted(3), false, true),
        transposed(shifted(3), true, true),
        transposed(shifted(3), true, false),
    ],
    keys: [
        transposed(shifted(0), false, true),
        transposed(shifted(1), false, true),
        transposed(shifted(2), false, true),
        transposed(shifted(3), false, true),
    ],
    inv_keys: [
        transposed(shifted(0), false, true),
        transposed(shifted(3), false, true),
        transposed(shifted(2), false, true),
        transposed(shifted(1), false, true),
    ],
};

/// A shuffle of bytes in columns as one of bytes `from` rows, or to them, or both.
const fn transposed(shuffle: Table, from_rows: bool, to_rows: bool) -> Aligned {
    let mut out = [0; 16];
    let mut n = 0;
    while n < 16 {
        let at = if to_rows { n % 4 * 4 + n / 4 } else { n };
        let from = shuffle[n];
        out[at] = if from_rows {
            from % 4 * 4 + from / 4
        } else {
            from
        };
        n += 1;
    }
    Aligned(out)
}
