//! Points of tiles in domains whose inequalities have divisions by several iterators: scanned without the divisions, which become conditions.
//!
//! ```text
//! { S[i, j] : j >= 0 and -4 + i - 6j <= 12*floor((4 + i - 3j)/9) <= 1 + i - 6j and ... }     j goes by 6, from floors of i
//!   ->  for (j = J; j <= min(J + 3, (19 - i)/6); j++) if (...) S(i, j);
//! ```
//!
//! isl's generator finds such steps, and where a loop begins at the origin of a tile, its lower bound on their lattice was seen to be wrong
//! (0.27: it is simplified with a division that has that value for another `j`), so that instances did not run. A step that an equality says
//! (`i + j` is even) is not concerned, nor are loops that begin where the domain does. A switch on a remainder of a counter that begins at a
//! quotient makes such sets.
//!
//! What this does not do: keep the loop from asking at each of its values.

use super::constraints::holds;
use super::scope::Scope;
use super::{Generator, condition, hull};
use polytile_analysis::ast::{Ast, Expr};
use polytile_analysis::poly::{self, DimType, Set, UnionSet};

/// A domain that isl can scan, and for each statement of which more is scanned than runs, which part of that runs.
pub(super) struct Scanned {
    pub domain: UnionSet,
    exact: Vec<(String, Set)>,
}

impl Scanned {
    /// # Errors
    /// What leaving divisions out comes to.
    pub fn of(domain: &UnionSet, scope: &Scope) -> poly::Result<Scanned> {
        let mut scanned = Scanned {
            domain: domain.clone(),
            exact: vec![],
        };
        if scope.origins.is_empty() {
            return Ok(scanned);
        }
        let mut parts = vec![];
        for set in domain.sets()? {
            let more = match divides_by_several(&set)? {
                true => hull(&set.remove_divs()?)?,
                false => None,
            };
            match more {
                Some(more) => {
                    let name = set.tuple_name().expect("statements have names");
                    scanned.exact.push((name, set.gist(&more)?));
                    parts.push(more);
                }
                None => parts.push(set),
            }
        }
        if let (false, Some((first, rest))) = (scanned.exact.is_empty(), parts.split_first()) {
            scanned.domain = first.to_union_set()?;
            for part in rest {
                scanned.domain = scanned.domain.union(&part.to_union_set()?)?;
            }
        }
        Ok(scanned)
    }

    /// The call of a statement, where it runs.
    ///
    /// # Errors
    /// What isl makes of the condition comes to.
    pub fn call(
        &self,
        generator: &Generator,
        (name, args): (&str, Vec<Expr>),
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let Some((_, exact)) = self.exact.iter().find(|(n, _)| n == name) else {
            return generator.statement(name, args);
        };
        let mut inner = scope.clone();
        let mut here = exact.clone();
        for (d, arg) in args.iter().enumerate() {
            let iterator = format!("{}_i{d}", scope.prefix);
            here = here.set_dim_name(DimType::Set, d, &iterator)?;
            inner.bind(&iterator, arg.clone());
        }
        let first = here.dim(DimType::Param);
        let here = here.move_dims(DimType::Param, first, DimType::Set, 0, args.len())?;
        let runs = holds(&here.params()?, &scope.context, &inner)?;
        Ok(condition(runs, generator.statement(name, args)?, None))
    }
}

/// Whether an inequality has a division and several iterators.
fn divides_by_several(set: &Set) -> poly::Result<bool> {
    for piece in set.basic_sets()? {
        let divs = piece.dim(DimType::Div);
        for c in piece.constraints()? {
            if c.is_equality() || !c.involves_dims(DimType::Div, 0, divs)? {
                continue;
            }
            let mut iterators = 0;
            for d in 0..piece.dim(DimType::Set) {
                iterators += usize::from(c.involves_dims(DimType::Set, d, 1)?);
            }
            if iterators > 1 {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
