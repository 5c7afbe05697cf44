//! AES-128 and AES-256: key setup, one block, CTR and CBC, every back end.

use core::{hint::black_box, mem::ManuallyDrop};

use aes_vpaes::{Aes128Dec, Aes128Enc, Aes256Dec, Aes256Enc, Backend};
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt};
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, InnerIvInit, StreamCipher,
    StreamCipherCoreWrapper, consts::U16,
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ctr::{CtrCore, flavors::Ctr128BE};

const SIZES: [usize; 5] = [16, 256, 1360, 8192, 16384];
const IV: [u8; 16] = [5; 16];
const AVAILABLE: &str = "it is available";

fn bench(criterion: &mut Criterion) {
    encrypting(criterion, "aes-128", |b| {
        Aes128Enc::new_with_backend(b, black_box(&[7; 16]).into()).expect(AVAILABLE)
    });
    decrypting(criterion, "aes-128", |b| {
        Aes128Dec::new_with_backend(b, black_box(&[7; 16]).into()).expect(AVAILABLE)
    });
    encrypting(criterion, "aes-256", |b| {
        Aes256Enc::new_with_backend(b, black_box(&[7; 32]).into()).expect(AVAILABLE)
    });
    decrypting(criterion, "aes-256", |b| {
        Aes256Dec::new_with_backend(b, black_box(&[7; 32]).into()).expect(AVAILABLE)
    });
}

fn encrypting<C>(criterion: &mut Criterion, name: &str, new: impl Fn(Backend) -> C)
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>,
{
    one_block(
        criterion,
        &format!("{name} encrypt"),
        &new,
        C::encrypt_block,
    );
    modes(
        criterion,
        &format!("{name}-ctr encrypt"),
        &new,
        |cipher, message| {
            let core = CtrCore::<&C, Ctr128BE>::inner_iv_init(cipher, &IV.into());
            StreamCipherCoreWrapper::from_core(core).apply_keystream(message);
        },
    );
    modes(
        criterion,
        &format!("{name}-cbc encrypt"),
        &new,
        |cipher, message| {
            let (blocks, _) = Array::slice_as_chunks_mut(message);
            cbc::Encryptor::inner_iv_init(cipher, &IV.into()).encrypt_blocks(blocks);
        },
    );
}

fn decrypting<C>(criterion: &mut Criterion, name: &str, new: impl Fn(Backend) -> C)
where
    C: BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
{
    one_block(
        criterion,
        &format!("{name} decrypt"),
        &new,
        C::decrypt_block,
    );
    modes(
        criterion,
        &format!("{name}-cbc decrypt"),
        &new,
        |cipher, message| {
            let (blocks, _) = Array::slice_as_chunks_mut(message);
            cbc::Decryptor::inner_iv_init(cipher, &IV.into()).decrypt_blocks(blocks);
        },
    );
}

/// Key setup (without wiping the key) and one block, chained: the time is the latency.
fn one_block<C>(
    criterion: &mut Criterion,
    name: &str,
    new: impl Fn(Backend) -> C,
    work: impl Fn(&C, &mut Array<u8, U16>),
) {
    let mut group = criterion.benchmark_group(name);
    for backend in Backend::available() {
        group.bench_function(BenchmarkId::new(backend.name(), "setup"), |bencher| {
            bencher.iter(|| {
                black_box(&ManuallyDrop::new(new(backend)));
            });
        });
        let cipher = new(backend);
        let mut block = Array::default();
        group.bench_function(BenchmarkId::new(backend.name(), "block"), |bencher| {
            bencher.iter(|| work(black_box(&cipher), black_box(&mut block)));
        });
    }
    group.finish();
}

/// A message in place under a key that is set up.
fn modes<C>(
    criterion: &mut Criterion,
    name: &str,
    new: impl Fn(Backend) -> C,
    work: impl Fn(&C, &mut [u8]),
) {
    let mut message = vec![0; SIZES[SIZES.len() - 1]];
    let mut group = criterion.benchmark_group(name);
    for backend in Backend::available() {
        let cipher = new(backend);
        for size in SIZES {
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter(|| work(black_box(&cipher), black_box(&mut message[..size])));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
