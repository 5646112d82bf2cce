//! Changes of one row of a schedule, for the statements that are meant.

use super::surgery::edit_member;
use super::{Applied, Rows, State, Structure};
use polytile_analysis::poly::{DimType, MultiUnionPwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, rows};

/// What becomes of the part of a row that is meant.
pub(super) type RowChange<'c> = dyn FnMut(&UnionPwAff) -> Applied<UnionPwAff> + 'c;

/// Changes a row; flags that it may have made wrong are dropped.
pub(super) fn edit_row<'a>(
    state: &State<'a>,
    at: &Rows,
    change: &mut RowChange,
) -> Applied<State<'a>> {
    let schedule = edit_member(&state.schedule, &at.at, &mut |band, member, domain| {
        if band.tile.is_some() {
            return Err(Structure::Decided(format!(
                "{} is a loop over tiles: change the rows before tiling",
                at.at
            ))
            .into());
        }
        let mut all = band.schedule.union_pw_affs()?;
        let row = all[member].intersect_domain(&domain.universe_of()?)?;
        let mut meant = UnionPwAff::empty(&row.space()?)?;
        let mut others = meant.clone();
        for part in row.pw_affs()? {
            let name = part.domain_space()?.tuple_name(DimType::Set);
            match name.is_some_and(|n| at.means(&n)) {
                true => meant = meant.add_pw_aff(&part)?,
                false => others = others.add_pw_aff(&part)?,
            }
        }
        all[member] = others.union_add(&change(&meant)?)?;
        unflagged(band, &all)
    })?;
    Ok(state.with(schedule))
}

/// A band with other rows, of which nothing is known.
pub(super) fn unflagged(band: &Band, all: &[UnionPwAff]) -> Applied<Band> {
    Ok(Band {
        schedule: rows(&band.schedule.domain_space()?, all)?,
        permutable: false,
        coincident: vec![false; all.len()],
        ..band.clone()
    })
}

/// The same value for all of these instances: an expression of the parameters.
pub(super) fn constant(scop: &Scop, instances: &UnionSet, expr: &str) -> Applied<UnionPwAff> {
    let mut parts = vec![];
    for set in instances.sets()? {
        let name = set.tuple_name().unwrap_or_default();
        let dims = vec!["_"; set.tuple_dim()].join(", ");
        let dims = dims.split(", ").enumerate();
        let dims: Vec<String> = dims
            .filter(|(_, d)| !d.is_empty())
            .map(|(i, _)| format!("i{i}"))
            .collect();
        parts.push(format!("{name}[{}] -> [({expr})]", dims.join(", ")));
    }
    functions(scop, &format!("{{ {} }}", parts.join("; ")))
}

/// A row given as isl's text of a function per statement.
pub(super) fn functions(scop: &Scop, text: &str) -> Applied<UnionPwAff> {
    let text = with_params(scop, text);
    let wrong = |e| Structure::Unknown(format!("expression {text}: {e}"));
    let row = MultiUnionPwAff::from_union_map(
        &polytile_analysis::poly::UnionMap::parse(scop.context.ctx(), &text).map_err(wrong)?,
    )?;
    if row.size() != 1 {
        return Err(Structure::Number(format!("one value per instance is needed: {text}")).into());
    }
    let row = row.at(0)?.align_params(&scop.context.space()?)?;
    if row.dim(DimType::Param) > scop.params.len() {
        return Err(Structure::Unknown(format!("parameter in {text}")).into());
    }
    Ok(row)
}

/// A set or map with the parameters of the SCoP.
pub(super) fn with_params(scop: &Scop, text: &str) -> String {
    if text.trim_start().starts_with('[') {
        return text.to_owned();
    }
    let params: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    format!("[{}] -> {text}", params.join(", "))
}
