//! Tables in Markdown.

/// A table with its numbers to the right: all columns but the first `left`.
pub(super) fn markdown(left: usize, headers: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<&str> = (0..headers.len())
        .map(|column| if column < left { "---" } else { "---:" })
        .collect();
    let mut text = line(headers) + &format!("|{}|\n", rule.join("|"));
    for row in rows {
        text += &line(row);
    }
    text
}

/// Three digits that count; whole numbers from a hundred on, with thin spaces between thousands.
pub(super) fn number(value: f64) -> String {
    let precision = match value {
        value if value < 0.995 => 3,
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    let text = format!("{value:.precision$}");
    if precision > 0 {
        return text;
    }
    let mut grouped = String::new();
    for (i, digit) in text.chars().enumerate() {
        if i > 0 && (text.len() - i) % 3 == 0 {
            grouped.push('\u{2009}');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let numbers = [0.0312, 1.5, 42.04, 99.96, 123.4, 1_234_567.0].map(number);
        assert_eq!(
            numbers,
            [
                "0.031",
                "1.50",
                "42.0",
                "100",
                "123",
                "1\u{2009}234\u{2009}567"
            ]
        );
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let text = markdown(1, &words(&["who", "ns"]), &[words(&["ours", "5"])]);
        assert_eq!(text, "| who | ns |\n|---|---:|\n| ours | 5 |\n");
    }
}
