//! The conditions of a policy statement.

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;

use super::intrinsics::text;

/// Condition keys that the local stack supports.
const KEYS: [&str; 3] = ["dynamodb:LeadingKeys", "kms:ViaService", "ses:FromAddress"];

/// Returns the values of a request for a condition key.
pub(crate) type Values<'a> = dyn Fn(&str) -> Vec<String> + 'a;

pub(super) struct Condition {
    key: String,
    allowed: Vec<String>,
    quantifier: Quantifier,
    comparison: Comparison,
    is_negated: bool,
}

/// How many values of the request must match.
#[derive(Clone, Copy)]
enum Quantifier {
    /// The only value of the request must match.
    One,
    All,
    Any,
}

#[derive(Clone, Copy)]
enum Comparison {
    Exact,
    Pattern,
}

/// Reads the resolved `Condition` of a statement.
/// Fails if the local stack does not support an operator or a key.
pub(super) fn conditions(block: &Json) -> Result<Vec<Condition>> {
    let mut conditions = Vec::new();
    for (operator, keys) in block.as_object().context("a condition is not an object")? {
        for (key, values) in keys.as_object().context("an operator has no keys")? {
            conditions.push(Condition::read(operator, key, values).with_context(|| operator.clone())?);
        }
    }
    Ok(conditions)
}

impl Condition {
    fn read(operator: &str, key: &str, values: &Json) -> Result<Self> {
        ensure!(KEYS.contains(&key), "the local stack does not support the condition key {key}");
        let (quantifier, operator) = match operator.split_once(':') {
            Some(("ForAllValues", operator)) => (Quantifier::All, operator),
            Some(("ForAnyValue", operator)) => (Quantifier::Any, operator),
            _ => (Quantifier::One, operator),
        };
        let is_negated = operator.contains("Not");
        let comparison = match operator.replace("Not", "").as_str() {
            "StringEquals" => Comparison::Exact,
            "StringLike" | "ArnEquals" | "ArnLike" => Comparison::Pattern,
            _ => anyhow::bail!("the local stack does not support this operator"),
        };
        let allowed = match values {
            Json::Array(values) => values.iter().map(text).collect(),
            value => vec![text(value)],
        };
        Ok(Self { key: key.to_owned(), allowed, quantifier, comparison, is_negated })
    }

    /// Returns whether the values of a request match. As in IAM, `ForAllValues` matches a request without values.
    pub(super) fn holds(&self, values: &Values<'_>) -> bool {
        let values = values(&self.key);
        let mut matching = values.iter().map(|value| self.has(value) != self.is_negated);
        match self.quantifier {
            Quantifier::One => matching.next().unwrap_or(self.is_negated),
            Quantifier::All => matching.all(|is_match| is_match),
            Quantifier::Any => matching.any(|is_match| is_match),
        }
    }

    fn has(&self, value: &str) -> bool {
        self.allowed.iter().any(|allowed| match self.comparison {
            Comparison::Exact => allowed == value,
            Comparison::Pattern => matches(allowed, value),
        })
    }
}

/// Returns whether a text matches a pattern, in which `*` stands for any characters.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    text.char_indices().map(|(at, _)| at).chain([text.len()]).any(|at| matches(rest, &text[at..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn holds(block: &Json, values: &[&str]) -> bool {
        let values = |_: &str| values.iter().map(|value| (*value).to_owned()).collect();
        conditions(block).unwrap().iter().all(|condition| condition.holds(&values))
    }

    fn leading(operator: &str, allowed: &Json) -> Json {
        json!({ operator: { "dynamodb:LeadingKeys": allowed } })
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, text) in [("a", "a"), ("*", ""), ("a*", "abc"), ("a*c", "abc"), ("a*b*c", "axxbc")] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a", "ab"), ("a*", "xa"), ("a*c", "abcd"), ("a*b*c", "ac"), ("", "a")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn a_condition_compares_the_values_of_a_request() {
        let equals = leading("StringEquals", &json!(["USER", "POST"]));
        assert!(holds(&equals, &["POST"]));
        assert!(!holds(&equals, &["CIRCLE"]) && !holds(&equals, &[]));
        let differs = leading("StringNotEquals", &json!("USER"));
        assert!(holds(&differs, &["POST"]) && holds(&differs, &[]));
        assert!(!holds(&differs, &["USER"]));
        assert!(holds(&leading("StringLike", &json!("USER#*")), &["USER#1"]));
        assert!(!holds(&leading("StringNotLike", &json!("USER#*")), &["USER#1"]));
    }

    #[test]
    fn a_quantifier_compares_each_value() {
        let all = leading("ForAllValues:StringLike", &json!("USER#*"));
        assert!(holds(&all, &["USER#1", "USER#2"]) && holds(&all, &[]));
        assert!(!holds(&all, &["USER#1", "POST#2"]));
        let any = leading("ForAnyValue:StringEquals", &json!("POST"));
        assert!(holds(&any, &["USER", "POST"]));
        assert!(!holds(&any, &["USER"]) && !holds(&any, &[]));
    }

    #[test]
    fn an_unsupported_condition_is_an_error() {
        let refused = |block: &Json| conditions(block).err().map(|error| format!("{error:#}"));
        assert_eq!(
            refused(&json!({ "IpAddress": { "ses:FromAddress": "::1" } })).as_deref(),
            Some("IpAddress: the local stack does not support this operator")
        );
        assert_eq!(
            refused(&json!({ "StringEquals": { "aws:PrincipalTag/team": "a" } })).as_deref(),
            Some("StringEquals: the local stack does not support the condition key aws:PrincipalTag/team")
        );
    }
}
