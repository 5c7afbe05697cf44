//! AES by vector permutations, after M. Hamburg, "Accelerating AES with Vector Permute Instructions" (CHES 2009): macros
//! that make the functions of a back end, each with the features and the vectors of its instruction set.
//!
//! # Representation
//!
//! An instruction that picks 16 bytes from 16 looks up 16 nibbles in a table of 16 entries, without an access to memory
//! that would depend on them. So a byte of the state is written as two elements of GF(2^4): `x = i w + k` with
//! `w^2 = a w + a`, `i` in the high nibble and `k` in the low one. A linear function of bytes is then the sum of two
//! look-ups, one of `i` and one of `k`; all of them, and products with constants, cost the same.
//!
//! # Inversion
//!
//! With the norm `n = k^2 + a i k + a i^2` is `1/x = ((k + a i) + w i) / n`. With `j = i + k`,
//!
//! ```text
//! io = 1 / (1/i + a/k) + j = n / (k + a i)
//! jo = 1 / (1/j + a/k) + i = n / (k + a j)
//! ```
//!
//! take five look-ups, of `1/x` four times and of `a/x` once, and `1/x = u + w (u + (u + v) / a) / a` with `u = 1/io`,
//! `v = 1/jo` is a sum of two look-ups; so is every linear function of `1/x`, the affine map of the S-box among them,
//! with whatever basis the result is wanted in. Infinity is 0x80: a look-up of an index with bit 7 set gives zero, which is
//! its inverse, whatever was added to its low nibble; added to itself it is the index zero, whose inverse it is again.
//!
//! # Rounds
//!
//! Two sums of two look-ups give the S-box `s` and `3 s` of every byte. MixColumns adds `3 s` one row below, `s` two rows
//! and three rows below, and in place `2 s`, which is `s + 3 s`: three shuffles. ShiftRows is left out; the indices of
//! these shuffles and the order of bytes in the round keys make up for it, and every four rounds all is in place again. The
//! constant of the affine map is in the round keys. A round is 12 look-ups and shuffles. In the equivalent inverse cipher
//! what is inverted is the basis itself: the tables take `14/x`, `11/x`, `13/x` and `9/x` to the nibbles of a byte with the
//! affine map undone; 16 look-ups and shuffles.
//!
//! # Key schedule
//!
//! Keys are expanded in the tower basis. From S-box to S-box there is no RotWord: the chain carries the last word as it
//! would be without, all rotations of RotWord so far undone, since SubWord does not mind; it is rotated on the way into
//! the keys, beside the chain.
//!
//! # Constant time
//!
//! Instructions are the same for every key and block of a size, and all addresses are fixed.
//!
//! # Bound and shapes tried, one block
//!
//! From one state to the next are eleven instructions: shift and mask, `i + k`, and four look-ups or shuffles, each with
//! the addition behind it. A look-up or shuffle takes two cycles, and on Zen 5 so does a logical operation: 22 cycles, of
//! which 24 are reached. On AMD Zen 5 (ns; the fastest of BoringSSL, AWS-LC and OpenSSL with AES instructions masked off
//! 65.9 and 85.3):
//!
//! | AES-128, one block | `ssse3` | `avx2` | `avx512` |
//! |---|---|---|---|
//! | encrypt: additions one after the other, the last of a shuffle | 69.1 | 69.1 | 66.4 |
//! | the same, the nibbles' sum in a ternary operation | | | 64.4 |
//! | additions in pairs, those of `io` first | 65.1 | 64.3 | 61.7 |
//! | decrypt: additions one after the other | 67.2 | 66.4 | 63.7 |
//! | additions in pairs | 66.9 | 65.4 | 64.0 |
//!
//! `in_order` holds the compiler to the order written: left alone, it adds what comes late too early. On Zen 4 a state
//! whose nibbles stay in two registers between rounds, 19 look-ups and no shift, was 7 % slower, M. Hamburg's chain of two
//! dependent rotations 3 %.
//!
//! # Bound and shapes tried, many blocks
//!
//! A round of a vector is 27 instructions, 12 of them on the two shuffle ports of most CPUs: 6 to 7 cycles, as on the four
//! vector ports. Eight blocks at once, because `ctr` and `cbc` do what is left over one by one: sixteen would make up to
//! fifteen single blocks of four to ten times the price. CTR, 8 KiB, AES-128: `ssse3` 11 300 ns, `avx2` 6 900,
//! `avx512` 5 000; peers 15 800 (vector permutations, two blocks), 12 800 (bit-sliced). On Zen 4, nanoseconds a block by the
//! number of vectors:
//!
//! | vectors | 1 | 2 | 3 | 4 | 8 |
//! |---|---|---|---|---|---|
//! | 128 bits | 48.2 | 32.7 | 28.6 | 26.3 | 23.4 |
//! | 256 bits | 24.1 | 16.9 | 14.7 | 13.3 | 12.0 |
//! | 512 bits | 16.5 | 12.8 | 11.4 | 10.7 | 10.5 |
//!
//! # Bound, key schedule
//!
//! From S-box to S-box are ten instructions, of two cycles each on Zen 5: 200 cycles for AES-128, 50 ns at 4 GHz; measured
//! 45 to 50 (53 to 59 for decryption, whose keys are converted beside the chain); peers 58.6 and 62.5. With all keys made in
//! another place and copied it was 50 to 51 (55 to 63).

