//! Rules for texts that leave no doubt, and the words that bring the doubt back.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::bytes::{RegexSet, RegexSetBuilder};

use super::{Label, is_evidence};

/// Each line has a label or `doubt`, a tab, and a regular expression over the folded text, or after an `@` what the
/// lexicon must find.
const FILE: &str = include_str!("../../data/rules.tsv");
const DOUBT: &str = "doubt";
struct Rules {
    broken: RegexSet,
    labels: Vec<Label>,
    doubts: RegexSet,
    /// What the lexicon finds where there is no doubt.
    certain: Vec<(Label, &'static str)>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let lines = || FILE.lines().filter_map(|it| it.split_once('\t'));
    let rules = lines().filter_map(|(name, rule)| Some((name.parse().ok()?, rule)));
    let (certain, rules): (Vec<_>, Vec<_>) = rules.partition(|(_, rule)| is_evidence(rule));
    Rules {
        broken: set(rules.iter().map(|(_, rule)| *rule)),
        labels: rules.iter().map(|(label, _)| *label).collect(),
        doubts: set(lines().filter(|(name, _)| *name == DOUBT).map(|(_, rule)| rule)),
        certain,
    }
});

/// Compiles expressions that match whole words only. Folded text is bytes of ASCII where it matters, which compiles in a
/// fraction of the time. Expressions that do not compile give an empty set; a test makes sure that the file's compile.
fn set<'a>(rules: impl Iterator<Item = &'a str>) -> RegexSet {
    let rules = rules.map(|it| format!(r"(?:^| )(?:{it})(?: |$)"));
    RegexSetBuilder::new(rules).unicode(false).build().unwrap_or_else(|_| RegexSet::empty())
}

/// A rule that a text breaks.
pub(super) enum Broken {
    /// An expression matches.
    Expression(Label),
    /// The lexicon finds words that suffice.
    Words(Label),
}

/// Returns the rule that the folded text breaks without a doubt, or what the lexicon is certain of.
pub(super) fn broken(folded: &str, certain: &BTreeSet<String>) -> Option<Broken> {
    let expression = RULES.broken.matches(folded.as_bytes()).into_iter().next();
    let expression = expression.filter(|_| !RULES.doubts.is_match(folded.as_bytes()));
    let label = expression.and_then(|it| RULES.labels.get(it).copied());
    let words = || RULES.certain.iter().find(|(_, it)| certain.contains(*it)).map(|(label, _)| *label);
    label.map(Broken::Expression).or_else(|| words().map(Broken::Words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_rule() {
        let lines = FILE.lines().count();
        assert!(lines > 40);
        assert_eq!(RULES.broken.len() + RULES.doubts.len() + RULES.certain.len(), lines);
        assert_eq!(RULES.broken.len(), RULES.labels.len());
    }
}
