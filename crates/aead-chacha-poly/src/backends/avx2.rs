//! x86-64 with AVX2.
//!
//! Up to 320 bytes have their keystream made in rows, two blocks a register, with the Poly1305 key as block 0. Longer
//! messages go in passes of eight blocks side by side, the first with the key. To seal, the scalar multiplier takes what
//! the pass before has encrypted, block by block inside the double rounds: it shares nothing with the vector units.
//!
//! To open, everything is authenticated before anything is decrypted. The keystream of the first 16320 bytes is made
//! before, with the scalar multiplier beside as for sealing, and kept until the tag is known; the rest is authenticated four
//! blocks of Poly1305 at a time and decrypted after that.
//!
//! A pass is bound by ChaCha20, 162 ns on Zen 5, and the 32 scalar blocks beside add little to it; in turn they take
//! 206 with vectors and 273 without. One scalar block goes after each quarter of a double round, and without a branch: with
//! one, LLVM moves all 145 vector instructions of the double round to one place. Tried, in nanoseconds there:
//!
//! | sealing | 8192 | 16384 bytes |
//! |---|---|---|
//! | four scalar blocks after each double round | 2916 | 5595 |
//! | one after each quarter, if there is one: LLVM makes a function of the rounds | 3287 | 6452 |
//! | one after each quarter, in as many double rounds as there are blocks for (this one) | 2737 | 5237 |
//!
//! | opening | 8192 | 16384 bytes |
//! |---|---|---|
//! | all of Poly1305 with vectors, then ChaCha20 | 3460 | 6720 |
//! | keystream of 8640 bytes kept, four scalar blocks a double round | 2700 | 6000 |
//! | the same with five | 2760 | 5930 |
//! | the same with six | 3000 | 6240 |
//! | keystream of 16320 bytes kept, four (this one) | 2700 | 5540 |
//!
//! Keystream takes as much of the stack as is kept: 8 KiB for up to 9024 bytes, 16 KiB for more.

use crate::{
    Tag,
    message::{check, lengths, padded, wipe},
};
use aead::{Error, inout::InOutBuf};
use chacha20_simd::{
    Rounds,
    hazmat::{
        Core,
        avx2::{Block, eight, keystream, split, wipe_stack, xor_8_blocks, xor_blocks},
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
        _ if SEAL && R::DOUBLE_ROUNDS == 10 => Ok(seal_long::<R, 4>(core, associated_data, data)),
        _ if SEAL => Ok(seal_long::<R, 8>(core, associated_data, data)),
        _ if R::DOUBLE_ROUNDS == 10 => open_any::<R, 4>(core, associated_data, data, expected),
        _ => open_any::<R, 8>(core, associated_data, data, expected),
    };
    // As deep as the kernels for so many bytes, with what they call.
    match length {
        0..=320 if associated_data.len() >= 16 * MANY => wipe_stack::<36>(),
        0..=64 => wipe_stack::<10>(),
        65..=192 => wipe_stack::<12>(),
        193..=320 => wipe_stack::<20>(),
        321..=832 => wipe_stack::<36>(),
        _ if SEAL => wipe_stack::<36>(),
        833..=2368 => wipe_stack::<48>(),
        2369..=9024 => wipe_stack::<100>(),
        _ => wipe_stack::<166>(),
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
    let blocks = keystream::<R, (), N>(core, 0, &[], |(), _| ());
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
fn seal_long<R: Rounds, const STEP: usize>(
    core: &Core<R>,
    associated_data: &[u8],
    mut data: InOutBuf<'_, '_, u8>,
) -> Tag {
    let length = data.len();
    let mut last = [0; 64];
    let mut done = length.min(FIRST_PASS);
    let blocks = split(&eight(core, 0, &[], |(), _| ()));
    let (now, _) = data.reborrow().split_at(done);
    xor_blocks(&blocks[1..], now, &mut last);
    let mut mac = authenticator(&blocks[0], associated_data);

    let mut hashed = 0;
    while length > done {
        let (mut before, rest) = data.reborrow().split_at(done);
        let (now, _) = rest.split_at((length - done).min(PASS));
        let counter = (done / 64 + 1) as u64;
        done += now.len();
        let (steps, _) =
            PolyBlock::slice_as_chunks(before.get_out()).0[hashed..].as_chunks::<STEP>();
        let steps = &steps[..steps.len().min(R::DOUBLE_ROUNDS)];
        hashed += STEP * steps.len();
        let between = |blocks: &[PolyBlock; STEP], quarter: usize| {
            mac.blocks(&blocks[STEP * quarter / 4..STEP * (quarter + 1) / 4]);
        };
        match now.len() {
            385.. => {
                let eight = eight(core, counter, steps, between);
                if now.len() == PASS {
                    if let Some(now) = now.into_chunks().0.into_iter().next() {
                        xor_8_blocks(&eight, now);
                    }
                } else {
                    xor_blocks(&split(&eight), now, &mut last);
                }
            }
            257.. => {
                let blocks = keystream::<R, _, 3>(core, counter, steps, between);
                xor_blocks(blocks.as_flattened(), now, &mut last);
            }
            129.. => {
                let blocks = keystream::<R, _, 2>(core, counter, steps, between);
                xor_blocks(blocks.as_flattened(), now, &mut last);
            }
            _ => {
                let blocks = keystream::<R, _, 1>(core, counter, steps, between);
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

/// Opens, with as much of the stack as is of use for the length.
#[inline]
#[target_feature(enable = "avx2")]
fn open_any<R: Rounds, const STEP: usize>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    match data.len() {
        ..=832 => open_with::<R, STEP, 0>(core, associated_data, data, expected),
        833..=2368 => open_with::<R, STEP, 3>(core, associated_data, data, expected),
        2369..=9024 => open_with::<R, STEP, 16>(core, associated_data, data, expected),
        _ => open_with::<R, STEP, 31>(core, associated_data, data, expected),
    }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn open_with<R: Rounds, const STEP: usize, const STORED: usize>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    let mut stored = [const { MaybeUninit::uninit() }; STORED];
    open_long::<R, STEP>(core, associated_data, data, expected, &mut stored)
}

/// The keystream of as many passes behind the first as fit into `stored` is made before the tag is known, and kept there.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn open_long<R: Rounds, const STEP: usize>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
    stored: &mut [MaybeUninit<[Block; 8]>],
) -> Result<Tag, Error> {
    let length = data.len();
    let blocks = split(&eight(core, 0, &[], |(), _| ()));
    let mut mac = authenticator(&blocks[0], associated_data);

    let (mut waiting, _) = PolyBlock::slice_as_chunks(data.get_in())
        .0
        .as_chunks::<STEP>();
    let mut hashed = 0;
    let mut passes = 0;
    let mut counter = 8;
    for stored in &mut *stored {
        // What is left goes in rows, or else there is nothing left.
        if (counter - 1) * 64 + 384 >= length as u64 {
            break;
        }
        let (steps, rest) = waiting.split_at(waiting.len().min(R::DOUBLE_ROUNDS));
        waiting = rest;
        hashed += STEP * steps.len();
        stored.write(split(&eight(core, counter, steps, |blocks, quarter| {
            mac.blocks(&blocks[STEP * quarter / 4..STEP * (quarter + 1) / 4]);
        })));
        passes += 1;
        counter += 8;
    }
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
