//! The machine's rates and latencies, and OpenBLAS's dgemm as a yardstick for dense products.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use libloading::{Library, Symbol};
use serde::{Deserialize, Serialize};

use super::child::Arithmetic;
use crate::process;

/// The loops, compiled on the machine that is measured.
const SOURCE: &str = include_str!("peaks.c");
/// Order of the matrices that dgemm multiplies.
const DGEMM_ORDER: i32 = 2000;
/// Where distributions put OpenBLAS.
const OPENBLAS: [&str; 2] = ["libopenblas.so.0", "libopenblas.so"];

/// What one number of threads reaches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Peaks {
    /// Arithmetic operations per second of each element type.
    pub operations: BTreeMap<Arithmetic, f64>,
    /// Bytes per second: `a = b + s * c`, reads for ownership counted.
    pub triad: f64,
    /// Bytes per second: `a = s * a`.
    pub update: f64,
    /// Bytes per second: reading alone.
    pub read: f64,
    /// Seconds of one fused multiply-add in a chain.
    pub fused: f64,
    /// Seconds of one addition in a chain.
    pub addition: f64,
    /// Seconds of one division in a chain.
    pub division: f64,
    /// OpenBLAS dgemm, operations per second; none where it is not installed.
    pub dgemm: Option<f64>,
}

/// Streams whose rates bound those of kernels. What other guests leave of the memory's bandwidth varies within minutes, on
/// the machine where this was written by a factor of two; so these are measured in each round of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Streams {
    /// Bytes per second: `a = s * a`.
    pub update: f64,
    /// Bytes per second: reading alone.
    pub read: f64,
}

impl Streams {
    /// Measures them in this process; OpenMP's settings are in its environment.
    pub fn measure(object: &Path) -> Result<Self, String> {
        let loops = Loops::load(object)?;
        Ok(Self {
            update: loops.value("stream_update")?,
            read: loops.value("stream_read")?,
        })
    }

    /// The better ones of two measurements.
    pub fn best(self, other: Self) -> Self {
        Self {
            update: self.update.max(other.update),
            read: self.read.max(other.read),
        }
    }
}

impl Peaks {
    /// The streams that were measured with the rest.
    pub fn streams(&self) -> Streams {
        Streams {
            update: self.update,
            read: self.read,
        }
    }
}

/// Compiled loops that measure something each.
pub(super) struct Loops {
    library: Library,
}

impl Loops {
    /// Loads an object that was compiled by [`compile_loops`].
    pub(super) fn load(object: &Path) -> Result<Self, String> {
        // SAFETY: compiled from sources of this folder, which have no initialisers.
        let library = unsafe { Library::new(object) }.map_err(|error| error.to_string())?;
        Ok(Self { library })
    }

    /// What one of them measures.
    pub(super) fn value(&self, name: &str) -> Result<f64, String> {
        // SAFETY: SOURCE declares all of its external functions `double name(void)`.
        unsafe {
            let function: Symbol<unsafe extern "C" fn() -> f64> = self
                .library
                .get(name.as_bytes())
                .map_err(|error| error.to_string())?;
            Ok(function())
        }
    }

    /// What one of them measures for a number: sources whose functions take one.
    pub(super) fn value_of(&self, name: &str, argument: f64) -> Result<f64, String> {
        // SAFETY: calibrate.c declares all of its external functions `double name(double)`.
        unsafe {
            let function: Symbol<unsafe extern "C" fn(f64) -> f64> = self
                .library
                .get(name.as_bytes())
                .map_err(|error| error.to_string())?;
            Ok(function(argument))
        }
    }
}

/// Compiles the loops.
pub fn compile(driver: &str, folder: &Path) -> Result<PathBuf, String> {
    compile_loops(driver, folder, "peaks", SOURCE)
}

