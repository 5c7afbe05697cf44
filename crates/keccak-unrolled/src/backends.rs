//! The back ends: their names, what each needs from the CPU, and the choice between them.

use core::fmt;

use crate::consts::LANES;

mod complement;
pub(crate) mod soft;
pub(crate) mod soft32;

/// A named implementation of the permutation Keccak-p\[1600\].
///
/// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Portable Rust on 64-bit lanes.
    Soft,
    /// Portable Rust on bit-interleaved 32-bit halves of lanes.
    Soft32,
}

impl Backend {
    /// Every back end of this crate, on whatever target.
    pub const ALL: &'static [Self] = &[Self::Soft, Self::Soft32];

    /// The fastest back end that this CPU can run, which `new` and `default` take.
    ///
    /// `--cfg keccak_unrolled_backend="soft"` (or `"soft32"`) forces a portable one.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        Self::soft()
    }

    /// The portable back end for this target's word size.
    #[must_use]
    #[inline]
    pub const fn soft() -> Self {
        // Pointers of 32 bits do not make a machine of 32 bits: wasm32, x32 and the like have 64-bit registers.
        const SOFT32: bool = cfg!(any(
            keccak_unrolled_backend = "soft32",
            all(
                not(keccak_unrolled_backend = "soft"),
                not(target_pointer_width = "64"),
                not(any(
                    target_arch = "wasm32",
                    target_arch = "x86_64",
                    target_arch = "aarch64"
                )),
            )
        ));
        if SOFT32 { Self::Soft32 } else { Self::Soft }
    }

    /// Every back end that this CPU can run.
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.iter().copied().filter(|b| b.is_available())
    }

    /// Whether this CPU can run the back end.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Self::Soft | Self::Soft32 => true,
        }
    }

    /// How many states the back end permutes at once. With 1 the parallel functions loop over the states.
    #[must_use]
    #[inline]
    pub const fn parallelism(self) -> usize {
        match self {
            Self::Soft => soft::Soft::WIDTH,
            Self::Soft32 => soft32::Soft32::WIDTH,
        }
    }

    /// The lower-case name: `soft`, `soft32`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
            Self::Soft32 => "soft32",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a back end gives to the rest of the crate.
///
/// A state between two calls is in the back end's own form: each lane `encode`d, and several states laid out
/// as [`Kernel::slot`] says. A value of the type proves that this CPU can run it.
pub(crate) trait Kernel: Copy {
    /// States permuted at once: see [`Backend::parallelism`].
    const WIDTH: usize = 1;

    /// A lane in the back end's form. Linear over xor.
    fn encode(self, lane: u64) -> u64;

    /// The inverse of [`Kernel::encode`].
    fn decode(self, lane: u64) -> u64;

    /// Keccak-p\[1600, `ROUNDS`\] on a state in the back end's form.
    fn permute<const ROUNDS: usize>(self, state: &mut [u64; LANES]);

    /// Where lane `lane` of state `i` stands in the flattened `[[u64; N]; 25]`.
    /// Here state after state, since a loop over states wants each one contiguous.
    #[inline(always)]
    fn slot<const N: usize>(self, lane: usize, i: usize) -> usize {
        i * LANES + lane
    }

    /// Keccak-p\[1600, `ROUNDS`\] on `N` states in the back end's form.
    #[inline(always)]
    fn permute_xn<const ROUNDS: usize, const N: usize>(self, states: &mut [[u64; N]; LANES]) {
        for state in states.as_flattened_mut().as_chunks_mut().0 {
            self.permute::<ROUNDS>(state);
        }
    }

    /// Keccak-p\[1600, `ROUNDS`\] on plain states.
    #[inline(always)]
    fn permute_plain<const ROUNDS: usize, const N: usize>(self, states: &mut [[u64; LANES]; N]) {
        for state in states {
            for lane in state.iter_mut() {
                *lane = self.encode(*lane);
            }
            self.permute::<ROUNDS>(state);
            for lane in state.iter_mut() {
                *lane = self.decode(*lane);
            }
        }
    }
}

/// Runs the block with `$kernel` bound to the kernel of `$backend`: the one place where a back end's name
/// becomes code.
macro_rules! with_kernel {
    ($backend:expr, $kernel:ident => $body:expr) => {
        match $backend {
            $crate::Backend::Soft => {
                let $kernel = $crate::backends::soft::Soft;
                $body
            }
            $crate::Backend::Soft32 => {
                let $kernel = $crate::backends::soft32::Soft32;
                $body
            }
        }
    };
}
pub(crate) use with_kernel;
