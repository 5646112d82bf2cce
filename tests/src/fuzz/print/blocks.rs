//! Blocks that the function allocates, and pointers that it chooses.

use super::Printer;
use crate::fuzz::program::{ArrayId, Storage};

impl Printer<'_> {
    /// Declarations of the function's blocks, and of the pointers that it chooses.
    pub(super) fn local_pointers(&mut self) {
        for id in self.blocks() {
            let c_name = self.array(id).element.c_name();
            let inside = self.choosing(id);
            let count = inside.iter().fold(self.count(id), |count, other| {
                format!("MAX({count}, {})", self.count(*other))
            });
            self.line(
                1,
                &format!("{c_name} *A{id} = calloc({count}, sizeof({c_name}));"),
            );
        }
        for id in 0..self.program().arrays.len() {
            if let (Storage::Chosen(first, second), true) =
                (self.array(id).storage, self.used.contains(&id))
            {
                let c_name = self.array(id).element.c_name();
                self.line(
                    1,
                    &format!(
                        "{c_name} *A{id} = n0 & 1 ? ({c_name} *)A{first} : ({c_name} *)A{second};"
                    ),
                );
            }
        }
    }

    /// Frees the blocks.
    pub(super) fn free_blocks(&mut self) {
        for id in self.blocks() {
            self.line(1, &format!("free(A{id});"));
        }
    }

    /// The blocks that the function needs.
    fn blocks(&self) -> Vec<ArrayId> {
        let needed = |id: &ArrayId| self.used.contains(id) || !self.choosing(*id).is_empty();
        let heap = |id: &ArrayId| self.array(*id).storage == Storage::Heap;
        let all = 0..self.program().arrays.len();
        all.filter(heap).filter(needed).collect()
    }

    /// The pointers used that may point to an array.
    fn choosing(&self, id: ArrayId) -> Vec<ArrayId> {
        let used = self.used.iter().copied();
        used.filter(|other| self.array(*other).within().contains(&id))
            .collect()
    }

    /// The number of an array's elements.
    fn count(&self, id: ArrayId) -> String {
        let extents = self.generated.layout.arrays[id].extents.iter();
        let factors: Vec<String> = extents
            .map(|extent| format!("(long)({})", self.extent(*extent)))
            .collect();
        factors.join(" * ")
    }
}
