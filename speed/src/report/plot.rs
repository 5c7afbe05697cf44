//! The chart: one panel an operation, one colour an implementation.
//!
//! Throughput over the message's length is drawn on logarithmic scales, where equal factors are equal distances and
//! 16 bytes are as readable as 16 KiB. Operations without a length, and those measured at one length only, are bars.

use std::fmt::Display;

use anyhow::anyhow;
use plotters::{
    coord::{
        Shift,
        combinators::{IntoLogRange, LogCoord},
        ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter},
        types::RangedCoordf64,
    },
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::Conditions;
use crate::{
    measure::Measurement,
    suite::{Implementation, Operation},
};

/// A panel's size in pixels; bars may need more height.
const PANEL: (u32, u32) = (500, 330);
/// Height that a bar needs, with its label, and that all around the bars takes.
const BAR_HEIGHT: u32 = 13;
const BARS_FRAME: u32 = 80;
/// Height of the title and of one row of the legend.
const TITLE_HEIGHT: u32 = 84;
const LEGEND_ROW: u32 = 26;
const MARGIN: u32 = 24;
const MOST_COLUMNS: usize = 4;
/// Room for the line under the title.
const LEAST_WIDTH: u32 = 980;

const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(0x22, 0x28, 0x31);
const FAINT_INK: RGBColor = RGBColor(0x6b, 0x72, 0x80);
const GRID: RGBColor = RGBColor(0xe3, 0xe6, 0xea);

/// Ours are cold and peers warm colours.
const OUR_COLOURS: &[RGBColor] = &[
    RGBColor(0x1d, 0x4e, 0x89),
    RGBColor(0x00, 0x9e, 0x8e),
    RGBColor(0x6a, 0x4c, 0x93),
    RGBColor(0x3a, 0x9b, 0xdc),
    RGBColor(0x2b, 0x70, 0x3f),
    RGBColor(0x8f, 0xb8, 0x3a),
    RGBColor(0x5b, 0x5f, 0xc7),
    RGBColor(0x10, 0x2a, 0x43),
];
const PEER_COLOURS: &[RGBColor] = &[
    RGBColor(0xe0, 0x6c, 0x1f),
    RGBColor(0xb8, 0x23, 0x2f),
    RGBColor(0xe5, 0xa9, 0x1a),
    RGBColor(0x8a, 0x5a, 0x44),
    RGBColor(0xd6, 0x5d, 0x9b),
    RGBColor(0x7d, 0x7d, 0x7d),
    RGBColor(0xf2, 0x8f, 0x79),
    RGBColor(0x5c, 0x1a, 0x33),
    RGBColor(0x9a, 0x8f, 0x14),
    RGBColor(0xc7, 0x84, 0xc9),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// One panel's measurements, in the order of the run.
struct Panel<'a> {
    title: String,
    found: Vec<&'a Measurement>,
}

impl Panel<'_> {
    /// The different lengths, in the order of the run.
    fn lengths(&self) -> Vec<usize> {
        let mut lengths: Vec<usize> = self
            .found
            .iter()
            .filter_map(|found| found.operation.bytes)
            .collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    /// Whether there is a line to draw.
    fn is_curve(&self) -> bool {
        self.lengths().len() > 1
    }

    /// The height that it needs.
    fn height(&self) -> u32 {
        if self.is_curve() {
            PANEL.1
        } else {
            PANEL
                .1
                .max(BARS_FRAME + BAR_HEIGHT * self.found.len() as u32)
        }
    }
}

/// A panel for each bulk operation, and one for each algorithm's operations without a length.
fn panels(measurements: &[Measurement]) -> Vec<Panel<'_>> {
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for found in measurements {
        let title = found.operation.title();
        match panels.iter_mut().find(|panel| panel.title == title) {
            Some(panel) => panel.found.push(found),
            None => panels.push(Panel {
                title,
                found: vec![found],
            }),
        }
    }
    panels
}

/// All implementations, each once, ours first, a peer's next to each other.
fn implementations(measurements: &[Measurement]) -> Vec<Implementation> {
    let mut all: Vec<Implementation> = Vec::new();
    for found in measurements {
        if !all.contains(&found.implementation) {
            all.push(found.implementation);
        }
    }
    let found = all.clone();
    let place = |name| found.iter().position(|other| other.name == name);
    all.sort_by_key(|implementation| (!implementation.is_ours(), place(implementation.name)));
    all
}

