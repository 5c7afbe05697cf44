//! aarch64 with the SHA3 instructions of ARMv8.2: two states at once, and one.
//!
//! # Design
//!
//! With `eor3`, `rax1`, `xar` and `bcax` a round is 66 operations. But Arm's own cores before Cortex-X4 have them in one
//! vector unit of two or four, so that a round takes 64 cycles there: for one state nearly twice as long as the scalar
//! code (11.3 cycles a byte against 6.1 on Cortex-X2), for two as long. Apple's cores have them in all units. What decides is
//! the vendor of the target, `ALL_UNITS_HAVE_SHA3`: on Apple's everything is done with them, one state included; elsewhere
//! one state is `soft`'s, and two take them for rotations, where one stands for three others, and theta's sums, and do chi
//! without. By LLVM's pipeline models, cycles a round for two states:
//!
//! | | Neoverse N2 | Neoverse V1, V2 | Apple M1 |
//! |---|---|---|---|
//! | `soft` twice | 66 | 39 | |
//! | `neon` | 89 | 46 | 57 |
//! | all SHA3 instructions | 64 | 64 | **27** |
//! | all but `bcax` | **60** | **43** | 34 |

use core::arch::aarch64::*;

use digest::consts::U2;

use super::aarch64::{one_lane, opaque, two_lanes};
use super::complement::each;
use super::parallel::*;
use super::{ALL_UNITS_HAVE_SHA3, Kernel, round_constants, soft};
use crate::consts::{LANES, RHO};

// On Linux and Android this is true if the kernel tells either of SHA3 and SHA512, both of which the target feature
// comprises. Neither is without the other: the Arm Architecture Reference Manual, on ID_AA64ISAR0_EL1, has SHA2 = 0b0010
// (SHA512) demand SHA3 = 0b0001 and the other way round, and the kernel copies these fields. The code here is made of SHA3's.
cpufeatures::new!(cpuid, "sha3");

#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmV8Sha3(());

impl Kernel for ArmV8Sha3 {
    type Width = U2;

    #[inline]
    fn detect() -> Option<Self> {
        (cfg!(target_feature = "neon") && cpuid::get()).then_some(Self(()))
    }

    one_state!(x1 unless !ALL_UNITS_HAVE_SHA3);
    groups!(2 => x2);
}

/// The logic. `ALL` says whether to take every SHA3 instruction, or only those that rotate.
macro_rules! logic {
    () => {
        #[target_feature(enable = "neon,sha3")]
        #[inline]
        fn parity(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector) -> Vector {
            if ALL {
                veor3q_u64(veor3q_u64(a, b, c), d, e)
            } else {
                xor(xor(xor(a, b), xor(c, d)), e)
            }
        }

        #[target_feature(enable = "neon,sha3")]
        #[inline]
        fn theta_effect(before: Vector, after: Vector) -> Vector {
            vrax1q_u64(before, after)
        }

        #[target_feature(enable = "neon,sha3")]
        #[inline]
        fn chi(a: Vector, b: Vector, c: Vector) -> Vector {
            if ALL {
                vbcaxq_u64(a, c, b)
            } else {
                // Opaque: the compiler would make `bcax` of the two.
                xor(a, opaque(vbicq_u64(c, b)))
            }
        }

        #[target_feature(enable = "neon,sha3")]
        #[inline]
        fn xor_rotate<const LEFT: i32, const RIGHT: i32>(a: Vector, d: Vector) -> Vector {
            // One by one, since no instruction is there for a rotation by `RIGHT` = 64.
            logic!(@ LEFT a d 1 2 3 6 8 10 14 15 18 20 21 25 27 28 36 39 41 43 44 45 55 56 61 62)
        }
    };
    (@ $left:ident $a:ident $d:ident $($offset:literal)*) => {
        match $left {
            0 => xor($a, $d),
            $($offset => vxarq_u64::<{ 64 - $offset }>($a, $d),)*
            _ => unreachable!("no offset of rho"),
        }
    };
}

mod x1 {
    use super::*;

    const ALL: bool = true;
    one_lane!();
    logic!();
    parallel!([0] #[target_feature(enable = "neon,sha3")]);
}

macro_rules! x2 {
    ($name:ident, $all:expr) => {
        mod $name {
            use super::*;

            const ALL: bool = $all;
            two_lanes!();
            logic!();
            parallel!([0 1] #[target_feature(enable = "neon,sha3")]);
            parallel_plain!([0 1] #[target_feature(enable = "neon,sha3")]);
        }
    };
}
x2!(x2, ALL_UNITS_HAVE_SHA3);

/// The functions that this target does not choose are as right as those that it does.
#[cfg(test)]
mod tests {
    #![allow(dead_code, reason = "not every function of each shape is called")]

    extern crate std;

    use super::*;

    x2!(all, true);
    x2!(some, false);

    #[test]
    fn both_shapes_on_any_core() {
        let Some(_token) = ArmV8Sha3::detect() else {
            std::println!("skipped: no SHA3 instructions");
            return;
        };
        let constants = round_constants::<24>();
        let states: [[u64; LANES]; 2] = core::array::from_fn(|i| {
            core::array::from_fn(|lane| {
                (lane as u64 + 3 * i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            })
        });
        let mut expected = states;
        for state in &mut expected {
            soft::Soft.permute::<24>(state);
        }
        // SAFETY: the token proves that the CPU has the features.
        unsafe {
            let mut actual = states;
            all::permute_plain(&mut actual, constants);
            assert_eq!(actual, expected);
            let mut actual = states;
            some::permute_plain(&mut actual, constants);
            assert_eq!(actual, expected);
            let mut actual = states[0];
            let group = actual.as_chunks_mut().0;
            x1::permute(group.try_into().expect("25 lanes"), constants);
            assert_eq!(actual, expected[0]);
        }

        let blocks: [[u8; 168]; 3] =
            core::array::from_fn(|i| core::array::from_fn(|j| (i * 168 + j * j) as u8));
        let (mut expected, mut actual) = (states[0], states[0]);
        soft::Soft.absorb::<24, 168>(&mut expected, &blocks);
        // SAFETY: as above.
        unsafe {
            let group = actual.as_chunks_mut().0;
            x1::absorb(group.try_into().expect("25 lanes"), &[&blocks], constants);
        }
        assert_eq!(actual, expected);
        let (mut out, mut expected_out) = ([[0; 168]; 3], [[0; 168]; 3]);
        soft::Soft.squeeze::<24, 168>(&mut expected, &mut expected_out);
        // SAFETY: as above.
        unsafe {
            let group = actual.as_chunks_mut().0;
            x1::squeeze(
                group.try_into().expect("25 lanes"),
                &mut [&mut out],
                constants,
            );
        }
        assert_eq!((actual, out), (expected, expected_out));
    }
}
