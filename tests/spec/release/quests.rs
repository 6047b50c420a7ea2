//! Stored quests, claims and karma.

use serde_json::{Value, json};
use tests::{Answer, Person};

use super::Past;

async fn quest(user: &Person, code: &str) -> Value {
    let quests = user.get("/quests/daily").await.ok().data()["quests"].clone();
    quests.as_array().unwrap().iter().find(|quest| quest["code"] == code).cloned().unwrap_or_default()
}

async fn claims(user: &Person, code: &str) -> Answer {
    user.post(&format!("/quests/{code}/claim"), Value::Null).await
}

/// Selects the quests of the day again, so that other quests replace disabled quests.
async fn reset_quests(past: &Past) {
    past.sends("quest-reset", &json!({ "job": "reset" })).await;
    past.world.settle().await;
}

async fn karma(user: &Person) -> (i64, Vec<i64>) {
    let karma = user.get("/users/me/karma").await.ok().data().clone();
    let changes = karma["transactions"].as_array().unwrap().iter().map(|row| row["delta"].as_i64().unwrap());
    (karma["balance"].as_i64().unwrap(), changes.collect())
}

#[tokio::test]
async fn stored_quests_and_karma_stay_valid() {
    let past = Past::settled().await;
    stored_karma_and_badges_are_shown(&past).await;
    stored_claims_and_actions_count(&past).await;
    stored_definitions_can_be_changed(&past).await;
}

async fn stored_claims_and_actions_count(past: &Past) {
    let [ann, bob, cleo] = ["ann", "bob", "cleo"].map(|name| past.user(name));
    assert_eq!(quest(&ann, "WRITE").await["claimedAt"], "2026-01-02T06:54:55.000Z");
    claims(&ann, "WRITE").await.refused(409, "CONFLICT");
    ann.likes(&past.post("edited")).await;
    past.world.settle().await;
    let more = claims(&ann, "LIKE").await.ok();
    let capped = json!({ "karmaEarned": 0, "newTotal": 2, "capReached": true });
    assert_eq!(more.data(), &capped, "ann already earned the daily maximum of three karma");
    let write = quest(&bob, "WRITE").await;
    let unclaimed = json!([write["progress"], write["claimedAt"]]);
    assert_eq!(unclaimed, json!([1, null]), "a quest claimed yesterday can be claimed again today");
    for (user, code, earned, total) in [(&bob, "WRITE", 3, 4), (&cleo, "LIKE", 1, 1)] {
        let claimed = json!({ "karmaEarned": earned, "newTotal": total, "capReached": false });
        assert_eq!(claims(user, code).await.ok().data(), &claimed);
    }
}

async fn stored_karma_and_badges_are_shown(past: &Past) {
    let (ann, bob) = (past.user("ann"), past.user("bob"));
    assert_eq!(karma(&ann).await, (2, vec![-1, 3]));
    assert_eq!(karma(&bob).await, (1, vec![-1, -1, 3]));
    let badges = bob.get("/users/me/badges").await.ok().data()["badges"].clone();
    let names: Vec<_> = badges.as_array().unwrap().iter().map(|badge| badge["circleName"].clone()).collect();
    assert_eq!(names, ["Old lights", "On the edge"]);
    let silent = ann.get("/users/me/karma").await.ok().data()["restriction"].clone();
    assert_eq!(silent["circleId"], *past.known("readers"));
}

async fn stored_definitions_can_be_changed(past: &Past) {
    let root = past.user("root");
    let listed = root.get("/admin/daily-quests").await.ok();
    let disabled: Vec<_> = listed.rows().iter().filter(|quest| quest["disabled"] == true).collect();
    assert_eq!(json!([disabled.len(), disabled[0]["code"]]), json!([1, "RETIRED"]));
    root.patch("/admin/daily-quests/LIKE/disable", Value::Null).await.ok();
    assert_eq!(quest(&past.user("cleo"), "LIKE").await, Value::Null);
    let body = json!({ "code": "QUOTE", "action": "QUOTE_CREATED", "requirement": 1 });
    root.post("/admin/daily-quests", body).await.ok();
    reset_quests(past).await;
    let bob = past.user("bob");
    assert_eq!(quest(&bob, "QUOTE").await["progress"], 0);
    bob.quotes(&past.post("liked"), "Look").await;
    assert_eq!(quest(&bob, "QUOTE").await["completed"], true);
}

#[tokio::test]
async fn a_judged_post_counts_for_quests_of_the_day_it_was_written() {
    let past = Past::settled().await;
    let root = past.user("root");
    for code in ["LIKE", "WRITE"] {
        root.patch(&format!("/admin/daily-quests/{code}/disable"), Value::Null).await.ok();
    }
    reset_quests(&past).await;
    for (name, code) in [("bob", "DEEP_COMMENT"), ("cleo", "QUALITY_POST")] {
        assert_eq!(quest(&past.user(name), code).await["progress"], 1, "{name} {code}");
    }
}
