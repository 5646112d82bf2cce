//! Dense identities. A value of one of these types indexes a vector of the structure that it belongs to.

use std::fmt;

macro_rules! dense_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the owning vector.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(i: usize) -> Self {
                $name(u32::try_from(i).expect("dense id out of range"))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

dense_id!(/// A value of the compiled program: index into [`crate::region::Region::values`].
    ValueId, "v");
dense_id!(/// A loop of a region: index into [`crate::region::Region::loops`].
    LoopId, "L");
dense_id!(/// A basic block of a region: index into [`crate::region::Region::blocks`].
    BlockId, "b");
dense_id!(/// A base pointer of a region: index into [`crate::region::Region::bases`].
    BaseId, "m");
dense_id!(/// A statement: index into [`crate::scop::Scop::stmts`].
    StmtId, "S");
dense_id!(/// An array: index into [`crate::scop::Scop::arrays`].
    ArrayId, "A");
dense_id!(/// A symbolic constant: index into [`crate::scop::Scop::params`].
    ParamId, "p");
dense_id!(/// A node of a statement body: index into [`crate::body::Body::nodes`].
    NodeId, "n");
