//! Published numbers, on every back end.

#[path = "common/model.rs"]
#[allow(dead_code, reason = "the sponge is for the other tests")]
mod model;

use hex_literal::hex;
use keccak_unrolled::{
    Backend, CShake128, CShake256, CTurboShake128, Digest, ExtendableOutput, Keccak224, Keccak256,
    Kmac128, Kmac256, KmacXof128, KmacXof256, Kt128, Kt256, Permutation, Sha3_224, Sha3_256,
    Sha3_384, Sha3_512, Shake128, Shake256, State1600, TurboShake128, TurboShake256, Update,
    XofReader,
};

/// The pattern of RFC 9861, section 5: 00 01 .. fa, repeated.
fn ptn(len: usize) -> Vec<u8> {
    let mut bytes = (0..=0xfa).collect::<Vec<u8>>().repeat(len.div_ceil(251));
    bytes.truncate(len);
    bytes
}

/// Whether the back end may be left out of a test of thousands of permutations: under emulators, where `cargo xtask test` sets the variable
/// `SPARSE_TESTS`, the one in use is enough.
fn spared(backend: Backend) -> bool {
    let spared = std::env::var_os("SPARSE_TESTS").is_some() && backend != Backend::detect();
    if spared {
        println!("skipped under an emulator: {backend}");
    }
    spared
}

/// `len` bytes of output after the first `skip`.
fn output(mut reader: impl XofReader, skip: usize, len: usize) -> Vec<u8> {
    let mut out = vec![0; skip + len];
    reader.read(&mut out);
    out.split_off(skip)
}

/// XKCP, KeccakF-1600-IntermediateValues.txt: the state of zeros permuted once and twice.
#[test]
fn keccak_f1600_of_the_zero_state() {
    let once = [
        0xf1258f7940e1dde7,
        0x84d5ccf933c0478a,
        0xd598261ea65aa9ee,
        0xbd1547306f80494d,
        0x8b284e056253d057,
        0xff97a42d7f8e6fd4,
        0x90fee5a0a44647c4,
        0x8c5bda0cd6192e76,
        0xad30a6f71b19059c,
        0x30935ab7d08ffc64,
        0xeb5aa93f2317d635,
        0xa9a6e6260d712103,
        0x81a57c16dbcf555f,
        0x43b831cd0347c826,
        0x01f22f1a11a5569f,
        0x05e5635a21d9ae61,
        0x64befef28cc970f2,
        0x613670957bc46611,
        0xb87c5a554fd00ecb,
        0x8c3ee88a1ccf32c8,
        0x940c7922ae3a2614,
        0x1841f924a2c509e4,
        0x16f53526e70465c2,
        0x75f644e97f30a13b,
        0xeaf1ff7b5ceca249,
    ];
    let twice = [
        0x2d5c954df96ecb3c,
        0x6a332cd07057b56d,
        0x093d8d1270d76b6c,
        0x8a20d9b25569d094,
        0x4f9c4f99e5e7f156,
        0xf957b9a2da65fb38,
        0x85773dae1275af0d,
        0xfaf4f247c3d810f7,
        0x1f1b9ee6f79a8759,
        0xe4fecc0fee98b425,
        0x68ce61b6b9ce68a1,
        0xdeea66c4ba8f974f,
        0x33c43d836eafb1f5,
        0xe00654042719dbd9,
        0x7cf8a9f009831265,
        0xfd5449a6bf174743,
        0x97ddad33d8994b40,
        0x48ead5fc5d0be774,
        0xe3b8c8ee55b7b03c,
        0x91a0226e649e42e9,
        0x900e3129e7badd7b,
        0x202a9ec5faa3cce8,
        0x5b3402464e1c3db6,
        0x609f4e62a44c1059,
        0x20d06cd26a8fbf5c,
    ];
    for backend in Backend::available() {
        let permutation = Permutation::with_backend(backend).unwrap();
        let mut state = [0; 25];
        permutation.f1600(&mut state);
        assert_eq!(state, once, "{backend}");
        permutation.f1600(&mut state);
        assert_eq!(state, twice, "{backend}");
    }
}

const STEPS: [&str; 5] = ["theta", "rho", "pi", "chi", "iota"];

