//! x86-64 with AVX-512 (F, BW, VL) and IFMA.
//!
//! One pass of ChaCha20 makes the Poly1305 key, as block 0, with the keystream of up to 1984 bytes: in rows, two blocks a
//! register, for up to 448 bytes, sixteen, 24 or 32 blocks side by side for more. Longer messages go on in passes of 32
//! blocks, before each the Poly1305 of what those before have encrypted; what is left, less than a pass, is encrypted by
//! `Core::xor` and authenticated at the end.
//!
//! To open a message, the key and the first keystream are computed at once too; nothing is decrypted before the tag of
//! all has been compared.
//!
//! Poly1305 is not fused into the rounds. On Zen 5 sixteen blocks side by side wait for the chain through a double round,
//! and products fit into the gaps almost for nothing; but so do sixteen more blocks, and then no register is left. Cycles of
//! a double round there, with products of IFMA on six accumulators, minima of 1500 interleaved runs; from the third line
//! on the same code with the products replaced:
//!
//! | | 16 blocks | 32 blocks |
//! |---|---|---|
//! | alone | 49 to 51 | 62 to 63 |
//! | with 28 products | 56 | 77 |
//! | multiplications without accumulators in their place | 55 | 76 |
//! | additions of 64 bits | 50 to 51 | 74 |
//! | `nop`, or nothing | 50 to 51 | 72 |
//! | the products by themselves | 19 | 19 |
//!
//! Two KiB need 29 products a double round. By turns that is 62 and 19 cycles; fused it is 77, and the loads and carries,
//! which want registers too, are not in it; sixteen blocks fused take twice 56. Of the 15 cycles that products cost 32
//! blocks, nine come with moves (33 stores and 43 loads, to have accumulators and factors beside 32 words), two any
//! operation costs, and four come with multiplications, which last longer and have two of the four ports.
//!
//! Those are the ports of the rotations, which matters little: 18 products take 3.4 cycles more in sixteen blocks, and 2.5
//! with additions for rotations. Nor does it matter whether products come one by one or in a lump after each double round
//! (one cycle), or how much code there is (`nop`).
//!
//! On Zen 4 an operation on 512 bits takes one of the four ports for two cycles: the 96 of a double round of sixteen blocks
//! take 48, longer than their chain, and there is hardly a gap to fill. LLVM's model of Zen 4 has 71 to 77 cycles for a
//! double round fused with 128 bytes of Poly1305, and 48 and 28 by turns. Why the prototype even lost 5 to 9 % there is not
//! established.
//!
//! Prototypes with passes of sixteen blocks, 16 KiB in nanoseconds (Zen 4 at 3.6 GHz, medians; Zen 5 at 4.4 GHz, minima).
//! Fusing pays in them on Zen 5; but passes of 32 blocks by turns take 1870 to 1890 there:
//!
//! | shape | Zen 4 | Zen 5 |
//! |---|---|---|
//! | ChaCha20 and IFMA by turns | 3830 to 3960 | 2500 to 2550 |
//! | IFMA products of the KiB before inside the double rounds | 4160 | 2330 to 2340 |
//! | half of the blocks with IFMA, half with the scalar multiplier, both inside | 3970 to 4050 | 2550 to 2560 |
//! | five eighths and three eighths | 3820 | 2410 to 2430 |

use crate::{
    Tag,
    message::{check, lengths, wipe},
};
use aead::{Error, inout::InOutBuf};
use chacha20_simd::{
    Rounds,
    hazmat::{
        Core,
        avx512::{
            Block, keystream, keystream_16, keystream_24, keystream_32, wipe_stack, xor_blocks,
        },
    },
};
use core::arch::x86_64::*;
use poly1305_simd::{
    Block as PolyBlock,
    hazmat::{
        Soft,
        avx512ifma::{Fours, Groups},
    },
};

// AVX2, FMA and F16C come with `avx512f` where a function enables it. `cpufeatures` does not know F16C: no CPU with FMA
// and AVX-512 lacks it, and it needs no more from the operating system.
cpufeatures::new!(
    cpuid,
    "avx2",
    "fma",
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx512ifma"
);

/// Proof that the CPU has AVX-512 F, BW, VL and IFMA.
#[derive(Clone, Copy)]
pub(crate) struct Avx512Ifma(());

