//! Removal of a second factor whose owner lost it, or that a thief set up.

use domain::{accounts, jobs::Chore};
use platform::outbox::outbox_record_write;
use serde_json::{Value, json};
use tests::{Answer, PASSWORD, World};

use super::{enrolls, opens};
use crate::auth::{mailed_token, password::subjects};

const DAY: u64 = 24 * 60 * 60;
const NEW: &str = "another horse battery";
const ENDS: &str = "Your second factor will be removed";

/// Lets time pass and runs the work that is due.
async fn later(world: &World, seconds: u64) {
    world.settle().await;
    world.advance(seconds).await;
    let app = world.app();
    app.table.write(outbox_record_write(&app).then(&Chore::Minute)).await.unwrap();
    world.settle().await;
}

/// Resets the password of ann by email, and asks to remove the second factor.
async fn resets(world: &World) -> Answer {
    world.settle().await;
    world.anyone.post("/auth/forgot-password", json!({ "email": "ann@example.com" })).await.ok();
    world.settle().await;
    let body = json!({ "token": mailed_token(world, "ann"), "password": NEW, "removeSecondFactor": true });
    world.anyone.post("/auth/reset-password", body).await
}

fn reminders(world: &World) -> usize {
    subjects(world, "ann").iter().filter(|it| *it == ENDS).count()
}

#[tokio::test]
async fn a_reset_removes_the_second_factor_after_72_hours() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let (_, codes) = enrolls(&world, &ann).await;
    resets(&world).await.ok();
    for reminded in 1..=3 {
        world.settle().await;
        assert_eq!(reminders(&world), reminded);
        opens(&world.anyone, "ann", NEW, None).await.refused(401, "SECOND_FACTOR_REQUIRED");
        later(&world, DAY).await;
    }
    assert_eq!(reminders(&world), 3);
    let ann = opens(&world.anyone, "ann", NEW, None).await.ok();
    assert_eq!(subjects(&world, "ann").last().unwrap(), "Your second factor is off");
    let ann = world.anyone.with_token(ann.data()["accessToken"].as_str().unwrap());
    assert_eq!(ann.get("/auth/me").await.ok().data()["hasSecondFactor"], false);
    later(&world, DAY).await;
    assert_eq!(reminders(&world), 3);
    assert!(!codes.is_empty());
}

#[tokio::test]
async fn a_right_code_stops_the_removal() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let (_, codes) = enrolls(&world, &ann).await;
    resets(&world).await.ok();
    later(&world, DAY).await;
    opens(&world.anyone, "ann", NEW, Some("000000")).await.refused(401, "UNAUTHORIZED");
    opens(&world.anyone, "ann", NEW, Some(&codes[0])).await.ok();
    for _ in 0..3 {
        later(&world, DAY).await;
    }
    opens(&world.anyone, "ann", NEW, None).await.refused(401, "SECOND_FACTOR_REQUIRED");
    assert_eq!(reminders(&world), 2);
}

#[tokio::test]
async fn a_new_second_factor_is_not_removed() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let (_, codes) = enrolls(&world, &ann).await;
    resets(&world).await.ok();
    world.advance(1).await;
    let grant = opens(&world.anyone, "ann", NEW, Some(&codes[0])).await.ok();
    let ann = tests::Person::of_tokens(&world.anyone, "ann", grant.data());
    let body = json!({ "password": NEW, "code": codes[1] });
    tests::send(ann.request(reqwest::Method::DELETE, "/auth/totp").json(&body)).await.ok();
    enrolls(&world, &ann).await;
    for _ in 0..4 {
        later(&world, DAY).await;
    }
    opens(&world.anyone, "ann", NEW, None).await.refused(401, "SECOND_FACTOR_REQUIRED");
    assert_eq!(reminders(&world), 1);
}

#[tokio::test]
async fn a_new_address_cannot_remove_the_second_factor() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    enrolls(&world, &ann).await;
    let app = world.app();
    let user = domain::people::users::key(ann.id.parse().unwrap());
    app.table.write(platform::table::Write::update(user).set("emailSetAt", app.now())).await.unwrap();
    world.advance(1).await;
    resets(&world).await.refused(400, "VALIDATION_FAILED");
    world.advance(7 * DAY).await;
    resets(&world).await.ok();
}

#[tokio::test]
async fn only_a_confirmed_address_removes_the_second_factor() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    enrolls(&world, &ann).await;
    let app = world.app();
    let user = domain::people::users::key(ann.id.parse().unwrap());
    app.table.write(platform::table::Write::update(user).remove("verifiedAt")).await.unwrap();
    let refused = resets(&world).await;
    let message = "removeSecondFactor: requires an address confirmed at least 7 days ago";
    assert_eq!(refused.refused(400, "VALIDATION_FAILED"), message);
    world.person("bob").await;
    world.settle().await;
    world.anyone.post("/auth/forgot-password", json!({ "email": "bob@example.com" })).await.ok();
    world.settle().await;
    let body = json!({ "token": mailed_token(&world, "bob"), "password": NEW, "removeSecondFactor": true });
    world.anyone.post("/auth/reset-password", body).await.ok();
}

#[tokio::test]
async fn fifty_wrong_codes_lock_the_authenticator() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let (authenticator, codes) = enrolls(&world, &ann).await;
    let wrong = async || opens(&world.anyone, "ann", PASSWORD, Some("000000")).await;
    let warnings =
        || subjects(&world, "ann").iter().filter(|it| *it == "Someone entered wrong codes").count();
    for _ in 0..4 {
        wrong().await.refused(401, "UNAUTHORIZED");
    }
    world.settle().await;
    assert_eq!(warnings(), 0);
    wrong().await.refused(401, "UNAUTHORIZED");
    world.settle().await;
    assert_eq!(warnings(), 1);
    opens(&world.anyone, "ann", PASSWORD, Some(&codes[0])).await.ok();
    for _ in 0..5 {
        world.advance(60 * 60).await;
        for _ in 0..10 {
            wrong().await.refused(401, "UNAUTHORIZED");
        }
    }
    world.advance(60 * 60).await;
    let refused = opens(&world.anyone, "ann", PASSWORD, Some(&authenticator.code(&world))).await;
    assert!(
        refused.refused(403, "FORBIDDEN").starts_with("there were too many wrong codes. Use a recovery code")
    );
    // A recovery code works, and makes the authenticator work again.
    opens(&world.anyone, "ann", PASSWORD, Some(&codes[1])).await.ok();
    world.advance(60 * 60).await;
    opens(&world.anyone, "ann", PASSWORD, Some(&authenticator.code(&world))).await.ok();
}

#[tokio::test]
async fn an_operator_can_remove_a_second_factor() {
    let world = World::new().await;
    let boss = crate::admin::administrator(&world, "boss", domain::people::users::Role::SuperAdmin).await;
    let ann = world.person("ann").await;
    enrolls(&world, &ann).await;
    let (app, email) = (world.app(), ann.email.clone().try_into().unwrap());
    assert!(accounts::remove_second_factor(&app, &email).await.unwrap());
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    opens(&world.anyone, "ann", PASSWORD, None).await.ok();
    let logged = boss.get("/admin/audit").await.ok();
    let entry = &logged.rows()[0];
    assert_eq!(
        (&entry["action"], &entry["adminId"], &entry["targetId"]),
        (&json!("REMOVE_SECOND_FACTOR"), &Value::Null, &json!(ann.public_id))
    );
    assert!(!accounts::remove_second_factor(&app, &email).await.unwrap());
}
