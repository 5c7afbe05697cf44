//! Published numbers: the known-answer files of NIST's competition, and the accumulated hashes of C2SP/CCTV's procedure.

mod drbg;
mod model;

use drbg::Drbg;
use hex_literal::hex;
use kyber::{
    Backend, Decapsulate, DecapsulationKey, ExpandedKeyEncoding, KeyExport, Kyber512, Kyber768,
    Kyber1024, MlKem512, MlKem768, MlKem1024, ParameterSet, Seed,
};
use sha2::{Digest, Sha256};
use shake::{ExtendableOutput, Shake128, Update, XofReader};

fn seed(d: [u8; 32], z: [u8; 32]) -> Seed {
    let mut seed = Seed::default();
    seed[..32].copy_from_slice(&d);
    seed[32..].copy_from_slice(&z);
    seed
}

fn upper_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Whether this is an emulator, where `cargo xtask test` sets the variable `SPARSE_TESTS`: whole files then go through
/// the back end in use alone, and the others give the first entries.
fn sparse(backend: Backend) -> bool {
    std::env::var_os("SPARSE_TESTS").is_some() && backend != Backend::detect()
}

/// The file that NIST's PQCgenKAT writes with a hundred entries, or its beginning. Its hash, and the hash of the first
/// entry alone, which PQClean publishes. `one_draw` says whether d and z are one request to the generator or two.
fn known_answer_file<P: ParameterSet>(
    backend: Backend,
    name: &str,
    one_draw: bool,
    entries: usize,
) -> [[u8; 32]; 2] {
    let mut file = Sha256::new();
    Digest::update(&mut file, format!("# {name}\n\n"));
    let mut first = None;
    let mut seeds = Drbg::new(&core::array::from_fn(|i| i as u8));
    for count in 0..entries {
        let entry_seed = seeds.generate::<48>();
        let mut drbg = Drbg::new(&entry_seed);
        let seed = if one_draw {
            drbg.generate::<64>().into()
        } else {
            seed(drbg.generate(), drbg.generate())
        };
        let dk = DecapsulationKey::<P>::from_seed_with_backend(backend, seed).unwrap();
        let ek = dk.encapsulation_key();
        let (c, key) = ek.encapsulate_deterministic(&drbg.generate::<32>().into());
        assert_eq!(dk.decapsulate(&c), key);
        let entry = format!(
            "count = {count}\nseed = {}\npk = {}\nsk = {}\nct = {}\nss = {}\n",
            upper_hex(&entry_seed),
            upper_hex(&ek.to_bytes()),
            upper_hex(&dk.to_expanded_bytes()),
            upper_hex(&c),
            upper_hex(&key),
        );
        first.get_or_insert_with(|| Sha256::digest(&entry).into());
        Digest::update(&mut file, entry + "\n");
    }
    [file.finalize().into(), first.unwrap()]
}

macro_rules! known_answer_files {
    ($($name:ident: $set:ident, $title:literal, $one_draw:literal, $file:literal, $first:literal;)*) => {$(
        #[test]
        fn $name() {
            for backend in Backend::available() {
                let entries = if sparse(backend) { 1 } else { 100 };
                let [file, first] = known_answer_file::<$set>(backend, $title, $one_draw, entries);
                assert_eq!(first, hex!($first), "{backend}");
                assert!(entries < 100 || file == hex!($file), "{backend}");
            }
        }
    )*};
}

