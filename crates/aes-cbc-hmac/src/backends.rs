//! The back ends: their names, what each needs from the CPU, and the choice between them.

use core::fmt;

/// Defines [`Backend`] of the back ends of `aes-vpaes`.
macro_rules! back_ends {
    ($($(#[$doc:meta])* $variant:ident $name:tt,)*) => {
        /// A named implementation of AES-CBC with HMAC: that of AES by the same name in `aes-vpaes`.
        ///
        /// Every name exists on every target; [`Backend::is_available`] says whether this CPU can run it. The compression
        /// functions of the hashes come from `sha1` and `sha2`, which make their own choice.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Backend {
            $($(#[$doc])* $variant,)*
        }

        impl Backend {
            /// Every back end of this crate, on whatever target.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// What `--cfg aes_cbc_hmac_backend="…"` names.
            const FORCED: Option<Self> = {
                let mut forced = None;
                $(if cfg!(aes_cbc_hmac_backend = $name) {
                    forced = Some(Self::$variant);
                })*
                forced
            };

            /// The lower-case name, such as `ssse3` or `soft32`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The back end of the block cipher.
            pub(crate) const fn aes(self) -> aes_vpaes::Backend {
                match self {
                    $(Self::$variant => aes_vpaes::Backend::$variant,)*
                }
            }
        }
    };
}

back_ends! {
    /// Portable Rust, AES bit-sliced in 64-bit words.
    Soft "soft",
    /// Portable Rust, AES bit-sliced in 32-bit words.
    Soft32 "soft32",
    /// AES by vector permutations on x86 with SSSE3.
    Ssse3 "ssse3",
    /// AES by vector permutations on x86 with AVX2.
    Avx2 "avx2",
    /// AES by vector permutations on x86 with AVX-512.
    Avx512 "avx512",
    /// AES instructions on x86.
    Aesni "aesni",
    /// AES instructions on vectors of 256 bits, x86.
    Vaes256 "vaes256",
    /// AES instructions on vectors of 512 bits, x86.
    Vaes512 "vaes512",
    /// AES by vector permutations and bit-sliced, on 64-bit ARM.
    Neon "neon",
    /// AES instructions on 64-bit ARM.
    ArmV8Ce "armv8_ce",
    /// AES by vector permutations and bit-sliced, on 32-bit ARM with NEON.
    ArmV7Neon "armv7_neon",
    /// AES by vector permutations and bit-sliced, on WebAssembly with SIMD.
    Simd128 "simd128",
}

impl Backend {
    /// The fastest back end that this CPU can run, which [`new`](aead::KeyInit::new) takes.
    ///
    /// `--cfg aes_cbc_hmac_backend="…"` takes the one of that name instead, and the portable one where this CPU cannot
    /// run it; but none faster than the choice of `aes-vpaes`, which may be forced too.
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        let aes = aes_vpaes::Backend::detect();
        let same = Self::ALL.iter().copied().find(|b| b.aes() == aes);
        let same = same.unwrap_or(Self::soft());
        match Self::FORCED {
            None => same,
            Some(forced) if !forced.is_available() => Self::soft(),
            // Of those that one CPU can run, the faster comes later.
            Some(forced) if forced as usize > same as usize => same,
            Some(forced) => forced,
        }
    }

    /// The portable back end for this target's word size.
    #[must_use]
    #[inline]
    pub const fn soft() -> Self {
        if cfg!(target_pointer_width = "64") {
            Self::Soft
        } else {
            Self::Soft32
        }
    }

    /// Every back end that this CPU can run.
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.iter().copied().filter(|b| b.is_available())
    }

    /// Whether this CPU can run the back end.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        self.aes().is_available()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
