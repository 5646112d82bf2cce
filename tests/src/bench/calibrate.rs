//! The numbers of a processor's model, measured, in the form in which `transform/src/target` keeps them.
//!
//! A model of time is as good as the numbers of its machine. Each number here has one loop that does nothing else
//! (`calibrate.c`, and the rates of `peaks.c`); times are divided by that of a cycle, which is the time of an addition of
//! integers that waits for the one before.
//!
//! | number | loop |
//! |---|---|
//! | `latency`, `add` | `latency_fused`; `latency_add`, beside it `latency_multiply` |
//! | `unit` | `peak_f64`, beside it `peak_f32`, `peak_i32` |
//! | `load`, `stores`, `store_rate` | `reading`, `writing` in half of the first level |
//! | `l2_rate`, `l3_rate`, `memory_rate` | `reading` in arrays that only this level holds |
//! | `shared` | `reading` from memory on two threads |
//! | `issue`, `gather`, `lookup` | `issue`, `gathering`, `looking_up` |
//! | `divide` | `each_divide` and `latency_divide` |
//! | `fork`, `wait` | `forking`, `waiting` on two bound threads |

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::peaks::{Loops, compile, compile_loops};
use super::session::{answer, child};

/// The loops, compiled on the machine that is measured.
const SOURCE: &str = include_str!("calibrate.c");
/// Beyond every cache but the largest third levels, whose rates are near to memory's.
const MEMORY_BYTES: f64 = (256 << 20) as f64;
/// Where the system does not say how large a cache is: common sizes.
const USUAL: [f64; 3] = [(32 << 10) as f64, (1 << 20) as f64, (16 << 20) as f64];
/// Most of the third level that is read: it may belong to many cores.
const THIRD_BYTES: f64 = (12 << 20) as f64;

/// What the user asks for.
#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// The compiler driver.
    #[arg(long, default_value = "clang-22")]
    cc: String,
    /// Write the raw measurements here.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// The task of one measuring process.
#[derive(Debug, Clone, clap::Args)]
pub struct Task {
    /// The compiled loops of `calibrate.c`.
    #[arg(long)]
    core: PathBuf,
    /// Those of `peaks.c`.
    #[arg(long)]
    peaks: PathBuf,
}

/// What the loops measured: seconds, bytes per second, operations per second.
pub type Raw = BTreeMap<String, f64>;

/// Sizes of the first, second and third level of the data caches.
fn caches() -> [f64; 3] {
    let names = [
        libc::_SC_LEVEL1_DCACHE_SIZE,
        libc::_SC_LEVEL2_CACHE_SIZE,
        libc::_SC_LEVEL3_CACHE_SIZE,
    ];
    let mut sizes = USUAL;
    for (size, name) in sizes.iter_mut().zip(names) {
        // SAFETY: sysconf has no requirements.
        let known = unsafe { libc::sysconf(name) };
        if known > 0 {
            *size = known as f64;
        }
    }
    sizes
}

