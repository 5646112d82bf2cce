//! Addresses of accesses that were given as relations.
//!
//! `A[i, j + 1]` with rows of `n` elements is `8 + {{0,+,8n},+,8}` bytes behind the base, as extraction would find it. Plans
//! compare such evolutions, to tell what adds to one cell.

use polytile_analysis::ids::BaseId;
use polytile_analysis::poly::{self, Aff, DimType};
use polytile_analysis::region::Address;
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Access, Place, Scop, Stmt};

/// Bits of an offset.
const WIDTH: u32 = 64;

/// Gives every access to memory the address that its relation says.
pub fn give_places(scop: &mut Scop) -> poly::Result<()> {
    let mut places = vec![];
    for stmt in &scop.stmts {
        for access in &stmt.accesses {
            places.push(place(scop, stmt, access)?);
        }
    }
    let accesses = scop.stmts.iter_mut().flat_map(|s| &mut s.accesses);
    for (access, place) in accesses.zip(places) {
        if let Some(place) = place {
            access.place = place;
        }
    }
    Ok(())
}

fn place(scop: &Scop, stmt: &Stmt, access: &Access) -> poly::Result<Option<Place>> {
    if !matches!(access.place, Place::Memory(_)) {
        return Ok(None);
    }
    let subscripts = access.relation.as_pw_multi_aff()?;
    let mut offset = constant(0);
    if subscripts.isa_multi_aff()? {
        let subscripts = subscripts.as_multi_aff()?;
        for (d, stride) in scop.array(access.array).strides.iter().enumerate() {
            let aff = subscripts.at(d)?;
            match aff.involves_locals()? {
                true => return Ok(Some(divided(access))),
                false => offset = sum(offset, product(subscript(scop, stmt, &aff)?, stride)),
            }
        }
    } else {
        return Ok(Some(divided(access)));
    }
    Ok(Some(memory(access, offset)))
}

fn memory(access: &Access, offset: Scev) -> Place {
    Place::Memory(Address {
        base: BaseId(access.array.0),
        offset,
    })
}

/// Subscripts that divide: the same for the same relation, and no evolution that anybody could follow.
fn divided(access: &Access) -> Place {
    let text = access.relation.to_string();
    let text = &text[text.find("->").unwrap_or(0)..];
    let bytes = text.bytes().map(i128::from);
    let hash = bytes.fold(7, |h: i128, b| (h * 31 + b) % 1_000_003);
    let quotient = ScevKind::UDiv(Box::new(constant(hash)), Box::new(constant(3)));
    memory(access, of(quotient))
}

/// An affine subscript as an evolution: start and parameters, then a recurrence for each loop that moves it.
fn subscript(scop: &Scop, stmt: &Stmt, aff: &Aff) -> poly::Result<Scev> {
    let mut value = constant(aff.constant()?.into());
    for (p, param) in scop.params.iter().enumerate() {
        let times = aff.coefficient(DimType::Param, p)?;
        if times != 0 {
            value = sum(value, product(constant(times.into()), &wide(&param.expr)));
        }
    }
    for (i, loop_) in stmt.iters.iter().enumerate() {
        let step = aff.coefficient(DimType::In, i)?;
        if step != 0 {
            value = of(ScevKind::AddRec {
                loop_: *loop_,
                operands: vec![value, constant(step.into())],
                wrap: Wrap::default(),
            });
        }
    }
    Ok(value)
}

fn wide(s: &Scev) -> Scev {
    match s.width {
        WIDTH => s.clone(),
        _ => of(ScevKind::SExt(Box::new(s.clone()))),
    }
}

fn of(kind: ScevKind) -> Scev {
    Scev { width: WIDTH, kind }
}

fn constant(value: i128) -> Scev {
    Scev::constant(WIDTH, value)
}

/// A recurrence takes up what is added to it in its start.
fn sum(a: Scev, b: Scev) -> Scev {
    match (a.as_constant(), b.as_constant()) {
        (Some(0), _) => return b,
        (_, Some(0)) => return a,
        (Some(x), Some(y)) => return constant(x + y),
        _ => {}
    }
    match (&a.kind, &b.kind) {
        (
            ScevKind::AddRec {
                loop_: l,
                operands: x,
                ..
            },
            ScevKind::AddRec {
                loop_: m,
                operands: y,
                ..
            },
        ) if l == m => rec(
            *l,
            sum(x[0].clone(), y[0].clone()),
            sum(x[1].clone(), y[1].clone()),
        ),
        (
            ScevKind::AddRec {
                loop_: l,
                operands: x,
                ..
            },
            ScevKind::AddRec { loop_: m, .. },
        ) if l > m => rec(*l, sum(x[0].clone(), b), x[1].clone()),
        (_, ScevKind::AddRec { .. }) => match b.kind {
            ScevKind::AddRec {
                loop_, operands, ..
            } => rec(loop_, sum(a, operands[0].clone()), operands[1].clone()),
            _ => unreachable!("just matched"),
        },
        (
            ScevKind::AddRec {
                loop_: l,
                operands: x,
                ..
            },
            _,
        ) => rec(*l, sum(x[0].clone(), b), x[1].clone()),
        _ => {
            let mut terms = vec![a, b];
            terms.sort();
            of(ScevKind::Add(terms, Wrap::default()))
        }
    }
}

fn rec(loop_: polytile_analysis::ids::LoopId, start: Scev, step: Scev) -> Scev {
    if step.as_constant() == Some(0) {
        return start;
    }
    of(ScevKind::AddRec {
        loop_,
        operands: vec![start, step],
        wrap: Wrap::default(),
    })
}

fn product(a: Scev, by: &Scev) -> Scev {
    match (a.as_constant(), by.as_constant()) {
        (Some(0), _) | (_, Some(0)) => return constant(0),
        (Some(1), _) => return by.clone(),
        (_, Some(1)) => return a,
        (Some(x), Some(y)) => return constant(x * y),
        _ => {}
    }
    match a.kind {
        ScevKind::AddRec {
            loop_, operands, ..
        } => rec(
            loop_,
            product(operands[0].clone(), by),
            product(operands[1].clone(), by),
        ),
        ScevKind::Add(terms, _) => {
            let terms = terms.into_iter().map(|t| product(t, by));
            terms.fold(constant(0), sum)
        }
        kind => of(ScevKind::Mul(vec![by.clone(), of(kind)], Wrap::default())),
    }
}
