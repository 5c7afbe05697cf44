//! The targets and CPU models that are tested, in the order of the matrix.

use anyhow::{Result, bail};

/// A way to build the crates: a target of the compiler, perhaps with flags.
#[derive(Debug)]
pub(crate) struct Target {
    /// What `--target` and the matrix call it: the triple, with `+WORD` where flags make another build of it.
    pub(crate) name: &'static str,
    pub(crate) triple: &'static str,
    pub(crate) rustflags: &'static [&'static str],
    /// Whether the standard library has to be built with these flags too, and so by ourselves.
    pub(crate) own_library: bool,
    pub(crate) system: System,
    /// What the tests run on, the first with every set of features; empty where they can only be built.
    pub(crate) cpus: &'static [Cpu],
}

impl Target {
    /// The names of the rows of the matrix: the CPU models, or [`BUILD`].
    pub(crate) fn rows(&self) -> Vec<&'static str> {
        if self.cpus.is_empty() {
            vec![BUILD]
        } else {
            self.cpus.iter().map(|cpu| cpu.name).collect()
        }
    }
}

/// What lies under the programs of a target, and so what building and running them takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    /// The machine's own, x86_64 Linux.
    Host,
    /// Linux with the GNU C library of another architecture.
    Linux {
        /// The prefix of GNU tools and libraries.
        gnu: &'static str,
        /// Debian's name of the architecture.
        debian: &'static str,
        /// The emulator's name of it.
        qemu: &'static str,
    },
    /// Windows, under wine.
    Windows,
    /// WebAssembly with WASI, in Node.js.
    Wasi,
    /// No operating system: `core` and `alloc` alone.
    Bare,
}

/// A CPU model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cpu {
    /// What `--cpu`, the matrix and the dispatch table call it.
    pub(crate) name: &'static str,
    pub(crate) engine: Engine,
}

