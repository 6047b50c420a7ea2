//! What of a stream a mapping wants: the patterns of its `FilterCriteria`.

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::pattern;

/// The patterns of a mapping. A record passes when one of them lets it through, or when there is none.
pub(crate) struct Filters(Vec<Json>);

/// Which writes can make a record that passes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Interest {
    /// Any.
    Everything,
    /// Those that leave one of these attributes in the row.
    Attributes(Vec<String>),
}

impl Filters {
    /// Reads patterns as a template has them.
    ///
    /// # Errors
    /// One is not JSON, or has something that is not known here.
    pub(crate) fn read<'a>(patterns: impl Iterator<Item = &'a str>) -> Result<Self> {
        let read = |text: &str| -> Result<Json> {
            let filter = serde_json::from_str(text).context("is not JSON")?;
            pattern::check(&filter).map(|()| filter)
        };
        let read = |text| read(text).with_context(|| format!("the filter {text}"));
        patterns.map(read).collect::<Result<_>>().map(Self)
    }

    /// Whether a record passes.
    pub(crate) fn pass(&self, record: &Json) -> bool {
        self.0.is_empty() || self.0.iter().any(|filter| pattern::matches(filter, Some(record)))
    }

    /// Which writes are worth looking at.
    pub(crate) fn interest(&self) -> Interest {
        let needed: Option<Vec<_>> = self.0.iter().map(attributes).collect();
        match needed.filter(|it| !it.is_empty()) {
            Some(attributes) => Interest::Attributes(attributes.concat()),
            None => Interest::Everything,
        }
    }
}

/// The attributes that the new row must have; `None` where it need not have any.
fn attributes(filter: &Json) -> Option<Vec<String>> {
    let images = filter["dynamodb"]["NewImage"].as_object()?;
    let needed = images.iter().filter(|(_, image)| pattern::needs_a_value(image));
    Some(needed.map(|(name, _)| name.clone()).collect()).filter(|it: &Vec<_>| !it.is_empty())
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
