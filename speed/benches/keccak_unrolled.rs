//! Keccak-f\[1600\] on one state and on several, and the functions over it, every back end.

use core::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use keccak_unrolled::{
    Backend, Digest, ExtendableOutput, Kt128, Permutation, Sha3_256, Shake128, TurboShake128,
    Update, XofReader,
};

const SIZES: &[usize] = &[64, 1350, 16384];
/// The tree of KT128 begins at 8 KiB.
const KT128_SIZES: &[usize] = &[64, 1350, 16384, 1 << 20];
const AVAILABLE: &str = "it is available";

fn bench(criterion: &mut Criterion) {
    permutations(criterion);
    functions(criterion, "sha3-256", SIZES, |backend, message| {
        let hasher = Sha3_256::with_backend(backend).expect(AVAILABLE);
        hasher.chain_update(message).finalize().into()
    });
    functions(criterion, "shake128", SIZES, |backend, message| {
        extend(Shake128::with_backend(backend).expect(AVAILABLE), message)
    });
    functions(criterion, "turboshake128", SIZES, |backend, message| {
        extend(
            TurboShake128::with_backend(backend).expect(AVAILABLE),
            message,
        )
    });
    functions(criterion, "kt128", KT128_SIZES, |backend, message| {
        extend(Kt128::with_backend(backend).expect(AVAILABLE), message)
    });
}

/// Chained: the time is the latency.
fn permutations(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("keccak-f1600");
    for backend in Backend::available() {
        let keccak = Permutation::with_backend(backend).expect(AVAILABLE);
        let mut states = [[0; 25]; 8];
        group.bench_function(BenchmarkId::new(backend.name(), "x1"), |bencher| {
            bencher.iter(|| keccak.f1600(black_box(&mut states[0])));
        });
        let mut states = [[0; 25]; 2];
        group.bench_function(BenchmarkId::new(backend.name(), "x2"), |bencher| {
            bencher.iter(|| keccak.f1600_x2(black_box(&mut states)));
        });
        let mut states = [[0; 25]; 4];
        group.bench_function(BenchmarkId::new(backend.name(), "x4"), |bencher| {
            bencher.iter(|| keccak.f1600_x4(black_box(&mut states)));
        });
        let mut states = [[0; 25]; 8];
        group.bench_function(BenchmarkId::new(backend.name(), "x8"), |bencher| {
            bencher.iter(|| keccak.f1600_x8(black_box(&mut states)));
        });
    }
    group.finish();
}

/// A message in one piece, to 32 bytes.
fn functions(
    criterion: &mut Criterion,
    name: &str,
    sizes: &[usize],
    hash: impl Fn(Backend, &[u8]) -> [u8; 32],
) {
    let mut group = criterion.benchmark_group(name);
    for backend in Backend::available() {
        for &size in sizes {
            let message = vec![0; size];
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter(|| hash(backend, black_box(&message)));
            });
        }
    }
    group.finish();
}

fn extend<X: ExtendableOutput + Update>(mut hasher: X, message: &[u8]) -> [u8; 32] {
    let mut output = [0; 32];
    hasher.update(message);
    hasher.finalize_xof().read(&mut output);
    output
}

criterion_group!(benches, bench);
criterion_main!(benches);
