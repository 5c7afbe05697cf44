//! The back ends: their names, what each needs from the CPU, and the choice between them.

use core::fmt;

use digest::array::ArraySize;
use digest::typenum::Unsigned;

use crate::consts::{F1600_ROUNDS, LANES, RC};

mod complement;
mod lazy;
#[cfg(any(
    all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2"
    ),
    all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    ),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[allow(
    unused_imports,
    unused_macros,
    reason = "not every target has one state in vectors"
)]
mod parallel;
pub(crate) mod soft;
pub(crate) mod soft32;

#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod avx2;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod avx512;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod sse2;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod x86;

#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod aarch64;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod armv8_sha3;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod neon;

#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
mod armv7_neon;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(all(target_arch = "x86", target_feature = "sse2"))]
use core::arch::x86 as arch;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use core::arch::x86_64 as arch;

/// Pointers of 32 bits do not make a machine of 32 bits: wasm32, x32 and the like have 64-bit registers.
const REGISTERS_HAVE_64_BITS: bool = cfg!(any(
    target_pointer_width = "64",
    target_arch = "wasm32",
    target_arch = "x86_64",
    target_arch = "aarch64"
));

/// Whether an instruction that combines two words rotates one of them at no cost.
const LOGIC_ROTATES: bool = cfg!(any(target_arch = "aarch64", target_arch = "arm"));

/// Whether every vector unit of the CPU has the SHA3 instructions, as on Apple's: Arm's own cores had one such unit in
/// two or four before Cortex-X4, on which code made of nothing else waits for that one.
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
const ALL_UNITS_HAVE_SHA3: bool = cfg!(target_vendor = "apple");

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
    /// x86 with SSE2: two states at once, one as the portable code does it, on 32-bit x86 in vectors too.
    Sse2,
    /// x86 with AVX2: four states at once or two.
    Avx2,
    /// x86 with AVX-512F and AVX-512VL: eight states at once, four, two or one.
    Avx512,
    /// aarch64 with NEON: two states at once, one as the portable code does it.
    ///
    /// It is taken wherever there are no SHA3 instructions. Two states then take, by LLVM's pipeline models, 0.6 of the
    /// time of [`Backend::Soft`] on Cortex-A72, but 1.15 on Neoverse N1 and 1.24 on Cortex-A53: nothing asks which core it
    /// is, and who knows that it is one of these can take `Soft` by name.
    Neon,
    /// aarch64 with the SHA3 instructions of ARMv8.2: two states at once, and one on Apple's cores.
    ///
    /// It is taken wherever they are. By the same models two states take half the time of [`Backend::Neon`] on Apple's
    /// cores, and on others 0.9 of that of [`Backend::Soft`] on Neoverse N2, 1.1 on Neoverse V1 and V2.
    ArmV8Sha3,
    /// 32-bit Arm with NEON, one state.
    ArmV7Neon,
    /// wasm32 compiled with the target feature `simd128`: two states at once, one as the portable code does it.
    Simd128,
}

impl Backend {
    /// Every back end of this crate, on whatever target.
    pub const ALL: &'static [Self] = &[
        Self::Soft,
        Self::Soft32,
        Self::Sse2,
        Self::Avx2,
        Self::Avx512,
        Self::Neon,
        Self::ArmV8Sha3,
        Self::ArmV7Neon,
        Self::Simd128,
    ];

    /// The fastest back end that this CPU can run, which `new` and `default` take.
    ///
    /// `--cfg keccak_unrolled_backend="soft"` (or `"soft32"`) forces a portable one.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        Token::detect().backend()
    }

    /// The portable back end for this target's word size.
    #[must_use]
    #[inline]
    pub const fn soft() -> Self {
        Token::soft().backend()
    }

    /// Every back end that this CPU can run.
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.iter().copied().filter(|b| b.is_available())
    }

    /// Whether this CPU can run the back end.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        Token::new(self).is_some()
    }

    /// How many states the back end permutes at once. With 1 the parallel functions loop over the states.
    #[must_use]
    #[inline]
    pub const fn parallelism(self) -> usize {
        match self {
            Self::Soft | Self::Soft32 | Self::ArmV7Neon => 1,
            Self::Sse2 | Self::Neon | Self::ArmV8Sha3 | Self::Simd128 => 2,
            Self::Avx2 => 4,
            Self::Avx512 => 8,
        }
    }

    /// The lower-case name: `soft`, `soft32`, `sse2`, `avx2`, `avx512`, `neon`, `armv8_sha3`,
    /// `armv7_neon`, `simd128`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
            Self::Soft32 => "soft32",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
            Self::ArmV8Sha3 => "armv8_sha3",
            Self::ArmV7Neon => "armv7_neon",
            Self::Simd128 => "simd128",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A back end that this CPU can run: its kernel is the proof.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    Soft(soft::Soft),
    Soft32(soft32::Soft32),
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2"
    ))]
    Sse2(sse2::Sse2),
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2"
    ))]
    Avx2(avx2::Avx2),
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2"
    ))]
    Avx512(avx512::Avx512),
    #[cfg(all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    ))]
    Neon(neon::Neon),
    #[cfg(all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    ))]
    ArmV8Sha3(armv8_sha3::ArmV8Sha3),
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    ArmV7Neon(armv7_neon::ArmV7Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(simd128::Simd128),
}

