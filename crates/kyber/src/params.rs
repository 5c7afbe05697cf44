//! The parameter sets (FIPS 203, section 8) and what each of them means for sizes and types.

use crate::{
    decapsulation_key::DecapsulationKey, encapsulation_key::EncapsulationKey, k_pke::Poly,
    wipe::Wipe,
};
use core::fmt::Debug;
use hybrid_array::{
    ArraySize,
    sizes::{U32, U768, U800, U1088, U1184, U1568, U1632, U2400, U3168},
};
use kem::Kem;

/// The two schemes over K-PKE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// FIPS 203.
    MlKem,
    /// The third round of NIST's competition.
    KyberRound3,
}

/// What is private of a parameter set.
pub trait Parameters: Copy + Clone + Debug + Default + Eq + Ord + Send + Sync + 'static {
    /// The dimension k.
    const K: usize;
    /// eta_1, of the secret and of the noise beside it in a key; eta_2 is 2 in all sets.
    const ETA_1: usize;
    /// d_u, bits of a coefficient in the first part of a ciphertext.
    const D_U: usize;
    /// d_v, bits of a coefficient in the second part of a ciphertext.
    const D_V: usize;
    /// The scheme.
    const SCHEME: Scheme;
    /// k polynomials.
    type Vector: AsRef<[Poly]> + AsMut<[Poly]> + Wipe + Send + Sync + 'static;
    /// k^2 polynomials.
    type Matrix: AsRef<[Poly]> + AsMut<[Poly]> + Wipe + Send + Sync + 'static;
}

/// A parameter set: [`MlKem512`], [`MlKem768`], [`MlKem1024`], [`Kyber512`], [`Kyber768`] or [`Kyber1024`]. Sealed.
pub trait ParameterSet:
    Parameters
    + Kem<
        DecapsulationKey = DecapsulationKey<Self>,
        EncapsulationKey = EncapsulationKey<Self>,
        SharedKeySize = U32,
    >
{
    /// Bytes in an encapsulation key.
    type EncapsulationKeySize: ArraySize;
    /// Bytes in an expanded decapsulation key.
    type ExpandedDecapsulationKeySize: ArraySize;
}

macro_rules! parameter_sets {
    ($(
        $(#[$attr:meta])*
        $name:ident: $scheme:ident, k $k:literal, eta_1 $eta_1:literal, d_u $d_u:literal, d_v $d_v:literal,
        ek $ek:ident, dk $dk:ident, c $c:ident;
    )*) => {$(
        $(#[$attr])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name;

        impl Parameters for $name {
            const K: usize = $k;
            const ETA_1: usize = $eta_1;
            const D_U: usize = $d_u;
            const D_V: usize = $d_v;
            const SCHEME: Scheme = Scheme::$scheme;
            type Vector = [Poly; $k];
            type Matrix = [Poly; $k * $k];
        }

        impl ParameterSet for $name {
            type EncapsulationKeySize = $ek;
            type ExpandedDecapsulationKeySize = $dk;
        }

        impl Kem for $name {
            type DecapsulationKey = DecapsulationKey<Self>;
            type EncapsulationKey = EncapsulationKey<Self>;
            type SharedKeySize = U32;
            type CiphertextSize = $c;

            fn generate_keypair_from_rng<R: kem::common::rand_core::CryptoRng>(
                rng: &mut R,
            ) -> (DecapsulationKey<Self>, EncapsulationKey<Self>) {
                DecapsulationKey::generate_keypair(rng)
            }
        }
    )*};
}

parameter_sets! {
    /// ML-KEM-512 (FIPS 203), security category 1: encapsulation keys of 800 bytes, ciphertexts of 768.
    MlKem512: MlKem, k 2, eta_1 3, d_u 10, d_v 4, ek U800, dk U1632, c U768;
    /// ML-KEM-768 (FIPS 203), security category 3: encapsulation keys of 1184 bytes, ciphertexts of 1088.
    MlKem768: MlKem, k 3, eta_1 2, d_u 10, d_v 4, ek U1184, dk U2400, c U1088;
    /// ML-KEM-1024 (FIPS 203), security category 5: encapsulation keys of 1568 bytes, ciphertexts of 1568.
    MlKem1024: MlKem, k 4, eta_1 2, d_u 11, d_v 5, ek U1568, dk U3168, c U1568;
    /// Kyber512 ("CRYSTALS-Kyber", version 3.02 of 2021), security category 1: encapsulation keys of 800 bytes, ciphertexts of 768.
    Kyber512: KyberRound3, k 2, eta_1 3, d_u 10, d_v 4, ek U800, dk U1632, c U768;
    /// Kyber768 ("CRYSTALS-Kyber", version 3.02 of 2021), security category 3: encapsulation keys of 1184 bytes, ciphertexts of 1088.
    Kyber768: KyberRound3, k 3, eta_1 2, d_u 10, d_v 4, ek U1184, dk U2400, c U1088;
    /// Kyber1024 ("CRYSTALS-Kyber", version 3.02 of 2021), security category 5: encapsulation keys of 1568 bytes, ciphertexts of 1568.
    Kyber1024: KyberRound3, k 4, eta_1 2, d_u 11, d_v 5, ek U1568, dk U3168, c U1568;
}

#[cfg(test)]
mod tests {
    use super::*;
    use hybrid_array::typenum::Unsigned;

    /// The sizes of FIPS 203, table 3, follow from the parameters (sections 5 and 6).
    fn check<P: ParameterSet>() {
        let encapsulation_key = 384 * P::K + 32;
        assert_eq!(P::EncapsulationKeySize::USIZE, encapsulation_key);
        assert_eq!(
            P::ExpandedDecapsulationKeySize::USIZE,
            384 * P::K + encapsulation_key + 64
        );
        assert_eq!(P::CiphertextSize::USIZE, 32 * (P::D_U * P::K + P::D_V));
    }

    #[test]
    fn sizes() {
        check::<MlKem512>();
        check::<MlKem768>();
        check::<MlKem1024>();
        check::<Kyber512>();
        check::<Kyber768>();
        check::<Kyber1024>();
    }
}
