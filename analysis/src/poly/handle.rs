//! The machinery behind the wrappers: owning handles, argument passing, results.
//!
//! An isl function either *takes* an argument (consumes one reference) or *keeps* it (only
//! looks). The tables in this module's siblings name that convention per function: `take fn`,
//! `keep fn`, or `mixed fn` (keeps `self`, takes the rest); a taken argument is copied first,
//! which is a reference count. `new fn` is a constructor, `get fn` a keeping getter that cannot
//! fail on a valid object.

use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::ptr::NonNull;

use super::ctx::Ctx;
use super::error::{Error, Result, take};
use super::ffi;

/// Something made in a context.
pub(super) trait InCtx {
    /// The context.
    fn in_ctx(&self) -> &Ctx;
}

impl InCtx for Ctx {
    fn in_ctx(&self) -> &Ctx {
        self
    }
}

/// An owning handle of an isl object; the pointer is never null.
pub(super) trait Handle: InCtx + Clone {
    /// The isl type.
    type Raw;
    /// The pointer, still owned by the handle.
    fn as_ptr(&self) -> *mut Self::Raw;
    /// Owns what an isl function gave.
    ///
    /// # Safety
    /// `raw` is null or one reference to an object of `ctx` that nobody else releases.
    unsafe fn from_raw(ctx: &Ctx, raw: *mut Self::Raw) -> Result<Self>;
    /// Gives the reference away.
    fn into_raw(self) -> *mut Self::Raw;
}

/// A reference to an object that nobody else releases.
pub(super) fn owned<H: Handle>(object: &H) -> NonNull<H::Raw> {
    NonNull::new(object.clone().into_raw()).expect("an object")
}

/// How a Rust argument becomes an isl argument of type `R`.
pub(super) trait Arg<R> {
    /// For a function that consumes it.
    fn take(self, ctx: &Ctx) -> R;
    /// For a function that looks at it.
    fn keep(self, ctx: &Ctx) -> R;
}

/// How an isl result of type `R` becomes a Rust result.
pub(super) trait Ret<R>: Sized {
    /// # Safety
    /// `raw` was just returned by an isl function on objects of `ctx`, and is owned here.
    unsafe fn ret(ctx: &Ctx, raw: R) -> Result<Self>;
}

/// Plain values: the same thing whether taken or kept.
macro_rules! plain_arg {
    ($($t:ty => $r:ty;)*) => { $(
        impl Arg<$r> for $t {
            fn take(self, _: &Ctx) -> $r {
                self.try_into().expect("an argument of isl's range")
            }
            fn keep(self, _: &Ctx) -> $r {
                self.try_into().expect("an argument of isl's range")
            }
        }
    )* };
}
plain_arg! { usize => c_uint; usize => c_int; i32 => c_int; bool => c_int; u64 => u64; }

impl Arg<*mut ffi::isl_ctx> for &Ctx {
    fn take(self, _: &Ctx) -> *mut ffi::isl_ctx {
        self.as_ptr()
    }
    fn keep(self, _: &Ctx) -> *mut ffi::isl_ctx {
        self.as_ptr()
    }
}

/// A 64-bit integer where isl wants a value: only ever taken.
impl Arg<*mut ffi::isl_val> for i64 {
    fn take(self, ctx: &Ctx) -> *mut ffi::isl_val {
        // SAFETY: the context is alive; a null result propagates through the consumer.
        unsafe { ffi::isl_val_int_from_si(ctx.as_ptr(), self) }
    }
    fn keep(self, _: &Ctx) -> *mut ffi::isl_val {
        unreachable!("isl keeps no value made on the fly")
    }
}

/// A name where isl wants an identifier: only ever taken.
impl Arg<*mut ffi::isl_id> for &str {
    fn take(self, ctx: &Ctx) -> *mut ffi::isl_id {
        let name = c_string(self);
        // SAFETY: isl copies the name; a null result propagates through the consumer.
        unsafe { ffi::isl_id_alloc(ctx.as_ptr(), name.as_ptr(), std::ptr::null_mut()) }
    }
    fn keep(self, _: &Ctx) -> *mut ffi::isl_id {
        unreachable!("isl keeps no identifier made on the fly")
    }
}