impl Avx512Ifma {
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
        // SAFETY: the token proves that the CPU has what the function enables.
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
        // SAFETY: the token proves that the CPU has what the function enables.
        unsafe { process::<R, false>(core, associated_data, data, tag) }.map(|_| ())
    }
}

/// So few blocks of Poly1305 are faster one by one.
const FEW: usize = 13;

/// Bytes of data in the first pass of a long message, which has the key besides.
const FIRST_PASS: usize = 31 * 64;
const PASS: usize = 32 * 64;

/// Seals, and gives the tag, or opens, if the tag is the one expected.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
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
        321..=448 => rows::<R, SEAL, 4>(core, associated_data, data, expected),
        449..=960 => pass_16::<R, SEAL>(core, associated_data, data, expected),
        961..=1472 => pass_24::<R, SEAL>(core, associated_data, data, expected),
        1473..=FIRST_PASS => pass_32::<R, SEAL>(core, associated_data, data, expected),
        _ if SEAL => Ok(seal_long(core, associated_data, data)),
        _ => open_long(core, associated_data, data, expected),
    };
    // As deep as the kernels for so many bytes, with what they call.
    match length {
        _ if associated_data.len() >= 16 * FEW => wipe_stack::<72>(),
        0..=64 => wipe_stack::<6>(),
        65..=192 => wipe_stack::<8>(),
        193..=448 => wipe_stack::<17>(),
        449..=960 => wipe_stack::<22>(),
        961..=1472 => wipe_stack::<44>(),
        1473..=FIRST_PASS => wipe_stack::<42>(),
        _ => wipe_stack::<72>(),
    }
    result
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn rows<R: Rounds, const SEAL: bool, const N: usize>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    let blocks = keystream::<R, N>(core, 0);
    finish::<SEAL>(blocks.as_flattened(), associated_data, data, expected)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn pass_16<R: Rounds, const SEAL: bool>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    finish::<SEAL>(&keystream_16(core, 0), associated_data, data, expected)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn pass_24<R: Rounds, const SEAL: bool>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    let mut blocks = [_mm512_setzero_si512(); 24];
    let (first, second) = blocks.split_at_mut(16);
    keystream_24(
        core,
        0,
        |blocks| first.copy_from_slice(&blocks),
        |blocks| second.copy_from_slice(&blocks),
    );
    finish::<SEAL>(&blocks, associated_data, data, expected)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn pass_32<R: Rounds, const SEAL: bool>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    finish::<SEAL>(&first_pass(core), associated_data, data, expected)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn first_pass<R: Rounds>(core: &Core<R>) -> [Block; 32] {
    let mut blocks = [_mm512_setzero_si512(); 32];
    let (first, second) = blocks.split_at_mut(16);
    keystream_32(
        core,
        0,
        |blocks| first.copy_from_slice(&blocks),
        |blocks| second.copy_from_slice(&blocks),
    );
    blocks
}

/// All of a message for which there is keystream, from block 0 on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn finish<const SEAL: bool>(
    keystream: &[Block],
    associated_data: &[u8],
    mut data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    let (&block_0, keystream) = keystream.split_first().ok_or(Error)?;
    let mut mac = authenticator(block_0, associated_data);
    let lengths = lengths(associated_data.len(), data.len());
    if SEAL {
        let end = xor(keystream, data.reborrow());
        authenticate(&mut mac, data.get_out(), end, lengths);
        return Ok(mac.finish().into());
    }
    let ciphertext = data.get_in();
    let end = load_partial(ciphertext.as_chunks::<64>().1);
    authenticate(&mut mac, ciphertext, end, lengths);
    let tag = mac.finish().into();
    check(&tag, expected)?;
    xor(keystream, data);
    Ok(tag)
}

