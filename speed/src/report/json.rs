//! The machine-readable form.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Conditions;
use crate::measure::Measurement;

#[derive(Serialize)]
struct Report<'a> {
    date: &'a str,
    cpu: &'a str,
    target: &'a str,
    rustc: &'a str,
    versions: BTreeMap<&'a str, &'a str>,
    clock: &'a str,
    time_ms: u128,
    rounds: usize,
    /// Whether RustCrypto's crates were compiled with their portable code alone.
    rustcrypto_soft: bool,
    /// How to read `ratio`.
    ratio_is: &'static str,
    measurements: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    operation: String,
    algorithm: &'a str,
    action: &'a str,
    bytes: Option<usize>,
    implementation: &'a str,
    backend: Option<&'a str>,
    iterations: u64,
    ns_median: f64,
    ns_min: f64,
    ns_mad: f64,
    ops_per_second: f64,
    mb_per_second: Option<f64>,
    /// From our back end's name to the ratio.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    ratio: BTreeMap<&'a str, f64>,
}

/// The report as indented JSON.
///
/// # Errors
///
/// None that is known: the report has string keys only.
pub(crate) fn format(
    conditions: &Conditions,
    measurements: &[Measurement],
) -> serde_json::Result<String> {
    let report = Report {
        date: &conditions.date,
        cpu: &conditions.cpu,
        target: conditions.target,
        rustc: conditions.rustc,
        versions: conditions
            .versions
            .iter()
            .filter_map(|version| version.split_once(' '))
            .collect(),
        clock: conditions.clock,
        time_ms: conditions.time.as_millis(),
        rounds: conditions.rounds,
        rustcrypto_soft: conditions.rustcrypto_soft,
        ratio_is: "time of the peer / time of ours on that back end; above 1 ours is faster",
        measurements: measurements.iter().map(entry).collect(),
    };
    serde_json::to_string_pretty(&report).map(|text| text + "\n")
}

fn entry(found: &Measurement) -> Entry<'_> {
    Entry {
        operation: found.operation.to_string(),
        algorithm: found.operation.algorithm,
        action: found.operation.action,
        bytes: found.operation.bytes,
        implementation: found.implementation.name,
        backend: found.implementation.backend,
        iterations: found.iterations,
        ns_median: found.ns_median,
        ns_min: found.ns_min,
        ns_mad: found.ns_mad,
        ops_per_second: found.ops_per_second(),
        mb_per_second: found.mb_per_second(),
        ratio: found.ratios.iter().copied().collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::{
        report::line::tests::example,
        suite::{Implementation, Operation},
    };

    #[test]
    fn shape() {
        let conditions = Conditions {
            cpu: "Some CPU".to_owned(),
            ..Conditions::new(Duration::from_millis(7), 5)
        };
        let found = [
            example(
                Implementation::ours("soft"),
                Operation::single("AES-128", "encrypt"),
            ),
            example(
                Implementation::peer("ring"),
                Operation::bulk("ChaCha20-Poly1305", "seal", 1350),
            ),
        ];
        let text = format(&conditions, &found).expect("it can be written");
        let report: Value = serde_json::from_str(&text).expect("it can be read");

        assert_eq!(report["cpu"], "Some CPU");
        assert_eq!(report["time_ms"], 7);
        assert_eq!(report["rounds"], 5);
        assert!(
            report["rustc"]
                .as_str()
                .is_some_and(|rustc| rustc.starts_with("rustc "))
        );
        assert!(
            report["versions"]["aes"].is_string() && report["versions"]["aes-vpaes"].is_string()
        );
        let date = report["date"].as_str().expect("the date is a string");
        assert!(humantime::parse_rfc3339(date).is_ok(), "{date}");
        assert_eq!(
            report["measurements"],
            json!([
                {
                    "operation": "AES-128 encrypt", "algorithm": "AES-128", "action": "encrypt", "bytes": null,
                    "implementation": "ours", "backend": "soft", "iterations": 1000,
                    "ns_median": 2000.0, "ns_min": 1990.0, "ns_mad": 5.0,
                    "ops_per_second": 500000.0, "mb_per_second": null,
                },
                {
                    "operation": "ChaCha20-Poly1305 (1350 bytes) seal", "algorithm": "ChaCha20-Poly1305",
                    "action": "seal", "bytes": 1350,
                    "implementation": "ring", "backend": null, "iterations": 1000,
                    "ns_median": 2000.0, "ns_min": 1990.0, "ns_mad": 5.0,
                    "ops_per_second": 500000.0, "mb_per_second": 675.0,
                    "ratio": { "avx2": 3.4, "soft": 1.826 },
                },
            ])
        );
    }
}
