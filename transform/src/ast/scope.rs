//! What is visible at a place of the generated program: names, their values, and facts about them.

use super::convex;
use super::pack::Packed;
use polytile_analysis::ast::Expr;
use polytile_analysis::ids::{ArrayId, ParamId};
use polytile_analysis::poly::{self, MultiUnionPwAff, PwAff, Set, UnionMap, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::Schedule;

/// Parameters of the sets at a place: SCoP parameters, tile sizes, origins of enclosing tiles.
#[derive(Clone)]
pub(crate) struct Scope {
    bindings: Vec<(String, Expr)>,
    /// Facts about the parameters, convex.
    pub context: Set,
    /// Rows of enclosing tile bands with the names of their origins, outermost first.
    pub origins: Vec<(UnionPwAff, String)>,
    /// The sizes of these tiles.
    pub origin_sizes: Vec<Expr>,
    /// The rows of the innermost enclosing tile band.
    pub tile_rows: Option<MultiUnionPwAff>,
    /// Operands that were copied for the register tiles below.
    pub packed: Vec<Packed>,
    /// How many instances a vector loop has.
    pub rows: Rows,
    /// Arrays of which the threads of the next parallel loop have copies.
    pub private: Vec<ArrayId>,
    /// The rows of the band right below as a relation.
    pub relation: Option<UnionMap>,
    /// No parameter's name begins like this.
    pub prefix: String,
}

/// How long contiguous loops are at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// As long as the extents.
    Long,
    /// At most as long as a register tile is wide.
    OfRegisterTile,
}

impl Scope {
    /// The outermost place.
    pub fn new(scop: &Scop, schedule: &Schedule) -> poly::Result<Scope> {
        let mut bindings: Vec<(String, Expr)> = vec![];
        for (i, p) in scop.params.iter().enumerate() {
            bindings.push((p.name.clone(), Expr::Param(ParamId::from(i))));
        }
        for (i, s) in schedule.sizes.iter().enumerate() {
            bindings.push((s.name.clone(), Expr::Size(i)));
        }
        let mut prefix = "c".to_owned();
        while bindings.iter().any(|(n, _)| n.starts_with(&prefix)) {
            prefix.push('_');
        }
        Ok(Scope {
            bindings,
            context: context(scop, schedule)?,
            origins: vec![],
            origin_sizes: vec![],
            tile_rows: None,
            packed: vec![],
            rows: Rows::Long,
            private: vec![],
            relation: None,
            prefix,
        })
    }

    /// The innermost enclosing tile in the direction of a row: the name of its origin, and its size.
    pub fn tile_of(&self, row: &UnionPwAff) -> poly::Result<Option<(&str, &Expr)>> {
        self.tile_where(|r| r.plain_is_equal(row))
    }

    /// The same for the statements of `here` alone.
    pub fn tile_of_part(
        &self,
        row: &UnionPwAff,
        here: &UnionSet,
    ) -> poly::Result<Option<(&str, &Expr)>> {
        let own = row.intersect_domain(here)?;
        self.tile_where(|r| r.intersect_domain(here)?.plain_is_equal(&own))
    }

    fn tile_where(
        &self,
        is: impl Fn(&UnionPwAff) -> poly::Result<bool>,
    ) -> poly::Result<Option<(&str, &Expr)>> {
        for ((row, name), size) in self.origins.iter().zip(&self.origin_sizes).rev() {
            if is(row)? {
                return Ok(Some((name, size)));
            }
        }
        Ok(None)
    }

    /// A name as a function of the parameters.
    pub fn param(&self, name: &str) -> poly::Result<PwAff> {
        let space = self.context.space()?.add_param(name)?;
        PwAff::param_on_domain(&Set::universe(&space)?, name)
    }

    /// With one more name.
    pub fn bind(&mut self, name: &str, value: Expr) {
        self.bindings.push((name.to_owned(), value));
    }

    /// All names, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.bindings.iter().map(|(n, _)| n.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// All names with their values.
    pub fn values(&self) -> impl Iterator<Item = (&str, &Expr)> {
        self.bindings.iter().map(|(n, e)| (n.as_str(), e))
    }

    /// A name with this value.
    pub fn name_of(&self, value: &Expr) -> Option<&str> {
        let found = self.bindings.iter().rev().find(|(_, e)| e == value);
        found.map(|(n, _)| n.as_str())
    }

    /// The value of a name. [`crate::legality`] lets no schedule pass that has names of its own.
    pub fn value(&self, name: &str) -> Expr {
        match self.get(name) {
            Some(e) => e.clone(),
            None => panic!("'{name}' is bound"),
        }
    }

    /// The value of a name, if it has one.
    pub fn get(&self, name: &str) -> Option<&Expr> {
        let found = self.bindings.iter().rev().find(|(n, _)| n == name);
        found.map(|(_, e)| e)
    }
}

/// What holds for the parameters when the generated program runs: the context, the assumptions (checked before), and
/// sizes of at least 1.
fn context(scop: &Scop, schedule: &Schedule) -> poly::Result<Set> {
    let mut context = convex(&scop.context)?;
    for a in &scop.assumptions {
        context = context.intersect(&convex(&a.set)?)?;
    }
    for s in &schedule.sizes {
        let text = format!("[{0}] -> {{ : {0} >= 1 }}", s.name);
        context = context.intersect(&Set::parse(context.ctx(), &text)?)?;
    }
    // Else this is done for each question.
    let useful = context.without_machine_bounds()?;
    useful.remove_redundancies()?.detect_equalities()
}
