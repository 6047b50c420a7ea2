//! Lists of reposters and quotes, and the viewer's own saves and reposts.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Client, Person, Post, World};

use super::{are_friends, world_enforcing};
use crate::admin::administrator;

async fn reposters(user: &Client, post: &Post) -> Vec<Value> {
    user.all(&post.path("/reposts"), 20, "username").await
}

async fn quotes(user: &Client, post: &Post) -> Vec<Value> {
    user.all(&post.path("/quotes"), 20, "content").await
}

#[tokio::test]
async fn reposters_are_listed_newest_first() {
    let (world, [ann, bob, cleo, dan], post) = World::with_post(["ann", "bob", "cleo", "dan"]).await;
    let reposts = [bob.reposts(&post).await, cleo.reposts(&post).await];
    dan.reposts(&reposts[1]).await;
    bob.reposts(&post).await;
    for take in [1, 2, 20] {
        let names = world.anyone.all(&post.path("/reposts"), take, "username").await;
        assert_eq!(names, ["dan", "cleo", "bob"]);
    }
    assert!(reposters(&ann, &reposts[0]).await.is_empty(), "only the original lists its reposters");
    let cleo_id = ann.get(&post.path("/reposts")).await.rows()[1]["publicId"].clone();
    let path = post.path(&format!("/reposts?after={}", cleo_id.as_str().unwrap()));
    assert_eq!(ann.get(&path).await.ok().column("username"), ["bob"], "a user's id is also a cursor");
    cleo.deletes(&reposts[1]).await;
    assert_eq!(reposters(&ann, &post).await, ["dan", "bob"]);
    assert_eq!(ann.get(&path).await.ok().column("username"), ["bob"], "the user deleted their repost");
    cleo.reposts(&post).await;
    assert_eq!(reposters(&ann, &post).await, ["cleo", "dan", "bob"]);
    cleo.follows(&dan).await;
    assert_eq!(cleo.get(&post.path("/reposts")).await.column("isFollowing"), [false, true, false]);
}

#[tokio::test]
async fn quotes_are_listed_newest_first() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let first = bob.quotes(&post, "one").await;
    cleo.quotes(&post, "two").await;
    bob.quotes(&post, "three").await;
    bob.quotes(&first, "of the quote").await;
    for take in [1, 2, 20] {
        let contents = world.anyone.all(&post.path("/quotes"), take, "content").await;
        assert_eq!(contents, ["three", "two", "one"]);
    }
    assert_eq!(quotes(&ann, &first).await, ["of the quote"]);
    let row = ann.get(&post.path("/quotes")).await.rows()[0].clone();
    assert_eq!(json!([row["type"], row["origin"]["content"]]), json!(["QUOTE", "hello"]));
    bob.patch(&first.path(""), json!({ "content": "uno" })).await.ok();
    assert_eq!(quotes(&ann, &post).await, ["three", "two", "uno"]);
    cleo.post(&first.path("/hide"), Value::Null).await.ok();
    assert_eq!(quotes(&ann, &post).await, ["three", "two"], "hidden quotes are omitted");
    cleo.post(&first.path("/hide"), Value::Null).await.ok();
    bob.deletes(&first).await;
    assert_eq!(quotes(&ann, &post).await, ["three", "two"]);
}

#[tokio::test]
async fn the_list_of_quotes_omits_quotes_the_viewer_may_not_see() {
    for enforced in ["off", "on"] {
        let (world, [ann, bob, cleo]) = world_enforcing(enforced, ["ann", "bob", "cleo"]).await;
        are_friends(&bob, &cleo).await;
        let post = ann.writes("hello").await;
        for visibility in ["PUBLIC", "FRIEND", "PRIVATE"] {
            let body = json!({ "content": visibility, "visibility": visibility });
            bob.post(&post.path("/quote"), body).await.ok();
        }
        let all = ["PRIVATE", "FRIEND", "PUBLIC"];
        for (viewer, shown) in
            [(&*bob, &all[..]), (&*cleo, &all[1..]), (&*ann, &all[2..]), (&world.anyone, &all[2..])]
        {
            assert_eq!(quotes(viewer, &post).await, shown, "{enforced}");
        }
    }
}

#[tokio::test]
async fn lists_of_likes_and_shares_omit_banned_and_blocked_users() {
    let (world, [ann, bob, cleo, dan], post) = World::with_post(["ann", "bob", "cleo", "dan"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    for fan in [&bob, &cleo, &dan] {
        fan.reposts(&post).await;
        fan.quotes(&post, &fan.name).await;
        fan.likes(&post).await;
        world.advance(1).await;
    }
    world.settle().await;
    bob.blocks(&cleo).await;
    for (viewer, shown) in [(&bob, ["dan", "bob"]), (&cleo, ["dan", "cleo"])] {
        assert_eq!(reposters(viewer, &post).await, shown);
        assert_eq!(quotes(viewer, &post).await, shown);
        assert_eq!(viewer.all(&post.path("/likes"), 20, "username").await, shown);
    }
    root.patch(&format!("/admin/users/{}/ban", dan.id), Value::Null).await.ok();
    world.settle().await;
    assert_eq!(reposters(&ann, &post).await, ["cleo", "bob"]);
    assert_eq!(quotes(&world.anyone, &post).await, ["cleo", "bob"]);
    for (viewer, take) in [(&*ann, 20), (&world.anyone, 1)] {
        assert_eq!(viewer.all(&post.path("/likes"), take, "username").await, ["cleo", "bob"]);
    }
}

#[tokio::test]
async fn every_view_shows_the_viewers_saves_and_reposts() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let quote = ann.quotes(&post, "look").await;
    bob.follows(&ann).await;
    let seen = async |user: &Person| {
        let feed = user.get("/posts/news-feed").await.ok().rows()[0].clone();
        let profile = user.get(&ann.path("/posts")).await.ok();
        let own = profile.rows().iter().find(|row| row["publicId"] == post.json["publicId"]).unwrap().clone();
        [user.sees(&post).await, feed, own, user.sees(&quote).await["origin"].clone()]
            .map(|view| [view["isSaved"].clone(), view["isReposted"].clone()])
    };
    let flags = |saved: bool, reposted: bool| [json!(saved), json!(reposted)];
    for user in [&ann, &bob] {
        assert_eq!(seen(user).await, [0; 4].map(|_| flags(false, false)));
    }
    let repost = bob.reposts(&post).await;
    assert_eq!(repost.json["origin"]["isReposted"], true);
    assert_eq!(seen(&bob).await, [0; 4].map(|_| flags(false, true)));
    bob.post(&post.path("/save"), Value::Null).await.ok();
    assert_eq!(seen(&bob).await, [0; 4].map(|_| flags(true, true)));
    assert_eq!(bob.get("/posts/me/saved").await.ok().column("isSaved"), [true]);
    assert_eq!(seen(&ann).await, [0; 4].map(|_| flags(false, false)), "the flags describe the viewer");
    bob.deletes(&repost).await;
    bob.post(&post.path("/save"), json!({ "isSaved": false })).await.ok();
    assert_eq!(seen(&bob).await, [0; 4].map(|_| flags(false, false)));
    assert_eq!(world.anyone.get(&post.path("")).await.ok().data()["isSaved"], false);
}
