//! Faults that an instrument must find, and code beside them that it must not complain of: the check proves itself
//! on them before it is believed.

use std::hint::black_box;

use crate::operations::Operation;

/// Faults and controls. `xtask` knows them by these names.
pub(crate) fn operations() -> Vec<Operation> {
    let secret_key = |name: &'static str, body: fn(&[u8; 16], &[u8; 16]) -> u8| {
        Operation::new("planted", "faults", name, move |probe| {
            let public = probe.fixed();
            let mut secret = probe.varying();
            // A guess that is right up to a byte: random ones are wrong from the first byte on.
            if name == "early exit" {
                secret = public;
                secret[probe.run()] ^= 1;
            }
            probe.hide(&mut secret);
            let mut result = probe.watch(|| body(&secret, &public));
            probe.reveal(&mut result);
            black_box(result);
        })
    };
    vec![
        secret_key("secret branch", branch),
        secret_key("secret index", index),
        secret_key("early exit", early_exit),
        secret_key("secret division", division),
        secret_key("control: mask select", mask_select),
        secret_key("control: comparison", comparison),
        secret_key("control: arithmetic", arithmetic),
    ]
}

static TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = (i as u8).wrapping_mul(29) ^ 7;
        i += 1;
    }
    table
};

#[inline(never)]
fn branch(secret: &[u8; 16], _: &[u8; 16]) -> u8 {
    // The calls keep the compiler from a conditional move.
    if black_box(secret[3]) & 1 == 1 {
        black_box(7)
    } else {
        black_box(secret[5]).wrapping_mul(3) ^ black_box(1)
    }
}

#[inline(never)]
fn index(secret: &[u8; 16], _: &[u8; 16]) -> u8 {
    TABLE[usize::from(black_box(secret[3]))]
}

#[inline(never)]
fn early_exit(secret: &[u8; 16], public: &[u8; 16]) -> u8 {
    let mut equal = 0;
    for (a, b) in secret.iter().zip(public) {
        if black_box(a) != black_box(b) {
            return equal;
        }
        equal += 1;
    }
    equal
}

#[inline(never)]
fn division(secret: &[u8; 16], public: &[u8; 16]) -> u8 {
    let dividend = u32::from_le_bytes([secret[0], secret[1], secret[2], 0]);
    let divisor = u32::from(black_box(public[0]) | 1);
    (dividend / divisor) as u8
}

#[inline(never)]
fn mask_select(secret: &[u8; 16], _: &[u8; 16]) -> u8 {
    let mask = black_box((secret[3] & 1).wrapping_neg());
    (mask & secret[4]) | (!mask & secret[5])
}

#[inline(never)]
fn comparison(secret: &[u8; 16], public: &[u8; 16]) -> u8 {
    let difference = secret
        .iter()
        .zip(public)
        .fold(0, |sum, (a, b)| sum | (a ^ b));
    black_box(difference)
}

#[inline(never)]
fn arithmetic(secret: &[u8; 16], _: &[u8; 16]) -> u8 {
    let [a, b] = [0, 8].map(|i| {
        let bytes = secret[i..].first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(bytes)
    });
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u8 ^ (a.rotate_left(13).wrapping_add(b) >> 7) as u8
}
