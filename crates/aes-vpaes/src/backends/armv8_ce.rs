//! AES instructions on 64-bit ARM.
//!
//! `AESE` adds a round key, substitutes and shifts rows, `AESMC` mixes columns; most cores fuse a pair of them. A block takes
//! 10 pairs one after another; eight blocks side by side cover the latency of a pair, three or four cycles at two a cycle.

#[cfg(feature = "hazmat")]
use super::bitslice::hazmat::{Part, Step};
use super::{
    keys::{Aligned, Isa, RoundKeys},
    neon::V,
    vpaes::generic::{self, Vector},
};
use crate::Block;
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend, BlockCipherEncClosure,
    BlockSizeUser, InOut, ParBlocksSizeUser,
    array::Array,
    consts::{U8, U16},
};
use core::{arch::aarch64::*, mem::MaybeUninit};

/// Proof that this CPU has the AES instructions.
#[derive(Clone, Copy)]
pub(crate) struct ArmV8Ce(());

impl ArmV8Ce {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        // On Linux and Android this is true if the kernel tells either of AES and PMULL: PMULL (0b0010 in the field AES of
        // ID_AA64ISAR0_EL1) comprises AES (0b0001), and the code here has no PMULL.
        cpufeatures::new!(cpu, "aes");
        cpu::get().then_some(Self(()))
    }
}

type Blocks = Array<Block, U8>;

/// Rcon (FIPS 197, section 5.2) in every column.
static RCON: [Aligned; 11] = {
    let mut out = [Aligned::ZERO; 11];
    let (mut rcon, mut i) = (1u8, 1);
    while i < 11 {
        let mut n = 0;
        while n < 16 {
            out[i].0[n] = rcon;
            n += 4;
        }
        rcon = rcon << 1 ^ if rcon >> 7 == 1 { 0x1b } else { 0 };
        i += 1;
    }
    out
};

#[inline(always)]
fn load(key: &Aligned) -> uint8x16_t {
    V::load(&key.0).0
}

