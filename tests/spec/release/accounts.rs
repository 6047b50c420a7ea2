//! Stored accounts, sessions, emailed tokens and rate limits.

use domain::jobs::Chore;
use platform::outbox::outbox_record_write;
use serde_json::{Value, json};
use tests::{Answer, PASSWORD, Person, World};

use super::Past;
use crate::auth::{
    mailed_token,
    second_factor::{Authenticator, opens},
};

async fn signs_in(world: &World, identifier: &str, password: &str) -> Answer {
    opens(&world.anyone, identifier, password, None).await
}

#[tokio::test]
async fn accounts_of_an_earlier_release_can_sign_in() {
    let past = Past::stored().await;
    stored_credentials_sign_in(&past).await;
    stored_mailed_tokens_work(&past).await;
    an_idempotent_registration_repeats_its_answer(&past).await;
    stored_attempts_count(&past).await;
    stored_names_stay_taken(&past).await;
}

async fn stored_credentials_sign_in(past: &Past) {
    signs_in(&past.world, "ANN@example.com", PASSWORD).await.ok();
    signs_in(&past.world, "ann", "another battery").await.refused(401, "UNAUTHORIZED");
    let me = past.user("ann").get("/auth/me").await.ok().data().clone();
    assert_eq!(json!([me["name"], me["bio"], me["isVerified"]]), json!(["Ánn Lee", "I write.", true]));
    assert_eq!(me["avatar"], "https://example.com/ann.png");
    assert_eq!(json!([me["followersCount"], me["followingCount"]]), json!([4, 1]));
    assert_eq!(json!([me["createdAt"], me["roles"]]), json!(["2026-01-01T00:00:00.000Z", ["USER"]]));
}

#[tokio::test]
async fn a_stored_session_can_be_used_and_revoked() {
    let past = Past::stored().await;
    let of_dan = past.user("dan").get("/auth/sessions").await.ok();
    assert_eq!(of_dan.column("userAgent"), [json!("Dan's phone"), Value::Null, Value::Null, Value::Null]);
    past.world.advance(3600).await;
    past.user("ann").get("/auth/me").await.refused(401, "UNAUTHORIZED");
    let ann = past.user("ann").refreshes().await;
    let sessions = ann.get("/auth/sessions").await.ok();
    assert_eq!(sessions.column("isCurrent"), [json!(true), json!(false)]);
    assert_eq!(sessions.column("createdAt")[1], "2026-01-01T00:00:00.000Z");
    let first = sessions.column("sid")[1].clone();
    ann.delete(&format!("/auth/sessions/{}", first.as_str().unwrap())).await.ok();
    assert_eq!(ann.get("/auth/sessions").await.ok().rows().len(), 1);
    ann.with_refresh("/auth/logout").await.ok();
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
}

async fn stored_mailed_tokens_work(past: &Past) {
    let verify = json!({ "token": past.known("verifyToken") });
    past.world.anyone.post("/auth/verify-email", verify.clone()).await.ok();
    past.world.anyone.post("/auth/verify-email", verify).await.refused(400, "VALIDATION_FAILED");
    assert_eq!(past.user("eve").get("/auth/me").await.ok().data()["isVerified"], true);
    let reset = json!({ "token": past.known("resetToken"), "password": "another battery" });
    past.world.anyone.post("/auth/reset-password", reset).await.ok();
    past.user("fay").get("/auth/me").await.refused(401, "UNAUTHORIZED");
    signs_in(&past.world, "fay", "another battery").await.ok();
}

#[tokio::test]
async fn a_stored_pending_removal_of_a_second_factor_is_finished() {
    let past = Past::stored().await;
    signs_in(&past.world, "pat", "another battery").await.refused(401, "SECOND_FACTOR_REQUIRED");
    for _ in 0..3 {
        past.world.settle().await;
        past.world.advance(24 * 60 * 60).await;
        let app = past.world.app();
        app.table.write(outbox_record_write(&app).then(&Chore::Minute)).await.unwrap();
        past.world.settle().await;
    }
    signs_in(&past.world, "pat", "another battery").await.ok();
}

#[tokio::test]
async fn a_stored_second_factor_and_token_stay_valid() {
    let past = Past::stored().await;
    let bot = past.world.anyone.with_token(past.id("applicationToken"));
    bot.post("/posts", json!({ "content": "still here" })).await.ok();
    signs_in(&past.world, "max", PASSWORD).await.refused(401, "SECOND_FACTOR_REQUIRED");
    past.world.advance(60).await;
    let code = Authenticator::given(past.known("secondFactor")).code(&past.world);
    opens(&past.world.anyone, "max", PASSWORD, Some(&code)).await.ok();
    past.world.settle().await;
    let body = json!({ "token": mailed_token(&past.world, "maxim") });
    past.world.anyone.post("/auth/email/confirm", body).await.ok();
    assert_eq!(past.world.mail_to("max").len(), 5, "passkey, second factor, token, export, new address");
}

#[tokio::test]
async fn stored_pending_emails_are_sent() {
    let past = Past::stored().await;
    past.world.settle().await;
    let subjects =
        |name: &str| past.world.mail_to(name).into_iter().map(|mail| mail.subject).collect::<Vec<_>>();
    assert_eq!(subjects("kim"), ["Confirm your email address"]);
    assert_eq!(subjects("lou"), ["Choose a new password"]);
    assert_eq!(subjects("ann"), [""; 0]);
    let body = json!({ "token": mailed_token(&past.world, "kim") });
    past.world.anyone.post("/auth/verify-email", body).await.ok();
    let body = json!({ "token": mailed_token(&past.world, "lou"), "password": "another battery" });
    past.world.anyone.post("/auth/reset-password", body).await.ok();
}

async fn an_idempotent_registration_repeats_its_answer(past: &Past) {
    let mut form = past.known("kimsForm").clone();
    let again = past.world.anyone.post_once("kim's key", "/auth/register", form.clone()).await.ok();
    let kim = Person::of_tokens(&past.world.anyone, "kim", again.data());
    assert_eq!((again.status, &kim.id), (201, &past.user("kim").id));
    kim.get("/auth/me").await.ok();
    form["name"] = json!("Another name");
    past.world.anyone.post_once("kim's key", "/auth/register", form).await.refused(400, "VALIDATION_FAILED");
}

async fn stored_names_stay_taken(past: &Past) {
    let anyone = &past.world.anyone;
    let is_free = async |field: &str, value: &str| {
        let answer = anyone.post(&format!("/auth/validate/{field}"), json!({ field: value })).await.ok();
        answer.data()["available"] == true
    };
    assert!(!is_free("username", "ANN").await && !is_free("email", "ann@example.com").await);
    past.user("ann").post("/auth/profile", json!({ "username": "anna" })).await.ok();
    for name in ["ann", "anna"] {
        assert!(!is_free("username", name).await, "the old name stays reserved: {name}");
    }
    assert_eq!(past.user("bob").get("/user/anna").await.ok().data()["name"], "Ánn Lee");
}

async fn stored_attempts_count(past: &Past) {
    let eve = past.user("eve");
    let follow = eve.post("/user/cleo/follower", Value::Null).await.ok();
    assert_eq!(follow.header("ratelimit-remaining"), Some("28"), "one of 30 per minute was used");
    past.world.advance(60).await;
    let follow = eve.post("/user/dan/follower", Value::Null).await.ok();
    assert_eq!(follow.header("ratelimit-remaining"), Some("29"));
}