/// Names where isl wants a list of identifiers: only ever taken.
impl Arg<*mut ffi::isl_id_list> for &[&str] {
    fn take(self, ctx: &Ctx) -> *mut ffi::isl_id_list {
        let capacity = self.len().try_into().expect("a short list");
        // SAFETY: the list and the identifiers are fresh and owned; null propagates.
        unsafe {
            let empty = ffi::isl_id_list_alloc(ctx.as_ptr(), capacity);
            self.iter().fold(empty, |list, name| {
                ffi::isl_id_list_add(list, Arg::<*mut ffi::isl_id>::take(*name, ctx))
            })
        }
    }
    fn keep(self, _: &Ctx) -> *mut ffi::isl_id_list {
        unreachable!("isl keeps no list made on the fly")
    }
}

impl Ret<c_int> for bool {
    unsafe fn ret(ctx: &Ctx, raw: c_int) -> Result<bool> {
        if raw < 0 {
            Err(take(ctx))
        } else {
            Ok(raw != 0)
        }
    }
}

impl Ret<c_int> for usize {
    unsafe fn ret(ctx: &Ctx, raw: c_int) -> Result<usize> {
        usize::try_from(raw).map_err(|_| take(ctx))
    }
}

/// A position; isl says -1 for "none".
impl Ret<c_int> for Option<usize> {
    unsafe fn ret(_: &Ctx, raw: c_int) -> Result<Option<usize>> {
        Ok(usize::try_from(raw).ok())
    }
}

/// A name that isl still owns; null means "none".
impl Ret<*const c_char> for Option<String> {
    unsafe fn ret(ctx: &Ctx, raw: *const c_char) -> Result<Option<String>> {
        if raw.is_null() {
            // SAFETY: the context is alive. Asking for a missing name may set an error.
            unsafe { ffi::isl_ctx_reset_error(ctx.as_ptr()) };
            return Ok(None);
        }
        // SAFETY: not null, so a C string of isl's. A tuple that is not there is called "#none".
        let name = unsafe { CStr::from_ptr(raw) }.to_string_lossy();
        Ok((name != "#none").then(|| name.into_owned()))
    }
}

/// A text that is ours.
impl Ret<*mut c_char> for String {
    unsafe fn ret(ctx: &Ctx, raw: *mut c_char) -> Result<String> {
        if raw.is_null() {
            return Err(take(ctx));
        }
        // SAFETY: a C string from malloc, released once.
        unsafe {
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            libc::free(raw.cast());
            Ok(text)
        }
    }
}

/// An integer out of a value.
impl Ret<*mut ffi::isl_val> for i64 {
    unsafe fn ret(ctx: &Ctx, raw: *mut ffi::isl_val) -> Result<i64> {
        // SAFETY: the caller's promise.
        unsafe { super::Val::from_raw(ctx, raw) }?.to_i64()
    }
}

/// The name of an identifier.
impl Ret<*mut ffi::isl_id> for String {
    unsafe fn ret(ctx: &Ctx, raw: *mut ffi::isl_id) -> Result<String> {
        // SAFETY: the caller's promise.
        let id = unsafe { super::Id::from_raw(ctx, raw) }?;
        id.name()
            .ok_or_else(|| Error::Invalid("an identifier without a name".to_owned()))
    }
}

/// Text for isl; an embedded NUL is a bug of the caller's.
pub(super) fn c_string(text: &str) -> CString {
    CString::new(text).expect("text without NUL")
}

/// An element type for which isl has a list type.
pub(super) trait Listed: Handle {
    /// The list type.
    type List;
    /// # Safety
    /// As the isl functions of these names.
    unsafe fn list_alloc(ctx: *mut ffi::isl_ctx, capacity: c_int) -> *mut Self::List;
    /// # Safety
    /// Takes both.
    unsafe fn list_add(list: *mut Self::List, element: *mut Self::Raw) -> *mut Self::List;
    /// # Safety
    /// Keeps the list.
    unsafe fn list_size(list: *mut Self::List) -> c_int;
    /// # Safety
    /// Keeps the list.
    unsafe fn list_get_at(list: *mut Self::List, index: c_int) -> *mut Self::Raw;
    /// # Safety
    /// Takes the list.
    unsafe fn list_free(list: *mut Self::List) -> *mut Self::List;
}