impl Token {
    /// `None` where this CPU cannot run the back end.
    #[inline]
    pub(crate) fn new(backend: Backend) -> Option<Self> {
        match backend {
            Backend::Soft => Kernel::detect().map(Self::Soft),
            Backend::Soft32 => Kernel::detect().map(Self::Soft32),
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            Backend::Sse2 => Kernel::detect().map(Self::Sse2),
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            Backend::Avx2 => Kernel::detect().map(Self::Avx2),
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            Backend::Avx512 => Kernel::detect().map(Self::Avx512),
            #[cfg(not(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            )))]
            Backend::Sse2 | Backend::Avx2 | Backend::Avx512 => None,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ))]
            Backend::Neon => Kernel::detect().map(Self::Neon),
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ))]
            Backend::ArmV8Sha3 => Kernel::detect().map(Self::ArmV8Sha3),
            #[cfg(not(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            )))]
            Backend::Neon | Backend::ArmV8Sha3 => None,
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Backend::ArmV7Neon => Kernel::detect().map(Self::ArmV7Neon),
            #[cfg(not(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            )))]
            Backend::ArmV7Neon => None,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Backend::Simd128 => Kernel::detect().map(Self::Simd128),
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            Backend::Simd128 => None,
        }
    }

    /// The automatic choice.
    #[inline]
    pub(crate) fn detect() -> Self {
        if cfg!(any(
            keccak_unrolled_backend = "soft",
            keccak_unrolled_backend = "soft32"
        )) {
            return Self::soft();
        }
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "sse2"
        ))]
        const PREFERRED: &[Backend] = &[Backend::Avx512, Backend::Avx2, Backend::Sse2];
        #[cfg(all(
            target_arch = "aarch64",
            target_feature = "neon",
            target_endian = "little"
        ))]
        const PREFERRED: &[Backend] = &[Backend::ArmV8Sha3, Backend::Neon];
        #[cfg(all(
            target_arch = "arm",
            target_endian = "little",
            any(target_os = "linux", target_os = "android")
        ))]
        const PREFERRED: &[Backend] = &[Backend::ArmV7Neon];
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        const PREFERRED: &[Backend] = &[Backend::Simd128];
        #[cfg(not(any(
            all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ),
            all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ),
            all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ),
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        const PREFERRED: &[Backend] = &[];
        PREFERRED
            .iter()
            .find_map(|&backend| Self::new(backend))
            .unwrap_or(Self::soft())
    }

    /// The portable choice.
    #[inline]
    pub(crate) const fn soft() -> Self {
        const SOFT32: bool = cfg!(keccak_unrolled_backend = "soft32")
            || !cfg!(keccak_unrolled_backend = "soft") && !REGISTERS_HAVE_64_BITS;
        if SOFT32 {
            Self::Soft32(soft32::Soft32)
        } else {
            Self::Soft(soft::Soft)
        }
    }

    #[inline]
    pub(crate) const fn backend(self) -> Backend {
        match self {
            Self::Soft(_) => Backend::Soft,
            Self::Soft32(_) => Backend::Soft32,
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            Self::Sse2(_) => Backend::Sse2,
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            Self::Avx2(_) => Backend::Avx2,
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            Self::Avx512(_) => Backend::Avx512,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ))]
            Self::Neon(_) => Backend::Neon,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ))]
            Self::ArmV8Sha3(_) => Backend::ArmV8Sha3,
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Self::ArmV7Neon(_) => Backend::ArmV7Neon,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(_) => Backend::Simd128,
        }
    }
}

