//! Who may do what: each operation for each kind of person, as `tests/matrix.txt` says.

pub(crate) mod row;
pub(crate) mod scene;

use std::collections::BTreeSet;

use reqwest::Method;
use row::{COLUMNS, Row, rows};
use scene::Scene;
use tests::{Answer, send};

use crate::routes::document::{Operation, operations};

/// The parts of the table that are held side by side.
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
async fn reads_match_the_matrix() {
    // Nothing changes, so one scene does.
    let scene = Scene::new().await;
    let mut held = Vec::new();
    for row in part(Part::Reading) {
        held.push(ask(&scene, row).await);
    }
    all_hold(held);
}

#[tokio::test]
async fn account_changes_match_the_matrix() {
    holds(Part::Accounts).await;
}

#[tokio::test]
async fn post_changes_match_the_matrix() {
    holds(Part::Posts).await;
}

#[tokio::test]
async fn relationship_changes_match_the_matrix() {
    holds(Part::People).await;
}

#[tokio::test]
async fn circle_changes_match_the_matrix() {
    holds(Part::Circles).await;
}

#[tokio::test]
async fn other_changes_match_the_matrix() {
    holds(Part::Rest).await;
}

#[test]
fn the_matrix_has_one_row_per_operation() {
    let known: BTreeSet<_> = operations().iter().map(Operation::name).collect();
    let listed: BTreeSet<_> = rows().into_iter().map(|it| it.operation).collect();
    let missing: Vec<_> = known.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&known).collect();
    assert!(missing.is_empty(), "tests/matrix.txt has no row for {missing:?}");
    assert!(unknown.is_empty(), "tests/matrix.txt has rows for what is not there: {unknown:?}");
    assert_eq!(rows().len(), known.len(), "tests/matrix.txt has an operation twice");
}

#[test]
fn the_reference_documents_every_status_of_the_matrix() {
    let document = serde_json::to_value(documents::openapi::document()).unwrap();
    for row in rows() {
        let (method, path) = row.method_and_path();
        let responses = &document["paths"][path][method.as_str().to_lowercase()]["responses"];
        let unknown: Vec<_> = row.expected.iter().filter(|status| responses.get(status.as_str()).is_none()).collect();
        assert!(unknown.is_empty(), "{} does not say that it answers {unknown:?}", row.operation);
    }
}

/// Asks each row in a scene of its own: what one changes is nothing to the others.
async fn holds(which: Part) {
    let mut held = Vec::new();
    for row in part(which) {
        held.push(ask(&Scene::new().await, row).await);
    }
    all_hold(held);
}

fn part(which: Part) -> Vec<Row> {
    rows().into_iter().filter(|it| Part::of(it) == which).collect()
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

/// Asks what the row says, as everybody; returns the row as it came out, and what should not have.
async fn ask(scene: &Scene, row: Row) -> (Row, Vec<String>) {
    let (mut came, mut wrong) = (Vec::new(), Vec::new());
    for (column, expected) in COLUMNS.iter().zip(&row.expected) {
        let answer = answer_to(scene, &row, column).await;
        if answer.status.to_string() != *expected {
            wrong.push(format!("{} by {column}: not {expected}: {answer}", row.operation));
        }
        came.push(answer.status.to_string());
    }
    (Row { expected: came, ..row }, wrong)
}

async fn answer_to(scene: &Scene, row: &Row, column: &str) -> Answer {
    let who = scene.person(column);
    for given in &row.given {
        scene.give(given, who).await;
    }
    let (method, path) = row.method_and_path();
    let path = scene.fill(&row.place(path)).await;
    let request = scene.client(column).request(method, &path);
    let request = who.into_iter().fold(request, |it, who| it.header("x-refresh-token", &who.refresh_token));
    let body = match &row.body {
        Some(text) => Some(serde_json::from_str(&scene.fill(text).await).expect("a body")),
        None => row.example(),
    };
    send(body.into_iter().fold(request, |it, body: serde_json::Value| it.json(&body))).await
}

/// Prints the table as it came out, for `make matrix`; fails where it is not as it is written.
fn all_hold(held: Vec<(Row, Vec<String>)>) {
    let (rows, wrong): (Vec<_>, Vec<_>) = held.into_iter().unzip();
    let columns = COLUMNS.map(|column| &column[..3]).join(" ");
    let lines: Vec<_> = rows.iter().map(Row::to_string).collect();
    println!("\n{:<57} {columns}\n{}", "", lines.join("\n"));
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "not as tests/matrix.txt says:\n{}", wrong.join("\n"));
}
