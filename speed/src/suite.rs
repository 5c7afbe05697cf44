//! The operations to measure and, for each, the implementations that take turns.

use std::fmt;

/// What is done: an algorithm, an action and, for bulk operations, a number of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) algorithm: &'static str,
    pub(crate) action: &'static str,
    pub(crate) bytes: Option<usize>,
}

impl Operation {
    /// An operation on `bytes` bytes, reported in MB/s too.
    pub(crate) fn bulk(algorithm: &'static str, action: &'static str, bytes: usize) -> Self {
        Self {
            algorithm,
            action,
            bytes: Some(bytes),
        }
    }

    /// An operation without a length.
    pub(crate) fn single(algorithm: &'static str, action: &'static str) -> Self {
        Self {
            algorithm,
            action,
            bytes: None,
        }
    }

    /// What a chart puts together in one panel: the lengths of a bulk operation, all that an algorithm without lengths does.
    pub(crate) fn title(&self) -> String {
        match self.bytes {
            Some(_) => self.group(),
            None => self.algorithm.to_owned(),
        }
    }

    /// The name without the length.
    pub(crate) fn group(&self) -> String {
        format!("{} {}", self.algorithm, self.action)
            .trim_end()
            .to_owned()
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.algorithm)?;
        if let Some(bytes) = self.bytes {
            write!(f, " ({bytes} bytes)")?;
        }
        if !self.action.is_empty() {
            write!(f, " {}", self.action)?;
        }
        Ok(())
    }
}

/// Who does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Implementation {
    /// `ours`, or a peer's name.
    pub(crate) name: &'static str,
    /// The back end, where it is known.
    pub(crate) backend: Option<&'static str>,
}

impl Implementation {
    /// The name of this workspace's crates.
    pub(crate) const OURS: &'static str = "ours";

    /// One of our back ends.
    pub(crate) const fn ours(backend: &'static str) -> Self {
        Self {
            name: Self::OURS,
            backend: Some(backend),
        }
    }

    /// A peer that chooses its code by itself.
    pub(crate) const fn peer(name: &'static str) -> Self {
        Self {
            name,
            backend: None,
        }
    }

    pub(crate) fn is_ours(&self) -> bool {
        self.name == Self::OURS
    }
}

impl fmt::Display for Implementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if let Some(backend) = self.backend {
            write!(f, " {backend}")?;
        }
        Ok(())
    }
}

/// Which operations are wanted: those whose name holds one of the texts, or is what follows `=` in one, in any case of
/// letters, and whose length, if they have one, is among the sizes.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    texts: Vec<String>,
    sizes: Vec<usize>,
}

impl Filter {
    pub(crate) fn new(texts: &[String], sizes: &[usize]) -> Self {
        Self {
            texts: texts.iter().map(|text| text.to_lowercase()).collect(),
            sizes: sizes.to_vec(),
        }
    }

    /// No text at all wants everything, and so does no size. The name is tried with and without its length.
    pub(crate) fn wants(&self, operation: &Operation) -> bool {
        if let Some(bytes) = operation.bytes
            && !self.sizes.is_empty()
            && !self.sizes.contains(&bytes)
        {
            return false;
        }
        let names = [
            operation.to_string().to_lowercase(),
            operation.group().to_lowercase(),
        ];
        self.texts.is_empty()
            || self.texts.iter().any(|text| match text.strip_prefix('=') {
                Some(whole) => names.iter().any(|name| name == whole),
                None => names.iter().any(|name| name.contains(text)),
            })
    }
}

/// One implementation of one operation, ready to run.
pub(crate) struct Case {
    pub(crate) implementation: Implementation,
    /// Runs the operation this many times.
    pub(crate) run: Box<dyn FnMut(u64)>,
}

/// One operation with all who take turns at it.
pub(crate) struct Contest {
    pub(crate) operation: Operation,
    pub(crate) cases: Vec<Case>,
}

/// All contests, in the order in which they were first named.
#[derive(Default)]
pub(crate) struct Suite {
    filter: Filter,
    contests: Vec<Contest>,
    mismatches: Vec<String>,
}

impl Suite {
    pub(crate) fn new(filter: Filter) -> Self {
        Self {
            filter,
            ..Self::default()
        }
    }

    pub(crate) fn wants(&self, operation: &Operation) -> bool {
        self.filter.wants(operation)
    }

    /// Enters an implementation, if its operation is wanted and `output` is what is `expected`.
    pub(crate) fn enter(
        &mut self,
        implementation: Implementation,
        operation: Operation,
        output: &[u8],
        expected: &[u8],
        mut once: impl FnMut() + 'static,
    ) {
        if !self.wants(&operation) {
            return;
        }
        if output != expected {
            self.mismatches
                .push(format!("{operation}: {implementation}"));
            return;
        }
        let run = Box::new(move |count| {
            for _ in 0..count {
                once();
            }
        });
        let case = Case {
            implementation,
            run,
        };
        match self
            .contests
            .iter_mut()
            .find(|contest| contest.operation == operation)
        {
            Some(contest) => contest.cases.push(case),
            None => self.contests.push(Contest {
                operation,
                cases: vec![case],
            }),
        }
    }

