//! What of a stream a mapping wants: the patterns of its `FilterCriteria`.
//!
//! A pattern says for leaves of a record which values may pass. `exists` is about leaves only: on a map or a list it
//! lets nothing through, as on Lambda.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value as Json};

/// The patterns of a mapping. A record passes when one of them lets it through, or when there is none.
pub(crate) struct Filters(Vec<Pattern>);

/// Which writes can make a record that passes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Interest {
    /// Any.
    Everything,
    /// Those that leave one of these attributes in the row.
    Attributes(Vec<String>),
}

enum Pattern {
    Fields(Vec<(String, Pattern)>),
    Leaf(Vec<Test>),
}

enum Test {
    Is(Json),
    Prefix(String),
    Exists,
    Missing,
}

impl Filters {
    /// Reads patterns as a template has them.
    ///
    /// # Errors
    /// One is not JSON, or has something that is not known here.
    pub(crate) fn read<'a>(patterns: impl Iterator<Item = &'a str>) -> Result<Self> {
        let read = |text: &'a str| -> Result<Pattern> {
            let pattern = serde_json::from_str(text).context("is not JSON")?;
            fields(&pattern)
        };
        let read = |text| read(text).with_context(|| format!("the filter {text}"));
        patterns.map(read).collect::<Result<_>>().map(Self)
    }

    /// Whether a record passes.
    pub(crate) fn pass(&self, record: &Json) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| pattern.matches(Some(record)))
    }

    /// Which writes are worth looking at.
    pub(crate) fn interest(&self) -> Interest {
        let needed: Option<Vec<_>> = self.0.iter().map(Pattern::attributes).collect();
        match needed.filter(|it| !it.is_empty()) {
            Some(attributes) => Interest::Attributes(attributes.concat()),
            None => Interest::Everything,
        }
    }
}

impl Pattern {
    fn matches(&self, value: Option<&Json>) -> bool {
        match self {
            Self::Fields(fields) => {
                fields.iter().all(|(name, pattern)| pattern.matches(value.and_then(|it| it.get(name))))
            }
            Self::Leaf(tests) => tests.iter().any(|test| test.passes(value)),
        }
    }

    /// The attributes that the new row must have; `None` where it need not have any.
    fn attributes(&self) -> Option<Vec<String>> {
        let Self::Fields(images) = self.field("dynamodb")?.field("NewImage")? else { return None };
        let needed = images.iter().filter(|(_, pattern)| pattern.needs_a_value());
        Some(needed.map(|(name, _)| name.clone()).collect()).filter(|it: &Vec<_>| !it.is_empty())
    }

    fn field(&self, wanted: &str) -> Option<&Self> {
        let Self::Fields(fields) = self else { return None };
        fields.iter().find(|(name, _)| name == wanted).map(|(_, pattern)| pattern)
    }

    fn needs_a_value(&self) -> bool {
        match self {
            Self::Fields(fields) => fields.iter().any(|(_, pattern)| pattern.needs_a_value()),
            Self::Leaf(tests) => !tests.iter().any(|test| matches!(test, Test::Missing)),
        }
    }
}

impl Test {
    fn passes(&self, value: Option<&Json>) -> bool {
        match (self, value) {
            (Self::Missing, value) => value.is_none(),
            (_, None) => false,
            (Self::Exists, Some(value)) => !value.is_object() && !value.is_array(),
            (_, Some(Json::Array(values))) => values.iter().any(|value| self.fits(value)),
            (_, Some(value)) => self.fits(value),
        }
    }

    fn fits(&self, value: &Json) -> bool {
        match self {
            Self::Is(wanted) => value == wanted,
            Self::Prefix(prefix) => value.as_str().is_some_and(|text| text.starts_with(prefix)),
            Self::Exists | Self::Missing => false,
        }
    }
}

fn fields(pattern: &Json) -> Result<Pattern> {
    let Json::Object(pattern) = pattern else { bail!("`{pattern}` is not an object") };
    ensure!(!pattern.is_empty(), "`{{}}` names no field");
    let read = |(name, value): (&String, &Json)| {
        let pattern = match value {
            Json::Array(tests) => leaf(tests),
            nested => fields(nested),
        };
        Ok((name.clone(), pattern.with_context(|| name.clone())?))
    };
    pattern.iter().map(read).collect::<Result<_>>().map(Pattern::Fields)
}

fn leaf(tests: &[Json]) -> Result<Pattern> {
    ensure!(!tests.is_empty(), "`[]` lets nothing through");
    tests.iter().map(test).collect::<Result<_>>().map(Pattern::Leaf)
}

