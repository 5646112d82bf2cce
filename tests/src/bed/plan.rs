//! Which programs make up the bed.
//!
//! A template in all its spellings and two sizes would be sixteen programs a type, most of which say the same. The bed
//! turns through the spellings instead: each type of each template gets two of them in the large size and one in the
//! small, so that neighbouring templates cover all.

use std::fs;
use std::path::{Path, PathBuf};

use super::spelling::{self, SPELLINGS, Spelling};
use super::template::Template;
use crate::fuzz::random::Random;

/// A program to compile and measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its name: class, loop, type, spelling, size.
    pub name: String,
    /// Its source.
    pub source: PathBuf,
    /// Flags of its compilation.
    pub flags: Vec<String>,
    /// What it is linked with.
    pub link: Vec<String>,
    /// The only function that the plugin looks at; none for all.
    pub only: Option<String>,
}

/// One program of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant<'a> {
    /// The template.
    pub template: &'a Template,
    /// Its element type.
    pub element: &'a str,
    /// How it is written.
    pub spelling: Spelling,
    /// In the small size.
    pub small: bool,
}

impl Variant<'_> {
    /// `class/loop:type:spelling`, with `:small` behind it in the small size.
    pub fn name(&self) -> String {
        let Variant {
            template,
            element,
            spelling,
            small,
        } = self;
        let size = if *small { ":small" } else { "" };
        format!(
            "{}/{}:{}:{spelling}{size}",
            template.class,
            template.name,
            element.replace(' ', "-")
        )
    }

    /// Writes the source into a folder.
    pub fn write(&self, folder: &Path, headers: &Path) -> Result<Program, String> {
        let name = self.name();
        let source = folder.join(format!("{}.c", name.replace(['/', ':'], ".")));
        let text = spelling::program(self.template, self.element, self.spelling, self.small);
        fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
        let function = if matches!(self.spelling, Spelling::MainConst | Spelling::MainRun) {
            "main"
        } else {
            "kernel"
        };
        Ok(Program {
            name,
            source,
            flags: vec!["-I".to_string(), headers.display().to_string()],
            link: vec!["-lm".to_string()],
            only: Some(function.to_string()),
        })
    }
}

/// The bed: of each type of each template two spellings in the large size, one in the small.
pub fn bed(templates: &[Template]) -> Vec<Variant<'_>> {
    let mut all = Vec::new();
    for (position, template) in templates.iter().enumerate() {
        for (turn, element) in template.types.iter().enumerate() {
            for step in 0..3 {
                // 3 and 8 have no common divisor: eight steps visit all spellings.
                let at = (position * 5 + turn * 4 + step * 3) % SPELLINGS.len();
                let (spelling, small) = (SPELLINGS[at], step == 2);
                all.push(Variant {
                    template,
                    element,
                    spelling,
                    small,
                });
            }
        }
    }
    all
}

/// Every type, spelling and size of the templates.
pub fn everything(templates: &[Template]) -> Vec<Variant<'_>> {
    let mut all = Vec::new();
    for template in templates {
        for element in &template.types {
            for spelling in SPELLINGS {
                for small in [false, true] {
                    all.push(Variant {
                        template,
                        element,
                        spelling,
                        small,
                    });
                }
            }
        }
    }
    all
}

/// Those whose names contain one of the patterns; all where there is none.
pub fn select<One>(all: Vec<One>, patterns: &[String], name: impl Fn(&One) -> String) -> Vec<One> {
    let wanted = |one: &One| {
        let name = name(one);
        patterns.is_empty()
            || patterns
                .iter()
                .any(|pattern| name.contains(pattern.as_str()))
    };
    all.into_iter().filter(wanted).collect()
}

/// So many of them, drawn by a seed, in their order.
pub fn sample<One>(all: Vec<One>, count: usize, seed: u64) -> Vec<One> {
    let mut random = Random::new(seed);
    let mut left = all.len();
    let mut wanted = count.min(left);
    let draw = |_: &One| {
        let taken = random.below(left) < wanted;
        left -= 1;
        wanted -= usize::from(taken);
        taken
    };
    all.into_iter().filter(draw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bed::template::read_folder;
    use std::collections::BTreeSet;

    fn templates() -> Vec<Template> {
        read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("bed")).unwrap()
    }

    #[test]
    fn the_bed_has_eight_hundred_different_programs() {
        let templates = templates();
        let all = bed(&templates);
        let names: BTreeSet<String> = all.iter().map(Variant::name).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.len() >= 800, "{}", all.len());
        for spelling in SPELLINGS {
            assert!(
                all.iter().filter(|one| one.spelling == spelling).count() > 50,
                "{spelling}"
            );
        }
    }

    #[test]
    fn a_sample_has_its_size_and_keeps_the_order() {
        let drawn = sample((0..100).collect(), 10, 1);
        assert_eq!(drawn.len(), 10);
        assert!(drawn.is_sorted());
        assert_ne!(drawn, sample((0..100).collect::<Vec<i32>>(), 10, 2));
        assert_eq!(sample(vec![1, 2], 5, 1), [1, 2]);
        assert_eq!(
            select(vec!["a:b", "c"], &["b".to_string()], |one| one.to_string()),
            ["a:b"]
        );
    }
}
