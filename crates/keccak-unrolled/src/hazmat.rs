//! Kernels for composing crates: the closure interface of RustCrypto's `keccak` 0.2. Exempt from semver.
//!
//! `use keccak_unrolled::hazmat as keccak` puts it in place of that crate, its feature `parallel` included. The
//! permutations on narrower states (`f200`, `f400`, `f800`), which no standard uses, are there, in plain loops.
//!
//! ```
//! use keccak_unrolled::hazmat as keccak;
//!
//! let mut state = keccak::State1600::default();
//! keccak::Keccak::new().with_f1600(|f1600| f1600(&mut state));
//! assert_eq!(state[0], 0xf125_8f79_40e1_dde7);
//! ```

use core::marker::PhantomData;

use digest::array::{Array, ArraySize};

use crate::backends::{Kernel, Token, with_kernel};
use crate::consts::{RC, RHO};

pub use self::consts::*;
pub use self::types::*;

/// The traits, where `keccak` has them too.
pub mod backends {
    pub use super::{Backend, BackendClosure};
}

/// Numbers of lanes and rounds.
pub mod consts {
    /// Lanes of a state.
    pub const PLEN: usize = crate::consts::LANES;
    /// Rounds of Keccak-f\[200\].
    pub const F200_ROUNDS: usize = 18;
    /// Rounds of Keccak-f\[400\].
    pub const F400_ROUNDS: usize = 20;
    /// Rounds of Keccak-f\[800\].
    pub const F800_ROUNDS: usize = 22;
    /// Rounds of Keccak-f\[1600\].
    pub const F1600_ROUNDS: usize = crate::consts::F1600_ROUNDS;
}

/// States and functions on them.
pub mod types {
    use super::{Array, Backend, PLEN};

    pub use crate::permutation::State1600;

    /// A state of 200 bits.
    pub type State200 = [u8; PLEN];
    /// A state of 400 bits.
    pub type State400 = [u16; PLEN];
    /// A state of 800 bits.
    pub type State800 = [u32; PLEN];
    /// A permutation of a [`State200`].
    pub type Fn200 = fn(&mut State200);
    /// A permutation of a [`State400`].
    pub type Fn400 = fn(&mut State400);
    /// A permutation of a [`State800`].
    pub type Fn800 = fn(&mut State800);
    /// A permutation of a [`State1600`].
    pub type Fn1600 = fn(&mut State1600);
    /// As many states as the back end `B` permutes at once.
    pub type ParState1600<B> = Array<State1600, <B as Backend>::ParSize1600>;
    /// A permutation of each state of a [`ParState1600`].
    pub type ParFn1600<B> = fn(&mut ParState1600<B>);
}

/// Keccak-p on narrow lanes (FIPS 202, section 3.3), the last `ROUNDS` rounds of `$all`.
macro_rules! narrow {
    ($($name:ident, $lane:ty, $all:ident;)*) => {$(
        fn $name<const ROUNDS: usize>(a: &mut [$lane; PLEN]) {
            const { assert!(ROUNDS <= $all, "Keccak-f has fewer rounds") };
            for rc in &RC[$all - ROUNDS..$all] {
                let c: [$lane; 5] =
                    core::array::from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
                let turned: [$lane; PLEN] = core::array::from_fn(|i| {
                    let d = c[(i + 4) % 5] ^ c[(i + 1) % 5].rotate_left(1);
                    (a[i] ^ d).rotate_left(RHO[i] % <$lane>::BITS)
                });
                // The lane that comes to (x, y) was at ((x + 3y) mod 5, x).
                let b = |x: usize, y: usize| turned[(x % 5 + 3 * y) % 5 + 5 * (x % 5)];
                *a = core::array::from_fn(|i| {
                    let (x, y) = (i % 5, i / 5);
                    b(x, y) ^ (!b(x + 1, y) & b(x + 2, y))
                });
                a[0] ^= *rc as $lane;
            }
        }
    )*};
}
narrow!(
    p200, u8, F200_ROUNDS;
    p400, u16, F400_ROUNDS;
    p800, u32, F800_ROUNDS;
);

/// Code that is compiled for each back end.
pub trait BackendClosure {
    /// Runs on the back end `B`.
    fn call_once<B: Backend>(self);
}

/// The permutations of a back end. More than 24 `ROUNDS` fail to compile.
pub trait Backend {
    /// How many states are permuted at once.
    type ParSize1600: ArraySize;

    /// Keccak-p\[1600, `ROUNDS`\].
    #[must_use]
    fn get_p1600<const ROUNDS: usize>() -> Fn1600;

    /// Keccak-p\[1600, `ROUNDS`\] on several states.
    #[must_use]
    fn get_par_p1600<const ROUNDS: usize>() -> ParFn1600<Self>;