/// A fresh isl list of copies; null (which propagates) when memory or quota runs out.
pub(super) fn to_list<T: Listed>(ctx: &Ctx, elements: &[T]) -> *mut T::List {
    let capacity = elements.len().try_into().expect("a short list");
    // SAFETY: the list is fresh, each element is copied for it.
    unsafe {
        let empty = T::list_alloc(ctx.as_ptr(), capacity);
        elements
            .iter()
            .fold(empty, |list, e| T::list_add(list, e.clone().into_raw()))
    }
}

/// The elements of a list that isl gave.
///
/// # Safety
/// `list` is null or owned here, of objects of `ctx`.
pub(super) unsafe fn from_list<T: Listed>(ctx: &Ctx, list: *mut T::List) -> Result<Vec<T>> {
    if list.is_null() {
        return Err(take(ctx));
    }
    // SAFETY: not null; elements come with a reference of their own; freed once.
    unsafe {
        let elements = (0..T::list_size(list))
            .map(|i| T::from_raw(ctx, T::list_get_at(list, i)))
            .collect();
        T::list_free(list);
        elements
    }
}

/// Defines an owning handle type.
macro_rules! handle {
    ($(#[$m:meta])* $name:ident = $raw:ident, $copy:ident, $free:ident $(, show $show:ident)? $(, parse $parse:ident)?) => {
        $(#[$m])*
        pub struct $name {
            raw: std::ptr::NonNull<$crate::poly::ffi::$raw>,
            ctx: $crate::poly::Ctx,
        }

        impl $name {
            /// The context of the object.
            pub fn ctx(&self) -> &$crate::poly::Ctx {
                &self.ctx
            }

            /// Whether both are one object, and so equal; `false` decides nothing.
            pub fn is_same(&self, other: &Self) -> bool {
                self.raw == other.raw
            }
            $(/// Reads isl's notation. The context remembers what it has read.
            pub fn parse(ctx: &$crate::poly::Ctx, text: &str) -> $crate::poly::Result<Self> {
                use $crate::poly::ffi;
                if let Some(known) = ctx.parsed().get(stringify!($name), text) {
                    // SAFETY: kept under this type's name, so it is one; the copy is a reference of its own.
                    unsafe {
                        let raw = ffi::$copy(known.cast::<ffi::$raw>().as_ptr());
                        return <Self as $crate::poly::handle::Handle>::from_raw(ctx, raw);
                    }
                }
                let read = $crate::poly::handle::c_string(text);
                // SAFETY: the context is alive; isl only reads the text.
                let object = unsafe {
                    let raw = ffi::$parse(ctx.as_ptr(), read.as_ptr());
                    <Self as $crate::poly::handle::Handle>::from_raw(ctx, raw)?
                };
                let kept = $crate::poly::handle::Handle::into_raw(object.clone());
                // SAFETY: a reference that nobody else releases, and how to release one.
                unsafe {
                    ctx.parsed().keep(stringify!($name), text, kept.cast(), |raw| {
                        ffi::$free(raw.cast::<ffi::$raw>());
                    });
                }
                Ok(object)
            })?
        }

        impl $crate::poly::handle::InCtx for $name {
            fn in_ctx(&self) -> &$crate::poly::Ctx {
                &self.ctx
            }
        }

        impl $crate::poly::handle::Handle for $name {
            type Raw = $crate::poly::ffi::$raw;
            fn as_ptr(&self) -> *mut Self::Raw {
                self.raw.as_ptr()
            }
            unsafe fn from_raw(
                ctx: &$crate::poly::Ctx,
                raw: *mut Self::Raw,
            ) -> $crate::poly::Result<Self> {
                match std::ptr::NonNull::new(raw) {
                    Some(raw) => Ok($name { raw, ctx: ctx.clone() }),
                    None => Err($crate::poly::error::take(ctx)),
                }
            }
            fn into_raw(self) -> *mut Self::Raw {
                let this = std::mem::ManuallyDrop::new(self);
                // SAFETY: `this` is never dropped, so its context reference is released once.
                drop(unsafe { std::ptr::read(&this.ctx) });
                this.raw.as_ptr()
            }
        }

        impl $crate::poly::handle::Arg<*mut $crate::poly::ffi::$raw> for &$name {
            fn take(self, ctx: &$crate::poly::Ctx) -> *mut $crate::poly::ffi::$raw {
                assert!(self.ctx.same(ctx), "objects of two contexts in one operation");
                // SAFETY: a valid object; the copy is a reference for the consumer.
                unsafe { $crate::poly::ffi::$copy(self.raw.as_ptr()) }
            }
            fn keep(self, ctx: &$crate::poly::Ctx) -> *mut $crate::poly::ffi::$raw {
                assert!(self.ctx.same(ctx), "objects of two contexts in one operation");
                self.raw.as_ptr()
            }
        }

        impl $crate::poly::handle::Ret<*mut $crate::poly::ffi::$raw> for $name {
            unsafe fn ret(
                ctx: &$crate::poly::Ctx,
                raw: *mut $crate::poly::ffi::$raw,
            ) -> $crate::poly::Result<Self> {
                // SAFETY: the caller's promise.
                unsafe { <Self as $crate::poly::handle::Handle>::from_raw(ctx, raw) }
            }
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                // SAFETY: a valid object; copying counts a reference and cannot fail.
                let raw = unsafe { $crate::poly::ffi::$copy(self.raw.as_ptr()) };
                let raw = std::ptr::NonNull::new(raw).expect("a copy of a valid object");
                $name { raw, ctx: self.ctx.clone() }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the one reference this handle owns; the context is still alive.
                unsafe { $crate::poly::ffi::$free(self.raw.as_ptr()) };
            }
        }

        $(
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                // SAFETY: a valid object; the text is ours.
                let text = unsafe {
                    let raw = $crate::poly::ffi::$show(self.raw.as_ptr());
                    <String as $crate::poly::handle::Ret<_>>::ret(&self.ctx, raw)
                };
                match text {
                    Ok(text) => f.write_str(&text),
                    Err(error) => write!(f, "<{error}>"),
                }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
        )?
    };
}

/// Makes an element type usable as `&[T]` argument and `Vec<T>` result.
macro_rules! listed {
    ($name:ident = $list:ident, $alloc:ident, $add:ident, $size:ident, $get:ident, $free:ident) => {
        impl $crate::poly::handle::Listed for $name {
            type List = $crate::poly::ffi::$list;
            unsafe fn list_alloc(
                ctx: *mut $crate::poly::ffi::isl_ctx,
                capacity: std::ffi::c_int,
            ) -> *mut Self::List {
                unsafe { $crate::poly::ffi::$alloc(ctx, capacity) }
            }
            unsafe fn list_add(list: *mut Self::List, e: *mut Self::Raw) -> *mut Self::List {
                unsafe { $crate::poly::ffi::$add(list, e) }
            }
            unsafe fn list_size(list: *mut Self::List) -> std::ffi::c_int {
                unsafe { $crate::poly::ffi::$size(list) }
            }
            unsafe fn list_get_at(list: *mut Self::List, i: std::ffi::c_int) -> *mut Self::Raw {
                unsafe { $crate::poly::ffi::$get(list, i) }
            }
            unsafe fn list_free(list: *mut Self::List) -> *mut Self::List {
                unsafe { $crate::poly::ffi::$free(list) }
            }
        }

        impl $crate::poly::handle::Arg<*mut $crate::poly::ffi::$list> for &[$name] {
            fn take(self, ctx: &$crate::poly::Ctx) -> *mut $crate::poly::ffi::$list {
                $crate::poly::handle::to_list(ctx, self)
            }
            fn keep(self, _: &$crate::poly::Ctx) -> *mut $crate::poly::ffi::$list {
                unreachable!("isl keeps no list made on the fly")
            }
        }

        impl $crate::poly::handle::Ret<*mut $crate::poly::ffi::$list> for Vec<$name> {
            unsafe fn ret(
                ctx: &$crate::poly::Ctx,
                raw: *mut $crate::poly::ffi::$list,
            ) -> $crate::poly::Result<Self> {
                // SAFETY: the caller's promise.
                unsafe { $crate::poly::handle::from_list(ctx, raw) }
            }
        }
    };
}

/// Makes an enum usable as argument and result where isl has a C enum.
macro_rules! c_enum {
    ($(#[$m:meta])* $name:ident { $($(#[$vm:meta])* $variant:ident = $value:literal),* $(,)? }) => {
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$vm])* $variant = $value),*
        }

        impl $crate::poly::handle::Arg<std::ffi::c_int> for $name {
            fn take(self, _: &$crate::poly::Ctx) -> std::ffi::c_int {
                self as std::ffi::c_int
            }
            fn keep(self, _: &$crate::poly::Ctx) -> std::ffi::c_int {
                self as std::ffi::c_int
            }
        }

        impl $crate::poly::handle::Ret<std::ffi::c_int> for $name {
            unsafe fn ret(
                ctx: &$crate::poly::Ctx,
                raw: std::ffi::c_int,
            ) -> $crate::poly::Result<Self> {
                match raw {
                    $($value => Ok($name::$variant),)*
                    _ => Err($crate::poly::error::take(ctx)),
                }
            }
        }
    };
}

