//! Cipher block chaining (NIST SP 800-38A, section 6.2) over whole blocks.

#![forbid(unsafe_code)]

use crate::wipe::wipe;
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, ParBlocks, array::Array, consts::U16,
};

/// Bytes in an AES block.
pub(crate) const BLOCK_SIZE: usize = 16;

type AesBlock = Array<u8, U16>;

/// Encrypts in place; the length must be a multiple of 16.
pub(crate) fn encrypt(
    cipher: &impl BlockCipherEncrypt<BlockSize = U16>,
    iv: &[u8; BLOCK_SIZE],
    text: &mut [u8],
) {
    let (blocks, rest) = Array::slice_as_chunks_mut(text);
    debug_assert!(rest.is_empty());
    cipher.encrypt_with_backend(Encrypt {
        chain: (*iv).into(),
        blocks,
    });
}

/// Decrypts in place; the length must be a multiple of 16.
pub(crate) fn decrypt(
    cipher: &impl BlockCipherDecrypt<BlockSize = U16>,
    iv: &[u8; BLOCK_SIZE],
    text: &mut [u8],
) {
    let (blocks, rest) = Array::slice_as_chunks_mut(text);
    debug_assert!(rest.is_empty());
    cipher.decrypt_with_backend(Decrypt {
        chain: (*iv).into(),
        blocks,
    });
}

struct Encrypt<'a> {
    chain: AesBlock,
    blocks: &'a mut [AesBlock],
}

impl BlockSizeUser for Encrypt<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Encrypt<'_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let mut chain = self.chain;
        for block in self.blocks {
            xor(&mut chain, block);
            backend.encrypt_block_inplace(&mut chain);
            *block = chain;
        }
    }
}

struct Decrypt<'a> {
    chain: AesBlock,
    blocks: &'a mut [AesBlock],
}

impl BlockSizeUser for Decrypt<'_> {
    type BlockSize = U16;
}

impl BlockCipherDecClosure for Decrypt<'_> {
    /// As many blocks at once as the back end takes: each needs the ciphertext of the one before, so the ciphertext is
    /// kept aside.
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        let mut chain = self.chain;
        let mut out = ParBlocks::<B>::default();
        let (batches, tail) = Array::slice_as_chunks_mut(self.blocks);
        for batch in batches {
            backend.decrypt_par_blocks((&*batch, &mut out).into());
            unchain(&mut chain, batch, &out);
        }
        if !tail.is_empty() {
            let out = &mut out[..tail.len()];
            out.copy_from_slice(tail);
            backend.decrypt_tail_blocks_inplace(out);
            unchain(&mut chain, tail, out);
        }
        for block in &mut out {
            wipe(block);
        }
    }
}

/// Puts the plaintext in the place of the ciphertext: `out` is what the block cipher made of that.
#[inline(always)]
fn unchain(chain: &mut AesBlock, ciphertext: &mut [AesBlock], out: &[AesBlock]) {
    for (block, out) in ciphertext.iter_mut().zip(out) {
        let next = *block;
        *block = *out;
        xor(block, chain);
        *chain = next;
    }
}

#[inline(always)]
fn xor(block: &mut AesBlock, other: &AesBlock) {
    for (byte, other) in block.iter_mut().zip(other) {
        *byte ^= other;
    }
}