fn colour(all: &[Implementation], one: Implementation) -> RGBColor {
    let palette = if one.is_ours() {
        OUR_COLOURS
    } else {
        PEER_COLOURS
    };
    let place = all
        .iter()
        .filter(|other| other.is_ours() == one.is_ours())
        .position(|&other| other == one);
    palette[place.unwrap_or_default() % palette.len()]
}

/// Draws the chart as SVG.
///
/// # Errors
///
/// What the drawing library reports.
pub(crate) fn draw(
    conditions: &Conditions,
    measurements: &[Measurement],
) -> anyhow::Result<String> {
    let measurements = &without_back_ends(measurements);
    let panels = panels(measurements);
    let all = implementations(measurements);
    // As many rows as it takes, each about as full as the others.
    let columns = panels
        .len()
        .div_ceil(panels.len().div_ceil(MOST_COLUMNS).max(1));
    let columns = columns.max(1);
    let width = (columns as u32 * PANEL.0).max(LEAST_WIDTH) + 2 * MARGIN;
    let legend = Legend::new(&all, width - 2 * MARGIN);
    let head = TITLE_HEIGHT + legend.rows * LEGEND_ROW;
    let rows = panels.chunks(columns).map(row_height);
    let height = head + rows.sum::<u32>() + MARGIN;

    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        root.fill(&WHITE).map_err(problem)?;
        let (top, rest) = root.split_vertically(head);
        title(&top, conditions)?;
        legend.draw(&top, &all)?;
        let mut rest = rest.margin(0, MARGIN, MARGIN, MARGIN);
        for row in panels.chunks(columns) {
            let (areas, below) = rest.split_vertically(row_height(row));
            rest = below;
            for (panel, area) in row.iter().zip(&areas.split_evenly((1, columns))) {
                if panel.is_curve() {
                    curves(area, panel, &all)?;
                } else {
                    bars(area, panel, &all)?;
                }
            }
        }
        root.present().map_err(problem)?;
    }
    Ok(svg)
}

/// Where each operation has one of our back ends, but not all of them the same one (as with `--backend auto`), they are
/// simply ours, in one colour.
fn without_back_ends(measurements: &[Measurement]) -> Vec<Measurement> {
    let ours = || {
        measurements
            .iter()
            .filter(|one| one.implementation.is_ours())
    };
    let same = |a: &Measurement, b: &Measurement| a.implementation == b.implementation;
    let one_each =
        ours().all(|one| ours().all(|other| one.operation != other.operation || same(one, other)));
    let several = ours()
        .zip(ours().skip(1))
        .any(|(one, other)| !same(one, other));
    let mut measurements = measurements.to_vec();
    if one_each && several {
        for one in &mut measurements {
            if one.implementation.is_ours() {
                one.implementation.backend = None;
            }
        }
    }
    measurements
}

/// The height of the panels that stand side by side.
fn row_height(row: &[Panel<'_>]) -> u32 {
    row.iter().map(Panel::height).max().unwrap_or_default()
}

fn problem(error: impl Display) -> anyhow::Error {
    anyhow!("could not draw the chart: {error}")
}

fn text(size: u32, colour: RGBColor) -> TextStyle<'static> {
    (FONT, size).into_font().color(&colour)
}

fn title(area: &Area<'_>, conditions: &Conditions) -> anyhow::Result<()> {
    let x = MARGIN as i32;
    area.draw_text(
        &format!("Speed on {}", conditions.cpu),
        &text(26, INK),
        (x, 16),
    )
    .map_err(problem)?;
    let day = conditions.date.split('T').next().unwrap_or_default();
    let line = format!(
        "{} · {} · {day} · medians of {} rounds · curves: MB/s, higher is better; bars of ns or µs: lower is better",
        conditions.target,
        conditions.rustc,
        conditions.rounds.unwrap_or_default()
    );
    area.draw_text(&line, &text(14, FAINT_INK), (x, 50))
        .map_err(problem)
}

/// Where each implementation's name stands under the title.
struct Legend {
    /// Left end and row.
    places: Vec<(u32, u32)>,
    rows: u32,
}

