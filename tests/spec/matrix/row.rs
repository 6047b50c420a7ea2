//! A row of the permission table: an operation, its request, and its status for each kind of user.

use std::fmt;

use reqwest::Method;
use serde_json::Value;

use crate::routes::document::{Operation, operations};

const TABLE: &str = include_str!("../../matrix.txt");

/// Kinds of users, in the order of the columns.
pub(crate) const COLUMNS: [&str; 12] = [
    "anonymous",
    "expired",
    "ended",
    "banned",
    "stranger",
    "blocked",
    "opponent",
    "member",
    "owner",
    "deputy",
    "admin",
    "super",
];

/// A row of the table: an operation, and the status that each kind of user gets.
pub(crate) struct Row {
    /// Method and path, like `POST /posts`.
    pub(crate) operation: String,
    pub(crate) expected: Vec<String>,
    /// Names of the states that `Scene::prepare` creates before each request.
    pub(crate) given: Vec<String>,
    pub(crate) query: String,
    /// Body of the request, or `None` for the example in the API reference.
    pub(crate) body: Option<String>,
}

/// Returns the rows of `tests/matrix.txt`.
pub(crate) fn rows() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(Row::read).collect()
}

impl Row {
    fn read(line: &str) -> Self {
        let (line, body) = split_body(line);
        let mut words = line.split_whitespace().map(str::to_owned);
        let operation = format!("{} {}", words.next().unwrap(), words.next().unwrap());
        let expected: Vec<_> = words.by_ref().take(COLUMNS.len()).collect();
        assert_eq!(expected.len(), COLUMNS.len(), "{operation} must have a status for each kind of user");
        let (query, given): (Vec<_>, Vec<_>) = words.partition(|word| word.starts_with('?'));
        Self { operation, expected, given, query: query.concat(), body }
    }

    pub(crate) fn method_and_path(&self) -> (Method, &str) {
        let (method, path) = self.operation.split_once(' ').unwrap();
        (method.parse().unwrap(), path)
    }

    /// Replaces the parameters of a path with `$names` of objects in the scene, and appends the query.
    pub(crate) fn path_with_names(&self, path: &str) -> String {
        let segments: Vec<_> = path.split('/').collect();
        let named = segments.iter().map(|segment| match segment.strip_prefix('{') {
            Some(parameter) => name_for(&segments, parameter.trim_end_matches('}')).to_owned(),
            None => (*segment).to_owned(),
        });
        named.collect::<Vec<_>>().join("/") + &self.query
    }

    /// Returns the example of the request body in the API reference.
    pub(crate) fn example(&self) -> Option<Value> {
        self.described()?.example.clone()
    }

    /// Returns whether the API reference gives the operation the status `live`.
    pub(crate) fn is_live(&self) -> bool {
        self.described().is_some_and(|operation| operation.status == "live")
    }

    /// Returns the operation in the API reference.
    pub(crate) fn described(&self) -> Option<&'static Operation> {
        operations().iter().find(|operation| operation.name() == self.operation)
    }
}

/// Splits a line of a table into the words and the request body, which begins with `{`.
pub(crate) fn split_body(line: &str) -> (&str, Option<String>) {
    match line.split_once(" {") {
        Some((words, body)) => (words, Some(format!("{{{body}"))),
        None => (line, None),
    }
}

/// Returns the `$name` or literal that replaces a path parameter.
fn name_for(path: &[&str], parameter: &str) -> &'static str {
    match (path[1], parameter) {
        ("message-group", "publicId") if matches!(path.get(3), None | Some(&"members")) => "$crowd",
        ("message-group", "publicId") if path.get(3) == Some(&"leave") => "$company",
        ("posts", _) => "$post",
        ("hashtags", _) => "books",
        (_, "userId") => "$danId",
        ("circle" | "circles", "username") => "$dan",
        ("circles", "publicId") if path.get(3) == Some(&"leave") => "$leftCircle",
        ("circle" | "circles", _) => "$circle",
        (_, "messageId") => "$message",
        ("message-group" | "chat", _) => "$group",
        ("me", "id") => "$draft",
        ("me", "postId") => "$post",
        ("user" | "me", _) => "$owner",
        ("museum", _) => "$stone",
        ("upload", _) => "$upload",
        ("notification", _) => "$notification",
        (_, "sid") => "$session",
        ("auth", "id") => "$token",
        ("auth", "link") => "nothing",
        (_, "reportId") => "$report",
        (_, "caseId") => "$case",
        (_, "appealId" | "webhookId") => "$stone",
        ("quests", _) => "$today",
        (_, "code") => "$quest",
        (group, other) => panic!("the scene has no {other} of {group}: add it to `name_for`"),
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (method, path) = self.method_and_path();
        write!(f, "{:<6} {path:<50}", method.as_str())?;
        self.expected.iter().try_for_each(|status| write!(f, " {status}"))?;
        let rest =
            self.given.iter().chain(Some(&self.query)).chain(&self.body).filter(|word| !word.is_empty());
        rest.into_iter().try_for_each(|word| write!(f, " {word}"))
    }
}
