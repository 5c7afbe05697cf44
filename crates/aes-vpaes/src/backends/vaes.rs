//! AES instructions on several blocks in a vector: what `vaes256` and `vaes512` have in common.
//!
//! Round keys and single blocks are those of `aesni`.

/// The functions of a back end and its [`Isa`](super::keys::Isa), for a module that has the operations on its vectors:
/// `load`, `store`, `table`, `xor` and the four instructions. `$blocks` go in a vector, and four vectors at once.
macro_rules! vaes {
    ($isa:ident, $features:ident, $vector:ty, $blocks:ty, $par_blocks:ty) => {
        use super::{
            aesni,
            keys::{Isa, RoundKeys},
        };
        #[cfg(feature = "hazmat")]
        use super::bitslice::hazmat::Step;
        use crate::Block;
        use core::mem::MaybeUninit;
        use cipher::{
            BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend,
            BlockCipherEncClosure, BlockSizeUser, InOut, InOutBuf, ParBlocksSizeUser,
            array::{Array, ArraySize},
            consts::U16,
        };

        $features! {
            #[inline]
            fn encrypt<const N: usize, B: ArraySize, const VECTORS: usize>(
                keys: &RoundKeys,
                mut blocks: InOut<'_, '_, Array<Block, B>>,
            ) {
                let mut states = load_blocks::<B, VECTORS>(blocks.get_in());
                let key = table(&keys[0]);
                for x in &mut states {
                    *x = xor(*x, key);
                }
                for key in &keys[1..=N] {
                    let key = table(key);
                    for x in &mut states {
                        *x = aesenc(*x, key);
                    }
                }
                let key = table(&keys[N + 1]);
                for x in &mut states {
                    *x = aesenclast(*x, key);
                }
                store_blocks(blocks.get_out(), states);
            }

            #[inline]
            fn decrypt<const N: usize, B: ArraySize, const VECTORS: usize>(
                keys: &RoundKeys,
                mut blocks: InOut<'_, '_, Array<Block, B>>,
            ) {
                let mut states = load_blocks::<B, VECTORS>(blocks.get_in());
                let key = table(&keys[N + 1]);
                for x in &mut states {
                    *x = xor(*x, key);
                }
                for key in keys[1..=N].iter().rev() {
                    let key = table(key);
                    for x in &mut states {
                        *x = aesdec(*x, key);
                    }
                }
                let key = table(&keys[0]);
                for x in &mut states {
                    *x = aesdeclast(*x, key);
                }
                store_blocks(blocks.get_out(), states);
            }

            #[inline]
            fn load_blocks<B: ArraySize, const VECTORS: usize>(blocks: &Array<Block, B>) -> [$vector; VECTORS] {
                let bytes = blocks.as_flattened().as_chunks::<{ size_of::<$vector>() }>().0;
                let mut states = [load(&bytes[0]); VECTORS];
                for (x, bytes) in states.iter_mut().zip(bytes) {
                    *x = load(bytes);
                }
                states
            }

            #[inline]
            fn store_blocks<B: ArraySize, const VECTORS: usize>(
                blocks: &mut Array<Block, B>,
                states: [$vector; VECTORS],
            ) {
                let bytes = blocks.as_flattened_mut().as_chunks_mut::<{ size_of::<$vector>() }>().0;
                for (bytes, x) in bytes.iter_mut().zip(states) {
                    store(bytes, x);
                }
            }

            #[inline]
            fn encrypt_tail<const N: usize>(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
                let (vectors, rest) = blocks.into_chunks::<$blocks>();
                for blocks in vectors {
                    encrypt::<N, $blocks, 1>(keys, blocks);
                }
                for block in rest {
                    aesni::encrypt_one::<N>(keys, block);
                }
            }

            #[inline]
            fn decrypt_tail<const N: usize>(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
                let (vectors, rest) = blocks.into_chunks::<$blocks>();
                for blocks in vectors {
                    decrypt::<N, $blocks, 1>(keys, blocks);
                }
                for block in rest {
                    aesni::decrypt_one::<N>(keys, block);
                }
            }

            fn encrypt_with<const N: usize>(
                isa: $isa,
                keys: &RoundKeys,
                f: impl BlockCipherEncClosure<BlockSize = U16>,
            ) {
                f.call(&Backend::<N> { isa, keys });
            }

            fn decrypt_with<const N: usize>(
                isa: $isa,
                keys: &RoundKeys,
                f: impl BlockCipherDecClosure<BlockSize = U16>,
            ) {
                f.call(&Backend::<N> { isa, keys });
            }
        }

        // SAFETY: `aesni` writes them.
        unsafe impl Isa for $isa {
            #[inline(always)]
            fn expand<const N: usize, const DECRYPT: bool>(
                self,
                key: &[u8],
                keys: &mut MaybeUninit<RoundKeys>,
            ) {
                self.aesni().expand::<N, DECRYPT>(key, keys);
            }

            #[inline(always)]
            fn invert<const N: usize>(self, from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>) {
                self.aesni().invert::<N>(from, to);
            }

            #[inline(always)]
            fn encrypt<const N: usize>(
                self,
                keys: &RoundKeys,
                f: impl BlockCipherEncClosure<BlockSize = U16>,
            ) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { encrypt_with::<N>(self, keys, f) }
            }

            #[inline(always)]
            fn decrypt<const N: usize>(
                self,
                keys: &RoundKeys,
                f: impl BlockCipherDecClosure<BlockSize = U16>,
            ) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { decrypt_with::<N>(self, keys, f) }
            }

            #[cfg(feature = "hazmat")]
            fn step<S: Step>(self, blocks: &mut [Block]) {
                self.aesni().step::<S>(blocks);
            }
        }

        /// What modes of operation see, inlined as with `aesni`.
        struct Backend<'a, const N: usize> {
            #[allow(dead_code, reason = "a proof")]
            isa: $isa,
            keys: &'a RoundKeys,
        }

        impl<const N: usize> BlockSizeUser for Backend<'_, N> {
            type BlockSize = U16;
        }

        impl<const N: usize> ParBlocksSizeUser for Backend<'_, N> {
            type ParBlocksSize = $par_blocks;
        }

        impl<const N: usize> BlockCipherEncBackend for Backend<'_, N> {
            #[inline(always)]
            fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { aesni::encrypt_one::<N>(self.keys, block) }
            }

            #[inline(always)]
            fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, Array<Block, $par_blocks>>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { encrypt::<N, $par_blocks, VECTORS>(self.keys, blocks) }
            }

            #[inline(always)]
            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { encrypt_tail::<N>(self.keys, blocks) }
            }
        }

        impl<const N: usize> BlockCipherDecBackend for Backend<'_, N> {
            #[inline(always)]
            fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { aesni::decrypt_one::<N>(self.keys, block) }
            }

            #[inline(always)]
            fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, Array<Block, $par_blocks>>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { decrypt::<N, $par_blocks, VECTORS>(self.keys, blocks) }
            }

            #[inline(always)]
            fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { decrypt_tail::<N>(self.keys, blocks) }
            }
        }
    };
}
