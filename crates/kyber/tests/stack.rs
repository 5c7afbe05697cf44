//! The peak stack of every operation of every parameter set.
//!
//! Each operation runs in a thread whose stack is a painted block of this test's own; what the paint has lost
//! afterwards is what the thread used, of which an empty operation and the value returned are taken off.
//! `cargo test --release -p kyber --test stack -- --nocapture` prints the table of the README.

#![cfg(all(unix, not(miri)))]

use core::{ffi::c_void, hint::black_box, mem::MaybeUninit, ptr};
use kem::common::rand_core::{TryCryptoRng, TryRng};
use kyber::{
    Decapsulate, DecapsulationKey, Encapsulate, EncapsulationKey, ExpandedKeyEncoding, KeyExport,
    Kyber512, Kyber768, Kyber1024, MlKem512, MlKem768, MlKem1024, ParameterSet, kem,
};

const STACK: usize = 512 * 1024;
const PAINT: u8 = 0xa5;

/// A page-aligned stack.
#[repr(align(65536))]
struct Stack([u8; STACK]);

extern "C" fn run(operation: *mut c_void) -> *mut c_void {
    // SAFETY: `used` passes a pointer to a `&mut dyn FnMut()` that outlives the thread.
    let operation = unsafe { &mut *operation.cast::<&mut dyn FnMut()>() };
    operation();
    ptr::null_mut()
}

/// Bytes of stack that a thread uses for the operation, with all that starting a thread takes.
fn used(mut operation: &mut dyn FnMut()) -> usize {
    let mut stack: Box<Stack> = {
        let mut stack = Box::<Stack>::new_uninit();
        // SAFETY: every byte is written.
        unsafe {
            stack.as_mut_ptr().cast::<u8>().write_bytes(PAINT, STACK);
            stack.assume_init()
        }
    };
    // SAFETY: the attributes are initialised before use; the block outlives the thread, which is joined.
    unsafe {
        let mut attributes = MaybeUninit::uninit();
        assert_eq!(libc::pthread_attr_init(attributes.as_mut_ptr()), 0);
        let mut attributes = attributes.assume_init();
        let base = ptr::from_mut(&mut *stack).cast();
        assert_eq!(libc::pthread_attr_setstack(&mut attributes, base, STACK), 0);
        let mut thread = MaybeUninit::uninit();
        let argument = ptr::from_mut(&mut operation).cast();
        assert_eq!(
            libc::pthread_create(thread.as_mut_ptr(), &attributes, run, argument),
            0
        );
        assert_eq!(libc::pthread_join(thread.assume_init(), ptr::null_mut()), 0);
        libc::pthread_attr_destroy(&mut attributes);
    }
    let painted = stack.0.iter().take_while(|&&byte| byte == PAINT).count();
    assert!(painted > 0, "the stack was too small");
    STACK - painted
}

/// Peaks of the operations in the order of the README, with the values returned.
fn measure<P: ParameterSet>() -> [usize; 6] {
    let seed = [7; 64].into();
    let dk = DecapsulationKey::<P>::from_seed(seed);
    let ek = dk.encapsulation_key();
    let (encoded, expanded) = (ek.to_bytes(), dk.to_expanded_bytes());
    let m = [9; 32].into();
    let (c, _) = ek.encapsulate_deterministic(&m);
    let operations: [&mut dyn FnMut(); 6] = [
        &mut || {
            black_box(&DecapsulationKey::<P>::from_seed(seed));
        },
        &mut || {
            black_box(&P::generate_keypair_from_rng(&mut Counter));
        },
        &mut || {
            black_box(&DecapsulationKey::<P>::from_expanded(&expanded));
        },
        &mut || {
            black_box(&EncapsulationKey::<P>::new(&encoded));
        },
        &mut || {
            black_box(&ek.encapsulate_with_rng(&mut Counter));
        },
        &mut || {
            black_box(&dk.decapsulate(&c));
        },
    ];
    let nothing = used(&mut || ());
    operations.map(|operation| used(operation) - nothing)
}

/// A generator that takes no stack.
struct Counter;
impl TryRng for Counter {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(0)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(0)
    }
    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Self::Error> {
        output.fill(3);
        Ok(())
    }
}
impl TryCryptoRng for Counter {}

/// The bound: every operation stays below 16 KiB beyond the value that it returns, but for `generate_keypair` with its
/// two keys. Debug builds copy more.
fn check<P: ParameterSet>(name: &str) {
    let peaks = measure::<P>();
    let (dk, ek) = (
        size_of::<DecapsulationKey<P>>(),
        size_of::<EncapsulationKey<P>>(),
    );
    let ciphertext = size_of::<(kyber::Ciphertext<P>, kyber::SharedKey)>();
    let returned = [dk, dk + ek, dk, ek, ciphertext, 32];
    let beyond: [usize; 6] = core::array::from_fn(|i| peaks[i].saturating_sub(returned[i]));
    println!(
        "| `{name}` | {dk} | {ek} | {} |",
        beyond.map(|peak| peak.to_string()).join(" | ")
    );
    let factor = if cfg!(debug_assertions) { 2 } else { 1 };
    for (i, peak) in beyond.into_iter().enumerate() {
        let bound = if i == 1 { 32 } else { 16 } * 1024 * factor;
        assert!(peak < bound, "{name}, operation {i}: {peak} bytes");
    }
}

#[test]
fn peak_stack() {
    println!(
        "| | size of key, dk | ek | from_seed | generate_keypair | from_expanded | new | encapsulate | decapsulate |"
    );
    check::<MlKem512>("MlKem512");
    check::<MlKem768>("MlKem768");
    check::<MlKem1024>("MlKem1024");
    check::<Kyber512>("Kyber512");
    check::<Kyber768>("Kyber768");
    check::<Kyber1024>("Kyber1024");
}
