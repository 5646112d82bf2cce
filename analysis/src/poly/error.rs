//! What can go wrong in a set operation, as a value.
//!
//! isl reports an error by returning NULL (or -1) and leaving a code and a message in the
//! context. [`take`] turns that pair into an [`Error`] and clears it, so that the context is
//! as good as new for the next operation.

use std::ffi::CStr;
use std::fmt;

use super::ctx::Ctx;
use super::ffi;

/// The result of every fallible set operation.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a set operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A part of the work took more than its quota (see [`Ctx::quota`]).
    Quota,
    /// The whole work took more than the budget of the context (see [`Ctx::set_budget`]).
    Budget,
    /// The arguments do not fit the operation, or a text does not parse.
    Invalid(String),
    /// isl does not implement the operation for these arguments.
    Unsupported(String),
    /// isl failed an assertion of its own.
    Internal(String),
    /// Memory ran out.
    OutOfMemory,
    /// isl gave no reason.
    Unknown(String),
    /// A number is not an integer of 64 bits; the text is the number.
    OutOfRange(String),
    /// An enumeration found more elements than the caller allowed.
    Limit(usize),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Quota => write!(f, "operation quota exceeded"),
            Error::Budget => write!(f, "work budget exceeded"),
            Error::Invalid(m) => write!(f, "invalid argument: {m}"),
            Error::Unsupported(m) => write!(f, "unsupported: {m}"),
            Error::Internal(m) => write!(f, "internal error in isl: {m}"),
            Error::OutOfMemory => write!(f, "out of memory"),
            Error::Unknown(m) => write!(f, "isl error: {m}"),
            Error::OutOfRange(v) => write!(f, "{v} is not a 64-bit integer"),
            Error::Limit(n) => write!(f, "more than {n} elements"),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// Whether the set library was used in a wrong way, or failed: a bug, and not a limit.
    pub fn is_misuse(&self) -> bool {
        matches!(
            self,
            Error::Invalid(_) | Error::Unsupported(_) | Error::Internal(_) | Error::Unknown(_)
        )
    }

    /// The same for somebody who compiles a program.
    pub fn in_words(&self) -> String {
        match self {
            Error::OutOfRange(_) => "numbers of more than 64 bits".to_owned(),
            Error::Limit(_) => "too many cases".to_owned(),
            _ if self.is_misuse() => {
                "a form of loops or subscripts that the analysis does not handle".to_owned()
            }
            _ => self.to_string(),
        }
    }
}

/// Reads the error that the context holds, and clears it.
pub(super) fn take(ctx: &Ctx) -> Error {
    // SAFETY: the context is alive; isl owns the message, a C string or null, until the reset.
    unsafe {
        let code = ffi::isl_ctx_last_error(ctx.as_ptr());
        let text = ffi::isl_ctx_last_error_msg(ctx.as_ptr());
        let text = if text.is_null() {
            "no message".to_owned()
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        };
        ffi::isl_ctx_reset_error(ctx.as_ptr());
        if let Some(spent) = ctx.exhausted() {
            // Whatever isl made of it: its parser, for one, speaks of a syntax error.
            return spent;
        }
        match code {
            ffi::isl_error_invalid => Error::Invalid(text),
            ffi::isl_error_unsupported => Error::Unsupported(text),
            ffi::isl_error_internal => Error::Internal(text),
            ffi::isl_error_alloc => Error::OutOfMemory,
            _ => Error::Unknown(text),
        }
    }
}
