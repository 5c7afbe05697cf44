//! NEON of 32-bit ARM, in assembly, since its intrinsics are not stable: `neon` of 64-bit ARM written out. The kernels obey the
//! procedure call standard and are assembled in ARM and Thumb state alike, as the crate is compiled.

mod eight;
mod one;

use super::{
    keys::{Aligned, Isa, RoundKeys, expand_inverted},
    vpaes::{
        rows::ROW_TABLES,
        tables::{KEY_TABLES, TABLES},
    },
};
use crate::{Block, wipe::wipe};
use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherEncBackend, BlockCipherEncClosure,
    BlockSizeUser, InOut, InOutBuf, ParBlocksSizeUser,
    array::Array,
    consts::{U8, U16},
};
use core::mem::MaybeUninit;
use eight::Planes;

/// Proof that this CPU has NEON.
#[derive(Clone, Copy)]
pub(crate) struct ArmV7Neon(());

impl ArmV7Neon {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        neon_detect::available().then_some(Self(()))
    }
}

/// The fewest blocks for which eight of them, some void, take less time than one by one.
const FEWEST: usize = 6;

/// Hands over all the blocks that make eights, then what remains, with void ones to make eight of it; or returns it if it
/// is too few.
fn for_each_eights<'i, 'o>(
    blocks: InOutBuf<'i, 'o, Block>,
    f: impl Fn(*const Block, *mut Block, usize),
) -> InOutBuf<'i, 'o, Block> {
    let (mut eights, mut rest) = blocks.into_chunks::<U8>();
    if !eights.is_empty() {
        let count = eights.len();
        let (input, output) = eights.reborrow().into_raw();
        f(input.cast(), output.cast(), count);
    }
    let n = rest.len();
    if n < FEWEST {
        return rest;
    }
    let mut void = Array::<Block, U8>::default();
    void[..n].copy_from_slice(rest.get_in());
    let all = void.as_mut_ptr();
    f(all, all, 1);
    rest.get_out().copy_from_slice(&void[..n]);
    wipe(void.as_flattened_mut());
    InOutBuf::from(&mut [][..])
}

/// The kernels of a direction: on one block and on many.
macro_rules! direction {
    ($one:ident, $many:ident, $kernel:ident, $basis:ident, $rows:ident, $shift_rows:ident,
     |$n:ident| $first:expr, $last:expr, $step:expr) => {
        #[inline(always)]
        fn $one(self, keys: &RoundKeys, n: usize, block: InOut<'_, '_, Block>) {
            // Not as references, since the two may be the same block.
            let (input, output) = block.into_raw();
            // SAFETY: the token proves that the CPU has NEON, and `n` is that of an `Isa`. The pointers are those of two references
            // to blocks, or of one to both.
            unsafe { one::$kernel(keys, n, input.cast(), output.cast(), &TABLES) }
        }

        #[inline(never)]
        fn $many(self, keys: &RoundKeys, $n: usize, mut blocks: InOutBuf<'_, '_, Block>) {
            if blocks.len() >= FEWEST {
                let mut planes = MaybeUninit::<Planes>::uninit();
                let planes = planes.as_mut_ptr();
                // SAFETY: the token proves that the CPU has NEON, and `$n` is that of an `Isa`. `first` and the `$n` keys after or
                // before it are those of `keys` from 0 to `$n` or from `$n + 1` to 1, of 15. `planes` are those above, which
                // nothing else refers to. All four `rows` stand at the beginning of a multiple of 64 bytes.
                unsafe {
                    let first = keys.as_ptr().add($first);
                    let (basis, rows) = (&ROW_TABLES.$basis, &ROW_TABLES.$rows);
                    eight::slice_keys(first, $n, $step, planes, basis, rows);
                    (&raw mut (*planes).last).write(keys[$last]);
                }
                blocks = for_each_eights(blocks, |input, output, count| {
                    // SAFETY: as above. `planes` are written: `slice_keys` has left out `last` alone. `for_each_eights` passes
                    // pointers to `count` eights of blocks, never none, which are the same or come of two references.
                    unsafe {
                        let shift_rows = &ROW_TABLES.$shift_rows;
                        eight::$kernel(planes, $n, input.cast(), output.cast(), count, shift_rows);
                    }
                });
                // SAFETY: as above.
                #[cfg(feature = "zeroize")]
                unsafe {
                    eight::wipe(planes, $n);
                }
            }
            for block in blocks {
                self.$one(keys, $n, block);
            }
        }
    };
}

impl ArmV7Neon {
    direction! {
        encrypt_one, encrypt_many, encrypt, output, keys, shift_rows,
        |n| 0, n + 1, 16
    }

    direction! {
        decrypt_one, decrypt_many, decrypt, inv_output, inv_keys, inv_shift_rows,
        |n| n + 1, 0, -16
    }
}

// SAFETY: `expand` and `invert` write the round keys.
unsafe impl Isa for ArmV7Neon {
    #[inline(always)]
    fn expand<const N: usize, const DECRYPT: bool>(
        self,
        key: &[u8],
        keys: &mut MaybeUninit<RoundKeys>,
    ) {
        if DECRYPT {
            return expand_inverted::<_, N>(self, key, keys);
        }
        let keys = keys.write([Aligned::ZERO; 15]);
        assert_eq!(key.len(), 4 * (N - 5));
        // SAFETY: the token proves that the CPU has NEON, `N` is that of an `Isa`, and the length of the key goes with it.
        unsafe { one::expand(key.as_ptr(), N, keys, &TABLES, &KEY_TABLES) }
    }

    #[inline(always)]
    fn invert<const N: usize>(self, from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>) {
        // SAFETY: the token proves that the CPU has NEON, and `N` is that of an `Isa`.
        unsafe { one::invert(from, to.write([Aligned::ZERO; 15]), N, &KEY_TABLES, &TABLES) }
    }

    #[inline(always)]
    fn encrypt<const N: usize>(
        self,
        keys: &RoundKeys,
        f: impl BlockCipherEncClosure<BlockSize = U16>,
    ) {
        f.call(&Backend {
            isa: self,
            keys,
            n: N,
        });
    }

    #[inline(always)]
    fn decrypt<const N: usize>(
        self,
        keys: &RoundKeys,
        f: impl BlockCipherDecClosure<BlockSize = U16>,
    ) {
        f.call(&Backend {
            isa: self,
            keys,
            n: N,
        });
    }
}

/// What modes of operation see.
struct Backend<'a> {
    isa: ArmV7Neon,
    keys: &'a RoundKeys,
    n: usize,
}

impl BlockSizeUser for Backend<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Backend<'_> {
    // As many as in `vpaes::eight`.
    type ParBlocksSize = U16;
}

impl BlockCipherEncBackend for Backend<'_> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
        self.isa.encrypt_one(self.keys, self.n, block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, Array<Block, U16>>) {
        self.isa.encrypt_many(self.keys, self.n, blocks.into_buf());
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.isa.encrypt_many(self.keys, self.n, blocks);
    }
}

impl BlockCipherDecBackend for Backend<'_> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
        self.isa.decrypt_one(self.keys, self.n, block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, Array<Block, U16>>) {
        self.isa.decrypt_many(self.keys, self.n, blocks.into_buf());
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.isa.decrypt_many(self.keys, self.n, blocks);
    }
}
