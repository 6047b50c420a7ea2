//! Batches of pushes: the number of calls to the provider, and the isolation of failures.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use super::{
    listener::{Listener, user_channel},
    provider::{Call, Provider, Publication},
};
use crate::{
    messages::{id, makes, says},
    setup::crowd,
    stack::queue,
    workers::put,
};

/// Maximum number of events in a batch of messages, and in a call to the provider.
const BATCH: usize = 10;
const MEMBERS: usize = 90;
/// Number of group chat members whose pushes need two calls, because a call has at most ten events.
const FEW_MEMBERS: usize = 12;
const OVERSIZED_BYTES: usize = 11 * 1024;

#[tokio::test]
async fn ten_events_are_pushed_in_one_call_to_the_provider() {
    let provider = Provider::starts().await;
    let world = provider.world().await;
    let ids = flushes(&world, |number| number.to_string()).await;
    world.stack.settle(None).await.unwrap();
    let calls = provider.calls();
    assert_eq!(calls.len(), 1, "too many calls to the provider: {calls:?}");
    assert_eq!(deliveries(&calls), ids.iter().map(|id| ("notifications", id, 1)).map(counted).collect());
}

#[tokio::test]
async fn ten_messages_in_a_private_chat_are_pushed_in_three_calls() {
    let provider = Provider::starts().await;
    let world = provider.world().await;
    let (group, [ann, bob]) = ten_messages(&world).await;
    world.stack.settle(None).await.unwrap();
    let calls = provider.calls();
    assert_eq!(calls.len(), 3, "too many calls to the provider: {calls:?}");
    let deliveries = deliveries(&calls);
    for channel in
        [format!("private-user-{ann}"), format!("private-user-{bob}"), format!("private-chat-{group}")]
    {
        let count = deliveries.keys().filter(|publication| publication.channel == channel).count();
        assert_eq!(count, BATCH, "{channel}");
    }
    assert!(deliveries.values().all(|times| *times == 1), "{deliveries:?}");
}

#[tokio::test]
async fn a_failed_call_to_the_provider_repeats_only_its_own_pushes() {
    for status in [500, 429, 401] {
        let provider = Provider::answers(move |number, _| if number == 1 { status } else { 200 }).await;
        let world = provider.world().await;
        ten_messages(&world).await;
        let report = world.stack.settle(None).await.unwrap();
        let calls = provider.calls();
        let failed: Vec<_> = calls.iter().filter(|call| call.status == status).collect();
        assert_eq!(failed.len(), 1, "after {status}, the call must not be repeated at once: {calls:?}");
        let retried: BTreeSet<_> =
            failed[0].publications().into_iter().map(|publication| publication.event).collect();
        assert!(retried.len() < BATCH, "{retried:?}");
        assert_eq!((report.failed, report.dead), (retried.len(), 0), "only messages of the failed call fail");
        let deliveries = deliveries(&calls);
        assert_eq!(deliveries.len(), 3 * BATCH, "each event must be pushed");
        for (publication, times) in deliveries {
            let most = if retried.contains(&publication.event) { 2 } else { 1 };
            assert!((1..=most).contains(&times), "{publication:?} came {times} times");
        }
    }
}

#[tokio::test]
async fn only_the_oversized_push_of_a_batch_is_dropped() {
    let provider = Provider::starts().await;
    let world = provider.world().await;
    let ids =
        flushes(&world, |number| if number == 3 { "x".repeat(OVERSIZED_BYTES) } else { number.to_string() })
            .await;
    world.stack.settle(None).await.unwrap();
    let calls = provider.calls();
    assert_eq!(calls.len(), 1, "{calls:?}");
    let others = ids.iter().filter(|id| id.len() < OVERSIZED_BYTES);
    assert_eq!(deliveries(&calls), others.map(|id| ("notifications", id, 1)).map(counted).collect());
    assert_eq!(dead(&world), 1);
}

#[tokio::test]
async fn a_refused_push_does_not_delay_other_pushes() {
    for (status, sends) in [(413, 2), (400, 5)] {
        let refuses =
            move |_, body: &serde_json::Value| if body.to_string().contains("odd") { status } else { 200 };
        let provider = Provider::answers(refuses).await;
        let world = provider.world().await;
        let ids =
            flushes(&world, |number| if number == 3 { "odd".to_owned() } else { number.to_string() }).await;
        world.stack.settle(None).await.unwrap();
        let calls = provider.calls();
        let others = ids.iter().filter(|id| *id != "odd");
        assert_eq!(deliveries(&calls), others.map(|id| ("notifications", id, 1)).map(counted).collect());
        let alone = calls.iter().filter(|call| call.resource == "events" && call.status == status).count();
        assert_eq!((alone, dead(&world)), (sends, 1), "{status}");
    }
}

#[tokio::test]
async fn a_batch_of_pushes_reads_notifications_in_batches() {
    let provider = Provider::starts().await;
    let world = provider.world().await;
    let ids = notifications(&world).await;
    send_event(&world, "malformed", "NotificationNew", json!({})).await;
    provider.calls();
    let (_, cost) = world.cost_of(world.stack.settle(None)).await;
    assert_eq!(cost.operations.get("BatchGetItem"), Some(&3), "reads must be batched: {:?}", cost.operations);
    assert_eq!(cost.operations.get("GetItem"), None, "{:?}", cost.operations);
    let deliveries = deliveries(&provider.calls());
    let events: BTreeSet<_> = deliveries.keys().map(|publication| publication.event.clone()).collect();
    assert_eq!(events, ids);
    assert!(deliveries.values().all(|times| *times == 1), "{deliveries:?}");
    assert_eq!(dead(&world), 1);
}

