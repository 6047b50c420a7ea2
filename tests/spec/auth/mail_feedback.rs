//! Bounces, complaints and refusals of emails. The local SES reports them for certain addresses.

use domain::{accounts, people::users::Role};
use serde_json::{Value, json};
use tests::{PASSWORD, Person, World};

use super::{form_with, mailed_token};
use crate::{
    logs::{lines, listen},
    workers::{purge, put},
};

const MINUTES: u64 = 60;

/// Starts a world, registers `ann` with this address, and delivers the first email.
async fn start(address: &str) -> (World, Person) {
    let world = World::builder().without_ticks().start().await;
    let pair = world.anyone.post("/auth/register", form_with("ann", "email", address)).await.ok();
    world.settle().await;
    let ann = Person::of_tokens(&world.anyone, "ann", pair.data());
    (world, ann)
}

async fn email_status(world: &World, user: &Person) -> Value {
    world.advance(31).await;
    user.get("/auth/me").await.ok().data()["emailStatus"].clone()
}

/// Returns the number of emails to an address.
fn emails(world: &World, address: &str) -> usize {
    world.stack.mail().iter().filter(|mail| mail.to == address).count()
}

#[tokio::test]
async fn an_address_that_bounced_or_complained_gets_no_more_emails() {
    for (address, status) in [
        ("ann@bounce.example", "BOUNCED"),
        ("bounce+ann@simulator.amazonses.com", "BOUNCED"),
        ("ann@complaint.example", "COMPLAINED"),
    ] {
        let (world, ann) = start(address).await;
        assert_eq!((email_status(&world, &ann).await, emails(&world, address)), (json!(status), 1));
        let page = world.anyone.get("/_local/console/people").await.text;
        let shown = if status == "BOUNCED" { "emails bounce" } else { "complained about an email" };
        assert!(page.contains(shown), "{page}");
        world.anyone.post("/auth/forgot-password", json!({ "email": address })).await.ok();
        world.settle().await;
        assert_eq!(emails(&world, address), 1, "{address}");
        ann.post("/auth/email", json!({ "password": PASSWORD, "email": "ann@example.com" })).await.ok();
        world.settle().await;
        let token = mailed_token(&world, "ann");
        world.anyone.post("/auth/email/confirm", json!({ "token": token })).await.ok();
        assert_eq!(email_status(&world, &ann).await, json!("OK"));
    }
}

#[tokio::test]
async fn a_transient_bounce_or_unknown_address_changes_nothing() {
    let (world, ann) = start("ann@example.com").await;
    for (kind, address) in [("Transient", "ann@example.com"), ("Permanent", "unknown@example.com")] {
        let bounce = json!({ "bounceType": kind, "bouncedRecipients": [{ "emailAddress": address }] });
        let event = json!({ "version": "0", "detail-type": "Email Bounced", "source": "aws.ses",
            "detail": { "eventType": "Bounce", "bounce": bounce, "mail": {} } });
        put(&world, "mail", &event.to_string()).await;
        world.settle().await;
    }
    assert_eq!(email_status(&world, &ann).await, json!("OK"));
}

#[tokio::test]
async fn a_refused_address_causes_no_dead_letter() {
    listen();
    for (address, error) in
        [("refused@example.com", "BadRequestException"), ("unverified@example.com", "MessageRejected")]
    {
        let (world, ann) = start(address).await;
        assert_eq!(email_status(&world, &ann).await, json!("BOUNCED"), "{address}");
        assert_eq!(emails(&world, address), 0);
        let of_ann: Vec<_> = lines().iter().filter(|line| line["user"] == ann.id).cloned().collect();
        assert!(of_ann.iter().any(|line| line["error"] == error), "{of_ann:?}");
    }
}

#[tokio::test]
async fn an_address_that_an_operator_confirms_gets_emails_again() {
    let (world, ann) = start("unverified@example.com").await;
    let address = "unverified@example.com".to_owned().try_into().unwrap();
    accounts::appoint(&world.app(), &address, Role::SuperAdmin, true).await.unwrap();
    assert_eq!(email_status(&world, &ann.signs_in().await).await, json!("OK"));
}

#[tokio::test]
async fn an_unverified_sender_causes_a_dead_letter() {
    let settings = &[("MAIL_FROM", "unverified@example.com")];
    let world = World::builder().without_ticks().settings(settings).start().await;
    let ann = world.registers("ann").await;
    let dead = world.stack.settle(None).await.unwrap().dead;
    purge(&world, "mail-dead-letters").await;
    assert_eq!(dead, 1);
    assert_eq!(email_status(&world, &ann).await, json!("OK"));
}

#[tokio::test]
async fn the_log_line_of_a_postponed_email_has_the_error_of_ses() {
    listen();
    let (_world, _) = start("limited@example.com").await;
    let is_postponed = |line: &&Value| line["message"] == "email postponed: a limit of SES is reached";
    let postponed: Vec<_> = lines().iter().filter(is_postponed).cloned().collect();
    assert!(!postponed.is_empty());
    assert!(postponed.iter().all(|line| line["error"] == "TooManyRequestsException"), "{postponed:?}");
}

#[tokio::test]
async fn every_email_has_a_plain_text_part() {
    let (world, ann) = start("ann@example.com").await;
    ann.post("/auth/email", json!({ "password": PASSWORD, "email": "new@example.com" })).await.ok();
    world.anyone.post("/auth/forgot-password", json!({ "email": "ann@example.com" })).await.ok();
    world.settle().await;
    let mails = world.stack.mail();
    assert!(mails.len() >= 4, "{mails:?}");
    assert!(mails.iter().all(|mail| !mail.text.is_empty() && !mail.html.is_empty()), "{mails:?}");
}

#[tokio::test]
async fn an_email_over_the_ses_limit_waits_until_its_link_expires() {
    let (world, ann) = start("limited@example.com").await;
    let waiting = async || {
        world.advance(15 * MINUTES).await;
        let (report, cost) = world.cost_of(world.stack.settle(None)).await;
        assert_eq!((report.unwrap().failed, emails(&world, "limited@example.com")), (0, 0));
        cost.operations.contains_key("SendMessage")
    };
    for _ in 0..3 {
        assert!(waiting().await, "the email is postponed");
    }
    world.advance(24 * 60 * MINUTES).await;
    waiting().await;
    assert!(!waiting().await, "the link has expired");
    assert_eq!(ann.signs_in().await.get("/auth/me").await.ok().data()["emailStatus"], json!("OK"));
}
