//! Errors for the wrong types of fields and parameters, for every operation of the API reference.

mod repeats;
mod schema;

use domain::people::users::Role;
use futures::future::join_all;
use reqwest::Method;
use serde_json::json;
use tests::{Answer, Person, World, send};

use crate::{
    admin::administrator,
    routes::{
        document::{Access, Operation, operations},
        with_ids,
    },
    setup::crowd,
};
use schema::Body;

/// Words of serde's error messages, which the API's error messages must not contain.
const JARGON: [&str; 24] = [
    "expected", "missing", "variant", "enum", "struct", "tuple", "sequence", "map", "integer", "unit",
    "Option", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "f32", "f64", "serde", "byte",
];

#[tokio::test]
async fn the_error_for_a_wrong_field_type_names_the_field() {
    let world = generous_world().await;
    let root = administrator(&world, "root", Role::SuperAdmin).await;
    let bodies: Vec<_> =
        operations().iter().filter_map(|operation| Some((operation, Body::of(operation)?))).collect();
    assert!(bodies.len() > 50, "{}", bodies.len());
    let people = crowd(&world, "user", 0..bodies.len()).await;
    let checks = bodies.iter().zip(&people).map(|((operation, body), person)| {
        // Requests can end the session or the account of their user, so each operation has its own user.
        check_body(operation, body, if operation.access == Access::Admin { &root } else { person })
    });
    let problems = join_all(checks).await.concat();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[tokio::test]
async fn the_error_for_a_wrong_parameter_names_the_parameter() {
    let world = generous_world().await;
    let root = administrator(&world, "root", Role::SuperAdmin).await;
    let mut problems = Vec::new();
    for operation in operations() {
        for name in schema::parameters(operation) {
            for value in ["", "x", "0", "-1", "1.5", "99999999999999999999", "null", "%00", "[1]"] {
                let path = format!("{}?{name}={value}", with_ids(&operation.path));
                // The search needs a term.
                let path = if path.starts_with("/search?") && name != "q" { path + "&q=a" } else { path };
                let answer = send(root.request(operation.method.clone(), &path)).await;
                problems.extend(problem(&answer, |field| field == name).map(|why| format!("{path}: {why}")));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[tokio::test]
async fn a_number_field_refuses_fractions_and_out_of_range_values() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    for bad in json!([0, -1, 1.5, 1001, 1e300, "7", null, []]).as_array().unwrap() {
        let quest = json!({ "action": "LIKE_CREATED", "requirement": bad });
        let answer = root.post("/admin/daily-quests", quest).await;
        let message = answer.refused(400, "VALIDATION_FAILED");
        assert_eq!(message, "requirement: must be a whole number from 1 to 1000", "{bad}");
    }
}

#[tokio::test]
async fn a_body_that_is_not_an_object_is_refused() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for body in ["", "{", "[]", "null", "7", "\"text\"", "true"] {
        let request = ann.request(Method::POST, "/posts").header("content-type", "application/json");
        let answer = send(request.body(body)).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "the body must be a JSON object", "{body}");
    }
}

#[tokio::test]
async fn the_error_for_a_parameter_given_twice_names_it() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let answer = ann.get("/museum?take=1&limit=2").await;
    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "take: must be given only once");
}

async fn generous_world() -> World {
    let limits = ["WRITE_LIMIT_PER_5_MIN", "AUTH_LIMIT_PER_5_MIN"];
    World::builder().settings(&limits.map(|limit| (limit, "100000"))).start().await
}

/// Sends the body with each wrong value in each field. Returns a message for each unclear response.
async fn check_body(operation: &Operation, body: &Body, user: &Person) -> Vec<String> {
    let mut problems = Vec::new();
    for (path, wrong) in body.with_wrong_values() {
        let answer = send(operation.request(user, "").json(&wrong)).await;
        let is_field = |field: &str| body.has(field) || schema::find(&wrong, field).is_some();
        let why = problem(&answer, is_field);
        problems.extend(why.map(|why| format!("{} {path} {wrong}: {why}", operation.name())));
    }
    problems
}

/// Returns why the response is unclear, or `None` if it is a success or a clear error.
fn problem(answer: &Answer, is_field: impl Fn(&str) -> bool) -> Option<String> {
    match answer.status {
        // A body without an optional field is valid, so it can succeed or exceed a limit.
        200..300 | 401 | 403 | 404 | 429 => return None,
        400 => {}
        status => return Some(format!("{status} {}", answer.text)),
    }
    let message = answer.refused(400, "VALIDATION_FAILED");
    let words = message.split(|char: char| !char.is_alphanumeric());
    let is_jargon = words.clone().any(|word| JARGON.contains(&word)) || message.contains('`');
    let is_clear = match message.split_once(": ") {
        Some((field, _)) => is_path(field) && is_field(field),
        None => message.starts_with("the body must "),
    };
    (is_jargon || !is_clear).then(|| message.to_owned())
}

/// Returns whether a text has the form of a path like `media[0].url`.
fn is_path(text: &str) -> bool {
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || "_.[]-".contains(char);
    text.starts_with(|char: char| char.is_ascii_alphabetic()) && text.chars().all(is_allowed)
}
