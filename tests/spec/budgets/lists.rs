//! What the lists of people cost: of friends, of whom one blocks and mutes, of who likes and reposts a post.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Cost, Person, Post, World};

use super::{Budget, kilobyte};

const PEOPLE_OF_ONES_OWN: Budget = Budget { calls: 5, rru: 34.0, wru: 0.0, sends: 0 };
const END: Budget = Budget { calls: 4, rru: 3.0, wru: 4.0, sends: 0 };
const LIKERS: Budget = Budget { calls: 8, rru: 48.0, wru: 0.0, sends: 0 };
const REPOSTERS: Budget = Budget { calls: 6, rru: 38.0, wru: 0.0, sends: 0 };
const REPLIES: Budget = Budget { calls: 5, rru: 8.0, wru: 0.0, sends: 0 };
const QUOTES: Budget = Budget { calls: 9, rru: 24.0, wru: 0.0, sends: 0 };
const WORD: Budget = Budget { calls: 3, rru: 1.0, wru: 2.0, sends: 0 };
const WORDS: Budget = Budget { calls: 2, rru: 2.0, wru: 0.0, sends: 0 };
const MUTE_THREAD: Budget = Budget { calls: 5, rru: 2.5, wru: 2.0, sends: 0 };

async fn crowd(world: &World, many: std::ops::Range<usize>) -> Vec<Person> {
    let names: Vec<_> = many.map(|it| format!("fan{it}")).collect();
    join_all(names.iter().map(|it| world.person(it))).await
}

#[tokio::test]
async fn lists_of_ones_own_people_cost_the_same_however_many_there_are() {
    let world = World::with(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).await;
    let ann = world.person("ann").await;
    let mut first = None;
    for many in [0..25, 25..50] {
        for fan in crowd(&world, many).await {
            fan.befriends(&ann).await;
            ann.patch(&format!("/me/friend-requests/{}/accept", fan.name), Value::Null).await.ok();
            ann.post(&fan.path("/mute"), json!({ "isMuted": true })).await.ok();
        }
        let mut costs = Vec::new();
        for list in ["/me/friends", "/me/muted"] {
            let (page, cost) = world.cost_of(ann.get(list)).await;
            assert_eq!(page.ok().rows().len(), 20);
            PEOPLE_OF_ONES_OWN.holds(list, &cost);
            costs.push(cost);
        }
        assert_eq!(first.get_or_insert(costs.clone()), &costs);
    }
    let (ended, cost) = world.cost_of(ann.delete("/me/friends/fan1")).await;
    ended.ok();
    END.holds("DELETE /me/friends/{username}", &cost);
}

/// What the lists of a post cost to somebody who is signed in.
async fn costs(world: &World, reader: &Person, post: &Post) -> Vec<Cost> {
    let mut costs = Vec::new();
    for (list, budget) in [("/likes", LIKERS), ("/reposts", REPOSTERS), ("/quotes", QUOTES)] {
        let (page, cost) = world.cost_of(reader.get(&post.path(list))).await;
        assert_eq!(page.ok().rows().len(), 20, "{list}");
        budget.holds(list, &cost);
        costs.push(cost);
    }
    costs
}

#[tokio::test]
async fn who_likes_reposts_and_quotes_a_post_costs_the_same_however_many_there_are() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes(&kilobyte()).await;
    let mut first = None;
    for many in [0..25, 25..50] {
        for fan in crowd(&world, many).await {
            fan.likes(&post).await;
            world.settle().await;
            fan.reposts(&post).await;
            fan.quotes(&post, &kilobyte()).await;
        }
        world.settle().await;
        let costs = costs(&world, &bob, &post).await;
        assert_eq!(first.get_or_insert(costs.clone()), &costs);
    }
}

#[tokio::test]
async fn replies_of_300_characters_cost_the_same_however_many_there_are() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let mut first = None;
    for many in [0..25, 25..50] {
        for fan in crowd(&world, many).await {
            fan.replies(&post, &"x".repeat(300)).await;
        }
        world.settle().await;
        let (page, cost) = world.cost_of(bob.get(&post.path("/replies"))).await;
        assert_eq!(page.ok().rows().len(), 20);
        REPLIES.holds("/replies", &cost);
        assert_eq!(first.get_or_insert(cost.clone()), &cost);
    }
}

#[tokio::test]
async fn muting_words_and_threads_stays_within_its_budget() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = bob.writes(&kilobyte()).await;
    for word in ["spoiler", "another"] {
        let (muted, cost) = world.cost_of(ann.post("/me/muted-words", json!({ "word": word }))).await;
        muted.ok();
        WORD.holds("POST /me/muted-words", &cost);
    }
    let (_, cost) = world.cost_of(ann.get("/me/muted-words")).await;
    WORDS.holds("GET /me/muted-words", &cost);
    let (muted, cost) = world.cost_of(ann.post(&post.path("/mute"), Value::Null)).await;
    muted.ok();
    MUTE_THREAD.holds("POST /posts/{publicId}/mute", &cost);
}
