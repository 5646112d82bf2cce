//! One concrete pair of instances out of a relation.

use polytile_analysis::poly::{DimType, Map, Result};

/// A pair of instances that violates a rule, for one choice of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Names and values of the parameters.
    pub params: Vec<(String, i64)>,
    /// Iterators of the instance that must come first.
    pub src: Vec<i64>,
    /// Iterators of the instance that must come later.
    pub dst: Vec<i64>,
}

/// The least pair, parameters first, if the parameters are bounded from below; else some pair. `None` if that costs too
/// much.
pub(super) fn witness(pairs: &Map) -> Option<Witness> {
    pairs
        .basic_maps()
        .ok()?
        .iter()
        .find_map(|m| find(&Map::from_basic_map(m).ok()?).ok())
}

fn find(pairs: &Map) -> Result<Witness> {
    let n_params = pairs.dim(DimType::Param);
    let n_src = pairs.dim(DimType::In);
    let names: Vec<String> = (0..n_params)
        .map(|p| pairs.dim_name(DimType::Param, p).unwrap_or_default())
        .collect();
    let flat = pairs
        .wrap()?
        .flatten()?
        .move_dims(DimType::Set, 0, DimType::Param, 0, n_params)?;
    let bounded = (0..n_params).all(|p| flat.dim_has_lower_bound(DimType::Set, p).unwrap_or(false));
    let least = if bounded { flat.lexmin()? } else { flat };
    let values = least.sample_point()?.coordinates()?;
    let (params, rest) = values.split_at(n_params);
    let (src, dst) = rest.split_at(n_src);
    let params = names.into_iter().zip(params.iter().copied()).collect();
    Ok(Witness {
        params,
        src: src.to_vec(),
        dst: dst.to_vec(),
    })
}
