//! The combinations of features that a crate is checked in.

use cargo_metadata::Package;

/// With up to this many features every combination is checked.
const POWERSET_MAX: usize = 4;

/// The non-empty combinations of the features of a crate. `default` is none of them: it stands for others.
pub(super) fn combinations(package: &Package) -> Vec<Vec<&str>> {
    let features: Vec<&str> = package
        .features
        .keys()
        .map(String::as_str)
        .filter(|feature| *feature != "default")
        .collect();
    combinations_of(&features)
}

fn combinations_of<'a>(features: &[&'a str]) -> Vec<Vec<&'a str>> {
    let count = features.len();
    let wanted = |size: usize| count <= POWERSET_MAX || size <= 2 || size == count;
    (1..1_u64 << count)
        .filter(|mask| wanted(mask.count_ones() as usize))
        .map(|mask| {
            (0..count)
                .filter(|i| mask >> i & 1 == 1)
                .map(|i| features[i])
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_features_make_a_powerset() {
        assert!(combinations_of(&[]).is_empty());
        assert_eq!(
            combinations_of(&["a", "b"]),
            [vec!["a"], vec!["b"], vec!["a", "b"]]
        );
        assert_eq!(combinations_of(&["a", "b", "c", "d"]).len(), 15);
    }

    #[test]
    fn many_features_make_singles_pairs_and_all() {
        let all = ["a", "b", "c", "d", "e", "f"];
        let combinations = combinations_of(&all);
        assert_eq!(combinations.len(), 6 + 15 + 1);
        assert!(combinations.contains(&all.to_vec()));
        assert!(combinations.contains(&vec!["c", "f"]));
    }
}
