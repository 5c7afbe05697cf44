//! No powers of r stay on the stack below a caller. Kernels of builds with assertions have other frames, for which nothing
//! is promised.

#![cfg(all(feature = "zeroize", not(debug_assertions)))]

mod model;

use core::{hint::black_box, mem::MaybeUninit};
use model::Residue;
use poly1305_simd::{Backend, Poly1305};

/// What is on the stack after `work`, below the frame that it was called from.
fn stack_after(work: impl FnOnce()) -> Vec<u8> {
    const SIZE: usize = 32 << 10;
    #[inline(never)]
    fn paint() {
        black_box(&mut [0_u8; SIZE]);
    }
    #[inline(never)]
    fn call(work: impl FnOnce()) {
        work();
        black_box(());
    }
    #[inline(never)]
    fn read() -> Vec<u8> {
        let mut stack = MaybeUninit::<[u8; SIZE]>::uninit();
        let start = black_box(&mut stack).as_ptr().cast::<u8>();
        // SAFETY: within the array; volatile, so that the bytes are those that are there, whatever they are.
        (0..SIZE)
            .map(|i| unsafe { start.add(i).read_volatile() })
            .collect()
    }
    paint();
    call(work);
    read()
}

/// Of the powers of r, in limbs of 26 or of 44 bits, or in words.
#[test]
fn no_powers_stay_on_the_stack() {
    let key: [u8; 32] = core::array::from_fn(|i| (i as u8).wrapping_mul(89) ^ 0x5c);
    let r = model::split_key(&key).0;
    let mut power = r;
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for _ in 2..=32 {
        power = power.mul(r);
        let (low, high) = power.split();
        let bits = |at: u32, size: u32| {
            let above = if at == 0 {
                0
            } else {
                u128::from(high) << (128 - at)
            };
            (low >> at | above) as u64 & (u64::MAX >> (64 - size))
        };
        small.extend([0, 26, 52, 78, 104].map(|at| bits(at, 26) as u32));
        large.extend([
            bits(0, 44),
            bits(44, 44),
            bits(88, 42),
            bits(0, 64),
            bits(64, 64),
        ]);
    }
    assert_ne!(power, Residue::new(0, 0));
    for backend in Backend::available() {
        for blocks in [8, 16, 24, 32, 100] {
            let message = vec![0xa5; 16 * blocks + 5];
            let stack = stack_after(|| {
                let hash = Poly1305::new_with_backend(backend, &key.into()).unwrap();
                black_box(hash.compute_unpadded(&message));
            });
            // An address may look like a limb; a power has several.
            let words = stack
                .as_chunks()
                .0
                .iter()
                .map(|word| u64::from_le_bytes(*word));
            let large = words.filter(|word| large.contains(word)).count();
            let words = stack
                .as_chunks()
                .0
                .iter()
                .map(|word| u32::from_le_bytes(*word));
            let small = words.filter(|word| small.contains(word)).count();
            assert!(
                large + small < 3,
                "{backend}, {blocks} blocks: {large}, {small}"
            );
        }
    }
}