/// More than [`FIRST_PASS`] bytes.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn seal_long<R: Rounds>(
    core: &Core<R>,
    associated_data: &[u8],
    mut data: InOutBuf<'_, '_, u8>,
) -> Tag {
    let length = data.len();
    let blocks = first_pass(core);
    let mut unused = [0; 64];
    let (now, _) = data.reborrow().split_at(FIRST_PASS);
    xor_blocks(&blocks[1..], now, &mut unused);
    let mut mac = authenticator(blocks[0], associated_data);

    let mut done = FIRST_PASS;
    let first = first_blocks(length);
    let mut groups = Groups::new(
        mac.r(),
        mac.accumulator(),
        &poly_blocks(data.get_out())[..first],
    );
    let fours = groups.fours();
    let mut hashed = first;
    while length - done >= PASS {
        hash_fours(&mut groups, &fours, &mut hashed, &data.get_out()[..done]);
        let (_, rest) = data.reborrow().split_at(done);
        let (now, _) = rest.split_at(PASS);
        let (first, second) = now.split_at(PASS / 2);
        keystream_32(
            core,
            (done / 64 + 1) as u64,
            |blocks| xor_blocks(&blocks, first, &mut [0; 64]),
            |blocks| xor_blocks(&blocks, second, &mut [0; 64]),
        );
        done += PASS;
    }
    hash_fours(&mut groups, &fours, &mut hashed, &data.get_out()[..done]);
    let (_, rest) = data.reborrow().split_at(done);
    let mut last = [0; 64];
    core.xor((done / 64 + 1) as u64, rest, &mut last);
    wipe(&mut last);
    hash_fours(&mut groups, &fours, &mut hashed, data.get_out());

    let data = data.get_out();
    let end = load_partial(data.as_chunks::<64>().1);
    finish_groups(
        &mut groups,
        data,
        hashed,
        end,
        lengths(associated_data.len(), length),
    );
    mac.set_accumulator(groups.finish());
    mac.finish().into()
}

/// More than [`FIRST_PASS`] bytes.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn open_long<R: Rounds>(
    core: &Core<R>,
    associated_data: &[u8],
    data: InOutBuf<'_, '_, u8>,
    expected: &Tag,
) -> Result<Tag, Error> {
    let blocks = first_pass(core);
    let mut mac = authenticator(blocks[0], associated_data);
    let ciphertext = data.get_in();
    let end = load_partial(ciphertext.as_chunks::<64>().1);
    let lengths = lengths(associated_data.len(), data.len());
    authenticate(&mut mac, ciphertext, end, lengths);
    let tag = mac.finish().into();
    check(&tag, expected)?;
    let (first, rest) = data.split_at(FIRST_PASS);
    let mut last = [0; 64];
    xor_blocks(&blocks[1..], first, &mut last);
    core.xor(32, rest, &mut last);
    wipe(&mut last);
    Ok(tag)
}

/// The authenticator whose key is the first half of keystream block 0 (RFC 8439, section 2.6), after the associated
/// data.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn authenticator(block_0: Block, associated_data: &[u8]) -> Soft {
    let (r, s) = (
        _mm512_castsi512_si128(block_0),
        _mm512_extracti32x4_epi32::<1>(block_0),
    );
    let mut mac = Soft::from_words([
        _mm_cvtsi128_si64(r) as u64,
        _mm_extract_epi64::<1>(r) as u64,
        _mm_cvtsi128_si64(s) as u64,
        _mm_extract_epi64::<1>(s) as u64,
    ]);
    let (blocks, rest) = PolyBlock::slice_as_chunks(associated_data);
    if blocks.len() < FEW {
        mac.blocks(blocks);
    } else {
        mac.set_accumulator(after_many_blocks(mac.r(), mac.accumulator(), blocks));
    }
    if !rest.is_empty() {
        let mut block = PolyBlock::default();
        // SAFETY: an unaligned store to 16 bytes of our own.
        unsafe {
            let rest = _mm512_castsi512_si128(load_partial(rest));
            _mm_storeu_si128(block.as_mut_ptr().cast(), rest);
        }
        mac.blocks(&[block]);
    }
    mac
}

/// The accumulator after [`FEW`] or more blocks of associated data.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn after_many_blocks(r: [u64; 3], h: [u64; 3], blocks: &[PolyBlock]) -> [u64; 3] {
    let (first, rest) = blocks.split_at((blocks.len() - 1) % 8 + 1);
    let mut groups = Groups::new(r, h, first);
    let (single, fours) = rest.split_at(rest.len() % 32);
    groups.update(single);
    if !fours.is_empty() {
        groups.update_fours(&groups.fours(), fours);
    }
    groups.finish()
}

/// XORs the keystream into `data`, and gives what became of the bytes behind the last whole block, and zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn xor(keystream: &[Block], data: InOutBuf<'_, '_, u8>) -> Block {
    let whole = data.len() / 64;
    let (blocks, mut end) = data.split_at(whole * 64);
    xor_blocks(keystream, blocks, &mut [0; 64]);
    if end.is_empty() {
        return _mm512_setzero_si512();
    }
    let mask = mask(end.len());
    let x = _mm512_xor_si512(load_partial(end.get_in()), keystream[whole]);
    // SAFETY: stores to the bytes that are borrowed for writing and to no other.
    unsafe { _mm512_mask_storeu_epi8(end.get_out().as_mut_ptr().cast(), mask, x) };
    _mm512_maskz_mov_epi8(mask, x)
}

