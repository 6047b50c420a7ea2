//! Definitions of quests by administrators.

use serde_json::{Value, json};

use super::{claims, defines, quest, world_with_root};
use crate::setup::column_of_all_pages;

#[tokio::test]
async fn a_quest_can_be_defined_listed_and_disabled() {
    let (_world, root) = world_with_root().await;
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
async fn a_quest_can_be_changed_and_enabled() {
    let (world, root) = world_with_root().await;
    let ann = world.person("ann").await;
    defines(&root, json!({ "code": "LIKES", "action": "LIKE_CREATED", "requirement": 3 })).await.ok();
    let path = "/admin/daily-quests/LIKES";
    let change =
        json!({ "requirement": 1, "karmaReward": 2, "description": "Write", "action": "POST_CREATED" });
    for _ in 0..2 {
        let changed = root.patch(path, change.clone()).await.ok().data().clone();
        let fields = ["requirement", "karmaReward", "action", "disabled"].map(|field| &changed[field]);
        assert_eq!(json!(fields), json!([1, 2, "POST_CREATED", false]));
    }
    ann.writes("hello").await;
    assert_eq!(claims(&ann, "LIKES").await.ok().data()["karmaEarned"], 2);
    root.patch(&format!("{path}/disable"), Value::Null).await.ok();
    assert_eq!(quest(&ann, "LIKES").await, Value::Null);
    for (code, on) in [("LIKES", true), ("DEEP_COMMENT", false), ("DEEP_COMMENT", true), ("LIKES", false)] {
        let changed = root.patch(&format!("/admin/daily-quests/{code}"), json!({ "enabled": on })).await.ok();
        assert_eq!(changed.data()["disabled"], !on, "{code}");
        let list = root.get("/admin/daily-quests").await.ok();
        let listed: Vec<_> = list.rows().iter().filter(|quest| quest["code"] == code).collect();
        assert_eq!((listed.len(), &listed[0]["disabled"]), (1, &json!(!on)));
    }
    let audit = root.get("/admin/audit").await.ok();
    let of_likes = audit.rows().iter().filter(|entry| entry["targetId"] == "LIKES");
    let audit: Vec<_> = of_likes.map(|entry| &entry["action"]).collect();
    let expected = ["EDIT_QUEST", "EDIT_QUEST", "DISABLE_QUEST", "EDIT_QUEST", "CREATE_QUEST"];
    assert_eq!(audit, expected, "a repeated change has no audit entry");
}

#[tokio::test]
async fn an_invalid_change_of_a_quest_is_refused() {
    let (_world, root) = world_with_root().await;
    for (body, message) in [
        (json!({}), "the body must have action, requirement, description, karmaReward or enabled"),
        (json!({ "requirement": 0 }), "requirement: must be a whole number from 1 to 1000"),
        (json!({ "enabled": "yes" }), "enabled: "),
        (json!({ "code": "OTHER" }), "code: "),
        (json!({ "action": "LIKE" }), "action: must be one of the 13 actions"),
    ] {
        root.patch("/admin/daily-quests/HELP_OTHERS", body).await.invalid(message);
    }
    root.patch("/admin/daily-quests/NO_SUCH", json!({ "enabled": true })).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_new_quest_can_reuse_the_code_of_a_disabled_quest() {
    let (_world, root) = world_with_root().await;
    for (code, requirement) in [("LIKES", 1), ("LIKES", 2), ("DEEP_COMMENT", 2)] {
        root.patch(&format!("/admin/daily-quests/{code}/disable"), Value::Null).await;
        let body = json!({ "code": code, "action": "LIKE_CREATED", "requirement": requirement });
        let made = defines(&root, body.clone()).await.ok();
        assert_eq!(json!([made.data()["requirement"], made.data()["disabled"]]), json!([requirement, false]));
        defines(&root, body).await.refused(400, "VALIDATION_FAILED");
        let list = root.get("/admin/daily-quests").await.ok().column("code");
        assert_eq!(list.iter().filter(|listed| **listed == code).count(), 1, "{list:?}");
    }
}

#[tokio::test]
async fn quests_for_judged_posts_can_be_defined() {
    let (_world, root) = world_with_root().await;
    for (action, requirement) in [("DEEP_COMMENT", 2), ("QUALITY_POST", 1), ("HELP_OTHERS", 5)] {
        let made = defines(&root, json!({ "action": action, "requirement": requirement })).await.ok();
        let code = format!("{action}_{requirement}");
        assert_eq!((&made.data()["code"], &made.data()["action"]), (&json!(code), &json!(action)));
    }
    let answer = defines(&root, json!({ "action": "QUALITY_POST", "requirement": 2 })).await;
    let why = answer.refused(400, "VALIDATION_FAILED");
    assert_eq!(why, "requirement: must be 1, because only the first post of a day counts");
}

#[tokio::test]
async fn an_invalid_quest_definition_is_refused() {
    let (_world, root) = world_with_root().await;
    for body in [
        json!({}),
        json!({ "action": "LIKE_CREATED" }),
        json!({ "requirement": 1 }),
        json!({ "action": "LIKE_CREATED", "targetCount": 1 }),
        json!({ "action": "LIKE_CREATED", "requirement": 1, "targetCount": 1 }),
        json!({ "action": "LIKE", "requirement": 1 }),
        json!({ "action": "LIKE_CREATED", "requirement": 1, "karmaReward": 0 }),
        json!({ "action": "LIKE_CREATED", "requirement": 1, "code": "no spaces" }),
    ] {
        defines(&root, body).await.refused(400, "VALIDATION_FAILED");
    }
    // A path cannot contain these codes.
    for code in [".", "..", "a/b", "a?b"] {
        let body = json!({ "action": "LIKE_CREATED", "requirement": 1, "code": code });
        defines(&root, body).await.invalid("code");
    }
    assert_eq!(root.get("/admin/daily-quests").await.ok().rows().len(), 3);
}

#[tokio::test]
async fn quest_actions_are_listed_without_a_table_read() {
    let (world, root) = world_with_root().await;
    let actions = root.get("/admin/daily-quests/actions");
    let rows = world.budget("actions for quests", actions).await.ok().rows().to_vec();
    assert_eq!(rows.len(), 13);
    assert_eq!(rows[0], json!({ "value": "POST_CREATED", "label": "Đăng bài", "unit": "bài" }));
    assert_eq!(rows[4]["value"], "FLOW_FOLLOWER_CREATED");
}

#[tokio::test]
async fn at_most_100_quests_can_be_enabled() {
    let (_world, root) = world_with_root().await;
    let define = |number| json!({ "action": "LIKE_CREATED", "requirement": number });
    for number in 1..=100 {
        defines(&root, define(number)).await.ok();
    }
    let refused = defines(&root, define(101)).await;
    let why = refused.refused(400, "VALIDATION_FAILED");
    assert!(why.contains("the limit of 100 quests is reached"), "{why}");
    for _ in 0..2 {
        let disabled = root.patch("/admin/daily-quests/LIKE_CREATED_7/disable", Value::Null).await.ok();
        assert_eq!(disabled.data()["disabled"], true);
    }
    defines(&root, define(8)).await.invalid("code");
    defines(&root, define(101)).await.ok();
    defines(&root, define(102)).await.refused(400, "VALIDATION_FAILED");
    let enabled = root.patch("/admin/daily-quests/LIKE_CREATED_7", json!({ "enabled": true })).await;
    assert!(enabled.refused(400, "VALIDATION_FAILED").contains("the limit of 100 quests is reached"));

    let listed = column_of_all_pages(&root, "/admin/daily-quests?take=40", "code").await;
    assert_eq!(listed.len(), 104, "the list includes built-in and disabled quests");
    assert!(listed.is_sorted_by_key(Value::to_string), "{listed:?}");
    assert!(listed.contains(&json!("LIKE_CREATED_7")));
}
