//! A slow model of FIPS 202, step by step as the standard words it.

/// Round constants by the LFSR of Algorithm 5, bit by bit.
fn rc(t: usize) -> bool {
    let mut r = [true, false, false, false, false, false, false, false];
    for _ in 0..t % 255 {
        let mut shifted = [false; 9];
        shifted[1..].copy_from_slice(&r);
        for i in [0, 4, 5, 6] {
            shifted[i] ^= shifted[8];
        }
        r.copy_from_slice(&shifted[..8]);
    }
    r[0]
}

/// Algorithm 1.
pub(crate) fn theta(state: &mut [u64; 25]) {
    let a = *state;
    let c = |x: usize| (0..5).fold(0, |c, y| c ^ a[x % 5 + 5 * y]);
    for (i, lane) in state.iter_mut().enumerate() {
        *lane ^= c(i % 5 + 4) ^ c(i % 5 + 1).rotate_left(1);
    }
}

/// Algorithm 2.
pub(crate) fn rho(state: &mut [u64; 25]) {
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        state[x + 5 * y] = state[x + 5 * y].rotate_left((t + 1) * (t + 2) / 2 % 64);
        (x, y) = (y, (2 * x + 3 * y) % 5);
    }
}

/// Algorithm 3.
pub(crate) fn pi(state: &mut [u64; 25]) {
    let a = *state;
    for x in 0..5 {
        for y in 0..5 {
            state[x + 5 * y] = a[(x + 3 * y) % 5 + 5 * x];
        }
    }
}

/// Algorithm 4.
pub(crate) fn chi(state: &mut [u64; 25]) {
    let a = *state;
    for x in 0..5 {
        for y in 0..5 {
            state[x + 5 * y] ^= !a[(x + 1) % 5 + 5 * y] & a[(x + 2) % 5 + 5 * y];
        }
    }
}

/// Algorithm 6.
pub(crate) fn iota(state: &mut [u64; 25], round: usize) {
    for j in 0..=6 {
        state[0] ^= u64::from(rc(j + 7 * round)) << ((1 << j) - 1);
    }
}

/// Keccak-p[1600, rounds] (Algorithm 7), rolled.
pub(crate) fn keccak_p(state: &mut [u64; 25], rounds: usize) {
    for round in 24 - rounds..24 {
        theta(state);
        rho(state);
        pi(state);
        chi(state);
        iota(state, round);
    }
}

/// The sponge (Algorithm 8): the message with its suffix and padding in one piece.
pub(crate) fn sponge(
    rate: usize,
    rounds: usize,
    message: &[u8],
    suffix: u8,
    len: usize,
) -> Vec<u8> {
    let mut padded = message.to_vec();
    padded.push(suffix);
    padded.resize(padded.len().next_multiple_of(rate), 0);
    *padded.last_mut().unwrap() |= 0x80;
    let mut state = [0; 25];
    for block in padded.chunks(rate) {
        for (i, byte) in block.iter().enumerate() {
            state[i / 8] ^= u64::from(*byte) << (8 * (i % 8));
        }
        keccak_p(&mut state, rounds);
    }
    let mut out = vec![];
    while out.len() < len {
        out.extend(state.iter().flat_map(|lane| lane.to_le_bytes()).take(rate));
        keccak_p(&mut state, rounds);
    }
    out.truncate(len);
    out
}
