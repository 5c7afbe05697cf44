//! What unrolling pi and rho by hand gains: every back end beside the rounds as FIPS 202 has them, with loops over
//! coordinates and arrays of offsets.
//!
//! ```text
//! cargo run --release --example unrolled              nanoseconds and ratios
//! cargo run --release --example unrolled soft 1000    1000 permutations, for a tool that counts instructions
//! ```
//!
//! `soft-x2` is `soft` on two states at once, and so on; figures are for one state.
//!
//! Instructions are counted with a plugin of QEMU's, as the difference between two runs.

use core::hint::black_box;
use std::time::Instant;

use keccak_unrolled::{Backend, Permutation, State1600};

/// Keccak-f\[1600\] with rolled loops.
mod rolled {
    use super::{State1600, black_box};

    const fn tables() -> ([u64; 24], [u32; 24], [usize; 24]) {
        let (mut rc, mut rho, mut pi) = ([0; 24], [0; 24], [0; 24]);
        let mut lfsr: u16 = 1;
        let (mut x, mut y) = (1, 0);
        let mut t = 0;
        while t < 24 {
            let mut j = 0;
            while j <= 6 {
                rc[t] |= ((lfsr & 1) as u64) << ((1 << j) - 1);
                lfsr = (lfsr << 1) ^ (0x171 * (lfsr >> 7));
                j += 1;
            }
            rho[t] = (((t + 1) * (t + 2) / 2) % 64) as u32;
            (x, y) = (y, (2 * x + 3 * y) % 5);
            pi[t] = x + 5 * y;
            t += 1;
        }
        (rc, rho, pi)
    }

    static RC: [u64; 24] = tables().0;
    static RHO: [u32; 24] = tables().1;
    static PI: [usize; 24] = tables().2;

    #[inline(never)]
    pub(super) fn f1600(a: &mut State1600) {
        for rc in RC {
            // Theta.
            let mut c = [0; 5];
            for (i, lane) in a.iter().enumerate() {
                c[i % 5] ^= lane;
            }
            for x in 0..5 {
                let d = c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1);
                for y in 0..5 {
                    a[x + 5 * y] ^= d;
                }
            }
            // Rho and pi, along the one cycle that pi has. Opaque numbers keep the compiler from unrolling.
            let mut last = a[1];
            for t in 0..black_box(24) {
                (last, a[PI[t]]) = (a[PI[t]], last.rotate_left(RHO[t]));
            }
            // Chi.
            for plane in a.as_chunks_mut::<5>().0.iter_mut().take(black_box(5)) {
                let b = *plane;
                for x in 0..5 {
                    plane[x] = b[x] ^ (!b[(x + 1) % 5] & b[(x + 2) % 5]);
                }
            }
            // Iota.
            a[0] ^= rc;
        }
    }
}

type Cases = Vec<(String, usize, Box<dyn Fn(&mut [State1600; 8])>)>;

/// Names, how many states each permutes, and the functions.
fn cases() -> Cases {
    let mut cases: Cases = vec![
        ("rolled".into(), 1, Box::new(|a| rolled::f1600(&mut a[0]))),
        (
            "keccak".into(),
            1,
            Box::new(|a| keccak::Keccak::new().with_f1600(|f| f(&mut a[0]))),
        ),
    ];
    for backend in Backend::available() {
        let permutation = Permutation::with_backend(backend).unwrap();
        let f1600 = Box::new(move |a: &mut [State1600; 8]| permutation.f1600(&mut a[0]));
        cases.push((backend.name().into(), 1, f1600));
        macro_rules! parallel {
            ($n:literal, $function:ident) => {
                if backend.parallelism() >= $n {
                    let function = Box::new(move |a: &mut [State1600; 8]| {
                        permutation.$function(a.first_chunk_mut().unwrap());
                    });
                    cases.push((format!("{backend}-x{}", $n), $n, function));
                }
            };
        }
        parallel!(2, f1600_x2);
        parallel!(4, f1600_x4);
        parallel!(8, f1600_x8);
    }
    cases
}

fn main() {
    let cases = cases();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut states = [[0; 25]; 8];
    if let [name, times] = args.as_slice() {
        let times: u32 = times.parse().expect("a number of permutations");
        let case = cases.iter().find(|(other, ..)| other == name);
        let (.., f1600) = case.expect("a name that this program prints");
        for _ in 0..times {
            f1600(black_box(&mut states));
        }
        return;
    }

    const TIMES: u32 = 2000;
    let mut best = vec![f64::INFINITY; cases.len()];
    for _ in 0..51 {
        for ((_, count, f1600), best) in cases.iter().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..TIMES {
                f1600(black_box(&mut states));
            }
            let ns = start.elapsed().as_nanos() as f64 / f64::from(TIMES) / *count as f64;
            *best = best.min(ns);
        }
    }
    for ((name, ..), ns) in cases.iter().zip(&best) {
        println!("{name:>14} {ns:6.0} ns, rolled / this {:.2}", best[0] / ns);
    }
}
