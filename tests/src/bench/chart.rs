//! The speed-ups as a bar chart (SVG), one group of bars per kernel, on a logarithmic scale.

use std::fmt::Write;

use super::results::Report;

const BAR: f64 = 9.0;
const GAP: f64 = 12.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 110.0;
/// Colours that people who see few colours can tell apart (Okabe and Ito).
const COLOURS: [&str; 7] = [
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999",
];

/// The chart of a report: every contender but the first, whose speed is the line at 1.
pub fn render(report: &Report) -> String {
    let scale = Scale::of(report);
    let shown = report.contenders.len().saturating_sub(1) as f64;
    let group = shown * BAR + GAP;
    // One group more for the geometric means.
    let width = LEFT + group * (report.kernels.len() as f64 + 1.0) + GAP;
    let height = TOP + HEIGHT + BOTTOM;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    legend(&mut svg, report);
    axis(&mut svg, &scale, width);
    for (at, row) in report.kernels.iter().enumerate() {
        let speedups: Vec<Option<f64>> = row.cells[1..]
            .iter()
            .map(super::results::Cell::speedup)
            .collect();
        bars(
            &mut svg,
            &scale,
            LEFT + GAP + group * at as f64,
            &row.kernel,
            &speedups,
        );
    }
    let means: Vec<Option<f64>> = (1..report.contenders.len())
        .map(|at| report.mean_speedup(at))
        .collect();
    bars(
        &mut svg,
        &scale,
        LEFT + GAP + group * report.kernels.len() as f64,
        "geometric mean",
        &means,
    );
    svg.push_str("</svg>\n");
    svg
}

/// From speed-ups to heights.
struct Scale {
    least: f64,
    most: f64,
}

impl Scale {
    /// Whole powers of two around everything that is shown.
    fn of(report: &Report) -> Self {
        let all = report
            .kernels
            .iter()
            .flat_map(|row| row.cells.iter().filter_map(super::results::Cell::speedup));
        let (mut least, mut most) = (0.5f64, 2.0f64);
        for speedup in all.filter(|speedup| speedup.is_finite() && *speedup > 0.0) {
            least = least.min(speedup);
            most = most.max(speedup);
        }
        Self {
            least: least.log2().floor(),
            most: most.log2().ceil(),
        }
    }

    fn y(&self, speedup: f64) -> f64 {
        TOP + HEIGHT * (self.most - speedup.log2()) / (self.most - self.least)
    }
}

fn legend(svg: &mut String, report: &Report) {
    let reference = report
        .contenders
        .first()
        .map_or("", |column| column.name.as_str());
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"16\">speed relative to {reference}, {} sizes</text>",
        report.size
    );
    for (at, column) in report.contenders.iter().skip(1).enumerate() {
        let x = LEFT + 130.0 * at as f64;
        let colour = COLOURS[at % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"24\" width=\"10\" height=\"10\" fill=\"{colour}\"/>"
        );
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"34\">{}</text>",
            x + 14.0,
            escaped(&column.name)
        );
    }
}

fn axis(svg: &mut String, scale: &Scale, width: f64) {
    for power in scale.least as i32..=scale.most as i32 {
        let value = 2f64.powi(power);
        let y = scale.y(value);
        let colour = if power == 0 { "#000000" } else { "#DDDDDD" };
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{width:.0}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\"/>"
        );
        let label = if power < 0 {
            format!("1/{}", 2f64.powi(-power))
        } else {
            format!("{value}")
        };
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label} x</text>",
            LEFT - 4.0,
            y + 4.0
        );
    }
}

fn bars(svg: &mut String, scale: &Scale, x: f64, name: &str, speedups: &[Option<f64>]) {
    let one = scale.y(1.0);
    for (at, speedup) in speedups.iter().enumerate() {
        let Some(speedup) = speedup.filter(|value| value.is_finite() && *value > 0.0) else {
            continue;
        };
        let (left, y) = (x + BAR * at as f64, scale.y(speedup));
        let (top, height) = (y.min(one), (y - one).abs());
        let colour = COLOURS[at % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{colour}\">\
             <title>{} {speedup:.2} x</title></rect>",
            BAR - 1.0,
            escaped(name)
        );
    }
    let (middle, below) = (x + BAR * speedups.len() as f64 / 2.0, TOP + HEIGHT + 14.0);
    let _ = writeln!(
        svg,
        "<text x=\"{middle:.1}\" y=\"{below}\" text-anchor=\"end\" transform=\"rotate(-55 {middle:.1} {below})\">{}</text>",
        escaped(name)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results::tests::report;

    #[test]
    fn a_bar_per_contender_and_kernel_and_mean() {
        let svg = render(&report());
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        // Two contenders beside the reference: on one kernel and in the mean.
        assert_eq!(svg.matches("<title>").count(), 4);
        assert!(svg.contains("gemm 20.00 x") && svg.contains("1/2 x") && svg.contains("32 x"));
    }

    #[test]
    fn faster_is_higher() {
        let scale = Scale::of(&report());
        assert!(scale.y(4.0) < scale.y(2.0));
        assert!((scale.y(2f64.powf(scale.most)) - TOP).abs() < 1e-9);
    }
}
