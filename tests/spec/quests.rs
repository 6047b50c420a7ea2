//! Daily quests: selection, progress and rewards.

mod definitions;

use domain::people::users::Role;
use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Answer, Fault, Person, World};

use super::admin::administrator;

const DAY: u64 = 24 * 60 * 60;

async fn root(world: &World) -> Person {
    administrator(world, "root", Role::Admin).await
}

/// Starts a world with an administrator.
async fn world_with_root() -> (World, Person) {
    let world = Box::pin(World::new()).await;
    let root = root(&world).await;
    (world, root)
}

async fn defines(root: &Person, body: Value) -> Answer {
    root.post("/admin/daily-quests", body).await
}

/// Returns the quest with this code, or null if it is not one of today's quests.
pub(crate) async fn quest(user: &Person, code: &str) -> Value {
    let daily = user.get("/quests/daily").await.ok();
    let quests = daily.data()["quests"].as_array().unwrap().clone();
    assert!(quests.len() <= 3, "{quests:?}");
    quests.into_iter().find(|quest| quest["code"] == code).unwrap_or_default()
}

async fn codes(user: &Person) -> Vec<Value> {
    let daily = user.get("/api/v1/quests/daily").await.ok();
    daily.data()["quests"].as_array().unwrap().iter().map(|quest| quest["code"].clone()).collect()
}

async fn claims(user: &Person, code: &str) -> Answer {
    user.post(&format!("/quests/{code}/claim"), Value::Null).await
}

#[tokio::test]
async fn all_users_have_the_same_three_quests_a_day() {
    let (world, root) = world_with_root().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let first = codes(&ann).await;
    assert_eq!(first.len(), 3, "the built-in quests");
    for requirement in 1..=5 {
        let body = json!({ "action": "LIKE_CREATED", "requirement": requirement });
        defines(&root, body).await.ok();
    }
    world.stack.fire("quest-reset-daily").await.unwrap();
    world.settle().await;
    assert_eq!(codes(&ann).await, first, "a quest that is defined today starts tomorrow");
    world.advance(DAY).await;
    let [ann, bob] = [ann.signs_in().await, bob.signs_in().await];
    let root = root.signs_in().await;
    let today = codes(&ann).await;
    assert_eq!(today.len(), 3);
    assert!(today.iter().all(|code| code.as_str().unwrap().starts_with("LIKE_CREATED")), "{today:?}");
    assert_eq!(codes(&bob).await, today);
    let path = format!("/admin/daily-quests/{}/disable", today[0].as_str().unwrap());
    root.patch(&path, Value::Null).await.ok();
    assert_eq!(codes(&ann).await, today[1..]);
}

#[tokio::test]
async fn the_daily_quests_change_from_day_to_day() {
    let world = World::builder().without_ticks().start().await;
    let root = root(&world).await;
    for requirement in 1..=9 {
        let body = json!({ "action": "LIKE_CREATED", "requirement": requirement });
        defines(&root, body).await.ok();
    }
    let ann = world.person("ann").await;
    world.settle().await;
    let mut sets = std::collections::HashSet::new();
    for _ in 0..5 {
        let ann = ann.signs_in().await;
        let today = codes(&ann).await;
        assert_eq!(codes(&ann).await, today);
        sets.insert(format!("{today:?}"));
        world.advance(DAY).await;
        world.settle().await;
    }
    assert!(sets.len() > 1, "{sets:?}");
}

#[tokio::test]
async fn quest_progress_counts_each_target_once_a_day() {
    let (world, root) = world_with_root().await;
    defines(&root, json!({ "code": "LIKES", "action": "LIKE_CREATED", "requirement": 2 })).await.ok();
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let posts = [ann.writes("one").await, ann.writes("two").await];
    for _ in 0..3 {
        bob.likes(&posts[0]).await;
        bob.unlikes(&posts[0]).await;
    }
    world.settle().await;
    let likes = quest(&bob, "LIKES").await;
    assert_eq!((&likes["progress"], &likes["completed"]), (&json!(1), &json!(false)));
    assert_eq!((&likes["requirement"], &likes["action"]), (&json!(2), &json!("LIKE_CREATED")));
    claims(&bob, "LIKES").await.refused(400, "VALIDATION_FAILED");
    bob.likes(&posts[1]).await;
    world.settle().await;
    let likes = quest(&bob, "LIKES").await;
    assert_eq!((&likes["progress"], &likes["completed"]), (&json!(2), &json!(true)));
    assert_eq!((&likes["claimedAt"], &quest(&ann, "LIKES").await["progress"]), (&Value::Null, &json!(0)));
    world.advance(DAY).await;
    assert_eq!(quest(&bob.signs_in().await, "LIKES").await["progress"], 0, "the progress restarts each day");
}