/// Runs the block with `$kernel` bound to the kernel of the token: the one place where a back end's name becomes code.
macro_rules! with_kernel {
    ($token:expr, $kernel:ident => $body:expr) => {
        match $token {
            $crate::backends::Token::Soft($kernel) => $body,
            $crate::backends::Token::Soft32($kernel) => $body,
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            $crate::backends::Token::Sse2($kernel) => $body,
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            $crate::backends::Token::Avx2($kernel) => $body,
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            $crate::backends::Token::Avx512($kernel) => $body,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ))]
            $crate::backends::Token::Neon($kernel) => $body,
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ))]
            $crate::backends::Token::ArmV8Sha3($kernel) => $body,
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            $crate::backends::Token::ArmV7Neon($kernel) => $body,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            $crate::backends::Token::Simd128($kernel) => $body,
        }
    };
}
pub(crate) use with_kernel;

/// The round constants of Keccak-p\[1600, `ROUNDS`\].
const fn round_constants<const ROUNDS: usize>() -> &'static [u64] {
    const { RC.split_at(F1600_ROUNDS - ROUNDS).1 }
}

/// What a back end gives to the rest of the crate.
///
/// A state between two calls is in the back end's own form: each lane `encode`d, and several states laid out
/// as [`Kernel::slot`] says. A value of the type proves that this CPU can run it.
///
/// A kernel gives `permute`, and where it permutes several states at once also the four functions on groups of
/// states, with words instead of bytes: their defaults are for the kernels that do not.
pub(crate) trait Kernel: Copy {
    /// States permuted at once: see [`Backend::parallelism`].
    type Width: ArraySize;
    const WIDTH: usize = Self::Width::USIZE;

    /// `None` where this CPU cannot run it.
    fn detect() -> Option<Self>;

    /// A lane in the back end's form. Linear over xor. As it is where several states are permuted at once.
    #[inline(always)]
    fn encode(self, lane: u64) -> u64 {
        lane
    }

    /// The inverse of [`Kernel::encode`].
    #[inline(always)]
    fn decode(self, lane: u64) -> u64 {
        lane
    }

    /// Keccak-p\[1600, `ROUNDS`\] on a state in the back end's form.
    fn permute<const ROUNDS: usize>(self, state: &mut [u64; LANES]);

    /// Xors each block into the state and permutes.
    #[inline(always)]
    fn absorb<const ROUNDS: usize, const RATE: usize>(
        self,
        state: &mut [u64; LANES],
        blocks: &[[u8; RATE]],
    ) {
        for block in blocks {
            for (lane, bytes) in state.iter_mut().zip(block.as_chunks().0) {
                *lane ^= self.encode(u64::from_le_bytes(*bytes));
            }
            self.permute::<ROUNDS>(state);
        }
    }

    /// Permutes before each block and fills it from the state.
    #[inline(always)]
    fn squeeze<const ROUNDS: usize, const RATE: usize>(
        self,
        state: &mut [u64; LANES],
        blocks: &mut [[u8; RATE]],
    ) {
        for block in blocks {
            self.permute::<ROUNDS>(state);
            for (bytes, lane) in block.as_chunks_mut().0.iter_mut().zip(&*state) {
                *bytes = self.decode(*lane).to_le_bytes();
            }
        }
    }

    /// Permutes each of 2, 4 or 8 states, at most [`Kernel::WIDTH`]: a group, lane 0 of each, then lane 1 of each.
    #[inline(always)]
    fn permute_group<const ROUNDS: usize>(self, group: &mut [u64]) {
        let [] = group else { no_groups() };
    }

    /// [`Kernel::absorb`] of as many blocks into each state of a group.
    #[inline(always)]
    fn absorb_group<const ROUNDS: usize, const RATE: usize>(
        self,
        group: &mut [u64],
        messages: &[&[[u8; RATE]]],
    ) {
        let ([], []) = (group, messages) else {
            no_groups()
        };
    }

    /// [`Kernel::squeeze`] of as many blocks from each state of a group.
    #[inline(always)]
    fn squeeze_group<const ROUNDS: usize, const RATE: usize>(
        self,
        group: &mut [u64],
        outputs: &mut [&mut [[u8; RATE]]],
    ) {
        let ([], []) = (group, outputs) else {
            no_groups()
        };
    }

