//! The queries for Logs Insights in `infra/OPERATING.md` name fields that log lines have.

use std::{collections::BTreeSet, path::Path};

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::World;

use super::{lines, listen};
use crate::admin::administrator;

/// Words of the query language.
const WORDS: [&str; 20] = [
    "and", "as", "asc", "by", "count", "desc", "display", "fields", "filter", "like", "limit", "not", "or",
    "pct", "sort", "stats", "sum", "avg", "max", "min",
];

/// Returns the queries, each as one text.
pub(super) fn queries() -> Vec<String> {
    let page = read("infra/OPERATING.md");
    // The first line of a block is the name of its language, which may be empty.
    let blocks = page.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    let blocks = blocks.map(|(_, query)| query).filter(|query| query.starts_with("filter "));
    let inline = page.split('`').filter(|code| code.starts_with("filter "));
    blocks.chain(inline).map(str::to_owned).collect()
}

/// Returns whether the filter of a query selects a log line. Knows only filters of the form `a = "…" or b like "…"`.
/// `text` replaces each `…`.
pub(super) fn selects(query: &str, line: &Value, text: &str) -> bool {
    let filter = query.lines().next().unwrap().strip_prefix("filter ").unwrap().replace('…', text);
    filter.split(" or ").any(|term| {
        let (name, value) = term.split_once([' ']).unwrap();
        let found = field(line, name).and_then(Value::as_str).unwrap_or_default();
        match value.split_once('"').unwrap() {
            ("= ", wanted) => found == wanted.trim_end_matches('"'),
            ("like ", wanted) => found.contains(wanted.trim_end_matches('"')),
            other => panic!("unknown operator: {other:?}"),
        }
    })
}

#[tokio::test]
async fn each_field_of_the_runbooks_queries_is_logged() {
    listen();
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    world.anyone.post("/auth/login", json!({ "identifier": "ann", "password": "wrong" })).await;
    bob.likes(&ann.writes("hello").await).await;
    root.get("/admin/reports").await.ok();
    world.settle().await;
    let access_log = access_log();
    let all: Vec<Value> = lines().iter().cloned().chain([access_log]).collect();
    let queries = queries();
    assert!(queries.len() >= 5, "{queries:?}");
    for query in queries {
        for name in fields_of(&query) {
            assert!(all.iter().any(|line| field(line, &name).is_some()), "no log line has {name}: {query}");
        }
    }
}

#[test]
fn the_fields_of_a_query_are_found() {
    let query = "filter message = \"a word\" and span.id like \"x\"\n| stats count(*) as requests, pct(millis, 99) by route\n| sort requests desc";
    assert_eq!(fields_of(query), ["message", "millis", "route", "span.id"].map(str::to_owned).into());
}

/// Returns the names of the fields in a query: its words without quoted texts, aliases and words of the language.
fn fields_of(query: &str) -> BTreeSet<String> {
    let bare: String = query.split('"').step_by(2).collect();
    let is_separator = |letter: char| !letter.is_ascii_alphanumeric() && !".@_".contains(letter);
    let words: Vec<_> = bare.split(is_separator).filter(|word| !word.is_empty()).collect();
    let aliases: BTreeSet<_> = words.windows(2).filter(|pair| pair[0] == "as").map(|pair| pair[1]).collect();
    let is_field = |word: &&&str| {
        let starts_with_letter = word.starts_with(|letter: char| letter.is_ascii_alphabetic());
        starts_with_letter && !WORDS.contains(*word) && !aliases.contains(**word)
    };
    words.iter().filter(is_field).map(|word| (*word).to_owned()).collect()
}

/// Returns the value at a path such as `span.id`, unless it is null.
fn field<'a>(line: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(line, |value, name| value.get(name)).filter(|value| !value.is_null())
}

/// Returns a line of the access log, with the format of `template.yaml`.
fn access_log() -> Value {
    let template = read("template.yaml");
    let format = template.lines().find(|line| line.trim().starts_with(r#"{"requestId":"$context."#)).unwrap();
    serde_json::from_str(format.trim()).unwrap()
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    std::fs::read_to_string(root.join(path)).unwrap()
}
