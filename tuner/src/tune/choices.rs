//! Which candidate each region has, and the option that says so.

use polytile_records::Listed;
use std::collections::BTreeMap;

/// By the region's hash.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    of: BTreeMap<String, usize>,
}

impl Choices {
    /// What the model of time takes.
    pub fn of_model(regions: &[Listed]) -> Choices {
        let of = regions.iter().map(|r| (r.hash.clone(), r.chosen));
        Choices { of: of.collect() }
    }

    /// The number of a region's candidate.
    pub fn get(&self, hash: &str) -> usize {
        self.of.get(hash).copied().unwrap_or(0)
    }

    /// The same with another candidate for a region.
    pub fn with(&self, hash: &str, number: usize) -> Choices {
        let mut other = self.clone();
        other.of.insert(hash.to_owned(), number);
        other
    }

    /// As the plugin takes them: `choose=HASH:N,HASH:N`.
    pub fn option(&self) -> String {
        let all: Vec<String> = self.of.iter().map(|(h, n)| format!("{h}:{n}")).collect();
        format!("choose={}", all.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_become_an_option() {
        let choices = Choices::default().with("a", 2).with("b", 0);
        assert_eq!(choices.option(), "choose=a:2,b:0");
        assert_eq!(choices.with("a", 1).option(), "choose=a:1,b:0");
        assert_eq!((choices.get("a"), choices.get("c")), (2, 0));
    }
}