fn test(test: &Json) -> Result<Test> {
    match test {
        Json::Object(test) => comparison(test),
        Json::Array(_) => bail!("`{test}` is no value"),
        value => Ok(Test::Is(value.clone())),
    }
}

fn comparison(test: &Map<String, Json>) -> Result<Test> {
    let mut comparisons = test.iter();
    match (comparisons.next().map(|(kind, argument)| (kind.as_str(), argument)), comparisons.next()) {
        (Some(("exists", Json::Bool(true))), None) => Ok(Test::Exists),
        (Some(("exists", Json::Bool(false))), None) => Ok(Test::Missing),
        (Some(("prefix", Json::String(prefix))), None) => Ok(Test::Prefix(prefix.clone())),
        _ => bail!("the local stack does not have the comparison `{}`", Json::Object(test.clone())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const OUTBOX: &str = r#"{"dynamodb":{"NewImage":{"outbox":{"S":[{"exists":true}]}}}}"#;

    fn of(pattern: &str) -> Result<Filters> {
        Filters::read([pattern].into_iter())
    }

    fn passes(pattern: &str, image: Json) -> bool {
        let record = json!({ "eventName": "MODIFY", "dynamodb": { "NewImage": image } });
        of(pattern).is_ok_and(|filters| filters.pass(&record))
    }

    #[test]
    fn exists_is_about_leaves_only() {
        assert!(passes(OUTBOX, json!({ "outbox": { "S": "[]" } })));
        assert!(!passes(OUTBOX, json!({ "outbox": { "L": [] } })));
        assert!(!passes(OUTBOX, json!({ "other": { "S": "[]" } })));
        let on_a_map = r#"{"dynamodb":{"NewImage":{"outbox":[{"exists":true}]}}}"#;
        assert!(!passes(on_a_map, json!({ "outbox": { "S": "[]" } })));
        let on_a_list = r#"{"dynamodb":{"NewImage":{"outbox":{"L":[{"exists":true}]}}}}"#;
        assert!(!passes(on_a_list, json!({ "outbox": { "L": [{ "S": "a" }] } })));
        let missing_map = r#"{"dynamodb":{"NewImage":{"outbox":[{"exists":false}]}}}"#;
        assert!(!passes(missing_map, json!({ "outbox": { "S": "[]" } })));
    }

    #[test]
    fn values_and_prefixes_pass() {
        let posts =
            r#"{"eventName":["INSERT","MODIFY"],"dynamodb":{"NewImage":{"pk":{"S":[{"prefix":"POST#"}]}}}}"#;
        assert!(passes(posts, json!({ "pk": { "S": "POST#1" } })));
        assert!(!passes(posts, json!({ "pk": { "S": "USER#1" } })));
        assert!(!passes(r#"{"eventName":["REMOVE"]}"#, json!({})));
        let gone = r#"{"dynamodb":{"NewImage":{"ttl":{"N":[{"exists":false}]}}}}"#;
        assert!(passes(gone, json!({})) && !passes(gone, json!({ "ttl": { "N": "1" } })));
        let tagged = r#"{"dynamodb":{"NewImage":{"tags":{"SS":["b"]}}}}"#;
        assert!(passes(tagged, json!({ "tags": { "SS": ["a", "b"] } })));
    }

    #[test]
    fn a_pattern_that_is_not_known_is_named() {
        let refused = |pattern| of(pattern).err().map(|error| format!("{error:#}")).unwrap_or_default();
        let numeric = refused(r#"{"dynamodb":{"NewImage":{"n":{"N":[{"numeric":[">",1]}]}}}}"#);
        assert!(numeric.contains(r#"{"numeric":[">",1]}"#), "{numeric}");
        assert!(refused(r#"{"$or":[{"eventName":["INSERT"]}]}"#).contains("$or"));
        assert!(refused(r#"{"eventName":"INSERT"}"#).contains("eventName"));
        assert!(refused(r#"{"eventName":[]}"#).contains("eventName"));
        assert!(refused("INSERT").contains("is not JSON"));
    }

    #[test]
    fn only_what_the_new_row_must_have_narrows_what_is_looked_at() -> Result<()> {
        assert_eq!(of(OUTBOX)?.interest(), Interest::Attributes(vec!["outbox".to_owned()]));
        assert_eq!(of(r#"{"eventName":["REMOVE"]}"#)?.interest(), Interest::Everything);
        let gone = r#"{"dynamodb":{"NewImage":{"ttl":{"N":[{"exists":false}]}}}}"#;
        assert_eq!(of(gone)?.interest(), Interest::Everything);
        assert_eq!(Filters::read([OUTBOX, gone].into_iter())?.interest(), Interest::Everything);
        assert_eq!(Filters::read([].into_iter())?.interest(), Interest::Everything);
        Ok(())
    }
}
