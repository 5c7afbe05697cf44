//! K-PKE, the public-key encryption under the KEM (FIPS 203, section 5).

use crate::{
    backends::{Backend, soft},
    hash::{g, h, permutation, prf, shake},
    params::{Parameters, Scheme},
    wipe::{Secret, Wipe},
};
use keccak_unrolled::{Permutation, State1600, XofReader};

/// 256 coefficients, in normal order or in that of the NTT domain.
pub(crate) type Poly = [i16; 256];

/// Bytes of an encoded polynomial of the NTT domain.
const ENCODED_POLY: usize = 384;
/// The rate of SHAKE128, a block of XOF output.
const XOF_BLOCK: usize = 168;
/// The rate of SHA3-256, a block of what H takes.
const H_BLOCK: usize = 136;

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
        self.sample_matrix(None);

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

    /// Fills the key in from `encoded`, 384 k + 32 bytes, and its hash H; returns whether every coefficient was below q, as
    /// section 7.2 demands. If not, the key must not be used.
    #[must_use]
    pub(crate) fn decode(&mut self, backend: Backend, encoded: &[u8], hash: &mut [u8; 32]) -> bool {
        self.backend = backend;
        let (t, rho) = encoded.as_chunks::<ENCODED_POLY>();
        self.rho.copy_from_slice(rho);
        for (t_hat, bytes) in self.t_hat.as_mut().iter_mut().zip(t) {
            if !soft::decode_12_checked_vartime(bytes, t_hat) {
                return false;
            }
        }
        self.sample_matrix(Some((encoded, hash)));
        true
    }

    /// The encoded key, 384 k + 32 bytes.
    pub(crate) fn encode(&self, encoded: &mut [u8]) {
        let (t, rho) = encoded.as_chunks_mut::<ENCODED_POLY>();
        encode_vector(self.t_hat.as_ref(), t);
        rho.copy_from_slice(&self.rho);
    }

    /// Fills the matrix in from rho. Beside that, where states are permuted together, `message` is hashed: H of the first
    /// goes to the second.
    fn sample_matrix(&mut self, message: Option<(&[u8], &mut [u8; 32])>) {
        let width = self.backend.keccak().parallelism();
        if width > 1 {
            self.sample_matrix_in_parallel(width, message);
            return;
        }
        if let Some((message, hash)) = message {
            h(self.backend, message, hash);
        }
        for (i, entry) in self.a_hat.as_mut().iter_mut().enumerate() {
            sample_entry::<P>(self.backend, &self.rho, i, entry);
        }
    }

    /// The same on `width` states. Each takes the next entry as soon as its last is full, and the message, whose hash takes
    /// three or four times as long as an entry, has the first state to itself.
    ///
    /// Microseconds for parsing and encapsulation on an AMD EPYC (Zen 5), against the hash by itself and the entries in
    /// groups of 8, 4, 2 and 1: ML-KEM-512 6.5 to 5.7, -768 9.4 to 8.1, -1024 13.0 to 11.7 with `avx512`; 7.5 to 7.3,
    /// 11.6 to 10.0, 16.5 to 15.1 with `avx2`; 2 % with `sse2`. In key generation the hash has nothing to be beside: it is
    /// of a key that needs the whole matrix.
    ///
    /// PUBLIC: all of it, entries and message are those of an encapsulation key.
    #[inline(never)]
    fn sample_matrix_in_parallel(&mut self, width: usize, message: Option<(&[u8], &mut [u8; 32])>) {
        let permutation = permutation(self.backend);
        let mut states = [[0; 25]; 8];
        let mut entries = self.a_hat.as_mut().iter_mut().enumerate();
        let mut work = [const { Work::Nothing }; 8];
        let mut next = |state: &mut State1600| match entries.next() {
            None => Work::Nothing,
            Some((i, entry)) => {
                *state = entry_state(&entry_seed::<P>(&self.rho, i));
                Work::Entry(soft::MatrixSampler::new(entry))
            }
        };
        let mut first = 0;
        if let Some((message, hash)) = message {
            work[0] = Work::Absorb(message, hash);
            first = 1;
        }
        for (work, state) in work[..width].iter_mut().zip(&mut states).skip(first) {
            *work = next(state);
        }
        while let Some(last) = work.iter().rposition(|w| !matches!(w, Work::Nothing)) {
            work[0].absorb(&mut states[0]);
            permute(permutation, &mut states, last + 1);
            for (work, state) in work.iter_mut().zip(&mut states) {
                if work.squeeze(state) {
                    *work = next(state);
                }
            }
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

/// What one of several states is for.
enum Work<'a> {
    Nothing,
    /// To absorb the rest of a message for H.
    Absorb(&'a [u8], &'a mut [u8; 32]),
    /// To give H, after the next permutation.
    Digest(&'a mut [u8; 32]),
    Entry(soft::MatrixSampler<'a>),
}

impl Work<'_> {
    /// The next block of the message into the state, if that is what it is for.
    fn absorb(&mut self, state: &mut State1600) {
        *self = match core::mem::replace(self, Self::Nothing) {
            Self::Absorb(message, hash) => {
                if let Some((block, rest)) = message.split_first_chunk::<H_BLOCK>() {
                    xor_lanes(state, block);
                    Self::Absorb(rest, hash)
                } else {
                    xor_lanes(state, message);
                    state[message.len() / 8] ^= 0x06;
                    state[H_BLOCK / 8 - 1] ^= 1 << 63;
                    Self::Digest(hash)
                }
            }
            other => other,
        }
    }

    /// What the permuted state gives; returns whether the state is no longer needed.
    fn squeeze(&mut self, state: &State1600) -> bool {
        let lanes = |bytes: &mut [u8]| {
            for (bytes, lane) in bytes.as_chunks_mut().0.iter_mut().zip(state) {
                *bytes = lane.to_le_bytes();
            }
        };
        match self {
            Self::Nothing | Self::Absorb(..) => false,
            Self::Digest(hash) => {
                lanes(&mut hash[..]);
                true
            }
            Self::Entry(sampler) => {
                let mut block = [0; XOF_BLOCK];
                lanes(&mut block);
                sampler.feed_vartime(&block);
                sampler.is_full()
            }
        }
    }
}

/// The state of SHAKE128 that has absorbed the seed of an entry.
fn entry_state(seed: &[u8; 34]) -> State1600 {
    let mut state = [0; 25];
    xor_lanes(&mut state, &seed[..32]);
    state[4] = u64::from_le_bytes([seed[32], seed[33], 0x1f, 0, 0, 0, 0, 0]);
    state[XOF_BLOCK / 8 - 1] = 1 << 63;
    state
}

/// Xors whole lanes into a state.
fn xor_lanes(state: &mut State1600, bytes: &[u8]) {
    let (lanes, rest) = bytes.as_chunks();
    debug_assert!(rest.is_empty());
    for (lane, bytes) in state.iter_mut().zip(lanes) {
        *lane ^= u64::from_le_bytes(*bytes);
    }
}

/// Permutes the first `count` states and, where that is faster, a few after them.
fn permute(permutation: Permutation, states: &mut [State1600; 8], count: usize) {
    const EIGHT: &str = "there are eight";
    match count {
        1 => permutation.f1600(&mut states[0]),
        2 => permutation.f1600_x2(states.first_chunk_mut().expect(EIGHT)),
        3 | 4 => permutation.f1600_x4(states.first_chunk_mut().expect(EIGHT)),
        _ => permutation.f1600_x8(states),
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
