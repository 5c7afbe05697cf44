//! A slow model, step by step as FIPS 203 and the round-3 document have it: polynomials as residues, sums and products
//! by definition, bytes as lists of bits. It shares no code and no representation with the crate.

#![allow(dead_code, reason = "not every test binary uses all of it")]

use sha3::{Digest, Sha3_256, Sha3_512};
use shake::{ExtendableOutput, Shake128, Shake256, Update, XofReader};
use std::sync::LazyLock;

const Q: u32 = 3329;
type Poly = Vec<u32>;

/// k, eta_1, d_u, d_v, and whether it is ML-KEM.
#[derive(Clone, Copy)]
pub(crate) struct Model {
    pub(crate) k: usize,
    pub(crate) eta_1: usize,
    pub(crate) d_u: u32,
    pub(crate) d_v: u32,
    pub(crate) ml_kem: bool,
}

pub(crate) const ML_KEM_512: Model = Model {
    k: 2,
    eta_1: 3,
    d_u: 10,
    d_v: 4,
    ml_kem: true,
};
pub(crate) const ML_KEM_768: Model = Model {
    k: 3,
    eta_1: 2,
    d_u: 10,
    d_v: 4,
    ml_kem: true,
};
pub(crate) const ML_KEM_1024: Model = Model {
    k: 4,
    eta_1: 2,
    d_u: 11,
    d_v: 5,
    ml_kem: true,
};
pub(crate) const KYBER_512: Model = Model {
    ml_kem: false,
    ..ML_KEM_512
};
pub(crate) const KYBER_768: Model = Model {
    ml_kem: false,
    ..ML_KEM_768
};
pub(crate) const KYBER_1024: Model = Model {
    ml_kem: false,
    ..ML_KEM_1024
};

pub(crate) fn h(parts: &[&[u8]]) -> Vec<u8> {
    Sha3_256::digest(parts.concat()).to_vec()
}

fn g(parts: &[&[u8]]) -> (Vec<u8>, Vec<u8>) {
    let output = Sha3_512::digest(parts.concat());
    (output[..32].to_vec(), output[32..].to_vec())
}

/// SHAKE256 of the concatenation.
pub(crate) fn shake256(parts: &[&[u8]], len: usize) -> Vec<u8> {
    let mut output = vec![0; len];
    let mut hash = Shake256::default();
    hash.update(&parts.concat());
    hash.finalize_xof().read(&mut output);
    output
}

fn bits(bytes: &[u8]) -> Vec<u32> {
    (0..8 * bytes.len())
        .map(|i| u32::from(bytes[i / 8] >> (i % 8) & 1))
        .collect()
}

fn byte_encode(d: u32, f: &[u32]) -> Vec<u8> {
    let bits: Vec<u32> = f
        .iter()
        .flat_map(|c| (0..d).map(move |j| c >> j & 1))
        .collect();
    bits.chunks(8)
        .map(|b| b.iter().rev().fold(0, |byte, bit| byte << 1 | *bit as u8))
        .collect()
}

fn byte_decode(d: u32, bytes: &[u8]) -> Poly {
    let value = |b: &[u32]| b.iter().rev().fold(0, |value, bit| value << 1 | bit);
    bits(bytes)
        .chunks(d as usize)
        .map(|b| if d == 12 { value(b) % Q } else { value(b) })
        .collect()
}

fn compress(d: u32, f: &[u32]) -> Poly {
    f.iter()
        .map(|x| (2 * (x << d) + Q) / (2 * Q) % (1 << d))
        .collect()
}

fn decompress(d: u32, f: &[u32]) -> Poly {
    f.iter()
        .map(|y| (2 * y * Q + (1 << d)) / (2 << d))
        .collect()
}

fn sample_ntt(rho: &[u8], j: usize, i: usize) -> Poly {
    let mut hash = Shake128::default();
    hash.update(rho);
    hash.update(&[j as u8, i as u8]);
    let mut xof = hash.finalize_xof();
    let mut f = Poly::new();
    while f.len() < 256 {
        let mut c = [0; 3];
        xof.read(&mut c);
        let c = c.map(u32::from);
        for d in [c[0] + 256 * (c[1] % 16), c[1] / 16 + 16 * c[2]] {
            if d < Q && f.len() < 256 {
                f.push(d);
            }
        }
    }
    f
}

fn sample_cbd(eta: usize, key: &[u8], nonce: usize) -> Poly {
    let bits = bits(&shake256(&[key, &[nonce as u8]], 64 * eta));
    bits.chunks(2 * eta)
        .map(|b| (Q + b[..eta].iter().sum::<u32>() - b[eta..].iter().sum::<u32>()) % Q)
        .collect()
}

/// zeta^(2 BitRev7(i) + 1).
fn root(i: usize) -> u32 {
    let exponent = 2 * (u32::from((i as u8).reverse_bits()) >> 1) + 1;
    (0..exponent).fold(1, |power, _| power * 17 % Q)
}

fn power(base: u32, exponent: u32) -> u32 {
    (0..exponent).fold(1, |power, _| power * base % Q)
}

/// f modulo X^2 - root(i), for each i.
fn ntt(f: &[u32]) -> Poly {
    let mut transformed = Poly::new();
    for i in 0..128 {
        for half in 0..2 {
            let value = (0..128)
                .rev()
                .fold(0, |value, j| (value * root_table(i) + f[2 * j + half]) % Q);
            transformed.push(value);
        }
    }
    transformed
}

fn root_table(i: usize) -> u32 {
    static ROOTS: LazyLock<Vec<u32>> = LazyLock::new(|| (0..128).map(root).collect());
    ROOTS[i]
}

