//! Removal of a second factor that its owner lost, or that an attacker set up.

use domain::{
    accounts,
    jobs::Chore,
    people::users::{self, Role},
};
use platform::{outbox::outbox_record_write, table::Write};
use serde_json::json;
use tests::{Answer, PASSWORD, Person, World};

use super::{enrolled, enrolls, opens, turns_off};
use crate::{
    admin::administrator,
    auth::{password::subjects, reset_token},
};

const DAY: u64 = 24 * 60 * 60;
const NEW: &str = "another horse battery";
const REMINDER: &str = "Your second factor will be removed";

/// Advances the clock, runs the work that is due, and delivers all messages.
pub(crate) async fn later(world: &World, seconds: u64) {
    world.settle().await;
    world.advance(seconds).await;
    let app = world.app();
    app.table.write(outbox_record_write(&app).then(&Chore::Minute)).await.unwrap();
    world.settle().await;
}

/// Resets the password of `name` by email, and asks to remove the second factor.
async fn resets(world: &World, name: &str) -> Answer {
    world.settle().await;
    let token = reset_token(world, name).await;
    let body = json!({ "token": token, "password": NEW, "removeSecondFactor": true });
    world.anyone.post("/auth/reset-password", body).await
}

/// Returns the number of emails to ann with this subject.
fn mails_about(world: &World, subject: &str) -> usize {
    subjects(world, "ann").iter().filter(|sent| *sent == subject).count()
}

fn reminders(world: &World) -> usize {
    mails_about(world, REMINDER)
}

#[tokio::test]
async fn a_reset_removes_the_second_factor_after_72_hours() {
    let (world, ..) = enrolled(World::builder().without_ticks()).await;
    resets(&world, "ann").await.ok();
    for reminded in 1..=3 {
        world.settle().await;
        assert_eq!(reminders(&world), reminded);
        opens(&world.anyone, "ann", NEW, None).await.refused(401, "SECOND_FACTOR_REQUIRED");
        later(&world, DAY).await;
    }
    assert_eq!(reminders(&world), 3);
    let mut mails = world.mail_to("ann").into_iter().filter(|mail| mail.subject == REMINDER);
    assert!(mails.all(|mail| mail.text.contains("Change the password of your mailbox.")));
    let ann = opens(&world.anyone, "ann", NEW, None).await.ok();
    assert_eq!(subjects(&world, "ann").last().unwrap(), "Your second factor is off");
    let ann = world.anyone.with_token(ann.data()["accessToken"].as_str().unwrap());
    assert_eq!(ann.get("/auth/me").await.ok().data()["hasSecondFactor"], false);
    later(&world, DAY).await;
    assert_eq!(reminders(&world), 3);
}

#[tokio::test]
async fn a_correct_code_cancels_the_removal_of_a_second_factor() {
    let (world, _, _, codes) = enrolled(World::builder().without_ticks()).await;
    resets(&world, "ann").await.ok();
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
async fn a_pending_removal_does_not_affect_a_newer_second_factor() {
    let (world, _, _, codes) = enrolled(World::builder().without_ticks()).await;
    resets(&world, "ann").await.ok();
    world.advance(1).await;
    let grant = opens(&world.anyone, "ann", NEW, Some(&codes[0])).await.ok();
    let ann = Person::of_tokens(&world.anyone, "ann", grant.data());
    turns_off(&ann, NEW, &codes[1]).await.ok();
    enrolls(&world, &ann).await;
    for _ in 0..4 {
        later(&world, DAY).await;
    }
    opens(&world.anyone, "ann", NEW, None).await.refused(401, "SECOND_FACTOR_REQUIRED");
    assert_eq!(reminders(&world), 1);
}

#[tokio::test]
async fn a_new_email_address_cannot_remove_the_second_factor() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    enrolls(&world, &ann).await;
    let (app, user) = (world.app(), users::key(ann.id.parse().unwrap()));
    app.table.write(Write::update(user).set("emailSetAt", app.now())).await.unwrap();
    world.advance(1).await;
    resets(&world, "ann").await.refused(400, "VALIDATION_FAILED");
    world.advance(7 * DAY).await;
    resets(&world, "ann").await.ok();
}

#[tokio::test]
async fn only_a_confirmed_address_can_remove_the_second_factor() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    enrolls(&world, &ann).await;
    let user = users::key(ann.id.parse().unwrap());
    world.app().table.write(Write::update(user).remove("verifiedAt")).await.unwrap();
    let refused = resets(&world, "ann").await;
    let message = "removeSecondFactor: requires an address confirmed at least 7 days ago";
    assert_eq!(refused.refused(400, "VALIDATION_FAILED"), message);
    world.person("bob").await;
    resets(&world, "bob").await.ok();
}

#[tokio::test]
async fn fifty_wrong_codes_lock_the_authenticator() {
    let (world, _, authenticator, codes) = enrolled(World::builder().without_ticks()).await;
    let wrong = async || opens(&world.anyone, "ann", PASSWORD, Some("000000")).await;
    let warnings = || mails_about(&world, "Someone entered wrong codes");
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
    let message = refused.refused(403, "FORBIDDEN");
    assert!(message.starts_with("there were too many wrong codes. Use a recovery code"), "{message}");
    // A sign-in with a recovery code unlocks the authenticator.
    opens(&world.anyone, "ann", PASSWORD, Some(&codes[1])).await.ok();
    world.advance(60 * 60).await;
    opens(&world.anyone, "ann", PASSWORD, Some(&authenticator.code(&world))).await.ok();
}

#[tokio::test]
async fn an_operator_can_remove_a_second_factor() {
    let world = World::new().await;
    let boss = administrator(&world, "boss", Role::SuperAdmin).await;
    let ann = world.person("ann").await;
    enrolls(&world, &ann).await;
    let (app, email) = (world.app(), ann.email.clone().try_into().unwrap());
    assert!(accounts::remove_second_factor(&app, &email).await.unwrap());
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    opens(&world.anyone, "ann", PASSWORD, None).await.ok();
    let logged = boss.get("/admin/audit").await.ok();
    let entry = &logged.rows()[0];
    let fields = json!([entry["action"], entry["adminId"], entry["targetId"]]);
    assert_eq!(fields, json!(["REMOVE_SECOND_FACTOR", null, ann.public_id]));
    assert!(!accounts::remove_second_factor(&app, &email).await.unwrap());
}
