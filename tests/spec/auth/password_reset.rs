//! A forgotten password: the link that is mailed, and what it does.

use serde_json::json;
use tests::{Fault, PASSWORD, World};

use super::{login, mailed::forgets, mailed_token};

const HOUR: u64 = 60 * 60;

#[tokio::test]
async fn one_reset_ends_the_other_links_that_would_reset() {
    let world = World::new().await;
    world.person("ann").await;
    world.settle().await;
    let mut links = Vec::new();
    for _ in 0..3 {
        world.advance(1).await;
        forgets(&world, "ann").await;
        world.settle().await;
        links.push(mailed_token(&world, "ann"));
    }
    let reset = async |link: &str, password: &str| {
        let body = json!({ "token": link, "password": password });
        world.anyone.post("/auth/reset-password", body).await
    };
    reset(&links[1], "another battery").await.ok();
    for other in [&links[0], &links[2]] {
        let answer = reset(other, "a third battery").await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "token: is unknown, used or expired");
    }
    world.anyone.post("/auth/login", login("ann", "another battery")).await.ok();
    world.advance(HOUR).await;
    forgets(&world, "ann").await;
    world.settle().await;
    reset(&mailed_token(&world, "ann"), "a fourth battery").await.ok();
}

#[tokio::test]
async fn a_mailed_link_sets_a_new_password_once_and_ends_every_session() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let elsewhere = ann.signs_in().await;
    let bob = world.person("bob").await;
    // Queues keep no order: the mail of before is there first.
    world.settle().await;
    forgets(&world, "ann").await;
    world.settle().await;
    let mail = world.mail_to("ann").pop().unwrap();
    assert_eq!(mail.subject, "Choose a new password");
    let body = json!({ "token": mailed_token(&world, "ann"), "password": "another battery" });
    world.anyone.post("/auth/reset-password", body.clone()).await.ok();
    for dead in [&ann, &elsewhere] {
        dead.get("/auth/me").await.refused(401, "UNAUTHORIZED");
        dead.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    }
    bob.get("/auth/me").await.ok();
    world.anyone.post("/auth/login", login("ann", PASSWORD)).await.refused(401, "UNAUTHORIZED");
    world.anyone.post("/auth/login", login("ann", "another battery")).await.ok();
    let again = world.anyone.post("/auth/reset-password", body).await;
    assert_eq!(again.refused(400, "VALIDATION_FAILED"), "token: is unknown, used or expired");
}

#[tokio::test]
async fn a_link_for_a_new_password_works_for_an_hour() {
    let world = World::new().await;
    world.person("ann").await;
    forgets(&world, "ann").await;
    world.settle().await;
    world.advance(HOUR).await;
    let body = json!({ "token": mailed_token(&world, "ann"), "password": "another battery" });
    world.anyone.post("/auth/reset-password", body).await.refused(400, "VALIDATION_FAILED");
    world.anyone.post("/auth/login", login("ann", PASSWORD)).await.ok();
}

#[tokio::test]
async fn a_reset_that_fails_halfway_can_be_repeated() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    // Queues keep no order: the mail of before is there first.
    world.settle().await;
    forgets(&world, "ann").await;
    world.settle().await;
    let body = json!({ "token": mailed_token(&world, "ann"), "password": "another battery" });
    world.faults.plan("TransactWriteItems", Fault::Throttle, 0, u32::MAX);
    let failed = world.anyone.post("/auth/reset-password", body.clone()).await;
    failed.refused(429, "TOO_MANY_REQUESTS");
    assert_ne!(world.faults.calm(), 0);
    world.anyone.post("/auth/reset-password", body).await.ok();
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    world.anyone.post("/auth/login", login("ann", "another battery")).await.ok();
}

#[tokio::test]
async fn a_forgotten_password_tells_nobody_whether_there_is_an_account() {
    let world = World::new().await;
    world.person("ann").await;
    world.settle().await;
    let (known, of_known) = world.cost_of(forgets(&world, "ann")).await;
    let (unknown, of_unknown) = world.cost_of(forgets(&world, "bob")).await;
    assert_eq!((known, of_known), (unknown, of_unknown));
    world.settle().await;
    assert_eq!((world.mail_to("ann").len(), world.mail_to("bob").len()), (2, 0));
}

#[tokio::test]
async fn a_forgotten_password_whose_mail_no_queue_takes_at_first_is_mailed() {
    let world = World::new().await;
    world.person("ann").await;
    world.settle().await;
    forgets(&world, "ann").await;
    world.faults.plan("SendMessageBatch", Fault::Refused, 0, 3);
    world.settle().await;
    assert_eq!(world.faults.calm(), 3);
    assert_eq!(world.mail_to("ann").len(), 2);
}

#[tokio::test]
async fn any_reset_token_is_said_to_be_valid() {
    let world = World::new().await;
    for path in ["/auth/reset-password/validate?token=x", "/auth/reset-password/validate"] {
        assert_eq!(world.anyone.get(path).await.ok().data(), &json!({ "valid": true }));
    }
}