/// What executes the instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// This machine's CPU.
    Native,
    /// qemu, with this argument of `-cpu`.
    Qemu(&'static str),
    /// The copy of qemu whose Cortex-A53, A57 and A72 have no AES, SHA-2 and polynomial multiplication instructions.
    QemuWithoutCrypto(&'static str),
    /// Node.js.
    Node,
    /// wine, on this machine's CPU.
    Wine,
}

impl Engine {
    /// Whether it is qemu.
    pub(crate) fn is_emulator(self) -> bool {
        match self {
            Self::Qemu(_) | Self::QemuWithoutCrypto(_) => true,
            Self::Native | Self::Node | Self::Wine => false,
        }
    }
}

const fn native(name: &'static str) -> Cpu {
    let engine = Engine::Native;
    Cpu { name, engine }
}

const fn qemu(name: &'static str, model: &'static str) -> Cpu {
    let engine = Engine::Qemu(model);
    Cpu { name, engine }
}

const fn bare(triple: &'static str) -> Target {
    Target {
        name: triple,
        triple,
        rustflags: &[],
        own_library: false,
        system: System::Bare,
        cpus: &[],
    }
}

const ARMHF: System = System::Linux {
    gnu: "arm-linux-gnueabihf",
    debian: "armhf",
    qemu: "arm",
};

const CORTEX_A7: Cpu = qemu("cortex-a7", "cortex-a7");

/// What stands for a CPU model where nothing can run.
pub(crate) const BUILD: &str = "build";

/// Every target.
pub(crate) const TARGETS: &[Target] = &[
    // qemu emulates no AVX-512: that is tested where the machine has it.
    Target {
        name: "x86_64-unknown-linux-gnu",
        triple: "x86_64-unknown-linux-gnu",
        rustflags: &[],
        own_library: false,
        system: System::Host,
        cpus: &[
            native("native"),
            qemu("sse2", "qemu64,-sse3"),
            qemu("ssse3", "Conroe"),
            // AES instructions and carry-less multiplication, no AVX.
            qemu("aes", "Westmere"),
            // The SIMD of AVX2 for those who have no AES instructions, or none that may be used.
            qemu("avx2-no-aes", "Haswell,-hle,-rtm,-aes,-pclmulqdq"),
            qemu("avx2", "Haswell,-hle,-rtm"),
            // All that qemu has: SHA-NI and VAES on 256 bits too.
            qemu("max", "max"),
        ],
    },
    Target {
        name: "i686-unknown-linux-gnu",
        triple: "i686-unknown-linux-gnu",
        rustflags: &[],
        own_library: false,
        system: System::Linux {
            gnu: "i686-linux-gnu",
            debian: "i386",
            qemu: "i386",
        },
        cpus: &[native("native"), qemu("sse2", "qemu32,-sse3")],
    },
    Target {
        name: "aarch64-unknown-linux-gnu",
        triple: "aarch64-unknown-linux-gnu",
        rustflags: &[],
        own_library: false,
        system: System::Linux {
            gnu: "aarch64-linux-gnu",
            debian: "arm64",
            qemu: "aarch64",
        },
        cpus: &[
            qemu("cortex-a72", "cortex-a72"),
            Cpu {
                name: "cortex-a72-no-crypto",
                engine: Engine::QemuWithoutCrypto("cortex-a72"),
            },
            // SHA-3 and SVE2.
            qemu("neoverse-n2", "neoverse-n2"),
        ],
    },
    Target {
        name: "armv7-unknown-linux-gnueabihf",
        triple: "armv7-unknown-linux-gnueabihf",
        rustflags: &[],
        own_library: false,
        system: ARMHF,
        cpus: &[CORTEX_A7, qemu("max", "max")],
    },
    Target {
        name: "armv7-unknown-linux-gnueabihf+thumb",
        triple: "armv7-unknown-linux-gnueabihf",
        rustflags: &["-Ctarget-feature=+thumb-mode"],
        own_library: false,
        system: ARMHF,
        cpus: &[CORTEX_A7],
    },
    // The plain target leaves NEON out, but not its registers: LLVM uses d16 to d31 for floating point, in the standard
    // library too.
    Target {
        name: "armv7-unknown-linux-gnueabihf+d16",
        triple: "armv7-unknown-linux-gnueabihf",
        rustflags: &["-Ctarget-feature=-d32"],
        own_library: true,
        system: ARMHF,
        // qemu takes NEON away only with these registers.
        cpus: &[qemu("cortex-a7-no-neon", "cortex-a7,neon=off,vfp-d32=off")],
    },
    Target {
        name: "s390x-unknown-linux-gnu",
        triple: "s390x-unknown-linux-gnu",
        rustflags: &[],
        own_library: false,
        system: System::Linux {
            gnu: "s390x-linux-gnu",
            debian: "s390x",
            qemu: "s390x",
        },
        cpus: &[qemu("max", "max")],
    },
    Target {
        name: "riscv64gc-unknown-linux-gnu",
        triple: "riscv64gc-unknown-linux-gnu",
        rustflags: &[],
        own_library: false,
        system: System::Linux {
            gnu: "riscv64-linux-gnu",
            debian: "riscv64",
            qemu: "riscv64",
        },
        cpus: &[qemu("rv64", "rv64")],
    },
    Target {
        name: "wasm32-wasip1",
        triple: "wasm32-wasip1",
        rustflags: &[],
        own_library: false,
        system: System::Wasi,
        cpus: &[Cpu {
            name: "node",
            engine: Engine::Node,
        }],
    },
    Target {
        name: "wasm32-wasip1+simd128",
        triple: "wasm32-wasip1",
        rustflags: &["-Ctarget-feature=+simd128"],
        own_library: false,
        system: System::Wasi,
        cpus: &[Cpu {
            name: "node",
            engine: Engine::Node,
        }],
    },
    Target {
        name: "x86_64-pc-windows-gnu",
        triple: "x86_64-pc-windows-gnu",
        rustflags: &[],
        own_library: false,
        system: System::Windows,
        cpus: &[Cpu {
            name: "wine",
            engine: Engine::Wine,
        }],
    },
    bare("thumbv7em-none-eabihf"),
    bare("riscv32imac-unknown-none-elf"),
    bare("x86_64-unknown-none"),
];

/// The targets of these names, in the order of [`TARGETS`]; all if there is no name.
pub(crate) fn named(names: &[String]) -> Result<Vec<&'static Target>> {
    for name in names {
        if !TARGETS.iter().any(|target| target.name == name) {
            let all: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            bail!("no target `{name}`; there are: {}", all.join(", "));
        }
    }
    let wanted =
        |target: &&Target| names.is_empty() || names.iter().any(|name| name == target.name);
    Ok(TARGETS.iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_begin_with_the_triple() {
        let names: BTreeSet<&str> = TARGETS.iter().map(|target| target.name).collect();
        assert_eq!(names.len(), TARGETS.len());
        for target in TARGETS {
            let rest = target.name.strip_prefix(target.triple).unwrap();
            assert_eq!(rest.starts_with('+'), !target.rustflags.is_empty());
            let cpus: BTreeSet<&str> = target.cpus.iter().map(|cpu| cpu.name).collect();
            assert_eq!(cpus.len(), target.cpus.len(), "{}", target.name);
        }
    }

    #[test]
    fn targets_go_by_their_names() {
        let names = [
            "wasm32-wasip1".to_owned(),
            "thumbv7em-none-eabihf".to_owned(),
        ];
        let found: Vec<&str> = named(&names).unwrap().iter().map(|t| t.name).collect();
        assert_eq!(found, ["wasm32-wasip1", "thumbv7em-none-eabihf"]);
        assert_eq!(named(&[]).unwrap().len(), TARGETS.len());
        let error = named(&["vax".to_owned()]).unwrap_err().to_string();
        assert!(
            error.starts_with("no target `vax`; there are: x86_64"),
            "{error}"
        );
    }
}
