//! The few robust statistics that a measurement needs.

/// The median: the middle value, or the mean of the two middle ones. NaN for no values.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// The smallest value. NaN for no values.
pub(crate) fn min(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NAN, f64::min)
}

/// The median absolute deviation from the median, not scaled.
pub(crate) fn mad(values: &[f64]) -> f64 {
    let centre = median(values);
    median(
        &values
            .iter()
            .map(|value| (value - centre).abs())
            .collect::<Vec<_>>(),
    )
}

/// The median of `numerators[i] / denominators[i]`.
///
/// Both sides of a pair were measured within the same few milliseconds, so that a slow phase of the machine
/// falls out of the quotient.
pub(crate) fn median_ratio(numerators: &[f64], denominators: &[f64]) -> f64 {
    median(
        &numerators
            .iter()
            .zip(denominators)
            .map(|(n, d)| n / d)
            .collect::<Vec<_>>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_even_and_none() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&[7.0]), 7.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn smallest() {
        assert_eq!(min(&[3.0, 1.0, 2.0]), 1.0);
        assert!(min(&[]).is_nan());
    }

    #[test]
    fn mad_ignores_one_outlier() {
        // Deviations from the median 3: 2 1 0 1 997.
        assert_eq!(mad(&[1.0, 2.0, 3.0, 4.0, 1000.0]), 1.0);
        assert_eq!(mad(&[5.0, 5.0, 5.0]), 0.0);
    }

    #[test]
    fn ratio_is_taken_pair_by_pair() {
        // The machine was ten times slower in the last round: the ratio of that round is the same.
        assert_eq!(median_ratio(&[2.0, 4.0, 20.0], &[1.0, 2.0, 10.0]), 2.0);
        // Where the medians' quotient and the quotients' median differ, it is the latter.
        assert_eq!(median_ratio(&[1.0, 2.0, 3.0], &[1.0, 1.0, 10.0]), 1.0);
    }
}
