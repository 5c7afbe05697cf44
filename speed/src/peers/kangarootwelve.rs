//! The crate kangarootwelve: KT128. Its threads are a feature, which is off.

use kangarootwelve::KT128;

use crate::{
    ops::keccak::{self, Function},
    suite::{Implementation, Suite},
};

pub(super) fn enter(suite: &mut Suite) {
    let who = Implementation::peer("kangarootwelve");
    for &bytes in Function::Kt128.sizes() {
        keccak::hash(suite, who, Function::Kt128, bytes, |message| {
            let mut output = [0; 32];
            KT128::hash(message, b"").squeeze(&mut output);
            output
        });
    }
}
