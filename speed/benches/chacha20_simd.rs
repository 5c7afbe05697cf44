//! ChaCha20 and XChaCha20, every back end.

use core::hint::black_box;

use chacha20_simd::{Backend, ChaCha20, XChaCha20};
use cipher::StreamCipher;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 6] = [16, 64, 256, 1350, 8192, 16384];

fn bench(criterion: &mut Criterion) {
    let key = [7; 32];
    let mut message = vec![0; SIZES[SIZES.len() - 1]];

    let mut group = criterion.benchmark_group("chacha20");
    for backend in Backend::available() {
        for size in SIZES {
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter(|| {
                    let cipher = ChaCha20::new_with_backend(
                        backend,
                        black_box(&key).into(),
                        &[9; 12].into(),
                    );
                    cipher
                        .expect("it is available")
                        .apply_keystream(black_box(&mut message[..size]));
                });
            });
        }
    }
    group.finish();

    let mut group = criterion.benchmark_group("xchacha20");
    for backend in Backend::available() {
        for size in SIZES {
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter(|| {
                    let cipher = XChaCha20::new_with_backend(
                        backend,
                        black_box(&key).into(),
                        &[9; 24].into(),
                    );
                    cipher
                        .expect("it is available")
                        .apply_keystream(black_box(&mut message[..size]));
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