impl Legend {
    /// Fills rows of `width` pixels. Glyph widths are not known here; 8 pixels a letter is enough for any common font.
    fn new(all: &[Implementation], width: u32) -> Self {
        let (mut x, mut row) = (0, 0);
        let mut places = Vec::new();
        for implementation in all {
            let needed = 48 + 8 * implementation.to_string().len() as u32;
            if x > 0 && x + needed > width {
                (x, row) = (0, row + 1);
            }
            places.push((x, row));
            x += needed;
        }
        Self {
            places,
            rows: row + 1,
        }
    }

    fn draw(&self, area: &Area<'_>, all: &[Implementation]) -> anyhow::Result<()> {
        let name = text(15, INK).pos(Pos::new(HPos::Left, VPos::Center));
        for (&implementation, &(x, row)) in all.iter().zip(&self.places) {
            let x = (MARGIN + x) as i32;
            let y = (TITLE_HEIGHT + row * LEGEND_ROW) as i32;
            let colour = colour(all, implementation);
            let width = stroke_width(implementation);
            area.draw(&PathElement::new(
                [(x, y), (x + 26, y)],
                colour.stroke_width(width),
            ))
            .map_err(problem)?;
            area.draw(&Circle::new(
                (x + 13, y),
                radius(implementation),
                colour.filled(),
            ))
            .map_err(problem)?;
            area.draw_text(&implementation.to_string(), &name, (x + 34, y))
                .map_err(problem)?;
        }
        Ok(())
    }
}

fn stroke_width(implementation: Implementation) -> u32 {
    if implementation.is_ours() { 3 } else { 2 }
}

fn radius(implementation: Implementation) -> u32 {
    if implementation.is_ours() { 5 } else { 4 }
}

/// An axis with labels of our choice at places of our choice.
struct Axis<Scale> {
    scale: Scale,
    labels: Vec<(f64, String)>,
}

impl<Scale: Ranged<ValueType = f64>> Ranged for Axis<Scale> {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.scale.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.labels.iter().map(|&(place, _)| place).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.scale.range()
    }
}

impl<Scale> ValueFormatter<f64> for Axis<Scale> {
    fn format_ext(&self, value: &f64) -> String {
        self.labels
            .iter()
            .find(|(place, _)| place == value)
            .map_or_else(String::new, |(_, label)| label.clone())
    }
}

/// Throughput over the length.
fn curves(area: &Area<'_>, panel: &Panel<'_>, all: &[Implementation]) -> anyhow::Result<()> {
    let lengths = panel.lengths();
    let throughputs = || panel.found.iter().filter_map(|found| found.mb_per_second());
    let slowest = throughputs().fold(f64::INFINITY, f64::min);
    let fastest = throughputs().fold(0.0, f64::max);
    // At least a decade, so that a difference of a few per cent does not look like a mountain.
    let room = (10.0 * slowest / fastest).sqrt().max(1.3);
    let (low, high) = (slowest / room, fastest * room);
    let x = Axis {
        scale: RangedCoordf64::from(-0.35..lengths.len() as f64 - 0.65),
        labels: lengths
            .iter()
            .enumerate()
            .map(|(place, length)| (place as f64, length.to_string()))
            .collect(),
    };
    let y = Axis {
        scale: LogCoord::from((low..high).log_scale()),
        labels: ticks(low, high)
            .into_iter()
            .map(|tick| (tick, grouped(tick)))
            .collect(),
    };

    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, text(18, INK))
        .margin(10)
        .margin_right(18)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(x, y)
        .map_err(problem)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT_INK)
        .label_style(text(14, INK))
        .axis_desc_style(text(14, FAINT_INK))
        .x_desc("bytes")
        .y_desc("MB/s")
        .draw()
        .map_err(problem)?;
    // Ours last, on top of the others.
    for &implementation in all.iter().rev() {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (place, &length) in lengths.iter().enumerate() {
            let found = panel.found.iter().find(|found| {
                found.implementation == implementation && found.operation.bytes == Some(length)
            });
            points.extend(found.and_then(|found| Some((place as f64, found.mb_per_second()?))));
        }
        let colour = colour(all, implementation);
        chart
            .draw_series(LineSeries::new(
                points.iter().copied(),
                colour.stroke_width(stroke_width(implementation)),
            ))
            .map_err(problem)?;
        chart
            .draw_series(
                points
                    .iter()
                    .map(|&point| Circle::new(point, radius(implementation), colour.filled())),
            )
            .map_err(problem)?;
    }
    Ok(())
}

