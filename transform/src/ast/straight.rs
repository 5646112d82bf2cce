//! Loops of one statement by rows alone, where isl's generator exceeds its quota.
//!
//! The rows of the nest are a unimodular change of the statement's iterators, `y = R i + c`; with `R U = I` (the Hermite form of a
//! unimodular matrix) the domain is rows over `y`, and the statement runs at `i = U (y - c)`.

use super::convert::LoopSpec;
use super::echelon::{Frame, RowNest, rows_of, sum};
use super::island::{loop_kind, runs_in};
use super::scope::Scope;
use super::{Generator, expr};
use polytile_analysis::ast::{Ast, Expr, ForKind};
use polytile_analysis::lattice::{Matrix, hermite, product};
use polytile_analysis::poly::{self, Aff, DimType, Set, UnionPwAff, UnionSet};
use polytile_analysis::scan::{Row, System};
use polytile_analysis::tree::{LoopKind, Tree};

/// A nest without branches, outermost first.
type Straight = Vec<(UnionPwAff, LoopKind)>;

/// A unimodular change of iterators.
struct Change {
    /// `U`.
    inverse: Matrix,
    /// `c`: the constant and the parameters of each row.
    offsets: Vec<Row>,
}

impl Generator<'_> {
    /// The loops of a subtree; `None` if it is not of this kind.
    ///
    /// # Errors
    /// [`poly::Error::Quota`] where rows do not serve either.
    pub(super) fn straight(
        &mut self,
        tree: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Option<Ast>> {
        let mut rows = vec![];
        let [set] = &domain.sets()?[..] else {
            return Ok(None);
        };
        if !straight(tree, domain, &mut rows)? {
            return Ok(None);
        }
        let inside = set.intersect_params(&scope.context)?;
        let name = set.tuple_name().expect("statements have names");
        let Some(change) = Change::of(&rows, &inside)? else {
            return Ok(None);
        };
        let (own, known) = rows_of(&inside, scope)?;
        let Some(system) = change.system(&own) else {
            return Ok(None);
        };
        let nest = RowNest::new(&system, &known, &inside, scope)?;
        let specs = self.straight_specs(&rows, domain, scope)?;
        let iterators: Vec<String> = (0..rows.len())
            .map(|d| format!("{}{d}", scope.prefix))
            .collect();
        let params = change.params(&inside, scope);
        let args = |y: &[Expr]| change.iterators(y, &params);
        let frame = Frame {
            specs: &specs,
            iterators: &iterators,
            args: &args,
        };
        self.row_loops(&nest, &frame, scope, &mut |generator, _, _, args| {
            generator.statement(&name, args)
        })
        .map(Some)
    }

    fn straight_specs(
        &self,
        rows: &Straight,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Vec<LoopSpec>> {
        let mut outer: Vec<UnionPwAff> = vec![];
        let mut specs = vec![];
        for (row, kind) in rows {
            let mut spec = LoopSpec {
                kind: loop_kind(*kind),
                ..LoopSpec::plain()
            };
            if matches!(spec.kind, ForKind::Parallel { .. }) {
                spec.runs = self.weighted(&runs_in(domain, &outer, &scope.prefix)?)?;
            }
            specs.push(spec);
            outer.push(row.clone());
        }
        Ok(specs)
    }
}

/// Reads the loops of a tree without branches off; `false` if there is something else.
fn straight(tree: &Tree, domain: &UnionSet, rows: &mut Straight) -> poly::Result<bool> {
    match tree {
        Tree::Leaf => Ok(true),
        Tree::Band(band) => {
            let here = domain.universe_of()?;
            for m in 0..band.schedule.size() {
                let kind = band.loops.get(m).copied().unwrap_or_default();
                let plain = matches!(
                    kind,
                    LoopKind::Sequential | LoopKind::Parallel(_) | LoopKind::Vector
                );
                if !plain {
                    return Ok(false);
                }
                rows.push((band.schedule.at(m)?.intersect_domain(&here)?, kind));
            }
            straight(&band.child, domain, rows)
        }
        Tree::Sequence(_) | Tree::Set(_) | Tree::Mark(..) => Ok(false),
    }
}

impl Change {
    /// The rows as a change of a set's iterators; `None` if they are no unimodular one.
    fn of(rows: &Straight, set: &Set) -> poly::Result<Option<Change>> {
        let (mut linear, mut offsets) = (vec![], vec![]);
        for (row, _) in rows {
            let [one] = &row.pw_affs()?[..] else {
                return Ok(None);
            };
            if !one.isa_aff()? {
                return Ok(None);
            }
            let aff = one.as_aff()?;
            if aff.involves_locals()? || aff.denominator()? != 1 {
                return Ok(None);
            }
            linear.push(coefficients(&aff, DimType::In)?);
            offsets.push(offset(&aff, set)?);
        }
        let square = linear.len() == set.tuple_dim();
        let form = square.then(|| hermite(&linear)).flatten();
        Ok(form.filter(|f| f.index() == Some(1)).map(|f| Change {
            inverse: f.unimodular,
            offsets,
        }))
    }

    /// The rows of a domain over parameters and `y`: `d + a p + b U (y - c)`.
    fn system(&self, domain: &System) -> Option<System> {
        let n = self.inverse.len();
        let params = domain.variables - n;
        let mut changed = System::new(domain.variables);
        changed.void = domain.void;
        for row in &domain.rows {
            let (outer, inner) = row.split_at(1 + params);
            let inner = product(&vec![inner.to_vec()], &self.inverse)?.remove(0);
            let mut new = outer.to_vec();
            for (factor, offset) in inner.iter().zip(&self.offsets) {
                for (entry, c) in new.iter_mut().zip(offset) {
                    *entry = entry.checked_sub(factor.checked_mul(*c)?)?;
                }
            }
            new.extend(inner);
            changed.add(new);
        }
        Some(changed)
    }

    /// The values of a set's parameters.
    fn params(&self, set: &Set, scope: &Scope) -> Vec<Expr> {
        let name = |p| {
            set.dim_name(DimType::Param, p)
                .expect("parameters have names")
        };
        (0..set.dim(DimType::Param))
            .map(|p| scope.value(&name(p)))
            .collect()
    }

    /// `U (y - c)`.
    fn iterators(&self, y: &[Expr], params: &[Expr]) -> Vec<Expr> {
        let moved = y
            .iter()
            .zip(&self.offsets)
            .map(|(y, c)| expr::sub(y, &sum(c, params)));
        let moved: Vec<Expr> = moved.collect();
        let line = |row: &Row| {
            let mut long = vec![0];
            long.extend(row);
            sum(&long, &moved)
        };
        self.inverse.iter().map(line).collect()
    }
}

fn coefficients(aff: &Aff, ty: DimType) -> poly::Result<Vec<i64>> {
    (0..aff.dim(ty)).map(|d| aff.coefficient(ty, d)).collect()
}

/// The constant and the coefficients of a set's parameters.
fn offset(aff: &Aff, set: &Set) -> poly::Result<Row> {
    let mut row = vec![0; 1 + set.dim(DimType::Param)];
    row[0] = aff.constant()?;
    for p in 0..aff.dim(DimType::Param) {
        let factor = aff.coefficient(DimType::Param, p)?;
        let name = aff.dim_name(DimType::Param, p).unwrap_or_default();
        match set.find_dim_by_name(DimType::Param, &name) {
            Some(at) => row[1 + at] = factor,
            None if factor == 0 => {}
            None => return Err(poly::Error::Quota),
        }
    }
    Ok(row)
}
