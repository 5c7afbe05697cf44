//! A user of `keccak` 0.2, compiled against that crate and against ours: every name of its interface, every permutation.

#![cfg(feature = "hazmat")]

macro_rules! user {
    ($name:ident, $($keccak:tt)*) => {
        mod $name {
            use $($keccak)*::backends::{Backend, BackendClosure};
            use $($keccak)*::consts::{F200_ROUNDS, F400_ROUNDS, F800_ROUNDS, F1600_ROUNDS, PLEN};
            use $($keccak)*::types::{
                Fn200, Fn400, Fn800, Fn1600, ParFn1600, ParState1600, State200, State400, State800, State1600,
            };
            use $($keccak)*::Keccak;

            /// A sponge that asks for the permutation at every block, as a hasher does.
            #[derive(Clone, Debug, Default)]
            struct Sponge {
                state: State1600,
                keccak: Keccak,
            }

            impl Sponge {
                /// SHAKE128 (FIPS 202), or with 12 rounds TurboSHAKE128 (RFC 9861).
                fn shake<const ROUNDS: usize>(mut self, message: &[u8], out: &mut [u8]) {
                    let mut padded = message.to_vec();
                    padded.push(0x1f);
                    padded.resize(padded.len().next_multiple_of(168), 0);
                    *padded.last_mut().unwrap() ^= 0x80;
                    for block in padded.chunks(168) {
                        for (lane, word) in self.state.iter_mut().zip(block.chunks(8)) {
                            *lane ^= u64::from_le_bytes(word.try_into().unwrap());
                        }
                        self.keccak.with_p1600::<ROUNDS>(|p1600: Fn1600| p1600(&mut self.state));
                    }
                    for block in out.chunks_mut(168) {
                        let bytes = self.state.iter().flat_map(|lane| lane.to_le_bytes());
                        block.iter_mut().zip(bytes).for_each(|(out, byte)| *out = byte);
                        self.keccak.with_p1600::<ROUNDS>(|p1600| p1600(&mut self.state));
                    }
                }
            }

            pub(crate) fn shakes(message: &[u8]) -> [[u8; 400]; 2] {
                let mut out = [[0; 400]; 2];
                Sponge::default().shake::<F1600_ROUNDS>(message, &mut out[0]);
                Sponge::default().shake::<12>(message, &mut out[1]);
                out
            }

            struct Every<'a>(&'a mut Vec<State1600>);

            impl BackendClosure for Every<'_> {
                fn call_once<B: Backend>(self) {
                    let parallel: [ParFn1600<B>; 2] = [B::get_par_f1600(), B::get_par_p1600::<3>()];
                    let single: [Fn1600; 2] = [B::get_f1600(), B::get_p1600::<3>()];
                    let mut states = ParState1600::<B>::default();
                    for (i, state) in states.iter_mut().enumerate() {
                        state[i] = 1;
                    }
                    parallel[0](&mut states);
                    parallel[1](&mut states);
                    let mut expected = [0; PLEN];
                    expected[0] = 1;
                    single[0](&mut expected);
                    single[1](&mut expected);
                    assert_eq!(states[0], expected);
                    self.0.push(expected);
                }
            }

            pub(crate) fn states() -> (Vec<State200>, Vec<State400>, Vec<State800>, Vec<State1600>) {
                let keccak = Keccak::new();
                let (mut a, mut b, mut c, mut d) =
                    ([[0; PLEN]; 4], [[0; PLEN]; 4], [[0; PLEN]; 4], vec![[0; PLEN]; 4]);
                keccak.with_f200(|f: Fn200| f(&mut a[0]));
                keccak.with_p200::<F200_ROUNDS>(|p| p(&mut a[1]));
                keccak.with_p200::<5>(|p| p(&mut a[2]));
                keccak.with_p200::<0>(|p| p(&mut a[3]));
                keccak.with_f400(|f: Fn400| f(&mut b[0]));
                keccak.with_p400::<F400_ROUNDS>(|p| p(&mut b[1]));
                keccak.with_p400::<5>(|p| p(&mut b[2]));
                keccak.with_p400::<0>(|p| p(&mut b[3]));
                keccak.with_f800(|f: Fn800| f(&mut c[0]));
                keccak.with_p800::<F800_ROUNDS>(|p| p(&mut c[1]));
                keccak.with_p800::<5>(|p| p(&mut c[2]));
                keccak.with_p800::<0>(|p| p(&mut c[3]));
                keccak.with_f1600(|f| f(&mut d[0]));
                keccak.with_p1600::<F1600_ROUNDS>(|p| p(&mut d[1]));
                keccak.with_p1600::<5>(|p| p(&mut d[2]));
                keccak.with_backend(Every(&mut d));
                (a.to_vec(), b.to_vec(), c.to_vec(), d)
            }
        }
    };
}
user!(ours, keccak_unrolled::hazmat);
user!(theirs, ::keccak);

#[test]
fn a_user_of_keccak_is_a_user_of_ours() {
    assert_eq!(ours::states(), theirs::states());
    for len in [0, 1, 167, 168, 169, 500] {
        let message: Vec<u8> = (0..len).map(|i| (i * i / 3) as u8).collect();
        let shakes = ours::shakes(&message);
        assert_eq!(shakes, theirs::shakes(&message), "{len}");
        use keccak_unrolled::ExtendableOutput;
        let mut expected = [[0; 400]; 2];
        shake::Shake128::digest_xof(&message, &mut expected[0]);
        turboshake::TurboShake128::digest_xof(&message, &mut expected[1]);
        assert_eq!(shakes, expected, "{len}");
    }
}
