//! Accounts with the same email address. The address belongs to the account that confirms it.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, PASSWORD, Person, World};

use super::{form_with, login, mailed::verifies, mailed_token, reset_token, resets_password};

const DAY: u64 = 24 * 60 * 60;
const ADDRESS: &str = "ann@example.com";

/// Registers a user with the email address [`ADDRESS`].
async fn registers(world: &World, username: &str) -> Answer {
    let mut request = form_with(username, "email", ADDRESS);
    request["password"] = json!(format!("{PASSWORD} of {username}"));
    world.anyone.post("/auth/register", request).await
}

async fn signs_in(world: &World, identifier: &str, username: &str) -> Answer {
    world.anyone.post("/auth/login", login(identifier, &format!("{PASSWORD} of {username}"))).await
}

async fn is_available(world: &World) -> Value {
    let answer = world.anyone.post("/auth/validate/email", json!({ "email": ADDRESS })).await.ok();
    answer.data()["available"].clone()
}

/// Registers `ann`, and a day later `bob` with the same address. Returns both users and the tokens of their
/// confirmation links.
async fn two_accounts() -> (World, [Person; 2], [String; 2]) {
    let world = World::builder().without_ticks().start().await;
    registers(&world, "ann").await.ok();
    world.settle().await;
    world.advance(DAY).await;
    registers(&world, "bob").await.ok();
    let session = async |name: &str| {
        let pair = signs_in(&world, name, name).await.ok();
        Person::of_tokens(&world.anyone, name, pair.data())
    };
    let users = [session("ann").await, session("bob").await];
    world.settle().await;
    let of_bob = mailed_token(&world, "ann");
    users[0].post("/auth/resend-verify-email", Value::Null).await.ok();
    world.settle().await;
    let of_ann = mailed_token(&world, "ann");
    (world, users, [of_ann, of_bob])
}

#[tokio::test]
async fn an_unconfirmed_address_is_reserved_for_24_hours() {
    let world = World::builder().without_ticks().start().await;
    registers(&world, "ann").await.ok();
    world.advance(DAY - 1).await;
    assert_eq!(is_available(&world).await, json!(false));
    assert_eq!(registers(&world, "bob").await.refused(400, "VALIDATION_FAILED"), "email: is already taken");
    signs_in(&world, ADDRESS, "ann").await.ok();
    world.advance(1).await;
    assert_eq!(is_available(&world).await, json!(true));
    registers(&world, "bob").await.ok();
    assert_eq!(is_available(&world).await, json!(false), "the new account reserves the address");
}

#[tokio::test]
async fn an_unconfirmed_address_signs_in_to_the_newest_account() {
    let (world, ..) = two_accounts().await;
    signs_in(&world, ADDRESS, "bob").await.ok();
    signs_in(&world, ADDRESS, "ann").await.refused(401, "UNAUTHORIZED");
    signs_in(&world, "ann", "ann").await.ok();
}

#[tokio::test]
async fn an_address_belongs_to_the_account_that_confirms_it() {
    for (winner, loser) in [(0, 1), (1, 0)] {
        let (world, users, links) = two_accounts().await;
        let names = ["ann", "bob"];
        verifies(&world, &links[winner]).await.ok();
        signs_in(&world, ADDRESS, names[winner]).await.ok();
        signs_in(&world, ADDRESS, names[loser]).await.refused(401, "UNAUTHORIZED");
        signs_in(&world, names[loser], names[loser]).await.ok();
        let late = verifies(&world, &links[loser]).await;
        let message = "token: is for an address that belongs to another account";
        assert_eq!(late.refused(400, "VALIDATION_FAILED"), message);
        users[loser]
            .post("/auth/resend-verify-email", Value::Null)
            .await
            .invalid("email: belongs to another account");
        world.advance(2 * DAY).await;
        assert_eq!(is_available(&world).await, json!(false), "a confirmed address stays taken");
    }
}

#[tokio::test]
async fn only_one_of_two_accounts_can_confirm_an_address() {
    let (world, _, links) = two_accounts().await;
    let answers = futures::join!(verifies(&world, &links[0]), verifies(&world, &links[1]));
    assert_eq!([answers.0.status, answers.1.status].iter().filter(|status| **status == 200).count(), 1);
}

#[tokio::test]
async fn emails_reach_only_the_owner_of_their_address() {
    let (world, [_, bob], links) = two_accounts().await;
    let of_bob = json!({ "token": reset_token(&world, "ann").await, "password": "quite another password" });
    let before = world.mail_to("ann").len();
    bob.post("/auth/resend-verify-email", Value::Null).await.ok();
    verifies(&world, &links[0]).await.ok();
    world.anyone.post("/auth/reset-password", of_bob).await.refused(400, "VALIDATION_FAILED");
    let change =
        json!({ "currentPassword": format!("{PASSWORD} of bob"), "password": "quite another password" });
    bob.post("/auth/password", change).await.ok();
    world.settle().await;
    assert_eq!(world.mail_to("ann").len(), before, "bob's notice is not sent to ann's address");
    resets_password(&world, "ann", &format!("{PASSWORD} of cleo")).await.ok();
    signs_in(&world, "ann", "cleo").await.ok();
}

#[tokio::test]
async fn an_account_that_lost_its_address_can_choose_another() {
    let (world, [ann, bob], links) = two_accounts().await;
    verifies(&world, &links[1]).await.ok();
    let password = format!("{PASSWORD} of ann");
    ann.post("/auth/email", json!({ "password": password, "email": "anna@example.com" })).await.ok();
    world.settle().await;
    let token = mailed_token(&world, "anna");
    world.anyone.post("/auth/email/confirm", json!({ "token": token })).await.ok();
    assert_eq!(world.mail_to("ann").iter().filter(|mail| mail.subject.contains("was changed")).count(), 0);
    signs_in(&world, "anna@example.com", "ann").await.ok();
    signs_in(&world, ADDRESS, "bob").await.ok();
    bob.call(Method::DELETE, "/auth/me", &json!({ "password": format!("{PASSWORD} of bob") })).await.ok();
    assert_eq!(is_available(&world).await, json!(true));
}

#[tokio::test]
async fn a_deletion_does_not_release_an_address_of_another_account() {
    let (world, [ann, _], links) = two_accounts().await;
    verifies(&world, &links[1]).await.ok();
    ann.call(Method::DELETE, "/auth/me", &json!({ "password": format!("{PASSWORD} of ann") })).await.ok();
    assert_eq!(is_available(&world).await, json!(false));
    signs_in(&world, ADDRESS, "bob").await.ok();
}