    /// Permutes each of 2, 4 or 8 plain states.
    #[inline(always)]
    fn permute_plain_group<const ROUNDS: usize>(self, states: &mut [[u64; LANES]]) {
        let [] = states else { no_groups() };
    }

    /// Where lane `lane` of state `i` of `N` stands in the flattened `[[u64; N]; 25]`: in its group of as many states
    /// as are permuted at once, lane after lane. Where that is one, state stands after state.
    #[inline(always)]
    fn slot<const N: usize>(self, lane: usize, i: usize) -> usize {
        let width = group_width::<Self, N>();
        i / width * width * LANES + lane * width + i % width
    }

    /// Keccak-p\[1600, `ROUNDS`\] on `N` states in the back end's form.
    #[inline(always)]
    fn permute_xn<const ROUNDS: usize, const N: usize>(self, states: &mut [[u64; N]; LANES]) {
        for group in states
            .as_flattened_mut()
            .chunks_exact_mut(group_width::<Self, N>() * LANES)
        {
            match <&mut [u64; LANES]>::try_from(&mut *group) {
                Ok(state) => self.permute::<ROUNDS>(state),
                Err(_) => self.permute_group::<ROUNDS>(group),
            }
        }
    }

    /// [`Kernel::absorb`] of as many blocks into each of `N` states in the back end's form.
    #[inline(always)]
    fn absorb_xn<const ROUNDS: usize, const RATE: usize, const N: usize>(
        self,
        states: &mut [[u64; N]; LANES],
        messages: &[&[[u8; RATE]]; N],
    ) {
        let width = group_width::<Self, N>();
        let groups = states.as_flattened_mut().chunks_exact_mut(width * LANES);
        for (group, messages) in groups.zip(messages.chunks_exact(width)) {
            match <&mut [u64; LANES]>::try_from(&mut *group) {
                Ok(state) => self.absorb::<ROUNDS, RATE>(state, messages[0]),
                Err(_) => self.absorb_group::<ROUNDS, RATE>(group, messages),
            }
        }
    }

    /// [`Kernel::squeeze`] of as many blocks from each of `N` states in the back end's form.
    #[inline(always)]
    fn squeeze_xn<const ROUNDS: usize, const RATE: usize, const N: usize>(
        self,
        states: &mut [[u64; N]; LANES],
        outputs: &mut [&mut [[u8; RATE]]; N],
    ) {
        let width = group_width::<Self, N>();
        let groups = states.as_flattened_mut().chunks_exact_mut(width * LANES);
        for (group, outputs) in groups.zip(outputs.chunks_exact_mut(width)) {
            match <&mut [u64; LANES]>::try_from(&mut *group) {
                Ok(state) => self.squeeze::<ROUNDS, RATE>(state, outputs[0]),
                Err(_) => self.squeeze_group::<ROUNDS, RATE>(group, outputs),
            }
        }
    }

    /// Keccak-p\[1600, `ROUNDS`\] on plain states.
    #[inline(always)]
    fn permute_plain<const ROUNDS: usize>(self, mut states: &mut [[u64; LANES]]) {
        for width in [8, 4, 2] {
            while width <= Self::WIDTH && width <= states.len() {
                let (group, rest) = states.split_at_mut(width);
                self.permute_plain_group::<ROUNDS>(group);
                states = rest;
            }
        }
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

/// How many of `N` states form a group.
const fn group_width<K: Kernel, const N: usize>() -> usize {
    const {
        assert!(N.is_power_of_two());
        if N < K::WIDTH { N } else { K::WIDTH }
    }
}

#[cold]
fn no_groups() -> ! {
    unreachable!("this kernel permutes one state at a time")
}

#[cfg(test)]
mod tests {
    use super::{Backend, Kernel, Token};

    /// The table that a user sees is what the kernels are.
    #[test]
    fn parallelism_is_the_width() {
        fn width<K: Kernel>(_: K) -> usize {
            K::WIDTH
        }
        for backend in Backend::available() {
            let token = Token::new(backend).unwrap();
            assert_eq!(token.backend(), backend);
            let width = with_kernel!(token, kernel => width(kernel));
            assert_eq!(width, backend.parallelism(), "{backend}");
        }
    }
}