#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "not all targets need it"
)]
pub(super) mod eight;
#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "not all targets need it"
)]
pub(super) mod generic;
#[allow(dead_code, reason = "not all targets need it")]
pub(super) mod rows;
pub(super) mod tables;

/// Operations on vectors of 16 bytes.
macro_rules! vpaes_xmm {
    ($features:ident) => {
        $features! {
            #[inline]
            fn load(bytes: &[u8; 16]) -> __m128i {
                // SAFETY: 16 bytes are read from 16.
                unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
            }

            #[inline]
            fn store(bytes: &mut [u8; 16], x: __m128i) {
                // SAFETY: 16 bytes are written to 16.
                unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), x) }
            }

            /// Loads what is the same for every block of a vector.
            #[inline]
            fn table(bytes: &Aligned) -> __m128i {
                // SAFETY: 16 bytes are read from 16, at an address divisible by 16.
                unsafe { _mm_load_si128((&raw const *bytes).cast()) }
            }

            #[inline]
            fn store_aligned(bytes: &mut Aligned, x: __m128i) {
                // SAFETY: 16 bytes are written to 16, at an address divisible by 16.
                unsafe { _mm_store_si128((&raw mut *bytes).cast(), x) }
            }

            /// Keeps the compiler from adding in another order: what comes last must be added last.
            #[inline]
            fn in_order(mut x: __m128i) -> __m128i {
                // SAFETY: no instruction.
                unsafe {
                    core::arch::asm!("/* {0} */", inout(xmm_reg) x, options(pure, nomem, nostack, preserves_flags));
                }
                x
            }

            #[inline]
            fn xor(a: __m128i, b: __m128i) -> __m128i {
                _mm_xor_si128(a, b)
            }

            #[inline]
            fn permute(x: __m128i, indices: __m128i) -> __m128i {
                _mm_shuffle_epi8(x, indices)
            }

            /// The low nibble `k` and the high nibble `i` of every byte.
            #[inline]
            fn nibbles(x: __m128i) -> [__m128i; 2] {
                let mask = table(&TABLES.nibble);
                [
                    _mm_and_si128(x, mask),
                    _mm_and_si128(_mm_srli_epi32::<4>(x), mask),
                ]
            }
        }
    };
}

/// `k`, `i` and `j = i + k` of every byte, where no instruction adds and masks at once.
macro_rules! vpaes_three_nibbles {
    ($features:ident, $vector:ty) => {
        $features! {
            #[inline]
            fn three_nibbles(x: $vector) -> [$vector; 3] {
                let [k, i] = nibbles(x);
                [k, i, xor(i, k)]
            }
        }
    };
}