/// A one for each byte of less than a block.
#[inline(always)]
fn mask(bytes: usize) -> __mmask64 {
    debug_assert!(bytes < 64);
    (1 << (bytes % 64)) - 1
}

/// Less than a block; zeros fill the rest.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn load_partial(bytes: &[u8]) -> Block {
    // SAFETY: loads the bytes that are borrowed and no other.
    unsafe { _mm512_maskz_loadu_epi8(mask(bytes.len()), bytes.as_ptr().cast()) }
}

#[inline(always)]
fn poly_blocks(bytes: &[u8]) -> &[PolyBlock] {
    PolyBlock::slice_as_chunks(bytes).0
}

/// How many blocks of Poly1305 are before the first whole group of eight, if the last one ends with the block of the
/// lengths.
#[inline(always)]
fn first_blocks(length: usize) -> usize {
    length.div_ceil(16) % 8 + 1
}

/// The ciphertext and the lengths. `end` has what is behind the last 64 bytes, and zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn authenticate(mac: &mut Soft, ciphertext: &[u8], end: Block, lengths: PolyBlock) {
    let length = ciphertext.len();
    if length.div_ceil(16) < FEW {
        let (whole, rest) = ciphertext.as_chunks::<64>();
        mac.blocks(poly_blocks(whole.as_flattened()));
        let mut bytes = [0; 64];
        store(&mut bytes, end);
        mac.blocks(&poly_blocks(&bytes)[..rest.len().div_ceil(16)]);
        mac.blocks(&[lengths]);
        return;
    }
    let first = first_blocks(length);
    let mut groups = Groups::new(
        mac.r(),
        mac.accumulator(),
        &poly_blocks(ciphertext)[..first],
    );
    let mut hashed = first;
    if length >= 1024 {
        long(&mut groups, &mut hashed, ciphertext);
    }
    finish_groups(&mut groups, ciphertext, hashed, end, lengths);
    mac.set_accumulator(groups.finish());
}

/// Powers for fours of groups, and these groups. In a frame of its own: shorter messages have less of the stack to wipe.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn long(groups: &mut Groups, hashed: &mut usize, ciphertext: &[u8]) {
    let fours = groups.fours();
    hash_fours(groups, &fours, hashed, ciphertext);
}

/// Takes as many fours of groups as there are; `hashed` blocks were taken before.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn hash_fours(groups: &mut Groups, fours: &Fours, hashed: &mut usize, ciphertext: &[u8]) {
    let blocks = &poly_blocks(ciphertext)[*hashed..];
    let blocks = &blocks[..blocks.len() & !31];
    groups.update_fours(fours, blocks);
    *hashed += blocks.len();
}

/// What is left of a ciphertext, of at least 128 bytes, and the lengths.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn finish_groups(
    groups: &mut Groups,
    ciphertext: &[u8],
    hashed: usize,
    end: Block,
    lengths: PolyBlock,
) {
    let (whole, rest) = ciphertext.as_chunks::<64>();
    let whole = whole.as_flattened();
    let ends = rest.len().div_ceil(16);
    // The last group: of the whole blocks, of the end, and the lengths; everything is copied in fixed sizes.
    let mut bytes = [0; 128 + 64 + 16];
    let last = whole.last_chunk::<128>();
    bytes[..128].copy_from_slice(last.expect("at least 13 blocks of Poly1305 get here"));
    let (end_bytes, _) = bytes[128..].split_first_chunk_mut().expect("64 and 16");
    store(end_bytes, end);
    bytes[128 + 16 * ends..][..16].copy_from_slice(&lengths);
    let last = &poly_blocks(&bytes)[ends + 1..][..8];

    let before = poly_blocks(whole).len() + ends - 7;
    groups.update(&poly_blocks(whole)[hashed..before]);
    groups.update(last);
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512ifma")]
fn store(bytes: &mut [u8; 64], block: Block) {
    // SAFETY: an unaligned store to 64 bytes that are borrowed for writing.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), block) }
}
