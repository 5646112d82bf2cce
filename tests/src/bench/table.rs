//! The report as text.

use std::fmt::Write;

use super::child::Arithmetic;
use super::peaks::Peaks;
use super::results::{Cell, Column, Report, Row};
use super::roofline::Limit;

/// The whole report as text.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    text.push_str(&machine(report));
    text.push('\n');
    text.push_str(&times(report));
    text.push('\n');
    text.push_str(&bounds(report));
    text.push('\n');
    text.push_str(&means(report));
    for broken in report.broken_promises() {
        let _ = writeln!(text, "WRONG {broken}");
    }
    text
}

fn machine(report: &Report) -> String {
    let mut text = format!(
        "{}, {} sizes, {} caches\n",
        report.cpu, report.size, report.caches
    );
    for (threads, peaks) in &report.peaks {
        let _ = writeln!(
            text,
            "{threads} thread{}: {}",
            if *threads == 1 { " " } else { "s" },
            rates(peaks)
        );
    }
    text
}

fn rates(peaks: &Peaks) -> String {
    let operations = |arithmetic| peaks.operations.get(&arithmetic).copied().unwrap_or(0.0) / 1e9;
    format!(
        "double {:.0}, float {:.0}, int {:.0} Gop/s; triad {:.1}, update {:.1}, read {:.1} GB/s; chain: fused {:.2}, \
         add {:.2}, divide {:.2} ns; OpenBLAS dgemm {}",
        operations(Arithmetic::F64),
        operations(Arithmetic::F32),
        operations(Arithmetic::I32),
        peaks.triad / 1e9,
        peaks.update / 1e9,
        peaks.read / 1e9,
        peaks.fused * 1e9,
        peaks.addition * 1e9,
        peaks.division * 1e9,
        peaks
            .dgemm
            .map_or("not installed".to_string(), |rate| format!(
                "{:.0} Gop/s",
                rate / 1e9
            )),
    )
}

/// Least times, speed-ups over the first contender and compile seconds.
fn times(report: &Report) -> String {
    let mut grid = vec![vec!["kernel".to_string()]];
    for column in &report.contenders {
        grid[0].push(format!("{} ms", column.name));
    }
    for column in &report.contenders[1..] {
        grid[0].push(format!("x {}", column.name));
    }
    for column in &report.contenders {
        grid[0].push(format!("compile {}", column.name));
    }
    for row in &report.kernels {
        let mut line = vec![row.kernel.clone()];
        line.extend(row.cells.iter().map(milliseconds));
        line.extend(row.cells[1..].iter().map(|cell| {
            cell.speedup()
                .map_or("-".into(), |ratio| format!("{ratio:.2}"))
        }));
        line.extend(row.cells.iter().map(|cell| match cell {
            Cell::Measured {
                compile_seconds, ..
            } => format!("{compile_seconds:.2}"),
            Cell::Failed { .. } | Cell::Absent => "-".to_string(),
        }));
        grid.push(line);
    }
    align(&grid)
}

/// A time with a mark where the bytes are others.
fn milliseconds(cell: &Cell) -> String {
    match cell {
        Cell::Measured {
            seconds,
            same_bytes,
            ..
        } => {
            let digits = if *seconds >= 0.1 {
                0
            } else if *seconds >= 1e-3 {
                2
            } else {
                4
            };
            format!(
                "{:.digits$}{}",
                seconds * 1e3,
                if *same_bytes { "" } else { "*" }
            )
        }
        Cell::Failed { .. } => "failed".to_string(),
        Cell::Absent => "-".to_string(),
    }
}

/// Work, bounds, and the share of the bound that each contender reaches.
fn bounds(report: &Report) -> String {
    let mut grid = vec![["kernel", "Gop", "MB"].map(String::from).to_vec()];
    for threads in report.peaks.keys() {
        grid[0].push(format!("bound/{threads} ms"));
        grid[0].push("by".to_string());
    }
    grid[0].extend(
        report
            .contenders
            .iter()
            .map(|column| format!("{} %", column.name)),
    );
    for row in &report.kernels {
        grid.push(bound_line(report, row));
    }
    align(&grid)
}

fn bound_line(report: &Report, row: &Row) -> Vec<String> {
    let mut line = vec![row.kernel.clone()];
    match &row.work {
        Some(work) => line.extend([
            format!("{:.3}", work.operations / 1e9),
            format!("{:.2}", work.bytes / 1e6),
        ]),
        None => line.extend(["-", "-"].map(String::from)),
    }
    for threads in report.peaks.keys() {
        match row.bounds.get(threads) {
            Some(bound) => {
                line.push(format!("{:.4}", bound.seconds() * 1e3));
                line.push(match bound.limit() {
                    Limit::Operations => "ops".to_string(),
                    Limit::Bytes => "bytes".to_string(),
                    Limit::Chain => "chain".to_string(),
                });
            }
            None => line.extend(["-", "-"].map(String::from)),
        }
    }
    line.extend(row.cells.iter().map(|cell| match cell {
        Cell::Measured {
            share: Some(share), ..
        } => format!("{:.1}", share * 100.0),
        _ => "-".to_string(),
    }));
    line
}

/// Geometric means and noise.
fn means(report: &Report) -> String {
    let mut grid = vec![
        [
            "geometric means",
            "speed-up",
            "compile time",
            "kernels",
            "noise %",
        ]
        .map(String::from)
        .to_vec(),
    ];
    let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.2}"));
    for (at, column) in report.contenders.iter().enumerate() {
        let noises: Vec<f64> = report
            .kernels
            .iter()
            .filter_map(|row| {
                if let Cell::Measured { noise, .. } = row.cells[at] {
                    Some(noise)
                } else {
                    None
                }
            })
            .collect();
        let noise = noises.iter().sum::<f64>() / noises.len().max(1) as f64;
        grid.push(vec![
            column.name.clone(),
            number(report.mean_speedup(at)),
            number(report.mean_compile_ratio(at)),
            noises.len().to_string(),
            format!("{:.1}", noise * 100.0),
        ]);
    }
    let is_peer = |column: &Column| !column.name.starts_with("polytile");
    grid.push(vec![
        "best peer per kernel".to_string(),
        number(report.mean_of_best(is_peer)),
        String::new(),
    ]);
    let mut text = align(&grid);
    let name = report
        .contenders
        .first()
        .map_or("", |column| column.name.as_str());
    let _ = writeln!(
        text,
        "speed-up and compile time relative to {name}; noise: how far the rounds' least times spread, in the mean;\n\
         a time with * belongs to other bytes than {name}'s"
    );
    text
}

/// Columns to the right, the first to the left.
pub fn align(grid: &[Vec<String>]) -> String {
    let columns = grid.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| {
        grid.iter()
            .filter_map(|line| line.get(at))
            .map(|cell| cell.chars().count())
            .max()
    };
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in grid {
        let mut cells = Vec::new();
        for (at, cell) in line.iter().enumerate() {
            let width = widths[at];
            cells.push(if at == 0 {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            });
        }
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results::tests::report;

    #[test]
    fn the_table_shows_times_ratios_bounds_and_what_is_wrong() {
        let text = render(&report());
        for part in [
            "a CPU, LARGE sizes, cold caches",
            "gemm         400     200*         20.00*",
            "ops",
            "WRONG gemm: polytile-2 computes other bytes",
            "best peer per kernel",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn columns_are_aligned() {
        let grid = [
            vec!["a".to_string(), "1".to_string()],
            vec!["long".to_string(), "100".to_string()],
        ];
        assert_eq!(align(&grid), "a       1\nlong  100\n");
    }
}
