//! The machine-readable form.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Conditions;
use crate::{
    count::Count,
    measure::Measurement,
    suite::{Implementation, Operation},
};

#[derive(Serialize)]
struct Report<'a> {
    date: &'a str,
    cpu: &'a str,
    target: &'a str,
    rustc: &'a str,
    versions: BTreeMap<&'a str, &'a str>,
    clock: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<usize>,
    /// Whether RustCrypto's crates were compiled with their portable code alone.
    rustcrypto_soft: bool,
    /// How to read `ratio`.
    ratio_is: String,
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
    #[serde(flatten)]
    figure: Figure,
    /// From our back end's name to the ratio.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    ratio: BTreeMap<&'a str, f64>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Figure {
    Time {
        iterations: u64,
        ns_median: f64,
        ns_min: f64,
        ns_mad: f64,
        ops_per_second: f64,
        mb_per_second: Option<f64>,
    },
    Count {
        instructions: f64,
        instructions_per_byte: Option<f64>,
    },
}

/// The report of times as indented JSON.
///
/// # Errors
///
/// None that is known: the report has string keys only.
pub(crate) fn format(
    conditions: &Conditions,
    measurements: &[Measurement],
) -> serde_json::Result<String> {
    let entries = measurements.iter().map(|found| {
        let figure = Figure::Time {
            iterations: found.iterations,
            ns_median: found.ns_median,
            ns_min: found.ns_min,
            ns_mad: found.ns_mad,
            ops_per_second: found.ops_per_second(),
            mb_per_second: found.mb_per_second(),
        };
        entry(
            &found.operation,
            found.implementation,
            figure,
            &found.ratios,
        )
    });
    write(conditions, "time", entries.collect())
}

/// The report of instruction counts, in the same form.
///
/// # Errors
///
/// None that is known.
pub(crate) fn format_counts(
    conditions: &Conditions,
    counts: &[Count],
) -> serde_json::Result<String> {
    let entries = counts.iter().map(|found| {
        let figure = Figure::Count {
            instructions: found.instructions,
            instructions_per_byte: found.per_byte(),
        };
        entry(
            &found.operation,
            found.implementation,
            figure,
            &found.ratios,
        )
    });
    write(conditions, "instructions", entries.collect())
}

fn write(
    conditions: &Conditions,
    unit: &str,
    measurements: Vec<Entry<'_>>,
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
        time_ms: conditions.time.map(|time| time.as_millis()),
        rounds: conditions.rounds,
        rustcrypto_soft: conditions.rustcrypto_soft,
        ratio_is: format!(
            "{unit} of the peer / {unit} of ours on that back end; above 1 ours is faster"
        ),
        measurements,
    };
    serde_json::to_string_pretty(&report).map(|text| text + "\n")
}

fn entry<'a>(
    operation: &'a Operation,
    implementation: Implementation,
    figure: Figure,
    ratios: &[(&'a str, f64)],
) -> Entry<'a> {
    Entry {
        operation: operation.to_string(),
        algorithm: operation.algorithm,
        action: operation.action,
        bytes: operation.bytes,
        implementation: implementation.name,
        backend: implementation.backend,
        figure,
        ratio: ratios.iter().copied().collect(),
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
            ..Conditions::of_times(None, Duration::from_millis(7), 5)
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

    #[test]
    fn counts_have_no_times() {
        let found = Count {
            operation: Operation::bulk("Poly1305", "", 16),
            implementation: Implementation::peer("rustcrypto"),
            instructions: 1000.0,
            ratios: vec![("soft", 1.25)],
        };
        let conditions = Conditions::of_counts(Some("cortex-a72".to_owned()));
        let text = format_counts(&conditions, &[found]).expect("it can be written");
        let report: Value = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(report["cpu"], "cortex-a72");
        assert_eq!(report["clock"], "instructions");
        assert_eq!(report["time_ms"], Value::Null);
        assert_eq!(
            report["measurements"],
            json!([{
                "operation": "Poly1305 (16 bytes)", "algorithm": "Poly1305", "action": "", "bytes": 16,
                "implementation": "rustcrypto", "backend": null,
                "instructions": 1000.0, "instructions_per_byte": 62.5,
                "ratio": { "soft": 1.25 },
            }])
        );
    }
}
