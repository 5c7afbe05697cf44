//! TLS records of AES-CBC with HMAC, every back end, with the IV of each record apart.

use core::hint::black_box;

use aes_cbc_hmac::{
    Backend,
    tls::{Aes128Sha1, Aes128Sha256, Aes256Sha1, Aes256Sha256, Opener, Sealer, Suite},
};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 5] = [16, 256, 1350, 8192, 16384];
const IV: [u8; 16] = [5; 16];
const AAD: [u8; 11] = [6; 11];
const AVAILABLE: &str = "it is available";
const ROOM: &str = "the buffer has room";

fn bench(criterion: &mut Criterion) {
    seal::<Aes128Sha1>(criterion, "aes-128-cbc-sha1 seal");
    open::<Aes128Sha1>(criterion, "aes-128-cbc-sha1 open");
    seal::<Aes256Sha1>(criterion, "aes-256-cbc-sha1 seal");
    open::<Aes256Sha1>(criterion, "aes-256-cbc-sha1 open");
    seal::<Aes128Sha256>(criterion, "aes-128-cbc-sha256 seal");
    seal::<Aes256Sha256>(criterion, "aes-256-cbc-sha256 seal");
}

fn sealer<S: Suite>(backend: Backend) -> Sealer<S> {
    Sealer::new_with_backend(backend, &Default::default()).expect(AVAILABLE)
}

/// A buffer with room for the record of a content of this length.
fn buffer<S: Suite>(size: usize) -> Vec<u8> {
    vec![0; Sealer::<S>::sealed_len(size).expect("it is short enough")]
}

fn seal<S: Suite>(criterion: &mut Criterion, name: &str) {
    let mut group = criterion.benchmark_group(name);
    for backend in Backend::available() {
        let sealer = sealer::<S>(backend);
        for size in SIZES {
            let mut buffer = buffer::<S>(size);
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter(|| {
                    let buffer = black_box(buffer.as_mut_slice());
                    sealer.seal_in_place(&IV, &AAD, buffer, size).expect(ROOM)
                });
            });
        }
    }
    group.finish();
}

/// The record that opening destroys is made anew outside the measured time.
fn open<S: Suite>(criterion: &mut Criterion, name: &str) {
    let mut group = criterion.benchmark_group(name);
    for backend in Backend::available() {
        let opener = Opener::<S>::new_with_backend(backend, &Default::default()).expect(AVAILABLE);
        for size in SIZES {
            let mut record = buffer::<S>(size);
            sealer::<S>(backend)
                .seal_in_place(&IV, &AAD, &mut record, size)
                .expect(ROOM);
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter_batched_ref(
                    || record.clone(),
                    |record| {
                        let record = black_box(record.as_mut_slice());
                        let content = opener.open_in_place(&IV, &AAD, record);
                        content.expect("the record is authentic").len()
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
