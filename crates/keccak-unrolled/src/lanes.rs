//! Bytes to lanes and back, from any byte of a block on (FIPS 202, appendix B.1: little-endian).

/// How many of `len` bytes fit between `position` and the end of a block of `rate` bytes.
///
/// No sum of a position and a length is ever formed, so no length can overflow it.
#[inline(always)]
pub(crate) const fn take(rate: usize, position: usize, len: usize) -> usize {
    let room = rate - position;
    if len < room { len } else { room }
}

/// Gives `xor` each lane that `bytes` touch, with what to xor into it, where the first byte of `bytes`
/// goes to byte `position` of the block.
#[inline(always)]
pub(crate) fn xor_bytes(position: usize, bytes: &[u8], mut xor: impl FnMut(usize, u64)) {
    let mut lane = position / 8;
    let offset = position % 8;
    let mut bytes = bytes;
    if offset != 0 {
        let (head, rest) = bytes.split_at(take(8, offset, bytes.len()));
        xor(lane, load(head) << (8 * offset));
        lane += 1;
        bytes = rest;
    }
    let (words, tail) = bytes.as_chunks();
    for word in words {
        xor(lane, u64::from_le_bytes(*word));
        lane += 1;
    }
    if !tail.is_empty() {
        xor(lane, load(tail));
    }
}

/// Fills `out` with the bytes of a block from byte `position` on, where `get` gives the lanes.
#[inline(always)]
pub(crate) fn read_bytes(position: usize, out: &mut [u8], get: impl Fn(usize) -> u64) {
    let mut lane = position / 8;
    let offset = position % 8;
    let mut out = out;
    if offset != 0 {
        let (head, rest) = out.split_at_mut(take(8, offset, out.len()));
        store(get(lane) >> (8 * offset), head);
        lane += 1;
        out = rest;
    }
    let (words, tail) = out.as_chunks_mut();
    for word in words {
        *word = get(lane).to_le_bytes();
        lane += 1;
    }
    if !tail.is_empty() {
        store(get(lane), tail);
    }
}

/// Fewer than eight bytes as the low bytes of a lane.
///
/// A loop, since a copy of unknown length would be a call.
#[inline(always)]
fn load(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |lane, &byte| (lane << 8) | u64::from(byte))
}

/// The low bytes of a lane, fewer than eight.
#[inline(always)]
fn store(mut lane: u64, bytes: &mut [u8]) {
    for byte in bytes {
        *byte = lane as u8;
        lane >>= 8;
    }
}

#[cfg(test)]
mod tests {
    use super::{read_bytes, take, xor_bytes};

    /// CVE-2022-37454 (XKCP, and all that took its code) and liboqs#1312: position plus length overflowed.
    /// Lengths up to the largest that there is, at every position of every rate and of KangarooTwelve's chunk.
    #[test]
    fn no_length_overflows_a_position() {
        for rate in [8, 72, 104, 136, 144, 168, 8192] {
            for position in 0..=rate {
                let room = rate - position;
                for len in [
                    usize::MAX,
                    usize::MAX - 1,
                    isize::MAX as usize,
                    u32::MAX as usize,
                ] {
                    assert_eq!(take(rate, position, len), room, "{rate} {position} {len}");
                }
                assert_eq!(take(rate, position, room), room);
                assert_eq!(take(rate, position, room + 1), room);
                assert_eq!(
                    take(rate, position, room.saturating_sub(1)),
                    room.saturating_sub(1)
                );
                assert_eq!(take(rate, position, 0), 0);
            }
        }
    }

    /// Every position and length within a block, against bytes put one by one.
    #[test]
    fn every_part_of_a_block() {
        let bytes: [u8; 40] = core::array::from_fn(|i| (i * 37 + 1) as u8);
        for position in 0..=40 {
            for len in 0..=40 - position {
                let mut lanes = [0; 5];
                xor_bytes(position, &bytes[..len], |lane, word| lanes[lane] ^= word);
                let mut expected = [0_u64; 5];
                for (i, byte) in bytes[..len].iter().enumerate() {
                    expected[(position + i) / 8] |= u64::from(*byte) << (8 * ((position + i) % 8));
                }
                assert_eq!(lanes, expected, "{position} {len}");
                let mut out = [0; 40];
                read_bytes(position, &mut out[..len], |lane| lanes[lane]);
                assert_eq!(out[..len], bytes[..len], "{position} {len}");
            }
        }
    }
}
