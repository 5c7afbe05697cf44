//! Hashes on a back end that is forced, for users that make their hashes themselves.

use core::cell::Cell;

use keccak_unrolled::Backend;
use keccak_unrolled::digest::{
    FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update,
    block_api::{
        Block, BlockSizeUser, Buffer, BufferKindUser, EagerHash, FixedOutputCore, UpdateCore,
    },
};

thread_local! {
    static FORCED: Cell<Backend> = const { Cell::new(Backend::soft()) };
}

/// Runs `f` with what [`Forced`] is made with in this thread, for every back end.
pub(crate) fn on_every_backend(f: impl Fn(Backend)) {
    for backend in Backend::available() {
        FORCED.set(backend);
        f(backend);
    }
}

#[derive(Clone)]
pub(crate) struct Forced<H>(H);

macro_rules! forced {
    ($($hash:ident)*) => {$(
        impl Default for Forced<keccak_unrolled::$hash> {
            fn default() -> Self {
                Self(keccak_unrolled::$hash::with_backend(FORCED.get()).expect("available"))
            }
        }
    )*};
}
forced!(Sha3_224 Sha3_256 Sha3_384 Sha3_512 Keccak256);

impl<H: Update> Update for Forced<H> {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

impl<H: OutputSizeUser> OutputSizeUser for Forced<H> {
    type OutputSize = H::OutputSize;
}

impl<H: FixedOutput> FixedOutput for Forced<H> {
    fn finalize_into(self, out: &mut Output<Self>) {
        self.0.finalize_into(out);
    }
}

impl<H: FixedOutputReset> FixedOutputReset for Forced<H> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.0.finalize_into_reset(out);
    }
}

impl<H: Reset> Reset for Forced<H> {
    fn reset(&mut self) {
        self.0.reset();
    }
}

impl<H> HashMarker for Forced<H> {}

impl<H: BlockSizeUser> BlockSizeUser for Forced<H> {
    type BlockSize = H::BlockSize;
}

impl<H: UpdateCore> UpdateCore for Forced<H> {
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.0.update_blocks(blocks);
    }
}

impl<H: BufferKindUser> BufferKindUser for Forced<H> {
    type BufferKind = H::BufferKind;
}

impl<H: FixedOutputCore> FixedOutputCore for Forced<H> {
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        self.0.finalize_fixed_core(buffer, out);
    }
}

macro_rules! eager {
    ($($hash:ident)*) => {$(
        impl EagerHash for Forced<keccak_unrolled::$hash> {
            type Core = Self;
        }
    )*};
}
eager!(Sha3_224 Sha3_256 Sha3_384 Sha3_512 Keccak256);
