//! Whether a [`Scop`] is one: [`Scop::validate`].
//!
//! Rewrites before dependences change domains, accesses, arrays and positions of statements. Everything behind them takes for
//! granted what is checked here:
//!
//! | part | must hold |
//! |---|---|
//! | ids | dense: statement `i` is called `Si`, arrays and operands exist |
//! | domains | over the statement's own tuple, one dimension per loop, of the SCoP's parameters |
//! | accesses | functions from the statement's instances to the array's elements; the first one writes, and none to a loose array |
//! | positions (beta) | one more than loops, all different, none the beginning of another; equal beginnings mean equal loops |

use crate::body::NodeKind;
use crate::ids::{ArrayId, StmtId};
use crate::poly::{self, DimType, Map, Set};
use crate::scop::{Access, AccessKind, ArrayKind, Scop, Stmt};
use std::collections::BTreeSet;
use std::fmt;

/// What is wrong with a SCoP.
#[derive(Clone, PartialEq, Debug)]
pub enum Flaw {
    /// A statement has another id or name than its position says.
    Identity(StmtId),
    /// A domain is over another tuple, or has parameters that the SCoP does not have.
    Domain(StmtId),
    /// An access (by its number) of a statement is wrong, and how.
    Access(StmtId, usize, &'static str),
    /// The operand tree reads what is not there.
    Body(StmtId),
    /// The positions of two statements do not say which comes first or which loops they share.
    Position(StmtId, StmtId),
    /// A pair of arrays that must not overlap is none.
    Pair(ArrayId, ArrayId),
    /// The set library failed.
    Poly(poly::Error),
}

impl From<poly::Error> for Flaw {
    fn from(e: poly::Error) -> Flaw {
        Flaw::Poly(e)
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Identity(s) => write!(f, "{s} has another id or name"),
            Flaw::Domain(s) => write!(f, "the domain of {s} is in another space"),
            Flaw::Access(s, n, why) => write!(f, "access {n} of {s} {why}"),
            Flaw::Body(s) => write!(f, "the operand tree of {s} reads what is not there"),
            Flaw::Position(s, t) => write!(f, "the positions of {s} and {t} contradict each other"),
            Flaw::Pair(a, b) => write!(f, "arrays {a} and {b} are no pair"),
            Flaw::Poly(e) => write!(f, "{e}"),
        }
    }
}

impl std::error::Error for Flaw {}

impl Scop {
    /// Whether everything is as the stages behind take it.
    ///
    /// # Errors
    /// The first flaw.
    pub fn validate(&self) -> Result<(), Flaw> {
        let params: BTreeSet<&str> = self.params.iter().map(|p| p.name.as_str()).collect();
        for (i, stmt) in self.stmts.iter().enumerate() {
            let named = stmt.id.index() == i && stmt.name == format!("S{i}");
            if !named {
                return Err(Flaw::Identity(StmtId::from(i)));
            }
            if !self.has_domain(stmt, &params)? {
                return Err(Flaw::Domain(stmt.id));
            }
            for (n, access) in stmt.accesses.iter().enumerate() {
                if let Err(why) =
                    self.access(stmt, access, n == 0 || n < stmt.first_read(), &params)?
                {
                    return Err(Flaw::Access(stmt.id, n, why));
                }
            }
            if stmt.accesses.is_empty() || !reads_what_is_there(stmt) {
                return Err(Flaw::Body(stmt.id));
            }
            for other in &self.stmts[..i] {
                if !positions_fit(stmt, other) {
                    return Err(Flaw::Position(other.id, stmt.id));
                }
            }
        }
        for &(a, b) in &self.no_overlap {
            let memory = |a: ArrayId| {
                let array = self.arrays.get(a.index());
                array.is_some_and(|a| matches!(a.kind, ArrayKind::Memory { .. }))
            };
            if a == b || !memory(a) || !memory(b) {
                return Err(Flaw::Pair(a, b));
            }
        }
        Ok(())
    }

    fn has_domain(&self, stmt: &Stmt, params: &BTreeSet<&str>) -> poly::Result<bool> {
        let depth = stmt.depth();
        Ok(stmt.domain.tuple_name().as_deref() == Some(&stmt.name)
            && stmt.domain.tuple_dim() == depth
            && stmt.beta.len() == depth + 1
            && stmt.iters.iter().all(|l| l.index() < self.loops.len())
            && knows(&stmt.domain.params()?, params)?)
    }

