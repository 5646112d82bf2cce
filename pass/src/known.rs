//! A region as others know it: its canonical text and the hash by which it is looked up.

use polytile_analysis::scop::Scop;
use polytile_analysis::text::Canonical;
use polytile_records::hash;
use polytile_records::listing::Place;
use polytile_transform::target::Target;

/// A region's identity.
pub(crate) struct Known {
    /// Its text, and its names.
    pub(crate) canonical: Canonical,
    /// The hash of the text.
    pub(crate) hash: String,
}

impl Known {
    /// Of a SCoP as the search takes it.
    pub(crate) fn of(scop: &Scop) -> Known {
        let canonical = Canonical::of(scop);
        let hash = hash::of(canonical.text());
        Known { canonical, hash }
    }
}

/// Where a SCoP is.
pub(crate) fn place(scop: &Scop) -> Place<'_> {
    Place {
        file: scop.loc.as_ref().map(|l| l.file.as_str()),
        line: scop.loc.as_ref().map(|l| l.line),
        function: &scop.function,
    }
}

/// The processor that a region is compiled for, as lists and records name it.
pub(crate) fn target_name(target: &Target) -> String {
    format!("{}, {} bits", target.name, target.vector.bits)
}