/// What is made of the operations on vectors.
macro_rules! vpaes_bytes {
    ($features:ident, $vector:ty) => {
        $features! {
            #[inline]
            fn shuffle(x: $vector, indices: &Aligned) -> $vector {
                permute(x, table(indices))
            }

            #[inline]
            fn look_up(entries: &Aligned, nibbles: $vector) -> $vector {
                permute(table(entries), nibbles)
            }

            #[inline]
            fn sum(pair: &Pair, [a, b]: [$vector; 2]) -> $vector {
                xor(look_up(&pair[0], a), look_up(&pair[1], b))
            }

            /// `io` and `jo` of every byte.
            #[inline]
            fn invert_bytes(x: $vector) -> [$vector; 2] {
                let [k, i, j] = three_nibbles(x);
                let ak = look_up(&TABLES.a_by, k);
                let iak = xor(look_up(&TABLES.inverse, i), ak);
                let jak = xor(look_up(&TABLES.inverse, j), ak);
                [
                    xor(look_up(&TABLES.inverse, iak), j),
                    xor(look_up(&TABLES.inverse, jak), i),
                ]
            }
        }
    };
}

/// One block, and the key schedule.
macro_rules! vpaes_one {
    ($features:ident) => {
        $features! {
            pub(super) fn encrypt_one(keys: &RoundKeys, rounds: usize, mut block: InOut<'_, '_, Block>) {
                let t = &TABLES;
                let mut x = xor(sum(&t.input, nibbles(load(&block.get_in().0))), table(&keys[0]));
                for (r, key) in keys[..rounds].iter().enumerate().skip(1) {
                    let [io, jo] = invert_bytes(x);
                    let once = [look_up(&t.sub_bytes[0], io), look_up(&t.sub_bytes[1], jo)];
                    let thrice = [look_up(&t.sub_bytes_3[0], io), look_up(&t.sub_bytes_3[1], jo)];
                    let [below_1, below_2, below_3] = &t.mix_columns[r % 4];
                    // What comes of `io` is there earlier than what comes of `jo`.
                    let early = in_order(xor(xor(once[0], table(key)), thrice[0]));
                    let twice = in_order(xor(early, in_order(xor(once[1], thrice[1]))));
                    let once = in_order(xor(once[0], once[1]));
                    let thrice = in_order(xor(thrice[0], thrice[1]));
                    let left = in_order(xor(twice, shuffle(thrice, below_1)));
                    let right = in_order(xor(shuffle(once, below_2), shuffle(once, below_3)));
                    x = xor(left, right);
                }
                let x = sum(&t.output, invert_bytes(x));
                let x = xor(shuffle(x, &t.unshift[rounds % 4]), table(&keys[rounds]));
                store(&mut block.get_out().0, x);
            }

            pub(super) fn decrypt_one(keys: &RoundKeys, rounds: usize, mut block: InOut<'_, '_, Block>) {
                let t = &TABLES;
                let mut x = xor(
                    sum(&t.inv_input, nibbles(load(&block.get_in().0))),
                    table(&keys[rounds]),
                );
                for (r, key) in keys[..rounds].iter().rev().enumerate().take(rounds - 1) {
                    let inverse = invert_bytes(x);
                    let [below_0, below_1, below_2, below_3] = &t.inv_mix;
                    let [row_1, row_2, row_3] = &t.inv_mix_columns[(r + 1) % 4];
                    let y = in_order(xor(look_up(&below_0[0], inverse[0]), table(key)));
                    let y = in_order(xor(y, look_up(&below_0[1], inverse[1])));
                    let left = in_order(xor(y, shuffle(in_order(sum(below_1, inverse)), row_1)));
                    let right = in_order(xor(
                        shuffle(in_order(sum(below_2, inverse)), row_2),
                        shuffle(in_order(sum(below_3, inverse)), row_3),
                    ));
                    x = xor(left, right);
                }
                let x = sum(&t.inv_output, invert_bytes(x));
                let x = xor(shuffle(x, &t.unshift[rounds % 4]), table(&keys[0]));
                store(&mut block.get_out().0, x);
            }

            /// Every word plus all before it.
            #[inline]
            fn sums(x: __m128i) -> __m128i {
                let x = xor(x, _mm_slli_si128::<4>(x));
                xor(x, _mm_slli_si128::<8>(x))
            }

            /// The S-box, without its constant, on the chain of words of a key schedule.
            #[inline]
            fn sub_word(x: __m128i) -> __m128i {
                sum(&TABLES.sub_bytes, invert_bytes(x))
            }

            /// Stores a round key for round `r`, not the first or the last.
            #[inline]
            fn put<const N: usize, const DECRYPT: bool>(keys: &mut RoundKeys, r: usize, key: __m128i) {
                let t = &KEY_TABLES;
                let mut x = xor(shuffle(key, &t.shift[r % 4]), table(&t.constant));
                if DECRYPT {
                    x = invert_key::<N>(r, x);
                }
                store_aligned(&mut keys[r], x);
            }

            #[inline]
            fn put_first<const DECRYPT: bool>(keys: &mut RoundKeys, key: __m128i) {
                store_aligned(&mut keys[0], if DECRYPT { to_bytes(key) } else { key });
            }

            #[inline]
            fn put_last<const N: usize, const DECRYPT: bool>(keys: &mut RoundKeys, key: __m128i) {
                let mut x = xor(to_bytes(key), table(&KEY_TABLES.constant_bytes));
                if DECRYPT {
                    x = sum(&TABLES.inv_input, nibbles(x));
                }
                store_aligned(&mut keys[N + 1], x);
            }

            #[inline]
            fn to_bytes(key: __m128i) -> __m128i {
                sum(&KEY_TABLES.output, nibbles(key))
            }

            /// Of the round key of round `r` of encryption, not the first or the last, the one for decryption.
            #[inline]
            fn invert_key<const N: usize>(r: usize, key: __m128i) -> __m128i {
                let key = nibbles(key);
                let [row_0, row_1, row_2, row_3] = &KEY_TABLES.inv_mix_columns[r % 4][usize::from(N != 11)];
                let [below_0, below_1, below_2, below_3] = &KEY_TABLES.inv_mix;
                xor(
                    xor(shuffle(sum(below_0, key), row_0), shuffle(sum(below_1, key), row_1)),
                    xor(shuffle(sum(below_2, key), row_2), shuffle(sum(below_3, key), row_3)),
                )
            }

            pub(super) fn invert<const N: usize>(from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>) {
                let to = to.write([Aligned::ZERO; 15]);
                store_aligned(&mut to[0], to_bytes(table(&from[0])));
                for (r, (from, to)) in from[..=N].iter().zip(&mut *to).enumerate().skip(1) {
                    store_aligned(to, invert_key::<N>(r, table(from)));
                }
                let last = sum(&TABLES.inv_input, nibbles(table(&from[N + 1])));
                store_aligned(&mut to[N + 1], last);
            }

            pub(super) fn expand<const N: usize, const DECRYPT: bool>(
                key: &[u8],
                keys: &mut MaybeUninit<RoundKeys>,
            ) {
                let keys = keys.write([Aligned::ZERO; 15]);
                const LENGTH: &str = "the length of the key goes with the number of rounds";
                match N {
                    9 => expand_128::<DECRYPT>(key.try_into().expect(LENGTH), keys),
                    11 => expand_192::<DECRYPT>(key.try_into().expect(LENGTH), keys),
                    _ => expand_256::<DECRYPT>(key.try_into().expect(LENGTH), keys),
                }
            }

            #[inline]
            fn expand_128<const DECRYPT: bool>(key: &[u8; 16], keys: &mut RoundKeys) {
                let t = &KEY_TABLES;
                let mut x = sum(&TABLES.input, nibbles(load(key)));
                put_first::<DECRYPT>(keys, x);
                let mut word = shuffle(x, &t.last_word[0]);
                for r in 1..11 {
                    let z = in_order(xor(sums(x), table(&t.rcon[r])));
                    let s = sub_word(word);
                    word = xor(s, shuffle(z, &t.last_word[(40 - r) % 4]));
                    x = xor(z, shuffle(s, &t.rot_word[r % 4]));
                    if r < 10 {
                        put::<9, DECRYPT>(keys, r, x);
                    } else {
                        put_last::<9, DECRYPT>(keys, x);
                    }
                }
            }

            #[inline]
            fn expand_192<const DECRYPT: bool>(key: &[u8; 24], keys: &mut RoundKeys) {
                let t = &KEY_TABLES;
                let [a, b] = [&key[..16], &key[8..]].map(|half| half.try_into().expect("16 bytes"));
                // Words 0 to 3 of a group of six, and words 4 and 5, which stand for themselves twice.
                let mut x = sum(&TABLES.input, nibbles(load(a)));
                let mut y = _mm_shuffle_epi32::<0b11_10_11_10>(sum(&TABLES.input, nibbles(load(b))));
                let mut word = shuffle(y, &t.last_word[0]);
                for i in 0..4 {
                    if i == 0 {
                        put_first::<DECRYPT>(keys, x);
                    } else {
                        put::<11, DECRYPT>(keys, 3 * i, x);
                    }
                    let z = y;
                    (x, y, word) = next_192(x, y, word, 2 * i + 1);
                    put::<11, DECRYPT>(keys, 3 * i + 1, _mm_unpacklo_epi64(z, x));
                    put::<11, DECRYPT>(keys, 3 * i + 2, _mm_unpackhi_epi64(x, y));
                    (x, y, word) = next_192(x, y, word, 2 * i + 2);
                }
                put_last::<11, DECRYPT>(keys, x);
            }

            #[inline]
            fn next_192(x: __m128i, y: __m128i, word: __m128i, i: usize) -> (__m128i, __m128i, __m128i) {
                let t = &KEY_TABLES;
                let x = xor(sums(x), table(&t.rcon[i]));
                let y = xor(y, _mm_slli_epi64::<32>(y));
                let y = in_order(xor(y, _mm_shuffle_epi32::<0xff>(x)));
                let s = sub_word(word);
                let word = xor(s, shuffle(y, &t.last_word[(40 - i) % 4]));
                let s = shuffle(s, &t.rot_word[i % 4]);
                (xor(x, s), xor(y, s), word)
            }

            #[inline]
            fn expand_256<const DECRYPT: bool>(key: &[u8; 32], keys: &mut RoundKeys) {
                let t = &KEY_TABLES;
                let [a, b] = [&key[..16], &key[16..]].map(|half| half.try_into().expect("16 bytes"));
                let mut x = sum(&TABLES.input, nibbles(load(a)));
                let mut y = sum(&TABLES.input, nibbles(load(b)));
                put_first::<DECRYPT>(keys, x);
                put::<13, DECRYPT>(keys, 1, y);
                let mut word = shuffle(y, &t.last_word[0]);
                for i in 1..8 {
                    let z = in_order(xor(sums(x), table(&t.rcon[i])));
                    let s = sub_word(word);
                    word = xor(s, shuffle(z, &t.last_word[(40 - i) % 4]));
                    x = xor(z, shuffle(s, &t.rot_word[i % 4]));
                    if i == 7 {
                        break;
                    }
                    put::<13, DECRYPT>(keys, 2 * i, x);
                    let z = in_order(xor(sums(y), table(&t.constant)));
                    let s = sub_word(word);
                    word = xor(s, shuffle(z, &t.last_word[(40 - i) % 4]));
                    y = xor(z, shuffle(s, &t.rot_word[i % 4]));
                    put::<13, DECRYPT>(keys, 2 * i + 1, y);
                }
                put_last::<13, DECRYPT>(keys, x);
            }
        }
    };
}

