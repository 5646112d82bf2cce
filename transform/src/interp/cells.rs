//! Cells of accesses and the original order, for given parameters.

use super::{Fault, Instance};
use polytile_analysis::poly::{Aff, DimType, Map, Result, Set};
use polytile_analysis::scop::{Scop, Stmt};

/// An access as a function of the iterators, for given parameters: one affine form per subscript, and where each holds.
pub(crate) struct Subscripts {
    pieces: Vec<(Set, Vec<Form>)>,
}

/// `(constant + sum coefficient * iterator) / denominator`, or an isl function where that is not all.
enum Form {
    Affine {
        constant: i64,
        coefficients: Vec<i64>,
        denominator: i64,
    },
    Other(Aff),
}

impl Subscripts {
    /// The subscripts of a single-valued relation.
    pub fn new(relation: &Map, params: &[i64]) -> Result<Subscripts> {
        let mut pieces = vec![];
        let pma = relation.as_pw_multi_aff()?;
        for (set, ma) in pma.pieces()? {
            let forms = ma
                .affs()?
                .iter()
                .map(|a| Form::new(a, params))
                .collect::<Result<_>>()?;
            pieces.push((fixed(&set, params)?, forms));
        }
        Ok(Subscripts { pieces })
    }

    /// The subscripts at an instance; `None` outside of the relation's domain.
    pub fn at(&self, iterators: &[i64]) -> Result<Option<Vec<i64>>> {
        let piece = match &self.pieces[..] {
            [only] => Some(only),
            several => {
                let mut found = None;
                for p in several {
                    if found.is_none() && !at_point(&p.0, iterators)?.is_empty()? {
                        found = Some(p);
                    }
                }
                found
            }
        };
        let Some((_, forms)) = piece else {
            return Ok(None);
        };
        forms.iter().map(|f| f.at(iterators)).collect()
    }
}

impl Form {
    fn new(aff: &Aff, params: &[i64]) -> Result<Form> {
        if aff.involves_locals()? {
            let mut space = Set::universe(&aff.domain_space()?)?;
            for (p, v) in params.iter().enumerate() {
                space = space.fix_si(DimType::Param, p, *v)?;
            }
            return Ok(Form::Other(aff.gist(&space)?));
        }
        let denominator = aff.denominator()?;
        let scaled = aff.scale_si(denominator)?;
        let mut constant = scaled.constant()?;
        for (p, v) in params.iter().enumerate().take(aff.dim(DimType::Param)) {
            constant += scaled.coefficient(DimType::Param, p)? * v;
        }
        let coefficients = (0..aff.dim(DimType::In))
            .map(|d| scaled.coefficient(DimType::In, d))
            .collect::<Result<_>>()?;
        Ok(Form::Affine {
            constant,
            coefficients,
            denominator,
        })
    }

    /// The value, if it is an integer.
    fn at(&self, iterators: &[i64]) -> Result<Option<i64>> {
        match self {
            Form::Affine {
                constant,
                coefficients,
                denominator,
            } => {
                let sum: i64 = coefficients.iter().zip(iterators).map(|(c, i)| c * i).sum();
                Ok(((constant + sum) % denominator == 0).then_some((constant + sum) / denominator))
            }
            Form::Other(aff) => {
                let set = Set::universe(&aff.domain_space()?)?;
                let value = aff.eval(&at_point(&set, iterators)?.sample_point()?)?;
                Ok(if value.is_int()? {
                    Some(value.to_i64()?)
                } else {
                    None
                })
            }
        }
    }
}

/// The set for these values of its parameters.
pub(crate) fn fixed(set: &Set, params: &[i64]) -> Result<Set> {
    let mut set = set.clone();
    for (p, v) in params.iter().enumerate().take(set.dim(DimType::Param)) {
        set = set.fix_si(DimType::Param, p, *v)?;
    }
    Ok(set)
}

/// The set for these values of its outermost dimensions.
pub(crate) fn at_point(set: &Set, iterators: &[i64]) -> Result<Set> {
    let mut set = set.clone();
    for (d, v) in iterators.iter().enumerate() {
        set = set.fix_si(DimType::Set, d, *v)?;
    }
    Ok(set)
}

/// All points of a domain.
pub(super) fn points(s: &Stmt, params: &[i64]) -> Result<Vec<Vec<i64>>> {
    fixed(&s.domain, params)?.points(super::MAX_INSTANCES)
}

/// When an instance runs in the original order: places in the text and iterators in turns.
pub(crate) fn time(s: &Stmt, at: &[i64]) -> Vec<i64> {
    let mut time = vec![s.beta[0]];
    for (i, b) in at.iter().zip(&s.beta[1..]) {
        time.extend([*i, *b]);
    }
    time
}

/// All instances in the original order.
pub(super) fn original_order(
    scop: &Scop,
    params: &[i64],
) -> std::result::Result<Vec<Instance>, Fault> {
    let mut timed = vec![];
    for s in &scop.stmts {
        for at in points(s, params)? {
            timed.push((time(s, &at), (s.id, at)));
        }
    }
    timed.sort();
    Ok(timed.into_iter().map(|(_, instance)| instance).collect())
}
