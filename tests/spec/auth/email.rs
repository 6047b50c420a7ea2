//! Changing the email address.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Answer, Client, Fault, PASSWORD, Person, World};

use super::{
    form_with, login, mailed::verifies, mailed_token, password::subjects, reset_token, resets_password,
    world_with_ann,
};
use crate::{admin::administrator, setup::sorted_statuses};

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

/// Starts a world a second after the registration of `ann`.
async fn start() -> (World, Person) {
    let (world, ann) = world_with_ann().await;
    world.advance(1).await;
    (world, ann)
}

#[tokio::test]
async fn an_email_address_changes_when_its_link_is_opened() {
    let (world, ann) = start().await;
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
async fn an_email_change_checks_the_password_before_the_address() {
    let (world, ann) = start().await;
    world.person("bob").await;
    for (password, address, problem) in [
        (PASSWORD, "anna", "email: must be an email address"),
        (PASSWORD, "bob@example.com", "email: is already taken"),
        (PASSWORD, "BOB@example.com", "email: is already taken"),
        (PASSWORD, "ann@example.com", "email: is already your address"),
        (PASSWORD, "Ann@Example.com", "email: is already your address"),
        ("not this", "bob@example.com", "password: is wrong"),
        ("not this", "BOB@example.com", "password: is wrong"),
        ("not this", "ann@example.com", "password: is wrong"),
        ("not this", "Ann@Example.com", "password: is wrong"),
        ("not this", "anna@example.com", "password: is wrong"),
    ] {
        let answer = asks(&ann, password, address).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), problem, "{address}");
    }
    ann.post("/auth/email", Value::Null).await.refused(400, "VALIDATION_FAILED");
    world.settle().await;
    assert_eq!((world.mail_to("ann").len(), world.mail_to("anna").len()), (1, 0));
}

#[tokio::test]
async fn an_email_change_to_an_address_taken_meanwhile_is_refused() {
    let (world, ann) = start().await;
    let token = token_of(&world, &ann, "bob").await;
    let bob = world.person("bob").await;
    assert_eq!(confirms(&world, &token).await.refused(400, "VALIDATION_FAILED"), "email: is already taken");
    assert_eq!(ann.get("/auth/me").await.ok().data()["email"], "ann@example.com");
    assert_eq!(bob.get("/auth/me").await.ok().data()["email"], "bob@example.com");
}

#[tokio::test]
async fn only_one_of_two_users_can_take_the_same_email_address() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let of_ann = token_of(&world, &ann, "shared").await;
    let of_bob = token_of(&world, &bob, "shared").await;
    let (one, other) = futures::join!(confirms(&world, &of_ann), confirms(&world, &of_bob));
    assert_eq!(sorted_statuses(&one, &other), [200, 400]);
}

#[tokio::test]
async fn a_released_email_address_is_available_at_once() {
    let (world, ann) = start().await;
    confirms(&world, &token_of(&world, &ann, "anna").await).await.ok();
    let free = world.anyone.post("/auth/validate/email", json!({ "email": "ann@example.com" })).await.ok();
    assert_eq!(free.data(), &json!({ "available": true }));
    world.anyone.post("/auth/register", form_with("xxx", "email", "ann@example.com")).await.ok();
}

#[tokio::test]
async fn an_email_change_invalidates_earlier_links() {
    let (world, ann) = start().await;
    let verify = mailed_token(&world, "ann");
    let reset = json!({ "token": reset_token(&world, "ann").await, "password": "another battery" });
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
    let (world, ann) = start().await;
    let token = token_of(&world, &ann, "thief").await;
    world.advance(1).await;
    resets_password(&world, "ann", "another battery").await.ok();
    assert_eq!(confirms(&world, &token).await.refused(400, "VALIDATION_FAILED"), INVALID_TOKEN);
    world.anyone.post("/auth/login", login("ann@example.com", "another battery")).await.ok();
}

