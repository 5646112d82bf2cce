//! What the compilation of a module may cost: accounts of work for the module and for each of its functions.
//!
//! The budget of the option bounds the try of one region. A function may have hundreds of them, and each new version costs
//! the passes behind this one more than it cost here: a register tile with all its edges is some 3000 instructions. So
//! everything that is done for a function is paid from an account, and what is emitted is paid in advance for LLVM:
//!
//! | work | units |
//! |---|---|
//! | exact arithmetic | as [`polytile_analysis::poly::meter`] counts it: 2 to 10 in a microsecond |
//! | an instruction of a new version | [`EMITTED`] |
//! | an instruction of a region that is described | [`DESCRIBED`] |
//! | an instruction of the function, whenever its regions are looked for | [`SEARCHED`] |
//!
//! When an account is empty, the regions that are left keep their code. Nothing here is a time: the same module gives the
//! same code on every machine.

use crate::llvm::Value;

/// The regions of one function may take so many budgets together, about three seconds with the passes that follow.
const FUNCTION_BUDGETS: u64 = 2;

/// The functions of a module may take so many: with fewer, the last of a hundred functions with a product each stayed as they were.
const MODULE_BUDGETS: u64 = 40;

/// For each of its instructions a function may take so much more: half of the 80 microseconds that -O3 takes for one.
const OWN: u64 = 200;

/// LLVM takes 50 to 100 microseconds for an instruction of a new version.
const EMITTED: u64 = 350;

/// Scalar evolutions of what a region computes.
const DESCRIBED: u64 = 50;

/// Dominators, loops and runs of instructions.
const SEARCHED: u64 = 5;

/// What is left for a module.
pub struct ModuleAccount {
    left: u64,
    budget: u64,
}

/// What is left for one of its functions.
pub struct Account<'a> {
    module: &'a mut ModuleAccount,
    left: u64,
    /// Instructions of the function, as far as they are searched.
    size: u64,
}

/// Which account is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Empty {
    /// The function's.
    Function,
    /// The module's.
    Module,
}

impl Empty {
    /// For a reader.
    pub fn reason(self) -> &'static str {
        match self {
            Empty::Function => "the work for its function is spent",
            Empty::Module => "the work for its module is spent",
        }
    }
}

impl ModuleAccount {
    /// For a module of so many instructions; `budget` is that of a region.
    pub fn new(instructions: u64, budget: u64) -> ModuleAccount {
        let own = instructions.saturating_mul(OWN);
        ModuleAccount {
            left: budget.saturating_mul(MODULE_BUDGETS).saturating_add(own),
            budget,
        }
    }

    /// For a function of so many instructions.
    pub fn function(&mut self, instructions: u64) -> Account<'_> {
        let own = instructions.saturating_mul(OWN);
        let left = self.budget.saturating_mul(FUNCTION_BUDGETS);
        Account {
            left: left.saturating_add(own),
            size: instructions,
            module: self,
        }
    }
}

impl Account<'_> {
    /// What the next region may take: of what is left for the function no more than half, so that others get something after one
    /// that is declined in the end.
    pub fn region(&self) -> u64 {
        let share = self.left.div_ceil(2);
        share.min(self.module.left).min(self.module.budget)
    }

    /// Whether nothing is left.
    pub fn empty(&self) -> Option<Empty> {
        match (self.left, self.module.left) {
            (0, _) => Some(Empty::Function),
            (_, 0) => Some(Empty::Module),
            _ => None,
        }
    }

    /// Work was done.
    pub fn charge(&mut self, units: u64) {
        self.left = self.left.saturating_sub(units);
        self.module.left = self.module.left.saturating_sub(units);
    }

    /// Regions were looked for.
    pub fn searched(&mut self) {
        self.charge(self.size.saturating_mul(SEARCHED));
    }

    /// A region of so many instructions was described.
    pub fn described(&mut self, instructions: u64) {
        self.charge(instructions.saturating_mul(DESCRIBED));
    }

    /// So many instructions were emitted.
    pub fn emitted(&mut self, instructions: u64) {
        self.size = self.size.saturating_add(instructions);
        self.charge(instructions.saturating_mul(EMITTED));
    }
}

/// Instructions of a function.
pub fn size(f: Value) -> u64 {
    let blocks = f.blocks().into_iter();
    blocks.map(|b| b.instructions().len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_share_the_account_of_their_module() {
        let mut module = ModuleAccount::new(0, 100);
        let functions = MODULE_BUDGETS / FUNCTION_BUDGETS;
        for _ in 1..functions {
            let mut f = module.function(0);
            assert_eq!((f.region(), f.empty()), (100, None));
            f.charge(150);
            assert_eq!((f.region(), f.empty()), (25, None));
            f.charge(50);
            assert_eq!((f.region(), f.empty()), (0, Some(Empty::Function)));
        }
        let mut f = module.function(1);
        f.charge(100 * FUNCTION_BUDGETS);
        assert_eq!(f.empty(), Some(Empty::Module));
    }

    #[test]
    fn long_functions_may_take_more_and_emitted_code_counts() {
        let mut module = ModuleAccount::new(1_000, 100);
        let mut f = module.function(1_000);
        f.emitted(500);
        assert_eq!(f.empty(), None);
        f.emitted(1_000);
        assert_eq!(f.empty(), Some(Empty::Function));
    }
}
