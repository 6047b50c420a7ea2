//! Definitions of quests by administrators.

use serde_json::{Value, json};
use tests::World;

use super::{defines, root};

#[tokio::test]
async fn a_quest_can_be_defined_listed_and_disabled() {
    let world = World::new().await;
    let root = root(&world).await;
    let body = json!({ "action": "FOLLOW_FOLLOWING_CREATED", "requirement": 3 });
    let made = defines(&root, body.clone()).await.ok();
    assert_eq!(made.status, 201);
    assert_eq!(made.data()["code"], "FOLLOW_FOLLOWING_CREATED_3");
    assert_eq!((&made.data()["karmaReward"], &made.data()["disabled"]), (&json!(1), &json!(false)));
    assert_eq!(made.data()["description"], "Theo dõi người dùng: 3 người");
    defines(&root, body).await.refused(400, "VALIDATION_FAILED");
    let list = root.get("/admin/daily-quests").await.ok();
    let codes = ["DEEP_COMMENT", "FOLLOW_FOLLOWING_CREATED_3", "HELP_OTHERS", "QUALITY_POST"];
    assert_eq!(list.column("code"), codes);
    assert_eq!(list.column("action")[1], "FOLLOW_FOLLOWING_CREATED");
    let page = root.get("/admin/daily-quests?take=3").await.ok();
    let rest = root.get(&format!("/admin/daily-quests?after={}", page.after().unwrap())).await.ok();
    assert_eq!(rest.column("code"), ["QUALITY_POST"]);
    for _ in 0..2 {
        let disabled = root.patch("/admin/daily-quests/DEEP_COMMENT/disable", Value::Null).await.ok();
        assert_eq!(disabled.data()["disabled"], true);
    }
    assert_eq!(root.get("/admin/daily-quests").await.ok().column("disabled")[0], true);
    for code in ["NO_SUCH", "no-code"] {
        let path = format!("/admin/daily-quests/{code}/disable");
        root.patch(&path, Value::Null).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn an_invalid_definition_is_refused() {
    let world = World::new().await;
    let root = root(&world).await;
    for body in [
        json!({}),
        json!({ "action": "LIKE_CREATED" }),
        json!({ "requirement": 1 }),
        json!({ "action": "LIKE_CREATED", "targetCount": 1 }),
        json!({ "action": "LIKE_CREATED", "requirement": 1, "targetCount": 1 }),
        json!({ "action": "DEEP_COMMENT", "requirement": 1 }),
        json!({ "action": "LIKE", "requirement": 1 }),
        json!({ "action": "LIKE_CREATED", "requirement": 0 }),
        json!({ "action": "LIKE_CREATED", "requirement": -1 }),
        json!({ "action": "LIKE_CREATED", "requirement": 1.5 }),
        json!({ "action": "LIKE_CREATED", "requirement": "1" }),
        json!({ "action": "LIKE_CREATED", "requirement": 1, "karmaReward": 0 }),
        json!({ "action": "LIKE_CREATED", "requirement": 1, "code": "no spaces" }),
    ] {
        defines(&root, body).await.refused(400, "VALIDATION_FAILED");
    }
    assert_eq!(root.get("/admin/daily-quests").await.ok().rows().len(), 3);
}

#[tokio::test]
async fn an_idempotent_retry_defines_one_quest() {
    let world = World::new().await;
    let root = root(&world).await;
    let body = json!({ "action": "POST_CREATED", "requirement": 1 });
    for _ in 0..2 {
        let made = root.post_once("key", "/admin/daily-quests", body.clone()).await.ok();
        assert_eq!((made.status, &made.data()["code"]), (201, &json!("POST_CREATED_1")));
    }
}

#[tokio::test]
async fn the_actions_are_listed_without_a_table_read() {
    let world = World::new().await;
    let root = root(&world).await;
    let actions = root.get("/admin/daily-quests/actions");
    let rows = world.budget("actions for quests", actions).await.ok().rows().to_vec();
    assert_eq!(rows.len(), 13);
    assert_eq!(rows[0], json!({ "value": "POST_CREATED", "label": "Đăng bài", "unit": "bài" }));
    assert_eq!(rows[4]["value"], "FLOW_FOLLOWER_CREATED");
}

#[tokio::test]
async fn at_most_100_quests_can_be_enabled() {
    let world = World::new().await;
    let root = root(&world).await;
    let define = |number| json!({ "action": "LIKE_CREATED", "requirement": number });
    for number in 1..=100 {
        defines(&root, define(number)).await.ok();
    }
    let refused = defines(&root, define(101)).await;
    assert!(
        refused.refused(400, "VALIDATION_FAILED").contains("the limit of 100 quests is reached"),
        "{refused}"
    );
    for _ in 0..2 {
        let disabled = root.patch("/admin/daily-quests/LIKE_CREATED_7/disable", Value::Null).await.ok();
        assert_eq!(disabled.data()["disabled"], true);
    }
    let taken = defines(&root, define(7)).await;
    assert!(taken.refused(400, "VALIDATION_FAILED").starts_with("code"), "{taken}");
    defines(&root, define(101)).await.ok();
    defines(&root, define(102)).await.refused(400, "VALIDATION_FAILED");

    let (mut listed, mut after) = (Vec::new(), String::new());
    loop {
        let page = root.get(&format!("/admin/daily-quests?take=40{after}")).await.ok();
        listed.extend(page.column("code"));
        let Some(last) = page.after() else { break };
        after = format!("&after={last}");
    }
    assert_eq!(listed.len(), 104, "all, with the built-in and the disabled quests");
    assert!(
        listed.is_sorted_by_key(|code| code.as_str().map(str::to_owned))
            && listed.contains(&json!("LIKE_CREATED_7"))
    );
}
