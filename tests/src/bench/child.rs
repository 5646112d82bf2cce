//! What runs in the measuring process: load one object, run its kernel on fresh data again and again, print the times.
//!
//! *Cold* runs (the sizes of which a user waits for) start with flushed caches. *Warm* runs (MINI and SMALL) time several
//! instances in a row, each freshly initialised, so that the clock's resolution does not matter and values never leave
//! their range by repetition.

use std::ffi::c_void;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use libloading::Library;
use serde::{Deserialize, Serialize};

/// How the caches are before a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Caches {
    /// Flushed.
    Cold,
    /// Holding the data.
    Warm,
}

impl fmt::Display for Caches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cold => "cold",
            Self::Warm => "warm",
        })
    }
}

/// The task of one measuring process.
#[derive(Debug, Clone, clap::Args)]
pub struct Task {
    /// The shared object.
    #[arg(long)]
    pub object: PathBuf,
    /// The sizes.
    #[arg(long, value_delimiter = ',')]
    pub sizes: Vec<i32>,
    /// Runs at most.
    #[arg(long)]
    pub repetitions: usize,
    /// No further run after this many seconds of runs.
    #[arg(long)]
    pub seconds: f64,
    /// Cold or warm caches.
    #[arg(long, value_enum)]
    pub caches: Caches,
    /// The process keeps to one core (single-threaded contenders, as OpenMP's are bound too).
    #[arg(long)]
    pub bind: bool,
}

/// What one process measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Seconds of each run.
    pub times: Vec<f64>,
    /// Hash of all arrays after a run.
    pub hash: String,
    /// What the kernel costs at least.
    pub work: Work,
}

/// What a kernel costs at least (struct work of kernel.h).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// Arithmetic operations.
    pub operations: f64,
    /// Compulsory bytes.
    pub bytes: f64,
    /// Bytes of the arrays that it writes; each of them counts twice among the compulsory bytes.
    pub written: f64,
    /// Fused multiply-adds on the longest chain.
    pub chain_fused: f64,
    /// Additions on it.
    pub chain_additions: f64,
    /// Divisions and roots on it.
    pub chain_divisions: f64,
    /// Element type of the arithmetic.
    pub element: Arithmetic,
}

/// Element types, each with a peak of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// `double`
    F64,
    /// `float`
    F32,
    /// `int`: additions and minima
    I32,
}

/// The bytes that are written to flush the caches.
const FLUSH_BYTES: usize = 96 << 20;
/// Bytes that warm instances may take together.
const WARM_BYTES: f64 = (512 << 10) as f64;
/// Most instances of a warm run.
const WARM_INSTANCES: f64 = 64.0;

/// The entry points of an object.
struct Kernel {
    library: Library,
}

type State = *mut c_void;

impl Kernel {
    fn load(path: &Path) -> Result<Self, String> {
        // SAFETY: the objects are compiled from the kernels of this package and have no initialisers of their own.
        let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
        Ok(Self { library })
    }

    fn of_state<Result_: Copy>(&self, name: &str, state: State) -> Result<Result_, String> {
        // SAFETY: kernel.h declares every entry point that is named here with this type.
        let symbol = unsafe {
            self.library
                .get::<unsafe extern "C" fn(State) -> Result_>(name.as_bytes())
        };
        let symbol = symbol.map_err(|error| error.to_string())?;
        // SAFETY: the state comes from pt_alloc of the same object and has not been freed.
        Ok(unsafe { symbol(state) })
    }

    fn allocate(&self, sizes: &[i32]) -> Result<State, String> {
        // SAFETY: kernel.h declares these entry points with these types.
        let (dimensions, alloc) = unsafe {
            let dimensions = self
                .library
                .get::<unsafe extern "C" fn() -> i32>(b"pt_dimensions");
            let alloc = self
                .library
                .get::<unsafe extern "C" fn(*const i32) -> State>(b"pt_alloc");
            (
                dimensions.map_err(|e| e.to_string())?,
                alloc.map_err(|e| e.to_string())?,
            )
        };
        // SAFETY: no requirements.
        let wanted = unsafe { dimensions() };
        if wanted as usize != sizes.len() {
            return Err(format!("{wanted} sizes needed, {} given", sizes.len()));
        }
        // SAFETY: as many sizes as the object reads.
        Ok(unsafe { alloc(sizes.as_ptr()) })
    }