/// Compiles loops for the machine that is measured.
pub(super) fn compile_loops(
    driver: &str,
    folder: &Path,
    name: &str,
    text: &str,
) -> Result<PathBuf, String> {
    let (source, object) = (
        folder.join(format!("{name}.c")),
        folder.join(format!("{name}.so")),
    );
    fs::write(&source, text).map_err(|error| error.to_string())?;
    let mut command = Command::new(driver);
    command
        .args(["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"])
        .arg(&source)
        .arg("-o")
        .arg(&object);
    let finished =
        process::run(&mut command, Duration::from_secs(60)).map_err(|error| error.to_string())?;
    if finished.succeeded() {
        Ok(object)
    } else {
        Err(format!("{name}.c does not compile:\n{}", finished.stderr))
    }
}

/// Measures the loops in this process; OpenMP's settings are in its environment.
pub fn measure(object: &Path) -> Result<Peaks, String> {
    let loops = Loops::load(object)?;
    let value = |name: &str| loops.value(name);
    let operations = [
        ("peak_f64", Arithmetic::F64),
        ("peak_f32", Arithmetic::F32),
        ("peak_i32", Arithmetic::I32),
    ];
    Ok(Peaks {
        operations: operations
            .into_iter()
            .map(|(name, arithmetic)| Ok((arithmetic, value(name)?)))
            .collect::<Result<_, String>>()?,
        triad: value("stream_triad")?,
        update: value("stream_update")?,
        read: value("stream_read")?,
        fused: value("latency_fused")?,
        addition: value("latency_addition")?,
        division: value("latency_division")?,
        dgemm: None,
    })
}

type Dgemm = unsafe extern "C" fn(
    order: i32,
    transpose_a: i32,
    transpose_b: i32,
    m: i32,
    n: i32,
    k: i32,
    alpha: f64,
    a: *const f64,
    lda: i32,
    b: *const f64,
    ldb: i32,
    beta: f64,
    c: *mut f64,
    ldc: i32,
);

/// OpenBLAS's rate in this process, the best of a few products of square matrices; `None` where it is not installed.
pub fn dgemm() -> Option<f64> {
    const ROW_MAJOR: i32 = 101;
    const NOT_TRANSPOSED: i32 = 111;
    // SAFETY: the system's OpenBLAS; its initialisers start threads, which is what this process is for.
    let library = OPENBLAS
        .iter()
        .find_map(|name| unsafe { Library::new(name) }.ok())?;
    // SAFETY: the type is cblas_dgemm's, with the usual 32-bit integers.
    let dgemm: Symbol<Dgemm> = unsafe { library.get(b"cblas_dgemm") }.ok()?;
    let n = DGEMM_ORDER;
    let elements = (n as usize).pow(2);
    let a: Vec<f64> = (0..elements).map(|at| (at % 17) as f64).collect();
    let b: Vec<f64> = (0..elements).map(|at| (at % 13) as f64).collect();
    let mut c = vec![0.0; elements];
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let started = Instant::now();
        // SAFETY: all three matrices have n * n elements.
        unsafe {
            dgemm(
                ROW_MAJOR,
                NOT_TRANSPOSED,
                NOT_TRANSPOSED,
                n,
                n,
                n,
                1.0,
                a.as_ptr(),
                n,
                b.as_ptr(),
                n,
                0.0,
                c.as_mut_ptr(),
                n,
            );
        }
        best = best.min(started.elapsed().as_secs_f64());
    }
    std::hint::black_box(&c);
    // OpenBLAS's threads must not outlive its code.
    std::mem::forget(library);
    Some(2.0 * f64::from(n).powi(3) / best)
}

/// The kernels that OpenBLAS must be told to use: the packaged one does not know new CPUs and falls back to AVX2.
pub fn openblas_core_type(cpuinfo: &str) -> Option<&'static str> {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    flags
        .split_whitespace()
        .any(|flag| flag == "avx512f")
        .then_some("SkylakeX")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn avx512_machines_get_avx512_kernels() {
        assert_eq!(
            openblas_core_type("model: x\nflags\t: fpu avx2 avx512f\n"),
            Some("SkylakeX")
        );
        assert_eq!(openblas_core_type("flags\t: fpu avx2\n"), None);
        assert_eq!(openblas_core_type(""), None);
    }
}
