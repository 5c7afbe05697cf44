//! The encodings of lengths: SP 800-185, section 2.3, and RFC 9861, section 3.3.

/// An encoded length: at most 16 bytes of a number and one that counts them.
pub(crate) struct Encoded {
    bytes: [u8; 18],
    start: usize,
    end: usize,
}

impl Encoded {
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }
}

/// `left_encode(value)`: the count of bytes, then the number, big-endian and of at least one byte.
pub(crate) fn left_encode(value: u128) -> Encoded {
    let n = byte_length(value).max(1);
    let mut encoded = number(value, n);
    encoded.start -= 1;
    encoded.bytes[encoded.start] = n as u8;
    encoded
}

/// `right_encode(value)`: the number, big-endian and of at least one byte, then the count of bytes.
pub(crate) fn right_encode(value: u128) -> Encoded {
    number_then_count(value, byte_length(value).max(1))
}

/// `length_encode(value)` of KangarooTwelve: as [`right_encode`], but zero has no byte before the count.
pub(crate) fn length_encode(value: u128) -> Encoded {
    number_then_count(value, byte_length(value))
}

/// The bits of a string. In 128 bits this cannot overflow.
pub(crate) fn bits(string: &[u8]) -> u128 {
    8 * string.len() as u128
}

fn byte_length(value: u128) -> usize {
    (u128::BITS - value.leading_zeros()).div_ceil(8) as usize
}

fn number_then_count(value: u128, n: usize) -> Encoded {
    let mut encoded = number(value, n);
    encoded.bytes[encoded.end] = n as u8;
    encoded.end += 1;
    encoded
}

/// The last `n` bytes of the number, with room for one before and one after.
fn number(value: u128, n: usize) -> Encoded {
    let mut bytes = [0; 18];
    bytes[1..17].copy_from_slice(&value.to_be_bytes());
    Encoded {
        bytes,
        start: 17 - n,
        end: 17,
    }
}

#[cfg(test)]
mod tests {
    use hex_literal::hex;

    use super::{left_encode, length_encode, right_encode};

    /// The examples of RFC 9861, section 3.3, and of SP 800-185, section 2.3.1; then lengths which do not fit in
    /// 32 bits, in 64 bits once they are counted in bits, or in a `usize` on a 32-bit target.
    #[test]
    fn encodings() {
        let check = |value, left: &[u8], right: &[u8], length: &[u8]| {
            assert_eq!(left_encode(value).as_slice(), left, "left_encode({value})");
            assert_eq!(
                right_encode(value).as_slice(),
                right,
                "right_encode({value})"
            );
            assert_eq!(
                length_encode(value).as_slice(),
                length,
                "length_encode({value})"
            );
        };
        check(0, &hex!("0100"), &hex!("0001"), &hex!("00"));
        check(12, &hex!("010c"), &hex!("0c01"), &hex!("0c01"));
        check(255, &hex!("01ff"), &hex!("ff01"), &hex!("ff01"));
        check(256, &hex!("020100"), &hex!("010002"), &hex!("010002"));
        check(
            65538,
            &hex!("03010002"),
            &hex!("01000203"),
            &hex!("01000203"),
        );
        let right = hex!("fffffff804");
        check(0xffff_fff8, &hex!("04fffffff8"), &right, &right);
        let right = hex!("010000000005");
        check(8 << 29, &hex!("050100000000"), &right, &right);
        let right = hex!("01000000000000000009");
        check(8 << 61, &hex!("09010000000000000000"), &right, &right);
        let right = hex!("07fffffffffffffff809");
        check(
            8 * u128::from(u64::MAX),
            &hex!("0907fffffffffffffff8"),
            &right,
            &right,
        );
        let right = hex!("ffffffffffffffffffffffffffffffff10");
        check(
            u128::MAX,
            &hex!("10ffffffffffffffffffffffffffffffff"),
            &right,
            &right,
        );
    }
}