    fn work(&self, state: State) -> Result<Work, String> {
        // SAFETY: kernel.h declares it with this type.
        let element = unsafe {
            self.library
                .get::<unsafe extern "C" fn() -> i32>(b"pt_element")
        };
        // SAFETY: no requirements.
        let element = unsafe { element.map_err(|error| error.to_string())?() };
        Ok(Work {
            operations: self.of_state("pt_flops", state)?,
            bytes: self.of_state("pt_bytes", state)?,
            written: self.of_state("pt_written", state)?,
            chain_fused: self.of_state("pt_chain_fused", state)?,
            chain_additions: self.of_state("pt_chain_additions", state)?,
            chain_divisions: self.of_state("pt_chain_divisions", state)?,
            element: match element as u8 {
                b'd' => Arithmetic::F64,
                b'f' => Arithmetic::F32,
                _ => Arithmetic::I32,
            },
        })
    }
}

/// Carries out a task.
pub fn measure(task: &Task) -> Result<Measurement, String> {
    if task.bind {
        bind_to_first_core();
    }
    let kernel = Kernel::load(&task.object)?;
    let first = kernel.allocate(&task.sizes)?;
    let work = kernel.work(first)?;
    let mut states = vec![first];
    if task.caches == Caches::Warm {
        let instances = (WARM_BYTES / work.bytes.max(1.0)).clamp(1.0, WARM_INSTANCES) as usize;
        for _ in 1..instances {
            states.push(kernel.allocate(&task.sizes)?);
        }
    }
    let mut flush = vec![
        0u8;
        if task.caches == Caches::Cold {
            FLUSH_BYTES
        } else {
            0
        }
    ];
    let mut times: Vec<f64> = Vec::new();
    let mut spent = 0.0;
    while times.len() < task.repetitions.max(1) && (times.is_empty() || spent < task.seconds) {
        let elapsed = one_run(&kernel, &states, &mut flush)?.as_secs_f64();
        spent += elapsed;
        times.push(elapsed / states.len() as f64);
    }
    let hash: u64 = kernel.of_state("pt_hash", first)?;
    for state in states {
        kernel.of_state::<()>("pt_free", state)?;
    }
    Ok(Measurement {
        times,
        hash: format!("{hash:016x}"),
        work,
    })
}

/// Initialises all instances, flushes, and times one run of each.
fn one_run(kernel: &Kernel, states: &[State], flush: &mut [u8]) -> Result<Duration, String> {
    for &state in states {
        kernel.of_state::<()>("pt_init", state)?;
    }
    for byte in flush.iter_mut().step_by(64) {
        *byte = byte.wrapping_add(1);
    }
    std::hint::black_box(&flush);
    // SAFETY: kernel.h declares it with this type.
    let run = unsafe { kernel.library.get::<unsafe extern "C" fn(State)>(b"pt_run") };
    let run = run.map_err(|error| error.to_string())?;
    let started = Instant::now();
    for &state in states {
        // SAFETY: the states come from pt_alloc of the same object.
        unsafe { run(state) };
    }
    Ok(started.elapsed())
}

/// Keeps this process on the first core that it may use.
pub fn bind_to_first_core() {
    // SAFETY: the sets are plain data, written and read within their size; failure leaves the process unbound.
    unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        let size = std::mem::size_of::<libc::cpu_set_t>();
        if libc::sched_getaffinity(0, size, &mut allowed) == 0
            && let Some(core) =
                (0..libc::CPU_SETSIZE as usize).find(|core| libc::CPU_ISSET(*core, &allowed))
        {
            let mut one: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(core, &mut one);
            libc::sched_setaffinity(0, size, &one);
        }
    }
}
