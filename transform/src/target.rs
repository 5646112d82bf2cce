//! Models of processors, as data: [`Target::lookup`].
//!
//! The target is the one that the function is compiled for (its attributes), never the building host, so that builds
//! are reproducible. A name gives the microarchitecture ([`table`]); features say which vectors may be used. An unknown
//! name is judged by its features alone, with small caches: sizes chosen for them are good everywhere, if not best.
//!
//! | symbol (dense notes) | field |
//! |---|---|
//! | `R` vector registers | [`VectorUnit::registers`] |
//! | FMA latency, per cycle | [`VectorUnit::latency`], [`VectorUnit::per_cycle`] |
//! | `L` = their product | [`Target::register_file`] |
//! | L1, L2, L3 of one core (L3: of its group) | [`Target::l1`], [`Target::l2`], [`Target::l3`] |

mod numbers;
mod table;

use crate::simd::RegisterFile;

/// What the optimizer knows about a processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The model's name: that of the processor, or of the features that it was judged by.
    pub name: &'static str,
    /// Vector arithmetic.
    pub vector: VectorUnit,
    /// Data cache of the first level, in bytes.
    pub l1: u64,
    /// Cache of the second level of a core, in bytes.
    pub l2: u64,
    /// Cache of the third level that a core reaches, in bytes.
    pub l3: u64,
    /// What a core issues and moves, for estimates of time.
    pub core: Core,
}

/// What a core issues and moves, as far as estimates need it ([`crate::model`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Core {
    /// Instructions per cycle.
    pub issue: u32,
    /// Stores per cycle.
    pub stores: u32,
    /// Bytes per cycle that they write into the first level.
    pub store_rate: f64,
    /// Cycles from one masked store of a full vector to the next.
    pub masked_store: f64,
    /// What a load or store of a full vector that begins anywhere in a line takes more, in parts of what it takes: two lines are touched.
    pub split: f64,
    /// Bits of the vectors that LLVM's loop vectorizer prefers.
    pub loop_bits: u32,
    /// Instructions to take an element from a place of its own into a vector.
    pub gather: f32,
    /// Whether one instruction stores lanes to places apart faster than a store for each does.
    pub scatters: bool,
    /// Instructions to load an element whose address was computed in a vector into a vector.
    pub lookup: f32,
    /// Cycles from operands to the result of a floating-point addition or multiplication.
    pub add: u32,
    /// Cycles from one division to the next, and to its result.
    pub divide: (u32, u32),
    /// Bytes per cycle that one thread takes from the second level, the third level and memory.
    pub l2_rate: f64,
    /// The same for the third level.
    pub l3_rate: f64,
    /// The same for memory.
    pub memory_rate: f64,
    /// How many times as much two threads take from beyond the second level.
    pub shared: f64,
    /// Cycles until the system has handed out a page of memory and taken it back.
    pub page: f64,
    /// Cycles to wake threads and wait for the last.
    pub fork: f64,
    /// Cycles to wait for the others of a team.
    pub wait: f64,
}

/// Cycles from which on a masked store takes longer than the scalar stores of a rest.
const SLOW_MASKED_STORE: f64 = 4.0;

/// Vector registers and arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorUnit {
    /// Number of registers.
    pub registers: u32,
    /// Bits of one.
    pub bits: u32,
    /// Multiply and add are one instruction.
    pub fused: bool,
    /// Cycles from an accumulation to the next that depends on it.
    pub latency: u32,
    /// Multiply-adds on full vectors per cycle.
    pub per_cycle: u32,
    /// Loads of full vectors per cycle.
    pub loads_per_cycle: u32,
    /// Which loads and stores may be masked per lane.
    pub masks: Masks,
}

/// Loads and stores that run in some lanes only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masks {
    /// None.
    Never,
    /// Those of words of four and eight bytes that lie side by side (AVX).
    Words,
    /// All that lie side by side, and words of four and eight bytes elsewhere (AVX-512).
    All,
}

impl Masks {
    /// Whether there are instructions for elements of so many bytes, side by side or not.
    pub fn allow(self, bytes: i64, contiguous: bool) -> bool {
        match self {
            Masks::Never => false,
            Masks::Words => bytes >= 4 && contiguous,
            Masks::All => bytes >= 4 || contiguous,
        }
    }
}

/// Elements of so many bytes in a vector of so many bits; pixels of three bytes fill none.
pub(crate) fn lanes(bits: u32, element: u64) -> u64 {
    match element.is_power_of_two() {
        true => (u64::from(bits) / 8 / element).max(1),
        false => 1,
    }
}

impl Target {
    /// The model for a target triple, a processor name and a feature string (`+avx2,-avx512f`), as LLVM's function
    /// attributes have them. Names and features that are not known are ignored.
    ///
    /// ```
    /// use polytile_transform::target::Target;
    /// let t = Target::lookup("x86_64-pc-linux-gnu", "znver5", "");
    /// assert_eq!((t.vector.bits, t.vector.registers, t.l2), (512, 32, 1 << 20));
    /// let t = Target::lookup("x86_64-pc-linux-gnu", "znver5", "-avx512f");
    /// assert_eq!((t.vector.bits, t.vector.registers), (256, 16));
    /// ```
    pub fn lookup(triple: &str, cpu: &str, features: &str) -> Target {
        if triple.starts_with("aarch64") || triple.starts_with("arm64") {
            return table::aarch64(cpu);
        }
        let (model, own) = table::x86(cpu);
        table::build(model, own.with(features))
    }

    /// The same processor with narrower vectors (the attribute `prefer-vector-width`); no effect if they are that
    /// narrow already.
    pub fn at_most(mut self, bits: u32) -> Target {
        while self.vector.bits > bits.max(128) {
            self.vector.bits /= 2;
        }
        self.core.loop_bits = self.core.loop_bits.min(self.vector.bits);
        self
    }

    /// Whether a masked vector of elements of so many bytes is better than a scalar rest. Where masked stores are slow they also keep loads that
    /// follow waiting (Zen 3, LU of 100 to 400 rows: scalar rests are 1.2 to 1.5 times as fast), and without an instruction each lane has a branch
    /// (elements of two bytes with AVX2: 8 to 12 times as fast).
    pub fn masks_rests(&self, element: u64) -> bool {
        let masked = self.vector.masks.allow(element as i64, true);
        masked && self.core.masked_store < SLOW_MASKED_STORE
    }

    /// Elements of so many bytes in a vector.
    pub fn lanes(&self, element: u64) -> u64 {
        lanes(self.vector.bits, element)
    }

    /// Floating-point operations per cycle on numbers of so many bytes: multiply-adds are two, and so are a product and a sum beside it.
    pub fn peak(&self, element: u64) -> f64 {
        2.0 * self.lanes(element) as f64 * f64::from(self.vector.per_cycle)
    }

    /// What a register tile may use.
    pub fn register_file(&self) -> RegisterFile {
        RegisterFile {
            registers: self.vector.registers,
            bits: self.vector.bits,
            in_flight: self.vector.latency * self.vector.per_cycle,
            fused: self.vector.fused,
        }
    }
}

#[cfg(test)]
mod tests;