#[tokio::test]
async fn a_quest_reward_can_be_claimed_once() {
    let (world, root) = world_with_root().await;
    defines(&root, json!({ "code": "WRITE", "action": "POST_CREATED", "requirement": 1 })).await.ok();
    let ann = world.person("ann").await;
    claims(&ann, "WRITE").await.refused(400, "VALIDATION_FAILED");
    ann.writes("hello").await;
    let claimed = claims(&ann, "WRITE").await.ok();
    assert_eq!(claimed.data(), &json!({ "karmaEarned": 1, "newTotal": 1, "capReached": false }));
    assert_eq!(claimed.status, 200);
    claims(&ann, "WRITE").await.refused(409, "CONFLICT");
    for code in ["NO_SUCH", "no-code"] {
        claims(&ann, code).await.refused(404, "NOT_FOUND");
    }
    claims(&ann, "DEEP_COMMENT").await.refused(400, "VALIDATION_FAILED");
    assert_eq!(quest(&ann, "WRITE").await["claimedAt"], "2026-01-01T00:00:00.000Z");
    let karma = ann.get("/users/me/karma").await.ok();
    let transaction =
        json!({ "delta": 1, "reason": "QUEST", "circleId": null, "createdAt": "2026-01-01T00:00:00.000Z" });
    assert_eq!(karma.data(), &json!({ "balance": 1, "transactions": [transaction] }));
    assert_eq!(ann.get("/users/me/badges").await.ok().data(), &json!({ "badges": [] }));
}

#[tokio::test]
async fn concurrent_quest_claims_earn_karma_once() {
    let (world, root) = world_with_root().await;
    defines(&root, json!({ "code": "WRITE", "action": "POST_CREATED", "requirement": 1 })).await.ok();
    let ann = world.person("ann").await;
    ann.writes("hello").await;
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, 10);
    let answers = join_all((0..50).map(|_| claims(&ann, "WRITE"))).await;
    world.faults.calm();
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(won.len(), 1);
    for answer in lost {
        answer.refused(409, "CONFLICT");
    }
    assert_eq!(ann.get("/users/me/karma").await.ok().data()["balance"], 1);
}

#[tokio::test]
async fn quests_earn_at_most_three_karma_a_day() {
    let (world, root) = world_with_root().await;
    for (code, karma) in [("ONE", 2), ("TWO", 2), ("THREE", 1)] {
        let body = json!({ "code": code, "action": "POST_CREATED", "requirement": 1, "karmaReward": karma });
        defines(&root, body).await.ok();
    }
    let ann = world.person("ann").await;
    ann.writes("hello").await;
    let all = join_all(["ONE", "TWO", "THREE"].map(|code| claims(&ann, code))).await;
    let earned: i64 = all.into_iter().map(|answer| answer.ok().data()["karmaEarned"].as_i64().unwrap()).sum();
    assert_eq!(earned, 3);
    assert_eq!(ann.get("/users/me/karma").await.ok().data()["balance"], 3);
    world.advance(DAY).await;
    let ann = ann.signs_in().await;
    ann.writes("again").await;
    for (code, earned, total, is_capped) in [("ONE", 2, 5, false), ("TWO", 1, 6, true), ("THREE", 0, 6, true)]
    {
        let claimed = claims(&ann, code).await.ok();
        let expected = json!({ "karmaEarned": earned, "newTotal": total, "capReached": is_capped });
        assert_eq!(claimed.data(), &expected);
    }
}

#[tokio::test]
async fn without_proposed_features_quests_can_be_completed_but_karma_is_hidden() {
    let builder = World::builder().settings(&[("PROPOSED_FEATURES", "off")]);
    let (world, [ann, bob]) = builder.start_with(["ann", "bob"]).await;
    let root = root(&world).await;
    for action in ["JOIN_CIRCLE", "DEEP_COMMENT"] {
        defines(&root, json!({ "code": action, "action": action, "requirement": 1 })).await.ok();
    }
    let mut today = codes(&ann).await;
    today.sort_by_key(ToString::to_string);
    assert_eq!(today, ["FOLLOW_USER", "LIKE_POSTS", "WRITE_POST"]);
    ann.writes("hello").await;
    ann.follows(&bob).await;
    for text in ["1", "2", "3"] {
        ann.likes(&bob.writes(text).await).await;
    }
    world.settle().await;
    for code in today {
        assert_eq!(claims(&ann, code.as_str().unwrap()).await.ok().data()["karmaEarned"], 1);
    }
    for path in ["/users/me/karma", "/api/v1/users/me/badges"] {
        ann.get(path).await.refused(404, "NOT_FOUND");
    }
}
