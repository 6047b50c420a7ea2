use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_dynamo::to_attribute_value;

use super::*;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Everything {
    text: String,
    small: i8,
    number: i64,
    large: u64,
    fraction: f64,
    yes: bool,
    present: Option<String>,
    null: Option<String>,
    missing: Option<u8>,
    wrapped: Wrapped,
    bytes: Bytes,
    list: Vec<Shape>,
    map: BTreeMap<String, Option<i32>>,
    nested: Nested,
    tagged: Tagged,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Wrapped(Option<u32>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Nested {
    pair: (u8, String),
    unit: (),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Rest {
    at: i64,
    name: Option<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Point,
    Circle(u32),
    Box { width: u32, height: Option<u32> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum Tagged {
    Created { at: i64 },
}

#[derive(Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
        }
        from.deserialize_bytes(Visitor).map(Self)
    }
}

fn everything() -> Everything {
    Everything {
        text: "a \"quoted\" ü\n".to_owned(),
        small: -7,
        number: i64::MIN,
        large: u64::MAX,
        fraction: 1.5e-7,
        yes: true,
        present: Some(String::new()),
        null: None,
        missing: None,
        wrapped: Wrapped(Some(3)),
        bytes: Bytes(vec![0, 255, 7]),
        list: vec![Shape::Point, Shape::Circle(2), Shape::Box { width: 1, height: None }],
        map: [("a".to_owned(), Some(-1)), ("b".to_owned(), None)].into(),
        nested: Nested { pair: (1, "one".to_owned()), unit: () },
        tagged: Tagged::Created { at: 12 },
        rest: Rest { at: 5, name: Some("rest".to_owned()) },
    }
}

fn read_row<R: DeserializeOwned>(json: &str) -> Result<R, serde_json::Error> {
    serde_json::from_str::<Stored<R>>(json).map(|Stored(row)| row)
}

#[test]
fn a_row_read_back_equals_the_written_row() -> anyhow::Result<()> {
    // The table writes rows with this library. The library's own values serialize to DynamoDB's JSON.
    let serde_dynamo::AttributeValue::M(mut row) = to_attribute_value(everything())? else {
        anyhow::bail!("a row is a map")
    };
    row.remove("missing");
    let json = serde_json::to_string(&row)?;
    assert!(json.contains(r#""number":{"N":"-9223372036854775808"}"#), "{json}");
    assert_eq!(read_row::<Everything>(&json)?, everything());
    Ok(())
}

#[test]
fn an_invalid_row_is_refused() {
    let refused = |json| read_row::<Rest>(json).is_err();
    assert!(!refused(r#"{"at":{"N":"1"}}"#));
    assert!(!refused(r#"{"at":{"N":"1"},"more":{"SS":["an unknown attribute is ignored"]}}"#));
    assert!(refused(r#"{"at":{"N":"one"}}"#), "not a number");
    assert!(refused(r#"{"at":{"S":"1"}}"#), "another type");
    assert!(refused(r#"{"at":{"X":"1"}}"#), "an unknown type");
    assert!(refused(r#"{"at":{}}"#), "no value");
    assert!(refused(r#"{"at":{"N":"1","S":"1"}}"#), "two values");
    assert!(refused(r#"{"at":"1"}"#), "a value without a type");
    assert!(refused(r#"{}"#), "an attribute is missing");
    assert!(refused(r#"{"at":{"N":"1"}"#), "the end is missing");
    assert!(
        read_row::<Nested>(r#"{"pair":{"L":[{"N":"1"}]},"unit":{"NULL":true}}"#).is_err(),
        "too few values"
    );
    assert!(read_row::<BTreeMap<String, Bytes>>(r#"{"bytes":{"B":"%"}}"#).is_err(), "not base64");
}

#[test]
fn a_row_is_read_as_the_type_that_matches() -> anyhow::Result<()> {
    let read = |json| serde_json::from_str::<Either<Rest, Nested>>(json);
    assert!(matches!(read(r#"{"at":{"N":"7"}}"#)?, Either::One(Rest { at: 7, name: None })));
    let other = read(r#"{"pair":{"L":[{"N":"1"},{"S":"one"}]},"unit":{"NULL":true}}"#)?;
    assert!(matches!(other, Either::Other(Nested { pair: (1, _), unit: () })));
    let neither = read(r#"{"at":{"N":"one"}}"#).err().map(|error| error.to_string());
    assert!(
        neither.is_some_and(|error| error.contains("invalid float literal")),
        "the error must come from the first type"
    );
    Ok(())
}