/// Functions compiled for the AES instructions.
macro_rules! aes {
    ($($item:item)*) => {
        $(#[target_feature(enable = "aes")] $item)*
    };
}

aes! {
    #[inline]
    fn put<const N: usize, const DECRYPT: bool>(keys: &mut RoundKeys, i: usize, key: V) {
        let middle = i != 0 && i != N + 1;
        let key = if DECRYPT && middle { V(vaesimcq_u8(key.0)) } else { key };
        key.store(&mut keys[i].0);
    }

    fn expand<const N: usize, const DECRYPT: bool>(key: &[u8], keys: &mut MaybeUninit<RoundKeys>) {
        let keys = keys.write([Aligned::ZERO; 15]);
        // Where all columns are alike, ShiftRows changes nothing.
        let zero = vdupq_n_u8(0);
        generic::schedule::<V, N>(
            key,
            |x| x,
            |x, i| V(veorq_u8(vaeseq_u8(x.0, zero), load(&RCON[i]))),
            |r, x| put::<N, DECRYPT>(keys, r, x),
        );
    }

    fn invert<const N: usize>(from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>) {
        let to = to.write([Aligned::ZERO; 15]);
        for (i, key) in from[..N + 2].iter().enumerate() {
            put::<N, true>(to, i, V::load(&key.0));
        }
    }

    #[inline]
    fn encrypt<const N: usize, const L: usize>(keys: &RoundKeys, blocks: [&Block; L]) -> [V; L] {
        let mut s = blocks.map(|block| V::load(&block.0).0);
        for key in &keys[..N] {
            let key = load(key);
            for s in &mut s {
                *s = vaesmcq_u8(vaeseq_u8(*s, key));
            }
        }
        let (key, last) = (load(&keys[N]), load(&keys[N + 1]));
        s.map(|s| V(veorq_u8(vaeseq_u8(s, key), last)))
    }

    #[inline]
    fn decrypt<const N: usize, const L: usize>(keys: &RoundKeys, blocks: [&Block; L]) -> [V; L] {
        let mut s = blocks.map(|block| V::load(&block.0).0);
        for key in keys[2..=N + 1].iter().rev() {
            let key = load(key);
            for s in &mut s {
                *s = vaesimcq_u8(vaesdq_u8(*s, key));
            }
        }
        let (key, last) = (load(&keys[1]), load(&keys[0]));
        s.map(|s| V(veorq_u8(vaesdq_u8(s, key), last)))
    }

    #[inline]
    fn encrypt_one<const N: usize>(keys: &RoundKeys, mut block: InOut<'_, '_, Block>) {
        let [x] = encrypt::<N, 1>(keys, [block.get_in()]);
        x.store(&mut block.get_out().0);
    }

    #[inline]
    fn decrypt_one<const N: usize>(keys: &RoundKeys, mut block: InOut<'_, '_, Block>) {
        let [x] = decrypt::<N, 1>(keys, [block.get_in()]);
        x.store(&mut block.get_out().0);
    }

    #[inline]
    fn encrypt_many<const N: usize>(keys: &RoundKeys, mut blocks: InOut<'_, '_, Blocks>) {
        let states = encrypt::<N, 8>(keys, blocks.get_in().0.each_ref());
        store_many(states, blocks.get_out());
    }

    #[inline]
    fn decrypt_many<const N: usize>(keys: &RoundKeys, mut blocks: InOut<'_, '_, Blocks>) {
        let states = decrypt::<N, 8>(keys, blocks.get_in().0.each_ref());
        store_many(states, blocks.get_out());
    }

    #[cfg(feature = "hazmat")]
    fn step<S: Step>(blocks: &mut [Block]) {
        let zero = vdupq_n_u8(0);
        for block in blocks {
            let x = V::load(&block.0).0;
            let x = match S::PART {
                Part::CipherRound => vaesmcq_u8(vaeseq_u8(x, zero)),
                Part::EquivInvCipherRound => vaesimcq_u8(vaesdq_u8(x, zero)),
                Part::MixColumns => vaesmcq_u8(x),
                Part::InvMixColumns => vaesimcq_u8(x),
            };
            V(x).store(&mut block.0);
        }
    }

    fn encrypt_with<const N: usize>(
        isa: ArmV8Ce,
        keys: &RoundKeys,
        f: impl BlockCipherEncClosure<BlockSize = U16>,
    ) {
        f.call(&Backend::<N> { isa, keys });
    }

    fn decrypt_with<const N: usize>(
        isa: ArmV8Ce,
        keys: &RoundKeys,
        f: impl BlockCipherDecClosure<BlockSize = U16>,
    ) {
        f.call(&Backend::<N> { isa, keys });
    }
}

#[inline(always)]
fn store_many(states: [V; 8], blocks: &mut Blocks) {
    for (x, block) in states.into_iter().zip(blocks) {
        x.store(&mut block.0);
    }
}

// SAFETY: `expand` and `invert` write the round keys.
unsafe impl Isa for ArmV8Ce {
    #[inline(always)]
    fn expand<const N: usize, const DECRYPT: bool>(
        self,
        key: &[u8],
        keys: &mut MaybeUninit<RoundKeys>,
    ) {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { expand::<N, DECRYPT>(key, keys) }
    }

    #[inline(always)]
    fn invert<const N: usize>(self, from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>) {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { invert::<N>(from, to) }
    }

    #[inline(always)]
    fn encrypt<const N: usize>(
        self,
        keys: &RoundKeys,
        f: impl BlockCipherEncClosure<BlockSize = U16>,
    ) {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { encrypt_with::<N>(self, keys, f) }
    }

    #[inline(always)]
    fn decrypt<const N: usize>(
        self,
        keys: &RoundKeys,
        f: impl BlockCipherDecClosure<BlockSize = U16>,
    ) {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { decrypt_with::<N>(self, keys, f) }
    }

    #[cfg(feature = "hazmat")]
    fn step<S: Step>(self, blocks: &mut [Block]) {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { step::<S>(blocks) }
    }
}

/// What modes of operation see. Its methods are inlined together with their callers into functions with AES
/// instructions, so that a mode keeps its chain and its round keys in registers.
struct Backend<'a, const N: usize> {
    #[allow(dead_code, reason = "a proof")]
    isa: ArmV8Ce,
    keys: &'a RoundKeys,
}

impl<const N: usize> BlockSizeUser for Backend<'_, N> {
    type BlockSize = U16;
}

impl<const N: usize> ParBlocksSizeUser for Backend<'_, N> {
    type ParBlocksSize = U8;
}

impl<const N: usize> BlockCipherEncBackend for Backend<'_, N> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { encrypt_one::<N>(self.keys, block) }
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, Blocks>) {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { encrypt_many::<N>(self.keys, blocks) }
    }
}

impl<const N: usize> BlockCipherDecBackend for Backend<'_, N> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { decrypt_one::<N>(self.keys, block) }
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, Blocks>) {
        // SAFETY: the token proves that the CPU has the feature.
        unsafe { decrypt_many::<N>(self.keys, blocks) }
    }
}
