//! The books of what ties people: whatever they do at once, and whatever goes wrong.

use domain::people::friendships;
use futures::future::join_all;
use proptest::prelude::*;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

/// What one person does to another.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Follow(bool),
    Block(bool),
    Ask,
    Accept,
    Cancel,
}

fn deed() -> impl Strategy<Value = (usize, usize, Deed)> {
    let deed = prop_oneof![
        4 => Just(Deed::Follow(true)),
        2 => Just(Deed::Follow(false)),
        1 => Just(Deed::Block(true)),
        1 => Just(Deed::Block(false)),
        3 => Just(Deed::Ask),
        1 => Just(Deed::Accept),
        1 => Just(Deed::Cancel),
    ];
    (0..3usize, 1..3usize, deed).prop_map(|(one, step, deed)| (one, (one + step) % 3, deed))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, max_shrink_iters: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn counters_match_after_concurrent_actions(
        deeds in prop::collection::vec(deed(), 3..36),
        seed in 0..1000u64,
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.unwrap().block_on(history(&deeds, seed));
    }
}

async fn history(deeds: &[(usize, usize, Deed)], seed: u64) {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).start().await;
    let people = world.people(["ann", "bob", "cleo"]).await;
    let faults = [Fault::Conflict, Fault::Throttle, Fault::LostAnswer, Fault::Unprocessed, Fault::Refused];
    for together in deeds.chunks(4) {
        world.faults.storm(seed, 8, &faults);
        join_all(together.iter().map(|(one, other, deed)| does(&people[*one], &people[*other], *deed))).await;
        world.faults.calm();
    }
    world.settle_as(seed).await;
    for one in &people {
        books_agree(&world, one).await;
        for other in people.iter().filter(|it| it.name != one.name) {
            no_tie_past_a_block(one, other).await;
        }
    }
}

async fn does(one: &Person, other: &Person, deed: Deed) {
    match deed {
        Deed::Follow(on) => one.post(&other.path("/follower"), json!({ "isFollowing": on })).await,
        Deed::Block(on) => one.post(&other.path("/block"), json!({ "isBlocked": on })).await,
        Deed::Ask => one.post(&other.path("/friend-request"), Value::Null).await,
        Deed::Accept => one.patch(&answer(other, "accept"), Value::Null).await,
        Deed::Cancel => one.patch(&answer(other, "cancel"), Value::Null).await,
    };
}

fn answer(other: &Person, how: &str) -> String {
    format!("/me/friend-requests/{}/{how}", other.name)
}

async fn books_agree(world: &World, person: &Person) {
    let profile = person.meets(person).await;
    let count = async |path: &str| json!(person.get(path).await.ok().rows().len());
    assert_eq!(profile["followersCount"], count(&person.path("/followers")).await);
    assert_eq!(profile["followingCount"], count(&person.path("/following")).await);
    let pending = friendships::count_pending(&world.app(), person.id.parse().unwrap()).await.unwrap();
    assert_eq!(json!(pending), count("/me/friend-requests/received").await);
}

async fn no_tie_past_a_block(one: &Person, other: &Person) {
    let profile = one.meets(other).await;
    let sent = one.get("/me/friend-requests/sent").await.ok();
    let asked = sent.column("receiverId").contains(&json!(other.id));
    let asked_by = other.get("/me/friend-requests/sent").await.ok().column("receiverId");
    let tied = profile["isFollowing"] == true || profile["isFollowedBy"] == true || asked;
    assert!(!(asked && asked_by.contains(&json!(one.id))), "one request between two");
    assert!(!(profile["isBlocked"] == true && tied), "{profile}");
}
