//! AES: key setup, one block, CTR and CBC.

use std::{hint::black_box, mem::ManuallyDrop};

use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt};
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, InnerIvInit, KeyInit,
    StreamCipher, StreamCipherCoreWrapper, consts::U16,
};
use ctr::{CtrCore, flavors::Ctr128BE};

use crate::{
    data,
    suite::{Implementation, Operation, Suite},
};

/// Message lengths of the modes. CBC works on whole blocks: 1350 bytes are sent as 1360.
pub(crate) const SIZES: [usize; 5] = [16, 256, 1350, 8192, 16384];

/// One block.
pub(crate) type Block = [u8; 16];

/// The key length.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeySize {
    Bits128,
    Bits192,
    Bits256,
}

impl KeySize {
    #[cfg(any(
        feature = "aws-lc-rs",
        feature = "boring",
        all(feature = "openssl", target_os = "linux")
    ))]
    pub(crate) const ALL: [Self; 3] = [Self::Bits128, Self::Bits192, Self::Bits256];

    /// The fixed key of this length.
    pub(crate) fn key(self) -> Vec<u8> {
        let key: [u8; 32] = data::array(1);
        key[..self.bytes()].to_vec()
    }

    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Bits128 => 16,
            Self::Bits192 => 24,
            Self::Bits256 => 32,
        }
    }

    fn block_name(self) -> &'static str {
        match self {
            Self::Bits128 => "AES-128",
            Self::Bits192 => "AES-192",
            Self::Bits256 => "AES-256",
        }
    }

    fn ctr_name(self) -> &'static str {
        match self {
            Self::Bits128 => "AES-128-CTR",
            Self::Bits192 => "AES-192-CTR",
            Self::Bits256 => "AES-256-CTR",
        }
    }

    fn cbc_name(self) -> &'static str {
        match self {
            Self::Bits128 => "AES-128-CBC",
            Self::Bits192 => "AES-192-CBC",
            Self::Bits256 => "AES-256-CBC",
        }
    }
}

/// The initial counter block of CTR and initialisation vector of CBC.
pub(crate) fn iv() -> Block {
    data::array(2)
}

/// The block of the operations on one block.
fn block() -> Block {
    data::array(3)
}

/// Enters encrypting one block, in place, on the block that the call before gave: the time is the latency.
pub(crate) fn encrypt(
    suite: &mut Suite,
    who: Implementation,
    size: KeySize,
    mut encrypt: impl FnMut(&mut Block) + 'static,
) {
    let mut buffer = block();
    encrypt(&mut buffer);
    let operation = Operation::single(size.block_name(), "encrypt");
    suite.enter(
        who,
        operation,
        &buffer.clone(),
        &reference::encrypt(size, &block()),
        move || {
            encrypt(black_box(&mut buffer));
        },
    );
}

/// Enters decrypting one block, in the same way.
pub(crate) fn decrypt(
    suite: &mut Suite,
    who: Implementation,
    size: KeySize,
    mut decrypt: impl FnMut(&mut Block) + 'static,
) {
    let mut buffer = reference::encrypt(size, &block());
    decrypt(&mut buffer);
    let operation = Operation::single(size.block_name(), "decrypt");
    suite.enter(who, operation, &buffer.clone(), &block(), move || {
        decrypt(black_box(&mut buffer));
    });
}

/// Enters setting up an encryption key. `setup` leaves the key where it made it; wiping it is not measured.
///
/// The output that is checked is one block encrypted by `encrypt` under such a key.
pub(crate) fn encrypt_setup(
    suite: &mut Suite,
    who: Implementation,
    size: KeySize,
    mut encrypt: impl FnMut(&mut Block),
    mut setup: impl FnMut(&[u8]) + 'static,
) {
    let mut output = block();
    encrypt(&mut output);
    let operation = Operation::single(size.block_name(), "encrypt setup");
    let key = size.key();
    suite.enter(
        who,
        operation,
        &output,
        &reference::encrypt(size, &block()),
        move || setup(black_box(&key)),
    );
}

/// Enters setting up a decryption key, in the same way.
pub(crate) fn decrypt_setup(
    suite: &mut Suite,
    who: Implementation,
    size: KeySize,
    mut decrypt: impl FnMut(&mut Block),
    mut setup: impl FnMut(&[u8]) + 'static,
) {
    let mut output = reference::encrypt(size, &block());
    decrypt(&mut output);
    let operation = Operation::single(size.block_name(), "decrypt setup");
    let key = size.key();
    suite.enter(who, operation, &output, &block(), move || {
        setup(black_box(&key));
    });
}

