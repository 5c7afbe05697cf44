//! tiny-keccak: the permutation, SHA3-256, SHAKE128 and KT128.

use tiny_keccak::{Hasher, KangarooTwelve, Sha3, Shake, keccakf};

use crate::{
    ops::keccak::{self, Function, Output},
    suite::{Implementation, Suite},
};

pub(super) fn enter(suite: &mut Suite) {
    let who = Implementation::peer("tiny-keccak");
    keccak::permutation(suite, who, keccakf);
    function(suite, who, Function::Sha3_256, Sha3::v256);
    keccak::no_batch(suite, who, |message| digest(Sha3::v256(), message));
    function(suite, who, Function::Shake128, Shake::v128);
    function(suite, who, Function::Kt128, || KangarooTwelve::new(b""));
}

fn function<H: Hasher>(
    suite: &mut Suite,
    who: Implementation,
    function: Function,
    new: impl Fn() -> H + Copy + 'static,
) {
    for &bytes in function.sizes() {
        keccak::hash(suite, who, function, bytes, move |message| {
            digest(new(), message)
        });
    }
}

fn digest(mut hasher: impl Hasher, message: &[u8]) -> Output {
    let mut output = [0; 32];
    hasher.update(message);
    hasher.finalize(&mut output);
    output
}
