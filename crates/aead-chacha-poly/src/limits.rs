//! How long a message may be (RFC 8439, section 2.8).

use aead::Error;

/// The longest message in bytes (RFC 8439, section 2.8).
///
/// The block counter has 32 bits and block 0 makes the Poly1305 key: 2^32 - 1 blocks of 64 bytes are left for the
/// message.
pub const P_MAX: u64 = ((1 << 32) - 1) * 64;

/// The longest ciphertext with its tag behind it, in bytes (RFC 8439, section 2.8).
pub const C_MAX: u64 = P_MAX + 16;

/// The longest associated data in bytes (RFC 8439, section 2.8): only the 64-bit field for its length limits it.
pub const A_MAX: u64 = u64::MAX;

/// Refuses a plaintext (or a ciphertext without its tag) of more than [`P_MAX`] bytes.
#[inline]
pub(crate) const fn check_length(bytes: u64) -> Result<(), Error> {
    if bytes <= P_MAX { Ok(()) } else { Err(Error) }
}

/// The length of a message after a piece of so many bytes; refused if it is more than [`P_MAX`].
#[cfg(any(test, feature = "hazmat"))]
pub(crate) fn add_length(message: u64, piece: u64) -> Result<u64, Error> {
    let sum = message.checked_add(piece).ok_or(Error)?;
    check_length(sum).map(|()| sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures that RFC 8439, section 2.8, prints; RustCrypto aes-gcm had such constants wrong for years, and
    /// chacha20poly1305 refuses the longest message allowed.
    #[test]
    fn as_the_rfc_prints_them() {
        assert_eq!(P_MAX, 274_877_906_880);
        assert_eq!(C_MAX, 274_877_906_896);
        assert_eq!(A_MAX, 18_446_744_073_709_551_615);
    }

    #[test]
    fn longest_accepted_one_more_refused() {
        for bytes in [0, 1, 64, u32::MAX.into(), P_MAX - 1, P_MAX] {
            assert_eq!(check_length(bytes), Ok(()));
        }
        for bytes in [P_MAX + 1, P_MAX + 64, C_MAX, 1 << 38, u64::MAX] {
            assert_eq!(check_length(bytes), Err(Error));
        }
    }

    #[test]
    fn pieces_up_to_the_longest() {
        for piece in [0, 1, 64, u32::MAX.into(), P_MAX - 1, P_MAX] {
            assert_eq!(add_length(P_MAX - piece, piece), Ok(P_MAX));
            assert_eq!(add_length(P_MAX - piece, piece + 1), Err(Error));
            assert_eq!(add_length(piece, u64::MAX), Err(Error));
            assert_eq!(add_length(piece, u64::MAX - piece), Err(Error));
            assert_eq!(add_length(piece, 0), Ok(piece));
        }
    }
}
