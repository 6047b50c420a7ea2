//! Account deletion closes the account at once, and erases its data within a day despite failures.

mod circles;
mod costs;
mod crashes;
pub(crate) mod export;
mod export_files;
mod groups;
mod names;
mod restores;
mod ties;
pub(crate) mod traces;

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, PASSWORD, Person, World, send};

use crate::{setup::sorted_statuses, workers::put};

pub(crate) const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

/// Runs both hourly phases of each pending account deletion.
pub(crate) async fn runs_deletions(world: &World) {
    flush_notifications(world).await;
    for _ in 0..2 {
        world.advance(HOUR).await;
        world.settle().await;
    }
}

/// Delivers all messages, then turns pending events into notifications. For worlds without notification ticks.
pub(crate) async fn flush_notifications(world: &World) {
    world.settle().await;
    put(world, "notification-tick", "{}").await;
    world.settle().await;
}

/// Sends a job to the queue of the account deletion worker.
async fn queue_job(world: &World, message: Value) {
    put(world, "leaving", &message.to_string()).await;
}

async fn requests_deletion(user: &Person, body: Value) -> Answer {
    send(user.request(Method::DELETE, "/auth/me").json(&body)).await
}

#[tokio::test]
async fn a_deleted_user_disappears_at_once() {
    let (world, [ann, bob]) = World::with(["annabella", "bob"]).await;
    let other = ann.signs_in().await;
    let answer = ann.leaves().await;
    assert_eq!((answer.status, &answer.data()["deletedAt"]), (202, &json!("2026-01-01T00:00:00.000Z")));
    assert_eq!(answer.data()["erasedUntil"], "2026-01-02T00:00:00.000Z");
    for session in [&ann, &other] {
        session.get("/auth/me").await.refused(401, "UNAUTHORIZED");
        session.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    }
    let credentials = json!({ "identifier": "annabella", "password": PASSWORD });
    world.anyone.post("/auth/login", credentials).await.refused(401, "UNAUTHORIZED");
    for path in ["", "/posts", "/followers", "/following"] {
        bob.get(&ann.path(path)).await.refused(404, "NOT_FOUND");
    }
    for path in ["/follower", "/friend-request", "/block", "/mute"] {
        bob.post(&ann.path(path), json!({})).await.refused(404, "NOT_FOUND");
    }
    let mention = json!({ "content": "where are you?", "mentions": [ann.id] });
    bob.post("/posts", mention).await.refused(400, "VALIDATION_FAILED");
    let group = json!({ "type": "private", "members": ["annabella"] });
    bob.post("/message-group", group).await.refused(400, "VALIDATION_FAILED");
    assert!(bob.get("/search?type=user&q=annabella").await.ok().rows().is_empty());
}

#[tokio::test]
async fn a_deleted_users_posts_likes_and_follows_are_removed() {
    let (world, [ann, bob]) = World::with(["annabella", "bob"]).await;
    let (post, theirs) = (ann.writes("hello").await, bob.writes("hi").await);
    let reply = ann.replies(&theirs, "well").await;
    ann.likes(&theirs).await;
    bob.follows(&ann).await;
    world.settle().await;
    ann.leaves().await;
    world.settle().await;
    for gone in [&post, &reply] {
        bob.get(&gone.path("")).await.refused(404, "NOT_FOUND");
    }
    let seen = bob.sees(&theirs).await;
    assert_eq!((&seen["likesCount"], &seen["repliesCount"]), (&json!(0), &json!(0)));
    assert!(bob.get(&bob.path("/following")).await.ok().rows().is_empty());
}

#[tokio::test]
async fn a_deleted_users_name_is_reserved_but_not_the_email() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    ann.leaves().await;
    let again = |username: &str| {
        let body = json!({ "name": "Ann", "username": username, "email": ann.email, "password": PASSWORD });
        world.anyone.post("/auth/register", body)
    };
    again("ann").await.refused(400, "VALIDATION_FAILED");
    assert_eq!(again("ann2").await.status, 201, "the email address is free under another username");
    runs_deletions(&world).await;
    world.advance(29 * DAY).await;
    let free = async || world.anyone.post("/auth/validate/username", json!({ "username": "ANN" })).await;
    assert_eq!(free().await.data()["available"], false);
    world.advance(DAY).await;
    assert_eq!(free().await.data()["available"], true);
}

#[tokio::test]
async fn deleting_an_account_requires_the_password() {
    let (world, [ann]) = World::with(["ann"]).await;
    requests_deletion(&ann, json!({ "password": "not the one" })).await.refused(400, "VALIDATION_FAILED");
    requests_deletion(&ann, json!({})).await.refused(400, "VALIDATION_FAILED");
    let message = requests_deletion(&ann, json!({ "password": PASSWORD, "reason": "bored" })).await;
    assert!(message.refused(400, "VALIDATION_FAILED").starts_with("reason"), "{message}");
    requests_deletion(&ann, json!({ "password": PASSWORD, "code": 7 }))
        .await
        .refused(400, "VALIDATION_FAILED");
    ann.get("/auth/me").await.ok();
    world.settle().await;
    ann.leaves().await;
}

#[tokio::test]
async fn wrong_passwords_for_account_deletion_are_limited() {
    let world = World::builder().settings(&[("AUTH_LIMIT_PER_5_MIN", "3")]).start().await;
    let ann = world.person("ann").await;
    for _ in 0..3 {
        requests_deletion(&ann, json!({ "password": "guess" })).await.refused(400, "VALIDATION_FAILED");
    }
    requests_deletion(&ann, json!({ "password": PASSWORD })).await.refused(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn a_super_admin_cannot_delete_their_account() {
    use domain::people::users::Role;
    let world = World::new().await;
    let chief = crate::admin::administrator(&world, "chief", Role::SuperAdmin).await;
    let admin = crate::admin::administrator(&world, "admin1", Role::Admin).await;
    requests_deletion(&chief, json!({ "password": PASSWORD })).await.refused(403, "FORBIDDEN");
    admin.leaves().await;
    chief.get("/auth/me").await.ok();
    assert_eq!(chief.get("/admin/stats").await.ok().data()["users"], 1);
}

#[tokio::test]
async fn concurrent_deletion_requests_delete_an_account_once() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    bob.follows(&ann).await;
    let leave = || requests_deletion(&ann, json!({ "password": PASSWORD }));
    let (one, other) = futures::join!(leave(), leave());
    let statuses = sorted_statuses(&one, &other);
    assert_eq!(statuses[0], 202, "{one} {other}");
    assert!([401, 404].contains(&statuses[1]), "{one} {other}");
    runs_deletions(&world).await;
}

#[tokio::test]
async fn an_account_deletion_job_has_no_effect_on_an_active_user() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("still here").await;
    bob.follows(&ann).await;
    for job in ["withdraw", "erase"] {
        queue_job(&world, json!({ "job": job, "user": ann.id, "run": 1 })).await;
    }
    world.settle().await;
    assert_eq!(bob.sees(&post).await["content"], "still here");
    assert_eq!(bob.meets(&ann).await["followersCount"], 1);
}
