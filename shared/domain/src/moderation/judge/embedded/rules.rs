//! Rules for texts that leave no doubt, and the words that bring the doubt back.

use std::sync::LazyLock;

use regex::RegexSet;

use super::Label;

/// Each line has a label or `doubt`, a tab, and a regular expression over the folded text.
const FILE: &str = include_str!("../../../../data/judge/rules.tsv");
const DOUBT: &str = "doubt";

struct Rules {
    broken: RegexSet,
    labels: Vec<Label>,
    doubts: RegexSet,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let lines = || FILE.lines().filter_map(|it| it.split_once('\t'));
    let rules: Vec<_> = lines().filter_map(|(name, rule)| Some((name.parse().ok()?, rule))).collect();
    Rules {
        broken: set(rules.iter().map(|(_, rule)| *rule)),
        labels: rules.iter().map(|(label, _)| *label).collect(),
        doubts: set(lines().filter(|(name, _)| *name == DOUBT).map(|(_, rule)| rule)),
    }
});

/// Compiles expressions that match whole words only. Expressions that do not compile give an empty set;
/// a test makes sure that the file's compile.
fn set<'a>(rules: impl Iterator<Item = &'a str>) -> RegexSet {
    RegexSet::new(rules.map(|it| format!(r"(?:^| )(?:{it})(?: |$)"))).unwrap_or_else(|_| RegexSet::empty())
}

/// Returns the label of a rule that the folded text breaks without a doubt.
pub(super) fn broken(folded: &str) -> Option<Label> {
    let broken = RULES.broken.matches(folded).into_iter().next()?;
    (!RULES.doubts.is_match(folded)).then(|| RULES.labels.get(broken).copied()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_rule() {
        let lines = FILE.lines().count();
        assert!(lines > 40);
        assert_eq!(RULES.broken.len() + RULES.doubts.len(), lines);
        assert_eq!(RULES.broken.len(), RULES.labels.len());
    }
}