    /// Keccak-f\[1600\].
    #[must_use]
    #[inline]
    fn get_f1600() -> Fn1600 {
        Self::get_p1600::<F1600_ROUNDS>()
    }

    /// Keccak-f\[1600\] on several states.
    #[must_use]
    #[inline]
    fn get_par_f1600() -> ParFn1600<Self> {
        Self::get_par_p1600::<F1600_ROUNDS>()
    }
}

/// The back end of a kernel.
struct On<K>(PhantomData<K>);

impl<K: Kernel> On<K> {
    /// The kernel. A function pointer carries no proof that the CPU can run it, so each call asks anew: one load.
    #[inline(always)]
    fn kernel() -> K {
        K::detect().expect("the CPU has run this back end before")
    }
}

impl<K: Kernel> Backend for On<K> {
    type ParSize1600 = K::Width;

    #[inline]
    fn get_p1600<const ROUNDS: usize>() -> Fn1600 {
        const { assert!(ROUNDS <= F1600_ROUNDS, "Keccak-f[1600] has 24 rounds") };
        |state| Self::kernel().permute_plain::<ROUNDS>(core::slice::from_mut(state))
    }

    #[inline]
    fn get_par_p1600<const ROUNDS: usize>() -> ParFn1600<Self> {
        const { assert!(ROUNDS <= F1600_ROUNDS, "Keccak-f[1600] has 24 rounds") };
        |states| Self::kernel().permute_plain::<ROUNDS>(states)
    }
}

/// Hands the permutations of the fastest back end to closures.
#[derive(Clone, Copy, Debug)]
pub struct Keccak(Token);

impl Keccak {
    /// With the fastest back end that this CPU can run.
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        Self(Token::detect())
    }

    /// With the named back end, or `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn new_with_backend(backend: crate::Backend) -> Option<Self> {
        Token::new(backend).map(Self)
    }

    /// Runs `f` on the back end.
    #[inline]
    pub fn with_backend(&self, f: impl BackendClosure) {
        /// Only to give the kernel's type a name.
        fn call<K: Kernel>(_: K, f: impl BackendClosure) {
            f.call_once::<On<K>>();
        }
        with_kernel!(self.0, kernel => call(kernel, f));
    }

    /// Runs `f` with Keccak-f\[200\].
    #[inline]
    pub fn with_f200(&self, f: impl FnOnce(Fn200)) {
        self.with_p200::<F200_ROUNDS>(f);
    }

    /// Runs `f` with Keccak-f\[400\].
    #[inline]
    pub fn with_f400(&self, f: impl FnOnce(Fn400)) {
        self.with_p400::<F400_ROUNDS>(f);
    }

    /// Runs `f` with Keccak-f\[800\].
    #[inline]
    pub fn with_f800(&self, f: impl FnOnce(Fn800)) {
        self.with_p800::<F800_ROUNDS>(f);
    }

    /// Runs `f` with Keccak-p\[200, `ROUNDS`\]. More than 18 fail to compile.
    #[inline]
    pub fn with_p200<const ROUNDS: usize>(&self, f: impl FnOnce(Fn200)) {
        f(p200::<ROUNDS>);
    }

    /// Runs `f` with Keccak-p\[400, `ROUNDS`\]. More than 20 fail to compile.
    #[inline]
    pub fn with_p400<const ROUNDS: usize>(&self, f: impl FnOnce(Fn400)) {
        f(p400::<ROUNDS>);
    }

    /// Runs `f` with Keccak-p\[800, `ROUNDS`\]. More than 22 fail to compile.
    #[inline]
    pub fn with_p800<const ROUNDS: usize>(&self, f: impl FnOnce(Fn800)) {
        f(p800::<ROUNDS>);
    }

    /// Runs `f` with Keccak-f\[1600\].
    #[inline]
    pub fn with_f1600(&self, f: impl FnOnce(Fn1600)) {
        self.with_p1600::<F1600_ROUNDS>(f);
    }

    /// Runs `f` with Keccak-p\[1600, `ROUNDS`\]. More than 24 fail to compile.
    #[inline]
    pub fn with_p1600<const ROUNDS: usize>(&self, f: impl FnOnce(Fn1600)) {
        struct P1600<const ROUNDS: usize, F>(F);

        impl<const ROUNDS: usize, F: FnOnce(Fn1600)> BackendClosure for P1600<ROUNDS, F> {
            #[inline(always)]
            fn call_once<B: Backend>(self) {
                (self.0)(B::get_p1600::<ROUNDS>());
            }
        }

        self.with_backend(P1600::<ROUNDS, _>(f));
    }
}

impl Default for Keccak {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}
