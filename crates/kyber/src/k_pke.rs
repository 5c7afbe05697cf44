//! K-PKE, the public-key encryption under the KEM (FIPS 203, section 5).

use crate::{
    backends::{Backend, soft},
    hash::{g, prf, shake, shake_xn},
    params::{Parameters, Scheme},
    wipe::{Secret, Wipe},
};
use keccak_unrolled::XofReader;

/// 256 coefficients, in normal order or in that of the NTT domain.
pub(crate) type Poly = [i16; 256];

/// Bytes of an encoded polynomial of the NTT domain.
const ENCODED_POLY: usize = 384;
/// The rate of SHAKE128, a block of XOF output.
const XOF_BLOCK: usize = 168;

// Functions with large temporaries are not inlined, so that these add up only along a chain of calls.

/// An encryption key, expanded: the matrix is kept because sampling it takes longer than everything else together.
#[derive(Clone)]
pub(crate) struct EncryptionKey<P: Parameters> {
    pub(crate) backend: Backend,
    rho: [u8; 32],
    /// In NTT order, coefficients in 0..q.
    t_hat: P::Vector,
    /// Row by row; in NTT order, coefficients in 0..q.
    a_hat: P::Matrix,
}

/// A decryption key: in NTT order, |coefficients| < q.
pub(crate) type DecryptionKey<P> = Secret<<P as Parameters>::Vector>;

impl<P: Parameters> EncryptionKey<P> {
    /// A key to be filled in. Keys are large, so they are filled in where the caller wants them.
    pub(crate) const ZERO: Self = Self {
        backend: Backend::Soft,
        rho: [0; 32],
        t_hat: P::Vector::ZERO,
        a_hat: P::Matrix::ZERO,
    };

    /// Copies a key.
    pub(crate) fn copy_from(&mut self, source: &Self) {
        self.backend = source.backend;
        self.rho = source.rho;
        self.t_hat = source.t_hat;
        self.a_hat = source.a_hat;
    }

    /// Algorithm 13, K-PKE.KeyGen: fills both keys in.
    pub(crate) fn generate(
        &mut self,
        backend: Backend,
        s_hat: &mut DecryptionKey<P>,
        d: &[u8; 32],
    ) {
        self.backend = backend;
        let k = [P::K as u8];
        let domain: &[u8] = match P::SCHEME {
            Scheme::MlKem => &k,
            Scheme::KyberRound3 => &[],
        };
        let [rho, sigma] = g(self.backend, [d, domain]);
        // PUBLIC: rho is part of the encapsulation key.
        self.rho = *rho;
        self.sample_matrix();

        // e_hat is where t_hat will be.
        match P::ETA_1 {
            2 => sample_key_noise::<P, 128>(self.backend, &sigma, s_hat, &mut self.t_hat),
            _ => sample_key_noise::<P, 192>(self.backend, &sigma, s_hat, &mut self.t_hat),
        }
        s_hat.as_mut().iter_mut().for_each(soft::ntt);
        self.t_hat.as_mut().iter_mut().for_each(soft::ntt);

        self.multiply_and_add(s_hat);
    }

    /// t_hat = A_hat s_hat + e_hat, where e_hat is what t_hat was.
    #[inline(never)]
    fn multiply_and_add(&mut self, s_hat: &DecryptionKey<P>) {
        let rows = self.a_hat.as_ref().chunks_exact(P::K);
        for (t, row) in self.t_hat.as_mut().iter_mut().zip(rows) {
            let product = Secret(soft::inner_product(row.iter().zip(s_hat.as_ref())));
            soft::unscale_and_add(&product, t);
        }
    }

    /// Fills the key in from `encoded`, 384 k + 32 bytes; returns whether every coefficient was below q, as section
    /// 7.2 demands. If not, the key must not be used.
    #[must_use]
    pub(crate) fn decode(&mut self, backend: Backend, encoded: &[u8]) -> bool {
        self.backend = backend;
        let (t, rho) = encoded.as_chunks::<ENCODED_POLY>();
        self.rho.copy_from_slice(rho);
        for (t_hat, bytes) in self.t_hat.as_mut().iter_mut().zip(t) {
            if !soft::decode_12_checked_vartime(bytes, t_hat) {
                return false;
            }
        }
        self.sample_matrix();
        true
    }

