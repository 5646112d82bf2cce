//! Sizes of local memories by successive modulo (Lefebvre and Feautrier 1998; Darte and Isoard 2015, §4).
//!
//! An element `a` lies at `a mod m`, position by position. The first modulus is one more than the greatest distance of two elements in conflict in the first position, the second one more
//! than the greatest in the second position of those that do not differ in the first, and so on. Elements in conflict then lie apart.

use crate::poly::{DimType, Map, PwAff, Result, Set, UnionMap};
use std::collections::BTreeMap;

/// Sizes of the local memory of an array, one for each dimension, as functions of the parameters.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// One for each dimension; `None` if elements at any distance are in conflict.
    pub moduli: Vec<Option<PwAff>>,
}

impl Sizes {
    /// Those of an array some of whose elements are in conflict, for these values of the parameters.
    pub fn of(conflicts: &Map, context: &Set) -> Result<Sizes> {
        let mut distances = conflicts.deltas()?.intersect_params(context)?;
        let mut moduli = vec![];
        for k in 0..distances.dim(DimType::Set) {
            moduli.push(match has_end(&distances, k)? {
                true => Some(distances.dim_max(k)?.add_constant_si(1)?.coalesce()?),
                false => None,
            });
            distances = distances.fix_si(DimType::Set, k, 0)?;
        }
        Ok(Sizes { moduli })
    }
}

/// Whether distances of a position are bounded for each value of the parameters.
fn has_end(distances: &Set, position: usize) -> Result<bool> {
    let last = distances.dim(DimType::Set) - position - 1;
    let only = distances.project_out(DimType::Set, position + 1, last)?;
    let only = only.project_out(DimType::Set, 0, position)?;
    // What is not the quotient of anything would count as a direction.
    only.remove_divs()?.is_bounded()
}

/// The sizes of all arrays of a relation between elements in conflict, by name.
pub fn sizes(conflicts: &UnionMap, context: &Set) -> Result<BTreeMap<String, Sizes>> {
    let mut all = BTreeMap::new();
    for map in conflicts.maps()? {
        // Different arrays have memories of their own.
        let (from, to) = (map.tuple_name(DimType::In), map.tuple_name(DimType::Out));
        if let Some(name) = from.filter(|from| to.as_ref() == Some(from)) {
            all.insert(name, Sizes::of(&map, context)?);
        }
    }
    Ok(all)
}