    fn access(
        &self,
        stmt: &Stmt,
        access: &Access,
        writes: bool,
        params: &BTreeSet<&str>,
    ) -> poly::Result<Result<(), &'static str>> {
        let Some(array) = self.arrays.get(access.array.index()) else {
            return Ok(Err("is to no array"));
        };
        if writes == (access.kind == AccessKind::Read) {
            return Ok(Err(
                "reads where it should write, or writes where it should read",
            ));
        }
        if writes && array.is_loose() {
            return Ok(Err("writes to an array whose rows may overlap"));
        }
        let relation: &Map = &access.relation;
        let name = |ty| relation.space().map(|s| s.tuple_name(ty));
        if name(DimType::In)?.as_deref() != Some(&stmt.name)
            || name(DimType::Out)?.as_deref() != Some(&array.name)
            || relation.dim(DimType::In) != stmt.depth()
            || relation.dim(DimType::Out) != array.strides.len()
        {
            return Ok(Err("is in another space"));
        }
        if !knows(&relation.params()?, params)? {
            return Ok(Err("has unknown parameters"));
        }
        let used = relation.intersect_domain(&stmt.domain)?;
        Ok(
            match used.intersect_params(&self.context)?.is_single_valued()? {
                true => Ok(()),
                false => Err("touches several elements in one instance"),
            },
        )
    }
}

/// Whether all parameters of a set are among these.
fn knows(set: &Set, params: &BTreeSet<&str>) -> poly::Result<bool> {
    let space = set.space()?;
    let mut names = (0..space.dim(DimType::Param)).map(|p| space.dim_name(DimType::Param, p));
    Ok(names.all(|n| n.is_some_and(|n| params.contains(n.as_str()))))
}

/// Whether every node reads accesses and nodes that exist, nodes before itself.
fn reads_what_is_there(stmt: &Stmt) -> bool {
    let nodes = &stmt.body.nodes;
    let fits = |(at, kind): (usize, &NodeKind)| match kind {
        NodeKind::Read(n) => (1..stmt.accesses.len()).contains(n),
        NodeKind::Op { args, .. } => args.iter().all(|a| a.index() < at),
        _ => true,
    };
    stmt.body.root.index() < nodes.len() && nodes.iter().map(|n| &n.kind).enumerate().all(fits)
}

/// Whether the positions of two statements tell which comes first, and agree with the loops around them.
fn positions_fit(a: &Stmt, b: &Stmt) -> bool {
    let common = a.beta.iter().zip(&b.beta).take_while(|(x, y)| x == y);
    let shared = common.count();
    let apart = shared < a.beta.len() && shared < b.beta.len();
    apart && a.iters[..shared] == b.iters[..shared]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Ctx;
    use crate::text::{parse_scop, samples};

    fn gemm(ctx: &Ctx) -> Scop {
        parse_scop(ctx, samples::text("gemm").unwrap()).unwrap()
    }

    #[test]
    fn samples_are_valid() {
        let ctx = Ctx::new();
        for (name, text) in samples::ALL {
            let found = parse_scop(&ctx, text).unwrap().validate();
            assert_eq!(found, Ok(()), "{name}");
        }
    }

    #[test]
    fn flaws_are_found() {
        let ctx = Ctx::new();
        let mut other = gemm(&ctx);
        other.stmts[0].beta = other.stmts[1].beta[..1].to_vec();
        assert_eq!(other.validate(), Err(Flaw::Domain(StmtId(0))));
        let mut other = gemm(&ctx);
        other.stmts[0].beta = other.stmts[1].beta[..other.stmts[0].beta.len()].to_vec();
        assert!(matches!(other.validate(), Err(Flaw::Position(..))));
        let mut other = gemm(&ctx);
        other.stmts.swap(0, 1);
        assert_eq!(other.validate(), Err(Flaw::Identity(StmtId(0))));
        let mut other = gemm(&ctx);
        other.no_overlap = vec![(ArrayId(0), ArrayId(0))];
        assert!(matches!(other.validate(), Err(Flaw::Pair(..))));
        let mut other = gemm(&ctx);
        other.stmts[0].accesses[0].array = ArrayId(1);
        assert!(matches!(other.validate(), Err(Flaw::Access(_, 0, _))));
        let mut other = gemm(&ctx);
        let written = other.stmts[0].write().array;
        other.arrays[written.index()].extents.clear();
        assert!(matches!(other.validate(), Err(Flaw::Access(_, 0, _))));
    }

    #[test]
    fn several_elements_are_no_access() {
        let ctx = Ctx::new();
        let text = "params n\narray A f64 [n]\nstmt S0\n  domain { S0[i] : 0 <= i < n }\n  beta 0 0\n  \
                    write { S0[i] -> A[o] : i <= 2 o <= i + 2 }\n  body (inv v0)\n";
        let scop = parse_scop(&ctx, text).unwrap();
        let flaw = scop.validate().unwrap_err();
        assert_eq!(
            flaw.to_string(),
            "access 0 of S0 touches several elements in one instance"
        );
    }
}
