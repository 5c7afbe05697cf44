//! Checks that no back end loses what its caller keeps in registers.
//!
//! A function must give some registers back as it found them; which ones, depends on the system. The compiler sees to that
//! by itself, but not inside assembly. OpenSSL's Poly1305 for AVX-512 zeroed xmm6 to xmm15 on Windows (CVE-2023-4807): its
//! tags were right, and the caller's own numbers were not. Ours for 32-bit Arm are naked functions, and one for 64-bit Arm
//! has a loop in `asm!`.
//!
//! Every back end that the CPU can run works here with a pattern in each of these registers. What stays unseen is a loss
//! that Rust code between the assembly and this program makes good, because it saves that register for its own use.

mod machine;

use core::ffi::c_void;
use core::fmt::Arguments;
use core::hint::black_box;
use core::{array, ptr};

use aead_chacha_poly::ChaCha20Poly1305;
use aead_chacha_poly::aead::AeadInOut as _;
use aes_cbc_hmac::tls::{Aes128Sha256, Opener, Sealer};
use aes_vpaes::cipher::{BlockCipherDecrypt as _, BlockCipherEncrypt as _, StreamCipher as _};
use aes_vpaes::{Aes128, Aes192, Aes256};
use chacha20_simd::ChaCha20;
use keccak_unrolled::{Digest as _, Sha3_256};
use kyber::{Decapsulate as _, DecapsulationKey, MlKem768};
use poly1305_simd::Poly1305;

use machine::{Callee, REGISTERS};

const AVAILABLE: &str = "the back end is available";

/// Around the sizes at which back ends go from one kernel to another.
const LENGTHS: [usize; 10] = [0, 1, 63, 64, 65, 255, 256, 257, 1024, LONGEST];
const LONGEST: usize = 2049;

/// Runs every back end of every crate, and returns what was wrong.
pub(crate) fn faults() -> Vec<String> {
    let mut check = Check { faults: Vec::new() };
    check.itself();
    check.aes();
    for length in LENGTHS {
        check.chacha_and_poly(length);
        check.keccak(length);
    }
    check.kyber();
    check.aes_cbc_hmac();
    check.faults
}

struct Check {
    faults: Vec<String>,
}

impl Check {
    /// A callee that keeps no register is found out to the last of them, one that does nothing is not complained of.
    fn itself(&mut self) {
        // SAFETY: all that is wrong with `zero` is what `changed` is there for, and it makes no use of its data.
        let found = unsafe { changed(machine::zero, ptr::null_mut()) };
        if found != REGISTERS {
            let (planted, found) = (REGISTERS.join(" "), found.join(" "));
            let fault = format!("of the planted fault in {planted} was found: {found}");
            self.faults.push(fault);
        }
        self.run(format_args!("no operation at all"), || ());
    }

    fn run<F: FnMut() -> R, R>(&mut self, name: Arguments<'_>, mut operation: F) {
        unsafe extern "C" fn callee<F: FnMut() -> R, R>(data: *mut c_void) {
            // SAFETY: `data` is the address of `operation`, which is used here alone.
            let operation = unsafe { &mut *data.cast::<F>() };
            black_box(operation());
        }
        // SAFETY: the address is that of an operation of the callee's type.
        let found = unsafe { changed(callee::<F, R>, (&raw mut operation).cast()) };
        if !found.is_empty() {
            let found = found.join(" ");
            let fault = format!("{name}: changed callee-saved registers: {found}");
            self.faults.push(fault);
        }
    }

    fn aes(&mut self) {
        macro_rules! key_sizes {
            ($backend:ident: $($aes:ident)*) => {$(
                let name = concat!("aes-vpaes ", stringify!($aes));
                let mut aes = None;
                self.run(format_args!("{name} {} key setup", $backend), || {
                    aes = $aes::new_with_backend($backend, &Default::default());
                });
                let aes = aes.expect(AVAILABLE);
                for count in [1, 8, 33] {
                    let mut blocks = [aes_vpaes::Block::default(); 33];
                    let blocks = &mut blocks[..count];
                    self.run(format_args!("{name} {} encrypt {count}", $backend), || {
                        aes.encrypt_blocks(blocks);
                    });
                    self.run(format_args!("{name} {} decrypt {count}", $backend), || {
                        aes.decrypt_blocks(blocks);
                    });
                }
            )*};
        }
        for backend in aes_vpaes::Backend::available() {
            key_sizes!(backend: Aes128 Aes192 Aes256);
        }
    }

