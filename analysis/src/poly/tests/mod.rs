//! Laws of the wrappers, checked on results known from the definitions.

mod ast;
mod ctx;
mod schedule;
mod sets;
