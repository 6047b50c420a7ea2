//! Posts of the story, and likes, shares and other actions of users.

use serde_json::{Value, json};
use tests::Post;

use super::Past;
use crate::uploads;

pub(super) async fn run(past: &mut Past) {
    a_thread_grows(past).await;
    posts_change(past).await;
    posts_of_all_kinds_are_written(past).await;
    a_video_is_uploaded(past).await;
    past.world.settle().await;
}

async fn a_thread_grows(past: &mut Past) {
    let [ann, bob, cleo, dan] = ["ann", "bob", "cleo", "dan"].map(|name| past.user(name));
    let post = past.wrote("liked", ann.writes("All about #cats tonight").await).await;
    let reply = past.wrote("reply", bob.replies(&post, "I like cats").await).await;
    past.wrote("deepReply", cleo.replies(&reply, "So do I").await).await;
    let quote = past.wrote("quote", cleo.quotes(&post, "Look at this").await).await;
    past.wrote("repost", dan.reposts(&post).await).await;
    for fan in [&bob, &cleo] {
        fan.likes(&post).await;
    }
    cleo.likes(&reply).await;
    for saved in [&quote, &post] {
        bob.post(&saved.path("/save"), Value::Null).await.ok();
        past.world.advance(1).await;
    }
    cleo.post(&post.path("/save"), Value::Null).await.ok();
    cleo.post(&post.path("/save"), json!({ "isSaved": false })).await.ok();
}

async fn posts_change(past: &mut Past) {
    let [bob, dan, eve] = ["bob", "dan", "eve"].map(|name| past.user(name));
    let post = past.wrote("edited", bob.writes("First words #cats").await).await;
    bob.patch(&post.path(""), json!({ "content": "Second words #dogs" })).await.ok();
    let ghost = past.wrote("ghost", dan.writes("Soon a ghost").await).await;
    eve.post(&ghost.path("/hide"), Value::Null).await.ok();
    let deleted = past.wrote("deleted", dan.writes("Soon gone").await).await;
    dan.deletes(&deleted).await;
}

async fn posts_of_all_kinds_are_written(past: &mut Past) {
    let (cleo, eve, bob) = (past.user("cleo"), past.user("eve"), past.user("bob"));
    let poll = json!({ "options": ["Tea", "Coffee"], "durationMinutes": 10080 });
    let mut mention = json!({ "content": "Hello bob", "mentions": [bob.id], "poll": poll });
    mention["replyPermission"] = json!("FOLLOWERS");
    for (key, body) in [
        ("private", json!({ "content": "Only mine", "visibility": "PRIVATE" })),
        ("forFriends", json!({ "content": "For friends", "visibility": "FRIEND" })),
        ("mention", mention),
    ] {
        let post = eve.posts(body).await;
        past.wrote(key, post).await;
    }
    let poll = past.post("mention").path("/vote");
    bob.post(&poll, json!({ "options": [1] })).await.ok();
    let later = past.world.app().now().plus_seconds(300 * 24 * 3600);
    eve.post("/me/drafts", json!({ "content": "Later", "publishAt": later })).await.ok();
    let once = cleo.post_once("a key", "/posts", json!({ "content": "Said once" })).await.ok();
    past.saves("onceAnswer", once.body.clone());
    past.wrote("once", Post::of(&once)).await;
}

async fn a_video_is_uploaded(past: &mut Past) {
    let eve = past.user("eve");
    let ticket = uploads::begins(&eve, "video/mp4", 5).await;
    let event = uploads::event("e1", "video.processing", &ticket, "processing");
    uploads::calls_back(&past.world, &event).await.ok();
    let media = json!([{ "id": ticket["id"], "key": ticket["key"], "url": ticket["url"] }]);
    let post = eve.posts(json!({ "content": "A film", "media": media })).await;
    past.wrote("film", post).await;
    past.saves("ticket", ticket);
    past.saves("handledEvent", event);
}
