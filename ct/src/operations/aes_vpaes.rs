//! AES: keys and blocks are secret.

use aes_vpaes::cipher::{BlockCipherDecrypt as _, BlockCipherEncrypt as _};
use aes_vpaes::{
    Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc, Aes256, Aes256Dec, Aes256Enc,
    Backend, Block, hazmat,
};

use super::Operation;
use crate::probe::Probe;

const CRATE: &str = "aes-vpaes";
const AVAILABLE: &str = "the back end is available";

/// One block; as many as a portable back end takes at once, 4; and around what the others take, 8, 16 and 32, so that
/// every kernel and every way to a tail is reached.
const BLOCKS: [usize; 6] = [1, 4, 7, 9, 31, MOST];
const MOST: usize = 33;

pub(super) fn add(operations: &mut Vec<Operation>) {
    for backend in Backend::available() {
        let mut add = |name: String, body: Box<dyn Fn(&mut Probe)>| {
            operations.push(Operation::new(CRATE, backend.name(), name, body));
        };
        macro_rules! key_size {
            ($name:literal, $size:literal, $both:ident, $enc:ident, $dec:ident) => {
                add(
                    concat!($name, " key setup").to_owned(),
                    Box::new(move |probe| {
                        let key = probe.secret::<$size>().into();
                        probe.watch(|| drop($both::new_with_backend(backend, &key)));
                    }),
                );
                add(
                    concat!($name, " key setup, one direction each").to_owned(),
                    Box::new(move |probe| {
                        let key = probe.secret::<$size>().into();
                        probe.watch(|| {
                            let enc = $enc::new_with_backend(backend, &key).expect(AVAILABLE);
                            drop($dec::new_with_backend(backend, &key));
                            drop($dec::from(&enc));
                            drop($both::from(enc));
                        });
                    }),
                );
                for count in BLOCKS {
                    add(
                        format!(concat!($name, " encrypt {}"), blocks_text(count)),
                        Box::new(move |probe| {
                            let key = probe.secret::<$size>().into();
                            let mut blocks = blocks(probe);
                            let cipher = $both::new_with_backend(backend, &key).expect(AVAILABLE);
                            probe.watch(|| cipher.encrypt_blocks(&mut blocks[..count]));
                        }),
                    );
                    add(
                        format!(concat!($name, " decrypt {}"), blocks_text(count)),
                        Box::new(move |probe| {
                            let key = probe.secret::<$size>().into();
                            let mut blocks = blocks(probe);
                            let cipher = $both::new_with_backend(backend, &key).expect(AVAILABLE);
                            probe.watch(|| cipher.decrypt_blocks(&mut blocks[..count]));
                        }),
                    );
                }
            };
        }
        key_size!("AES-128", 16, Aes128, Aes128Enc, Aes128Dec);
        key_size!("AES-192", 24, Aes192, Aes192Enc, Aes192Dec);
        key_size!("AES-256", 32, Aes256, Aes256Enc, Aes256Dec);
    }
    operations.push(Operation::new(
        CRATE,
        Backend::detect().name(),
        "rounds one by one",
        rounds,
    ));
}

fn blocks_text(count: usize) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} block{s}")
}

/// As many secret blocks as the longest operation takes.
fn blocks(probe: &mut Probe) -> [Block; MOST] {
    std::array::from_fn(|_| probe.secret::<16>().into())
}

/// The functions of `hazmat`, which take the back end that the crate would choose.
fn rounds(probe: &mut Probe) {
    let [key, mut block]: [Block; 2] = std::array::from_fn(|_| probe.secret::<16>().into());
    let keys: hazmat::Block8 = std::array::from_fn::<Block, 8, _>(|_| probe.secret().into()).into();
    let mut blocks = keys;
    probe.watch(|| {
        hazmat::cipher_round(&mut block, &key);
        hazmat::equiv_inv_cipher_round(&mut block, &key);
        hazmat::mix_columns(&mut block);
        hazmat::inv_mix_columns(&mut block);
        hazmat::cipher_round_par(&mut blocks, &keys);
        hazmat::equiv_inv_cipher_round_par(&mut blocks, &keys);
    });
}