// The file hashes of Kyber are those of its submission package, which cloudflare/circl and Zig's library give too; the
// hashes of first entries are PQClean's `nistkat-sha256`. Those of ML-KEM files were computed with libcrux-ml-kem.
known_answer_files! {
    kyber_512_file: Kyber512, "Kyber512", false,
        "e9c2bd37133fcb40772f81559f14b1f58dccd1c816701be9ba6214d43baf4547",
        "bb0481d3325d828817900b709d23917cefbc10026fc857f098979451f67bb0ca";
    kyber_768_file: Kyber768, "Kyber768", false,
        "a1e122cad3c24bc51622e4c242d8b8acbcd3f618fee4220400605ca8f9ea02c2",
        "89e82a5bf2d4ddb2c6444e10409e6d9ca65dafbca67d1a0db2c9b54920a29172";
    kyber_1024_file: Kyber1024, "Kyber1024", false,
        "89248f2f33f7f4f7051729111f3049c409a933ec904aedadf035f30fa5646cd5",
        "5afcf2a568ad32d49b55105b032af1850f03f3888ff9e2a72f4059c58e968f60";
    ml_kem_512_file: MlKem512, "ML-KEM-512", true,
        "ba9b9f86b71dab2ff4c63593f72eb3a1a5dbeee6626fbee301b3394fdecf8629",
        "c70041a761e01cd6426fa60e9fd6a4412c2be817386c8d0f3334898082512782";
    ml_kem_768_file: MlKem768, "ML-KEM-768", true,
        "b87497154830f7b9f2b2c67041e33b1a840a4515957d07825bfdea8924a254f4",
        "5352539586b6c3df58be6158a6250aeff402bd73060b0a3de68850ac074c17c3";
    ml_kem_1024_file: MlKem1024, "ML-KEM-1024", true,
        "c8234999c771024b46ebf8aa0691e86651e96f8e2457a405cc46d939fb698127",
        "f580d851e5fb27e6876e5e203fa18be4cdbfd49e05d48fec3d3992c8f43a13e6";
}

/// C2SP/CCTV's accumulated test: SHAKE128 of the empty string gives d, z, m and a random ciphertext for each round; a
/// second SHAKE128 takes ek, dk, ct, K and the K of the random ciphertext (A), or the same without dk (B).
fn accumulated<P: ParameterSet>(backend: Backend, rounds: usize, kyber: bool) -> [[u8; 32]; 2] {
    let mut random = Shake128::default().finalize_xof();
    let mut draw = || {
        let mut bytes = [0; 32];
        random.read(&mut bytes);
        bytes
    };
    let (mut a, mut b) = (Shake128::default(), Shake128::default());
    for _ in 0..rounds {
        let seed = seed(draw(), draw());
        let m = draw();
        let mut random_c = kyber::Ciphertext::<P>::default();
        for bytes in random_c.chunks_exact_mut(32) {
            bytes.copy_from_slice(&draw());
        }
        let dk = DecapsulationKey::<P>::from_seed_with_backend(backend, seed).unwrap();
        let ek = dk.encapsulation_key();
        let (c, key) = ek.encapsulate_deterministic(&m.into());
        let mut rejected = dk.decapsulate(&random_c).to_vec();
        if kyber {
            // The hashes below come from libcrux-ml-kem, which for Kyber takes KDF(J(z || c) || H(c)). The reference
            // code of round 3 takes KDF(z || H(c)), and so do we: that is checked here, then exchanged.
            let (z, c_hash) = (&seed[32..], model::h(&[&random_c]));
            assert_eq!(rejected, model::shake256(&[z, &c_hash], 32));
            let pre_key = model::shake256(&[z, &random_c], 32);
            rejected = model::shake256(&[&pre_key, &c_hash], 32);
        }
        let ek = ek.to_bytes();
        for part in [&ek[..], &dk.to_expanded_bytes(), &c, &key, &rejected] {
            a.update(part);
        }
        for part in [&ek[..], &c, &key, &rejected] {
            b.update(part);
        }
    }
    [a, b].map(|hash| {
        let mut output = [0; 32];
        hash.finalize_xof().read(&mut output);
        output
    })
}

macro_rules! accumulated {
    ($($name:ident: $set:ident, kyber $kyber:literal, $($n:literal $a:literal $b:literal),*;)*) => {$(
        #[test]
        fn $name() {
            let largest = if cfg!(debug_assertions) { 100 } else { 10_000 };
            for backend in Backend::available().filter(|b| !sparse(*b)) {
                // The slower one for the other word size need not run as long.
                let largest = if backend == Backend::detect() { largest } else { 100 };
                $(if $n <= largest {
                    assert_eq!(accumulated::<$set>(backend, $n, $kyber), [hex!($a), hex!($b)], "{backend}, {}", $n);
                })*
            }
        }
    )*};
}

