//! Kernels for composing crates: the closure interface of RustCrypto's `keccak` 0.2. Exempt from semver.
//!
//! `use keccak_unrolled::hazmat as keccak` puts it in place of that crate, its feature `parallel` included. The
//! permutations on narrower states (`f200`, `f400`, `f800`), which no standard uses, are left out.
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

pub use crate::permutation::State1600;

/// Lanes of a state.
pub const PLEN: usize = crate::consts::LANES;
/// Rounds of Keccak-f\[1600\].
pub const F1600_ROUNDS: usize = crate::consts::F1600_ROUNDS;

/// A permutation of a [`State1600`].
pub type Fn1600 = fn(&mut State1600);
/// As many states as the back end `B` permutes at once.
pub type ParState1600<B> = Array<State1600, <B as Backend>::ParSize1600>;
/// A permutation of each state of a [`ParState1600`].
pub type ParFn1600<B> = fn(&mut ParState1600<B>);

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
