//! Round keys of back ends that have one of 16 bytes for every round, which are all but the bit-sliced ones.

#[cfg(feature = "hazmat")]
use super::bitslice::hazmat::{Step, many};
#[cfg(feature = "hazmat")]
use crate::Block;
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
/// `expand` must write the round keys.
pub(crate) unsafe trait Isa: Copy {
    /// Expands a key of 16, 24 or 32 bytes to round keys for encryption, or for decryption.
    fn expand<const N: usize, const DECRYPT: bool>(
        self,
        key: &[u8],
        keys: &mut MaybeUninit<RoundKeys>,
    );

    /// Makes round keys for decryption of those for encryption.
    fn invert<const N: usize>(self, keys: &mut RoundKeys);

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

/// Round keys for one direction.
#[derive(Clone)]
pub(crate) struct Keys<I, const N: usize, const DECRYPT: bool> {
    isa: I,
    keys: RoundKeys,
}

pub(crate) type Enc<I, const N: usize> = Keys<I, N, false>;
pub(crate) type Dec<I, const N: usize> = Keys<I, N, true>;

impl<I: Isa, const N: usize, const DECRYPT: bool> Keys<I, N, DECRYPT> {
    #[inline(always)]
    pub(crate) fn new(isa: I, key: &[u8]) -> Self {
        let mut keys = MaybeUninit::uninit();
        isa.expand::<N, DECRYPT>(key, &mut keys);
        // SAFETY: `expand` has written them.
        let keys = unsafe { keys.assume_init() };
        Self { isa, keys }
    }
}

impl<I: Isa, const N: usize> Enc<I, N> {
    #[inline(always)]
    pub(crate) fn encrypt(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.isa.encrypt::<N>(&self.keys, f);
    }
}

impl<I: Isa, const N: usize> Dec<I, N> {
    #[inline(always)]
    pub(crate) fn decrypt(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        self.isa.decrypt::<N>(&self.keys, f);
    }
}

impl<I: Isa, const N: usize> From<&Enc<I, N>> for Dec<I, N> {
    #[inline]
    fn from(enc: &Enc<I, N>) -> Self {
        let mut dec = Self {
            isa: enc.isa,
            keys: enc.keys,
        };
        dec.isa.invert::<N>(&mut dec.keys);
        dec
    }
}

/// Round keys for both directions.
#[derive(Clone)]
pub(crate) struct Both<I, const N: usize> {
    isa: I,
    enc: RoundKeys,
    dec: RoundKeys,
}

impl<I: Isa, const N: usize> Both<I, N> {
    #[inline(always)]
    pub(crate) fn new(isa: I, key: &[u8]) -> Self {
        (&Enc::new(isa, key)).into()
    }

    #[inline(always)]
    pub(crate) fn encrypt(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.isa.encrypt::<N>(&self.enc, f);
    }

    #[inline(always)]
    pub(crate) fn decrypt(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        self.isa.decrypt::<N>(&self.dec, f);
    }
}

impl<I: Isa, const N: usize> From<&Enc<I, N>> for Both<I, N> {
    #[inline]
    fn from(enc: &Enc<I, N>) -> Self {
        let mut both = Self {
            isa: enc.isa,
            enc: enc.keys,
            dec: enc.keys,
        };
        both.isa.invert::<N>(&mut both.dec);
        both
    }
}
