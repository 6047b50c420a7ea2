//! Registering an account.

use futures::future::{join, join_all};
use serde_json::json;
use tests::{Fault, World};

use super::{form, form_with};
use crate::setup::sorted_statuses;

#[tokio::test]
async fn a_new_user_is_signed_in_and_gets_an_email() {
    let world = World::new().await;
    let answer = world.anyone.post("/auth/register", form("ann")).await;
    assert_eq!(json!([answer.status, answer.data()["expiresIn"]]), json!([201, 900]), "{answer}");
    let ann = world.anyone.with_token(answer.data()["accessToken"].as_str().unwrap());
    let me = ann.get("/auth/me").await.ok();
    let me = me.data();
    let expected = json!({
        "id": me["id"], "userId": me["userId"], "publicId": me["publicId"],
        "name": "ann", "username": "ann", "bio": null, "avatar": null, "avatarCopy": null,
        "email": "ann@example.com", "emailStatus": "OK", "isVerified": false, "verifiedAt": null,
        "createdAt": "2026-01-01T00:00:00.000Z", "followersCount": 0, "followingCount": 0,
        "status": "ACTIVE", "roles": ["USER"], "permissions": [], "hasSecondFactor": false,
    });
    assert_eq!(me, &expected);
    assert_ne!(me["id"], me["publicId"]);
    world.settle().await;
    assert_eq!(world.mail_to("ann").len(), 1);
}

#[tokio::test]
async fn one_of_two_concurrent_registrations_is_refused() {
    let world = World::new().await;
    for attempt in 0..5 {
        let name = format!("ann{attempt}");
        let other = form_with(&name, "email", format!("other{attempt}@example.com"));
        let [first, second] = [form(&name), other].map(|form| world.anyone.post("/auth/register", form));
        let (first, second) = join(first, second).await;
        assert_eq!(sorted_statuses(&first, &second), [201, 400], "{first} {second}");
        let loser = if first.status == 400 { first } else { second };
        assert_eq!(loser.refused(400, "VALIDATION_FAILED"), "username: is already taken");
    }
}

#[tokio::test]
async fn a_taken_name_is_refused_in_any_letter_case() {
    let (world, _) = World::with(["ann"]).await;
    for (field, taken) in [("email", "ANN@Example.com"), ("username", "AnN")] {
        let answer = world.anyone.post("/auth/register", form_with("bob", field, taken)).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), format!("{field}: is already taken"));
    }
    // A refused registration stores nothing.
    world.person("bob").await;
}

#[tokio::test]
async fn a_registration_retry_returns_the_same_tokens() {
    let world = World::new().await;
    let again = async || world.anyone.post_once("key", "/auth/register", form("ann")).await;
    let answers = join_all((0..4).map(|_| again())).await;
    for answer in &answers {
        assert_eq!((answer.status, answer.data()), (201, answers[0].data()), "{answer}");
    }
    world.advance(3600).await;
    assert_eq!(again().await.data(), answers[0].data());
    world.settle().await;
    assert_eq!(world.mail_to("ann").len(), 1);
    let other = world.anyone.post_once("key", "/auth/register", form("bob")).await;
    assert_eq!(other.refused(400, "VALIDATION_FAILED"), "idempotency-key: was used for another request");
}

#[tokio::test]
async fn a_registration_succeeds_despite_conflicts_and_lost_responses() {
    let world = World::new().await;
    for (name, fault) in [("ann", Fault::Conflict), ("bob", Fault::LostAnswer), ("cid", Fault::Throttle)] {
        world.faults.next("TransactWriteItems", fault);
        world.registers(name).await.get("/auth/me").await.ok();
        assert_eq!(world.faults.calm(), 1);
    }
}

#[tokio::test]
async fn the_error_for_an_invalid_registration_names_the_field() {
    let world = World::new().await;
    let long = "x".repeat(51);
    for (field, value, message) in [
        ("name", json!(" "), "name: must have 1 to 50 characters"),
        ("name", json!(long), "name: must have 1 to 50 characters"),
        ("username", json!("an"), "username: must have 3 to 30 letters, digits, dots or underscores"),
        ("username", json!("an n"), "username: must have 3 to 30 letters, digits, dots or underscores"),
        ("username", json!("aðn"), "username: must have 3 to 30 letters, digits, dots or underscores"),
        ("username", json!("Admin"), "username: is reserved"),
        ("email", json!("ann"), "email: must be an email address"),
        ("email", json!("Ann <ann@example.com>"), "email: must be an email address"),
        ("email", json!("ann@localhost"), "email: must be an email address"),
        ("email", json!(r#""ann"@example.com"#), "email: must be an email address"),
        ("email", json!(r#""a b"@example.com"#), "email: must be an email address"),
        ("email", json!(r#""francois@"@example.com"#), "email: must be an email address"),
        ("password", json!("1234567"), "password: must have 8 to 128 characters"),
        ("password", json!("x".repeat(129)), "password: must have 8 to 128 characters"),
        ("password", json!(null), "password: must be a string"),
        ("name", json!(1), "name: must be a string"),
    ] {
        let answer = world.anyone.post("/auth/register", form_with("ann", field, value)).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), message, "{answer}");
    }
    let mut wanted = form("ann");
    wanted.as_object_mut().unwrap().remove("email");
    let answer = world.anyone.post("/auth/register", wanted).await;
    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "email: is required");
    world.person("ann").await;
}

#[tokio::test]
async fn anyone_can_check_whether_a_name_is_available() {
    let (world, _) = World::with(["ann"]).await;
    let ask = async |what: &str, value: &str| {
        let body = json!({ what: value });
        world.anyone.post(&format!("/auth/validate/{what}"), body).await
    };
    for (what, value, available) in [
        ("email", "ANN@example.com", false),
        ("email", "bob@example.com", true),
        ("username", "ANN", false),
        ("username", "bob", true),
        ("username", "System", false),
    ] {
        assert_eq!(ask(what, value).await.ok().data(), &json!({ "available": available }), "{value}");
    }
    ask("email", "bob").await.refused(400, "VALIDATION_FAILED");
    ask("username", "sys tem").await.refused(400, "VALIDATION_FAILED");
}
