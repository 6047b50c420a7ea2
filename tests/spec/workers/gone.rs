//! Jobs about rows that were deleted while their messages waited. Such jobs succeed and change nothing.

use serde_json::{Value, json};
use tests::World;

use super::put;

/// A valid ID without a row.
const GONE: &str = "01JGFJJZ00GGGGGGGGGGGGGGGG";
const AT: &str = "2026-01-01T00:00:00.000Z";
/// AWS calls that change the table.
const WRITES: [&str; 5] = ["BatchWriteItem", "DeleteItem", "PutItem", "TransactWriteItems", "UpdateItem"];

#[tokio::test]
async fn a_job_about_a_deleted_row_changes_nothing() {
    for (queue, job) in jobs() {
        let world = World::builder().without_ticks().start().await;
        put(&world, queue, &job.to_string()).await;
        let (_, cost) = world.cost_of(world.settle()).await;
        let written: Vec<_> = WRITES.iter().filter(|call| cost.operations.contains_key(**call)).collect();
        assert!(written.is_empty(), "{queue} {job}: {cost:?}");
    }
}

#[tokio::test]
async fn without_proposed_features_cpr_events_notify_no_member() {
    let world = World::builder().without_ticks().settings(&[("PROPOSED_FEATURES", "off")]).start().await;
    let started =
        json!({ "circleId": GONE, "sessionId": GONE, "postId": GONE, "targetComments": 3, "expiresAt": AT });
    let resolved = json!({ "circleId": GONE, "sessionId": GONE, "success": false, "createdAt": AT });
    for (name, detail) in [("CprStarted", started), ("CprResolved", resolved)] {
        put(&world, "notification-events", &event(name, &detail).to_string()).await;
    }
    let (_, cost) = world.cost_of(world.settle()).await;
    assert_eq!(cost.operations.get("Query"), None, "the worker must not read the members: {cost:?}");
}

/// Returns a job of each kind that refers to a row, with the name of its queue.
fn jobs() -> Vec<(&'static str, Value)> {
    let announcement = json!({ "id": GONE, "event": null, "subject": GONE, "at": AT });
    let evaluation = json!({ "job": "evaluation-report", "reportId": GONE, "targetId": GONE, "type": "POST",
        "content": "hello", "reason": "It is a threat.", "reporterId": GONE, "reportedUserId": GONE });
    vec![
        ("circle-judge", json!({ "job": "judge", "post": GONE })),
        ("housekeeping", json!({ "job": "notifyPollEnded", "post": GONE })),
        ("housekeeping", json!({ "job": "purgeCircle", "circle": GONE })),
        ("housekeeping", json!({ "job": "purgeGroup", "group": GONE })),
        ("leaving", json!({ "job": "erase", "user": GONE, "run": 1 })),
        ("leaving", json!({ "job": "export", "user": GONE, "export": GONE })),
        ("leaving", json!({ "job": "withdraw", "user": GONE, "run": 1 })),
        ("liked-add", json!({ "job": "voted", "user": GONE, "post": GONE })),
        ("liked-remove", json!({ "job": "removed", "user": GONE, "post": GONE })),
        ("mail", json!({ "kind": "VERIFY", "user": GONE, "nonce": "00".repeat(32) })),
        ("mail", json!({ "user": GONE, "notice": GONE })),
        ("media", json!({ "job": "expire", "upload": GONE })),
        ("media", json!({ "job": "release", "upload": GONE, "post": GONE })),
        ("media", json!({ "job": "show", "upload": GONE })),
        ("media", json!({ "Records": [{ "s3": { "object": { "key": "incoming/unknown" } } }] })),
        ("notification-events", event("CircleCommented", &json!({ "commentId": GONE, "createdAt": AT }))),
        ("outbound", json!({ "job": "preview", "post": GONE })),
        ("outbound", json!({ "job": "previewInCircle", "post": GONE })),
        ("webhook", json!({ "job": "retryDelivery", "webhook": GONE, "announcement": GONE })),
        ("webhook", json!({ "job": "testWebhook", "webhook": GONE, "announcement": announcement })),
        ("web-push", json!({ "job": "webPush", "recipient": GONE, "notification": GONE, "at": AT })),
        (
            "realtime",
            event("FriendAccepted", &json!({ "senderId": GONE, "receiverId": GONE, "createdAt": AT })),
        ),
        ("realtime", event("MemberJoined", &json!({ "groupId": GONE, "userId": GONE }))),
        (
            "realtime",
            event("MessageEdited", &json!({ "messageId": GONE, "groupId": GONE, "senderId": GONE })),
        ),
        ("realtime", event("NotificationNew", &json!({ "recipientId": GONE, "notificationId": GONE }))),
        ("report-evaluation", evaluation),
        ("search-index", json!({ "job": "post", "post": GONE })),
        ("search-index", json!({ "job": "user", "user": GONE })),
        ("timeline", json!({ "job": "backFill", "reader": GONE, "author": GONE })),
        ("timeline", json!({ "job": "fanOut", "post": GONE, "author": GONE })),
        ("timeline", json!({ "job": "markFollows", "author": GONE })),
    ]
}

/// Returns an event in the form in which EventBridge delivers it to a queue.
fn event(name: &str, detail: &Value) -> Value {
    json!({ "id": "1", "detail-type": name, "detail": detail })
}
