//! The matrix as text for the terminal, as Markdown and as JSON.

use anyhow::Result;

use super::cells::Matrix;
use crate::cross::SPARSE_VARIABLE;

/// A table whose columns are aligned, then the remarks.
pub(super) fn terminal(matrix: &Matrix) -> String {
    let table = table(matrix);
    let widths: Vec<usize> = (0..table[0].len())
        .map(|column| table.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in &table {
        let mut line = String::new();
        for (word, width) in row.iter().zip(&widths) {
            line += &format!("{word:width$}  ");
        }
        text += line.trim_end();
        text.push('\n');
    }
    for remark in remarks(matrix) {
        text += &format!("{remark}\n");
    }
    text
}

/// The page for `docs/`.
pub(super) fn markdown(matrix: &Matrix) -> String {
    let backend = match &matrix.backend {
        Some(name) => format!(", with the back end `{name}` forced"),
        None => String::new(),
    };
    let more = if matrix.quick {
        ""
    } else {
        "; in the first row of a target also the examples of the documentation, and all again without any feature"
    };
    let mut text = format!(
        "# Test matrix\n\n\
         Made by `cargo xtask test --all --report` on {} with {}{backend}.\n\n\
         A number is how many tests passed: unit and integration tests with all features{more}.\n\n\
         `builds` stands where no program can run. `dispatch` is `ok` where every crate chose the back end that\n\
         `xtask/cross/dispatch.txt` names for the CPU model. An instruction that the model lacks ends the test program.\n\
         Under qemu, which is most models, `{SPARSE_VARIABLE}` is set: the longest sweeps leave cases out.\n\n",
        matrix.date,
        matrix.versions.join(", "),
    );
    for (index, row) in table(matrix).iter().enumerate() {
        text += &format!("| {} |\n", row.join(" | "));
        if index == 0 {
            text += &format!("|{}\n", " --- |".repeat(row.len()));
        }
    }
    for (index, remark) in remarks(matrix).iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        text += &format!("{gap}- {remark}\n");
    }
    text
}

/// Everything, for programs.
pub(super) fn json(matrix: &Matrix) -> Result<String> {
    Ok(serde_json::to_string_pretty(matrix)? + "\n")
}

/// The words of the table; the first row holds the headings.
fn table(matrix: &Matrix) -> Vec<Vec<String>> {
    let headings = ["target", "CPU"].map(str::to_owned).into_iter();
    let mut table = vec![headings.chain(matrix.columns.iter().cloned()).collect()];
    for row in &matrix.rows {
        let mut words = vec![row.target.clone(), row.cpu.clone()];
        words.extend(matrix.columns.iter().map(|column| {
            let cell = row.cell(column);
            cell.map_or_else(|| "-".to_owned(), |cell| cell.brief())
        }));
        table.push(words);
    }
    table
}

/// A line for each row and reason that something is not as it should be.
fn remarks(matrix: &Matrix) -> Vec<String> {
    let mut lines = Vec::new();
    for row in &matrix.rows {
        for remark in row.remarks() {
            let columns = if remark.columns.len() > 1 && remark.columns.len() == row.cells.len() {
                "all".to_owned()
            } else {
                remark.columns.join(", ")
            };
            let text = remark.text;
            lines.push(format!("{} {}, {columns}: {text}", row.target, row.cpu));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::cells::tests::sample;
    use super::*;

    #[test]
    fn the_terminal_has_aligned_columns_and_the_remarks() {
        let text = terminal(&sample());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "target  CPU     aes-vpaes  kyber        dispatch");
        assert_eq!(lines[1], "x86     native  7          3, 2 FAILED  ok");
        assert_eq!(lines[2], "arm     max     skipped    skipped      -");
        assert!(lines[3].starts_with("x86 native, kyber: 3 passed, 2 failed"));
        assert_eq!(lines[4], "arm max, all: skipped: no linker");
    }

    #[test]
    fn markdown_is_a_table() {
        let text = markdown(&sample());
        assert!(
            text.contains("on 1970-01-02 with Rust 1.95.0, qemu 11."),
            "{text}"
        );
        let head =
            "\n| target | CPU | aes-vpaes | kyber | dispatch |\n| --- | --- | --- | --- | --- |\n";
        assert!(text.contains(head), "{text}");
        assert!(
            text.contains("\n- arm max, all: skipped: no linker\n"),
            "{text}"
        );
    }

    #[test]
    fn json_tells_results_and_reasons() {
        let json: serde_json::Value = serde_json::from_str(&json(&sample()).unwrap()).unwrap();
        let cell = &json["rows"][0]["cells"][0];
        assert_eq!(cell["name"], "aes-vpaes");
        assert_eq!(cell["result"], "ran");
        assert_eq!(cell["passed"], 7);
        assert_eq!(json["rows"][1]["cells"][1]["reason"], "no linker");
    }
}
