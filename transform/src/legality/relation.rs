//! The relation of a band: the same rows in another form.
//!
//! Loops are generated from the relation and everything else is asked of the rows, so both have to be equal for all instances that get
//! there.

use super::walk::{Here, Walker};
use super::{Rule, Walked};
use polytile_analysis::poly::{UnionMap, UnionSet};
use polytile_analysis::tree::Tree;

const MALFORMED: Rule = Rule::Malformed("a relation that is the rows of the band right below it");

pub(super) fn check(walker: &Walker, text: &str, child: &Tree, here: &Here) -> Walked<()> {
    let Tree::Band(band) = child else {
        return walker.refuse(MALFORMED);
    };
    let Ok(relation) = UnionMap::parse(walker.scop.context.ctx(), text) else {
        return walker.refuse(MALFORMED);
    };
    if band.tile.is_some() {
        return walker.refuse(MALFORMED);
    }
    walker.names(&relation.space()?)?;
    let mut all = UnionSet::empty(&walker.scop.context.space()?)?;
    for set in here.instances.values() {
        all = all.union(&set.to_union_set()?)?;
    }
    let rows = UnionMap::from_multi_union_pw_aff(&band.schedule)?.intersect_domain(&all)?;
    match relation.intersect_domain(&all)?.is_equal(&rows)? {
        true => Ok(()),
        false => walker.refuse(MALFORMED),
    }
}
