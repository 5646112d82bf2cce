//! LLVM IR emission: from a loop program to code beside the original, and the run-time choice between both.
//!
//! Takes no decisions and sees no sets: what runs in which order, in parallel, in vectors or in register tiles is all
//! in the [`Program`](polytile_analysis::ast::Program). The way through this crate:
//!
//! | module | does |
//! |---|---|
//! | [`host`] | what the front door hands over |
//! | `precheck` | everything that can fail, before the first change |
//! | `version` | the check, the two versions, and how values leave them |
//! | `apart` | whether arrays are apart, for the check |
//! | `measured` | the choice between both versions, where it is measured |
//! | `report` | what the program tells of its regions, and new versions that are switched off |
//! | `both` | both versions, one after the other, and whether they leave the same bytes |
//! | `callee` | the new version as a function of its own |
//! | `loops`, `openmp` | loops and conditions; parallel loops as functions of their own |
//! | `team` | loops that several threads go through together |
//! | `rows` | rows of tiles of which each waits for the one before |
//! | `distances`, `by_table` | rows behind pointers: their distance, or each by its pointer |
//! | `expr`, `evolution` | integers: the loop program's expressions, the original program's evolutions |
//! | `body`, `memory` | statement instances, accesses, cells and temporaries |
//! | `forward`, `common` | statements in a row: values that are handed on, and values that they share |
//! | `buffers` | memory for packed operands, one copy per thread where threads write it, and the copying |
//! | `choices`, `roots` | choices by data as branches; square roots that set `errno`, in lanes |
//! | `squares` | copies that turn rows into columns, in registers |
//! | `sums` | loops of one statement that adds to several cells |
//! | `strips` | loops whose sums follow a strip of vector lanes |
//! | `tile`, `vector` | register tiles: accumulators in vector registers, what exists of a box, vector operations |
//! | `sizes` | tile sizes, constant or from the environment |
//! | `metadata`, `debug` | loop and alias metadata, source positions |
//! | `runtime` | what emitted code calls: C in `codegen/runtime`, linked as bitcode |
//! | `frame`, `ir` | functions under construction; the builder |

mod apart;
mod body;
mod both;
mod buffers;
mod by_table;
mod callee;
mod choices;
mod common;
mod debug;
mod distances;
mod emit;
mod error;
mod evolution;
mod expr;
mod forward;
mod frame;
mod guards;
pub mod host;
mod in_bounds;
mod inspected;
mod intact;
mod ir;
mod lanes;
mod loops;
mod measured;
mod memory;
mod metadata;
mod openmp;
mod precheck;
mod ranges;
mod report;
mod roots;
mod rows;
mod runtime;
mod sizes;
mod squares;
mod strips;
mod sums;
mod team;
mod tile;
mod vector;
mod version;

pub use emit::{check, emit};
pub use error::EmitError;
pub use host::{EmitOptions, Host, Reports, SizeSource};
pub use memory::calls;
pub use runtime::{DONE, Linker, OWN, link};
