//! The `FilterCriteria` of a stream's event-source mapping.

use anyhow::{Context, Result};
use serde_json::Value as Json;

use crate::pattern;

/// Filter patterns. A record passes if it matches a pattern, or if there are no patterns.
pub(crate) struct Filters(Vec<Json>);

/// The writes whose records can pass the filters of an event source mapping.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Interest {
    Everything,
    /// Only writes after which the row can have one of these attributes.
    Attributes(Vec<String>),
}

impl Filters {
    /// Parses filter patterns.
    /// Fails if a pattern is not JSON or is unsupported.
    pub(crate) fn read<'a>(patterns: impl Iterator<Item = &'a str>) -> Result<Self> {
        let read = |text: &str| -> Result<Json> {
            let filter = serde_json::from_str(text).context("is not JSON")?;
            pattern::check(&filter).map(|()| filter)
        };
        let read = |text| read(text).with_context(|| format!("the filter {text}"));
        patterns.map(read).collect::<Result<_>>().map(Self)
    }

    pub(crate) fn pass(&self, record: &Json) -> bool {
        self.0.is_empty() || self.0.iter().any(|filter| pattern::matches(filter, Some(record)))
    }

    /// Returns the writes whose records can pass the filters.
    pub(crate) fn interest(&self) -> Interest {
        let needed: Option<Vec<_>> = self.0.iter().map(required_attributes).collect();
        match needed.filter(|lists| !lists.is_empty()) {
            Some(attributes) => Interest::Attributes(attributes.concat()),
            None => Interest::Everything,
        }
    }
}

/// Returns the attributes that the filter requires in the new row, or `None` if there are none.
fn required_attributes(filter: &Json) -> Option<Vec<String>> {
    let images = filter["dynamodb"]["NewImage"].as_object()?;
    let needed = images.iter().filter(|(_, image)| pattern::requires_value(image));
    Some(needed.map(|(name, _)| name.clone()).collect()).filter(|names: &Vec<_>| !names.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const OUTBOX: &str = r#"{"dynamodb":{"NewImage":{"outbox":{"S":[{"exists":true}]}}}}"#;

    fn filters(pattern: &str) -> Result<Filters> {
        Filters::read([pattern].into_iter())
    }

    fn passes(pattern: &str, image: Json) -> bool {
        let record = json!({ "eventName": "MODIFY", "dynamodb": { "NewImage": image } });
        filters(pattern).is_ok_and(|filters| filters.pass(&record))
    }

    #[test]
    fn exists_does_not_match_maps_or_lists() {
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
    fn a_filter_matches_listed_values_and_prefixes() {
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
    fn an_error_names_the_unsupported_pattern() {
        let refused = |pattern| filters(pattern).err().map(|error| format!("{error:#}")).unwrap_or_default();
        let numeric = refused(r#"{"dynamodb":{"NewImage":{"n":{"N":[{"numeric":[">",1]}]}}}}"#);
        assert!(numeric.contains(r#"{"numeric":[">",1]}"#), "{numeric}");
        assert!(refused(r#"{"$or":[{"eventName":["INSERT"]}]}"#).contains("$or"));
        assert!(refused(r#"{"eventName":"INSERT"}"#).contains("eventName"));
        assert!(refused(r#"{"eventName":[]}"#).contains("eventName"));
        assert!(refused("INSERT").contains("is not JSON"));
    }

    #[test]
    fn required_attributes_limit_the_recorded_writes() -> Result<()> {
        assert_eq!(filters(OUTBOX)?.interest(), Interest::Attributes(vec!["outbox".to_owned()]));
        assert_eq!(filters(r#"{"eventName":["REMOVE"]}"#)?.interest(), Interest::Everything);
        let gone = r#"{"dynamodb":{"NewImage":{"ttl":{"N":[{"exists":false}]}}}}"#;
        assert_eq!(filters(gone)?.interest(), Interest::Everything);
        assert_eq!(Filters::read([OUTBOX, gone].into_iter())?.interest(), Interest::Everything);
        assert_eq!(Filters::read([].into_iter())?.interest(), Interest::Everything);
        Ok(())
    }
}
