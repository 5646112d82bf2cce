//! The LLVM pass plugin: the front door of Polytile.
//!
//! One shared object serves opt, clang, flang, lld and rustc. It is linked against no libLLVM; the host process has the
//! symbols. Its only export is [`llvmGetPassPluginInfo`]. LLVM's C interface knows neither passes nor scalar evolutions
//! nor loops; the shim (C++, `shim/`) adds these, [`ffi`] declares them, and nothing else in Rust does.
//!
//! | module | does |
//! |---|---|
//! | [`options`] | the table of options and their parser |
//! | [`driver`] | module -> functions -> regions; working copies; what happens after a failure |
//! | [`extract`] | LLVM IR to [`polytile_analysis::region::Region`] |
//! | [`pipeline`] | the stages, one line each |
//! | [`remarks`] | optimization remarks |

mod driver;
mod entry;
#[allow(missing_docs)]
mod ffi;
mod options;

pub use entry::llvmGetPassPluginInfo;
