//! Without a push provider, events are dropped and subscriptions are refused.

use serde_json::json;
use tests::{Settings, World};

use super::subscribes;
use crate::{stack::queue, workers::put};

const NO_PROVIDER: Settings<'static> = &[("PUSHER_HOST", "")];

#[tokio::test]
async fn pushes_are_not_queued_without_a_provider() {
    let (world, [ann, _bob]) = World::builder().settings(NO_PROVIDER).start_with(["ann", "bob"]).await;
    ann.post("/user/bob/friend-request", json!(null)).await.ok();
    let queue = queue(&world, "realtime");
    assert_eq!((queue.visible, queue.in_flight, queue.dead), (0, 0, 0));
    world.settle().await;
}

#[tokio::test]
async fn queued_pushes_are_dropped_without_a_provider() {
    let world = World::builder().settings(NO_PROVIDER).start().await;
    let event = json!({ "id": "1", "source": "social", "detail-type": "FriendRequested", "detail": {} });
    put(&world, "realtime", &event.to_string()).await;
    let (report, cost) = world.cost_of(world.settle()).await;
    assert!(report.delivered > 0, "{report:?}");
    assert_eq!(cost.calls, 0, "{cost:?}");
}

#[tokio::test]
async fn realtime_subscriptions_fail_without_a_provider() {
    let (world, [ann]) = World::builder().settings(NO_PROVIDER).start_with(["ann"]).await;
    for channel in [format!("private-user-{}", ann.id), "private-user-x".to_owned()] {
        let answer = subscribes(&ann, &channel).await;
        assert_eq!(answer.refused(404, "NOT_FOUND"), "no such push provider");
    }
    let answer = ann.post("/pusher/user-auth", json!({ "socket_id": super::SOCKET })).await;
    assert_eq!(answer.refused(404, "NOT_FOUND"), "no such push provider");
    world.anyone.post("/pusher/auth", json!({})).await.refused(401, "UNAUTHORIZED");
}
