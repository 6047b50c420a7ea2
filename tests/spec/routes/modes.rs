//! Routes while `PROPOSED_FEATURES` is on or off.

use domain::people::users::Role;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Person, World};

use super::{
    PREFIXES, UNKNOWN_ID,
    document::{Operation, operations},
};
use crate::admin::administrator;

const UNKNOWN_ROUTE: &str = "no such route";

#[tokio::test]
async fn disabling_proposed_features_removes_only_their_routes() {
    let all = operations();
    assert!(all.iter().any(|operation| operation.status == "proposed"));
    for mode in ["on", "off"] {
        let world = World::builder()
            .settings(&[("PROPOSED_FEATURES", mode), ("WRITE_LIMIT_PER_5_MIN", "10000")])
            .start()
            .await;
        let root = administrator(&world, "root", Role::SuperAdmin).await;
        for operation in all {
            let is_absent = mode == "off" && operation.status == "proposed";
            for prefix in PREFIXES {
                for user in [&world.anyone, &root] {
                    let answer = operation.ask(user, prefix).await;
                    match is_absent {
                        true => assert_eq!(answer.refused(404, "NOT_FOUND"), UNKNOWN_ROUTE, "{answer}"),
                        false => assert_ne!(answer.body["message"], UNKNOWN_ROUTE, "{mode}: {answer}"),
                    }
                }
                if is_absent && operation.method == Method::GET {
                    let head = Operation { method: Method::HEAD, ..operation.clone() };
                    assert_eq!(head.ask(&root, prefix).await.status, 404, "HEAD {}", operation.path);
                }
            }
        }
    }
}

#[tokio::test]
async fn stub_routes_have_no_effect_without_proposed_features() {
    let known = [
        "GET /admin/hashtags/trending",
        "GET /admin/stats",
        "PATCH /admin/reports/{reportId}",
        "POST /posts/{publicId}/save",
    ];
    let stubs = operations().iter().filter(|operation| operation.status == "stub");
    let mut stubs: Vec<_> = stubs.map(Operation::name).collect();
    stubs.sort_unstable();
    assert_eq!(stubs, known, "add a check for each new stub route to this test");
    for (mode, works) in [("on", true), ("off", false)] {
        let world = World::builder().settings(&[("PROPOSED_FEATURES", mode)]).start().await;
        let root = administrator(&world, "root", Role::Admin).await;
        root.posts(json!({ "content": "x", "topic": "cats" })).await;
        world.settle().await;
        let answers = root.get("/admin/hashtags/trending").await.ok();
        assert_eq!(!answers.rows().is_empty(), works, "{mode}");
        assert_eq!(root.get("/admin/stats").await.ok().data()["users"], u8::from(works), "{mode}");
        // A stub route returns success even for an unknown object.
        let decides = root.patch(&format!("/admin/reports/{UNKNOWN_ID}"), json!({ "action": "hide" })).await;
        let saves = root.post(&format!("/posts/{UNKNOWN_ID}/save"), json!({ "isSaved": false })).await;
        if works {
            decides.refused(404, "NOT_FOUND");
            saves.refused(404, "NOT_FOUND");
        } else {
            assert_eq!(decides.ok().data()["status"], "PENDING");
            assert_eq!(saves.ok().data(), &json!({ "saved": true }));
        }
        assert_eq!(saved(&root).await, if works { Some(Vec::new()) } else { None });
    }
}

/// Returns the user's saved posts, or `None` if the route does not exist.
async fn saved(person: &Person) -> Option<Vec<Value>> {
    let answer = person.get("/posts/me/saved").await;
    (answer.status != 404).then(|| answer.rows().to_vec())
}
