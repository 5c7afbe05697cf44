//! Keccak-p\[1600, `ROUNDS`\] on plain states.

use crate::Backend;
use crate::backends::{Kernel, Token, with_kernel};
use crate::consts::{F1600_ROUNDS, LANES};

/// The state of Keccak-p\[1600\]: lane (x, y) of FIPS 202, section 3.1.2, is word `x + 5y`.
pub type State1600 = [u64; LANES];

/// The permutation Keccak-p\[1600\] (FIPS 202, section 3.3) on a back end of choice.
///
/// A permutation is no hash function: this is for those who build one.
///
/// ```
/// use keccak_unrolled::{Backend, Permutation};
///
/// let mut states = [[0; 25]; 4];
/// Permutation::new().f1600_x4(&mut states);
/// assert_eq!(states[3][0], 0xf125_8f79_40e1_dde7);
///
/// for backend in Backend::available() {
///     let mut state = [0; 25];
///     Permutation::with_backend(backend).unwrap().f1600(&mut state);
///     assert_eq!(state, states[0]);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Permutation(Token);

impl Permutation {
    /// On the fastest back end that this CPU can run.
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        Self(Token::detect())
    }

    /// On the named back end, or `None` where this CPU cannot run it.
    #[must_use]
    #[inline]
    pub fn with_backend(backend: Backend) -> Option<Self> {
        Token::new(backend).map(Self)
    }

    /// The back end in use.
    #[must_use]
    #[inline]
    pub const fn backend(&self) -> Backend {
        self.0.backend()
    }

    /// Keccak-f\[1600\]: all 24 rounds.
    #[inline]
    pub fn f1600(&self, state: &mut State1600) {
        self.p1600::<F1600_ROUNDS>(state);
    }

    /// Keccak-p\[1600, `ROUNDS`\]: the last `ROUNDS` rounds of Keccak-f\[1600\]. More than 24 fail to compile.
    #[inline]
    pub fn p1600<const ROUNDS: usize>(&self, state: &mut State1600) {
        self.p1600_xn::<ROUNDS, 1>(core::array::from_mut(state));
    }

    /// Keccak-f\[1600\] on each of two states.
    #[inline]
    pub fn f1600_x2(&self, states: &mut [State1600; 2]) {
        self.p1600_xn::<F1600_ROUNDS, 2>(states);
    }

    /// Keccak-f\[1600\] on each of four states.
    #[inline]
    pub fn f1600_x4(&self, states: &mut [State1600; 4]) {
        self.p1600_xn::<F1600_ROUNDS, 4>(states);
    }

    /// Keccak-f\[1600\] on each of eight states.
    #[inline]
    pub fn f1600_x8(&self, states: &mut [State1600; 8]) {
        self.p1600_xn::<F1600_ROUNDS, 8>(states);
    }

    /// Keccak-p\[1600, `ROUNDS`\] on each of `N` states. More than 24 rounds fail to compile.
    #[inline]
    pub fn p1600_xn<const ROUNDS: usize, const N: usize>(&self, states: &mut [State1600; N]) {
        const { assert!(ROUNDS <= F1600_ROUNDS, "Keccak-f[1600] has 24 rounds") };
        with_kernel!(self.0, kernel => kernel.permute_plain::<ROUNDS>(states));
    }
}

impl Default for Permutation {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

/// Keccak-f\[1600\]: [`Permutation::f1600`] on the fastest back end.
#[inline]
pub fn f1600(state: &mut State1600) {
    Permutation::new().f1600(state);
}

/// Keccak-p\[1600, `ROUNDS`\]: [`Permutation::p1600`] on the fastest back end.
#[inline]
pub fn p1600<const ROUNDS: usize>(state: &mut State1600) {
    Permutation::new().p1600::<ROUNDS>(state);
}

/// Keccak-f\[1600\] on two states: [`Permutation::f1600_x2`] on the fastest back end.
#[inline]
pub fn f1600_x2(states: &mut [State1600; 2]) {
    Permutation::new().f1600_x2(states);
}

/// Keccak-f\[1600\] on four states: [`Permutation::f1600_x4`] on the fastest back end.
#[inline]
pub fn f1600_x4(states: &mut [State1600; 4]) {
    Permutation::new().f1600_x4(states);
}

/// Keccak-f\[1600\] on eight states: [`Permutation::f1600_x8`] on the fastest back end.
#[inline]
pub fn f1600_x8(states: &mut [State1600; 8]) {
    Permutation::new().f1600_x8(states);
}
