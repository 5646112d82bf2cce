//! Total preorders: which statements share a loop, and in which order the loops run (Pouchet et al. 2011, §2.4, Definitions 4 and 5).
//!
//! At one level of loops every two statements `i`, `j` have one of three relations: `i` *precedes* `j`, they are *equal* (they share the loop), or `i` *succeeds*
//! `j`. What is reflexive, transitive and total is a total preorder, or an ordered partition: classes of equal elements, one after the other.
//!
//! ```text
//! [0, 1, 0]    elements 0 and 2 share a loop, the loop of element 1 follows:   {0, 2} {1}
//! ```
//!
//! The numbers of classes are canonical: without gaps from 0 on, so that two vectors of positions with one order are one value. There are 1, 3, 13, 75, 541, ..
//! preorders of 1, 2, 3, 4, 5, .. elements, the Fubini numbers ([`fubini`]). With several levels, order between statements is frozen once they are apart, and each
//! class is ordered again ([`interleavings`]).

use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{Result, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Branch, Tree};

/// What two elements are to each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// The first one comes before the second one.
    Precedes,
    /// They share a class.
    Equal,
    /// The first one comes after the second one.
    Succeeds,
}

/// A total preorder of the elements `0 .. n`: for each its class, classes numbered from 0 on without gaps.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Preorder(Vec<usize>);

impl Preorder {
    /// The order that positions say: equal ones share a class. Positions may have gaps.
    pub fn of_positions(positions: &[i64]) -> Preorder {
        let mut used = positions.to_vec();
        used.sort_unstable();
        used.dedup();
        let class = |p| used.binary_search(p).expect("it is one of them");
        Preorder(positions.iter().map(class).collect())
    }

    /// The order of some classes that hold each of the elements `0 .. n` once.
    ///
    /// # Panics
    /// If they do not.
    pub fn of_classes(classes: &[Vec<usize>]) -> Preorder {
        let n = classes.iter().map(Vec::len).sum();
        let mut found = vec![None; n];
        for (at, class) in classes.iter().enumerate() {
            for element in class {
                assert!(found[*element].replace(at).is_none(), "it has one class");
            }
        }
        let class = |c: Option<usize>| c.expect("each element has a class");
        Preorder(found.into_iter().map(class).collect())
    }

