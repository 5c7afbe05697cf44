//! Lane complementing: chi with one negation a plane instead of five.
//!
//! Between two rounds the lanes 1, 2, 8, 12, 17 and 20 (`x + 5y`) are kept inverted. The column parities C\[0\]
//! to C\[3\] are then inverted and C\[4\] is not, hence D\[0\] and D\[3\] are, and after theta, rho and pi the
//! planes look like this (`~` inverted), before chi and, as before the round, after it:
//!
//! ```text
//!          before                     after
//! y = 0   ~b0   b1  ~b2  ~b3   b4     e0  ~e1  ~e2   e3   e4
//! y = 1   ~b0   b1  ~b2   b3   b4     e0   e1   e2  ~e3   e4
//! y = 2   ~b0   b1  ~b2   b3   b4     e0   e1  ~e2   e3   e4
//! y = 3    b0  ~b1   b2  ~b3  ~b4     e0   e1  ~e2   e3   e4
//! y = 4   ~b0   b1   b2  ~b3   b4    ~e0   e1   e2   e3   e4
//! ```
//!
//! De Morgan's rules turn `b[x] ^ (!b[x + 1] & b[x + 2])` into an `and` or an `or` of the lanes as they are,
//! which leaves about one negation a plane. It gains where there is no and-not instruction, and on x86-64 it is
//! faster than plain chi with BMI1's and-not too (`soft.rs`); Arm has or-not beside and-not, so nothing is lost
//! there.
#![forbid(unsafe_code)]

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// A lane, or a half of one.
pub(super) trait Bits:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
}

impl Bits for u32 {}
impl Bits for u64 {}

/// An array of the expression for each value 0 to 4 of a coordinate, a constant.
///
/// Written out by a macro: the compiler may leave a loop rolled, or a closure a call, and then rotates by amounts
/// from a table (2000 ns for `soft32` instead of 450).
macro_rules! each {
    (|$x:ident| $value:expr) => {
        [
            each!($x = 0, $value),
            each!($x = 1, $value),
            each!($x = 2, $value),
            each!($x = 3, $value),
            each!($x = 4, $value),
        ]
    };
    ($x:ident = $number:literal, $value:expr) => {{
        const $x: usize = $number;
        $value
    }};
}
pub(super) use each;

/// The lanes that are kept inverted between rounds.
pub(super) const COMPLEMENTED: [usize; 6] = [1, 2, 8, 12, 17, 20];

/// Chi on the plane `y` of a state with complemented lanes.
#[inline(always)]
pub(super) fn chi<T: Bits>(y: usize, [b0, b1, b2, b3, b4]: [T; 5]) -> [T; 5] {
    match y {
        0 => [
            b0 ^ (b1 | b2),
            b1 ^ (!b2 | b3),
            b2 ^ (b3 & b4),
            b3 ^ (b4 | b0),
            b4 ^ (b0 & b1),
        ],
        1 => [
            b0 ^ (b1 | b2),
            b1 ^ (b2 & b3),
            b2 ^ (b3 | !b4),
            b3 ^ (b4 | b0),
            b4 ^ (b0 & b1),
        ],
        2 => [
            b0 ^ (b1 | b2),
            b1 ^ (b2 & b3),
            b2 ^ (!b3 & b4),
            !b3 ^ (b4 | b0),
            b4 ^ (b0 & b1),
        ],
        3 => [
            b0 ^ (b1 & b2),
            b1 ^ (b2 | b3),
            b2 ^ (!b3 | b4),
            !b3 ^ (b4 & b0),
            b4 ^ (b0 | b1),
        ],
        _ => [
            b0 ^ (!b1 & b2),
            !b1 ^ (b2 | b3),
            b2 ^ (b3 & b4),
            b3 ^ (b4 | b0),
            b4 ^ (b0 & b1),
        ],
    }
}