/// Defines the methods of a handle type from a table of isl functions.
macro_rules! methods {
    ($ty:ident { $($(#[$m:meta])* $mode:ident fn $name:ident($($a:ident: $t:ty),*) -> $r:ty = $f:ident;)* }) => {
        $(methods! { @$mode $ty ($(#[$m])*) $name ($($a: $t),*) ($r) $f })*
    };
    (@take $ty:ident ($(#[$m:meta])*) $name:ident ($($a:ident: $t:ty),*) ($r:ty) $f:ident) => {
        methods! { @method take take $ty ($(#[$m])*) $name ($($a: $t),*) ($r) $f }
    };
    (@keep $ty:ident ($(#[$m:meta])*) $name:ident ($($a:ident: $t:ty),*) ($r:ty) $f:ident) => {
        methods! { @method keep keep $ty ($(#[$m])*) $name ($($a: $t),*) ($r) $f }
    };
    (@mixed $ty:ident ($(#[$m:meta])*) $name:ident ($($a:ident: $t:ty),*) ($r:ty) $f:ident) => {
        methods! { @method keep take $ty ($(#[$m])*) $name ($($a: $t),*) ($r) $f }
    };
    (@method $on_self:ident $mode:ident $ty:ident ($(#[$m:meta])*) $name:ident ($($a:ident: $t:ty),*) ($r:ty) $f:ident) => {
        impl $ty {
            $(#[$m])*
            pub fn $name(&self $(, $a: $t)*) -> $crate::poly::Result<$r> {
                use $crate::poly::handle::{Arg, Ret};
                let ctx = self.ctx();
                // SAFETY: valid objects of one context, passed as the function's convention asks.
                unsafe {
                    let raw = $crate::poly::ffi::$f(Arg::$on_self(self, ctx) $(, Arg::$mode($a, ctx))*);
                    <$r as Ret<_>>::ret(ctx, raw)
                }
            }
        }
    };
    (@get $ty:ident ($(#[$m:meta])*) $name:ident ($($a:ident: $t:ty),*) ($r:ty) $f:ident) => {
        impl $ty {
            $(#[$m])*
            pub fn $name(&self $(, $a: $t)*) -> $r {
                use $crate::poly::handle::{Arg, Ret};
                let ctx = self.ctx();
                // SAFETY: a valid object, which the function only looks at.
                let result = unsafe {
                    let raw = $crate::poly::ffi::$f(Arg::keep(self, ctx) $(, Arg::keep($a, ctx))*);
                    <$r as Ret<_>>::ret(ctx, raw)
                };
                result.expect("a property of a valid object")
            }
        }
    };
    (@new $ty:ident ($(#[$m:meta])*) $name:ident ($first:ident: $ft:ty $(, $a:ident: $t:ty)*) ($r:ty) $f:ident) => {
        impl $ty {
            $(#[$m])*
            pub fn $name($first: $ft $(, $a: $t)*) -> $crate::poly::Result<$r> {
                use $crate::poly::handle::{Arg, InCtx, Ret};
                let ctx = InCtx::in_ctx($first);
                // SAFETY: valid objects of one context, each passed with a reference of its own.
                unsafe {
                    let raw = $crate::poly::ffi::$f(Arg::take($first, ctx) $(, Arg::take($a, ctx))*);
                    <$r as Ret<_>>::ret(ctx, raw)
                }
            }
        }
    };
}

pub(super) use {c_enum, handle, listed, methods};
