//! ML-KEM-512, -768, -1024 and Kyber768, every back end, without the system's random number generator.

use core::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kyber::{
    Backend, Decapsulate, DecapsulationKey, EncapsulationKey, KeyExport, Kyber768, MlKem512,
    MlKem768, MlKem1024, ParameterSet,
};

const AVAILABLE: &str = "it is available";
const VALID: &str = "the key is valid";

fn bench(criterion: &mut Criterion) {
    parameter_set::<MlKem512>(criterion, "ml-kem-512");
    parameter_set::<MlKem768>(criterion, "ml-kem-768");
    parameter_set::<MlKem1024>(criterion, "ml-kem-1024");
    parameter_set::<Kyber768>(criterion, "kyber768");
}

fn parameter_set<P: ParameterSet>(criterion: &mut Criterion, name: &str) {
    let (seed, m) = ([7; 64].into(), [9; 32].into());
    let mut group = criterion.benchmark_group(name);
    for backend in Backend::available() {
        let generate =
            |seed| DecapsulationKey::<P>::from_seed_with_backend(backend, seed).expect(AVAILABLE);
        let parse = |encoded| {
            let key = EncapsulationKey::<P>::new_with_backend(backend, encoded);
            key.expect(AVAILABLE).expect(VALID)
        };
        let decapsulation_key = generate(seed);
        let encapsulation_key = decapsulation_key.encapsulation_key();
        let encoded = encapsulation_key.to_bytes();
        let (ciphertext, _) = encapsulation_key.encapsulate_deterministic(&m);

        group.bench_function(BenchmarkId::new(backend.name(), "keygen"), |bencher| {
            bencher.iter(|| generate(black_box(seed)).encapsulation_key().to_bytes());
        });
        group.bench_function(BenchmarkId::new(backend.name(), "encaps"), |bencher| {
            bencher.iter(|| encapsulation_key.encapsulate_deterministic(black_box(&m)));
        });
        group.bench_function(BenchmarkId::new(backend.name(), "decaps"), |bencher| {
            bencher.iter(|| decapsulation_key.decapsulate(black_box(&ciphertext)));
        });
        group.bench_function(
            BenchmarkId::new(backend.name(), "generate + decap"),
            |bencher| {
                bencher.iter(|| {
                    let key = generate(black_box(seed));
                    let encoded = key.encapsulation_key().to_bytes();
                    (encoded, key.decapsulate(black_box(&ciphertext)))
                });
            },
        );
        group.bench_function(
            BenchmarkId::new(backend.name(), "parse + encap"),
            |bencher| {
                bencher
                    .iter(|| parse(black_box(&encoded)).encapsulate_deterministic(black_box(&m)));
            },
        );
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
