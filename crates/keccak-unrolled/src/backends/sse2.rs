//! SSE2: two states at once; one as the portable code does it.
//!
//! # Design
//!
//! As `avx2.rs`, on half as many lanes, without shuffles of bytes and with instructions that overwrite an input. On an AMD EPYC
//! (Zen 5) two states take 370 ns, and 428 one after the other on `soft`; whole leaves of KangarooTwelve gain 1.25, since
//! their blocks come in through vectors too.
//!
//! On 32-bit x86 one state is in vectors too, whose high lanes stay zero: a rotation of 64 bits is three instructions there.
//! Eight registers hold a plane, so a round goes from one state in memory to another, as in `soft32.rs`; a permutation is
//! then 7 839 instructions, 318 for each round of which the operations are 190, and 8 836 with lanes in variables, of which
//! the compiler saves most and copies many. `keccak` 0.2.2 has 15 992. Each barrier is worth 10 to 25 instructions a
//! round: lanes just stored would be saved elsewhere too, for the next round or for what comes after the last.
//!
//! Nanoseconds in i686 code on the same CPU: `soft32` 587, `keccak` 997; one state with `sse2` 376 (with lanes in
//! variables 395), `avx2` 369, `avx512` 284; one of eight 200, 105 and 75.

use digest::consts::U2;

use super::arch::*;
use super::parallel::groups;
use super::{Kernel, REGISTERS_HAVE_64_BITS, round_constants, soft};
use crate::consts::LANES;

cpufeatures::new!(cpuid, "sse2");

#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse2(());

impl Kernel for Sse2 {
    type Width = U2;

    #[inline]
    fn detect() -> Option<Self> {
        cpuid::get().then_some(Self(()))
    }

    #[inline]
    fn permute<const ROUNDS: usize>(self, state: &mut [u64; LANES]) {
        if REGISTERS_HAVE_64_BITS {
            return soft::Soft.permute::<ROUNDS>(state);
        }
        // SAFETY: the token proves that the CPU has the features.
        unsafe { x2::permute_one(state, round_constants::<ROUNDS>()) }
    }

    groups!(2 => x2);
}

/// There is no shuffle of bytes before SSSE3.
#[target_feature(enable = "sse2")]
#[inline]
fn rotate_bytes<const LEFT: i32>(a: __m128i) -> __m128i {
    if LEFT == 8 {
        _mm_or_si128(_mm_slli_epi64::<8>(a), _mm_srli_epi64::<56>(a))
    } else {
        const { assert!(LEFT == 8 || LEFT == 56) };
        _mm_or_si128(_mm_slli_epi64::<56>(a), _mm_srli_epi64::<8>(a))
    }
}

mod x2 {
    use core::hint::black_box;

    use super::rotate_bytes;
    use crate::backends::arch::*;
    use crate::backends::complement::each;
    use crate::backends::parallel::*;
    use crate::backends::x86::*;
    use crate::consts::{LANES, RHO};

    two_lanes!(#[target_feature(enable = "sse2")]);
    shifts_128!(rotate_bytes #[target_feature(enable = "sse2")]);
    parallel!([0 1] #[target_feature(enable = "sse2")]);
    parallel_plain!([0 1] #[target_feature(enable = "sse2")]);

    type State = [Vector; LANES];

    /// One state in the low lanes of vectors in memory, whose high lanes are zero.
    ///
    /// Not inlined: only a CPU of 32 bits needs its stack.
    #[target_feature(enable = "sse2")]
    #[inline(never)]
    pub(super) fn permute_one(state: &mut [u64; LANES], constants: &[u64]) {
        let mut buffers: [State; 2] = [[broadcast(0); LANES]; 2];
        let [mut a, mut e] = buffers.each_mut();
        // The second is overwritten anyway. With the same lanes the compiler clears neither.
        lanes!(|LANE| {
            a[LANE] = low(&state[LANE]);
            e[LANE] = a[LANE];
        });
        for rc in constants {
            round_to(black_box(a), e, rc);
            core::mem::swap(&mut a, &mut e);
        }
        let a = black_box(a);
        lanes!(|LANE| store_low(a[LANE], &mut state[LANE]));
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut buffers);
    }

    /// A round from one state to another.
    #[target_feature(enable = "sse2")]
    #[inline]
    fn round_to(a: &State, e: &mut State, rc: &u64) {
        let c = each!(|X| {
            let sum = xor(xor(a[X], a[X + 5]), a[X + 10]);
            xor(xor(sum, a[X + 15]), a[X + 20])
        });
        let d = each!(|X| theta_effect(c[(X + 4) % 5], c[(X + 1) % 5]));
        // A barrier: without it the compiler saves the lanes that theta has read elsewhere, to read them there again.
        let a = black_box(a);
        each!(|Y| {
            let b = each!(|X| {
                const FROM: usize = (X + 3 * Y) % 5 + 5 * X;
                const LEFT: i32 = RHO[FROM] as i32;
                xor_rotate::<LEFT, { 64 - LEFT }>(a[FROM], d[FROM % 5])
            });
            each!(|X| e[5 * Y + X] = chi(b[X], b[(X + 1) % 5], b[(X + 2) % 5]));
        });
        e[0] = xor(e[0], low(rc));
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    fn low(word: &u64) -> Vector {
        // SAFETY: 8 bytes are readable, at any address.
        unsafe { _mm_loadl_epi64(core::ptr::from_ref(word).cast()) }
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    fn store_low(a: Vector, word: &mut u64) {
        // SAFETY: 8 bytes are writable, at any address.
        unsafe { _mm_storel_epi64(core::ptr::from_mut(word).cast(), a) }
    }
}
