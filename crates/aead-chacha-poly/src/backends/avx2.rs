//! x86-64 with AVX2.
//!
//! Up to 320 bytes have their keystream made in rows, two blocks a register, with the Poly1305 key as block 0. Longer
//! messages go in passes of eight blocks side by side, the first with the key. To seal, the scalar multiplier takes what
//! the pass before has encrypted, block by block between the double rounds: it shares nothing with the vector units.
//!
//! To open, everything is authenticated before anything is decrypted. The keystream of the first 8640 bytes is made
//! before, with the scalar multiplier beside as for sealing, and kept until the tag is known; the rest is authenticated four
//! blocks of Poly1305 at a time and decrypted after that.
//!
//! A pass is bound by ChaCha20, 162 ns on Zen 5, of which the 32 scalar blocks beside cost another 17; in turn they take
//! 206 with vectors and 273 without. Tried for opening, in nanoseconds there:
//!
//! | shape | 1350 | 8192 | 16384 bytes |
//! |---|---|---|---|
//! | all of Poly1305 with vectors, then ChaCha20 | 665 | 3460 | 6720 |
//! | keystream of 8640 bytes kept, four scalar blocks between double rounds (this one) | 572 | 2830 | 6040 |
//! | the same with five | 577 | 2860 | 6030 |
//!
//! To keep twice as much would save another 8 % at 16384 bytes for 8 KiB more of the stack.

use crate::{
    Tag,
    message::{check, lengths, padded, wipe},
};
use aead::{Error, inout::InOutBuf};
use chacha20_simd::{
    Rounds,
    hazmat::{
        Core,
        avx2::{Block, keystream, keystream_8, wipe_stack, xor_8_blocks, xor_blocks},
    },
};
use core::{arch::x86_64::*, mem::MaybeUninit};
use poly1305_simd::{
    Block as PolyBlock,
    hazmat::{Soft, avx2::update},
};

cpufeatures::new!(cpuid, "avx2");

/// Proof that the CPU has AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        cpuid::get().then_some(Self(()))
    }

    /// Seals a message of at most `P_MAX` bytes and gives its tag.
    #[inline]
    pub(crate) fn seal<R: Rounds>(
        self,
        core: &Core<R>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag, Error> {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { process::<R, true>(core, associated_data, data, &Tag::default()) }
    }

    /// Opens a message of at most `P_MAX` bytes; if the tag is wrong, nothing is written.
    #[inline]
    pub(crate) fn open<R: Rounds>(
        self,
        core: &Core<R>,
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &Tag,
    ) -> Result<(), Error> {
        // SAFETY: the token proves that the CPU has AVX2.
        unsafe { process::<R, false>(core, associated_data, data, tag) }.map(|_| ())
    }
}

/// Bytes of data in the first pass of a long message, which has the key besides.
const FIRST_PASS: usize = 7 * 64;
const PASS: usize = 8 * 64;

/// So many blocks of Poly1305 are faster with vectors.
const MANY: usize = 16;

/// Blocks of Poly1305 that go between two double rounds, so that those of a pass go into the next one.
const fn step<R: Rounds>() -> usize {
    (PASS / 16).div_ceil(R::DOUBLE_ROUNDS)
}