/// x^(q - 2) is 1 / x.
fn inverse_root_table(i: usize) -> u32 {
    static INVERSES: LazyLock<Vec<u32>> =
        LazyLock::new(|| (0..128).map(|i| power(root(i), Q - 2)).collect());
    INVERSES[i]
}

/// The inverse of the transformation by its matrix: the powers of the roots are orthogonal.
fn inverse_ntt(f: &[u32]) -> Poly {
    let mut normal = vec![0; 256];
    let one_128th = power(128, Q - 2);
    for i in 0..128 {
        let inverse_root = inverse_root_table(i);
        let mut factor = one_128th;
        for j in 0..128 {
            for half in 0..2 {
                normal[2 * j + half] = (normal[2 * j + half] + f[2 * i + half] * factor) % Q;
            }
            factor = factor * inverse_root % Q;
        }
    }
    normal
}

fn multiply(a: &[u32], b: &[u32]) -> Poly {
    (0..128)
        .flat_map(|i| {
            let (a, b) = (&a[2 * i..], &b[2 * i..]);
            [
                (a[0] * b[0] + a[1] * b[1] % Q * root_table(i)) % Q,
                (a[0] * b[1] + a[1] * b[0]) % Q,
            ]
        })
        .collect()
}

fn add(a: &[u32], b: &[u32]) -> Poly {
    a.iter().zip(b).map(|(a, b)| (a + b) % Q).collect()
}

fn subtract(a: &[u32], b: &[u32]) -> Poly {
    a.iter().zip(b).map(|(a, b)| (a + Q - b) % Q).collect()
}

fn dot<'a>(a: impl Iterator<Item = &'a Poly>, b: &'a [Poly]) -> Poly {
    a.zip(b)
        .fold(vec![0; 256], |sum, (a, b)| add(&sum, &multiply(a, b)))
}

impl Model {
    fn matrix(&self, rho: &[u8]) -> Vec<Vec<Poly>> {
        (0..self.k)
            .map(|i| (0..self.k).map(|j| sample_ntt(rho, j, i)).collect())
            .collect()
    }

    /// (ek, dk) from d and z.
    pub(crate) fn key_gen(&self, d: &[u8], z: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let k = [self.k as u8];
        let (rho, sigma) = if self.ml_kem { g(&[d, &k]) } else { g(&[d]) };
        let a = self.matrix(&rho);
        let noise = |first: usize| -> Vec<Poly> {
            (0..self.k)
                .map(|i| ntt(&sample_cbd(self.eta_1, &sigma, first + i)))
                .collect()
        };
        let (s, e) = (noise(0), noise(self.k));
        let t = (0..self.k).map(|i| add(&dot(a[i].iter(), &s), &e[i]));
        let mut ek: Vec<u8> = t.flat_map(|t| byte_encode(12, &t)).collect();
        ek.extend(rho);
        let mut dk: Vec<u8> = s.iter().flat_map(|s| byte_encode(12, s)).collect();
        dk.extend(&ek);
        dk.extend(h(&[&ek]));
        dk.extend(z);
        (ek, dk)
    }

    fn encrypt(&self, ek: &[u8], m: &[u8], r: &[u8]) -> Vec<u8> {
        let k = self.k;
        let t: Vec<Poly> = ek[..384 * k]
            .chunks(384)
            .map(|t| byte_decode(12, t))
            .collect();
        let a = self.matrix(&ek[384 * k..]);
        let y: Vec<Poly> = (0..k).map(|i| ntt(&sample_cbd(self.eta_1, r, i))).collect();
        let mut c = Vec::new();
        for i in 0..k {
            let u = add(
                &inverse_ntt(&dot(a.iter().map(|row| &row[i]), &y)),
                &sample_cbd(2, r, k + i),
            );
            c.extend(byte_encode(self.d_u, &compress(self.d_u, &u)));
        }
        let v = add(&inverse_ntt(&dot(t.iter(), &y)), &sample_cbd(2, r, 2 * k));
        let v = add(&v, &decompress(1, &byte_decode(1, m)));
        c.extend(byte_encode(self.d_v, &compress(self.d_v, &v)));
        c
    }

    /// (c, K) from ek and m.
    pub(crate) fn encaps(&self, ek: &[u8], m: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let m = if self.ml_kem { m.to_vec() } else { h(&[m]) };
        let (key, r) = g(&[&m, &h(&[ek])]);
        let c = self.encrypt(ek, &m, &r);
        let key = if self.ml_kem {
            key
        } else {
            shake256(&[&key, &h(&[&c])], 32)
        };
        (c, key)
    }

    /// K from dk and c.
    pub(crate) fn decaps(&self, dk: &[u8], c: &[u8]) -> Vec<u8> {
        let k = self.k;
        let (s, rest) = dk.split_at(384 * k);
        let (ek, rest) = rest.split_at(384 * k + 32);
        let (ek_hash, z) = rest.split_at(32);
        let (c1, c2) = c.split_at(32 * self.d_u as usize * k);
        let s: Vec<Poly> = s.chunks(384).map(|s| byte_decode(12, s)).collect();
        let u: Vec<Poly> = c1
            .chunks(32 * self.d_u as usize)
            .map(|u| ntt(&decompress(self.d_u, &byte_decode(self.d_u, u))))
            .collect();
        let v = decompress(self.d_v, &byte_decode(self.d_v, c2));
        let w = subtract(&v, &inverse_ntt(&dot(s.iter(), &u)));
        let m = byte_encode(1, &compress(1, &w));
        let (key, r) = g(&[&m, ek_hash]);
        let accepted = self.encrypt(ek, &m, &r) == c;
        match (self.ml_kem, accepted) {
            (true, true) => key,
            (true, false) => shake256(&[z, c], 32),
            (false, true) => shake256(&[&key, &h(&[c])], 32),
            (false, false) => shake256(&[z, &h(&[c])], 32),
        }
    }
}
