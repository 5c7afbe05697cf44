//! Keccak-p\[1600\] on vectors of one lane of each of several states, for every back end that has such vectors.
//!
//! # Design
//!
//! A state is 25 vectors, each with the same lane of `N` states. [`parallel`] makes the four functions of
//! [`Kernel`](super::Kernel) on groups out of the operations of a module:
//!
//! | name | what it is |
//! |---|---|
//! | `N`, `Vector` | how many lanes, and the type that holds them |
//! | `load`, `store` | `N` words in memory |
//! | `load_bytes`, `store_bytes` | `8 N` bytes in memory, little-endian |
//! | `transpose` | `N` vectors of `N` lanes of one state each to `N` vectors of one lane of each state, its own inverse |
//! | `broadcast` | a word in every lane |
//! | `xor` | |
//! | `parity` | the xor of five vectors |
//! | `theta_effect` | `c[x - 1] ^ rotl(c[x + 1], 1)` |
//! | `xor_rotate::<LEFT, RIGHT>` | `rotl(a ^ d, LEFT)`, where `RIGHT` is `64 - LEFT` |
//! | `chi` | `a ^ (!b & c)` |
//!
//! The loop's body is one round: with two or more the compiler spills more than the saved copies are worth. The round is
//! a macro and not a function, since it must be inlined in four places and a function with target features cannot
//! be told so.
//!
//! Blocks come in and go out `N` lanes at a time, transposed in registers; the last lanes of a block whose number is
//! no multiple of `N` are those of the last `N`, of which some have been seen before.