#[tokio::test]
async fn a_failed_table_read_retries_only_pushes_that_need_the_rows() {
    let provider = Provider::starts().await;
    let world = provider.world().await;
    let ids = notifications(&world).await;
    send_event(&world, "total", "NotificationsFlushed", json!({ "count": 1 })).await;
    provider.calls();
    world.faults.plan("BatchGetItem", Fault::Refused, 0, 1);
    let report = world.stack.settle(None).await.unwrap();
    assert_eq!((world.faults.calm(), report.dead), (1, 0));
    assert!((1..=BATCH).contains(&report.failed), "{report:?}");
    let deliveries = deliveries(&provider.calls());
    let events: BTreeSet<_> = deliveries.keys().map(|publication| publication.event.clone()).collect();
    assert_eq!(events, ids.into_iter().chain(["total".to_owned()]).collect());
    assert!(deliveries.values().all(|times| *times == 1), "{deliveries:?}");
}

#[tokio::test]
async fn a_message_in_a_group_chat_reaches_all_members() {
    let world = World::new().await;
    let (members, group) = group_chat(&world, MEMBERS).await;
    let mut listeners = join_all(members.iter().map(|member| async {
        let channel = user_channel(member);
        (Listener::of(&world, member, &channel).await, channel)
    }))
    .await;
    says(&members[0], &group, "hello").await;
    world.stack.settle(None).await.unwrap();
    for (listener, channel) in &mut listeners {
        assert_eq!(listener.received(channel, "message:new").await["content"], "hello");
        listener.received_nothing().await;
    }
}

#[tokio::test]
async fn a_message_in_a_group_chat_is_pushed_in_one_call() {
    let provider = Provider::starts().await;
    let world = provider.world().await;
    let (members, group) = group_chat(&world, FEW_MEMBERS).await;
    provider.calls();
    says(&members[0], &group, "hello").await;
    world.stack.settle(None).await.unwrap();
    let sizes: Vec<_> = provider.calls().iter().map(|call| call.publications().len()).collect();
    assert_eq!(sizes, [FEW_MEMBERS + 1]);
}

/// Creates a group chat with `size` members. Returns the members and the ID of the group.
async fn group_chat(world: &World, size: usize) -> (Vec<Person>, String) {
    let members = crowd(world, "member", 0..size).await;
    let others: Vec<_> = members[1..].iter().map(|member| member.name.as_str()).collect();
    let group = id(&makes(&members[0], "crowd", &others).await);
    world.advance(500).await;
    world.stack.settle(None).await.unwrap();
    (members, group)
}

/// Sends ten messages, whose pushes stay queued. Returns the IDs of the group, the sender and the recipient.
async fn ten_messages(world: &World) -> (String, [String; 2]) {
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = ann.chats_with("bob").await;
    for number in 0..BATCH {
        says(&ann, &group, &number.to_string()).await;
    }
    (group, [ann.id.clone(), bob.id.clone()])
}

/// Queues ten events with unread totals. Returns the IDs of the events.
async fn flushes(world: &World, id: impl Fn(usize) -> String) -> Vec<String> {
    let ids: Vec<_> = (0..BATCH).map(id).collect();
    for id in &ids {
        send_event(world, id, "NotificationsFlushed", json!({ "count": 1 })).await;
    }
    ids
}

/// Queues an event about a new notification for each of nine recipients. Returns the event IDs.
async fn notifications(world: &World) -> BTreeSet<String> {
    let bob = world.person("bob").await;
    let authors = crowd(world, "author", 1..BATCH).await;
    for author in &authors {
        bob.follows(author).await;
    }
    world.settle().await;
    world.advance_and_settle(40).await;
    let mut ids = BTreeSet::new();
    for author in &authors {
        let notification = author.get("/notification").await.ok().column("publicId")[0].clone();
        let detail = json!({ "recipientId": author.id, "notificationId": notification });
        send_event(world, &author.id, "NotificationNew", detail).await;
        ids.insert(author.id.clone());
    }
    ids
}

/// Queues an event for the realtime worker.
async fn send_event(world: &World, id: &str, name: &str, detail: Value) {
    let event = json!({ "id": id, "detail-type": name, "detail": detail });
    put(world, "realtime", &event.to_string()).await;
}

/// Returns how often each event was published to each channel in accepted calls.
fn deliveries(calls: &[Call]) -> BTreeMap<Publication, usize> {
    let mut times = BTreeMap::new();
    for publication in calls.iter().filter(|call| call.status == 200).flat_map(Call::publications) {
        *times.entry(publication).or_default() += 1;
    }
    times
}

fn counted((channel, event, times): (&str, &String, usize)) -> (Publication, usize) {
    (Publication { channel: channel.to_owned(), event: event.clone() }, times)
}

fn dead(world: &World) -> usize {
    queue(world, "realtime").dead
}
