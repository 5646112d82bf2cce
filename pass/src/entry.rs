//! What hosts call: the plugin's description, the registration, and the pass on one module.

use crate::driver;
use crate::ffi::{self, Callbacks, PassBuilder, RawModule, Text};
use crate::logger;
use crate::options::{OptionError, Options};
use std::ffi::{c_char, c_void};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// LLVM's description of a plugin, version 2 (`llvm/Plugins/PassPlugin.h`).
#[repr(C)]
pub struct PluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: unsafe extern "C" fn(*mut PassBuilder),
    pre_codegen: Option<unsafe extern "C" fn()>,
}

const API_VERSION: u32 = 2;

/// The entry point that hosts look for.
///
/// Called right after loading, before clang and flang parse LLVM's command line options: the place to add ours.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    refuse_other_hosts();
    if !unsafe { ffi::pt_add_options() } {
        refuse("it is loaded from two files: name only one of them");
    }
    report_bugs_in_a_line();
    PluginInfo {
        api_version: API_VERSION,
        name: c"polytile".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register,
        pre_codegen: None,
    }
}

/// The LLVM that the plugin was built for: types of another one lie differently in memory.
const LLVM: u32 = 22;

/// Ends a host of another LLVM before anything of it is used.
fn refuse_other_hosts() {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    unsafe { llvm_sys::core::LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    if major != LLVM {
        refuse(&format!(
            "this plugin is for LLVM {LLVM}, and its host is of LLVM {major}"
        ));
    }
}

/// Ends the host before it does anything.
fn refuse(why: &str) -> ! {
    let _ = writeln!(std::io::stderr(), "error: polytile: {why}");
    std::process::exit(1);
}

/// A panic is a bug of ours: one line on the terminal, and the function stays as it was.
fn report_bugs_in_a_line() {
    std::panic::set_hook(Box::new(|bug| {
        let what = bug.payload_as_str().unwrap_or_default();
        let what = what.lines().next().unwrap_or_default();
        let place = bug
            .location()
            .map(|l| format!(" ({l})"))
            .unwrap_or_default();
        let _ = writeln!(
            std::io::stderr(),
            "warning: polytile: internal error: {what}{place}; the function stays as it was"
        );
    }));
}

unsafe extern "C" fn register(pb: *mut PassBuilder) {
    unsafe { ffi::pt_register(pb, Callbacks { run, check }) }
}

/// If this is false, opt only says that it does not know the pass; hence the message.
unsafe extern "C" fn check(params: Text) -> bool {
    catch_unwind(|| match Options::new().apply(&unsafe { params.read() }) {
        Ok(()) => true,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "error: polytile: {e}");
            false
        }
    })
    .unwrap_or(false)
}

unsafe extern "C" fn run(module: *mut RawModule, params: Text) -> bool {
    let run = || match options(&unsafe { params.read() }) {
        Ok(options) => {
            if let Some(level) = options.log {
                logger::start(level);
            }
            unsafe { driver::run(module, &options) }
        }
        Err(e) => {
            let message = format!("polytile: {e}");
            unsafe { ffi::pt_error(module, Text::new(&message)) };
            false
        }
    };
    // The driver catches panics function by function; if one reaches this place, assume that something changed.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(true)
}

/// Environment, then command line, then parameters.
fn options(params: &str) -> Result<Options, OptionError> {
    let mut options = Options::new();
    if let Ok(environment) = std::env::var("POLYTILE") {
        options.apply(&environment)?;
    }
    let mut given: Vec<String> = vec![];
    unsafe { ffi::pt_each_option((&raw mut given).cast(), collect) };
    for option in &given {
        options.apply(option)?;
    }
    options.apply(params)?;
    Ok(options)
}

unsafe extern "C" fn collect(data: *mut c_void, option: Text) {
    let given = unsafe { &mut *data.cast::<Vec<String>>() };
    given.push(unsafe { option.read() });
}
