//! Responses about stored data contain only public user IDs.

use std::collections::BTreeSet;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use futures::{StreamExt, stream};
use reqwest::Method;
use serde_json::Value;
use tests::{Answer, Person};
use ulid::Ulid;

use super::Past;
use crate::routes::document::operations;

/// Users who send the requests. They have posts, groups, circles, drafts, uploads and reports.
const READERS: [&str; 4] = ["root", "ann", "bob", "eve"];
/// Operations that no request of this test can read.
const UNREAD: [&str; 1] = ["/auth/export/{link}"];
const CONCURRENCY: usize = 8;

#[tokio::test]
async fn no_response_contains_an_internal_user_id() {
    let past = Past::settled().await;
    past.ticks().await;
    let people = past.people();
    let mut read = BTreeSet::new();
    for reader in READERS.map(|name| past.user(name)) {
        for (operation, answer) in past.answers_to(&reader).await {
            let text = shown(&answer);
            let leaked: Vec<_> = people.iter().filter(|person| text.contains(&person.id)).collect();
            assert!(leaked.is_empty(), "{answer} has internal IDs of {leaked:?}");
            read.insert(operation);
        }
    }
    let unread: Vec<_> = reads().into_iter().filter(|operation| !read.contains(operation)).collect();
    assert_eq!(unread, UNREAD, "other operations had no successful request");
}

/// Returns the paths of all GET operations.
fn reads() -> Vec<String> {
    let reads = operations().iter().filter(|operation| operation.method == Method::GET);
    reads.map(|operation| operation.path.clone()).collect()
}

/// Returns the text of a response with the decoded cursor, without fields that may contain internal IDs.
fn shown(answer: &Answer) -> String {
    let mut body = answer.body.clone();
    let allowed: &[&str] = match answer.request.as_str() {
        "GET /auth/me" => &["id", "userId"],
        "GET /admin/users" => &["id"],
        _ => &[],
    };
    let rows = match &mut body["data"] {
        Value::Array(rows) => rows.iter_mut().collect(),
        data => vec![data],
    };
    for row in rows.into_iter().filter_map(Value::as_object_mut) {
        allowed.iter().for_each(|name| drop(row.remove(*name)));
    }
    let cursor = body["pagination"]["after"].as_str().unwrap_or_default().to_owned();
    let cursor = BASE64_URL_SAFE_NO_PAD.decode(cursor).unwrap_or_default();
    format!("{body}{}", String::from_utf8_lossy(&cursor))
}

/// Returns the prefix of the path that reads the object with a given ID, for the operations with this path.
fn base(path: &str) -> &'static str {
    match path.split('/').nth(1).unwrap_or_default() {
        "admin" => "/admin/cases/",
        "posts" => "/posts/",
        "circle" | "circles" => "/circles/",
        "message-group" | "chat" => "/message-group/",
        "museum" => "/museum/",
        "upload" => "/upload/",
        "me" => "/me/drafts/",
        group => panic!("no base for {group}"),
    }
}

impl Past {
    /// Returns all users whose tokens the release stored.
    fn people(&self) -> Vec<Person> {
        let saved = self.known.iter().filter(|(_, value)| value["accessToken"].is_string());
        saved.map(|(name, _)| self.user(name)).collect()
    }

    /// Returns the successful responses to all GET operations, each with its operation.
    async fn answers_to(&self, reader: &Person) -> Vec<(String, Answer)> {
        let requests = self.requests_of(reader).await;
        let ask = async |(operation, path): (String, String)| (operation, reader.get(&path).await);
        let answers = stream::iter(requests).map(ask).buffer_unordered(CONCURRENCY);
        answers.filter(|(_, answer)| std::future::ready(answer.status == 200)).collect().await
    }

    /// Returns the paths of all requests that can succeed for the reader, each with its operation.
    async fn requests_of(&self, reader: &Person) -> Vec<(String, String)> {
        let ids = self.readable(reader).await;
        let mut requests = Vec::new();
        for operation in reads() {
            let Some((before, after)) = operation.split_once('{') else {
                requests.extend(queries(&operation).map(|path| (operation.clone(), path)));
                continue;
            };
            let (parameter, after) = after.split_once('}').unwrap();
            let values: Vec<_> = match parameter {
                "username" => self.people().into_iter().map(|person| person.name).collect(),
                "tag" => ["cats", "dogs"].map(str::to_owned).into(),
                "link" => Vec::new(),
                _ => {
                    ids.iter().filter_map(|id| id.strip_prefix(base(&operation))).map(str::to_owned).collect()
                }
            };
            let paths = values.iter().map(|value| format!("{before}{value}{after}"));
            requests.extend(paths.map(|path| (operation.clone(), path)));
        }
        requests
    }

    /// Returns the paths of the objects that the reader can read.
    async fn readable(&self, reader: &Person) -> Vec<String> {
        let drafts = reader.get("/me/drafts").await.ok().column("id");
        let known = self.known.values().chain([&self.known["ticket"]["id"]]).chain(&drafts);
        let ids = known.filter_map(Value::as_str).filter(|id| id.parse::<Ulid>().is_ok());
        let bases: BTreeSet<_> = ["admin", "posts", "circles", "message-group", "museum", "upload", "me"]
            .map(|group| base(&format!("/{group}")))
            .into();
        let paths: Vec<_> = ids.flat_map(|id| bases.iter().map(move |base| format!("{base}{id}"))).collect();
        let found = stream::iter(paths).map(async |path| (reader.get(&path).await.status, path));
        let found = found.buffer_unordered(CONCURRENCY).collect::<Vec<_>>().await;
        found.into_iter().filter(|(status, _)| *status == 200).map(|(_, path)| path).collect()
    }
}

/// Returns paths of an operation without path parameters: the full first page, and a page of one row.
fn queries(path: &str) -> impl Iterator<Item = String> {
    let queries: &[&str] = match path {
        "/search" => &["?q=a&type=user&take=1", "?q=cats&type=post", "?q=cats&type=hashtag"],
        "/posts/news-feed" => &["", "?type=FOLLOWING", "?sort=ranked"],
        "/admin/users" => &["?take=100", "?take=1"],
        _ => &["", "?take=1"],
    };
    queries.iter().map(move |query| format!("{path}{query}"))
}
