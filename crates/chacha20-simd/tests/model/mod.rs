//! ChaCha as RFC 8439, section 2, writes it: one block at a time, no lanes, no buffering.

fn quarter_round(s: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    s[a] = s[a].wrapping_add(s[b]);
    s[d] = (s[d] ^ s[a]).rotate_left(16);
    s[c] = s[c].wrapping_add(s[d]);
    s[b] = (s[b] ^ s[c]).rotate_left(12);
    s[a] = s[a].wrapping_add(s[b]);
    s[d] = (s[d] ^ s[a]).rotate_left(8);
    s[c] = s[c].wrapping_add(s[d]);
    s[b] = (s[b] ^ s[c]).rotate_left(7);
}

/// Keystream block `counter` of `rounds` rounds. A nonce of 12 bytes goes with a counter of 32 bits, one of 8 bytes with
/// a counter of 64.
pub(crate) fn block(rounds: usize, key: &[u8; 32], nonce: &[u8], counter: u64) -> [u8; 64] {
    let mut bytes = *b"expand 32-byte k................................................";
    bytes[16..48].copy_from_slice(key);
    let nonce_at = 64 - nonce.len();
    bytes[48..nonce_at].copy_from_slice(&counter.to_le_bytes()[..nonce_at - 48]);
    bytes[nonce_at..].copy_from_slice(nonce);
    let input: [u32; 16] =
        core::array::from_fn(|i| u32::from_le_bytes(bytes[4 * i..][..4].try_into().unwrap()));
    let mut s = input;
    for _ in 0..rounds / 2 {
        quarter_round(&mut s, 0, 4, 8, 12);
        quarter_round(&mut s, 1, 5, 9, 13);
        quarter_round(&mut s, 2, 6, 10, 14);
        quarter_round(&mut s, 3, 7, 11, 15);
        quarter_round(&mut s, 0, 5, 10, 15);
        quarter_round(&mut s, 1, 6, 11, 12);
        quarter_round(&mut s, 2, 7, 8, 13);
        quarter_round(&mut s, 3, 4, 9, 14);
    }
    for i in 0..16 {
        bytes[4 * i..][..4].copy_from_slice(&s[i].wrapping_add(input[i]).to_le_bytes());
    }
    bytes
}
