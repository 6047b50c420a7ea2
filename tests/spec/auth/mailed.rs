//! Emails: their limits, their content, and the link that confirms an address.

use serde_json::{Value, json};
use tests::{Answer, Fault, PASSWORD, World};

use super::{
    form, form_with, login, mailed_token, password::subjects, reset_token, token_in, world_with_ann,
};
use crate::scale::all_rows;

const HOUR: u64 = 60 * 60;

pub(super) async fn requests_reset(world: &World, name: &str) -> Value {
    let body = json!({ "email": format!("{name}@example.com") });
    world.anyone.post("/auth/forgot-password", body).await.ok().body
}

/// Confirms an address with the token of a link.
pub(super) async fn verifies(world: &World, token: &str) -> Answer {
    world.anyone.post("/auth/verify-email", json!({ "token": token })).await
}

#[tokio::test]
async fn a_mailed_link_confirms_the_address_once() {
    let world = World::new().await;
    let ann = world.registers("ann").await;
    world.settle().await;
    let token = mailed_token(&world, "ann");
    assert_eq!(verifies(&world, &token).await.ok().data(), &json!({ "verified": true }));
    let me = ann.get("/auth/me").await.ok();
    assert_eq!(json!([me.data()["isVerified"], me.data()["verifiedAt"].is_string()]), json!([true, true]));
    let again = verifies(&world, &token).await;
    assert_eq!(again.refused(400, "VALIDATION_FAILED"), "token: is unknown, used or expired");
}

#[tokio::test]
async fn a_confirmation_link_expires_after_24_hours() {
    let world = World::new().await;
    futures::join!(world.registers("ann"), world.registers("bob"));
    world.settle().await;
    let tokens = ["ann", "bob"].map(|name| mailed_token(&world, name));
    world.advance(24 * HOUR - 1).await;
    verifies(&world, &tokens[0]).await.ok();
    world.advance(1).await;
    verifies(&world, &tokens[1]).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_confirmation_link_can_be_mailed_again_until_used() {
    let world = World::new().await;
    let ann = world.registers("ann").await;
    world.settle().await;
    let first = mailed_token(&world, "ann");
    let answer = ann.post("/auth/resend-verify-email", Value::Null).await.ok();
    assert_eq!(answer.data(), &json!({ "sent": true }));
    world.settle().await;
    assert_eq!(world.mail_to("ann").len(), 2);
    let second = mailed_token(&world, "ann");
    for token in [second, first] {
        verifies(&world, &token).await.ok();
        verifies(&world, &token).await.refused(400, "VALIDATION_FAILED");
    }
    let (answer, cost) = world.cost_of(ann.post("/auth/resend-verify-email", Value::Null)).await;
    assert_eq!((answer.ok().data(), cost.messages), (&json!({ "sent": false }), 0));
}

#[tokio::test]
async fn an_email_is_sent_once_if_its_message_is_duplicated() {
    let names = ["ann", "bob", "cid"];
    let (world, _) = World::with(names).await;
    for seed in 0..3 {
        world.settle_as(seed).await;
    }
    assert_eq!(names.map(|name| world.mail_to(name).len()), [1, 1, 1]);
}

#[tokio::test]
async fn an_email_is_sent_again_if_sending_was_not_recorded() {
    let (world, _) = World::with(["ann"]).await;
    // The first two updates count the email toward the hourly and the daily limit. The third records that it was sent.
    world.faults.plan("UpdateItem", Fault::Crash, 2, 1);
    world.settle().await;
    assert_eq!((world.faults.calm(), world.mail_to("ann").len()), (1, 2));
}

#[tokio::test]
async fn emails_refused_by_the_queue_are_sent_later_and_once() {
    let world = World::new().await;
    world.anyone.post_once("key", "/auth/register", form("ann")).await.ok();
    requests_reset(&world, "ann").await;
    world.faults.plan("SendMessageBatch", Fault::Refused, 0, 3);
    world.settle().await;
    assert_eq!((world.faults.calm(), world.mail_to("ann").len()), (3, 2));
    world.anyone.post_once("key", "/auth/register", form("ann")).await.ok();
    world.settle().await;
    let mut sent = subjects(&world, "ann");
    sent.sort_unstable();
    assert_eq!(sent, ["Choose a new password", "Confirm your email address"]);
}

#[tokio::test]
async fn an_email_to_an_unconfirmed_address_has_no_user_text() {
    let world = World::new().await;
    let mut wanted = form_with("ann", "name", "Win at evil.example");
    wanted["username"] = json!("winner");
    world.anyone.post("/auth/register", wanted).await.ok();
    requests_reset(&world, "ann").await;
    world.settle().await;
    let mails = world.mail_to("ann");
    assert_eq!(mails.len(), 2);
    for mail in mails {
        let content = format!("{} {} {}", mail.subject, mail.text, mail.html);
        assert!(!content.contains("evil") && !content.contains("winner"), "{content}");
        assert!(mail.text.starts_with("Hello,") && mail.html.contains("<p>Hello,</p>"), "{content}");
    }
}

#[tokio::test]
async fn a_recipient_gets_3_emails_of_a_kind_an_hour_and_10_a_day() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.registers("ann").await;
    let of = |subject: &str| world.mail_to("ann").iter().filter(|mail| mail.subject == subject).count();
    for _ in 0..4 {
        ann.post("/auth/resend-verify-email", Value::Null).await.ok();
    }
    world.settle().await;
    assert_eq!(of("Confirm your email address"), 3);
    for hour in 1..=5 {
        for _ in 0..4 {
            assert_eq!(requests_reset(&world, "ann").await["success"], true);
        }
        world.settle().await;
        assert_eq!(of("Choose a new password"), (3 * hour).min(10));
        world.advance(HOUR).await;
    }
    world.advance(20 * HOUR).await;
    requests_reset(&world, "ann").await;
    world.settle().await;
    assert_eq!(of("Choose a new password"), 11);
}