    /// The encoded key, 384 k + 32 bytes.
    pub(crate) fn encode(&self, encoded: &mut [u8]) {
        let (t, rho) = encoded.as_chunks_mut::<ENCODED_POLY>();
        encode_vector(self.t_hat.as_ref(), t);
        rho.copy_from_slice(&self.rho);
    }

    /// Fills the matrix in from rho.
    fn sample_matrix(&mut self) {
        let width = self.backend.keccak().parallelism();
        let mut entries = self.a_hat.as_mut();
        let mut first = 0;
        while !entries.is_empty() {
            // The largest group that can be filled.
            let group = 1 << entries.len().min(width).ilog2();
            let (now, rest) = entries.split_at_mut(group);
            match group {
                8 => sample_entries::<P, 8>(self.backend, &self.rho, first, now),
                4 => sample_entries::<P, 4>(self.backend, &self.rho, first, now),
                2 => sample_entries::<P, 2>(self.backend, &self.rho, first, now),
                _ => sample_entry::<P>(self.backend, &self.rho, first, &mut now[0]),
            }
            entries = rest;
            first += group;
        }
    }

    /// Algorithm 14, K-PKE.Encrypt: the ciphertext of 32 (d_u k + d_v) bytes.
    pub(crate) fn encrypt(&self, message: &[u8; 32], randomness: &[u8; 32], ciphertext: &mut [u8]) {
        let mut y_hat = Secret::<P::Vector>::ZERO;
        // e_1 and e_2, 128 bytes a polynomial until they are needed.
        let mut noise = Secret([[0; 128]; 5]);
        match P::ETA_1 {
            2 => sample_noise::<P, 128>(self.backend, randomness, &mut y_hat, &mut noise),
            _ => sample_noise::<P, 192>(self.backend, randomness, &mut y_hat, &mut noise),
        }
        y_hat.as_mut().iter_mut().for_each(soft::ntt);
        let (c1, c2) = ciphertext.split_at_mut(32 * P::D_U * P::K);

        for (i, c1) in c1.chunks_exact_mut(32 * P::D_U).enumerate() {
            let column = self.a_hat.as_ref().iter().skip(i).step_by(P::K);
            let mut u = Secret(soft::inner_product(column.zip(y_hat.as_ref())));
            soft::inverse_ntt(&mut u);
            soft::add_poly_cbd(&noise[i], &mut u);
            match P::D_U {
                10 => soft::compress_and_encode::<10>(&u, c1),
                _ => soft::compress_and_encode::<11>(&u, c1),
            }
        }

        let mut v = Secret(soft::inner_product(
            self.t_hat.as_ref().iter().zip(y_hat.as_ref()),
        ));
        soft::inverse_ntt(&mut v);
        soft::add_poly_cbd(&noise[P::K], &mut v);
        soft::add_message(message, &mut v);
        match P::D_V {
            4 => soft::compress_and_encode::<4>(&v, c2),
            _ => soft::compress_and_encode::<5>(&v, c2),
        }
    }
}

/// The encoded decryption key, 384 k bytes.
pub(crate) fn encode_vector(vector: &[Poly], encoded: &mut [[u8; ENCODED_POLY]]) {
    for (bytes, poly) in encoded.iter_mut().zip(vector) {
        soft::encode_12(poly, bytes);
    }
}

/// Fills a decryption key in from 384 k bytes.
pub(crate) fn decode_vector(encoded: &[[u8; ENCODED_POLY]], vector: &mut [Poly]) {
    for (bytes, poly) in encoded.iter().zip(vector) {
        soft::decode_12(bytes, poly);
    }
}