/// An array of the expression for each lane 0 to 24, a constant.
macro_rules! lanes {
    (|$lane:ident| $value:expr) => {
        lanes!(@ $lane, $value; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
    };
    (@ $lane:ident, $value:expr; $($number:literal)*) => {
        [$({
            const $lane: usize = $number;
            $value
        }),*]
    };
}
pub(super) use lanes;

/// Runs the block for each `N` lanes of a block of `$lanes` lanes: `$first` is the first of them that has not been seen
/// before, `$start` the first.
macro_rules! for_each_group {
    ($lanes:expr, |$start:ident, $first:ident| $body:expr) => {
        for_each_group!(@ $lanes, $start, $first, $body;
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
    };
    (@ $lanes:expr, $start:ident, $first:ident, $body:expr; $($group:literal)*) => {$(
        if N * $group < $lanes {
            let $first = N * $group;
            let $start = if $first + N <= $lanes { $first } else { $lanes - N };
            $body
        }
    )*};
}
pub(super) use for_each_group;

/// A round (FIPS 202, section 3.2) on 25 vectors, where `$rc` is the round constant in every lane.
macro_rules! round {
    ($a:ident, $rc:expr) => {{
        // Theta.
        let c = each!(|X| parity($a[X], $a[X + 5], $a[X + 10], $a[X + 15], $a[X + 20]));
        let d = each!(|X| theta_effect(c[(X + 4) % 5], c[(X + 1) % 5]));
        // The rest of theta, rho, pi and chi, plane by plane: the lane that comes to (x, y) was at ((x + 3y) mod 5, x).
        let e = each!(|Y| {
            let b = each!(|X| {
                const FROM: usize = (X + 3 * Y) % 5 + 5 * X;
                const LEFT: i32 = RHO[FROM] as i32;
                xor_rotate::<LEFT, { 64 - LEFT }>($a[FROM], d[FROM % 5])
            });
            each!(|X| chi(b[X], b[(X + 1) % 5], b[(X + 2) % 5]))
        });
        $a = lanes!(|LANE| e[LANE / 5][LANE % 5]);
        // Iota.
        $a[0] = xor($a[0], $rc);
    }};
}
pub(super) use round;

/// Makes the functions on groups of a module with the operations above. The numbers are 0 to `N - 1`.
macro_rules! parallel {
    ([$($i:literal)*] $(#[$attr:meta])*) => {
        $(#[$attr])*
        pub(super) fn permute(group: &mut [[u64; N]; LANES], constants: &[u64]) {
            let mut a = lanes!(|LANE| load(&group[LANE]));
            for &rc in constants {
                round!(a, broadcast(rc));
            }
            lanes!(|LANE| store(a[LANE], &mut group[LANE]));
        }

        $(#[$attr])*
        pub(super) fn absorb<const RATE: usize>(
            group: &mut [[u64; N]; LANES],
            messages: &[&[[u8; RATE]]; N],
            constants: &[u64],
        ) {
            let mut a = lanes!(|LANE| load(&group[LANE]));
            let blocks = messages[0].len();
            let messages = [$(&messages[$i][..blocks]),*];
            for block in 0..blocks {
                for_each_group!(RATE / 8, |start, first| {
                    let words = transpose([$(load_bytes(part(&messages[$i][block], start))),*]);
                    $(
                        if start + $i >= first {
                            a[start + $i] = xor(a[start + $i], words[$i]);
                        }
                    )*
                });
                for &rc in constants {
                    round!(a, broadcast(rc));
                }
            }
            lanes!(|LANE| store(a[LANE], &mut group[LANE]));
        }

        $(#[$attr])*
        pub(super) fn squeeze<const RATE: usize>(
            group: &mut [[u64; N]; LANES],
            outputs: &mut [&mut [[u8; RATE]]; N],
            constants: &[u64],
        ) {
            let mut a = lanes!(|LANE| load(&group[LANE]));
            let blocks = outputs[0].len();
            for block in 0..blocks {
                for &rc in constants {
                    round!(a, broadcast(rc));
                }
                for_each_group!(RATE / 8, |start, _first| {
                    let rows = transpose([$(a[start + $i]),*]);
                    $(store_bytes(rows[$i], part_mut(&mut outputs[$i][block], start));)*
                });
            }
            lanes!(|LANE| store(a[LANE], &mut group[LANE]));
        }

    };
}
pub(super) use parallel;

/// Makes `permute_plain` of such a module.
macro_rules! parallel_plain {
    ([$($i:literal)*] $(#[$attr:meta])*) => {
        $(#[$attr])*
        pub(super) fn permute_plain(states: &mut [[u64; LANES]; N], constants: &[u64]) {
            let mut a = [broadcast(0); LANES];
            for_each_group!(LANES, |start, first| {
                let words = transpose([$(load(words(&states[$i], start))),*]);
                $(
                    if start + $i >= first {
                        a[start + $i] = words[$i];
                    }
                )*
            });
            for &rc in constants {
                round!(a, broadcast(rc));
            }
            for_each_group!(LANES, |start, _first| {
                let rows = transpose([$(a[start + $i]),*]);
                $(store(rows[$i], words_mut(&mut states[$i], start));)*
            });
        }
    };
}
pub(super) use parallel_plain;

/// The bytes of `M / 8` lanes of a block from lane `lane` on.
#[inline(always)]
pub(super) fn part<const RATE: usize, const M: usize>(block: &[u8; RATE], lane: usize) -> &[u8; M] {
    block[8 * lane..].first_chunk().expect(IN_BLOCK)
}

#[inline(always)]
pub(super) fn part_mut<const RATE: usize, const M: usize>(
    block: &mut [u8; RATE],
    lane: usize,
) -> &mut [u8; M] {
    block[8 * lane..].first_chunk_mut().expect(IN_BLOCK)
}

/// `M` lanes of a state from lane `lane` on.
#[inline(always)]
pub(super) fn words<const M: usize>(state: &[u64; 25], lane: usize) -> &[u64; M] {
    state[lane..].first_chunk().expect(IN_BLOCK)
}

#[inline(always)]
pub(super) fn words_mut<const M: usize>(state: &mut [u64; 25], lane: usize) -> &mut [u64; M] {
    state[lane..].first_chunk_mut().expect(IN_BLOCK)
}

const IN_BLOCK: &str = "the lanes are in the block";

/// Makes the functions of [`Kernel`](super::Kernel) on one state out of a module made by [`parallel`], unless the portable
/// code is the better.
macro_rules! one_state {
    ($module:ident unless $portable:expr) => {
        #[inline]
        fn permute<const ROUNDS: usize>(self, state: &mut [u64; LANES]) {
            if $portable {
                return soft::Soft.permute::<ROUNDS>(state);
            }
            let group = state.as_chunks_mut().0.try_into().expect("25 lanes");
            // SAFETY: the token proves that the CPU has the features.
            unsafe { $module::permute(group, round_constants::<ROUNDS>()) }
        }

        #[inline]
        fn absorb<const ROUNDS: usize, const RATE: usize>(
            self,
            state: &mut [u64; LANES],
            blocks: &[[u8; RATE]],
        ) {
            if $portable {
                return soft::Soft.absorb::<ROUNDS, RATE>(state, blocks);
            }
            let group = state.as_chunks_mut().0.try_into().expect("25 lanes");
            // SAFETY: the token proves that the CPU has the features.
            unsafe { $module::absorb(group, &[blocks], round_constants::<ROUNDS>()) }
        }

        #[inline]
        fn squeeze<const ROUNDS: usize, const RATE: usize>(
            self,
            state: &mut [u64; LANES],
            blocks: &mut [[u8; RATE]],
        ) {
            if $portable {
                return soft::Soft.squeeze::<ROUNDS, RATE>(state, blocks);
            }
            let group = state.as_chunks_mut().0.try_into().expect("25 lanes");
            // SAFETY: the token proves that the CPU has the features.
            unsafe { $module::squeeze(group, &mut [blocks], round_constants::<ROUNDS>()) }
        }
    };
}
pub(super) use one_state;

/// Makes the functions of [`Kernel`](super::Kernel) on groups out of modules made by [`parallel`], one for each number of
/// states.
macro_rules! groups {
    ($($n:literal => $module:ident),*) => {
        #[inline]
        fn permute_group<const ROUNDS: usize>(self, group: &mut [u64]) {
            let constants = round_constants::<ROUNDS>();
            $(
                if let Ok(group) = group.as_chunks_mut::<$n>().0.try_into() {
                    // SAFETY: the token proves that the CPU has the features.
                    return unsafe { $module::permute(group, constants) };
                }
            )*
            unreachable!("no such group");
        }

        #[inline]
        fn absorb_group<const ROUNDS: usize, const RATE: usize>(
            self,
            group: &mut [u64],
            messages: &[&[[u8; RATE]]],
        ) {
            let constants = round_constants::<ROUNDS>();
            $(
                if let Ok(messages) = messages.try_into() {
                    let group = group.as_chunks_mut::<$n>().0.try_into().expect("a message for each state");
                    // SAFETY: the token proves that the CPU has the features.
                    return unsafe { $module::absorb(group, messages, constants) };
                }
            )*
            unreachable!("no such group");
        }

        #[inline]
        fn squeeze_group<const ROUNDS: usize, const RATE: usize>(
            self,
            group: &mut [u64],
            outputs: &mut [&mut [[u8; RATE]]],
        ) {
            let constants = round_constants::<ROUNDS>();
            $(
                if outputs.len() == $n {
                    let outputs = outputs.try_into().expect("as many outputs");
                    let group = group.as_chunks_mut::<$n>().0.try_into().expect("an output for each state");
                    // SAFETY: the token proves that the CPU has the features.
                    return unsafe { $module::squeeze(group, outputs, constants) };
                }
            )*
            unreachable!("no such group");
        }

        #[inline]
        fn permute_plain_group<const ROUNDS: usize>(self, states: &mut [[u64; LANES]]) {
            let constants = round_constants::<ROUNDS>();
            $(
                if states.len() == $n {
                    let states = states.try_into().expect("as many states");
                    // SAFETY: the token proves that the CPU has the features.
                    return unsafe { $module::permute_plain(states, constants) };
                }
            )*
            unreachable!("no such group");
        }
    };
}
pub(super) use groups;
