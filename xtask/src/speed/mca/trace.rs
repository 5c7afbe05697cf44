//! What the speed tool executed, window by window.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

/// What the tool prints before each window.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(super) struct Case {
    /// Where the function `speed_mark` lay.
    mark: u64,
    pub(super) operation: String,
    pub(super) bytes: Option<u64>,
    pub(super) implementation: String,
    pub(super) backend: Option<String>,
    /// How often the operation ran.
    pub(super) runs: u64,
    /// `name version` of every crate in the program.
    pub(super) versions: Vec<String>,
}

/// A case and the addresses of its instructions as they are in the program's file.
#[derive(Debug)]
pub(super) struct Window {
    pub(super) case: Case,
    pub(super) addresses: Vec<u64>,
}

/// Puts together what the tool printed and what was recorded. `mark` is where the file has `speed_mark`.
pub(super) fn windows(output: &str, recorded: Vec<Vec<u64>>, mark: u64) -> Result<Vec<Window>> {
    let cases = output
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<Vec<Case>, _>>()
        .context("the speed tool did not print what was expected")?;
    if cases.len() != recorded.len() {
        bail!(
            "{} windows were recorded of {}",
            recorded.len(),
            cases.len()
        );
    }
    let windows = cases.into_iter().zip(recorded);
    Ok(windows
        .map(|(case, mut addresses)| {
            // The mark at the end belongs to what comes after.
            let end = addresses
                .iter()
                .skip(1)
                .position(|&address| address == case.mark);
            addresses.truncate(end.map_or(addresses.len(), |end| end + 1));
            for address in &mut addresses {
                *address = address.wrapping_sub(case.mark).wrapping_add(mark);
            }
            Window { case, addresses }
        })
        .collect())
}

/// Reads what the emulator's plugin wrote: eight bytes an address, and a zero at each window's end.
pub(super) fn read(file: &Path) -> Result<Vec<Vec<u64>>> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(split(&bytes))
}

fn split(bytes: &[u8]) -> Vec<Vec<u64>> {
    let (words, _) = bytes.as_chunks();
    let mut windows = vec![Vec::new()];
    for address in words.iter().map(|word| u64::from_ne_bytes(*word)) {
        match windows.last_mut() {
            Some(window) if address != 0 => window.push(address),
            _ => windows.push(Vec::new()),
        }
    }
    // What follows the last window's end.
    windows.pop();
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_are_split() {
        let bytes: Vec<u8> = [5_u64, 6, 0, 7, 0].map(u64::to_ne_bytes).concat();
        assert_eq!(split(&bytes), [vec![5, 6], vec![7]]);
        assert!(split(&[]).is_empty());
    }

    #[test]
    fn addresses_become_those_of_the_file() {
        let line = r#"{"mark":4096,"operation":"Keccak-f1600","bytes":null,"implementation":"ours","backend":"soft","runs":3,"versions":[]}"#;
        let windows = windows(line, vec![vec![4096, 4100, 4096, 5]], 96).unwrap();
        assert_eq!(windows[0].addresses, [96, 100]);
        assert_eq!(windows[0].case.backend.as_deref(), Some("soft"));
        assert!(super::windows(line, Vec::new(), 96).is_err());
        assert!(super::windows("Did 7", vec![vec![1]], 96).is_err());
    }
}
