//! The back end that every crate chooses on every CPU model, against a table.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail};

/// The table: a line of headings (`target cpu CRATE…`), then one line for each CPU model.
const TABLE: &str = include_str!("../../cross/dispatch.txt");

/// For each crate its back ends on one CPU, such as `soft,*soft32`: all that can run, the chosen one marked.
pub(crate) type Choices = BTreeMap<String, String>;

/// Reads what the program `dispatch` prints.
pub(crate) fn read_output(output: &str) -> Result<Choices> {
    let mut choices = Choices::new();
    for line in output.lines() {
        let Some((name, backends)) = line.trim_end().split_once(' ') else {
            bail!("`dispatch` printed `{line}`");
        };
        choices.insert(name.to_owned(), backends.to_owned());
    }
    Ok(choices)
}

/// Checks the choices on a CPU model of a target. An error says what differs, and which line the table lacks.
pub(crate) fn check(target: &str, cpu: &str, crates: &[String], found: &Choices) -> Result<()> {
    check_against(TABLE, target, cpu, crates, found)
}

fn check_against(
    table: &str,
    target: &str,
    cpu: &str,
    crates: &[String],
    found: &Choices,
) -> Result<()> {
    if let Some(missing) = crates.iter().find(|name| !found.contains_key(*name)) {
        bail!("the program `dispatch` knows no {missing}: add it to xtask/dispatch");
    }
    let mut lines = table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.first().is_some_and(|word| !word.starts_with('#')));
    let heading = lines.next().context("dispatch.txt is empty")?;
    let wanted = lines.find(|words| words[0] == target && words.get(1) == Some(&cpu));
    let chosen = |name: &&str| found.get(*name).map_or("?", String::as_str);
    let right: Vec<&str> = heading.iter().skip(2).map(chosen).collect();
    let right = format!("{target} {cpu} {}", right.join(" "));
    let Some(wanted) = wanted else {
        bail!("xtask/cross/dispatch.txt has no line for this; found: {right}");
    };
    if wanted.len() != heading.len() {
        bail!(
            "xtask/cross/dispatch.txt: the line of {target} {cpu} has not as many words as the headings"
        );
    }
    let wanted: Choices = heading
        .iter()
        .zip(&wanted)
        .skip(2)
        .map(|(&name, &backends)| (name.to_owned(), backends.to_owned()))
        .collect();
    if let Some(missing) = found.keys().find(|name| !wanted.contains_key(*name)) {
        bail!("xtask/cross/dispatch.txt has no column for {missing}");
    }
    let different: Vec<String> = wanted
        .iter()
        .filter(|(name, backends)| found.get(*name) != Some(backends))
        .map(|(name, backends)| format!("{name} has {}, not {backends}", chosen(&name.as_str())))
        .collect();
    if different.is_empty() {
        return Ok(());
    }
    bail!(
        "{}; if that is meant, the line in xtask/cross/dispatch.txt is: {right}",
        different.join("; ")
    )
}

/// The line of the table for this machine's own CPU: `native` is known where it is as good as Zen 4 or Ice Lake, whose
/// AVX-512 no emulator has.
pub(crate) fn native_name() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! has {
            ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
        }
        let avx512 = has!("avx512f" "avx512vl" "avx512bw" "avx512vbmi" "avx512ifma");
        if avx512 && has!("vaes" "vpclmulqdq" "gfni" "sha" "bmi2" "adx") {
            return Some("native-avx512");
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::targets::{Engine, TARGETS};

    const SMALL: &str = "# comment\ntarget cpu aes-vpaes kyber\n\nx86 max soft,*avx2 *soft\n";

    fn crates() -> Vec<String> {
        ["aes-vpaes", "kyber"].map(str::to_owned).to_vec()
    }

    fn check_small(cpu: &str, output: &str) -> String {
        let found = read_output(output).unwrap();
        match check_against(SMALL, "x86", cpu, &crates(), &found) {
            Ok(()) => "good".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_the_table_says_is_good_and_all_else_is_not() {
        let good = "aes-vpaes soft,*avx2\nkyber *soft\n";
        assert_eq!(check_small("max", good), "good");
        let missing = check_small("min", good);
        assert!(missing.contains("no line for this"), "{missing}");
        assert!(missing.ends_with("x86 min soft,*avx2 *soft"), "{missing}");
        let other = check_small("max", "aes-vpaes *soft,avx2\nkyber *soft\n");
        assert!(
            other.contains("aes-vpaes has *soft,avx2, not soft,*avx2"),
            "{other}"
        );
        let less = check_small("max", "kyber *soft\n");
        assert!(less.contains("knows no aes-vpaes"), "{less}");
        let more = check_small("max", &format!("{good}sha4 *soft\n"));
        assert!(more.contains("no column for sha4"), "{more}");
    }

    #[test]
    fn the_table_has_every_emulated_model_once_and_no_other() {
        let mut lines: Vec<(&str, &str)> = TABLE
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| {
                let mut words = line.split_whitespace();
                Some((words.next()?, words.next()?))
            })
            .skip(1)
            .collect();
        lines.retain(|(_, cpu)| !cpu.starts_with("native"));
        let mut models: Vec<(&str, &str)> = TARGETS
            .iter()
            .flat_map(|target| target.cpus.iter().map(|cpu| (target.name, cpu)))
            .filter(|(_, cpu)| cpu.engine != Engine::Native && cpu.engine != Engine::Wine)
            .map(|(target, cpu)| (target, cpu.name))
            .collect();
        lines.sort_unstable();
        models.sort_unstable();
        assert_eq!(lines, models);
    }
}
