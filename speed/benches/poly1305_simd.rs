//! Poly1305, every back end.

use core::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use poly1305_simd::{Backend, Poly1305};

const SIZES: [usize; 6] = [16, 64, 256, 1350, 8192, 16384];

fn bench(criterion: &mut Criterion) {
    let key = [7; 32];
    let message = vec![0; SIZES[SIZES.len() - 1]];

    let mut group = criterion.benchmark_group("poly1305");
    for backend in Backend::available() {
        for size in SIZES {
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter(|| {
                    let mac = Poly1305::new_with_backend(backend, black_box(&key).into());
                    mac.expect("it is available")
                        .compute_unpadded(black_box(&message[..size]))
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
