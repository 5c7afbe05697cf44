//! One line a measurement, which begins as those of `bssl speed` do.

use std::fmt::Write;

use crate::{count::Count, measure::Measurement};

/// The line of a measurement, without its end.
pub(crate) fn format(found: &Measurement) -> String {
    let mut line = format!(
        "Did {} {} operations in {:.0}us ({:.1} ops/sec)",
        found.iterations,
        found.operation,
        found.total_ns / 1e3,
        found.ops_per_second(),
    );
    // Writing to a string does not fail.
    if let Some(mb_per_second) = found.mb_per_second() {
        let _ = write!(line, ": {mb_per_second:.1} MB/s");
    }
    let _ = write!(line, " [{}]", found.implementation);
    line + &ratios(&found.ratios)
}

/// The line of an instruction count, without its end.
pub(crate) fn format_count(found: &Count) -> String {
    let mut line = format!("{} {:.0} instructions", found.operation, found.instructions);
    if let Some(per_byte) = found.per_byte() {
        let _ = write!(line, ": {per_byte:.2} a byte");
    }
    let _ = write!(line, " [{}]", found.implementation);
    line + &ratios(&found.ratios)
}

/// What stands behind a peer's line.
fn ratios(ratios: &[(&str, f64)]) -> String {
    let mut text = String::new();
    for (i, (backend, ratio)) in ratios.iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        // Three digits where two would say nothing.
        let precision = if *ratio < 0.1 { 3 } else { 2 };
        let _ = write!(text, "{comma} x{ratio:.precision$} {backend}");
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::suite::{Implementation, Operation};

    /// A measurement with round numbers: 1000 operations of 2 us.
    pub(crate) fn example(implementation: Implementation, operation: Operation) -> Measurement {
        let ratios = if implementation.is_ours() {
            Vec::new()
        } else {
            vec![("soft", 1.826), ("avx2", 3.4)]
        };
        Measurement {
            operation,
            implementation,
            iterations: 1000,
            total_ns: 2_000_400.0,
            ns_median: 2000.0,
            ns_min: 1990.0,
            ns_mad: 5.0,
            ratios,
        }
    }

    #[test]
    fn bulk_operation_of_ours() {
        let found = example(
            Implementation::ours("soft"),
            Operation::bulk("ChaCha20-Poly1305", "seal", 1350),
        );
        assert_eq!(
            format(&found),
            "Did 1000 ChaCha20-Poly1305 (1350 bytes) seal operations in 2000us (500000.0 ops/sec): 675.0 MB/s [ours soft]"
        );
    }

    #[test]
    fn single_operation_has_no_throughput() {
        let found = example(
            Implementation::ours("avx2"),
            Operation::single("AES-128", "encrypt setup"),
        );
        assert_eq!(
            format(&found),
            "Did 1000 AES-128 encrypt setup operations in 2000us (500000.0 ops/sec) [ours avx2]"
        );
    }

    #[test]
    fn peer_ends_in_ratios() {
        let found = example(
            Implementation::peer("ring"),
            Operation::bulk("Poly1305", "", 16),
        );
        assert_eq!(
            format(&found),
            "Did 1000 Poly1305 (16 bytes) operations in 2000us (500000.0 ops/sec): 8.0 MB/s [ring] x1.83 soft, x3.40 avx2"
        );
    }

    #[test]
    fn count_is_whole_and_by_the_byte() {
        let mut found = Count {
            operation: Operation::bulk("Poly1305", "", 16),
            implementation: Implementation::peer("rustcrypto"),
            instructions: 1000.4,
            ratios: vec![("soft", 1.25)],
        };
        assert_eq!(
            format_count(&found),
            "Poly1305 (16 bytes) 1000 instructions: 62.52 a byte [rustcrypto] x1.25 soft"
        );
        found.operation = Operation::single("Keccak-f1600", "");
        found.ratios.clear();
        assert_eq!(
            format_count(&found),
            "Keccak-f1600 1000 instructions [rustcrypto]"
        );
    }

    #[test]
    fn small_ratio_keeps_its_digits() {
        let mut found = example(
            Implementation::peer("boring"),
            Operation::single("AES-128", "encrypt"),
        );
        found.ratios = vec![("soft", 0.0314), ("avx2", 0.954)];
        assert!(format(&found).ends_with("[boring] x0.031 soft, x0.95 avx2"));
    }
}