    /// The contests that at least one of our crates takes part in.
    ///
    /// # Errors
    ///
    /// The operations and implementations whose output was wrong.
    pub(crate) fn into_contests(self) -> Result<Vec<Contest>, Vec<String>> {
        if !self.mismatches.is_empty() {
            return Err(self.mismatches);
        }
        let mut contests = self.contests;
        contests.retain(|contest| {
            contest
                .cases
                .iter()
                .any(|case| case.implementation.is_ours())
        });
        Ok(contests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal() -> Operation {
        Operation::bulk("ChaCha20-Poly1305", "seal", 1350)
    }

    fn filter(texts: &[&str]) -> Filter {
        Filter::new(
            &texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>(),
            &[],
        )
    }

    #[test]
    fn names() {
        assert_eq!(seal().to_string(), "ChaCha20-Poly1305 (1350 bytes) seal");
        assert_eq!(seal().group(), "ChaCha20-Poly1305 seal");
        assert_eq!(
            Operation::single("AES-128", "encrypt setup").to_string(),
            "AES-128 encrypt setup"
        );
        assert_eq!(
            Operation::bulk("Poly1305", "", 16).to_string(),
            "Poly1305 (16 bytes)"
        );
        assert_eq!(Operation::bulk("Poly1305", "", 16).group(), "Poly1305");
        assert_eq!(Implementation::ours("soft").to_string(), "ours soft");
        assert_eq!(Implementation::peer("ring").to_string(), "ring");
    }

    #[test]
    fn filter_is_a_substring_in_any_case() {
        assert!(filter(&[]).wants(&seal()));
        assert!(filter(&["CHACHA20-poly"]).wants(&seal()));
        assert!(filter(&["(1350 bytes) se"]).wants(&seal()));
        assert!(filter(&["poly1305 seal"]).wants(&seal()));
        assert!(filter(&["aes", "seal"]).wants(&seal()));
        assert!(!filter(&["aes"]).wants(&seal()));
        assert!(!filter(&["open", "16384"]).wants(&seal()));
    }

    #[test]
    fn filter_with_an_equals_sign_is_the_whole_name() {
        assert!(filter(&["=chacha20-poly1305 seal"]).wants(&seal()));
        assert!(filter(&["=ChaCha20-Poly1305 (1350 bytes) seal"]).wants(&seal()));
        assert!(!filter(&["=poly1305 seal", "=chacha20-poly1305"]).wants(&seal()));
        let keygen = Operation::single("ML-KEM-768", "keygen");
        assert!(filter(&["=ML-KEM-768 keygen"]).wants(&keygen));
        assert!(!filter(&["=ML-KEM-768"]).wants(&keygen));
    }

    #[test]
    fn sizes_leave_operations_without_a_length_alone() {
        let filter = Filter::new(&[], &[64, 1350]);
        assert!(filter.wants(&seal()));
        assert!(filter.wants(&Operation::single("AES-128", "encrypt")));
        assert!(!filter.wants(&Operation::bulk("Poly1305", "", 16)));
    }

    #[test]
    fn wrong_output_is_named() {
        let mut suite = Suite::default();
        suite.enter(
            Implementation::ours("soft"),
            seal(),
            b"right",
            b"right",
            || (),
        );
        suite.enter(
            Implementation::peer("other"),
            seal(),
            b"wrong",
            b"right",
            || (),
        );
        let named = suite
            .into_contests()
            .err()
            .expect("the mismatch is an error");
        assert_eq!(named, ["ChaCha20-Poly1305 (1350 bytes) seal: other"]);
    }

    #[test]
    fn contests_without_ours_are_left_out() {
        let mut suite = Suite::new(filter(&["aes", "seal"]));
        suite.enter(
            Implementation::peer("other"),
            Operation::single("AES-128", "encrypt"),
            b"",
            b"",
            || (),
        );
        suite.enter(Implementation::peer("other"), seal(), b"", b"", || ());
        suite.enter(Implementation::ours("soft"), seal(), b"", b"", || ());
        suite.enter(
            Implementation::ours("soft"),
            Operation::bulk("Poly1305", "", 16),
            b"",
            b"",
            || (),
        );
        let contests = suite.into_contests().expect("all outputs are right");
        assert_eq!(contests.len(), 1);
        assert_eq!(contests[0].operation, seal());
        assert_eq!(contests[0].cases.len(), 2);
    }
}
