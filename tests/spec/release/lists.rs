//! What was stored before there were lists of it: friends, blocks, mutes, quotes, reposts and likers.

use domain::operations::relist::relist;
use serde_json::{Value, json};
use tests::{Person, Release, World};

use super::Past;
use crate::leaving::{is_erased, traces::rows_with};

/// The last release that had none of these lists.
const NAME: &str = "4";

/// Runs the chore over the whole table, and returns how many rows it listed.
async fn relists(world: &World) -> usize {
    let (app, mut listed, mut from) = (world.app(), 0, None);
    loop {
        let (_, more, next) = relist(&app, from).await.unwrap();
        listed += more;
        match next {
            Some(_) => from = next,
            None => return listed,
        }
    }
}

async fn names(who: &Person, path: &str) -> Vec<Value> {
    who.get(path).await.ok().column("username")
}

#[tokio::test]
async fn it_is_listed_once_a_chore_has_looked_through_the_table() {
    let past = Past::of(&Release::read(NAME)).await;
    past.world.settle().await;
    let [ann, cleo, dan] = ["ann", "cleo", "dan"].map(|it| past.who(it));
    let (liked, likes) = (past.post("liked"), past.post("liked").path("/likes"));
    dan.likes(&past.post("quote")).await;
    past.world.settle().await;
    let count = ann.sees(&liked).await["likesCount"].as_i64().unwrap();
    assert!(count > 1 && names(&ann, &likes).await.len() < count as usize);

    assert!(relists(&past.world).await > 5);
    assert_eq!(relists(&past.world).await, 0, "a repetition finds nothing");
    past.world.settle().await;
    assert_eq!(names(&ann, "/me/friends").await, ["cleo"]);
    assert_eq!(names(&cleo, "/me/friends").await, ["ann"]);
    assert_eq!(names(&ann, "/me/blocked").await, ["lou"]);
    assert_eq!(names(&ann, "/me/muted").await, ["gil"]);
    let likers = names(&dan, &likes).await;
    assert_eq!((likers.len() as i64, ann.sees(&liked).await["likesCount"].as_i64()), (count, Some(count)));
    let quotes = dan.get(&liked.path("/quotes")).await.ok();
    assert_eq!(quotes.column("publicId"), [json!(past.id("quote"))]);
    assert_eq!(names(&cleo, &liked.path("/reposts")).await, ["dan"]);

    ann.delete("/me/friends/cleo").await.ok();
    ann.post("/user/lou/block", json!({ "isBlocked": false })).await.ok();
    ann.post("/user/gil/mute", json!({ "isMuted": false })).await.ok();
    for list in ["/me/friends", "/me/blocked", "/me/muted"] {
        assert!(names(&ann, list).await.is_empty(), "{list}");
    }
}

#[tokio::test]
async fn whoever_leaves_after_the_chore_takes_their_name_out_of_it() {
    let past = Past::of(&Release::read(NAME)).await;
    past.world.settle().await;
    let [bob, eve] = ["bob", "eve"].map(|it| past.who(it));
    relists(&past.world).await;
    for leaver in [&bob, &eve] {
        leaver.leaves().await;
    }
    is_erased(&past.world).await;
    for leaver in [&bob, &eve] {
        assert_eq!(places_of(&past.world, leaver).await, Vec::<String>::new());
    }
}

/// The rows that name somebody, but for what administrators did and stubs of messages.
async fn places_of(world: &World, who: &Person) -> Vec<String> {
    let rows = rows_with(world, &[&who.id]).await;
    rows.into_iter().filter(|it| !it.starts_with("AUDIT ") && !it.contains(" / MSG#")).collect()
}
