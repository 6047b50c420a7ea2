//! Page that shows the rows of a partition in the table or an index.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use anyhow::Result;
use axum::{
    extract::{Query, State},
    response::Response,
};
use lambda_http::http::StatusCode;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::{
    entities,
    layout::{self, TABLE},
    page_request::{PageRequest, address},
};
use crate::{state::Running, store::Store};

const SHOWN_MAX: usize = 50;
const SCANNED_MAX: usize = 1_000;
const KEYS_MAX: usize = 40;
const INDEXES: [&str; 4] = ["table", "gsi1", "gsi2", "gsi3"];

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct RowQuery {
    key: String,
    index: String,
    /// Key of the last row on the previous page, as JSON.
    after: String,
}

/// A page of rows. If more rows follow, `last` is the key of the page's last row.
struct Rows {
    items: Vec<Map<String, Json>>,
    last: Option<String>,
}

pub(super) async fn show(
    State(store): State<Store>,
    State(running): State<Arc<Running>>,
    Query(query): Query<RowQuery>,
    page: PageRequest,
) -> Response {
    let content = match query.key.trim() {
        "" => partition_keys(&store, running.table()).await,
        _ => rows(&store, running.table(), &query).await.map(|rows| list(&query, &rows)),
    };
    match content {
        Ok(content) => page.show_static(&TABLE, html! { (query.form()) (content) }),
        Err(error) => layout::failure(StatusCode::BAD_REQUEST, &TABLE, &format!("{error:#}")),
    }
}

async fn rows(store: &Store, table: &str, query: &RowQuery) -> Result<Rows> {
    let partition = match query.index() {
        Some(index) => format!("{index}pk"),
        None => "pk".to_owned(),
    };
    let mut request = json!({
        "TableName": table,
        "KeyConditionExpression": "#pk = :key",
        "ExpressionAttributeNames": { "#pk": partition },
        "ExpressionAttributeValues": { ":key": { "S": query.key.trim() } },
        "Limit": SHOWN_MAX,
    });
    if let Some(index) = query.index() {
        request["IndexName"] = index.into();
    }
    if !query.after.is_empty() {
        request["ExclusiveStartKey"] = serde_json::from_str(&query.after)?;
    }
    let request = serde_json::from_value(request)?;
    let database = store.database.clone();
    let answer = tokio::task::spawn_blocking(move || database.query(request)).await??;
    let answer = serde_json::to_value(answer)?;
    Ok(Rows { items: items(&answer), last: answer.get("LastEvaluatedKey").map(Json::to_string) })
}

/// Renders the partition keys of the first rows of the table.
async fn partition_keys(store: &Store, table: &str) -> Result<Markup> {
    let request = json!({ "TableName": table, "Limit": SCANNED_MAX });
    let request = serde_json::from_value(request)?;
    let database = store.database.clone();
    let answer = tokio::task::spawn_blocking(move || database.scan(request)).await??;
    let items = items(&serde_json::to_value(answer)?);
    let mut kinds: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for key in items.iter().filter_map(|item| item.get("pk")?.as_str()) {
        kinds.entry(key.split('#').next().unwrap_or(key)).or_default().insert(key);
    }
    Ok(html! {
        h2 { "Partitions" }
        @if kinds.is_empty() { (layout::empty("The table is empty. Register a user, or run make seed.")) }
        @for (kind, keys) in &kinds { (keys_of_kind(kind, keys)) }
        @if items.len() == SCANNED_MAX { p.limits { "Found in the first " (SCANNED_MAX) " rows. There are more." } }
    })
}

fn keys_of_kind(kind: &str, keys: &BTreeSet<&str>) -> Markup {
    html! {
        details.card {
            summary { strong { (kind) } " " span.small { (keys.len()) } }
            ul.keys { @for key in keys.iter().take(KEYS_MAX) { li { (key_link(key, "table")) } } }
            @if keys.len() > KEYS_MAX { p.limits { "Only the first " (KEYS_MAX) " are shown." } }
        }
    }
}

fn items(answer: &Json) -> Vec<Map<String, Json>> {
    let items = answer["Items"].as_array().into_iter().flatten();
    items
        .filter_map(|item| {
            Some(item.as_object()?.iter().map(|(name, value)| (name.clone(), plain(value))).collect())
        })
        .collect()
}

/// Converts a value from DynamoDB's typed JSON to plain JSON.
fn plain(value: &Json) -> Json {
    let Some((kind, value)) = value.as_object().and_then(|fields| fields.iter().next()) else {
        return Json::Null;
    };
    match (kind.as_str(), value) {
        ("N", Json::String(number)) => serde_json::from_str(number).unwrap_or_else(|_| value.clone()),
        ("M", Json::Object(fields)) => {
            fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
        }
        ("L", Json::Array(values)) => values.iter().map(plain).collect(),
        ("NULL", _) => Json::Null,
        _ => value.clone(),
    }
}

fn list(query: &RowQuery, rows: &Rows) -> Markup {
    html! {
        h2.path { (query.key.trim()) }
        @if rows.items.is_empty() { (layout::empty("There is no row with this key.")) }
        @for item in &rows.items { (row(item)) }
        @if let Some(last) = &rows.last {
            @let next = [("key", query.key.as_str()), ("index", &query.index), ("after", last)];
            p { a href=(address(TABLE.path, next)) { "Next rows" } }
        }
        p { a href=(TABLE.path) { "Other partitions" } }
    }
}

fn row(item: &Map<String, Json>) -> Markup {
    let text = |name: &str| item.get(name).and_then(Json::as_str).unwrap_or_default();
    let (pk, sk) = (text("pk"), text("sk"));
    let index_keys = INDEXES[1..].iter().map(|index| (*index, text(&format!("{index}pk"))));
    html! {
        details.card {
            summary { strong { (entities::entity(pk, sk)) } " " code { (sk) } }
            p.small {
                "Partition " (key_link(pk, "table"))
                @for (index, key) in index_keys.filter(|pair| !pair.1.is_empty()) { ", " (index) " " (key_link(key, index)) }
            }
            (layout::json(&Json::Object(item.clone()).to_string()))
        }
    }
}

fn key_link(key: &str, index: &str) -> Markup {
    html! { a.path href=(address(TABLE.path, [("key", key), ("index", index)])) { (key) } }
}

impl RowQuery {
    fn index(&self) -> Option<&'static str> {
        INDEXES[1..].iter().copied().find(|index| *index == self.index)
    }

    fn form(&self) -> Markup {
        let fields = html! {
            label {
                "Partition key"
                input type="search" name="key" value=(self.key) maxlength="2048" placeholder="POST#01J…";
            }
            (layout::choice("Index", "index", &self.index, INDEXES.map(|name| (name, name))))
        };
        layout::filter(fields, "Show rows")
    }
}
