//! How the back ends compute AES, what bounds their speed, and why their time tells nothing of keys and data.
//!
//! Measured times are of AES-128 on AMD Zen 5, compiled with `--release` alone.
//!
//! # AES instructions
//!
//! `aesni`, `vaes256`, `vaes512` and `armv8_ce` have an instruction or two for a round. One block alone waits for each
//! of them: ten of four cycles and the way through memory are 11.9 ns on x86. Eight registers at once cover that wait.
//! Vectors of 256 and 512 bits have two and four blocks in each: CTR of 8 KiB takes 700 ns with `aesni`, 470 with
//! `vaes256` and 390 with `vaes512`. Kernels are compiled together with the mode of operation that calls them, inside a
//! function that has the CPU's features, so that nothing is called for a block.
//!
//! In the key schedule, SubWord is the last round's instruction on a word that stands in all four columns, which
//! ShiftRows leaves as it is. What runs from S-box to S-box is the last word of each round key: no other word waits for
//! an S-box but its own. RotWord is left out of that chain and made up for by rotating what is added to it, so that one
//! instruction a round key is left on x86: 13.5 ns for AES-128, 17.3 for AES-256.
//!
//! # Vector permutations
//!
//! `ssse3`, `avx2` and `avx512`, and `neon`, `armv7_neon` and `simd128` for a few blocks, follow M. Hamburg,
//! "Accelerating AES with Vector Permute Instructions" (CHES 2009): an instruction that picks 16 bytes from 16 looks up
//! 16 nibbles at once in a table that is in a register.
//!
//! - *Representation.* A byte is an element `i w + k` of GF(2^8) over GF(2^4), with `w^2 = a w + a`: `i` in the high
//!   nibble, `k` in the low one. All linear functions of a byte are the sum of two look-ups, and cost the same.
//! - *Inversion* takes five look-ups, of `1/x` four times and of `a/x` once, and gives two nibbles of which the inverse
//!   is a sum of two look-ups; so is every linear function of the inverse, the S-box's affine map in whatever basis
//!   among them. Infinity is a nibble with bit 7 set, whose look-up gives zero.
//! - *Rounds.* Two such sums are the S-box `s` and `3 s`; MixColumns adds them with three shuffles, since `2 s` is
//!   their sum. ShiftRows is left out: the shuffles of MixColumns and the order of bytes in the round keys make up for it,
//!   and after four rounds all is in place again. The constant of the affine map is in the round keys. In the other
//!   direction the equivalent inverse cipher has a basis of its own and four sums, of `14/x`, `11/x`, `13/x` and `9/x`.
//! - *Tables* come from the definitions of FIPS 197. Code that runs at compile time looks for the subfield and for `w`,
//!   and fills each table from products and inverses; no list of numbers is written down. They are 2 KB in all.
//! - *Round keys* are expanded in this representation, with RotWord left out of the chain as above. On the way into
//!   memory the bytes of each are put in the order that its round has, and the affine map's constant is added; for
//!   decryption a key goes through InvMixColumns into the other basis as well, which the tables do in one pass.
//!
//! *Bounds.* One block is bound by latency: eleven instructions from one state to the next, which is 22 cycles a round
//! on Zen 5, where each takes two; 24 are reached, 65 ns a block with `ssse3`, 64 with `avx2` and 62 with `avx512`.
//! Additions are written in the order in which their operands are there, since the last one counts. Many blocks are
//! bound by the ports: 27 instructions a round for a vector, 12 of them on the two ports that shuffle, which makes six
//! to seven cycles. CTR of 8 KiB takes 11.3 µs with `ssse3`, 6.9 with `avx2`, whose vectors hold two blocks, and 5.0
//! with `avx512`, with four. The key schedule is ten instructions from S-box to S-box: 50 ns, of which 45 to 50 are
//! measured.
//!
//! # Bit-slicing
//!
//! `soft` and `soft32` keep bit `k` of every byte in word `k` of eight, four blocks in words of 64 bits and two in
//! those of 32. A round is 165 operations on words, 114 of them the circuit of the S-box, and 188 in the other
//! direction. One block alone stands in all lanes, which saves the merges of MixColumns. One block takes 121 ns; 8 KiB
//! take 18.0 µs with `soft` and 33.8 with `soft32`.
//!
//! `neon`, `armv7_neon` and `simd128` do the same on vectors of 16 bytes, eight blocks at once, from six blocks on:
//! there ports for shuffles are few or slow. A round of a block, in cycles by LLVM's models of the pipelines:
//!
//! | | Cortex-A53 | Cortex-A72 |
//! |---|---|---|
//! | vector permutations, one block | 76 | 52 |
//! | vector permutations, two blocks side by side | 42 | 31 |
//! | bit-sliced, eight blocks | 27 | 14 |
//!
//! So six blocks in the place of eight are as fast as by vector permutations on the former and faster on the latter.
//! Round keys are stored for vector permutations alone. Their planes are made in each call that has enough blocks, 20
//! instructions a round, and wiped at its end.
//!
//! # Constant time
//!
//! Which instructions run, and all addresses, depend on the back end, the size of the key and the number of blocks
//! alone. A look-up is an instruction on registers, whose time does not depend on what they hold; bit-slicing has AND,
//! XOR, OR, shifts and rotations by constants. Nothing is selected by a secret mask, of which a compiler might make a
//! branch.
