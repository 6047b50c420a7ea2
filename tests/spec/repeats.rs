//! Idempotency keys: the requests of every operation are repeated.

mod bodies;
mod bursts;
mod deletions;
mod effects;
mod preparations;
mod refusals;
mod secrets;

use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::{
    matrix::{
        row::{self, Row},
        scene::Scene,
    },
    routes::document::{Operation, operations},
};

/// Path prefixes of operations that ignore the idempotency key.
const UNKEYED: [&str; 9] = [
    "/admin/login",
    "/auth/login",
    "/auth/logout",
    "/auth/passkeys/login",
    "/auth/refresh-token",
    "/auth/validate/",
    "/internal/",
    "/pusher/",
    "/webhooks/",
];
const KEY: &str = "the same key";

/// A test case: a request that succeeds, with its user, the state that it needs, and its body.
///
/// Each line of a table is a case. If a line omits the state or the body, the test uses the state or body in
/// `tests/matrix.txt`. `-` means no body.
struct Case {
    row: Row,
    user: &'static str,
    special: Option<&'static str>,
    has_body: bool,
}

/// Returns the cases in a table. Panics if an operation with this method has no line.
fn cases(table: &'static str, method: &Method) -> Vec<Case> {
    let cases: Vec<_> =
        table.lines().map(str::trim).filter(|line| !line.is_empty()).map(Case::read).collect();
    let keyed = |operation: &&Operation| operation.method == *method && !is_unkeyed(operation);
    let known: BTreeSet<_> = operations().iter().filter(keyed).map(Operation::name).collect();
    let listed: BTreeSet<_> = cases.iter().map(|case| case.row.operation.clone()).collect();
    assert_eq!(listed, known, "the table must have a line for each operation, and no other line");
    cases
}

/// Returns whether an operation ignores the idempotency key.
fn is_unkeyed(operation: &Operation) -> bool {
    UNKEYED.iter().any(|path| operation.path.starts_with(path))
}

impl Case {
    fn read(line: &'static str) -> Self {
        let (line, body) = row::split_body(line);
        let mut words = line.split_whitespace();
        let operation = format!("{} {}", words.next().unwrap(), words.next().unwrap());
        let row = row::rows().into_iter().find(|row| row.operation == operation);
        let mut row = row.unwrap_or_else(|| panic!("tests/matrix.txt has no {operation}"));
        let (user, words): (_, Vec<_>) = (words.next().unwrap(), words.collect());
        row.body = body.or(row.body);
        let special = words.iter().find(|word| **word != "-").copied();
        Self { row, user, special, has_body: !words.contains(&"-") }
    }

    /// Creates the state that the request needs in `scene`. Each call of the returned function builds a copy of the
    /// request.
    async fn prepare<'a>(&self, scene: &'a Scene) -> impl Fn() -> RequestBuilder + 'a {
        let (method, path) = self.row.method_and_path();
        let special = match self.special {
            Some(word) => preparations::prepare(scene, self.user, word).await,
            None => {
                for given in &self.row.given {
                    scene.prepare(given, scene.person(self.user)).await;
                }
                preparations::Prepared::default()
            }
        };
        let path = special.path.unwrap_or_else(|| self.row.path_with_names(path));
        let path = scene.fill(&path).await;
        let body = match (special.body, &self.row.body) {
            (Some(body), _) => Some(body),
            (None, Some(text)) => Some(serde_json::from_str(&scene.fill(text).await).unwrap()),
            (None, None) => self.row.example(),
        };
        let (client, body) = (scene.client(self.user), body.filter(|_| self.has_body));
        move || {
            let request = client.request(method.clone(), &path);
            body.iter().fold(request, |request, body: &Value| request.json(body))
        }
    }
}
