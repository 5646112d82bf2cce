//! The roofline as a picture: operations per cycle over operations per byte, both in powers, under the lines that bandwidth and arithmetic
//! draw; a point for each program.

use super::bound::{Bounds, LEVELS, Program};
use super::html::escaped;
use super::numbers::rate;
use std::fmt::Write;

/// Width, height and margins (left, right, top, bottom) of the picture.
const SIZE: (f64, f64) = (420.0, 280.0);
const MARGIN: (f64, f64, f64, f64) = (48.0, 16.0, 24.0, 40.0);

/// Where a text that ends there has room behind the left axis.
const ROOM: f64 = 160.0;

/// Powers of two that the axes reach beyond what they show.
const BEYOND: f64 = 1.0;

/// Logarithms to base 2 of the ends of both axes.
struct Axes {
    x: (f64, f64),
    y: (f64, f64),
}

impl Axes {
    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let part =
            |v: f64, (low, high): (f64, f64)| ((v.log2() - low) / (high - low)).clamp(0.0, 1.0);
        let (width, height) = (SIZE.0 - MARGIN.0 - MARGIN.1, SIZE.1 - MARGIN.2 - MARGIN.3);
        (
            MARGIN.0 + width * part(x, self.x),
            MARGIN.2 + height * (1.0 - part(y, self.y)),
        )
    }
}

/// The picture; empty where there is no arithmetic, or nothing moves.
pub fn of(bounds: &Bounds) -> String {
    let level = bounds.farthest().filter(|_| bounds.flops > 0.0);
    let Some(level) = level else {
        return String::new();
    };
    let peak = bounds.rates.peak;
    let ridge = peak / bounds.rates.levels[level];
    let axes = axes(bounds, level, ridge);
    let mut out = format!(
        "<figure><svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"roofline: {2}\">\n",
        SIZE.0,
        SIZE.1,
        escaped(&described(bounds, level))
    );
    out += &grid(&axes);
    out += &roofs(bounds, level, &axes);
    // What was taken lies above what was not.
    let mut programs: Vec<&Program> = bounds.programs.iter().collect();
    programs.sort_by_key(|p| (p.won, p.original));
    for p in programs {
        out += &point(bounds, p, level, &axes);
    }
    let measured = match bounds
        .programs
        .iter()
        .any(|p| p.won && bounds.measured(p).is_some())
    {
        true => "; dashed: the original’s rate times the measured gain",
        false => "",
    };
    let _ = writeln!(
        out,
        "</svg><figcaption>Operations per cycle over operations per byte from {}. Filled: the program that was taken{measured}.</figcaption></figure>",
        LEVELS[level]
    );
    out
}

/// The picture in words.
fn described(bounds: &Bounds, level: usize) -> String {
    let of = |p: &Program| {
        format!(
            "{} {} operations per cycle at {} per byte",
            p.name,
            rate(bounds.rate(p)),
            rate(p.intensity(bounds.flops, level))
        )
    };
    let all: Vec<String> = bounds
        .programs
        .iter()
        .filter(|p| p.original || p.won)
        .map(of)
        .collect();
    all.join("; ")
}

fn axes(bounds: &Bounds, level: usize, ridge: f64) -> Axes {
    let intensities = bounds
        .programs
        .iter()
        .map(|p| p.intensity(bounds.flops, level));
    let rates = bounds
        .programs
        .iter()
        .flat_map(|p| [Some(bounds.rate(p)), bounds.measured(p)]);
    let ends = |values: Vec<f64>| {
        let finite = || {
            values
                .iter()
                .filter(|v| v.is_finite() && **v > 0.0)
                .map(|v| v.log2())
        };
        let (low, high) = (
            finite().fold(f64::MAX, f64::min),
            finite().fold(f64::MIN, f64::max),
        );
        ((low - BEYOND).floor(), (high + BEYOND).ceil())
    };
    Axes {
        x: ends(intensities.chain([ridge]).collect()),
        y: ends(rates.flatten().chain([bounds.rates.peak]).collect()),
    }
}

/// Lines at powers of two, few enough to be read, and what the axes are.
fn grid(axes: &Axes) -> String {
    let mut out = String::new();
    let steps = |(low, high): (f64, f64), most: f64| {
        let step = ((high - low) / most).ceil().max(1.0);
        (0..)
            .map(move |n| low + step * f64::from(n))
            .take_while(move |v| *v <= high)
    };
    let (left, bottom) = (MARGIN.0, SIZE.1 - MARGIN.3);
    for at in steps(axes.x, 6.0) {
        let (x, _) = axes.place(at.exp2(), 1.0);
        let _ = write!(
            out,
            "<path class=\"grid\" d=\"M{x:.1} {}V{bottom}\"/><text class=\"dim\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            MARGIN.2,
            bottom + 18.0,
            power(at)
        );
    }
    for at in steps(axes.y, 6.0) {
        let (_, y) = axes.place(1.0, at.exp2());
        let _ = write!(
            out,
            "<path class=\"grid\" d=\"M{left} {y:.1}H{}\"/><text class=\"dim\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            SIZE.0 - MARGIN.1,
            left - 6.0,
            y + 4.0,
            power(at)
        );
    }
    let _ = writeln!(
        out,
        "<text class=\"dim\" x=\"{left}\" y=\"14\">operations per cycle</text><text class=\"dim\" x=\"{}\" y=\"{}\" text-anchor=\"end\">operations per byte</text>",
        SIZE.0 - MARGIN.1,
        SIZE.1 - 4.0
    );
    out
}