/// Enters CTR in place: each call begins at the initial counter block, under a key that is set up.
pub(crate) fn ctr(
    suite: &mut Suite,
    who: Implementation,
    size: KeySize,
    bytes: usize,
    mut apply: impl FnMut(&mut [u8]) + 'static,
) {
    let operation = Operation::bulk(size.ctr_name(), "encrypt", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let mut buffer = data::message(bytes);
    apply(&mut buffer);
    suite.enter(
        who,
        operation,
        &buffer.clone(),
        &reference::ctr(size, bytes),
        move || apply(black_box(&mut buffer)),
    );
}

/// Enters CBC encryption in place, without padding: each call begins at the initialisation vector.
pub(crate) fn cbc_encrypt(
    suite: &mut Suite,
    who: Implementation,
    size: KeySize,
    bytes: usize,
    mut encrypt: impl FnMut(&mut [u8]) + 'static,
) {
    let operation = Operation::bulk(size.cbc_name(), "encrypt", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let mut buffer = data::message(whole_blocks(bytes));
    encrypt(&mut buffer);
    suite.enter(
        who,
        operation,
        &buffer.clone(),
        &reference::cbc(size, bytes),
        move || encrypt(black_box(&mut buffer)),
    );
}

/// Enters CBC decryption, in the same way.
pub(crate) fn cbc_decrypt(
    suite: &mut Suite,
    who: Implementation,
    size: KeySize,
    bytes: usize,
    mut decrypt: impl FnMut(&mut [u8]) + 'static,
) {
    let operation = Operation::bulk(size.cbc_name(), "decrypt", bytes);
    if !suite.wants(&operation) {
        return;
    }
    let mut buffer = reference::cbc(size, bytes);
    decrypt(&mut buffer);
    suite.enter(
        who,
        operation,
        &buffer.clone(),
        &data::message(whole_blocks(bytes)),
        move || {
            decrypt(black_box(&mut buffer));
        },
    );
}

fn whole_blocks(bytes: usize) -> usize {
    bytes.next_multiple_of(16)
}

/// Enters all that a type which encrypts can do; `new` sets up its key.
pub(crate) fn encryptor<C>(
    suite: &mut Suite,
    who: Implementation,
    size: KeySize,
    new: impl Fn(&[u8]) -> C + Copy + 'static,
) where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + 'static,
{
    let key = size.key();
    let one_block = || {
        let cipher = new(&key);
        move |block: &mut Block| black_box(&cipher).encrypt_block(block.into())
    };
    encrypt_setup(suite, who, size, one_block(), move |key| {
        black_box(&ManuallyDrop::new(new(key)));
    });
    encrypt(suite, who, size, one_block());
    for bytes in SIZES {
        let cipher = new(&key);
        ctr(suite, who, size, bytes, move |message| {
            apply_ctr(black_box(&cipher), message);
        });
    }
    for bytes in SIZES {
        let cipher = new(&key);
        cbc_encrypt(suite, who, size, bytes, move |message| {
            let (blocks, _) = Array::slice_as_chunks_mut(message);
            cbc::Encryptor::inner_iv_init(black_box(&cipher), &iv().into()).encrypt_blocks(blocks);
        });
    }
}

/// Enters all that a type which decrypts can do; `new` sets up its key.
pub(crate) fn decryptor<C>(
    suite: &mut Suite,
    who: Implementation,
    size: KeySize,
    new: impl Fn(&[u8]) -> C + Copy + 'static,
) where
    C: BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
{
    let key = size.key();
    let one_block = || {
        let cipher = new(&key);
        move |block: &mut Block| black_box(&cipher).decrypt_block(block.into())
    };
    decrypt_setup(suite, who, size, one_block(), move |key| {
        black_box(&ManuallyDrop::new(new(key)));
    });
    decrypt(suite, who, size, one_block());
    for bytes in SIZES {
        let cipher = new(&key);
        cbc_decrypt(suite, who, size, bytes, move |message| {
            let (blocks, _) = Array::slice_as_chunks_mut(message);
            cbc::Decryptor::inner_iv_init(black_box(&cipher), &iv().into()).decrypt_blocks(blocks);
        });
    }
}

/// CTR through the `ctr` crate. The mode borrows the cipher: neither key setup nor a copy of the key is measured.
fn apply_ctr<C>(cipher: &C, message: &mut [u8])
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>,
{
    let core = CtrCore::<&C, Ctr128BE>::inner_iv_init(cipher, &iv().into());
    StreamCipherCoreWrapper::from_core(core).apply_keystream(message);
}

/// What RustCrypto's `aes` gives.
mod reference {
    use super::*;

    /// Runs `work` on the cipher with the fixed key of this length.
    macro_rules! with_cipher {
        ($size:expr, |$cipher:ident| $work:expr) => {{
            let key = $size.key();
            const LENGTH: &str = "the key has the cipher's length";
            match $size {
                KeySize::Bits128 => {
                    let $cipher = aes::Aes128Enc::new_from_slice(&key).expect(LENGTH);
                    $work
                }
                KeySize::Bits192 => {
                    let $cipher = aes::Aes192Enc::new_from_slice(&key).expect(LENGTH);
                    $work
                }
                KeySize::Bits256 => {
                    let $cipher = aes::Aes256Enc::new_from_slice(&key).expect(LENGTH);
                    $work
                }
            }
        }};
    }

    pub(super) fn encrypt(size: KeySize, block: &Block) -> Block {
        let mut out = *block;
        with_cipher!(size, |cipher| cipher.encrypt_block((&mut out).into()));
        out
    }

    pub(super) fn ctr(size: KeySize, bytes: usize) -> Vec<u8> {
        let mut out = data::message(bytes);
        with_cipher!(size, |cipher| apply_ctr(&cipher, &mut out));
        out
    }

    pub(super) fn cbc(size: KeySize, bytes: usize) -> Vec<u8> {
        let mut out = data::message(whole_blocks(bytes));
        let (blocks, _) = Array::slice_as_chunks_mut(&mut out);
        with_cipher!(size, |cipher| {
            cbc::Encryptor::inner_iv_init(&cipher, &iv().into()).encrypt_blocks(blocks);
        });
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_is_aes() {
        // FIPS 197, appendix B.
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
        let mut block = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes();
        aes::Aes128Enc::new(&key.into()).encrypt_block((&mut block).into());
        assert_eq!(
            block,
            0x3925_841d_02dc_09fb_dc11_8597_196a_0b32_u128.to_be_bytes()
        );
    }

    #[test]
    fn cbc_takes_whole_blocks() {
        assert_eq!(SIZES.map(whole_blocks), [16, 256, 1360, 8192, 16384]);
    }
}