// For final FIPS 203, computed with libcrux-ml-kem; the B of ML-KEM-768 is in Go's crypto/internal/fips140/mlkem too.
// CCTV's own README has the values of the draft, which are others. Those of Kyber were computed with libcrux-ml-kem.
accumulated! {
    ml_kem_512_accumulated: MlKem512, kyber false,
        100 "449120c6e320ef3e9fbfa2316e5f2d2e1e6dd37d8ff5d086d5d2db7d42aff0a1"
            "86b1b4703b8ffef6f7f3290c6dbce4ad954498a0673ded401a94828e8c519a59",
        10000 "705dcffc87f4e67e35a09dcaa31772e86f3341bd3ccf1e78a5fef99ae6a35a13"
            "e0112db334d4240ca6feed5b0beab1318925edd4ff7d840c2ebe6d61971fc14c";
    ml_kem_768_accumulated: MlKem768, kyber false,
        100 "8d65b902f28edc683cebee2872962fd165a4d197c9e24ec74caa4470270df0b7"
            "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415",
        10000 "f959d18d3d1180121433bf0e05f11e7908cf9d03edc150b2b07cb90bef5bc1c1"
            "8a518cc63da366322a8e7a818c7a0d63483cb3528d34a4cf42f35d5ad73f22fc";
    ml_kem_1024_accumulated: MlKem1024, kyber false,
        100 "c3ffe9ebecfa479c142656cbfbc6417efa05b77e994fe538eef4daed166363df"
            "800018fec3e2723f73f1d657fe239b4d5d8782efaade297e8cd448e54cc2ac00",
        10000 "e3bf82b013307b2e9d47dde791ff6dfc82e694e6382404abdb948b908b75bad5"
            "f1a3925c9cf8538bb104c56efb2f5ecb74cc3df25087460b73f6c873e96bcb6a";
    kyber_512_accumulated: Kyber512, kyber true,
        100 "6c3e63307a1c0532d7e2486ec116c7443d24f580b71513c763dabf6c265c0f78"
            "362063e0ec819a1114f6783a8b9876cb84beab34941bb8fe7f2b53874ccd81be",
        10000 "de11bc123d2d1456b574fe5030b4a8ba6c3f54168de85fc2544c1dec52ec543c"
            "d61282b95970dddb181091efcec8a91bb6dbec608779898f50859cf63abf838a";
    kyber_768_accumulated: Kyber768, kyber true,
        100 "0031e8a6631d3948daf3512863d9c1df82da8d86f12a85f0ad235efa866be5b2"
            "4a51efae7d3eaccb77353377a692ee2a543db1ace20e8908b74ad83069ef8663",
        10000 "b6f24a9e66bd3fa217a0ca0fc59dcad2ff6265908a75fdaa90130d7d95fc77d7"
            "6e650304ec6f79c242dba8558d40ab173052d4b35af4da77dfd5027867bce4d9";
    kyber_1024_accumulated: Kyber1024, kyber true,
        100 "ad21d6a0050ae8e61172f03d738f01f18ee82e49041ef6c3f0d24725f61c0dcf"
            "8fed66278957dc82fe0b9bb0411b42396dcc5f84f85aa7b1f4edf8d9d1ba3355",
        10000 "4220498aacde54e4a5292d71ea1a0756d32164842a8542a7f541275e91287d71"
            "d8ab3238c2f7f6bc97b4177707b7af070dca0d96680d2867b9c93b468dc67cc2";
}

/// The shared key of the first entry of the known-answer files of Kyber's submission package.
#[test]
fn first_shared_keys_of_kyber() {
    fn check<P: ParameterSet>(expected: [u8; 32]) {
        let entry_seed = Drbg::new(&core::array::from_fn(|i| i as u8)).generate();
        let mut drbg = Drbg::new(&entry_seed);
        let dk = DecapsulationKey::<P>::from_seed(seed(drbg.generate(), drbg.generate()));
        let m = drbg.generate::<32>();
        let (c, key) = dk.encapsulation_key().encapsulate_deterministic(&m.into());
        assert_eq!(key, expected);
        assert_eq!(dk.decapsulate(&c), expected);
    }
    check::<Kyber512>(hex!(
        "0A6925676F24B22C286F4C81A4224CEC506C9B257D480E02E3B49F44CAA3237F"
    ));
    check::<Kyber768>(hex!(
        "914CB67FE5C38E73BF74181C0AC50428DEDF7750A98058F7D536708774535B29"
    ));
    check::<Kyber1024>(hex!(
        "B10F7394926AD3B49C5D62D5AEB531D5757538BCC0DA9E550D438F1B61BD7419"
    ));
}