    fn chacha_and_poly(&mut self, length: usize) {
        let (key, nonce) = ([7; 32].into(), Default::default());
        let data = &mut [0xff; LONGEST][..length];
        for backend in chacha20_simd::Backend::available() {
            self.run(format_args!("chacha20-simd {backend} {length}"), || {
                let cipher = ChaCha20::new_with_backend(backend, &key, &nonce);
                cipher.expect(AVAILABLE).apply_keystream(data);
            });
        }
        for backend in poly1305_simd::Backend::available() {
            self.run(format_args!("poly1305-simd {backend} {length}"), || {
                let hash = Poly1305::new_with_backend(backend, &key);
                hash.expect(AVAILABLE).compute_unpadded(data)
            });
        }
        for backend in aead_chacha_poly::Backend::available() {
            let aead = ChaCha20Poly1305::new_with_backend(backend, &key).expect(AVAILABLE);
            let mut tag = Default::default();
            self.run(
                format_args!("aead-chacha-poly {backend} seal {length}"),
                || {
                    let sealed = aead.encrypt_inout_detached(&nonce, b"more", (&mut *data).into());
                    tag = sealed.expect("the message is short enough");
                },
            );
            self.run(
                format_args!("aead-chacha-poly {backend} open {length}"),
                || {
                    let opened =
                        aead.decrypt_inout_detached(&nonce, b"more", (&mut *data).into(), &tag);
                    opened.expect("the tag is right");
                },
            );
        }
    }

    fn keccak(&mut self, length: usize) {
        let message = &[5; LONGEST][..length];
        for backend in keccak_unrolled::Backend::available() {
            self.run(format_args!("keccak-unrolled {backend} {length}"), || {
                let hash = Sha3_256::with_backend(backend).expect(AVAILABLE);
                hash.chain_update(message).finalize()
            });
            self.run(
                format_args!("keccak-unrolled {backend} 9 times {length}"),
                || {
                    let mut digests = [[0; 32]; 9];
                    Sha3_256::digest_batch_with_backend(backend, &[message; 9], &mut digests)
                        .expect(AVAILABLE);
                    digests
                },
            );
        }
    }

    fn kyber(&mut self) {
        for backend in kyber::Backend::available() {
            self.run(format_args!("kyber {backend}"), || {
                let key =
                    DecapsulationKey::<MlKem768>::from_seed_with_backend(backend, [9; 64].into());
                let key = key.expect(AVAILABLE);
                let encapsulation_key = key.encapsulation_key();
                let (ciphertext, _) = encapsulation_key.encapsulate_deterministic(&[1; 32].into());
                key.decapsulate(&ciphertext)
            });
        }
    }

    fn aes_cbc_hmac(&mut self) {
        let (key, iv, aad) = (Default::default(), [1; 16], Default::default());
        let mut record = [0; 2 * LONGEST];
        for backend in aes_cbc_hmac::Backend::available() {
            let mut length = 0;
            self.run(format_args!("aes-cbc-hmac {backend} seal"), || {
                let sealer = Sealer::<Aes128Sha256>::new_with_backend(backend, &key);
                let sealer = sealer.expect(AVAILABLE);
                let sealed = sealer.seal(&iv, &aad, &[2; LONGEST], &mut record);
                length = sealed.expect("the content is short enough");
            });
            self.run(format_args!("aes-cbc-hmac {backend} open"), || {
                let opener = Opener::<Aes128Sha256>::new_with_backend(backend, &key);
                let opener = opener.expect(AVAILABLE);
                let opened = opener.open_in_place(&iv, &aad, &mut record[..length]);
                opened.expect("the record is right").len()
            });
        }
    }
}

/// Calls with a pattern in the registers, and names those that hold something else afterwards.
///
/// # Safety
///
/// `callee` may be called with `data`, but for the registers that it changes.
unsafe fn changed(callee: Callee, data: *mut c_void) -> Vec<&'static str> {
    // Every byte is set, and each register has its own.
    let pattern: [usize; REGISTERS.len()] = array::from_fn(|i| usize::MAX / 0xff * (0x80 + i));
    let mut values = pattern;
    // SAFETY: there is a value for each register, and the caller knows that the call is right.
    unsafe { machine::call(callee, data, values.as_mut_ptr()) };
    let differs = |&i: &usize| values[i] != pattern[i];
    let indices = (0..REGISTERS.len()).filter(differs);
    indices.map(|i| REGISTERS[i]).collect()
}