/// XKCP's intermediate values, of the permutation of zeros and of that of its image: the state after each step.
fn intermediate_values() -> [[[State1600; STEPS.len()]; 24]; 2] {
    let mut lanes = include_str!("data/keccak-f1600-intermediate-values.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|plane| plane.split(' '))
        .map(|lane| u64::from_str_radix(lane, 16).unwrap());
    let values = [(); 2].map(|()| {
        [(); 24].map(|()| [(); STEPS.len()].map(|()| [(); 25].map(|()| lanes.next().unwrap())))
    });
    assert_eq!(lanes.next(), None);
    values
}

/// The model, with which back ends are compared elsewhere, step by step.
#[test]
fn model_has_the_intermediate_values() {
    let mut state = [0; 25];
    for (permutation, rounds) in intermediate_values().iter().enumerate() {
        for (round, steps) in rounds.iter().enumerate() {
            for (step, expected) in STEPS.iter().zip(steps) {
                match *step {
                    "theta" => model::theta(&mut state),
                    "rho" => model::rho(&mut state),
                    "pi" => model::pi(&mut state),
                    "chi" => model::chi(&mut state),
                    _ => model::iota(&mut state, round),
                }
                assert_eq!(
                    state, *expected,
                    "permutation {permutation}, {step} of round {round}"
                );
            }
        }
    }
}

/// Each back end from the state after each round to the end: on nine states, which are a batch of its widest kernel and one
/// by itself, those of the two permutations in turn.
#[test]
fn every_round_has_the_intermediate_values() {
    let values = intermediate_values();
    let before = |permutation: usize, round: usize| match (permutation, round) {
        (0, 0) => [0; 25],
        (_, 0) => values[0][23][4],
        _ => values[permutation][round - 1][4],
    };
    macro_rules! check {
        ($($rounds:literal)*) => {
            for backend in Backend::available() {
                let permutation = Permutation::with_backend(backend).unwrap();
                $(
                    let mut states: [_; 9] = core::array::from_fn(|i| before(i % 2, 24 - $rounds));
                    permutation.p1600_xn::<$rounds, 9>(&mut states);
                    let expected: [_; 9] = core::array::from_fn(|i| values[i % 2][23][4]);
                    assert_eq!(states, expected, "{backend}, the last {} rounds", $rounds);
                )*
            }
        };
    }
    check!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
}

macro_rules! sha3 {
    ($name:ident, $monte:ident, $hash:ident, $cases:expr, $seed:expr, $last:expr) => {
        /// NIST CAVP, `ShortMsg.rsp`: no byte, one byte, one byte less than the rate, and the rate.
        #[test]
        fn $name() {
            let cases: [(&[u8], _); 4] = $cases;
            for backend in Backend::available() {
                for (message, digest) in cases {
                    let hasher = $hash::with_backend(backend).unwrap();
                    assert_eq!(hasher.chain_update(message).finalize(), digest, "{backend}");
                }
            }
        }

        /// NIST CAVP, `Monte.rsp`, count 9: the seed hashed 10 000 times.
        #[test]
        fn $monte() {
            for backend in Backend::available().filter(|b| !spared(*b)) {
                let mut digest = $seed;
                for _ in 0..10_000 {
                    digest = $hash::with_backend(backend)
                        .unwrap()
                        .chain_update(digest)
                        .finalize()
                        .into();
                }
                assert_eq!(digest, $last, "{backend}");
            }
        }
    };
}

sha3!(
    sha3_224,
    sha3_224_monte_carlo,
    Sha3_224,
    [
        (
            &[],
            hex!("6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7")
        ),
        (
            &hex!("01"),
            hex!("488286d9d32716e5881ea1ee51f36d3660d70f0db03b3f612ce9eda4")
        ),
        (
            &hex!(
                "0eef947f1e4f01cdb5481ca6eaa25f2caca4c401612888fecef52e283748c8dfc7b47259322c1f4f"
                "985f98f6ad44c13117f51e0517c0974d6c7b78af7419bcce957b8bc1db8801c5e280312ef78d6aa4"
                "7a9cb98b866aaec3d5e26392dda6bbde3fece8a0628b30955b55f03711a8e1eb9e409a7cf84f56c8"
                "d0d0f8b9ba184c778fae90dc0f5c3329cb86dcf743bbae"
            ),
            hex!("98ec52c21cb988b1434b1653dd4ac806d118de6af1bb471c16577c34")
        ),
        (
            &hex!(
                "e65de91fdcb7606f14dbcfc94c9c94a57240a6b2c31ed410346c4dc011526559e44296fc988cc589"
                "de2dc713d0e82492d4991bd8c4c5e6c74c753fc09345225e1db8d565f0ce26f5f5d9f404a28cf00b"
                "d655a5fe04edb682942d675b86235f235965ad422ba5081a21865b8209ae81763e1c4c0cccbccdaa"
                "d539cf773413a50f5ff1267b9238f5602adc06764f775d3c"
            ),
            hex!("26ec9df54d9afe11710772bfbeccc83d9d0439d3530777c81b8ae6a3")
        ),
    ],
    hex!("3a9415d401aeb8567e6f0ecee311f4f716b39e86045c8a51383db2b6"),
    hex!("29a9d5ac6f46afe1394f3bbd74cd54999a0767e255e6f55515b49d41")
);

sha3!(
    sha3_256,
    sha3_256_monte_carlo,
    Sha3_256,
    [
        (
            &[],
            hex!("a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a")
        ),
        (
            &hex!("e9"),
            hex!("f0d04dd1e6cfc29a4460d521796852f25d9ef8d28b44ee91ff5b759d72c1e6d6")
        ),
        (
            &hex!(
                "b1f6076509938432145bb15dbe1a7b2e007934be5f753908b50fd24333455970a7429f2ffbd28bd6"
                "fe1804c4688311f318fe3fcd9f6744410243e115bcb00d7e039a4fee4c326c2d119c42abd2e8f415"
                "5a44472643704cc0bc72403b8a8ab0fd4d68e04a059d6e5ed45033b906326abb4eb4147052779bad"
                "6a03b55ca5bd8b140e131bed2dfada"
            ),
            hex!("f82d9602b231d332d902cb6436b15aef89acc591cb8626233ced20c0a6e80d7a")
        ),
        (
            &hex!(
                "56ea14d7fcb0db748ff649aaa5d0afdc2357528a9aad6076d73b2805b53d89e73681abfad26bee6c"
                "0f3d20215295f354f538ae80990d2281be6de0f6919aa9eb048c26b524f4d91ca87b54c0c54aa9b5"
                "4ad02171e8bf31e8d158a9f586e92ffce994ecce9a5185cc80364d50a6f7b94849a914242fcb73f3"
                "3a86ecc83c3403630d20650ddb8cd9c4"
            ),
            hex!("4beae3515ba35ec8cbd1d94567e22b0d7809c466abfbafe9610349597ba15b45")
        ),
    ],
    hex!("aa64f7245e2177c654eb4de360da8761a516fdc7578c3498c5e582e096b8730c"),
    hex!("bf7d7f341568aa0fbdc63e5f931185e0c6a6d522c5d86cd44cb27b1956d3a47e")
);

sha3!(
    sha3_384,
    sha3_384_monte_carlo,
    Sha3_384,
    [
        (
            &[],
            hex!(
                "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47"
                "fb6bd1e058d5f004"
            )
        ),
        (
            &hex!("80"),
            hex!(
                "7541384852e10ff10d5fb6a7213a4a6c15ccc86d8bc1068ac04f69277142944f4ee50d91fdc56553"
                "db06b2f5039c8ab7"
            )
        ),
        (
            &hex!(
                "6c36147652e71b560becbca1e7656c81b4f70bece26321d5e55e67a3db9d89e26f2f2a38fd0f289b"
                "f7fa22c2877e38d9755412794cef24d7b855303c332e0cb5e01aa50bb74844f5e345108d6811d501"
                "0978038b699ffaa370de8473f0cda38b89a28ed6cabaf6"
            ),
            hex!(
                "b1319192df11faa00d3c4b068becc8f1ba3b00e0d1ff1f93c11a3663522fdb92ab3cca389634687c"
                "632e0a4b5a26ce92"
            )
        ),
        (
            &hex!(
                "92c41d34bd249c182ad4e18e3b856770766f1757209675020d4c1cf7b6f7686c8c1472678c7c4125"
                "14e63eb9f5aee9f5c9d5cb8d8748ab7a5465059d9cbbb8a56211ff32d4aaa23a23c86ead916fe254"
                "cc6b2bff7a9553df1551b531f95bb41cbbc4acddbd372921"
            ),
            hex!(
                "71307eec1355f73e5b726ed9efa1129086af81364e30a291f684dfade693cc4bc3d6ffcb7f3b4012"
                "a21976ff9edcab61"
            )
        ),
    ],
    hex!(
        "7a00791f6f65c21f1c97c58fa3c0520cfc85cd7e3d398cf01950819fa717195065a363e77d07753647cb0c130e9972ad"
    ),
    hex!(
        "f2072c4e0efe91519abf3efaf73d9f7dfed66b55c82cf49e46f12695885e3107b0b91321b0ad984104f8530c0f11bb12"
    )
);

sha3!(
    sha3_512,
    sha3_512_monte_carlo,
    Sha3_512,
    [
        (
            &[],
            hex!(
                "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c"
                "11e3e9402c3ac558f500199d95b6d3e301758586281dcd26"
            )
        ),
        (
            &hex!("e5"),
            hex!(
                "150240baf95fb36f8ccb87a19a41767e7aed95125075a2b2dbba6e565e1ce8575f2b042b62e29a04"
                "e9440314a821c6224182964d8b557b16a492b3806f4c39c1"
            )
        ),
        (
            &hex!(
                "b0de0430c200d74bf41ea0c92f8f28e11b68006a884e0d4b0d884533ee58b38a438cc1a75750b643"
                "4f467e2d0cd9aa4052ceb793291b93ef83fd5d8620456ce1aff2941b3605a4"
            ),
            hex!(
                "9e9e469ca9226cd012f5c9cc39c96adc22f420030fcee305a0ed27974e3c802701603dac873ae447"
                "6e9c3d57e55524483fc01adaef87daa9e304078c59802757"
            )
        ),
        (
            &hex!(
                "0ce9f8c3a990c268f34efd9befdb0f7c4ef8466cfdb01171f8de70dc5fefa92acbe93d29e2ac1a5c"
                "2979129f1ab08c0e77de7924ddf68a209cdfa0adc62f85c18637d9c6b33f4ff8"
            ),
            hex!(
                "b018a20fcf831dde290e4fb18c56342efe138472cbe142da6b77eea4fce52588c04c808eb32912fa"
                "a345245a850346faec46c3a16d39bd2e1ddb1816bc57d2da"
            )
        ),
    ],
    hex!(
        "764a5511f00dbb0eaef2eb27ad58d35f74f563b88f789ff53f6cf3a47060c75ceb455444cd17b6d4"
        "38c042e0483919d249f2fd372774647d2545cbfad20b4d31"
    ),
    hex!(
        "0821ff6066756773830b396ff0ca5a3de282af3585a4cb75dc66bfd82b8b28b3431b98e82bb9123d"
        "c1a88192868232e66b8d256b3d36d3ce3925c44f1fdcc8ec"
    )
);

macro_rules! shake {
    ($name:ident, $monte:ident, $hash:ident, $cases:expr, $seed:expr, $min:expr, $max:expr, $last:expr) => {
        /// NIST CAVP, `ShortMsg.rsp` (no byte, one byte) and the longest of `VariableOut.rsp`.
        #[test]
        fn $name() {
            let cases: [(&[u8], &[u8]); 3] = $cases;
            for backend in Backend::available() {
                for (message, expected) in cases {
                    let hasher = $hash::with_backend(backend).unwrap().chain(message);
                    assert_eq!(
                        output(hasher.finalize_xof(), 0, expected.len()),
                        expected,
                        "{backend}"
                    );
                }
            }
        }

        /// NIST CAVP, `Monte.rsp`, count 9 (SHA3VS, section 6.3.3): the first 16 bytes of the output are the next
        /// message, its last two bytes choose the next length.
        #[test]
        fn $monte() {
            for backend in Backend::available().filter(|b| !spared(*b)) {
                let mut message: [u8; 16] = $seed;
                let mut out = vec![];
                let mut len = $max;
                for _ in 0..10_000 {
                    out = output(
                        $hash::with_backend(backend)
                            .unwrap()
                            .chain(message)
                            .finalize_xof(),
                        0,
                        len,
                    );
                    message = core::array::from_fn(|i| out.get(i).copied().unwrap_or(0));
                    let choice = usize::from(out[len - 2]) << 8 | usize::from(out[len - 1]);
                    len = $min + choice % ($max - $min + 1);
                }
                assert_eq!(out, $last, "{backend}");
            }
        }
    };
}

shake!(
    shake128,
    shake128_monte_carlo,
    Shake128,
    [
        (&[], &hex!("7f9c2ba4e88f827d616045507605853e")),
        (&hex!("0e"), &hex!("fa996dafaa208d72287c23bc4ed4bfd5")),
        (
            &hex!("a8ded9816defca8327c194a48a88ae4e"),
            &hex!(
                "ed7397b2215c6c412bf444b1b96fc55c531aef025c6dd13fb4ab53fcc20c91917d82c8d6710a8d7b"
                "4c24d18b54150490e98ee01b4a4b9790d1878810a8392d3fa203b066327c0c67cace3a08c57d0d30"
                "b62ba43121d8d715637884f055c55ad6689692249885dce01c96979f1a2b309943e14abb0ba8e227"
                "bceb381667579e10694bd442b99064aa88501431"
            )
        ),
    ],
    hex!("c8b310cb97efa3855434998fa81c7674"),
    16,
    140,
    hex!(
        "72372d4af041df78d083d93d55e164981b75e0b9922b14304345e4d1e454fc34c96eb03a70d3c04f"
        "b6e8c829f9fd5641043a24be92dc6b22541c0433c2e4de5c878c5f9edf30c25242bd7415"
    )
);

shake!(
    shake256,
    shake256_monte_carlo,
    Shake256,
    [
        (
            &[],
            &hex!("46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f")
        ),
        (
            &hex!("0f"),
            &hex!("aabb07488ff9edd05d6a603b7791b60a16d45093608f1badc0c9cc9a9154f215")
        ),
        (
            &hex!("dc886df3f69c49513de3627e9481db5871e8ee88eb9f99611541930a8bc885e0"),
            &hex!(
                "00648afbc5e651649db1fd82936b00dbbc122fb4c877860d385c4950d56de7e096d613d7a3f27ed8"
                "f26334b0ccc1407b41dccb23dfaa529818d1125cd5348092524366b85fabb97c6cd1e6066f459bcc"
                "566da87ec9b7ba36792d118ac39a4ccef6192bbf3a54af18e57b0c146101f6aeaa822bc4b4c9708b"
                "09f0b3bab41bcce964d999d1107bd7c27af989ebe1e104a35478df362ec4c9628f5ea29cc1164b92"
                "960d42068a59b1ddcb8875722ed59df36ea654d97b6bf39e5075121ec93f8a8ea6ee5d923997ae8a"
                "9d4c315a3d074e3ff83dfa26490f0f5b00a3cc3f110f0f761eaac885a3d1eee302014191733bf77b"
                "4d58cca49258897d6460"
            )
        ),
    ],
    hex!("48a0321b3653e4e86446d00f6a036efd"),
    2,
    250,
    hex!(
        "dc9f4de31261721f84f71dda1a5e59d9ee2d8c9d18d8f323a128bfc482e0e3c1384fe0a53cc576e3"
        "73efafd4f8a2950e6843f763b2d087c2f2b3f389fb28ae50e5c630399f88f3e3f77ef0ac698dcfae"
        "f0c67aae5dee35af1a4118dca0ea62eea3a0ad1fab6dd51169af6d2aee52e5710171fc410e827aaf"
        "8179978803f5126defb07c5dae2f7d1e07a799896f3dcbf9845fcd415edaade887fc13ed30537c51"
        "2e84de"
    )
);

/// Keccak team, ShortMsgKAT_224.txt and ShortMsgKAT_256.txt of the third round: one byte; Keccak-256 of
/// nothing, which is all over Ethereum.
#[test]
fn keccak_of_the_competition() {
    for backend in Backend::available() {
        let digest = Keccak224::with_backend(backend)
            .unwrap()
            .chain_update([0xcc])
            .finalize();
        assert_eq!(
            digest,
            hex!("a9cab59eb40a10b246290f2d6086e32e3689faf1d26b470c899f2802"),
            "{backend}"
        );
        let digest = Keccak256::with_backend(backend)
            .unwrap()
            .chain_update([0xcc])
            .finalize();
        assert_eq!(
            digest,
            hex!("eead6dbfc7340a56caedc044696a168870549a6a7f6f56961e84a54bd9970b8a"),
            "{backend}"
        );
        let digest = Keccak256::with_backend(backend).unwrap().finalize();
        assert_eq!(
            digest,
            hex!("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
            "{backend}"
        );
    }
}

/// NIST, cSHAKE_samples.pdf for SP 800-185, samples 1 to 4.
#[test]
fn cshake() {
    let samples: [(usize, &[u8], &[u8]); 2] = [
        (
            4,
            &hex!("c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5"),
            &hex!(
                "d008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd1"
                "64020e2be0560858d9c00c037e34a96937c561a74c412bb4c746469527281c8c"
            ),
        ),
        (
            200,
            &hex!("c5221d50e4f822d96a2e8881a961420f294b7b24fe3d2094baed2c6524cc166b"),
            &hex!(
                "07dc27b11e51fbac75bc7b3c1d983e8b4b85fb1defaf218912ac864302730917"
                "27f42b17ed1df63e8ec118f04b23633c1dfb1574c8fb55cb45da8e25afb092bb"
            ),
        ),
    ];
    for backend in Backend::available() {
        for (len, cshake128, cshake256) in samples {
            let hasher = CShake128::new_with_backend(backend, b"", b"Email Signature").unwrap();
            assert_eq!(
                output(hasher.chain(ptn(len)).finalize_xof(), 0, 32),
                cshake128,
                "{backend}"
            );
            let hasher = CShake256::new_with_backend(backend, b"", b"Email Signature").unwrap();
            assert_eq!(
                output(hasher.chain(ptn(len)).finalize_xof(), 0, 64),
                cshake256,
                "{backend}"
            );
        }
    }
}

/// NIST, KMAC_samples.pdf and KMACXOF_samples.pdf for SP 800-185, samples 1 to 6: the key is 40 41 .. 5f, the
/// message 00 01 .. of the length given.
#[test]
fn kmac() {
    const TAGGED: &[u8] = b"My Tagged Application";
    let key = core::array::from_fn::<u8, 32, _>(|i| 0x40 + i as u8);
    for backend in Backend::available() {
        macro_rules! sample {
            ($mac:ident, $xof:ident, $len:expr, $customization:expr, $tag:expr, $output:expr) => {
                let keyed = $mac::new_with_backend(backend, &key, $customization).unwrap();
                let mut tag = $tag;
                keyed.clone().chain(ptn($len)).finalize_variable(&mut tag);
                assert_eq!(tag, $tag, "{backend}");
                assert!(
                    keyed.chain(ptn($len)).verify_variable(&tag).is_ok(),
                    "{backend}"
                );
                let keyed = $xof::new_with_backend(backend, &key, $customization).unwrap();
                assert_eq!(
                    output(keyed.chain(ptn($len)).finalize_xof(), 0, tag.len()),
                    $output,
                    "{backend}"
                );
            };
        }
        sample!(
            Kmac128,
            KmacXof128,
            4,
            &[],
            hex!("e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"),
            hex!("cd83740bbd92ccc8cf032b1481a0f4460e7ca9dd12b08a0c4031178bacd6ec35")
        );
        sample!(
            Kmac128,
            KmacXof128,
            4,
            TAGGED,
            hex!("3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"),
            hex!("31a44527b4ed9f5c6101d11de6d26f0620aa5c341def41299657fe9df1a3b16c")
        );
        sample!(
            Kmac128,
            KmacXof128,
            200,
            TAGGED,
            hex!("1f5b4e6cca02209e0dcb5ca635b89a15e271ecc760071dfd805faa38f9729230"),
            hex!("47026c7cd793084aa0283c253ef658490c0db61438b8326fe9bddf281b83ae0f")
        );
        sample!(
            Kmac256,
            KmacXof256,
            4,
            TAGGED,
            hex!(
                "20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7f69d4cc3de9d104a"
                "351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd"
            ),
            hex!(
                "1755133f1534752aad0748f2c706fb5c784512cab835cd15676b16c0c6647fa96faa7af634a0bf8f"
                "f6df39374fa00fad9a39e322a7c92065a64eb1fb0801eb2b"
            )
        );
        sample!(
            Kmac256,
            KmacXof256,
            200,
            &[],
            hex!(
                "75358cf39e41494e949707927cee0af20a3ff553904c86b08f21cc414bcfd691589d27cf5e15369c"
                "bbff8b9a4c2eb17800855d0235ff635da82533ec6b759b69"
            ),
            hex!(
                "ff7b171f1e8a2b24683eed37830ee797538ba8dc563f6da1e667391a75edc02ca633079f81ce12a2"
                "5f45615ec89972031d18337331d24ceb8f8ca8e6a19fd98b"
            )
        );
        sample!(
            Kmac256,
            KmacXof256,
            200,
            TAGGED,
            hex!(
                "b58618f71f92e1d56c1b8c55ddd7cd188b97b4ca4d99831eb2699a837da2e4d970fbacfde50033ae"
                "a585f1a2708510c32d07880801bd182898fe476876fc8965"
            ),
            hex!(
                "d5be731c954ed7732846bb59dbe3a8e30f83e77a4bff4459f2f1c2b4ecebb8ce67ba01c62e8ab857"
                "8d2d499bd1bb276768781190020a306a97de281dcc30305d"
            )
        );
    }
}

/// RFC 9861, section 5: TurboSHAKE128 of ptn(17^i) with D = 0x1f. Length, bytes of output to skip, output.
#[test]
fn turboshake128() {
    let cases: [(usize, usize, &[u8]); 9] = [
        (
            0,
            0,
            &hex!(
                "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c3e8ccae2a4dae56c"
                "84a04c2385c03c15e8193bdf58737363321691c05462c8df"
            ),
        ),
        (
            0,
            10000,
            &hex!("a3b9b0385900ce761f22aed548e754da10a5242d62e8c658e3f3a923a7555607"),
        ),
        (
            1,
            0,
            &hex!("55cedd6f60af7bb29a4042ae832ef3f58db7299f893ebb9247247d856958daa9"),
        ),
        (
            17,
            0,
            &hex!("9c97d036a3bac819db70ede0ca554ec6e4c2a1a4ffbfd9ec269ca6a111161233"),
        ),
        (
            17_usize.pow(2),
            0,
            &hex!("96c77c279e0126f7fc07c9b07f5cdae1e0be60bdbe10620040e75d7223a624d2"),
        ),
        (
            17_usize.pow(3),
            0,
            &hex!("d4976eb56bcf118520582b709f73e1d6853e001fdaf80e1b13e0d0599d5fb372"),
        ),
        (
            17_usize.pow(4),
            0,
            &hex!("da67c7039e98bf530cf7a37830c6664e14cbab7f540f58403b1b82951318ee5c"),
        ),
        (
            17_usize.pow(5),
            0,
            &hex!("b97a906fbf83ef7c812517abf3b2d0aea0c4f60318ce11cf103925127f59eecd"),
        ),
        (
            17_usize.pow(6),
            0,
            &hex!("35cd494adeded2f25239af09a7b8ef0c4d1ca4fe2d1ac370fa63216fe7b4c2b1"),
        ),
    ];
    for backend in Backend::available() {
        for (len, skip, expected) in cases {
            if len > 100_000 && spared(backend) {
                continue;
            }
            let hasher = TurboShake128::with_backend(backend)
                .unwrap()
                .chain(ptn(len));
            assert_eq!(
                output(hasher.finalize_xof(), skip, expected.len()),
                expected,
                "{backend} {len}"
            );
        }
    }
}

/// RFC 9861, section 5: TurboSHAKE256 of ptn(17^i) with D = 0x1f. Length, bytes of output to skip, output.
#[test]
fn turboshake256() {
    let cases: [(usize, usize, &[u8]); 9] = [
        (
            0,
            0,
            &hex!(
                "367a329dafea871c7802ec67f905ae13c57695dc2c6663c61035f59a18f8e7db11edc0e12e91ea60"
                "eb6b32df06dd7f002fbafabb6e13ec1cc20d995547600db0"
            ),
        ),
        (
            0,
            10000,
            &hex!("abefa11630c661269249742685ec082f207265dccf2f43534e9c61ba0c9d1d75"),
        ),
        (
            1,
            0,
            &hex!(
                "3e1712f928f8eaf1054632b2aa0a246ed8b0c378728f60bc970410155c28820e90cc90d8a3006aa2"
                "372c5c5ea176b0682bf22bae7467ac94f74d43d39b0482e2"
            ),
        ),
        (
            17,
            0,
            &hex!(
                "b3bab0300e6a191fbe6137939835923578794ea54843f5011090fa2f3780a9e5cb22c59d78b40a0f"
                "bff9e672c0fbe0970bd2c845091c6044d687054da5d8e9c7"
            ),
        ),
        (
            17_usize.pow(2),
            0,
            &hex!(
                "66b810db8e90780424c0847372fdc95710882fde31c6df75beb9d4cd9305cfcae35e7b83e8b7e6eb"
                "4b78605880116316fe2c078a09b94ad7b8213c0a738b65c0"
            ),
        ),
        (
            17_usize.pow(3),
            0,
            &hex!(
                "c74ebc919a5b3b0dd1228185ba02d29ef442d69d3d4276a93efe0bf9a16a7dc0cd4eabadab8cd7a5"
                "edd96695f5d360abe09e2c6511a3ec397da3b76b9e1674fb"
            ),
        ),
        (
            17_usize.pow(4),
            0,
            &hex!(
                "02cc3a8897e6f4f6ccb6fd46631b1f5207b66c6de9c7b55b2d1a23134a170afdac234eaba9a77cff"
                "88c1f020b73724618c5687b362c430b248cd38647f848a1d"
            ),
        ),
        (
            17_usize.pow(5),
            0,
            &hex!(
                "add53b06543e584b5823f626996aee50fe45ed15f20243a7165485acb4aa76b4ffda75cedf6d8cdc"
                "95c332bd56f4b986b58bb17d1778bfc1b1a97545cdf4ec9f"
            ),
        ),
        (
            17_usize.pow(6),
            0,
            &hex!(
                "9e11bc59c24e73993c1484ec66358ef71db74aefd84e123f7800ba9c4853e02cfe701d9e6bb765a3"
                "04f0dc34a4ee3ba82c410f0da70e86bfbd90ea877c2d6104"
            ),
        ),
    ];
    for backend in Backend::available() {
        for (len, skip, expected) in cases {
            if len > 100_000 && spared(backend) {
                continue;
            }
            let hasher = TurboShake256::with_backend(backend)
                .unwrap()
                .chain(ptn(len));
            assert_eq!(
                output(hasher.finalize_xof(), skip, expected.len()),
                expected,
                "{backend} {len}"
            );
        }
    }
}

/// RFC 9861, section 5: TurboSHAKE with other domain separation bytes, on FF repeated.
#[test]
fn turboshake_domains() {
    for backend in Backend::available() {
        macro_rules! case {
            ($hash:ident, $ds:literal, $len:literal, $expected:expr) => {
                let hasher = $hash::<$ds>::with_backend(backend)
                    .unwrap()
                    .chain([0xff; $len]);
                assert_eq!(
                    output(hasher.finalize_xof(), 0, $expected.len()),
                    $expected,
                    "{backend} {}",
                    $ds
                );
            };
        }
        case!(
            CTurboShake128,
            0x01,
            3,
            hex!("bf323f940494e88ee1c540fe660be8a0c93f43d15ec006998462fa994eed5dab")
        );
        case!(
            CTurboShake128,
            0x06,
            1,
            hex!("8ec9c66465ed0d4a6c35d13506718d687a25cb05c74cca1e42501abd83874a67")
        );
        case!(
            CTurboShake128,
            0x07,
            3,
            hex!("b658576001cad9b1e5f399a9f77723bba05458042d68206f7252682dba3663ed")
        );
        case!(
            CTurboShake128,
            0x0b,
            7,
            hex!("8deeaa1aec47ccee569f659c21dfa8e112db3cee37b18178b2acd805b799cc37")
        );
        case!(
            CTurboShake128,
            0x30,
            1,
            hex!("553122e2135e363c3292bed2c6421fa232bab03daa07c7d6636603286506325b")
        );
        case!(
            CTurboShake128,
            0x7f,
            3,
            hex!("16274cc656d44cefd422395d0f9053bda6d28e122aba15c765e5ad0e6eaf26f9")
        );
    }
}

/// RFC 9861, section 5: KT128. The message is ptn(length), or FF repeated; the length of the customization
/// string, which is ptn of it; bytes of output to skip; output.
#[test]
fn kt128() {
    let cases: [(Message, usize, usize, &[u8]); 17] = [
        (
            Message::Ptn(0),
            0,
            0,
            &hex!(
                "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e54269c056b8c82e48"
                "276038b6d292966cc07a3d4645272e31ff38508139eb0a71"
            ),
        ),
        (
            Message::Ptn(0),
            0,
            10000,
            &hex!("e8dc563642f7228c84684c898405d3a834799158c079b12880277a1d28e2ff6d"),
        ),
        (
            Message::Ptn(1),
            0,
            0,
            &hex!("2bda92450e8b147f8a7cb629e784a058efca7cf7d8218e02d345dfaa65244a1f"),
        ),
        (
            Message::Ptn(17),
            0,
            0,
            &hex!("6bf75fa2239198db4772e36478f8e19b0f371205f6a9a93a273f51df37122888"),
        ),
        (
            Message::Ptn(17_usize.pow(2)),
            0,
            0,
            &hex!("0c315ebcdedbf61426de7dcf8fb725d1e74675d7f5327a5067f367b108ecb67c"),
        ),
        (
            Message::Ptn(17_usize.pow(3)),
            0,
            0,
            &hex!("cb552e2ec77d9910701d578b457ddf772c12e322e4ee7fe417f92c758f0d59d0"),
        ),
        (
            Message::Ptn(17_usize.pow(4)),
            0,
            0,
            &hex!("8701045e22205345ff4dda05555cbb5c3af1a771c2b89baef37db43d9998b9fe"),
        ),
        (
            Message::Ptn(17_usize.pow(5)),
            0,
            0,
            &hex!("844d610933b1b9963cbdeb5ae3b6b05cc7cbd67ceedf883eb678a0a8e0371682"),
        ),
        (
            Message::Ptn(17_usize.pow(6)),
            0,
            0,
            &hex!("3c390782a8a4e89fa6367f72feaaf13255c8d95878481d3cd8ce85f58e880af8"),
        ),
        (
            Message::Ptn(0),
            1,
            0,
            &hex!("fab658db63e94a246188bf7af69a133045f46ee984c56e3c3328caaf1aa1a583"),
        ),
        (
            Message::Ff(1),
            41,
            0,
            &hex!("d848c5068ced736f4462159b9867fd4c20b808acc3d5bc48e0b06ba0a3762ec4"),
        ),
        (
            Message::Ff(3),
            41_usize.pow(2),
            0,
            &hex!("c389e5009ae57120854c2e8c64670ac01358cf4c1baf89447a724234dc7ced74"),
        ),
        (
            Message::Ff(7),
            41_usize.pow(3),
            0,
            &hex!("75d2f86a2e644566726b4fbcfc5657b9dbcf070c7b0dca06450ab291d7443bcf"),
        ),
        (
            Message::Ptn(8191),
            0,
            0,
            &hex!("1b577636f723643e990cc7d6a659837436fd6a103626600eb8301cd1dbe553d6"),
        ),
        (
            Message::Ptn(8192),
            0,
            0,
            &hex!("48f256f6772f9edfb6a8b661ec92dc93b95ebd05a08a17b39ae3490870c926c3"),
        ),
        (
            Message::Ptn(8192),
            8189,
            0,
            &hex!("3ed12f70fb05ddb58689510ab3e4d23c6c6033849aa01e1d8c220a297fedcd0b"),
        ),
        (
            Message::Ptn(8192),
            8190,
            0,
            &hex!("6a7c1b6a5cd0d8c9ca943a4a216cc64604559a2ea45f78570a15253d67ba00ae"),
        ),
    ];
    for backend in Backend::available() {
        for (message, customization, skip, expected) in cases {
            if matches!(message, Message::Ptn(100_000..)) && spared(backend) {
                continue;
            }
            let hasher = Kt128::with_backend(backend).unwrap().chain(message.bytes());
            let reader = hasher.finalize_xof_customized(&ptn(customization));
            assert_eq!(
                output(reader, skip, expected.len()),
                expected,
                "{backend} {message:?} {customization}"
            );
        }
    }
}

/// RFC 9861, section 5: KT256. The message is ptn(length), or FF repeated; the length of the customization
/// string, which is ptn of it; bytes of output to skip; output.
#[test]
fn kt256() {
    let cases: [(Message, usize, usize, &[u8]); 17] = [
        (
            Message::Ptn(0),
            0,
            0,
            &hex!(
                "b23d2e9cea9f4904e02bec06817fc10ce38ce8e93ef4c89e6537076af8646404e3e8b68107b8833a"
                "5d30490aa33482353fd4adc7148ecb782855003aaebde4a9b0925319d8ea1e121a609821ec19efea"
                "89e6d08daee1662b69c840289f188ba860f55760b61f82114c030c97e5178449608ccd2cd2d919fc"
                "7829ff69931ac4d0"
            ),
        ),
        (
            Message::Ptn(0),
            0,
            10000,
            &hex!(
                "ad4a1d718cf950506709a4c33396139b4449041fc79a05d68da35f1e453522e056c64fe94958e708"
                "5f2964888259b9932752f3ccd855288efee5fcbb8b563069"
            ),
        ),
        (
            Message::Ptn(1),
            0,
            0,
            &hex!(
                "0d005a194085360217128cf17f91e1f71314efa5564539d444912e3437efa17f82db6f6ffe76e781"
                "eaa068bce01f2bbf81eacb983d7230f2fb02834a21b1ddd0"
            ),
        ),
        (
            Message::Ptn(17),
            0,
            0,
            &hex!(
                "1ba3c02b1fc514474f06c8979978a9056c8483f4a1b63d0dccefe3a28a2f323e1cdcca40ebf006ac"
                "76ef0397152346837b1277d3e7faa9c9653b19075098527b"
            ),
        ),
        (
            Message::Ptn(17_usize.pow(2)),
            0,
            0,
            &hex!(
                "de8ccbc63e0f133ebb4416814d4c66f691bbf8b6a61ec0a7700f836b086cb029d54f12ac7159472c"
                "72db118c35b4e6aa213c6562caaa9dcc518959e69b10f3ba"
            ),
        ),
        (
            Message::Ptn(17_usize.pow(3)),
            0,
            0,
            &hex!(
                "647efb49fe9d717500171b41e7f11bd491544443209997ce1c2530d15eb1ffbb598935ef954528ff"
                "c152b1e4d731ee2683680674365cd191d562bae753b84aa5"
            ),
        ),
        (
            Message::Ptn(17_usize.pow(4)),
            0,
            0,
            &hex!(
                "b06275d284cd1cf205bcbe57dccd3ec1ff6686e3ed15776383e1f2fa3c6ac8f08bf8a162829db1a4"
                "4b2a43ff83dd89c3cf1ceb61ede659766d5ccf817a62ba8d"
            ),
        ),
        (
            Message::Ptn(17_usize.pow(5)),
            0,
            0,
            &hex!(
                "9473831d76a4c7bf77ace45b59f1458b1673d64bcd877a7c66b2664aa6dd149e60eab71b5c2bab85"
                "8c074ded81ddce2b4022b5215935c0d4d19bf511aeeb0772"
            ),
        ),
        (
            Message::Ptn(17_usize.pow(6)),
            0,
            0,
            &hex!(
                "0652b740d78c5e1f7c8dcc1777097382768b7ff38f9a7a20f29f413bb1b3045b31a5578f568f911e"
                "09cf44746da84224a5266e96a4a535e871324e4f9c7004da"
            ),
        ),
        (
            Message::Ptn(0),
            1,
            0,
            &hex!(
                "9280f5cc39b54a5a594ec63de0bb99371e4609d44bf845c2f5b8c316d72b159811f748f23e3fabbe"
                "5c3226ec96c62186df2d33e9df74c5069ceecbb4dd10eff6"
            ),
        ),
        (
            Message::Ff(1),
            41,
            0,
            &hex!(
                "47ef96dd616f200937aa7847e34ec2feae8087e3761dc0f8c1a154f51dc9ccf845d7adbce57ff64b"
                "639722c6a1672e3bf5372d87e00aff89be97240756998853"
            ),
        ),
        (
            Message::Ff(3),
            41_usize.pow(2),
            0,
            &hex!(
                "3b48667a5051c5966c53c5d42b95de451e05584e7806e2fb765eda959074172cb438a9e91dde337c"
                "98e9c41bed94c4e0aef431d0b64ef2324f7932caa6f54969"
            ),
        ),
        (
            Message::Ff(7),
            41_usize.pow(3),
            0,
            &hex!(
                "e0911cc00025e1540831e266d94add9b98712142b80d2629e643aac4efaf5a3a30a88cbf4ac2a91a"
                "2432743054fbcc9897670e86ba8cec2fc2ace9c966369724"
            ),
        ),
        (
            Message::Ptn(8191),
            0,
            0,
            &hex!(
                "3081434d93a4108d8d8a3305b89682cebedc7ca4ea8a3ce869fbb73cbe4a58eef6f24de38ffc1705"
                "14c70e7ab2d01f03812616e863d769afb3753193ba045b20"
            ),
        ),
        (
            Message::Ptn(8192),
            0,
            0,
            &hex!(
                "c6ee8e2ad3200c018ac87aaa031cdac22121b412d07dc6e0dccbb53423747e9a1c18834d99df596c"
                "f0cf4b8dfafb7bf02d139d0c9035725adc1a01b7230a41fa"
            ),
        ),
        (
            Message::Ptn(8192),
            8189,
            0,
            &hex!(
                "74e47879f10a9c5d11bd2da7e194fe57e86378bf3c3f7448eff3c576a0f18c5caae0999979512090"
                "a7f348af4260d4de3c37f1ecaf8d2c2c96c1d16c64b12496"
            ),
        ),
        (
            Message::Ptn(8192),
            8190,
            0,
            &hex!(
                "f4b5908b929ffe01e0f79ec2f21243d41a396b2e7303a6af1d6399cd6c7a0a2dd7c4f607e8277f9c"
                "9b1cb4ab9ddc59d4b92d1fc7558441f1832c3279a4241b8b"
            ),
        ),
    ];
    for backend in Backend::available() {
        for (message, customization, skip, expected) in cases {
            if matches!(message, Message::Ptn(100_000..)) && spared(backend) {
                continue;
            }
            let hasher = Kt256::with_backend(backend).unwrap().chain(message.bytes());
            let reader = hasher.finalize_xof_customized(&ptn(customization));
            assert_eq!(
                output(reader, skip, expected.len()),
                expected,
                "{backend} {message:?} {customization}"
            );
        }
    }
}

/// A message of RFC 9861, section 5.
#[derive(Clone, Copy, Debug)]
enum Message {
    Ptn(usize),
    Ff(usize),
}

impl Message {
    fn bytes(self) -> Vec<u8> {
        match self {
            Self::Ptn(len) => ptn(len),
            Self::Ff(len) => vec![0xff; len],
        }
    }
}
