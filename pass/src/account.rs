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

/// The regions of one function may take so many budgets together, about six seconds with the passes that follow: a program of some stages, all of
/// them inlined into one function, took three with what it gained by (a block of a transformer; with half of it the largest products were left).
const FUNCTION_BUDGETS: u64 = 4;

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

/// What a region without a loop inside of another may take, as a part of the budget: three times what the dearest of some hundred of
/// them took that gained something. What they can gain is bounded as well.
const FLAT_PART: u64 = 12;

/// For each instruction of a module so much may be spent beside one budget on regions that stay as they are, a quarter of what -O3
/// takes for one. The more of it is gone, the less another region gets ..
const IDLE: u64 = 50;

/// .. but never less than this part of the budget: three of four that gain something need no more.
const LAST_PART: u64 = 16;

/// What is left for a module.
pub struct ModuleAccount {
    left: u64,
    budget: u64,
    /// What may be spent on regions that stay as they are, and what is left of it.
    idle: (u64, u64),
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
        let idle = budget.saturating_add(instructions.saturating_mul(IDLE));
        ModuleAccount {
            left: budget.saturating_mul(MODULE_BUDGETS).saturating_add(own),
            budget,
            idle: (idle, idle),
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

    /// What a region may take after all that led to nothing.
    fn hopeful(&self) -> u64 {
        let (all, left) = (u128::from(self.idle.0.max(1)), u128::from(self.idle.1));
        let part = u128::from(self.budget) * left / all;
        let part = u64::try_from(part).unwrap_or(u64::MAX);
        part.max(self.budget.div_ceil(LAST_PART))
    }
}

impl Account<'_> {
    /// What the next region may take, whose deepest nest has so many loops: of what is left for the function no more than half, so
    /// that others get something after one that is declined in the end.
    pub fn region(&self, depth: usize) -> u64 {
        let share = self.left.div_ceil(2);
        let budget = self.module.budget;
        let most = match depth {
            0 | 1 => budget.div_ceil(FLAT_PART),
            _ => budget,
        };
        share
            .min(self.module.left)
            .min(most)
            .min(self.module.hopeful())
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

    /// So much of what was charged changed nothing.
    pub fn idle(&mut self, units: u64) {
        let left = &mut self.module.idle.1;
        *left = left.saturating_sub(units);
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
    blocks.map(|b| b.size() as u64).sum()
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
            assert_eq!((f.region(2), f.empty()), (100, None));
            f.charge(100 * FUNCTION_BUDGETS - 50);
            assert_eq!((f.region(2), f.empty()), (25, None));
            f.charge(50);
            assert_eq!((f.region(2), f.empty()), (0, Some(Empty::Function)));
        }
        let mut f = module.function(1);
        f.charge(100 * FUNCTION_BUDGETS);
        assert_eq!(f.empty(), Some(Empty::Module));
    }

    #[test]
    fn what_leads_to_nothing_leaves_less_for_others() {
        let mut module = ModuleAccount::new(20, 1_000);
        let mut f = module.function(20);
        assert_eq!((f.region(1), f.region(3)), (84, 1_000));
        f.idle(1_000);
        assert_eq!((f.region(1), f.region(3)), (84, 500));
        f.idle(1_000);
        assert_eq!((f.region(1), f.region(3)), (63, 63));
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