/// Seals, and gives the tag, or opens, if the tag is the one expected.
#[target_feature(enable = "avx2")]
fn process<R: Rounds, const SEAL: bool>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    let length = data.len();
    let result = match length {
        0..=64 => rows::<R, SEAL, 1>(core, associated_data, data, expected),
        65..=192 => rows::<R, SEAL, 2>(core, associated_data, data, expected),
        193..=320 => rows::<R, SEAL, 3>(core, associated_data, data, expected),
        _ if SEAL => Ok(seal_long(core, associated_data, data)),
        321..=832 => open_long::<R, 0>(core, associated_data, data, expected),
        833..=2368 => open_long::<R, 3>(core, associated_data, data, expected),
        _ => open_long::<R, 16>(core, associated_data, data, expected),
    };
    // As deep as the kernels for so many bytes, with what they call.
    match length {
        0..=64 => wipe_stack::<4>(),
        65..=320 => wipe_stack::<10>(),
        321..=832 => wipe_stack::<34>(),
        _ if SEAL => wipe_stack::<34>(),
        833..=2368 => wipe_stack::<46>(),
        _ => wipe_stack::<98>(),
    }
    result
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn rows<R: Rounds, const SEAL: bool, const N: usize>(
    core: &Core<R>,
    associated_data: &[u8],
    mut data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    let blocks = keystream::<R, N>(core, 0, |_| ());
    let (block_0, keystream) = blocks.as_flattened().split_first().ok_or(Error)?;
    let mut mac = authenticator(block_0, associated_data);
    let lengths = lengths(associated_data.len(), data.len());
    let mut last = [0; 64];
    if SEAL {
        xor_blocks(keystream, data.reborrow(), &mut last);
        wipe(&mut last);
        return Ok(finish(&mut mac, data.get_out(), lengths));
    }
    let tag = finish(&mut mac, data.get_in(), lengths);
    check(&tag, expected)?;
    xor_blocks(keystream, data, &mut last);
    wipe(&mut last);
    Ok(tag)
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn seal_long<R: Rounds>(
    core: &Core<R>,
    associated_data: &[u8],
    mut data: InOutBuf<'_, '_, u8>,
) -> Tag {
    let length = data.len();
    let mut last = [0; 64];
    let mut done = length.min(FIRST_PASS);
    let blocks = keystream_8(core, 0, |_| ());
    let (now, _) = data.reborrow().split_at(done);
    xor_blocks(&blocks[1..], now, &mut last);
    let mut mac = authenticator(&blocks[0], associated_data);

    let mut hashed = 0;
    while length > done {
        let (mut before, rest) = data.reborrow().split_at(done);
        let (now, _) = rest.split_at((length - done).min(PASS));
        let counter = (done / 64 + 1) as u64;
        done += now.len();
        let waiting = &PolyBlock::slice_as_chunks(before.get_out()).0[hashed..];
        hashed += waiting.len();
        let mut steps = waiting.chunks(const { step::<R>() });
        let between = |_| {
            if let Some(blocks) = steps.next() {
                mac.blocks(blocks);
            }
        };
        match now.len() {
            PASS => {
                if let Some(now) = now.into_chunks().0.into_iter().next() {
                    xor_8_blocks(core, counter, now, between);
                }
            }
            385.. => xor_blocks(&keystream_8(core, counter, between), now, &mut last),
            257.. => {
                let blocks = keystream::<R, 3>(core, counter, between);
                xor_blocks(blocks.as_flattened(), now, &mut last);
            }
            129.. => {
                let blocks = keystream::<R, 2>(core, counter, between);
                xor_blocks(blocks.as_flattened(), now, &mut last);
            }
            _ => {
                let blocks = keystream::<R, 1>(core, counter, between);
                xor_blocks(blocks.as_flattened(), now, &mut last);
            }
        }
    }
    wipe(&mut last);
    finish(
        &mut mac,
        &data.get_out()[16 * hashed..],
        lengths(associated_data.len(), length),
    )
}

/// The keystream of up to `STORED` passes behind the first is made before the tag is known, and kept.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn open_long<R: Rounds, const STORED: usize>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    let length = data.len();
    let blocks = keystream_8(core, 0, |_| ());
    let mut mac = authenticator(&blocks[0], associated_data);

    let mut stored = [const { MaybeUninit::<[Block; 8]>::uninit() }; STORED];
    let (ciphertext, _) = PolyBlock::slice_as_chunks(data.get_in());
    let mut waiting = ciphertext.chunks(const { step::<R>() });
    let mut passes = 0;
    let mut counter = 8;
    for stored in &mut stored {
        // What is left goes in rows, or else there is nothing left.
        if (counter - 1) * 64 + 384 >= length as u64 {
            break;
        }
        let between = |_| {
            if let Some(blocks) = waiting.next() {
                mac.blocks(blocks);
            }
        };
        stored.write(keystream_8(core, counter, between));
        passes += 1;
        counter += 8;
    }
    let hashed = ciphertext
        .len()
        .min(passes * R::DOUBLE_ROUNDS * step::<R>());
    let ciphertext = &data.get_in()[16 * hashed..];
    let tag = finish(&mut mac, ciphertext, lengths(associated_data.len(), length));
    check(&tag, expected)?;

    let mut last = [0; 64];
    let (first, mut rest) = data.split_at(length.min(FIRST_PASS));
    xor_blocks(&blocks[1..], first, &mut last);
    for blocks in &stored[..passes] {
        // SAFETY: as many have been written.
        let blocks = unsafe { blocks.assume_init_ref() };
        let n = rest.len().min(PASS);
        let (now, after) = rest.split_at(n);
        xor_blocks(blocks, now, &mut last);
        rest = after;
    }
    core.xor(counter, rest, &mut last);
    wipe(&mut last);
    Ok(tag)
}

/// The authenticator whose key is the first half of keystream block 0 (RFC 8439, section 2.6), after the associated
/// data.
#[inline]
#[target_feature(enable = "avx2")]
fn authenticator(block_0: &Block, associated_data: &[u8]) -> Soft {
    let (r, s) = (
        _mm256_castsi256_si128(block_0[0]),
        _mm256_extracti128_si256::<1>(block_0[0]),
    );
    let mut mac = Soft::from_words([
        _mm_cvtsi128_si64(r) as u64,
        _mm_extract_epi64::<1>(r) as u64,
        _mm_cvtsi128_si64(s) as u64,
        _mm_extract_epi64::<1>(s) as u64,
    ]);
    let (blocks, rest) = PolyBlock::slice_as_chunks(associated_data);
    if blocks.len() < MANY {
        mac.blocks(blocks);
    } else {
        many_blocks(&mut mac, blocks);
    }
    if !rest.is_empty() {
        mac.blocks(&[padded(rest)]);
    }
    mac
}

/// Kept out of the callers' code: associated data is rarely so long.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn many_blocks(mac: &mut Soft, blocks: &[PolyBlock]) {
    update(mac, blocks);
}

/// The tag, after the rest of the ciphertext and the lengths.
#[inline]
#[target_feature(enable = "avx2")]
fn finish(mac: &mut Soft, ciphertext: &[u8], lengths: PolyBlock) -> Tag {
    let (blocks, rest) = PolyBlock::slice_as_chunks(ciphertext);
    update(mac, blocks);
    if !rest.is_empty() {
        mac.blocks(&[padded(rest)]);
    }
    mac.blocks(&[lengths]);
    mac.finish().into()
}
