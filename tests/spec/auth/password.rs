//! Changing the password.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, PASSWORD, Person, World};

use super::{login, reset_token, world_with_ann};
use crate::front::{at, behind_a_front, registers, signs_in};

const NEW: &str = "another horse battery";

pub(super) async fn changes(person: &Person, current: &str, password: &str) -> Answer {
    let body = json!({ "currentPassword": current, "password": password });
    person.post("/auth/password", body).await
}

/// Returns the subjects of the emails to `name`, oldest first.
pub(super) fn subjects(world: &World, name: &str) -> Vec<String> {
    world.mail_to(name).into_iter().map(|mail| mail.subject).collect()
}

#[tokio::test]
async fn a_password_change_ends_other_sessions_and_sends_an_email() {
    let (world, [ann]) = World::with(["ann"]).await;
    let [phone, bob] = [ann.signs_in().await, world.person("bob").await];
    world.settle().await;
    assert_eq!(changes(&ann, PASSWORD, NEW).await.ok().data(), &json!({ "changed": true }));
    phone.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    phone.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    ann.get("/auth/me").await.ok();
    bob.get("/auth/me").await.ok();
    ann.refreshes().await.get("/auth/me").await.ok();
    world.anyone.post("/auth/login", login("ann", PASSWORD)).await.refused(401, "UNAUTHORIZED");
    world.anyone.post("/auth/login", login("ann", NEW)).await.ok();
    world.settle().await;
    assert_eq!(subjects(&world, "ann").last().unwrap(), "Your password was changed");
    assert_eq!(subjects(&world, "ann").len(), 2);
    assert!(!world.mail_to("ann")[1].text.contains("://"), "the notice has no link");
}

#[tokio::test]
async fn a_wrong_current_password_changes_nothing() {
    let (world, [ann]) = World::with(["ann"]).await;
    let phone = ann.signs_in().await;
    let answer = changes(&ann, "not this", NEW).await;
    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "currentPassword: is wrong");
    phone.get("/auth/me").await.ok();
    world.anyone.post("/auth/login", login("ann", PASSWORD)).await.ok();
    world.settle().await;
    assert_eq!(world.mail_to("ann").len(), 1);
}

#[tokio::test]
async fn a_new_password_must_meet_the_registration_rules() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for (password, message) in
        [("short", "password: must have 8 to 128 characters"), ("password1", "password: is too common")]
    {
        assert_eq!(changes(&ann, PASSWORD, password).await.refused(400, "VALIDATION_FAILED"), message);
    }
    let missing = ann.post("/auth/password", json!({ "password": NEW })).await;
    assert_eq!(missing.refused(400, "VALIDATION_FAILED"), "currentPassword: is required");
}

#[tokio::test]
async fn wrong_current_passwords_count_as_failed_sign_ins() {
    let world = behind_a_front(&[("AUTH_LIMIT_PER_5_MIN", "4")]).await;
    let registered = registers(&world, "203.0.113.1", "ann").await.ok();
    let ann = Person::of_tokens(&world.anyone, "ann", registered.data());
    let tries = async |viewer: &str, current: &str| {
        let body = json!({ "currentPassword": current, "password": NEW });
        let request = ann.request(Method::POST, "/auth/password").json(&body);
        at(viewer, request).await
    };
    for number in 0..4 {
        tries(&format!("198.51.100.{number}"), "not this").await.refused(400, "VALIDATION_FAILED");
    }
    tries("198.51.100.9", PASSWORD).await.refused(429, "TOO_MANY_REQUESTS");
    signs_in(&world, "198.51.100.9", "ann", PASSWORD).await.refused(401, "UNAUTHORIZED");
    tries("203.0.113.1", PASSWORD).await.ok();
    world.advance(300).await;
    signs_in(&world, "198.51.100.9", "ann", NEW).await.ok();
}

#[tokio::test]
async fn a_password_change_invalidates_earlier_links() {
    let (world, ann) = world_with_ann().await;
    world.advance(1).await;
    let reset = json!({ "token": reset_token(&world, "ann").await, "password": "a third battery" });
    world.advance(1).await;
    changes(&ann, PASSWORD, NEW).await.ok();
    world.anyone.post("/auth/reset-password", reset).await.refused(400, "VALIDATION_FAILED");
    world.anyone.post("/auth/login", login("ann", NEW)).await.ok();
}

#[tokio::test]
async fn one_of_two_concurrent_password_changes_succeeds() {
    let (world, [ann]) = World::with(["ann"]).await;
    let passwords = ["the first new one", "the second new one"];
    let both = futures::future::join_all(passwords.map(|password| changes(&ann, PASSWORD, password))).await;
    let done: Vec<_> = both.iter().map(|answer| answer.status).collect();
    assert!(done == [200, 400] || done == [400, 200], "{done:?}");
    for (password, status) in passwords.iter().zip(done) {
        let expected = if status == 200 { 200 } else { 401 };
        assert_eq!(world.anyone.post("/auth/login", login("ann", password)).await.status, expected);
    }
}

#[tokio::test]
async fn password_notices_are_sent_once_and_at_most_3_an_hour() {
    let (world, [ann]) = World::with(["ann"]).await;
    for number in 0..5 {
        let [from, to] = [number, number + 1].map(|n| format!("horse battery {n}"));
        let from = if number == 0 { PASSWORD.to_owned() } else { from };
        changes(&ann, &from, &to).await.ok();
    }
    world.settle().await;
    world.settle_as(1).await;
    let mut subjects = subjects(&world, "ann");
    subjects.retain(|subject| subject == "Your password was changed");
    assert_eq!(subjects.len(), 3);
    assert_eq!(ann.post("/auth/password", Value::Null).await.status, 400);
}