/// Several blocks.
macro_rules! vpaes_many {
    ($features:ident, $one:ident, $vector:ty, $vectors:literal) => {
        $features! {
            #[inline]
            fn encrypt<const VECTORS: usize>(keys: &RoundKeys, rounds: usize, states: &mut [$vector; VECTORS]) {
                let t = &TABLES;
                for x in states.iter_mut() {
                    *x = xor(sum(&t.input, nibbles(*x)), table(&keys[0]));
                }
                for (r, key) in keys[..rounds].iter().enumerate().skip(1) {
                    let [below_1, below_2, below_3] = &t.mix_columns[r % 4];
                    for x in states.iter_mut() {
                        let inverse = invert_bytes(*x);
                        let once = sum(&t.sub_bytes, inverse);
                        let thrice = sum(&t.sub_bytes_3, inverse);
                        let y = xor(xor(once, table(key)), thrice);
                        let y = xor(y, shuffle(thrice, below_1));
                        *x = xor(xor(y, shuffle(once, below_2)), shuffle(once, below_3));
                    }
                }
                for x in states {
                    let y = sum(&t.output, invert_bytes(*x));
                    *x = xor(shuffle(y, &t.unshift[rounds % 4]), table(&keys[rounds]));
                }
            }

            #[inline]
            fn decrypt<const VECTORS: usize>(keys: &RoundKeys, rounds: usize, states: &mut [$vector; VECTORS]) {
                let t = &TABLES;
                for x in states.iter_mut() {
                    *x = xor(sum(&t.inv_input, nibbles(*x)), table(&keys[rounds]));
                }
                for (r, key) in keys[..rounds].iter().rev().enumerate().take(rounds - 1) {
                    let [below_0, below_1, below_2, below_3] = &t.inv_mix;
                    let [row_1, row_2, row_3] = &t.inv_mix_columns[(r + 1) % 4];
                    for x in states.iter_mut() {
                        let inverse = invert_bytes(*x);
                        let y = xor(sum(below_0, inverse), table(key));
                        let y = xor(y, shuffle(sum(below_1, inverse), row_1));
                        let y = xor(y, shuffle(sum(below_2, inverse), row_2));
                        *x = xor(y, shuffle(sum(below_3, inverse), row_3));
                    }
                }
                for x in states {
                    let y = sum(&t.inv_output, invert_bytes(*x));
                    *x = xor(shuffle(y, &t.unshift[rounds % 4]), table(&keys[0]));
                }
            }

            #[inline]
            fn load_blocks<const VECTORS: usize>(blocks: &Blocks) -> [$vector; VECTORS] {
                let bytes = blocks.as_flattened().as_chunks::<{ size_of::<$vector>() }>().0;
                let mut states = [load(&bytes[0]); VECTORS];
                for (x, bytes) in states.iter_mut().zip(bytes) {
                    *x = load(bytes);
                }
                states
            }

            #[inline]
            fn store_blocks<const VECTORS: usize>(blocks: &mut Blocks, states: [$vector; VECTORS]) {
                let bytes = blocks.as_flattened_mut().as_chunks_mut::<{ size_of::<$vector>() }>().0;
                for (bytes, x) in bytes.iter_mut().zip(states) {
                    store(bytes, x);
                }
            }

            fn encrypt_some<const VECTORS: usize>(keys: &RoundKeys, rounds: usize, mut blocks: InOut<'_, '_, Blocks>) {
                let mut states = load_blocks::<VECTORS>(blocks.get_in());
                encrypt(keys, rounds, &mut states);
                store_blocks(blocks.get_out(), states);
            }

            fn decrypt_some<const VECTORS: usize>(keys: &RoundKeys, rounds: usize, mut blocks: InOut<'_, '_, Blocks>) {
                let mut states = load_blocks::<VECTORS>(blocks.get_in());
                decrypt(keys, rounds, &mut states);
                store_blocks(blocks.get_out(), states);
            }

            /// Fewer blocks than go at once: one by itself, others in as few vectors as a power of two can hold them.
            fn encrypt_tail(keys: &RoundKeys, rounds: usize, mut blocks: InOutBuf<'_, '_, Block>) {
                let n = blocks.len();
                if n < 2 {
                    for block in blocks {
                        $one::encrypt_one(keys, rounds, block);
                    }
                    return;
                }
                let mut padded = Blocks::default();
                padded[..n].copy_from_slice(blocks.get_in());
                let all = InOut::from(&mut padded);
                match (n * size_of::<Block>()).div_ceil(size_of::<$vector>()) {
                    1 if $vectors > 1 => encrypt_some::<1>(keys, rounds, all),
                    2 if $vectors > 2 => encrypt_some::<2>(keys, rounds, all),
                    3 | 4 if $vectors > 4 => encrypt_some::<4>(keys, rounds, all),
                    _ => encrypt_some::<$vectors>(keys, rounds, all),
                }
                blocks.get_out().copy_from_slice(&padded[..n]);
                wipe(padded.as_flattened_mut());
            }

            /// Fewer blocks than go at once: one by itself, others in as few vectors as a power of two can hold them.
            fn decrypt_tail(keys: &RoundKeys, rounds: usize, mut blocks: InOutBuf<'_, '_, Block>) {
                let n = blocks.len();
                if n < 2 {
                    for block in blocks {
                        $one::decrypt_one(keys, rounds, block);
                    }
                    return;
                }
                let mut padded = Blocks::default();
                padded[..n].copy_from_slice(blocks.get_in());
                let all = InOut::from(&mut padded);
                match (n * size_of::<Block>()).div_ceil(size_of::<$vector>()) {
                    1 if $vectors > 1 => decrypt_some::<1>(keys, rounds, all),
                    2 if $vectors > 2 => decrypt_some::<2>(keys, rounds, all),
                    3 | 4 if $vectors > 4 => decrypt_some::<4>(keys, rounds, all),
                    _ => decrypt_some::<$vectors>(keys, rounds, all),
                }
                blocks.get_out().copy_from_slice(&padded[..n]);
                wipe(padded.as_flattened_mut());
            }
        }
    };
}