/// Algorithm 15, K-PKE.Decrypt.
pub(crate) fn decrypt<P: Parameters>(
    s_hat: &DecryptionKey<P>,
    ciphertext: &[u8],
) -> Secret<[u8; 32]> {
    let (c1, c2) = ciphertext.split_at(32 * P::D_U * P::K);
    let mut u_hat = P::Vector::ZERO;
    for (u, c1) in u_hat.as_mut().iter_mut().zip(c1.chunks_exact(32 * P::D_U)) {
        *u = match P::D_U {
            10 => soft::decode_and_decompress::<10>(c1),
            _ => soft::decode_and_decompress::<11>(c1),
        };
        soft::ntt(u);
    }
    let v = match P::D_V {
        4 => soft::decode_and_decompress::<4>(c2),
        _ => soft::decode_and_decompress::<5>(c2),
    };
    let mut w = Secret(soft::inner_product(
        s_hat.as_ref().iter().zip(u_hat.as_ref()),
    ));
    soft::inverse_ntt(&mut w);
    soft::subtract_from(&v, &mut w);
    Secret(soft::to_message(&w))
}

/// The seed of an entry of the matrix, which are numbered row by row.
fn entry_seed<P: Parameters>(rho: &[u8; 32], entry: usize) -> [u8; 34] {
    let mut seed = [0; 34];
    seed[..32].copy_from_slice(rho);
    seed[32] = (entry % P::K) as u8;
    seed[33] = (entry / P::K) as u8;
    seed
}

/// Entries of the matrix from `first` on, `N` at once.
#[inline(never)]
fn sample_entries<P: Parameters, const N: usize>(
    backend: Backend,
    rho: &[u8; 32],
    first: usize,
    entries: &mut [Poly],
) {
    let entries = entries.first_chunk_mut::<N>().expect("a group is full");
    let mut xof = shake_xn::<XOF_BLOCK, N>(backend);
    {
        let seeds: [_; N] = core::array::from_fn(|i| entry_seed::<P>(rho, first + i));
        xof.absorb(seeds.each_ref());
    }
    let mut samplers = entries.each_mut().map(soft::MatrixSampler::new);
    while !samplers.iter().all(soft::MatrixSampler::is_full) {
        xof.squeeze_blocks(|i, block| samplers[i].feed_vartime(block));
    }
}

/// Entry `i` of the matrix.
#[inline(never)]
fn sample_entry<P: Parameters>(backend: Backend, rho: &[u8; 32], i: usize, entry: &mut Poly) {
    let mut xof = shake::<XOF_BLOCK>(backend, &entry_seed::<P>(rho, i));
    let mut sampler = soft::MatrixSampler::new(entry);
    let mut block = [0; XOF_BLOCK];
    while !sampler.is_full() {
        xof.read(&mut block);
        sampler.feed_vartime(&block);
    }
}

/// s and e of a key: 2k polynomials of SamplePolyCBD_(eta_1), in normal order.
#[inline(never)]
fn sample_key_noise<P: Parameters, const L: usize>(
    backend: Backend,
    key: &[u8; 32],
    s: &mut DecryptionKey<P>,
    e: &mut P::Vector,
) {
    prf::<L>(backend, key, 2 * P::K, 2 * P::K, &mut |i, bytes| {
        let poly = match i.checked_sub(P::K) {
            None => &mut s.as_mut()[i],
            Some(i) => &mut e.as_mut()[i],
        };
        soft::add_poly_cbd(bytes, poly);
    });
}

/// y of a ciphertext, k polynomials of SamplePolyCBD_(eta_1) in normal order, and the bytes of e_1 and e_2, where eta_2
/// is 2.
#[inline(never)]
fn sample_noise<P: Parameters, const L: usize>(
    backend: Backend,
    key: &[u8; 32],
    y: &mut P::Vector,
    e: &mut [[u8; 128]; 5],
) {
    prf::<L>(
        backend,
        key,
        P::K,
        2 * P::K + 1,
        &mut |i, bytes| match i.checked_sub(P::K) {
            None => soft::add_poly_cbd(bytes, &mut y.as_mut()[i]),
            Some(i) => e[i].copy_from_slice(bytes),
        },
    );
}
