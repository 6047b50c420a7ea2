//! Rules for unambiguous violations, and expressions that make a violation doubtful.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::bytes::{RegexSet, RegexSetBuilder};

use super::{Label, is_evidence};

/// Each line has a label or `doubt`, a tab, and a rule. A rule is a regular expression over the normalized text, or a
/// match of the lexicon. A match starts with `@`.
const FILE: &str = include_str!("../../data/rules.tsv");
const DOUBT: &str = "doubt";

struct Rules {
    expressions: RegexSet,
    /// The label of each regular expression.
    labels: Vec<Label>,
    doubts: RegexSet,
    /// Matches of the lexicon that count as a violation unless they are quoted or doubtful, each with its label.
    evidence: Vec<(Label, &'static str)>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let lines = || FILE.lines().filter_map(|line| line.split_once('\t'));
    let rules = lines().filter_map(|(name, rule)| Some((name.parse().ok()?, rule)));
    let (evidence, expressions): (Vec<_>, Vec<_>) = rules.partition(|(_, rule)| is_evidence(rule));
    Rules {
        expressions: set(expressions.iter().map(|(_, rule)| *rule)),
        labels: expressions.iter().map(|(label, _)| *label).collect(),
        doubts: set(lines().filter(|(name, _)| *name == DOUBT).map(|(_, rule)| rule)),
        evidence,
    }
});

/// Returns the compiled expressions, which match whole words. The expressions match bytes, because that is much faster
/// than matching Unicode characters. Returns an empty set if an expression does not compile, which a test rules out.
fn set<'a>(rules: impl Iterator<Item = &'a str>) -> RegexSet {
    let rules = rules.map(|rule| format!(r"(?:^| )(?:{rule})(?: |$)"));
    RegexSetBuilder::new(rules).unicode(false).build().unwrap_or_else(|_| RegexSet::empty())
}

pub(super) enum MatchedRule {
    /// A regular expression.
    Expression(Label),
    /// A match of the lexicon that is neither quoted nor doubtful.
    Evidence(Label),
}

/// Returns the first rule that matches. `folded` is the normalized text without diacritics. `certain` contains the
/// lexicon matches that are neither quoted nor doubtful.
pub(super) fn matched_rule(folded: &str, certain: &BTreeSet<String>) -> Option<MatchedRule> {
    let expression = RULES.expressions.matches(folded.as_bytes()).into_iter().next();
    let expression = expression.filter(|_| !RULES.doubts.is_match(folded.as_bytes()));
    let label = expression.and_then(|index| RULES.labels.get(index).copied());
    let by_evidence = || RULES.evidence.iter().find(|(_, rule)| certain.contains(*rule));
    let by_evidence = || by_evidence().map(|(label, _)| MatchedRule::Evidence(*label));
    label.map(MatchedRule::Expression).or_else(by_evidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_rules_file_is_parsed() {
        let lines = FILE.lines().count();
        assert!(lines > 40);
        assert_eq!(RULES.expressions.len() + RULES.doubts.len() + RULES.evidence.len(), lines);
        assert_eq!(RULES.expressions.len(), RULES.labels.len());
    }
}