/// A power of two: `8`, `1/8`.
fn power(exponent: f64) -> String {
    match exponent {
        e if e < 0.0 => format!("1/{:.0}", (-e).exp2()),
        e => format!("{:.0}", e.exp2()),
    }
}

/// What bandwidth and arithmetic allow.
fn roofs(bounds: &Bounds, level: usize, axes: &Axes) -> String {
    let (peak, bandwidth) = (bounds.rates.peak, bounds.rates.levels[level]);
    let ridge = peak / bandwidth;
    // The slope begins where it meets an axis.
    let first = axes.x.0.exp2().max(axes.y.0.exp2() / bandwidth);
    let (a, b) = (
        axes.place(first, first * bandwidth),
        axes.place(ridge, peak),
    );
    let (c, _) = axes.place(axes.x.1.exp2(), peak);
    // Left of the edge there are no points, if there is room.
    let (at, y) = match b.0 > ROOM {
        true => (b.0 - 8.0, b.1 + 4.0),
        false => (c, b.1 - 6.0),
    };
    format!(
        "<path class=\"roof\" d=\"M{:.1} {:.1}L{:.1} {:.1}H{c:.1}\"/><text class=\"dim name\" x=\"{at:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{} per cycle</text>\n",
        a.0,
        a.1,
        b.0,
        b.1,
        rate(peak)
    )
}

fn point(bounds: &Bounds, p: &Program, level: usize, axes: &Axes) -> String {
    let (speed, intensity) = (bounds.rate(p), p.intensity(bounds.flops, level));
    let (x, y) = axes.place(intensity, speed);
    let class = match (p.won, p.original) {
        (true, _) => "point won",
        (_, true) => "point original",
        _ => "point",
    };
    let name = escaped(&p.name);
    let mut out = format!(
        "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"><title>{name}: {} operations per cycle predicted, {} per byte</title></circle>",
        rate(speed),
        rate(intensity)
    );
    if let Some(measured) = bounds.measured(p).filter(|_| p.won) {
        let (_, own) = axes.place(intensity, measured);
        let _ = write!(
            out,
            "<path class=\"measured\" d=\"M{x:.1} {y:.1}V{own:.1}\"/><circle class=\"measured\" cx=\"{x:.1}\" cy=\"{own:.1}\" r=\"8\"><title>{name}: {} operations per cycle by the measured gain</title></circle>",
            rate(measured)
        );
    }
    if p.won || p.original {
        let (at, anchor) = if x > SIZE.0 / 2.0 {
            (x - 11.0, "end")
        } else {
            (x + 11.0, "start")
        };
        // Where both are near each other, one name is above and one below.
        let y = if p.won { y - 8.0 } else { y + 17.0 };
        let _ = write!(
            out,
            "<text class=\"name\" x=\"{at:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{name}</text>"
        );
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::bound::tests::record;
    use super::*;

    #[test]
    fn programs_are_points_under_a_roof() {
        let bounds = Bounds::of(&record(), 1).unwrap();
        let drawn = of(&bounds);
        assert_eq!(drawn.matches("<circle class=\"point").count(), 2);
        assert_eq!(drawn.matches("<circle class=\"measured\"").count(), 1);
        assert!(
            drawn.contains("from memory") && drawn.contains(">10.0 per cycle<"),
            "{drawn}"
        );
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        let axes = axes(&bounds, 2, 2.5);
        let (slow, fast) = (axes.place(1.0, 1.0), axes.place(4.0, 4.0));
        assert!(
            slow.0 < fast.0 && slow.1 > fast.1,
            "more is to the right and up"
        );
        assert_eq!([power(-3.0), power(0.0), power(5.0)], ["1/8", "1", "32"]);
    }

    #[test]
    fn without_arithmetic_or_bytes_there_is_no_picture() {
        let mut bounds = Bounds::of(&record(), 1).unwrap();
        bounds.flops = 0.0;
        assert_eq!(of(&bounds), "");
        bounds.flops = 1.0;
        bounds.programs.iter_mut().for_each(|p| p.bytes = [0.0; 3]);
        assert_eq!(of(&bounds), "");
    }
}
