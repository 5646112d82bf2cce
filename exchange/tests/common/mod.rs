//! SCoPs from text with their dependences, for tests.

use polytile_analysis::deps::{self, Dependences};
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::text::{parse_scop, samples};
use polytile_analysis::tree::Schedule;
use polytile_exchange::{Document, Flaw, Form};

/// A SCoP and its dependences.
pub struct Given {
    pub scop: Scop,
    pub deps: Dependences,
}

impl Given {
    /// Of a text.
    pub fn of(text: &str) -> Given {
        let scop = parse_scop(&Ctx::new(), text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let deps = deps::compute(&scop, false).unwrap();
        Given { scop, deps }
    }

    /// A well-known nest.
    pub fn sample(name: &str) -> Given {
        Given::of(samples::text(name).unwrap())
    }

    /// Its file.
    pub fn printed(&self, form: Form) -> String {
        form.print(&self.scop).unwrap()
    }

    /// The order of a file, if it is about this one, and legal.
    pub fn order(&self, form: Form, text: &str) -> Result<Schedule, Flaw> {
        let document: Document = form.parse("given", text)?;
        document.fits(&self.scop)?;
        document.order(&self.scop, &self.deps)
    }
}
