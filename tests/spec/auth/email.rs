//! Changing the email address.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Answer, Fault, PASSWORD, Person, World};

use super::{login, mailed::requests_reset, mailed_token, password::subjects, resets_password};
use crate::admin::administrator;

const DAY: u64 = 24 * 60 * 60;
const INVALID_TOKEN: &str = "token: is unknown, used or expired";

async fn asks(person: &Person, password: &str, email: &str) -> Answer {
    person.post("/auth/email", json!({ "password": password, "email": email })).await
}

async fn confirms(world: &World, token: &str) -> Answer {
    world.anyone.post("/auth/email/confirm", json!({ "token": token })).await
}

/// Requests a change to `{new}@example.com`, and returns the token emailed to that address.
async fn token_of(world: &World, person: &Person, new: &str) -> String {
    asks(person, PASSWORD, &format!("{new}@example.com")).await.ok();
    world.settle().await;
    mailed_token(world, new)
}

/// Creates `ann`, delivers her registration email, and advances the clock by a second.
async fn ann(world: &World) -> Person {
    let ann = world.person("ann").await;
    world.settle().await;
    world.advance(1).await;
    ann
}

#[tokio::test]
async fn an_email_address_changes_when_its_link_is_opened() {
    let world = World::new().await;
    let ann = ann(&world).await;
    let answer = asks(&ann, PASSWORD, "Anna@Example.com ").await.ok();
    assert_eq!(answer.data(), &json!({ "requested": true }));
    world.settle().await;
    assert_eq!(subjects(&world, "anna"), ["Confirm your new email address"]);
    assert_eq!(subjects(&world, "ann")[1..], ["A new email address was requested"]);
    world.anyone.post("/auth/login", login("ann@example.com", PASSWORD)).await.ok();
    world.anyone.post("/auth/login", login("anna@example.com", PASSWORD)).await.refused(401, "UNAUTHORIZED");
    assert_eq!(ann.get("/auth/me").await.ok().data()["email"], "ann@example.com");

    let confirmed = confirms(&world, &mailed_token(&world, "anna")).await.ok();
    assert_eq!(confirmed.data(), &json!({ "changed": true }));
    let me = ann.get("/auth/me").await.ok();
    assert_eq!(json!([me.data()["email"], me.data()["isVerified"]]), json!(["anna@example.com", true]));
    world.anyone.post("/auth/login", login("anna@example.com", PASSWORD)).await.ok();
    world.anyone.post("/auth/login", login("ann@example.com", PASSWORD)).await.refused(401, "UNAUTHORIZED");
    world.settle().await;
    assert_eq!(subjects(&world, "ann")[2..], ["Your email address was changed"]);
    confirms(&world, &mailed_token(&world, "anna")).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn an_email_change_requires_the_password() {
    let world = World::new().await;
    let ann = ann(&world).await;
    let answer = asks(&ann, "not this", "anna@example.com").await;
    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "password: is wrong");
    let answer = asks(&ann, PASSWORD, "anna").await;
    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "email: must be an email address");
    world.settle().await;
    assert_eq!((world.mail_to("ann").len(), world.mail_to("anna").len()), (1, 0));
}

#[tokio::test]
async fn an_email_change_checks_the_password_before_the_address() {
    let world = World::new().await;
    let ann = ann(&world).await;
    world.person("bob").await;
    for (address, problem) in [
        ("bob@example.com", "email: is already taken"),
        ("BOB@example.com", "email: is already taken"),
        ("ann@example.com", "email: is already your address"),
        ("Ann@Example.com", "email: is already your address"),
    ] {
        let answer = asks(&ann, PASSWORD, address).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), problem, "{address}");
        let answer = asks(&ann, "not this", address).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "password: is wrong");
    }
}

#[tokio::test]
async fn an_email_change_to_an_address_taken_meanwhile_is_refused() {
    let world = World::new().await;
    let ann = ann(&world).await;
    let token = token_of(&world, &ann, "bob").await;
    let bob = world.person("bob").await;
    assert_eq!(confirms(&world, &token).await.refused(400, "VALIDATION_FAILED"), "email: is already taken");
    assert_eq!(ann.get("/auth/me").await.ok().data()["email"], "ann@example.com");
    assert_eq!(bob.get("/auth/me").await.ok().data()["email"], "bob@example.com");
}

#[tokio::test]
async fn only_one_of_two_users_can_take_the_same_email_address() {
    let (world, people) = World::with(["ann", "bob"]).await;
    let mut tokens = Vec::new();
    for person in &people {
        tokens.push(token_of(&world, person, "shared").await);
    }
    let answers = futures::future::join_all(tokens.iter().map(|token| confirms(&world, token))).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400]);
}

#[tokio::test]
async fn a_released_email_address_is_available_at_once() {
    let world = World::new().await;
    let ann = ann(&world).await;
    confirms(&world, &token_of(&world, &ann, "anna").await).await.ok();
    let free = world.anyone.post("/auth/validate/email", json!({ "email": "ann@example.com" })).await.ok();
    assert_eq!(free.data(), &json!({ "available": true }));
    let body = json!({ "name": "x", "username": "xxx", "email": "ann@example.com", "password": PASSWORD });
    world.anyone.post("/auth/register", body).await.ok();
}

