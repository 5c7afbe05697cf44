//! ChaCha20-Poly1305 and XChaCha20-Poly1305, every back end, with a TLS record's 13 bytes of additional data.

use core::hint::black_box;

use aead::AeadInOut;
use aead_chacha_poly::{Backend, ChaCha20Poly1305, XChaCha20Poly1305};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 6] = [16, 64, 256, 1350, 8192, 16384];
const AAD: [u8; 13] = [5; 13];

fn bench(criterion: &mut Criterion) {
    seal(criterion, "chacha20-poly1305 seal", |backend| {
        ChaCha20Poly1305::new_with_backend(backend, &[7; 32].into()).expect("it is available")
    });
    open(criterion, "chacha20-poly1305 open", |backend| {
        ChaCha20Poly1305::new_with_backend(backend, &[7; 32].into()).expect("it is available")
    });
    seal(criterion, "xchacha20-poly1305 seal", |backend| {
        XChaCha20Poly1305::new_with_backend(backend, &[7; 32].into()).expect("it is available")
    });
}

fn seal<C: AeadInOut>(criterion: &mut Criterion, name: &str, new: impl Fn(Backend) -> C) {
    let nonce = aead::Nonce::<C>::default();
    let mut message = vec![0; SIZES[SIZES.len() - 1]];
    let mut group = criterion.benchmark_group(name);
    for backend in Backend::available() {
        let cipher = new(backend);
        for size in SIZES {
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter(|| {
                    let message = black_box(&mut message[..size]);
                    cipher
                        .encrypt_inout_detached(&nonce, &AAD, message.into())
                        .expect("it is short enough")
                });
            });
        }
    }
    group.finish();
}

/// The ciphertext that opening destroys is made anew outside the measured time.
fn open<C: AeadInOut>(criterion: &mut Criterion, name: &str, new: impl Fn(Backend) -> C) {
    let nonce = aead::Nonce::<C>::default();
    let mut group = criterion.benchmark_group(name);
    for backend in Backend::available() {
        let cipher = new(backend);
        for size in SIZES {
            let mut sealed = vec![0; size];
            let tag = cipher
                .encrypt_inout_detached(&nonce, &AAD, sealed.as_mut_slice().into())
                .expect("it is short enough");
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter_batched_ref(
                    || sealed.clone(),
                    |buffer| {
                        let buffer = black_box(buffer.as_mut_slice());
                        cipher
                            .decrypt_inout_detached(&nonce, &AAD, buffer.into(), &tag)
                            .expect("the tag is right");
                    },
                    BatchSize::SmallInput,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
