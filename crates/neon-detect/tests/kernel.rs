//! The answer against what Linux writes into `/proc/cpuinfo`.

#[test]
fn the_answer_is_that_of_proc_cpuinfo() {
    let present = if cfg!(all(target_arch = "arm", target_os = "linux")) {
        // An emulator for one process shows its own machine's file, so that only a 32-bit ARM kernel's can be compared.
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let Some(features) = text.lines().find(|line| line.starts_with("Features")) else {
            println!("skipped: no ARM features in /proc/cpuinfo");
            return;
        };
        features
            .split_whitespace()
            .any(|word| word == "neon" || word == "asimd")
    } else {
        cfg!(all(target_arch = "arm", target_feature = "neon"))
    };
    assert_eq!(neon_detect::available(), present);
    assert_eq!(neon_detect::available(), present, "the second call");
}