#[tokio::test]
async fn an_email_change_link_expires_after_24_hours() {
    let (world, ann) = start().await;
    let token = token_of(&world, &ann, "anna").await;
    let reset = json!({ "token": token, "password": "another battery" });
    world.anyone.post("/auth/reset-password", reset).await.refused(400, "VALIDATION_FAILED");
    verifies(&world, &token).await.refused(400, "VALIDATION_FAILED");
    world.advance(DAY).await;
    assert_eq!(confirms(&world, &token).await.refused(400, "VALIDATION_FAILED"), INVALID_TOKEN);
}

#[tokio::test]
async fn administrators_find_a_user_only_by_the_new_email_address() {
    let (world, ann) = start().await;
    let boss = administrator(&world, "boss", Role::Admin).await;
    confirms(&world, &token_of(&world, &ann, "wanda").await).await.ok();
    world.settle().await;
    let found = async |q: &str| boss.get(&format!("/admin/users?q={q}")).await.ok().rows().len();
    assert_eq!((found("wanda@exam").await, found("ann@exam").await), (1, 0));
}

#[tokio::test]
async fn the_email_to_a_new_address_contains_no_user_text() {
    let (world, ann) = start().await;
    world.confirms(&ann).await;
    ann.post("/auth/profile", json!({ "name": "Win at evil.example" })).await.ok();
    token_of(&world, &ann, "anna").await;
    let mail = world.mail_to("anna").pop().unwrap();
    assert!(mail.text.starts_with("Hello,") && !mail.html.contains("evil"), "{}", mail.text);
    assert!(world.mail_to("ann").pop().unwrap().text.starts_with("Hello Win at evil.example,"));
}

#[tokio::test]
async fn a_mailbox_gets_at_most_3_emails_about_changes_an_hour() {
    let aliases = ["victim@gmail.com", "victim+1@gmail.com", "vic.tim@googlemail.com", "v.ictim+2@gmail.com"];
    for addresses in [&["victim@example.com"; 8][..], &aliases[..]] {
        let (world, people) = World::with(["ann", "bob"]).await;
        for (person, address) in people.iter().cycle().zip(addresses) {
            asks(person, PASSWORD, address).await.ok();
        }
        world.settle().await;
        let sent = world.stack.mail().iter().filter(|mail| addresses.contains(&mail.to.as_str())).count();
        assert_eq!(sent, 3, "{addresses:?}");
    }
}

#[tokio::test]
async fn a_failed_change_of_credentials_can_be_retried() {
    let (world, ann) = start().await;
    let token = json!({ "token": token_of(&world, &ann, "anna").await });
    let before = login("ann@example.com", PASSWORD);
    fails_once(&world, &world.anyone, "/auth/email/confirm", token, before).await;
    world.anyone.post("/auth/login", login("anna@example.com", PASSWORD)).await.ok();
    let change = json!({ "currentPassword": PASSWORD, "password": "another battery" });
    fails_once(&world, &ann, "/auth/password", change, login("ann", PASSWORD)).await;
    let reset = json!({ "token": reset_token(&world, "anna").await, "password": "a third battery" });
    fails_once(&world, &world.anyone, "/auth/reset-password", reset, login("ann", "another battery")).await;
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    world.anyone.post("/auth/login", login("ann", "a third battery")).await.ok();
}

/// Sends a request that fails. Then checks that `before` still signs in, and that the same request succeeds.
async fn fails_once(world: &World, client: &Client, path: &str, body: Value, before: Value) {
    world.faults.plan("TransactWriteItems", Fault::Throttle, 0, u32::MAX);
    client.post(path, body.clone()).await.refused(429, "TOO_MANY_REQUESTS");
    assert_ne!(world.faults.calm(), 0, "{path}");
    world.anyone.post("/auth/login", before).await.ok();
    client.post(path, body).await.ok();
    world.settle().await;
    world.advance(1).await;
}
