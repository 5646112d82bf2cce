//! A schedule tree without tiles as one map from instances to times.

use super::{Schedule, Tree};
use crate::poly::{Error, Result, UnionMap, UnionPwAff, UnionSet, Val};

impl Schedule {
    /// The order as a map from instances to times of one length, compared lexicographically; fails if there is a tile
    /// band. A band adds its rows, a sequence the position of the child; children of a set get positions too. Shorter
    /// branches are padded with zeros.
    pub fn flat(&self) -> Result<UnionMap> {
        let length = self.root.flat_length()?.max(1);
        let mut times = UnionMap::empty(&self.domain.space()?)?;
        self.root
            .flat_parts(&self.domain, &mut vec![], &mut |instances, rows| {
                let params = instances.space()?;
                let mut rows = rows.to_vec();
                while rows.len() < length {
                    rows.push(constant(instances, 0)?);
                }
                let map = UnionMap::from_multi_union_pw_aff(&super::rows(&params, &rows)?)?;
                times = times.union(&map.intersect_domain(instances)?)?;
                Ok(())
            })?;
        Ok(times)
    }
}

fn constant(instances: &UnionSet, value: i64) -> Result<UnionPwAff> {
    UnionPwAff::val_on_domain(instances, &Val::from_i64(instances.ctx(), value)?)
}

/// What a leaf is told: its instances and the rows above it.
type Visit<'a> = dyn FnMut(&UnionSet, &[UnionPwAff]) -> Result<()> + 'a;

impl Tree {
    fn flat_length(&self) -> Result<usize> {
        let longest = |branches: &[super::Branch]| {
            let lengths: Result<Vec<usize>> =
                branches.iter().map(|b| b.child.flat_length()).collect();
            Ok(1 + lengths?.into_iter().max().unwrap_or(0))
        };
        match self {
            Tree::Leaf => Ok(0),
            Tree::Mark(_, child) => child.flat_length(),
            Tree::Sequence(b) | Tree::Set(b) => longest(b),
            Tree::Band(b) if b.tile.is_some() => Err(Error::Unsupported(
                "a tile band has no flat schedule".into(),
            )),
            Tree::Band(b) => Ok(b.schedule.size() + b.child.flat_length()?),
        }
    }

    fn flat_parts(
        &self,
        instances: &UnionSet,
        above: &mut Vec<UnionPwAff>,
        visit: &mut Visit,
    ) -> Result<()> {
        let depth = above.len();
        match self {
            Tree::Leaf => visit(instances, above)?,
            Tree::Mark(_, child) => child.flat_parts(instances, above, visit)?,
            Tree::Sequence(branches) | Tree::Set(branches) => {
                for (position, b) in branches.iter().enumerate() {
                    let part = instances.intersect(&b.filter)?;
                    above.push(constant(
                        &part,
                        i64::try_from(position).expect("a short list"),
                    )?);
                    b.child.flat_parts(&part, above, visit)?;
                    above.truncate(depth);
                }
            }
            Tree::Band(b) => {
                for m in 0..b.schedule.size() {
                    above.push(b.schedule.at(m)?);
                }
                b.child.flat_parts(instances, above, visit)?;
            }
        }
        above.truncate(depth);
        Ok(())
    }
}
