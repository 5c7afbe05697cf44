//! NIST's AES-256-CTR-DRBG without derivation function (SP 800-90A, section 10.2.1), which makes the numbers of the
//! known-answer files of the competition.

use aes::{
    Aes256,
    cipher::{BlockCipherEncrypt, KeyInit},
};

pub(crate) struct Drbg {
    key: [u8; 32],
    v: u128,
}

impl Drbg {
    pub(crate) fn new(seed: &[u8; 48]) -> Self {
        let mut drbg = Self { key: [0; 32], v: 0 };
        drbg.update(seed);
        drbg
    }

    fn blocks(&mut self, out: &mut [u8]) {
        let cipher = Aes256::new(&self.key.into());
        for chunk in out.chunks_mut(16) {
            self.v = self.v.wrapping_add(1);
            let mut block = self.v.to_be_bytes().into();
            cipher.encrypt_block(&mut block);
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
    }

    fn update(&mut self, data: &[u8; 48]) {
        let mut state = [0; 48];
        self.blocks(&mut state);
        for (s, d) in state.iter_mut().zip(data) {
            *s ^= d;
        }
        self.key.copy_from_slice(&state[..32]);
        self.v = u128::from_be_bytes(state[32..].try_into().unwrap());
    }

    /// One request: the generator changes its key after each.
    pub(crate) fn generate<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.blocks(&mut out);
        self.update(&[0; 48]);
        out
    }
}
