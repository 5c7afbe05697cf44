//! The rounds (RFC 8439, section 2.3) in the order of steps that suits x86, for vectors of any width.

/// A double round of a state of sixteen vectors that hold a word each: two columns or diagonals at a time, each pair to
/// its end, which suits sixteen registers.
///
/// `$step!(s, N, (sum, addend, mixed), …)` makes `s[sum] += s[addend]; s[mixed] = rotate(s[mixed] ^ s[sum], N)` for each
/// triple. After each of the four pairs its number is given to `$between`.
macro_rules! double_round {
    ($step:ident $s:ident) => {
        $crate::backends::rounds::double_round!($step $s, |_| ())
    };
    ($step:ident $s:ident, $between:expr) => {
        $crate::backends::rounds::double_round!(
            $step $s, $between; 0, (0, 4, 8, 12), (1, 5, 9, 13); 1, (2, 6, 10, 14), (3, 7, 11, 15);
            2, (0, 5, 10, 15), (1, 6, 11, 12); 3, (2, 7, 8, 13), (3, 4, 9, 14)
        )
    };
    ($step:ident $s:ident, $between:expr; $($quarter:literal, $(($a:literal, $b:literal, $c:literal, $d:literal)),*);*) => {$(
        $step!($s, 16, $(($a, $b, $d)),*);
        $step!($s, 12, $(($c, $d, $b)),*);
        $step!($s, 8, $(($a, $b, $d)),*);
        $step!($s, 7, $(($c, $d, $b)),*);
        ($between)($quarter);
    )*};
}
pub(super) use double_round;

/// Defines a step of [`double_round`] from the names of the operations; what `$rotate::<N, { 32 - N }>(x, $masks)` needs
/// besides is in `$masks`.
macro_rules! step {
    ($add:ident, $xor:ident, $rotate:ident, $masks:expr, $s:ident, $n:literal,
        $(($sum:expr, $addend:expr, $mixed:expr)),*) => {
        $($s[$sum] = $add($s[$sum], $s[$addend]);)*
        $($s[$mixed] = $xor($s[$mixed], $s[$sum]);)*
        $($s[$mixed] = $rotate::<$n, { 32 - $n }>($s[$mixed], $masks);)*
    };
}
pub(super) use step;

/// Defines `turn_rows`, all rounds of `N` sets of four vectors, each of which holds that row of a block or of several.
/// The first double rounds have one of `steps` each beside them: after each quarter, `between` gets the step and the number
/// of the quarter.
macro_rules! rows {
    ($feature:literal, $vector:ty, $add:ident, $xor:ident, $shuffle:ident, $rotate:ident, $masks:ty) => {
        #[inline]
        #[target_feature(enable = $feature)]
        fn turn_rows<R: $crate::state::Rounds, T, const N: usize>(
            s: &mut [[$vector; 4]; N],
            masks: $masks,
            steps: &[T],
            mut between: impl FnMut(&T, usize),
        ) {
            macro_rules! step {
                ($n:literal, $sum:literal, $addend:literal, $mixed:literal) => {
                    for s in &mut *s {
                        s[$sum] = $add(s[$sum], s[$addend]);
                    }
                    for s in &mut *s {
                        s[$mixed] = $xor(s[$mixed], s[$sum]);
                    }
                    for s in &mut *s {
                        s[$mixed] = $rotate::<$n, { 32 - $n }>(s[$mixed], masks);
                    }
                };
            }
            // The second row is ready last: it stays, and the others turn, to the diagonals and back.
            macro_rules! round {
                ($between:expr, $quarter:literal, $first:literal, $third:literal, $fourth:literal) => {
                    step!(16, 0, 1, 3);
                    step!(12, 2, 3, 1);
                    ($between)($quarter);
                    step!(8, 0, 1, 3);
                    step!(7, 2, 3, 1);
                    ($between)($quarter + 1);
                    for s in &mut *s {
                        s[0] = $shuffle::<$first>(s[0]);
                        s[3] = $shuffle::<$fourth>(s[3]);
                        s[2] = $shuffle::<$third>(s[2]);
                    }
                };
            }
            macro_rules! double_round {
                ($between:expr) => {
                    round!($between, 0, 0b10_01_00_11, 0b00_11_10_01, 0b01_00_11_10);
                    round!($between, 2, 0b00_11_10_01, 0b10_01_00_11, 0b01_00_11_10);
                };
            }
            debug_assert!(steps.len() <= R::DOUBLE_ROUNDS);
            for step in steps {
                double_round!(|quarter| between(step, quarter));
            }
            for _ in steps.len()..R::DOUBLE_ROUNDS {
                double_round!(|_| ());
            }
        }
    };
}
pub(super) use rows;
