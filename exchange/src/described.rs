//! What is told of a SCoP to others.

use polytile_analysis::poly::{self, Map, Set};
use polytile_analysis::region::Ty;
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{AccessKind, Array, Scop};
use polytile_analysis::tree;

/// A SCoP in the source's order, as sets and relations.
pub struct Described<'a> {
    /// The SCoP.
    pub scop: &'a Scop,
    /// What holds for the parameters wherever a new version runs.
    pub context: Set,
    /// In textual order.
    pub stmts: Vec<Statement>,
}

/// A statement.
pub struct Statement {
    /// Its tuple.
    pub name: String,
    /// Iteration domain.
    pub domain: Set,
    /// When instances run.
    pub times: Map,
    /// Access relations; writes come first.
    pub accesses: Vec<(AccessKind, Map)>,
}

impl<'a> Described<'a> {
    /// What is told of a SCoP.
    ///
    /// # Errors
    /// What the set library comes to.
    pub fn of(scop: &'a Scop) -> poly::Result<Described<'a>> {
        let space = scop.context.space()?;
        let flat = tree::original(scop)?.flat()?;
        let mut stmts = vec![];
        for s in &scop.stmts {
            let domain = s.domain.to_union_set()?;
            let times = flat.intersect_domain(&domain)?.as_map()?;
            let within =
                Map::from_domain_and_range(&s.domain, &Set::universe(&times.range()?.space()?)?)?;
            let accesses = s.accesses.iter();
            let accesses = accesses.map(|a| Ok((a.kind, a.relation.align_params(&space)?)));
            stmts.push(Statement {
                name: s.name.clone(),
                domain: s.domain.align_params(&space)?,
                times: times.gist(&within)?.align_params(&space)?,
                accesses: accesses.collect::<poly::Result<_>>()?,
            });
        }
        Ok(Described {
            scop,
            context: scop.known()?.align_params(&space)?,
            stmts,
        })
    }

    /// Names of the parameters.
    pub fn params(&self) -> Vec<&str> {
        self.scop.params.iter().map(|p| p.name.as_str()).collect()
    }

    /// Where the SCoP is, in words.
    pub fn place(&self) -> String {
        let Scop { function, loc, .. } = self.scop;
        match loc {
            Some(at) => format!("{function}, {}:{}", at.file, at.line),
            None => function.clone(),
        }
    }

    /// The sizes of an array's dimensions: a number, a parameter, or unknown; that of the first one never is known but for a temporary.
    pub fn sizes(&self, array: &Array) -> Vec<Option<String>> {
        let known = |e: &Scev| match e.as_constant() {
            Some(c) => Some(c.to_string()),
            None => {
                let named = self.scop.params.iter().find(|p| p.expr == *e);
                named.map(|p| p.name.clone())
            }
        };
        let dims = array.strides.len().max(array.extents.len());
        let mut sizes = vec![None; dims - array.extents.len()];
        sizes.extend(array.extents.iter().map(known));
        sizes
    }
}

/// A type as C or LLVM names it.
pub fn type_name(ty: Ty) -> String {
    match ty {
        Ty::Float(64) => "double".to_owned(),
        Ty::Float(32) => "float".to_owned(),
        Ty::Float(bits) => format!("f{bits}"),
        Ty::Int(bits) => format!("i{bits}"),
        Ty::Ptr => "ptr".to_owned(),
        Ty::Other(bits) => format!("x{bits}"),
    }
}
