//! The table of processors.
//!
//! Sources: the vendors' optimization manuals; latency, throughput and caches of Zen 5 measured. Where a family has
//! members of several cache sizes, the smallest that is common stands here.

use super::{Core, Masks, Target, VectorUnit};

const K: u64 = 1 << 10;
const M: u64 = 1 << 20;

/// A microarchitecture.
#[derive(Clone, Copy)]
pub(super) struct Model {
    name: &'static str,
    latency: u32,
    /// Bits of a multiply-add unit, and how many there are.
    unit: (u32, u32),
    /// Widest load in bits, and how many per cycle.
    load: (u32, u32),
    l1: u64,
    l2: u64,
    l3: u64,
    core: Core,
}

/// Vector extensions of x86-64, each containing the former.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    Sse,
    Avx,
    /// AVX2 and FMA.
    Avx2,
    Avx512,
}

/// The vector extensions of a processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extensions {
    avx: bool,
    avx2: bool,
    fma: bool,
    avx512: bool,
}

impl Extensions {
    fn of(level: Level) -> Extensions {
        Extensions {
            avx: level >= Level::Avx,
            avx2: level >= Level::Avx2,
            fma: level >= Level::Avx2,
            avx512: level >= Level::Avx512,
        }
    }

    /// Changed by a feature string, from left to right. A feature switches on what it builds on, and off what builds on
    /// it.
    pub fn with(mut self, features: &str) -> Extensions {
        for f in features.split(',') {
            match f {
                "+avx" => self.avx = true,
                "+avx2" => (self.avx, self.avx2) = (true, true),
                "+fma" => (self.avx, self.fma) = (true, true),
                "+avx512f" => self = Extensions::of(Level::Avx512),
                "-avx" => self = Extensions::of(Level::Sse),
                "-avx2" => (self.avx2, self.avx512) = (false, false),
                "-fma" => (self.fma, self.avx512) = (false, false),
                "-avx512f" => self.avx512 = false,
                _ => {}
            }
        }
        self
    }
}

/// The model behind a name, and its extensions.
pub(super) fn x86(cpu: &str) -> (Model, Extensions) {
    let (model, level) = match cpu {
        "x86-64-v2" => (GENERIC, Level::Sse),
        "x86-64-v3" => (GENERIC_V3, Level::Avx2),
        "x86-64-v4" => (GENERIC_V4, Level::Avx512),
        "sandybridge" | "corei7-avx" | "ivybridge" | "core-avx-i" => (SANDYBRIDGE, Level::Avx),
        "haswell" | "core-avx2" | "broadwell" => (HASWELL, Level::Avx2),
        "skylake" => (SKYLAKE, Level::Avx2),
        "skylake-avx512" | "skx" | "cascadelake" | "cooperlake" => (SKYLAKE_X, Level::Avx512),
        "icelake-client" | "rocketlake" | "cannonlake" => (ICELAKE_CLIENT, Level::Avx512),
        "tigerlake" | "icelake-server" => (ICELAKE, Level::Avx512),
        "alderlake" | "raptorlake" | "meteorlake" | "arrowlake" | "lunarlake" => {
            (ALDERLAKE, Level::Avx2)
        }
        "sapphirerapids" | "emeraldrapids" | "graniterapids" => (SAPPHIRERAPIDS, Level::Avx512),
        "znver1" => (ZEN1, Level::Avx2),
        "znver2" => (ZEN2, Level::Avx2),
        "znver3" => (ZEN3, Level::Avx2),
        "znver4" => (ZEN4, Level::Avx512),
        "znver5" => (ZEN5, Level::Avx512),
        _ => (GENERIC, Level::Sse),
    };
    (model, Extensions::of(level))
}

