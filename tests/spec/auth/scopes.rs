//! Application tokens can call exactly the operations listed in `tests/scopes.txt`.

use std::collections::{BTreeMap, HashMap};

use domain::{accounts::scopes::Scope, people::users::Role};
use tests::{Answer, Client, World};

use super::applications::program;
use crate::{
    admin::administrator,
    routes::document::{Access, Operation, operations},
};

const TABLE: &str = include_str!("../../scopes.txt");
const CLOSED: &str = "application tokens cannot use this operation";

/// Returns the required scope of each operation that application tokens can call.
fn table() -> BTreeMap<String, Scope> {
    let lines = TABLE.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut table = BTreeMap::new();
    for line in lines {
        let words: Vec<_> = line.split_whitespace().collect();
        let scope = Scope::named(words[0]).unwrap_or_else(|| panic!("no scope {}", words[0]));
        let twice = table.insert(format!("{} {}", words[1], words[2]), scope);
        assert!(twice.is_none(), "{line} is listed twice");
    }
    table
}

#[test]
fn scopes_txt_covers_every_scope_and_only_known_operations() {
    let (table, known) = (table(), operations());
    for name in table.keys() {
        assert!(known.iter().any(|operation| operation.name() == *name), "unknown operation {name}");
    }
    for scope in Scope::ALL {
        assert!(table.values().any(|listed| *listed == scope), "no operation requires {scope:?}");
    }
}

#[tokio::test]
async fn each_operation_requires_exactly_its_own_scope() {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).start().await;
    let root = administrator(&world, "root", Role::SuperAdmin).await;
    let all = Scope::ALL.map(Scope::name);
    let everything = program(&root, &all).await;
    let (mut alone, mut without) = (HashMap::new(), HashMap::new());
    for name in all {
        let others: Vec<_> = all.into_iter().filter(|other| *other != name).collect();
        alone.insert(name, program(&root, &[name]).await);
        without.insert(name, program(&root, &others).await);
    }
    let (table, mut asked) = (table(), 0);
    for operation in operations().iter().filter(|operation| operation.access != Access::Public) {
        for prefix in ["", "/api/v1"] {
            asked += 1;
            match table.get(&operation.name()) {
                Some(scope) => {
                    is_open(operation, &operation.ask(&alone[scope.name()], prefix).await);
                    let answer = operation.ask(&without[scope.name()], prefix).await;
                    if operation.access == Access::Optional {
                        is_open(operation, &answer);
                        continue;
                    }
                    let message = format!("this application token lacks the scope {}", scope.name());
                    assert_eq!(answer.refused(403, "FORBIDDEN"), message, "{}", operation.name());
                }
                None if operation.access == Access::Optional => {
                    is_open(operation, &operation.ask(&everything, prefix).await);
                }
                None => is_closed(operation, &everything, prefix).await,
            }
        }
    }
    assert!(asked > 150, "{asked}");
}

#[track_caller]
fn is_open(operation: &Operation, answer: &Answer) {
    let message = answer.body["message"].as_str().unwrap_or_default();
    let refused = answer.status == 401 || message.contains("application token");
    assert!(!refused, "{}: {answer}", operation.name());
}

async fn is_closed(operation: &Operation, everything: &Client, prefix: &str) {
    let answer = operation.ask(everything, prefix).await;
    match operation.name().as_str() {
        // Sign-out verifies the two tokens of a session, and does not read the session's row.
        "POST /auth/logout" => drop(answer.refused(401, "UNAUTHORIZED").to_owned()),
        name => assert_eq!(answer.refused(403, "FORBIDDEN"), CLOSED, "{name}"),
    }
}
