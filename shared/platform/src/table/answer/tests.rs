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
    there: Option<String>,
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
    Told { at: i64 },
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

            fn visit_bytes<E>(self, it: &[u8]) -> Result<Vec<u8>, E> {
                Ok(it.to_vec())
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
        there: Some(String::new()),
        null: None,
        missing: None,
        wrapped: Wrapped(Some(3)),
        bytes: Bytes(vec![0, 255, 7]),
        list: vec![Shape::Point, Shape::Circle(2), Shape::Box { width: 1, height: None }],
        map: [("a".to_owned(), Some(-1)), ("b".to_owned(), None)].into(),
        nested: Nested { pair: (1, "one".to_owned()), unit: () },
        tagged: Tagged::Told { at: 12 },
        rest: Rest { at: 5, name: Some("rest".to_owned()) },
    }
}

fn read_row<R: DeserializeOwned>(json: &str) -> Result<R, serde_json::Error> {
    serde_json::from_str::<Stored<R>>(json).map(|Stored(row)| row)
}

#[test]
fn a_row_is_read_as_it_was_written() -> anyhow::Result<()> {
    // The writer is the one that the table uses; this library's own values have DynamoDB's JSON.
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
fn what_is_no_row_is_refused_and_never_read_in_part() {
    let refused = |json| read_row::<Rest>(json).is_err();
    assert!(!refused(r#"{"at":{"N":"1"}}"#));
    assert!(!refused(r#"{"at":{"N":"1"},"more":{"SS":["what no row has, is not looked at"]}}"#));
    assert!(refused(r#"{"at":{"N":"one"}}"#), "no number");
    assert!(refused(r#"{"at":{"S":"1"}}"#), "another type");
    assert!(refused(r#"{"at":{"X":"1"}}"#), "no type");
    assert!(refused(r#"{"at":{}}"#), "nothing");
    assert!(refused(r#"{"at":{"N":"1","S":"1"}}"#), "two values");
    assert!(refused(r#"{"at":"1"}"#), "no value");
    assert!(refused(r#"{}"#), "an attribute is missing");
    assert!(refused(r#"{"at":{"N":"1"}"#), "the end is missing");
    assert!(read_row::<Nested>(r#"{"pair":{"L":[{"N":"1"}]},"unit":{"NULL":true}}"#).is_err(), "too few");
    assert!(read_row::<BTreeMap<String, Bytes>>(r#"{"bytes":{"B":"%"}}"#).is_err(), "not in base 64");
}

#[test]
fn a_row_of_two_kinds_is_read_as_the_one_that_it_is() -> anyhow::Result<()> {
    let read = |json| serde_json::from_str::<Either<Rest, Nested>>(json);
    assert!(matches!(read(r#"{"at":{"N":"7"}}"#)?, Either::One(Rest { at: 7, name: None })));
    let other = read(r#"{"pair":{"L":[{"N":"1"},{"S":"one"}]},"unit":{"NULL":true}}"#)?;
    assert!(matches!(other, Either::Other(Nested { pair: (1, _), unit: () })));
    let neither = read(r#"{"at":{"N":"one"}}"#).err().map(|it| it.to_string());
    assert!(
        neither.is_some_and(|it| it.contains("invalid float literal")),
        "what is wrong with the first kind"
    );
    Ok(())
}