/// What the crate calls.
macro_rules! vpaes_isa {
    ($isa:ident, $one:ident, $vectors:literal) => {
        // SAFETY: `expand` and `invert` write the round keys.
        unsafe impl Isa for $isa {
            #[inline(always)]
            fn expand<const N: usize, const DECRYPT: bool>(
                self,
                key: &[u8],
                keys: &mut MaybeUninit<RoundKeys>,
            ) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { $one::expand::<N, DECRYPT>(key, keys) }
            }

            #[inline(always)]
            fn invert<const N: usize>(self, from: &RoundKeys, to: &mut MaybeUninit<RoundKeys>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { $one::invert::<N>(from, to) }
            }

            #[inline(always)]
            fn encrypt<const N: usize>(
                self,
                keys: &RoundKeys,
                f: impl BlockCipherEncClosure<BlockSize = U16>,
            ) {
                f.call(&Backend {
                    isa: self,
                    keys,
                    rounds: N + 1,
                });
            }

            #[inline(always)]
            fn decrypt<const N: usize>(
                self,
                keys: &RoundKeys,
                f: impl BlockCipherDecClosure<BlockSize = U16>,
            ) {
                f.call(&Backend {
                    isa: self,
                    keys,
                    rounds: N + 1,
                });
            }
        }

        /// What modes of operation see. Its methods are calls of functions in this crate.
        struct Backend<'a> {
            #[allow(dead_code, reason = "a proof")]
            isa: $isa,
            keys: &'a RoundKeys,
            rounds: usize,
        }

        impl BlockSizeUser for Backend<'_> {
            type BlockSize = U16;
        }

        impl ParBlocksSizeUser for Backend<'_> {
            type ParBlocksSize = U8;
        }

        impl BlockCipherEncBackend for Backend<'_> {
            #[inline(always)]
            fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { $one::encrypt_one(self.keys, self.rounds, block) }
            }

            #[inline(always)]
            fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, Blocks>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { encrypt_some::<$vectors>(self.keys, self.rounds, blocks) }
            }

            #[inline(always)]
            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { encrypt_tail(self.keys, self.rounds, blocks) }
            }
        }

        impl BlockCipherDecBackend for Backend<'_> {
            #[inline(always)]
            fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { $one::decrypt_one(self.keys, self.rounds, block) }
            }

            #[inline(always)]
            fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, Blocks>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { decrypt_some::<$vectors>(self.keys, self.rounds, blocks) }
            }

            #[inline(always)]
            fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
                // SAFETY: the token proves that the CPU has the features.
                unsafe { decrypt_tail(self.keys, self.rounds, blocks) }
            }
        }
    };
}