/// Where each level is read and written: in arrays that the level before does not hold.
fn places() -> [(&'static str, f64); 4] {
    let [l1, l2, l3] = caches();
    [
        ("l1", l1 / 2.0),
        ("l2", l2 / 2.0),
        ("l3", (4.0 * l2).min(l3 / 2.0).min(THIRD_BYTES)),
        ("memory", MEMORY_BYTES),
    ]
}

/// Measures everything in this process; OpenMP's settings are in its environment.
pub fn measure(task: &Task) -> Result<Raw, String> {
    let (core, peaks) = (Loops::load(&task.core)?, Loops::load(&task.peaks)?);
    let mut raw = Raw::new();
    let plain = [
        "cycle",
        "issue",
        "latency_fused",
        "latency_add",
        "latency_multiply",
        "latency_divide",
        "each_divide",
        "gathering",
        "looking_up",
        "forking",
        "waiting",
    ];
    for name in plain {
        raw.insert(name.to_string(), core.value_of(name, 0.0)?);
    }
    for (level, bytes) in places() {
        for stream in ["reading", "writing"] {
            raw.insert(format!("{stream} {level}"), core.value_of(stream, bytes)?);
        }
    }
    for name in ["peak_f64", "peak_f32", "peak_i32"] {
        raw.insert(name.to_string(), peaks.value(name)?);
    }
    Ok(raw)
}

/// Measures with one and with two threads and says what the model's numbers are.
pub fn run(arguments: &Arguments) -> Result<String, String> {
    let scratch = std::env::temp_dir().join(format!("polytile-calibrate-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let core = compile_loops(&arguments.cc, &scratch, "calibrate", SOURCE)?;
    let peaks = compile(&arguments.cc, &scratch)?;
    let measured = |threads: usize| -> Result<Raw, String> {
        eprintln!("threads: {threads}");
        let mut command = child(threads)?;
        command
            .arg("measure-core")
            .arg("--core")
            .arg(&core)
            .arg("--peaks")
            .arg(&peaks);
        answer(&mut command, Duration::from_secs(300))
    };
    let both = [measured(1)?, measured(2)?];
    fs::remove_dir_all(&scratch).map_err(|error| error.to_string())?;
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&both).map_err(|error| error.to_string())?;
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(format!("{}\n{}", table(&both), model(&both, caches())))
}

/// What each loop measured, in cycles or per cycle.
fn table([one, two]: &[Raw; 2]) -> String {
    let cycle = one["cycle"];
    let mut text = format!(
        "one cycle: {:.3} ns\n\n{:18} {:>10} {:>10}\n",
        cycle * 1e9,
        "",
        "1 thread",
        "2 threads"
    );
    for (name, value) in one {
        let (scale, unit): (&dyn Fn(f64) -> f64, &str) = match name.as_str() {
            name if name.contains("ing ") => (&|rate| rate * cycle, "bytes per cycle"),
            name if name.starts_with("peak") => (&|rate| rate * cycle, "operations per cycle"),
            _ => (&|seconds| seconds / cycle, "cycles"),
        };
        let _ = writeln!(
            text,
            "{name:18} {:10.2} {:10.2} {unit}",
            scale(*value),
            scale(two[name])
        );
    }
    text
}

/// The numbers in the form of `transform/src/target/table.rs`.
fn model([one, two]: &[Raw; 2], caches: [f64; 3]) -> String {
    let cycle = one["cycle"];
    let cycles = |name: &str| one[name] / cycle;
    let rate = |name: &str| one[name] * cycle;
    let bytes = vector_bytes();
    let bits = bytes * 8.0;
    let kilo = |size: f64| format!("{} * K", size as u64 >> 10);
    let lines = [
        ("latency", format!("{:.0}", cycles("latency_fused"))),
        (
            "unit",
            format!("({bits:.0}, {:.0})", rate("peak_f64") / 2.0 / (bytes / 8.0)),
        ),
        (
            "load",
            format!("({bits:.0}, {:.0})", ports(rate("reading l1") / bytes)),
        ),
        ("l1", kilo(caches[0])),
        ("l2", kilo(caches[1])),
        ("l3", kilo(caches[2])),
    ];
    let core = [
        ("issue", format!("{:.0}", 1.0 / cycles("issue"))),
        (
            "stores",
            format!("{:.0}", ports(rate("writing l1") / bytes)),
        ),
        ("store_rate", format!("{:.1}", rate("writing l1"))),
        (
            "gather",
            format!("{:.1}", cycles("gathering") / cycles("issue")),
        ),
        (
            "lookup",
            format!("{:.1}", cycles("looking_up") / cycles("issue")),
        ),
        ("add", format!("{:.0}", cycles("latency_add"))),
        (
            "divide",
            format!(
                "({:.0}, {:.0})",
                cycles("each_divide"),
                cycles("latency_divide")
            ),
        ),
        ("l2_rate", format!("{:.1}", rate("reading l2"))),
        ("l3_rate", format!("{:.1}", rate("reading l3"))),
        ("memory_rate", format!("{:.1}", rate("reading memory"))),
        (
            "shared",
            format!("{:.1}", two["reading memory"] / one["reading memory"]),
        ),
        ("fork", format!("{:.1}", two["forking"] / cycle)),
        ("wait", format!("{:.1}", two["waiting"] / cycle)),
    ];
    let mut text = "Model {\n".to_string();
    for (name, value) in lines {
        let _ = writeln!(text, "    {name}: {value},");
    }
    text += "    core: Core {\n";
    for (name, value) in core {
        let _ = writeln!(text, "        {name}: {value},");
    }
    text + "        ..CORE\n    },\n    ..GENERIC\n}\n"
}

/// How many instructions a cycle a rate comes from: a measured rate stays below its bound, and slightly beyond one only
/// where the clock changed.
fn ports(rate: f64) -> f64 {
    const TOLERANCE: f64 = 0.1;
    (rate - TOLERANCE).ceil().max(1.0)
}

/// Bytes of the widest vectors of this machine, for which the loops were compiled.
fn vector_bytes() -> f64 {
    if cfg!(target_arch = "x86_64") {
        let flags = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let has = |flag: &str| flags.split_whitespace().any(|word| word == flag);
        return if has("avx512f") {
            64.0
        } else if has("avx") {
            32.0
        } else {
            16.0
        };
    }
    16.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_become_numbers_of_the_model() {
        let mut one = Raw::new();
        for name in ["issue", "gathering", "looking_up"] {
            one.insert(name.to_string(), 0.25e-9);
        }
        for name in [
            "cycle",
            "latency_fused",
            "latency_add",
            "latency_multiply",
            "latency_divide",
            "each_divide",
            "forking",
            "waiting",
        ] {
            one.insert(name.to_string(), 1e-9);
        }
        for (level, _) in places() {
            for stream in ["reading", "writing"] {
                one.insert(format!("{stream} {level}"), 8e9);
            }
        }
        for name in ["peak_f64", "peak_f32", "peak_i32"] {
            one.insert(name.to_string(), 32e9);
        }
        let mut two = one.clone();
        two.insert("reading memory".to_string(), 12e9);
        two.insert("forking".to_string(), 3000e-9);
        let both = [one, two];
        let text = model(&both, [49152.0, 1048576.0, 33554432.0]);
        for line in [
            "latency: 1,",
            "l1: 48 * K,",
            "issue: 4,",
            "memory_rate: 8.0,",
            "shared: 1.5,",
            "fork: 3000.0,",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(table(&both).contains("reading memory           8.00      12.00 bytes per cycle"));
    }
}
