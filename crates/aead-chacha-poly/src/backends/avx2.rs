//! x86-64 with AVX2.
//!
//! Up to 320 bytes have their keystream made in rows, two blocks a register, with the Poly1305 key as block 0. Longer
//! messages go in passes of eight blocks side by side, the first with the key. To seal, the scalar multiplier takes what
//! the pass before has encrypted, block by block between the double rounds: it shares nothing with the vector units.
//!
//! To open, everything is authenticated before anything is decrypted, four blocks of Poly1305 at a time.

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
use core::arch::x86_64::*;
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
        _ => open_long(core, associated_data, data, expected),
    };
    // As deep as the kernels for so many bytes, with what they call.
    match length {
        0..=64 => wipe_stack::<4>(),
        65..=320 => wipe_stack::<10>(),
        _ => wipe_stack::<34>(),
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

    // Blocks of Poly1305 that go between two double rounds, so that those of a pass go into the next one.
    let step = (PASS / 16).div_ceil(R::DOUBLE_ROUNDS);
    let mut hashed = 0;
    while length > done {
        let (mut before, rest) = data.reborrow().split_at(done);
        let (now, _) = rest.split_at((length - done).min(PASS));
        let counter = (done / 64 + 1) as u64;
        done += now.len();
        let waiting = &PolyBlock::slice_as_chunks(before.get_out()).0[hashed..];
        hashed += waiting.len();
        let mut steps = waiting.chunks(step);
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

#[inline(never)]
#[target_feature(enable = "avx2")]
fn open_long<R: Rounds>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    let blocks = keystream_8(core, 0, |_| ());
    let mut mac = authenticator(&blocks[0], associated_data);
    let lengths = lengths(associated_data.len(), data.len());
    let tag = finish(&mut mac, data.get_in(), lengths);
    check(&tag, expected)?;
    let first = data.len().min(FIRST_PASS);
    let (first, rest) = data.split_at(first);
    let mut last = [0; 64];
    xor_blocks(&blocks[1..], first, &mut last);
    core.xor(8, rest, &mut last);
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
    mac.blocks(blocks);
    if !rest.is_empty() {
        mac.blocks(&[padded(rest)]);
    }
    mac
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