/// The 1-2-5 numbers between two bounds.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let all =
        (first..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    all.filter(|tick| (low..=high).contains(tick)).collect()
}

/// A rounded number with thin spaces between thousands; below a hundred with one digit after the point, if not zero.
fn grouped(number: f64) -> String {
    if number < 99.95 {
        let text = format!("{number:.1}");
        return text.strip_suffix(".0").unwrap_or(&text).to_owned();
    }
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

/// One bar an implementation for each operation: nano- or microseconds, or MB/s where the operation has a length.
fn bars(area: &Area<'_>, panel: &Panel<'_>, all: &[Implementation]) -> anyhow::Result<()> {
    let mut operations: Vec<_> = Vec::new();
    for found in &panel.found {
        if !operations.contains(&&found.operation) {
            operations.push(&found.operation);
        }
    }
    let shortest = panel.found.iter().map(|found| found.ns_median);
    let (unit, ns) = if operations.iter().any(|operation| operation.bytes.is_some()) {
        ("MB/s", 1.0)
    } else if shortest.fold(f64::INFINITY, f64::min) < 1e3 {
        ("ns", 1.0)
    } else {
        ("µs", 1e3)
    };
    let value = |found: &Measurement| found.mb_per_second().unwrap_or(found.ns_median / ns);
    let longest = panel
        .found
        .iter()
        .map(|found| value(found))
        .fold(0.0, f64::max);
    // The first operation is at the top, where y is largest.
    let name = |operation: &Operation| match operation {
        Operation {
            bytes: Some(bytes), ..
        } => format!("{bytes} bytes"),
        // The algorithm itself, beside what else is done with it.
        Operation { action: "", .. } => operation.algorithm.to_owned(),
        Operation { action, .. } => (*action).to_owned(),
    };
    let centres = operations
        .iter()
        .rev()
        .enumerate()
        .map(|(place, operation)| (place as f64 + 0.5, name(operation)));
    let y = Axis {
        scale: RangedCoordf64::from(0.0..operations.len() as f64),
        labels: centres.collect(),
    };

    let mut chart = ChartBuilder::on(area)
        .caption(format!("{}, {unit}", panel.title), text(18, INK))
        .margin(10)
        .margin_right(18)
        .x_label_area_size(24)
        .y_label_area_size(130)
        .build_cartesian_2d(0.0..longest * 1.15, y)
        .map_err(problem)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT_INK)
        .label_style(text(14, INK))
        .x_labels(6)
        .x_label_formatter(&|&number| grouped(number))
        .draw()
        .map_err(problem)?;

    let panel_height = f64::from(area.dim_in_pixel().1);
    for (place, operation) in operations.iter().enumerate() {
        let top = (operations.len() - place) as f64 - 0.1;
        let found: Vec<_> = panel
            .found
            .iter()
            .filter(|found| found.operation == **operation)
            .collect();
        let thickness = 0.8 / found.len() as f64;
        let height = panel_height * 0.75 / operations.len() as f64 * thickness;
        let label =
            text(height.clamp(8.0, 14.0) as u32, INK).pos(Pos::new(HPos::Left, VPos::Center));
        for (i, found) in found.iter().enumerate() {
            let (from, to) = (
                top - i as f64 * thickness,
                top - (i as f64 + 0.88) * thickness,
            );
            let end = value(found);
            let colour = colour(all, found.implementation);
            chart
                .draw_series([Rectangle::new([(0.0, from), (end, to)], colour.filled())])
                .map_err(problem)?;
            chart
                .draw_series([EmptyElement::at((end, f64::midpoint(from, to)))
                    + Text::new(grouped(end), (5, 0), label.clone())])
                .map_err(problem)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::report::line::tests::example;

    #[test]
    fn ticks_are_one_two_five() {
        assert_eq!(ticks(7.0, 130.0), [10.0, 20.0, 50.0, 100.0]);
        assert_eq!(ticks(0.4, 1.0), [0.5, 1.0]);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0.5), "0.5");
        assert_eq!(grouped(2.0), "2");
        assert_eq!(grouped(13.72), "13.7");
        assert_eq!(grouped(99.97), "100");
        assert_eq!(grouped(999.6), "1\u{2009}000");
        assert_eq!(grouped(1234567.0), "1\u{2009}234\u{2009}567");
    }

    #[test]
    fn legend_wraps() {
        let all = [
            Implementation::ours("soft"),
            Implementation::ours("avx2"),
            Implementation::peer("ring"),
        ];
        let legend = Legend::new(&all, 250);
        assert_eq!(legend.places, [(0, 0), (120, 0), (0, 1)]);
        assert_eq!(legend.rows, 2);
    }

    #[test]
    fn chart_has_title_panels_and_legend() {
        let conditions = Conditions {
            cpu: "Some CPU <x>".to_owned(),
            ..Conditions::of_times(None, Duration::from_millis(7), 5)
        };
        let mut found = Vec::new();
        for who in [Implementation::ours("soft"), Implementation::peer("ring")] {
            for bytes in [16, 1350] {
                found.push(example(
                    who,
                    Operation::bulk("ChaCha20-Poly1305", "seal", bytes),
                ));
            }
            found.push(example(who, Operation::bulk("Poly1305", "", 64)));
            found.push(example(who, Operation::single("AES-128", "encrypt setup")));
        }
        let svg = draw(&conditions, &found).expect("it can be drawn");
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for text in [
            "Speed on Some CPU &lt;x&gt;",
            "ChaCha20-Poly1305 seal",
            "Poly1305, MB/s",
            "64 bytes",
            "AES-128, µs",
            "encrypt setup",
            "ours soft",
            "ring",
        ] {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn back_ends_that_were_chosen_for_each_operation_are_ours() {
        let conditions = Conditions::of_times(None, Duration::from_millis(7), 5);
        let one = |backend, action| {
            example(
                Implementation::ours(backend),
                Operation::single("AES-128", action),
            )
        };
        let chosen = [one("aesni", "encrypt"), one("soft", "decrypt")];
        let svg = draw(&conditions, &chosen).expect("it can be drawn");
        assert!(!svg.contains("aesni") && svg.contains("ours"));
        for named in [
            [one("aesni", "encrypt"), one("aesni", "decrypt")],
            [one("aesni", "encrypt"), one("soft", "encrypt")],
        ] {
            let svg = draw(&conditions, &named).expect("it can be drawn");
            assert!(svg.contains("ours aesni"));
        }
    }

    #[test]
    fn every_implementation_has_its_colour() {
        // Six peers with an interface for users, rustcrypto, and two that are called inside as well.
        let mut all = vec![Implementation::ours("soft"), Implementation::ours("soft32")];
        all.extend(["a", "b", "c", "d", "e", "f", "g", "h", "i"].map(Implementation::peer));
        let colours: Vec<_> = all.iter().map(|&one| colour(&all, one)).collect();
        for (i, one) in colours.iter().enumerate() {
            assert!(!colours[..i].contains(one), "{i}");
        }
    }

    #[test]
    fn long_times_are_microseconds() {
        let conditions = Conditions::of_times(None, Duration::from_millis(7), 5);
        let mut fast = example(
            Implementation::ours("soft"),
            Operation::single("Keccak-f1600", ""),
        );
        fast.ns_median = 700.0;
        let slow = example(
            Implementation::ours("soft"),
            Operation::single("ML-KEM-768", "keygen"),
        );
        let svg = draw(&conditions, &[fast, slow]).expect("it can be drawn");
        assert!(svg.contains("Keccak-f1600, ns") && svg.contains("ML-KEM-768, µs"));
    }

    #[test]
    fn many_bars_make_a_high_panel() {
        let found: Vec<_> = ["keygen", "encaps", "decaps", "generate + decap"]
            .into_iter()
            .flat_map(|action| {
                (0..10).map(move |_| {
                    example(
                        Implementation::peer("ring"),
                        Operation::single("ML-KEM-768", action),
                    )
                })
            })
            .collect();
        let panels = panels(&found);
        assert_eq!(panels.len(), 1);
        assert_eq!(panels[0].height(), BARS_FRAME + 40 * BAR_HEIGHT);
        assert_eq!(row_height(&panels), panels[0].height());
        let few = super::panels(&found[..3]);
        assert_eq!(row_height(&few), PANEL.1);
    }

    #[test]
    fn nothing_measured_is_an_empty_chart() {
        let conditions = Conditions::of_times(None, Duration::from_millis(7), 5);
        assert!(draw(&conditions, &[]).is_ok());
    }
}
