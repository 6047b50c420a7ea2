//! Actions of the console's pages.

use tests::{Fault, World};

use super::{notice_after, opens, submits};
use crate::{
    stack::{mail_queue, queue},
    workers::put,
};

#[tokio::test]
async fn the_console_can_sign_in_as_any_user() {
    let (world, [ann]) = World::with(["ann"]).await;
    assert!(opens(&world.anyone, "/people?q=ann").await.text.contains("ann@example.com"));
    let page = submits(&world, &format!("/people/{}/sign-in", ann.id), "").await;
    assert_eq!((page.status, page.header("cache-control")), (200, Some("no-store")));
    assert!(page.text.contains("<h2>ann</h2>"), "{page}");
    let token = page.text.split("id=\"access-token\"").nth(1).unwrap();
    let token = token.split('>').nth(1).unwrap().split('<').next().unwrap();
    let me = world.anyone.with_token(token).get("/auth/me").await.ok();
    assert_eq!(me.data()["username"], "ann");
    assert!(!opens(&world.anyone, "/requests").await.text.contains(token));
    assert!(!opens(&world.anyone, "/logs").await.text.contains(token));
}

#[tokio::test]
async fn the_console_cannot_sign_in_as_an_unknown_user() {
    let world = World::new().await;
    for id in ["01KGB5T9G0A1B2C3D4E5F6G7H8", "nonsense"] {
        let refused = submits(&world, &format!("/people/{id}/sign-in"), "").await;
        assert_eq!(refused.status, 400, "{refused}");
        assert!(refused.text.contains("role=\"alert\""), "{refused}");
    }
}

#[tokio::test]
async fn the_console_can_return_dead_letters_to_their_queue() {
    let world = World::new().await;
    put(&world, "mail", r#"{"job":"unknown-job"}"#).await;
    world.faults.plan("SendMessage", Fault::Refused, 0, 100);
    world.stack.settle(None).await.unwrap();
    world.faults.calm();
    assert_eq!((mail_queue(&world).visible, mail_queue(&world).dead), (0, 1));
    let page = opens(&world.anyone, "/queues/mail").await.text;
    assert!(page.contains("unknown-job") && page.contains("Redrive"), "{page}");

    let done = submits(&world, "/queues/mail/redrive", "").await;
    assert_eq!(notice_after(&world, &done).await, "Dead letters moved back to mail: 1.");
    assert_eq!((mail_queue(&world).visible, mail_queue(&world).dead), (1, 0));
    let again = submits(&world, "/queues/mail/redrive", "").await;
    assert_eq!(notice_after(&world, &again).await, "Dead letters moved back to mail: 0.");
    for unknown in ["/queues/unknown/redrive", "/queues/mail-dead-letters/redrive"] {
        assert_eq!(submits(&world, unknown, "").await.status, 404);
    }
}

#[tokio::test]
async fn the_console_can_advance_the_clock() {
    let world = World::new().await;
    let moved = submits(&world, "/clock", "seconds=3600").await;
    let notice = notice_after(&world, &moved).await;
    assert_eq!(notice, "The clock moved by 3600 seconds, to 2026-01-01T01:00:00.000Z.");
    assert!(opens(&world.anyone, "/clock").await.text.contains("2026-01-01 01:00:00"));
    for wrong in ["seconds=-1", "seconds=1e12", "seconds=NaN", "seconds=soon", ""] {
        assert_eq!(submits(&world, "/clock", wrong).await.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn the_console_can_fire_a_schedule() {
    let world = World::new().await;
    let before = queue(&world, "circle-drain").visible;
    let fired = submits(&world, "/schedules/drain-hourly/fire", "").await;
    assert_eq!(notice_after(&world, &fired).await, "Fired drain-hourly.");
    assert!(queue(&world, "circle-drain").visible > before);
    assert_eq!(submits(&world, "/schedules/unknown/fire", "").await.status, 404);
}

#[tokio::test]
async fn the_console_can_deliver_all_queued_messages() {
    let world = World::new().await;
    world.person("ann").await;
    let done = submits(&world, "/settle", "").await;
    let notice = notice_after(&world, &done).await;
    assert!(notice.starts_with("Delivered: ") && notice.ends_with("Dead: 0."), "{notice}");
    assert_eq!(world.mail_to("ann").len(), 1);
}

#[tokio::test]
async fn a_link_in_a_captured_email_confirms_the_address() {
    let world = World::builder().real_time().without_ticks().console_links().start().await;
    let ann = world.registers("ann").await;
    world.stack.settle(None).await.unwrap();
    let page = opens(&world.anyone, "/mail").await.text;
    let link = page.split("href=\"").find(|part| part.contains("verify-email?token=")).unwrap();
    let link = link.split('"').next().unwrap();
    let (_, token) = link.split_once("?token=").unwrap();
    assert!(link.starts_with(world.stack.url()), "{link}");
    assert!(opens(&world.anyone, &format!("/verify-email?token={token}")).await.text.contains(token));
    assert_eq!(ann.get("/auth/me").await.ok().data()["isVerified"], false);

    let done = submits(&world, "/verify-email", &format!("token={token}")).await;
    assert_eq!(notice_after(&world, &done).await, "The address is confirmed.");
    assert_eq!(ann.get("/auth/me").await.ok().data()["isVerified"], true);
    let again = submits(&world, "/verify-email", &format!("token={token}")).await;
    assert_eq!(again.status, 400, "a link works once");
    let html = world.anyone.get("/_local/console/mail/0").await;
    assert!(html.header("content-security-policy").unwrap().contains("sandbox"), "{html}");
}
