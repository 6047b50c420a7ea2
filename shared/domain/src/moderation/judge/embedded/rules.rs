//! What leaves no doubt when it is said, and what brings the doubt back.

use std::sync::LazyLock;

use regex::RegexSet;

use super::Category;

/// A category or `doubt`, a tab, a regular expression over the folded text.
const FILE: &str = include_str!("../../../../data/judge/rules.tsv");
const DOUBT: &str = "doubt";

struct Rules {
    broken: RegexSet,
    categories: Vec<Category>,
    doubts: RegexSet,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let lines = || FILE.lines().filter_map(|it| it.split_once('\t'));
    let rules: Vec<_> = lines().filter_map(|(name, rule)| Some((name.parse().ok()?, rule))).collect();
    Rules {
        broken: set(rules.iter().map(|(_, rule)| *rule)),
        categories: rules.iter().map(|(category, _)| *category).collect(),
        doubts: set(lines().filter(|(name, _)| *name == DOUBT).map(|(_, rule)| rule)),
    }
});

/// Whole words only. A file that does not compile has no rules; a test sees to it that ours does.
fn set<'a>(rules: impl Iterator<Item = &'a str>) -> RegexSet {
    RegexSet::new(rules.map(|it| format!(r"(?:^| )(?:{it})(?: |$)"))).unwrap_or_else(|_| RegexSet::empty())
}

/// The category of a rule that the folded text breaks without a doubt.
pub(super) fn broken(folded: &str) -> Option<Category> {
    let broken = RULES.broken.matches(folded).into_iter().next()?;
    (!RULES.doubts.is_match(folded)).then(|| RULES.categories.get(broken).copied()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_rule() {
        let lines = FILE.lines().count();
        assert!(lines > 40);
        assert_eq!(RULES.broken.len() + RULES.doubts.len(), lines);
        assert_eq!(RULES.broken.len(), RULES.categories.len());
    }
}
