//! The LLVM pass plugin: the front door of Polytile.
//!
//! One shared object serves opt, clang, flang, lld and rustc. It is linked against no libLLVM; the host process has the
//! symbols. Its only export is [`llvmGetPassPluginInfo`]. LLVM's C interface knows neither passes nor scalar evolutions
//! nor loops; the shim (C++, `shim/`) adds these, [`ffi`] declares them, and nothing else in Rust does.
//!
//! | module | does |
//! |---|---|
//! | [`options`] | the table of options and their parser |
//! | [`rights`] | what may be done to a function: attributes, annotations, signal handlers |
//! | [`driver`], [`copy`] | module -> functions -> regions; working copies; what happens after a failure |
//! | [`account`] | how much work a module, a function and a region may take |
//! | [`extract`], [`llvm`], [`analyses`] | LLVM IR to [`polytile_analysis::region::Region`] |
//! | [`untouched`] | functions that stay as they are without a try |
//! | [`given`], [`exchange`], [`known`], [`database`], [`machine`] | what the user gives beside options; files of other tools; regions as lists and records know them; the tuner's database; a machine's numbers |
//! | [`candidates`], [`variants`], [`stored`] | which program takes a region's place: the model's choice, the user's, the database's |
//! | [`windows`] | the candidate whose dead arrays are windows of rows |
//! | [`site`], [`pipeline`] | a region at its place; the stages, one line each |
//! | [`remarks`], [`summary`], [`missed`] | optimization remarks: what they are, what was done, what was not and why |
//! | [`reason`], [`stats`] | why nests stay as they are, by kind; what is counted of a module |
//! | [`logger`] | what the rooms say to who works on them |

mod account;
mod analyses;
mod batches;
mod candidates;
mod copy;
mod database;
mod driver;
mod entry;
mod exchange;
mod extract;
// The whole surface of the shim, used or not: it reads like shim.h.
#[allow(missing_docs, dead_code)]
mod ffi;
mod given;
mod known;
mod llvm;
mod logger;
mod machine;
mod missed;
mod options;
mod pipeline;
mod reason;
mod remarks;
mod rights;
mod same;
mod site;
mod stats;
mod stored;
mod summary;
mod untouched;
mod variants;
mod windows;

pub use entry::llvmGetPassPluginInfo;
