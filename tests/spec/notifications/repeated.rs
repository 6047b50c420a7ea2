//! An event that workers record twice counts once.

use std::slice;

use domain::{
    ids::UserId,
    notifications::{NotificationEvent, NotificationType, TargetType, record_all},
};
use serde_json::json;
use tests::{Cost, Fault, Person, World, check_cost};

use super::{fields, one, ticks, ticks_once};

/// Number of events that a pending record lists.
const LISTED: usize = 5;

#[tokio::test]
async fn a_duplicate_event_counts_once_before_and_after_a_flush() {
    let (world, ann, fans) = scene().await;
    let event = follow(&world, &ann, &fans[0]);
    for _ in 0..3 {
        records(&world, &event).await;
        records(&world, &event).await;
        ticks(&world).await;
        assert_eq!(one(&ann).await["count"], 1);
    }
}

#[tokio::test]
async fn a_duplicate_of_an_earlier_event_does_not_count_again() {
    let (world, ann, fans) = scene().await;
    let first = follow(&world, &ann, &fans[0]);
    records(&world, &first).await;
    ticks(&world).await;
    for (number, again_first) in [true, false, true].into_iter().enumerate() {
        let new = follow(&world, &ann, &fans[number + 1]);
        let both = if again_first { [&first, &new] } else { [&new, &first] };
        for event in both {
            records(&world, event).await;
        }
        ticks(&world).await;
        let newest = &fans[number + 1].public_id;
        assert_eq!(fields(&ann, ["count", "lastActorId"]).await, json!([number + 2, newest]));
    }
}

#[tokio::test]
async fn every_event_counts_once_if_a_flush_crashes() {
    let (world, ann, fans) = scene().await;
    let steps =
        ["Query", "BatchGetItem", "PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem", "PutEvents"];
    let faults = [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer];
    let mut count = 0;
    for operation in steps {
        let ann = ann.signs_in().await;
        for (pass, fault) in faults.into_iter().chain(faults).enumerate() {
            let event = follow(&world, &ann, &fans[0]);
            records(&world, &event).await;
            world.faults.plan(operation, fault, u32::from(pass >= faults.len()), 1);
            ticks_once(&world).await;
            world.faults.calm();
            records(&world, &follow(&world, &ann, &fans[1])).await;
            records(&world, &event).await;
            ticks(&world).await;
            records(&world, &event).await;
            ticks(&world).await;
            count += 2;
            assert_eq!(one(&ann).await["count"], count, "{operation} {fault:?} {pass}");
        }
    }
}

#[tokio::test]
async fn an_event_added_to_a_flushed_record_is_counted() {
    let (world, ann, fans) = scene().await;
    for count in [2, 4] {
        let event = follow(&world, &ann, &fans[0]);
        records(&world, &event).await;
        // The flush has counted the record. A new event then prevents the deletion of the record, and the flush
        // crashes.
        let meanwhile = async {
            records(&world, &follow(&world, &ann, &fans[1])).await;
            records(&world, &event).await;
            world.faults.next("UpdateItem", Fault::Crash);
        };
        world.faults.while_held("DeleteItem", ticks_once(&world), meanwhile).await;
        assert_eq!(world.faults.calm(), 2);
        ticks(&world).await;
        records(&world, &event).await;
        ticks(&world).await;
        assert_eq!(one(&ann).await["count"], count);
    }
}

#[tokio::test]
async fn concurrent_duplicate_events_count_once() {
    let (world, ann, fans) = scene().await;
    let event = follow(&world, &ann, &fans[0]);
    world.faults.while_held("UpdateItem", records(&world, &event), records(&world, &event)).await;
    assert_eq!(world.faults.calm(), 1);
    ticks(&world).await;
    assert_eq!(one(&ann).await["count"], 1);
    // `late` reads before the first recording writes, and writes after a flush.
    let event = follow(&world, &ann, &fans[1]);
    let meanwhile = async {
        records(&world, &event).await;
        ticks(&world).await;
        assert_eq!(one(&ann).await["count"], 2);
    };
    let app = world.app();
    let late = record_all(&app, slice::from_ref(&event));
    let (done, ()) = world.faults.while_held("UpdateItem", late, meanwhile).await;
    done.unwrap();
    ticks(&world).await;
    assert_eq!(one(&ann).await["count"], 2);
}

#[tokio::test]
async fn recording_an_event_stays_within_its_cost_budgets() {
    let (world, ann, fans) = scene().await;
    for number in 0..LISTED + 2 {
        let cost = records(&world, &follow(&world, &ann, &fans[0])).await;
        let budget = match number < LISTED {
            true => "record an event (job)",
            false => "record an event that the record does not list (job)",
        };
        check_cost(budget, &cost);
    }
    let app = world.app();
    let events = [follow(&world, &fans[1], &fans[0]), follow(&world, &fans[2], &fans[0])];
    world.budget("record two events (job)", record_all(&app, &events)).await.unwrap();
}

/// Returns a world with the recipient `ann` and four other users.
async fn scene() -> (World, Person, Vec<Person>) {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = world.fans(0..4).await;
    world.settle().await;
    (world, ann, fans)
}

/// Returns the event for a new follow.
pub(super) fn follow(world: &World, followed: &Person, fan: &Person) -> NotificationEvent {
    let app = world.app();
    let [recipient, actor] = [followed, fan].map(|user| user.id.parse::<UserId>().unwrap());
    let kinds = (NotificationType::Follow, TargetType::User);
    NotificationEvent::new(recipient, kinds, recipient.into(), (actor, app.ids.next(app.now()), app.now()))
}

/// Records an event, and returns the cost.
pub(super) async fn records(world: &World, event: &NotificationEvent) -> Cost {
    let app = world.app();
    let (done, cost) = world.cost_of(record_all(&app, slice::from_ref(event))).await;
    done.unwrap();
    cost
}