#[tokio::test]
async fn an_email_change_invalidates_earlier_links() {
    let world = World::new().await;
    let ann = ann(&world).await;
    let verify = mailed_token(&world, "ann");
    requests_reset(&world, "ann").await;
    world.settle().await;
    let reset = json!({ "token": mailed_token(&world, "ann"), "password": "another battery" });
    let earlier = token_of(&world, &ann, "early").await;
    let token = token_of(&world, &ann, "anna").await;
    world.advance(1).await;
    confirms(&world, &token).await.ok();
    for (path, body) in [
        ("/auth/verify-email", json!({ "token": verify })),
        ("/auth/reset-password", reset),
        ("/auth/email/confirm", json!({ "token": earlier })),
    ] {
        let answer = world.anyone.post(path, body).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), INVALID_TOKEN, "{answer}");
    }
    world.anyone.post("/auth/login", login("anna@example.com", PASSWORD)).await.ok();
    world.advance(1).await;
    resets_password(&world, "anna", "another battery").await.ok();
}

#[tokio::test]
async fn a_password_reset_cancels_a_pending_email_change() {
    let world = World::new().await;
    let ann = ann(&world).await;
    let token = token_of(&world, &ann, "thief").await;
    world.advance(1).await;
    resets_password(&world, "ann", "another battery").await.ok();
    assert_eq!(confirms(&world, &token).await.refused(400, "VALIDATION_FAILED"), INVALID_TOKEN);
    world.anyone.post("/auth/login", login("ann@example.com", "another battery")).await.ok();
}

#[tokio::test]
async fn an_email_change_link_expires_after_24_hours() {
    let world = World::new().await;
    let ann = ann(&world).await;
    let token = token_of(&world, &ann, "anna").await;
    let reset = json!({ "token": token, "password": "another battery" });
    world.anyone.post("/auth/reset-password", reset).await.refused(400, "VALIDATION_FAILED");
    let verify = world.anyone.post("/auth/verify-email", json!({ "token": token })).await;
    verify.refused(400, "VALIDATION_FAILED");
    world.advance(DAY).await;
    assert_eq!(confirms(&world, &token).await.refused(400, "VALIDATION_FAILED"), INVALID_TOKEN);
}

#[tokio::test]
async fn administrators_find_a_user_only_by_the_new_email_address() {
    let world = World::new().await;
    let boss = administrator(&world, "boss", Role::Admin).await;
    let ann = ann(&world).await;
    confirms(&world, &token_of(&world, &ann, "wanda").await).await.ok();
    world.settle().await;
    let found = async |q: &str| boss.get(&format!("/admin/users?q={q}")).await.ok().rows().len();
    assert_eq!((found("wanda@exam").await, found("ann@exam").await), (1, 0));
}

#[tokio::test]
async fn the_email_to_a_new_address_contains_no_user_text() {
    let world = World::new().await;
    let ann = ann(&world).await;
    world.confirms(&ann).await;
    ann.post("/auth/profile", json!({ "name": "Win at evil.example" })).await.ok();
    token_of(&world, &ann, "anna").await;
    let mail = world.mail_to("anna").pop().unwrap();
    assert!(mail.text.starts_with("Hello,") && !mail.html.contains("evil"), "{}", mail.text);
    assert!(world.mail_to("ann").pop().unwrap().text.starts_with("Hello Win at evil.example,"));
}

#[tokio::test]
async fn an_address_gets_at_most_3_emails_about_changes_an_hour() {
    let (world, people) = World::with(["ann", "bob"]).await;
    for person in people.iter().cycle().take(8) {
        asks(person, PASSWORD, "victim@example.com").await.ok();
    }
    world.settle().await;
    assert_eq!(world.mail_to("victim").len(), 3);
}

#[tokio::test]
async fn the_aliases_of_a_mailbox_share_its_limits() {
    let (world, people) = World::with(["ann", "bob"]).await;
    let aliases = ["victim@gmail.com", "victim+1@gmail.com", "vic.tim@googlemail.com", "v.ictim+2@gmail.com"];
    for (person, alias) in people.iter().cycle().zip(aliases) {
        asks(person, PASSWORD, alias).await.ok();
    }
    world.settle().await;
    assert_eq!(world.stack.mail().iter().filter(|mail| aliases.contains(&mail.to.as_str())).count(), 3);
}

#[tokio::test]
async fn a_failed_confirmation_changes_nothing_and_can_be_retried() {
    let world = World::new().await;
    let ann = ann(&world).await;
    let token = token_of(&world, &ann, "anna").await;
    world.faults.plan("TransactWriteItems", Fault::Throttle, 0, u32::MAX);
    confirms(&world, &token).await.refused(429, "TOO_MANY_REQUESTS");
    assert_ne!(world.faults.calm(), 0);
    world.anyone.post("/auth/login", login("ann@example.com", PASSWORD)).await.ok();
    confirms(&world, &token).await.ok();
    world.anyone.post("/auth/login", login("anna@example.com", PASSWORD)).await.ok();
    assert_eq!(ann.post("/auth/email", Value::Null).await.status, 400);
}
