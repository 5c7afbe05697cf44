//! The fixed inputs, the same for every implementation.

/// `N` bytes of a fixed pattern that depends on `seed`.
pub(crate) fn array<const N: usize>(seed: u64) -> [u8; N] {
    let mut out = [0; N];
    fill(&mut out, seed);
    out
}

/// A message of `len` bytes.
pub(crate) fn message(len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    fill(&mut out, 0);
    out
}

/// Marsaglia's xorshift64: any bytes do, as long as they are not all alike.
fn fill(out: &mut [u8], seed: u64) {
    let mut x = 0x9e37_79b9_7f4a_7c15 ^ (seed << 32);
    for byte in out {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        *byte = (x >> 24) as u8;
    }
}
