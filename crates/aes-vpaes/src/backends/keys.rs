//! Round keys of back ends that have one of 16 bytes for every round, which are all but the bit-sliced ones.

#[cfg(feature = "hazmat")]
use super::bitslice::hazmat::{Step, many};
#[cfg(feature = "hazmat")]
use crate::Block;
use crate::wipe::overwrite;
use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, consts::U16};
use core::mem::MaybeUninit;

/// 16 bytes that a vector register can be loaded from at once.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(crate) struct Aligned(pub(crate) [u8; 16]);

impl Aligned {
    #[allow(dead_code, reason = "targets without a SIMD back end need none")]
    pub(crate) const ZERO: Self = Self([0; 16]);
}

/// As many as AES-256 has. Numbers of the keys are those of the rounds of encryption, also in decryption.
pub(crate) type RoundKeys = [Aligned; 15];

/// A back end, in the shape of a token: whoever has one has proof that this CPU can run it.
///
/// `N` is 9, 11 or 13: one less than the number of rounds.
///
/// # Safety
///
/// `expand`, `expand_both` and `invert` must write the round keys.
pub(crate) unsafe trait Isa: Copy {
    /// Expands a key of 16, 24 or 32 bytes to round keys for encryption, or for decryption.
    fn expand<const N: usize, const DECRYPT: bool>(
        self,
        key: &[u8],
        keys: &mut MaybeUninit<RoundKeys>,
    );

    /// Expands a key to round keys for encryption and for decryption.
    #[inline(always)]
    fn expand_both<const N: usize>(
        self,
        key: &[u8],
        enc: &mut MaybeUninit<RoundKeys>,
        dec: &mut MaybeUninit<RoundKeys>,
    ) {
        self.expand::<N, false>(key, enc);
        // SAFETY: `expand` has written them.
        self.invert::<N>(unsafe { enc.assume_init_ref() }, dec);
    }

    /// Makes round keys for decryption of those for encryption.
    fn invert<const N: usize>(self, from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>);

    fn encrypt<const N: usize>(
        self,
        keys: &RoundKeys,
        f: impl BlockCipherEncClosure<BlockSize = U16>,
    );

    fn decrypt<const N: usize>(
        self,
        keys: &RoundKeys,
        f: impl BlockCipherDecClosure<BlockSize = U16>,
    );

    /// A part of a round, where the CPU has no instructions for it.
    #[cfg(feature = "hazmat")]
    fn step<S: Step>(self, blocks: &mut [Block]) {
        if cfg!(target_pointer_width = "64") {
            many::<u64, S>(blocks);
        } else {
            many::<u32, S>(blocks);
        }
    }
}

/// Round keys for decryption by way of those for encryption.
#[allow(dead_code, reason = "not all back ends need it")]
#[inline(always)]
pub(crate) fn expand_inverted<I: Isa, const N: usize>(
    isa: I,
    key: &[u8],
    keys: &mut MaybeUninit<RoundKeys>,
) {
    let mut enc = MaybeUninit::uninit();
    isa.expand_both::<N>(key, &mut enc, keys);
    overwrite(&mut enc, MaybeUninit::new([Aligned::ZERO; 15]));
}

/// Round keys for one direction, which are written where they stay: what is copied would have to be wiped.
#[derive(Clone)]
pub(crate) struct Keys<I, const N: usize, const DECRYPT: bool> {
    isa: I,
    /// Written by whoever calls [`unset`](Self::unset).
    keys: MaybeUninit<RoundKeys>,
}

pub(crate) type Enc<I, const N: usize> = Keys<I, N, false>;
pub(crate) type Dec<I, const N: usize> = Keys<I, N, true>;

impl<I: Isa, const N: usize, const DECRYPT: bool> Keys<I, N, DECRYPT> {
    /// Round keys that are not there yet.
    ///
    /// # Safety
    ///
    /// They must be set before they are used.
    #[inline(always)]
    pub(crate) unsafe fn unset(isa: I) -> Self {
        Self {
            isa,
            keys: MaybeUninit::uninit(),
        }
    }

    #[inline(always)]
    pub(crate) fn isa(&self) -> I {
        self.isa
    }

    #[inline(always)]
    pub(crate) fn expand(&mut self, key: &[u8]) {
        self.isa.expand::<N, DECRYPT>(key, &mut self.keys);
    }

    #[inline(always)]
    fn keys(&self) -> &RoundKeys {
        // SAFETY: whoever made `self` has seen to it that they are written.
        unsafe { self.keys.assume_init_ref() }
    }
}

impl<I: Isa, const N: usize> Enc<I, N> {
    #[inline(always)]
    pub(crate) fn encrypt(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.isa.encrypt::<N>(self.keys(), f);
    }
}

impl<I: Isa, const N: usize> Dec<I, N> {
    #[inline(always)]
    pub(crate) fn decrypt(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        self.isa.decrypt::<N>(self.keys(), f);
    }

    #[inline(always)]
    pub(crate) fn convert(&mut self, enc: &Enc<I, N>) {
        self.isa.invert::<N>(enc.keys(), &mut self.keys);
    }
}

/// Round keys for both directions.
#[derive(Clone)]
pub(crate) struct Both<I, const N: usize> {
    enc: Enc<I, N>,
    dec: Dec<I, N>,
}

impl<I: Isa, const N: usize> Both<I, N> {
    /// Round keys that are not there yet.
    ///
    /// # Safety
    ///
    /// They must be set before they are used.
    #[inline(always)]
    pub(crate) unsafe fn unset(isa: I) -> Self {
        // SAFETY: the caller's.
        let (enc, dec) = unsafe { (Keys::unset(isa), Keys::unset(isa)) };
        Self { enc, dec }
    }

    #[inline(always)]
    pub(crate) fn expand(&mut self, key: &[u8]) {
        let isa = self.enc.isa;
        isa.expand_both::<N>(key, &mut self.enc.keys, &mut self.dec.keys);
    }

    #[inline(always)]
    pub(crate) fn convert(&mut self, enc: &Enc<I, N>) {
        self.enc.keys = enc.keys;
        self.dec.convert(enc);
    }

    #[inline(always)]
    pub(crate) fn encrypt(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.enc.encrypt(f);
    }

    #[inline(always)]
    pub(crate) fn decrypt(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        self.dec.decrypt(f);
    }
}
