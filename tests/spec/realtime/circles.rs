//! Former members of a circle lose their subscriptions.

use reqwest::Method;
use serde_json::Value;
use tests::{Person, World, send};

use super::listener::Listener;
use crate::circles::{Circle, creates_circle, joins};

async fn departs(ann: &Person, bob: &Person, circle: &Circle, way: &str) {
    let member = circle.path(&format!("/members/{}", bob.id));
    match way {
        "leaves" => drop(bob.post(&circle.path("/leave"), Value::Null).await.ok()),
        "is removed" => drop(ann.delete(&member).await.ok()),
        _ => drop(send(ann.request(Method::POST, &format!("{member}/ban"))).await.ok()),
    }
}

#[tokio::test]
async fn leaving_a_circle_closes_the_users_realtime_connections() {
    for way in ["leaves", "is removed", "is banned"] {
        let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
        let circle = creates_circle(&ann, "Night readers").await;
        for user in [&bob, &cleo] {
            joins(user, &circle, &ann).await;
        }
        world.settle().await;
        let channel = format!("presence-circle-{}", circle.id);
        let mut former = Listener::of(&world, &bob, &channel).await;
        former.signs_in(&bob).await;
        let mut other = Listener::of(&world, &cleo, &channel).await;
        other.signs_in(&cleo).await;
        departs(&ann, &bob, &circle, way).await;
        world.stack.settle(None).await.unwrap();
        former.is_ended().await;
        other.received_with_id(&channel, "pusher_internal:member_removed").await;
        other.received_nothing().await;
        let again = Listener::connects(&world).await;
        again.asks(&bob, &channel).await.refused(403, "FORBIDDEN");
    }
}
