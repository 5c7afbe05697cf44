//! The CPU's name, for the report.

/// The name that the CPU or the system gives, else the architecture's.
pub(crate) fn name() -> String {
    brand()
        .or_else(system_name)
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// CPUID's brand string.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn brand() -> Option<String> {
    tidy(
        raw_cpuid::CpuId::new()
            .get_processor_brand_string()?
            .as_str(),
    )
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn brand() -> Option<String> {
    None
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn system_name() -> Option<String> {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").ok();
    // ARM kernels give numbers in place of names; lscpu knows what they mean.
    cpuinfo
        .and_then(|text| field(&text, &["model name", "cpu model", "cpu", "uarch"]))
        .or_else(|| field(&output("lscpu", &[])?, &["model name"]))
}

#[cfg(target_vendor = "apple")]
fn system_name() -> Option<String> {
    tidy(&output("sysctl", &["-n", "machdep.cpu.brand_string"])?)
}

#[cfg(windows)]
fn system_name() -> Option<String> {
    tidy(&std::env::var("PROCESSOR_IDENTIFIER").ok()?)
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    windows
)))]
fn system_name() -> Option<String> {
    tidy(&output("sysctl", &["-n", "hw.model"])?)
}

#[cfg(not(windows))]
fn output(program: &str, args: &[&str]) -> Option<String> {
    let output = std::process::Command::new(program)
        .args(args)
        .output()
        .ok()?;
    String::from_utf8(output.stdout).ok()
}

/// The first value of `key: value` lines under the first of the keys that has one, in any case of letters.
#[cfg(any(test, target_os = "linux", target_os = "android"))]
fn field(text: &str, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| {
        text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            if name.trim().eq_ignore_ascii_case(key) {
                tidy(value)
            } else {
                None
            }
        })
    })
}

/// Single spaces, no ends; nothing for an empty name.
fn tidy(name: &str) -> Option<String> {
    let name = name
        .trim_matches('\0')
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    (!name.is_empty() && name != "-").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_name() {
        assert!(!name().is_empty());
    }

    #[test]
    fn fields() {
        let text = "processor\t: 0\nCPU part\t: 0xd0b\nModel name:   Cortex-A76  r4p1\n";
        assert_eq!(
            field(text, &["cpu", "model name"]).as_deref(),
            Some("Cortex-A76 r4p1")
        );
        assert_eq!(field(text, &["hardware"]), None);
        assert_eq!(field("model name : \n", &["model name"]), None);
    }
}
