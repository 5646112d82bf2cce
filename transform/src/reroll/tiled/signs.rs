//! One way to widen what is not negative.
//!
//! A counter's step is `sext(n)` where the pointer moves by itself and `zext(n)` where the program multiplies: tiles of the one and iterations of the
//! other seem to move by different lengths. Wherever the new version runs, `n` is known not to be negative.

use polytile_analysis::poly::{Aff, DimType, LocalSpace, Result};
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::Scop;

/// `scop` with sign extensions in the place of zero extensions of parameters that are not negative.
pub(super) fn signed(scop: &Scop) -> Result<Scop> {
    let mut signed = scop.clone();
    let positive = not_negative(scop)?;
    for evolution in (signed.stmts.iter_mut()).flat_map(|s| s.evolutions_mut()) {
        sign(evolution, &positive);
    }
    Ok(signed)
}

/// The parameters that are not negative wherever the new version runs.
fn not_negative(scop: &Scop) -> Result<Vec<Scev>> {
    let known = scop.known()?;
    let space = LocalSpace::from_space(&known.space()?)?;
    let zero = Aff::si_on_domain(&space, 0)?;
    let mut found = vec![];
    for (n, p) in scop.params.iter().enumerate() {
        let value = Aff::var_on_domain(&space, DimType::Param, n)?;
        if known.is_subset(&value.ge_set(&zero)?)? {
            found.push(p.expr.clone());
        }
    }
    Ok(found)
}

fn sign(s: &mut Scev, positive: &[Scev]) {
    if let ScevKind::ZExt(inner) = &s.kind
        && positive.contains(inner)
    {
        s.kind = ScevKind::SExt(inner.clone());
    }
    for part in s.operands_mut() {
        sign(part, positive);
    }
}
