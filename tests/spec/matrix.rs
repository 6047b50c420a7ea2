//! Checks the permissions of each kind of user for each operation against `tests/matrix.txt`, and each answer against the
//! API reference.

pub(crate) mod row;
pub(crate) mod scene;

use std::collections::BTreeSet;

use reqwest::Method;
use row::{COLUMNS, Row, rows};
use scene::Scene;
use tests::{Answer, send};
use tokio::sync::OnceCell;

use crate::routes::document::{Operation, operations};

/// A group of rows of the permission table. The groups are tested in parallel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Reading,
    Accounts,
    Posts,
    People,
    Circles,
    Rest,
}

#[tokio::test]
async fn read_access_matches_the_permission_table() {
    check(Part::Reading).await;
}

#[tokio::test]
async fn live_operations_have_the_same_access_under_api_v1() {
    let live = rows().into_iter().filter(Row::is_live);
    let (_, errors): (Vec<_>, Vec<_>) = ask_all(live, "/api/v1").await.into_iter().unzip();
    let errors = errors.concat();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[tokio::test]
async fn access_to_account_changes_matches_the_permission_table() {
    check(Part::Accounts).await;
}

#[tokio::test]
async fn access_to_post_changes_matches_the_permission_table() {
    check(Part::Posts).await;
}

#[tokio::test]
async fn access_to_relationship_changes_matches_the_permission_table() {
    check(Part::People).await;
}

#[tokio::test]
async fn access_to_circle_changes_matches_the_permission_table() {
    check(Part::Circles).await;
}

#[tokio::test]
async fn access_to_other_changes_matches_the_permission_table() {
    check(Part::Rest).await;
}

#[test]
fn the_permission_table_has_one_row_per_operation() {
    let known: BTreeSet<_> = operations().iter().map(Operation::name).collect();
    let listed: BTreeSet<_> = rows().into_iter().map(|row| row.operation).collect();
    let missing: Vec<_> = known.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&known).collect();
    assert!(missing.is_empty(), "tests/matrix.txt has no row for {missing:?}");
    assert!(unknown.is_empty(), "tests/matrix.txt has rows for unknown operations: {unknown:?}");
    assert_eq!(rows().len(), known.len(), "tests/matrix.txt has an operation twice");
}

#[test]
fn the_api_reference_has_each_status_of_the_permission_table() {
    for row in rows() {
        let responses = row.described().map(|operation| &operation.described["responses"]).unwrap();
        let is_unknown = |status: &&String| responses.get(status.as_str()).is_none();
        let unknown: Vec<_> = row.expected.iter().filter(is_unknown).collect();
        assert!(unknown.is_empty(), "{} does not document {unknown:?}", row.operation);
    }
}

/// Checks the rows of a part, and prints them with the actual statuses, for `make matrix`.
async fn check(which: Part) {
    let part = rows().into_iter().filter(|row| Part::of(row) == which);
    assert_matches(ask_all(part, "").await);
}

/// Sends the requests of each row under a prefix. Reads do not change data, so they share one scene. Each other row has
/// its own scene, so that rows do not affect each other.
async fn ask_all(rows: impl Iterator<Item = Row>, prefix: &str) -> Vec<(Row, Vec<String>)> {
    let (shared, mut results) = (OnceCell::new(), Vec::new());
    for row in rows {
        let own = OnceCell::new();
        let scene = if Part::of(&row) == Part::Reading { &shared } else { &own };
        results.push(ask(scene.get_or_init(Scene::new).await, row, prefix).await);
    }
    results
}

impl Part {
    fn of(row: &Row) -> Self {
        let (method, path) = row.method_and_path();
        match path.split('/').nth(1).unwrap_or_default() {
            _ if method == Method::GET => Self::Reading,
            "auth" | "admin" => Self::Accounts,
            "posts" => Self::Posts,
            "user" | "me" => Self::People,
            "circle" | "circles" => Self::Circles,
            _ => Self::Rest,
        }
    }
}

/// Sends the row's request as each kind of user. Returns the row with the actual statuses, and a list of errors.
async fn ask(scene: &Scene, row: Row, prefix: &str) -> (Row, Vec<String>) {
    let (mut actual, mut errors) = (Vec::new(), Vec::new());
    for (column, expected) in COLUMNS.iter().zip(&row.expected) {
        let answer = answer_to(scene, &row, column, prefix).await;
        if answer.status.to_string() != *expected {
            errors.push(format!("{} by {column}: not {expected}: {answer}", row.operation));
        }
        if let Some(difference) = undescribed(&row.operation, &answer) {
            errors.push(format!("{} by {column}: {difference}: {answer}", row.operation));
        }
        if row.is_live() && !matches_status(&answer) {
            errors.push(format!("{} by {column}: wrong error code or `success`: {answer}", row.operation));
        }
        actual.push(answer.status.to_string());
    }
    (Row { expected: actual, ..row }, errors)
}

/// Returns how a JSON answer differs from the API reference.
fn undescribed(operation: &str, answer: &Answer) -> Option<String> {
    let body = Some(&answer.body).filter(|body| !body.is_null())?;
    documents::openapi::undescribed(operation, answer.status, body)
}

/// Returns whether the error code and the field `success` of an answer match its status.
fn matches_status(answer: &Answer) -> bool {
    let code = match answer.status {
        400 => Some("VALIDATION_FAILED"),
        401 => Some("UNAUTHORIZED"),
        403 => Some("FORBIDDEN"),
        404 => Some("NOT_FOUND"),
        _ => None,
    };
    answer.header("x-error-code") == code && answer.body["success"] == code.is_none()
}

async fn answer_to(scene: &Scene, row: &Row, column: &str, prefix: &str) -> Answer {
    let user = scene.person(column);
    for given in &row.given {
        scene.prepare(given, user).await;
    }
    let (method, path) = row.method_and_path();
    let path = format!("{prefix}{}", scene.fill(&row.path_with_names(path)).await);
    let request = scene.client(column).request(method, &path);
    let request = user
        .into_iter()
        .fold(request, |request, user| request.header("x-refresh-token", &user.refresh_token));
    let body = match &row.body {
        Some(text) => Some(serde_json::from_str(&scene.fill(text).await).expect("a body")),
        None => row.example(),
    };
    send(body.into_iter().fold(request, |request, body: serde_json::Value| request.json(&body))).await
}

/// Prints the permission table with the actual statuses, for `make matrix`. Fails if `tests/matrix.txt` differs.
fn assert_matches(results: Vec<(Row, Vec<String>)>) {
    let (rows, errors): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    let columns = COLUMNS.map(|column| &column[..3]).join(" ");
    let lines: Vec<_> = rows.iter().map(Row::to_string).collect();
    println!("\n{:<57} {columns}\n{}", "", lines.join("\n"));
    let errors = errors.concat();
    assert!(errors.is_empty(), "tests/matrix.txt differs:\n{}", errors.join("\n"));
}