    /// The order with these relations of all pairs `i < j`; `None` if they contradict each other.
    pub fn of_relations(n: usize, relation: impl Fn(usize, usize) -> Relation) -> Option<Preorder> {
        let before = |j: usize, i: usize| match i < j {
            true => relation(i, j) == Relation::Precedes,
            false => relation(j, i) == Relation::Succeeds,
        };
        // In an order, what comes before an element tells its class.
        let count = |j: usize| (0..n).filter(|&i| i != j && before(j, i)).count();
        let positions: Vec<i64> = (0..n).map(|j| count(j) as i64).collect();
        let found = Preorder::of_positions(&positions);
        let agrees = |i: usize, j: usize| found.relation(i, j) == relation(i, j);
        let all = (0..n).all(|j| (0..j).all(|i| agrees(i, j)));
        all.then_some(found)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What two elements are to each other.
    pub fn relation(&self, i: usize, j: usize) -> Relation {
        match self.0[i].cmp(&self.0[j]) {
            std::cmp::Ordering::Less => Relation::Precedes,
            std::cmp::Ordering::Equal => Relation::Equal,
            std::cmp::Ordering::Greater => Relation::Succeeds,
        }
    }

    /// The classes in their order, each with its elements in ascending order.
    pub fn classes(&self) -> Vec<Vec<usize>> {
        let count = self.0.iter().max().map_or(0, |m| m + 1);
        let mut classes = vec![vec![]; count];
        for (element, class) in self.0.iter().enumerate() {
            classes[*class].push(element);
        }
        classes
    }

    /// All preorders of `n` elements, each once. There are [`fubini`]`(n)`.
    pub fn all(n: usize) -> Vec<Preorder> {
        let mut found = vec![];
        extend(n, &mut vec![], &mut |classes| {
            found.push(Preorder::of_classes(classes));
        });
        found
    }

    /// Whether another one orders everything that this one orders in the same way: what is apart stays apart (§3.1, uniqueness across levels).
    pub fn is_refined_by(&self, other: &Preorder) -> bool {
        let kept = |i: usize, j: usize| match self.relation(i, j) {
            Relation::Equal => true,
            apart => other.relation(i, j) == apart,
        };
        (0..self.len()).all(|j| (0..j).all(|i| kept(i, j)))
    }

    /// As a schedule tree over the statements of a SCoP (element `i` is statement `i`): a sequence with a branch for each class, and below a branch what `child`
    /// makes of its class.
    ///
    /// # Errors
    /// Those of the set library, and the first of `child`.
    pub fn tree(
        &self,
        scop: &Scop,
        child: &mut dyn FnMut(&[usize]) -> Result<Tree>,
    ) -> Result<Tree> {
        let classes = self.classes();
        if let [only] = &classes[..] {
            return child(only);
        }
        let mut branches = vec![];
        for class in &classes {
            let mut filter = UnionSet::empty(&scop.context.space()?)?;
            for element in class {
                let domain = &scop.stmt(StmtId::from(*element)).domain;
                filter = filter.union(&domain.to_union_set()?)?;
            }
            branches.push(Branch {
                filter,
                child: child(class)?,
            });
        }
        Ok(Tree::Sequence(branches))
    }

    /// The order of the statements of a SCoP that the outermost list of a tree says: [`Preorder::tree`] read back.
    ///
    /// # Errors
    /// Those of the set library.
    pub fn of_tree(scop: &Scop, tree: &Tree) -> Result<Preorder> {
        let Tree::Sequence(branches) = tree else {
            return Ok(Preorder(vec![0; scop.stmts.len()]));
        };
        let mut positions = vec![0; scop.stmts.len()];
        for (at, branch) in branches.iter().enumerate() {
            for (s, position) in scop.stmts.iter().zip(&mut positions) {
                if s.domain.to_union_set()?.is_subset(&branch.filter)? {
                    *position = at as i64;
                }
            }
        }
        Ok(Preorder::of_positions(&positions))
    }
}

/// Puts element by element into a class of those before it or into one of its own, at any place.
fn extend(n: usize, classes: &mut Vec<Vec<usize>>, each: &mut dyn FnMut(&[Vec<usize>])) {
    let element = classes.iter().map(Vec::len).sum();
    if element == n {
        return each(classes);
    }
    for at in 0..classes.len() {
        classes[at].push(element);
        extend(n, classes, each);
        classes[at].pop();
    }
    for at in 0..=classes.len() {
        classes.insert(at, vec![element]);
        extend(n, classes, each);
        classes.remove(at);
    }
}

/// How many elements [`fubini`] and [`interleavings`] count for: 64 bits are enough up to 17, 128 bits up to 30.
pub const MOST: usize = 30;

/// The number of total preorders of `n` elements: `a(n) = sum over k of C(n, k) a(n - k)`. `None` beyond [`MOST`].
pub fn fubini(n: usize) -> Option<u128> {
    interleavings(n, 1)
}

/// The number of points of `I`, the chains of `levels` preorders of `n` elements of which each refines the one before (§3.1): the first class has some `k` of them, which
/// the next level orders again, `I(n, d) = sum over k of C(n, k) I(k, d - 1) I(n - k, d)`. `None` beyond [`MOST`] or 128 bits.
pub fn interleavings(n: usize, levels: usize) -> Option<u128> {
    if n > MOST {
        return None;
    }
    let mut inner = vec![1u128; n + 1];
    for _ in 0..levels {
        let mut outer = vec![1u128];
        for m in 1..=n {
            let mut sum = 0u128;
            for k in 1..=m {
                let ways = binomial(m, k).checked_mul(inner[k])?;
                sum = sum.checked_add(ways.checked_mul(outer[m - k])?)?;
            }
            outer.push(sum);
        }
        inner = outer;
    }
    Some(inner[n])
}

/// How many ways there are to take `k` of `n`.
pub fn binomial(n: usize, k: usize) -> u128 {
    (0..k as u128).fold(1, |all, i| all * (n as u128 - i) / (i + 1))
}
