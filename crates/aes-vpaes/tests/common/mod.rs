//! A slow AES, byte by byte, written after FIPS 197 alone; and what the test files share.

#![allow(dead_code, unreachable_pub, reason = "no test file uses all of it")]

use aes_vpaes::{
    Backend, Block,
    cipher::{
        BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncClosure, BlockCipherEncrypt,
        BlockSizeUser, Key, KeyInit, KeySizeUser,
    },
};
use core::cell::Cell;
use std::sync::LazyLock;

/// Runs `test` with every back end, and says which ones this CPU cannot run.
pub fn for_each_backend(mut test: impl FnMut(Backend)) {
    for &backend in Backend::ALL {
        if backend.is_available() {
            test(backend);
        } else {
            println!("skipped: {backend}");
        }
    }
}

/// Reproducible bytes (xorshift64* by S. Vigna).
pub struct Random(pub u64);

impl Random {
    pub fn byte(&mut self) -> u8 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 56) as u8
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| self.byte())
    }

    pub fn blocks(&mut self, n: usize) -> Vec<Block> {
        (0..n).map(|_| Block::from(self.bytes())).collect()
    }
}

/// Section 4.2: multiplication in GF(2^8).
pub fn mul(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = if a & 0x80 == 0 { a << 1 } else { a << 1 ^ 0x1b };
        b >>= 1;
    }
    product
}

/// The inverse as the power 254, zero for zero.
fn invert(x: u8) -> u8 {
    (0..7)
        .fold((1, x), |(product, x), _| {
            let square = mul(x, x);
            (mul(product, square), square)
        })
        .0
}

/// Section 5.1.1, equation 5.2, bit by bit.
pub fn s_box(x: u8) -> u8 {
    let b = invert(x);
    let bit = |i: usize| b >> (i % 8) & 1;
    (0..8).fold(0, |out, i| {
        let sum = bit(i) ^ bit(i + 4) ^ bit(i + 5) ^ bit(i + 6) ^ bit(i + 7) ^ (0x63 >> i & 1);
        out | sum << i
    })
}

/// Section 5.3.2: the affine map undone, then the inverse.
pub fn inv_s_box(y: u8) -> u8 {
    let bit = |i: usize| y >> (i % 8) & 1;
    invert((0..8).fold(0, |out, i| {
        out | (bit(i + 2) ^ bit(i + 5) ^ bit(i + 7) ^ (0x05 >> i & 1)) << i
    }))
}

static S_BOX: LazyLock<[u8; 256]> = LazyLock::new(|| core::array::from_fn(|x| s_box(x as u8)));
static INV_S_BOX: LazyLock<[u8; 256]> =
    LazyLock::new(|| core::array::from_fn(|y| inv_s_box(y as u8)));

/// AES with all its round keys.
pub struct Model {
    pub round_keys: Vec<[u8; 16]>,
}

impl Model {
    /// Algorithm 2.
    pub fn new(key: &[u8]) -> Self {
        let nk = key.len() / 4;
        let mut w: Vec<[u8; 4]> = key.chunks(4).map(|word| word.try_into().unwrap()).collect();
        let mut rcon = 1;
        for i in nk..4 * (nk + 7) {
            let mut temp = w[i - 1];
            if i % nk == 0 {
                temp.rotate_left(1);
                temp = temp.map(|x| S_BOX[usize::from(x)]);
                temp[0] ^= rcon;
                rcon = mul(rcon, 2);
            } else if nk > 6 && i % nk == 4 {
                temp = temp.map(|x| S_BOX[usize::from(x)]);
            }
            w.push(core::array::from_fn(|j| w[i - nk][j] ^ temp[j]));
        }
        let round_keys = w
            .chunks(4)
            .map(|k| k.concat().try_into().unwrap())
            .collect();
        Self { round_keys }
    }

    /// Algorithm 1.
    pub fn encrypt(&self, block: &Block) -> Block {
        let mut s: [u8; 16] = (*block).into();
        let last = self.round_keys.len() - 1;
        add(&mut s, &self.round_keys[0]);
        for (round, key) in self.round_keys.iter().enumerate().skip(1) {
            s = s.map(|x| S_BOX[usize::from(x)]);
            s = core::array::from_fn(|i| s[(i + 4 * (i % 4)) % 16]);
            if round != last {
                s = mix(&s, [2, 3, 1, 1]);
            }
            add(&mut s, key);
        }
        s.into()
    }

    /// Algorithm 3.
    pub fn decrypt(&self, block: &Block) -> Block {
        let mut s: [u8; 16] = (*block).into();
        let last = self.round_keys.len() - 1;
        add(&mut s, &self.round_keys[last]);
        for (round, key) in self.round_keys.iter().enumerate().rev().skip(1) {
            s = core::array::from_fn(|i| s[(i + 12 * (i % 4)) % 16]);
            s = s.map(|y| INV_S_BOX[usize::from(y)]);
            add(&mut s, key);
            if round != 0 {
                s = mix(&s, [14, 11, 13, 9]);
            }
        }
        s.into()
    }
}

fn add(s: &mut [u8; 16], key: &[u8; 16]) {
    s.iter_mut().zip(key).for_each(|(s, k)| *s ^= k);
}

/// Sections 5.1.3 and 5.3.3: the circulant matrix whose first row is given.
fn mix(s: &[u8; 16], row: [u8; 4]) -> [u8; 16] {
    core::array::from_fn(|i| {
        let (column, r) = (i / 4 * 4, i % 4);
        (0..4).fold(0, |sum, j| sum ^ mul(row[j], s[column + (r + j) % 4]))
    })
}

thread_local! {
    static FORCED: Cell<Backend> = const { Cell::new(Backend::soft()) };
}

/// Forces what [`Forced`] is made with in this thread.
pub fn force(backend: Backend) {
    FORCED.set(backend);
}

/// A cipher on the back end that is forced, for modes of operation that make their ciphers themselves.
#[derive(Clone)]
pub struct Forced<C>(C);

impl<C: KeySizeUser> KeySizeUser for Forced<C> {
    type KeySize = C::KeySize;
}

impl<C: BlockSizeUser> BlockSizeUser for Forced<C> {
    type BlockSize = C::BlockSize;
}

impl<C: BlockCipherEncrypt> BlockCipherEncrypt for Forced<C> {
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = C::BlockSize>) {
        self.0.encrypt_with_backend(f);
    }
}

impl<C: BlockCipherDecrypt> BlockCipherDecrypt for Forced<C> {
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = C::BlockSize>) {
        self.0.decrypt_with_backend(f);
    }
}

macro_rules! forced {
    ($($cipher:ident)*) => {$(
        impl KeyInit for Forced<aes_vpaes::$cipher> {
            fn new(key: &Key<Self>) -> Self {
                Self(aes_vpaes::$cipher::new_with_backend(FORCED.get(), key).expect("available"))
            }
        }
    )*};
}
forced!(Aes128 Aes192 Aes256);