const CORE: Core = Core {
    issue: 4,
    stores: 1,
    store_rate: 64.0,
    masked_store: 1.0,
    split: 1.0,
    loop_bits: 512,
    gather: 1.0,
    scatters: true,
    lookup: 5.0,
    add: 4,
    divide: (4, 13),
    l2_rate: 32.0,
    l3_rate: 10.0,
    memory_rate: 5.0,
    shared: 1.7,
    page: 2400.0,
    fork: 8000.0,
    wait: 1500.0,
};
/// Intel's with AVX-512: LLVM prefers vectors of half the width there.
const HALVES: Core = Core {
    loop_bits: 256,
    ..CORE
};
const WIDE: Core = Core {
    issue: 6,
    stores: 2,
    store_rate: 64.0,
    lookup: 6.0,
    add: 3,
    ..CORE
};
const GENERIC: Model = Model {
    name: "x86-64",
    latency: 4,
    unit: (256, 2),
    load: (256, 2),
    l1: 32 * K,
    l2: 256 * K,
    l3: 4 * M,
    core: CORE,
};
const GENERIC_V3: Model = Model {
    name: "x86-64-v3",
    latency: 5,
    ..GENERIC
};
const GENERIC_V4: Model = Model {
    name: "x86-64-v4",
    unit: (512, 2),
    load: (512, 2),
    l2: M,
    l3: 16 * M,
    ..GENERIC
};
const SANDYBRIDGE: Model = Model {
    name: "sandybridge",
    latency: 3,
    unit: (256, 1),
    load: (128, 2),
    l3: 6 * M,
    ..GENERIC
};
const HASWELL: Model = Model {
    name: "haswell",
    latency: 5,
    l3: 6 * M,
    ..GENERIC
};
const SKYLAKE: Model = Model {
    name: "skylake",
    l3: 6 * M,
    ..GENERIC
};
const SKYLAKE_X: Model = Model {
    name: "skylake-avx512",
    core: HALVES,
    ..GENERIC_V4
};
const ICELAKE_CLIENT: Model = Model {
    name: "icelake-client",
    unit: (512, 1),
    load: (512, 2),
    l1: 48 * K,
    l2: 512 * K,
    l3: 6 * M,
    core: Core {
        issue: 5,
        stores: 2,
        ..HALVES
    },
    ..GENERIC
};
const ICELAKE: Model = Model {
    name: "icelake-server",
    l1: 48 * K,
    l2: 1280 * K,
    l3: 12 * M,
    core: Core {
        issue: 5,
        stores: 2,
        ..HALVES
    },
    ..GENERIC_V4
};
const ALDERLAKE: Model = Model {
    name: "alderlake",
    load: (256, 3),
    l1: 48 * K,
    l2: 1280 * K,
    l3: 12 * M,
    core: WIDE,
    ..GENERIC
};
const SAPPHIRERAPIDS: Model = Model {
    name: "sapphirerapids",
    l1: 48 * K,
    l2: 2 * M,
    l3: 32 * M,
    core: Core {
        loop_bits: 256,
        ..WIDE
    },
    ..GENERIC_V4
};
/// AMD's before AVX-512 store masked vectors by microcode; measured on Zen 3, with vpmaskmovd in a row of its own.
const MICROCODE: Core = Core {
    masked_store: 11.0,
    ..CORE
};
const ZEN1: Model = Model {
    name: "znver1",
    latency: 5,
    unit: (128, 2),
    load: (128, 2),
    core: MICROCODE,
    l2: 512 * K,
    l3: 8 * M,
    ..GENERIC
};
const ZEN2: Model = Model {
    name: "znver2",
    latency: 5,
    core: MICROCODE,
    l2: 512 * K,
    l3: 16 * M,
    ..GENERIC
};
const ZEN3: Model = Model {
    name: "znver3",
    core: Core {
        masked_store: MICROCODE.masked_store,
        gather: 4.8,
        lookup: 8.0,
        add: 3,
        divide: (4, 14),
        l2_rate: 26.0,
        l3_rate: 20.0,
        memory_rate: 7.0,
        ..WIDE
    },
    l2: 512 * K,
    l3: 32 * M,
    ..GENERIC
};
/// Measured by `scripts/calibrate`, as Zen 5's are.
const ZEN4: Model = Model {
    name: "znver4",
    core: Core {
        stores: 1,
        store_rate: 32.0,
        // A vector is two halves: three are taken instead of two.
        split: 0.5,
        gather: 3.2,
        scatters: false,
        divide: (5, 13),
        l2_rate: 31.0,
        l3_rate: 27.0,
        memory_rate: 6.5,
        shared: 1.4,
        ..WIDE
    },
    l2: M,
    l3: 32 * M,
    ..GENERIC
};
/// Measured by `scripts/calibrate`; eight lanes two elements apart take 14 cycles by one scatter, and 9 by eight stores.
const ZEN5: Model = Model {
    name: "znver5",
    core: Core {
        issue: 7,
        stores: 1,
        gather: 3.6,
        scatters: false,
        add: 2,
        l2_rate: 62.0,
        l3_rate: 31.0,
        memory_rate: 10.0,
        shared: 1.9,
        fork: 4300.0,
        wait: 2100.0,
        ..CORE
    },
    l1: 48 * K,
    l3: 32 * M,
    ..GENERIC_V4
};

/// The target of a model with these extensions.
pub(super) fn build(model: Model, has: Extensions) -> Target {
    let bits = match has {
        e if e.avx512 => 512,
        e if e.avx || e.avx2 => 256,
        _ => 128,
    };
    let per_cycle = |(width, count): (u32, u32)| match width >= bits {
        true => count,
        false => (width * count / bits).max(1),
    };
    let fused = has.fma;
    Target {
        name: model.name,
        vector: VectorUnit {
            registers: if has.avx512 { 32 } else { 16 },
            bits,
            fused,
            latency: model.latency,
            // Separate multiplications and additions share the units.
            per_cycle: if fused { per_cycle(model.unit) } else { 1 },
            loads_per_cycle: per_cycle(model.load),
            masks: match has {
                e if e.avx512 => Masks::All,
                e if e.avx => Masks::Words,
                _ => Masks::Never,
            },
        },
        l1: model.l1,
        l2: model.l2,
        l3: model.l3,
        core: Core {
            loop_bits: model.core.loop_bits.min(bits),
            ..model.core
        },
    }
}

/// The model of a 64-bit Arm processor; vectors are those of Advanced SIMD.
pub(super) fn aarch64(cpu: &str) -> Target {
    let (name, units, loads, l1, l2, l3) = match cpu {
        "neoverse-n1" | "cortex-a76" => ("neoverse-n1", 2, 2, 64 * K, M, 16 * M),
        "neoverse-n2" | "neoverse-n3" => ("neoverse-n2", 2, 3, 64 * K, M, 16 * M),
        "neoverse-v1" | "neoverse-v2" => ("neoverse-v1", 4, 3, 64 * K, M, 16 * M),
        "apple-m1" | "apple-m2" | "apple-m3" | "apple-m4" | "apple-a14" => {
            ("apple-m1", 4, 3, 128 * K, 3 * M, 8 * M)
        }
        _ => ("aarch64", 2, 2, 32 * K, 512 * K, 2 * M),
    };
    Target {
        name,
        vector: VectorUnit {
            registers: 32,
            bits: 128,
            fused: true,
            latency: 4,
            per_cycle: units,
            loads_per_cycle: loads,
            masks: Masks::Never,
        },
        l1,
        l2,
        l3,
        core: Core {
            loop_bits: 128,
            ..WIDE
        },
    }
}