#[tokio::test]
async fn an_email_has_text_and_html_parts_and_escapes_names() {
    let world = World::builder().settings(&[("APP_URL", "https://social.example/")]).start().await;
    world.anyone.post("/auth/register", form_with("ann", "name", "<b>Ann</b> & co")).await.ok();
    world.settle().await;
    verifies(&world, &mailed_token(&world, "ann")).await.ok();
    let token = reset_token(&world, "ann").await;
    let mail = world.mail_to("ann").pop().unwrap();
    assert_eq!((mail.to.as_str(), mail.subject.as_str()), ("ann@example.com", "Choose a new password"));
    let link = format!("https://social.example/reset-password?token={token}");
    assert!(mail.text.contains("<b>Ann</b> & co") && mail.text.contains(&link), "{}", mail.text);
    assert!(mail.html.contains("&lt;b&gt;Ann&lt;&#x2f;b&gt; &amp; co"), "{}", mail.html);
    assert!(mail.html.contains(&format!("href=\"{link}\"")), "{}", mail.html);
}

#[tokio::test]
async fn a_mailed_link_works_only_for_its_purpose() {
    let (world, _ann) = world_with_ann().await;
    let body = json!({ "token": mailed_token(&world, "ann"), "password": "another battery" });
    world.anyone.post("/auth/reset-password", body).await.refused(400, "VALIDATION_FAILED");
    let reset = reset_token(&world, "ann").await;
    verifies(&world, &reset).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn no_password_or_token_is_stored_or_queued() {
    let world = World::new().await;
    let answer = world.anyone.post_once("key", "/auth/register", form("ann")).await.ok();
    let ann = world.anyone.post("/auth/login", login("ann", PASSWORD)).await.ok();
    requests_reset(&world, "ann").await;
    // Emails wait in outbox rows until the relay sends them to the queue.
    let before = all_rows(&world).await;
    let mut secrets = vec![PASSWORD.to_owned()];
    for pair in [answer.data(), ann.data()] {
        secrets.extend(["accessToken", "refreshToken"].map(|field| pair[field].as_str().unwrap().to_owned()));
    }
    world.settle().await;
    let mails = world.mail_to("ann");
    secrets.extend(mails.iter().map(token_in));
    let stored = format!("{before:?} {:?}", all_rows(&world).await);
    let is_complete = stored.contains("ann@example.com") && stored.contains("nonce");
    assert!(is_complete, "the scan returns the rows and outboxes");
    for secret in secrets {
        assert!(!stored.contains(&secret), "{secret} is stored");
    }
}
