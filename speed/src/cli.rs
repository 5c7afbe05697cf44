//! The command line.

use std::{path::PathBuf, time::Duration};

use clap::Parser;

use crate::peers::Peer;

const EXAMPLES: &str = "\
Examples:
  cargo xtask speed                                   everything, on every back end of this CPU
  cargo xtask speed chacha20-poly1305 --vs boring     one algorithm beside BoringSSL
  cargo xtask speed 'aes-128 encrypt' --vs rustcrypto
  cargo xtask speed --backend soft --vs rustcrypto    portable code against portable code
  cargo xtask speed --vs all --json speed.json --plot speed.svg
  cargo xtask speed --target aarch64-unknown-linux-gnu --vs rustcrypto      instructions, under an emulator
  cargo xtask speed --mca cortex-a53 --kernel chacha20,poly1305             cycles of hot loops, by llvm-mca
  cargo xtask speed --report                                                write docs/speed

Three options are those of cargo xtask, which speed/README.md describes: --target T with --cpu C counts the instructions
of the same operations on another CPU; --mca CPU with --kernel K estimates the cycles of hot loops; --report,
--report host, counts, mca writes the pages in docs/speed.

Each line reads
  Did N OPERATION operations in Tus (X ops/sec): Y MB/s [IMPLEMENTATION BACKEND]
N and T (microseconds) are totals of all rounds; X and Y come from the median round. A peer's
line ends in
  x1.83 soft, x3.40 avx2
which is the time of the peer / the time of ours on that back end, the median of the ratios of
all rounds: above 1 ours is faster. All implementations of an operation take turns, and every
output is compared with RustCrypto's before anything is timed.

What is measured: `encrypt setup` and `decrypt setup` make a key (wiping it is left out);
`encrypt` and `decrypt` of AES chain one block (latency); CTR and CBC run in place under a key
that is set up, CBC on whole blocks (1350 bytes are sent as 1360); ChaCha20 and Poly1305 take
their key anew in each call; `seal` and `open` of ChaCha20-Poly1305 have 13 bytes of additional
data, `setup + seal` makes the key and drops it in each call; those of AES-CBC with SHA1 or SHA256
are TLS records with 11 bytes of it and an IV given with each, and every `open` includes one copy
of what is opened for every implementation.
Keccak-f1600 chains one state, or two, four, eight side by side; SHA3-256, SHAKE128,
TurboSHAKE128 and KT128 hash a message of that length to 32 bytes. Of ML-KEM and Kyber, `keygen`
encodes the public key too, `encaps` and `decaps` have keys in the form that the implementation
works with (ours, expanded), `generate + decap` and `parse + encap` are the two sides with fresh
keys; randomness is the system's or the library's, and dropping a key, with wiping where that is
done, is counted.

RustCrypto has no crate for TLS records: its side is put together of aes, cbc, hmac, sha1 and
sha2, and its `open` is NOT constant-time. The hashes' compression in ours is that of sha1 and
sha2 too, which take the CPU's instructions if there are any.

On x86-64 with AES instructions, where BoringSSL, AWS-LC or OpenSSL take part in operations of AES,
these are measured once more without such instructions, against our back ends that have none:
what CPUs without them get. Of files, that run writes its own, FILE-without-aes.";

/// Time the workspace's crates, on every back end, beside other implementations.
#[derive(Debug, Parser)]
#[command(name = "speed", version, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Measure operations whose name contains FILTER, in any case of letters; several: any of them. With `=` before it,
    /// it is the whole name, which may leave out the length
    #[arg(value_name = "FILTER")]
    pub(crate) filters: Vec<String>,

    /// Measure our crates on this back end (repeatable; default: all that this CPU can run)
    ///
    /// `soft` is the portable one of this target's word size, `auto` the one that a user gets by default. A crate
    /// that has no such back end is left out.
    #[arg(long = "backend", value_name = "NAME", value_delimiter = ',')]
    pub(crate) backends: Vec<String>,

    /// Measure these implementations in turns with ours and print the ratio (repeatable, or separated by commas)
    #[arg(long = "vs", value_name = "PEER", value_enum, value_delimiter = ',')]
    pub(crate) peers: Vec<Peer>,

    /// Measure these message lengths only; operations without a length are measured all the same (repeatable, or
    /// separated by commas)
    #[arg(long = "sizes", value_name = "BYTES", value_delimiter = ',')]
    pub(crate) sizes: Vec<usize>,

    /// Milliseconds for each measurement
    #[arg(long, value_name = "MS", default_value = "200", value_parser = parse_millis)]
    pub(crate) time: Duration,

    /// Write the results to FILE as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Draw the results as a chart, an SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,

    /// List the operations and who would take part, and stop
    #[arg(long)]
    pub(crate) list: bool,

    /// Measure AES alone and without AES instructions, which the program itself asks for
    #[arg(long, hide = true, conflicts_with_all = ["list", "counter", "windows"])]
    pub(crate) without_aes: bool,

    /// What the report calls the CPU, in place of the name that the CPU gives itself
    #[arg(long, value_name = "NAME", hide = true)]
    pub(crate) cpu_name: Option<String>,

    /// Count instructions: the emulator's plugin, under which the program runs, writes their number into FILE
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["plot", "list"])]
    pub(crate) counter: Option<PathBuf>,

    /// Run everything N times in a window of its own, for an instrument that records what is executed
    #[arg(long, value_name = "N", hide = true, conflicts_with_all = ["plot", "list", "counter", "json"])]
    pub(crate) windows: Option<u64>,

    /// With `--windows`: stop at both ends of each window
    #[arg(long, hide = true, requires = "windows")]
    pub(crate) stop: bool,
}

fn parse_millis(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(millis @ 1..=3_600_000) => Ok(Duration::from_millis(millis)),
        _ => Err("not a number of milliseconds from 1 to 3600000".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn values() {
        let args = [
            "speed",
            "aes",
            "--vs",
            "rustcrypto,ring",
            "seal",
            "--backend",
            "soft",
            "--time",
            "5",
        ];
        let args = Args::try_parse_from(args).expect("the arguments are right");
        assert_eq!(args.filters, ["aes", "seal"]);
        assert_eq!(args.peers, [Peer::RustCrypto, Peer::Ring]);
        assert_eq!(args.backends, ["soft"]);
        assert_eq!(args.time, Duration::from_millis(5));
        for wrong in ["0", "-1", "1.5", "soon"] {
            assert!(
                Args::try_parse_from(["speed", &format!("--time={wrong}")]).is_err(),
                "{wrong}"
            );
        }
    }
}
