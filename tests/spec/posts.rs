//! Writing, reading, editing and deleting posts.

use serde_json::{Value, json};
use shared::{
    actions::Action,
    table::{Query, Row},
};
use tests::{Fault, Person, Post, World};

#[tokio::test]
async fn a_post_is_answered_whole() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann
        .posts(json!({
            "content": "Hello #World, #again",
            "mentions": [bob.id],
            "media": [{"id": "m1", "key": "k/1.png", "url": "https://example.com/1.png"}],
            "replyPermission": "followers",
        }))
        .await;
    insta::assert_json_snapshot!(post.json, {
        ".publicId" => "[post]", ".user.publicId" => "[ann]", ".mentions[0]" => "[bob]",
    }, @r#"
    {
      "content": "Hello #World, #again",
      "createdAt": "2026-01-01T00:00:00.000Z",
      "deletedAt": null,
      "isDeleted": false,
      "isGhost": false,
      "isHidden": false,
      "isLiked": false,
      "isQuoted": false,
      "likesCount": 0,
      "media": [
        {
          "id": "m1",
          "key": "k/1.png",
          "url": "https://example.com/1.png"
        }
      ],
      "mentions": [
        "[bob]"
      ],
      "origin": null,
      "originPostId": null,
      "originPublicId": null,
      "parentPublicId": null,
      "publicId": "[post]",
      "quotesCount": 0,
      "repliesCount": 0,
      "replyPermission": "FOLLOWERS",
      "repostsCount": 0,
      "topic": "world",
      "type": "POST",
      "updatedAt": "2026-01-01T00:00:00.000Z",
      "user": {
        "avatar": null,
        "isVerified": false,
        "name": "ann",
        "publicId": "[ann]",
        "username": "ann"
      },
      "visibility": "PUBLIC"
    }
    "#);
}

#[tokio::test]
async fn what_was_written_is_what_is_read() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("Hello").await;
    assert_eq!(ann.sees(&post).await, post.json);
    assert_eq!(world.anyone.get(&post.path("")).await.ok().data(), &post.json);
}

#[tokio::test]
async fn content_has_1_to_5000_characters_not_bytes() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    ann.writes(&"ế".repeat(5000)).await;
    for content in ["", " \n ", &"x".repeat(5001)] {
        let answer = ann.post("/posts", json!({ "content": content })).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "content: must have 1 to 5000 characters");
    }
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 1, "nothing was written");
}

#[tokio::test]
async fn bad_input_is_refused_by_the_name_of_its_field() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let six: Vec<_> = (0..6).map(|_| ann.id.clone()).collect();
    let long = "x".repeat(101);
    let media = json!({"id": "m", "key": "k", "url": "https://example.com/m"});
    for (field, value) in [
        ("mentions", json!(six)),
        ("mentions", json!([ann.id, ann.id])),
        ("mentions", json!(["01ARZ3NDEKTSV4RRFFQ69G5FAW"])),
        ("mentions", json!(["ann"])),
        ("mentions", json!("ann")),
        ("media", json!(vec![media; 11])),
        ("media", json!([{"id": "m", "key": "k", "url": "javascript:alert(1)"}])),
        ("media", json!([{"id": "m", "url": "https://example.com/m"}])),
        ("topic", json!(long)),
        ("topic", json!("two words")),
        ("visibility", json!("SECRET")),
        ("replyPermission", json!("SOME")),
        ("content", json!(5)),
        ("content", Value::Null),
    ] {
        let mut body = json!({ "content": "x" });
        body[field] = value;
        let answer = ann.post("/posts", body.clone()).await;
        let message = answer.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with(field), "{body}: {message}");
    }
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 0, "nothing was written");
}

#[tokio::test]
async fn a_mention_may_be_either_id() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let public = bob.get("/auth/me").await.ok().data()["publicId"].clone();
    for id in [json!(bob.id), public.clone()] {
        let post = ann.posts(json!({ "content": "hi", "mentions": [id] })).await;
        assert_eq!(post.json["mentions"], json!([bob.id]));
    }
    let both = ann.post("/posts", json!({ "content": "hi", "mentions": [bob.id, public] })).await;
    assert_eq!(both.refused(400, "VALIDATION_FAILED"), "mentions: must name each user once");
}

#[tokio::test]
async fn a_topic_is_said_or_found_and_normalized() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    for (body, topic) in [
        (json!({"content": "no tag"}), Value::Null),
        (json!({"content": "two #First #second"}), json!("first")),
        (json!({"content": "a #found", "topic": "#Said"}), json!("said")),
        (json!({"content": "#Cafe\u{301}"}), json!("café")),
    ] {
        assert_eq!(ann.posts(body.clone()).await.json["topic"], topic, "{body}");
    }
}

#[tokio::test]
async fn an_edit_is_seen_and_the_version_before_is_kept() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("one #a").await;
    world.advance(60).await;
    let edited = ann.patch(&post.path(""), json!({ "content": "two #b" })).await.ok();
    assert_eq!((&edited.data()["content"], &edited.data()["topic"]), (&json!("two #b"), &json!("b")));
    assert_eq!(edited.data()["updatedAt"], "2026-01-01T00:01:00.000Z");
    ann.patch(&post.path(""), json!({ "visibility": "PRIVATE" })).await.ok();

    let history = bob.get(&post.path("/history")).await.ok();
    assert_eq!(history.column("content"), [json!("two #b"), json!("one #a")]);
    let first = bob.get(&post.path("/history?take=1")).await.ok();
    let after = first.after().unwrap();
    let second = bob.get(&post.path(&format!("/history?take=1&after={after}"))).await.ok();
    assert_eq!(second.column("content"), [json!("one #a")]);
    assert_eq!(second.after(), None);

    let other = bob.patch(&post.path(""), json!({ "content": "mine" })).await;
    other.refused(403, "FORBIDDEN");
    for body in [json!({}), json!({ "content": null }), json!({ "other": 1 })] {
        ann.patch(&post.path(""), body).await.refused(400, "VALIDATION_FAILED");
    }
    let repost = bob.reposts(&post).await;
    bob.patch(&repost.path(""), json!({ "content": "x" })).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_post_leaves_and_enters_the_feed_with_its_visibility() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    for (visibility, shown) in [("FRIEND", 0), ("PUBLIC", 1), ("private", 0)] {
        ann.patch(&post.path(""), json!({ "visibility": visibility })).await.ok();
        assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), shown, "{visibility}");
    }
}

#[tokio::test]
async fn a_deleted_post_is_gone_everywhere() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let quote = bob.quotes(&post, "look").await;
    bob.delete(&post.path("")).await.refused(403, "FORBIDDEN");
    let deleted = ann.deletes(&post).await;
    assert_eq!(deleted.data()["isDeleted"], true);

    ann.delete(&post.path("")).await.refused(404, "NOT_FOUND");
    bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
    bob.get(&post.path("/replies")).await.refused(404, "NOT_FOUND");
    for (route, body) in [
        ("/like", json!({"isLiked": true})),
        ("/reply", json!({"content": "x"})),
        ("/quote", json!({"content": "x"})),
        ("/repost", Value::Null),
        ("/hide", Value::Null),
        ("/save", Value::Null),
        ("/report", json!({"reason": "x", "type": "post"})),
    ] {
        bob.post(&post.path(route), body).await.refused(404, "NOT_FOUND");
    }
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 0);
    let quote = bob.sees(&quote).await;
    assert_eq!((&quote["origin"], &quote["originPublicId"]), (&Value::Null, &json!(post.id)));
}

#[tokio::test]
async fn counts_equal_the_rows_that_exist() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let reply = bob.replies(&post, "one").await;
    ann.replies(&post, "two").await;
    let repost = bob.reposts(&post).await;
    let quote = bob.quotes(&post, "look").await;
    bob.quotes(&post, "look again").await;
    assert_eq!(counts(&bob.sees(&post).await), [2, 1, 2]);
    assert_eq!(bob.sees(&post).await["isQuoted"], true);

    for written in [&reply, &repost, &quote] {
        bob.deletes(written).await;
    }
    assert_eq!(counts(&bob.sees(&post).await), [1, 0, 1]);
    assert_eq!(bob.sees(&post).await["isQuoted"], true, "one quote is left");
    let again = bob.reposts(&post).await;
    assert_ne!(again.id, repost.id);
    assert_eq!(counts(&bob.sees(&post).await), [1, 1, 1]);
}

fn counts(post: &Value) -> [i64; 3] {
    ["repliesCount", "repostsCount", "quotesCount"].map(|count| post[count].as_i64().unwrap())
}

#[tokio::test]
async fn reposting_twice_is_reposting_once() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    let path = post.path("/repost");
    let (one, two) = tokio::join!(bob.post(&path, Value::Null), bob.post(&path, Value::Null));
    assert_eq!(one.ok().data()["publicId"], two.ok().data()["publicId"]);
    let repost = bob.reposts(&post).await;
    assert_eq!((&repost.json["type"], &repost.json["content"]), (&json!("REPOST"), &json!("")));
    assert_eq!(repost.json["origin"]["content"], "hello");

    let of_repost = cleo.reposts(&repost).await;
    assert_eq!(of_repost.json["originPublicId"], json!(post.id), "it points at the root");
    let of_quote = cleo.quotes(&repost, "look").await;
    assert_eq!(of_quote.json["originPostId"], json!(post.id));
    assert_eq!(counts(&ann.sees(&post).await), [0, 2, 1]);
}

#[tokio::test]
async fn replies_follow_the_permission_of_their_parent() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    for permission in ["NOBODY", "FOLLOWERS"] {
        let post = ann.posts(json!({ "content": "hush", "replyPermission": permission })).await;
        let answer = bob.post(&post.path("/reply"), json!({ "content": "but" })).await;
        answer.refused(403, "FORBIDDEN");
        ann.replies(&post, "the author may").await;
        assert_eq!(counts(&ann.sees(&post).await), [1, 0, 0]);
    }
}

#[tokio::test]
async fn a_follower_may_reply_where_only_followers_may() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.posts(json!({ "content": "hush", "replyPermission": "FOLLOWERS" })).await;
    bob.post("/user/ann/follower", json!({ "isFollowing": true })).await.ok();
    bob.replies(&post, "now I may").await;
    bob.post("/user/ann/follower", json!({ "isFollowing": false })).await.ok();
    bob.post(&post.path("/reply"), json!({ "content": "but" })).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn replies_come_newest_first_page_by_page() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let mut written = Vec::new();
    for number in 0..5 {
        written.push(bob.replies(&post, &format!("reply {number}")).await.id);
    }
    written.reverse();
    let first = world.anyone.get(&post.path("/replies?take=2")).await.ok();
    let after = first.after().unwrap().to_owned();
    bob.replies(&post, "in between").await;
    let rest = world.anyone.get(&post.path(&format!("/replies?after={after}"))).await.ok();
    let seen: Vec<_> = first.column("publicId").into_iter().chain(rest.column("publicId")).collect();
    assert_eq!(seen, written.iter().map(|it| json!(it)).collect::<Vec<_>>());
    assert_eq!(rest.after(), None);
}

#[tokio::test]
async fn a_thread_shows_what_a_reply_answers() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let top = ann.writes("top").await;
    let middle = bob.replies(&top, "middle").await;
    let bottom = ann.replies(&middle, "bottom").await;
    let thread = bob.get(&bottom.path("/context")).await.ok();
    let ancestors: Vec<_> =
        thread.data()["ancestors"].as_array().unwrap().iter().map(|it| it["content"].clone()).collect();
    assert_eq!(ancestors, ["top", "middle"]);
    assert_eq!(thread.data()["post"]["parentPublicId"], json!(middle.id));
    bob.deletes(&middle).await;
    let thread = bob.get(&bottom.path("/context")).await.ok();
    assert_eq!(thread.data()["ancestors"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_hidden_post_leaves_lists_and_stays_readable() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let reply = ann.replies(&post, "me too").await;
    ann.post(&post.path("/hide"), Value::Null).await.refused(400, "VALIDATION_FAILED");
    for (hidden, shown) in [(true, 0), (false, 1)] {
        for it in [&post, &reply] {
            let answer = bob.post(&it.path("/hide"), Value::Null).await.ok();
            assert_eq!(answer.data(), &json!({ "publicId": it.id, "isGhost": hidden }));
        }
        assert_eq!(bob.get("/posts/news-feed").await.ok().rows().len(), shown);
        assert_eq!(bob.get(&post.path("/replies")).await.ok().rows().len(), shown);
        assert_eq!(bob.sees(&post).await["isGhost"], hidden);
    }
}

#[tokio::test]
async fn the_same_request_again_gets_the_same_answer_and_writes_once() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let body = json!({ "content": "once" });
    let first = ann.post_once("key-1", "/posts", body.clone()).await.ok();
    let again = ann.post_once("key-1", "/api/v1/posts", body.clone()).await;
    assert_eq!((again.status, again.data()), (201, first.data()));
    let other = ann.post_once("key-1", "/posts", json!({ "content": "twice" })).await;
    other.refused(400, "VALIDATION_FAILED");
    bob.post_once("key-1", "/posts", json!({ "content": "bob's own" })).await.ok();

    let (one, two) =
        tokio::join!(ann.post_once("key-2", "/posts", body.clone()), ann.post_once("key-2", "/posts", body));
    assert_eq!(one.ok().data()["publicId"], two.ok().data()["publicId"]);
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 3);

    let post = Post::of(&first);
    for _ in 0..2 {
        ann.post_once("key-3", &post.path("/reply"), json!({ "content": "r" })).await.ok();
        bob.post_once("key-4", &post.path("/quote"), json!({ "content": "q" })).await.ok();
    }
    assert_eq!(counts(&ann.sees(&post).await), [1, 0, 1]);
}

#[tokio::test]
async fn a_post_whose_job_was_not_queued_is_repaired_by_repeating() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    world.settle().await;
    world.faults.plan("SendMessage", Fault::Refused, 0, 10);
    let body = json!({ "content": "once" });
    let failed = ann.post_once("key", "/posts", body.clone()).await;
    assert_eq!(failed.refused(500, "INTERNAL_SERVER_ERROR"), "something went wrong");
    assert!(world.faults.calm() > 0);
    ann.post_once("key", "/posts", body).await.ok();
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 1);
    assert_eq!(queued(&world, "search-index"), 1);
}

#[tokio::test]
async fn only_posts_of_type_post_are_queued_for_the_search_index() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    world.settle().await;
    let post = ann.writes("hello").await;
    bob.replies(&post, "reply").await;
    bob.quotes(&post, "quote").await;
    bob.reposts(&post).await;
    assert_eq!(queued(&world, "search-index"), 1);
}

#[tokio::test]
async fn reports_are_kept_and_those_of_posts_and_circles_queued() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    let path = post.path("/report");
    for (kind, jobs) in [("post", 1), ("user", 1), ("circle", 2), ("post", 3)] {
        let answer = bob.post(&path, json!({ "reason": "spam", "type": kind })).await.ok();
        assert_eq!((answer.status, &answer.data()["status"]), (201, &json!("PENDING")));
        assert_eq!(queued(&world, "report-evaluation"), jobs, "{kind}");
    }
    ann.post(&path, json!({ "reason": "mine", "type": "post" })).await.refused(400, "VALIDATION_FAILED");
    for body in [
        json!({"type": "post"}),
        json!({"reason": " ", "type": "post"}),
        json!({"reason": "x", "type": "POST"}),
        json!({"reason": "x".repeat(1001), "type": "post"}),
    ] {
        bob.post(&path, body).await.refused(400, "VALIDATION_FAILED");
    }
    assert_eq!(queued(&world, "report-evaluation"), 3);
}

#[tokio::test]
async fn saved_posts_are_listed_newest_save_first() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let posts = [ann.writes("one").await, ann.writes("two").await, ann.writes("three").await];
    for post in [&posts[2], &posts[0], &posts[1]] {
        let answer = bob.post(&post.path("/save"), Value::Null).await.ok();
        assert_eq!(answer.data(), &json!({ "saved": true }));
    }
    bob.post(&posts[0].path("/save"), json!({ "isSaved": true })).await.ok();
    let first = bob.get("/posts/me/saved?take=1").await.ok();
    assert_eq!(first.column("content"), ["two"]);
    let after = first.after().unwrap().to_owned();
    bob.post(&posts[1].path("/save"), json!({ "isSaved": false })).await.ok();
    let rest = bob.get(&format!("/posts/me/saved?after={after}")).await.ok();
    assert_eq!(rest.column("content"), ["one", "three"], "a cursor that was forgotten still works");
    ann.deletes(&posts[0]).await;
    assert_eq!(bob.get("/posts/me/saved").await.ok().column("content"), ["three"]);
    assert!(ann.get("/posts/me/saved").await.ok().rows().is_empty());
}

#[tokio::test]
async fn without_proposed_features_saving_is_a_stub_and_the_list_is_not_there() {
    let world = World::with(&[("PROPOSED_FEATURES", "off")]).await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    let answer = ann.post(&post.path("/save"), Value::Null).await.ok();
    assert_eq!(answer.data(), &json!({ "saved": true }));
    for path in ["/posts/me/saved", "/api/v1/posts/me/saved"] {
        ann.get(path).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn enforced_visibility_leaves_private_posts_to_their_author() {
    let world = World::with(&[("ENFORCE_VISIBILITY", "on")]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    for visibility in ["PRIVATE", "FRIEND"] {
        let hidden = ann.posts(json!({ "content": "mine", "visibility": visibility })).await;
        bob.get(&hidden.path("")).await.refused(404, "NOT_FOUND");
        world.anyone.get(&hidden.path("")).await.refused(404, "NOT_FOUND");
        ann.sees(&hidden).await;
        ann.post(&post.path("/reply"), json!({ "content": "r", "visibility": visibility })).await.ok();
    }
    assert_eq!(bob.get(&post.path("/replies")).await.ok().rows().len(), 0);
    assert_eq!(ann.get(&post.path("/replies")).await.ok().rows().len(), 2);
    assert_eq!(bob.get("/posts/news-feed?take=1").await.ok().column("content"), ["hello"]);
    let friendly = ann.posts(json!({ "content": "ours", "visibility": "FRIEND" })).await;
    let quote = ann.quotes(&friendly, "see").await;
    bob.post("/user/ann/follower", json!({ "isFollowing": true })).await.ok();
    bob.get(&friendly.path("")).await.refused(404, "NOT_FOUND");
    assert!(bob.sees(&quote).await["origin"].is_null());
    ann.post("/user/bob/follower", json!({ "isFollowing": true })).await.ok();
    assert_eq!(bob.sees(&friendly).await["content"], "ours", "friends follow one another");
    assert_eq!(bob.sees(&quote).await["origin"]["content"], "ours");
    world.settle().await;
    let feed = bob.get("/posts/news-feed?type=FOLLOWING").await.ok();
    assert_eq!(feed.column("content"), ["see", "ours", "mine", "hello"], "only the private one is left out");
}

#[tokio::test]
async fn a_post_nobody_wrote_is_not_found() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    for id in ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "not-an-id", "%00"] {
        ann.get(&format!("/posts/{id}")).await.refused(404, "NOT_FOUND");
        let like = ann.post(&format!("/posts/{id}/like"), json!({ "isLiked": true })).await;
        like.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn what_people_do_is_logged_once_a_target_and_day() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    for _ in 0..2 {
        bob.likes(&post).await;
        world.settle().await;
        bob.unlikes(&post).await;
        world.settle().await;
        let quote = bob.quotes(&post, "look").await;
        bob.deletes(&quote).await;
        let repost = bob.reposts(&post).await;
        bob.deletes(&repost).await;
        let reply = bob.replies(&post, "me too").await;
        bob.deletes(&reply).await;
    }
    let day = "2026-01-01";
    let of_post = |kind: &str| format!("ACTION#{kind}#{day}#{}", post.id);
    let kinds = ["LIKE_CREATED", "QUOTE_CREATED", "QUOTE_DELETED", "SHARE_CREATED", "SHARE_DELETED"];
    assert_eq!(logged(&world, &bob).await, kinds.map(of_post));
    assert_eq!(logged(&world, &ann).await, [of_post("POST_CREATED")]);
    ann.deletes(&post).await;
    assert_eq!(logged(&world, &ann).await, [of_post("POST_CREATED"), of_post("POST_DELETED")]);
    world.advance(24 * 60 * 60).await;
    let late = ann.signs_in().await.writes("a day later").await;
    let next = format!("ACTION#POST_CREATED#2026-01-02#{}", late.id);
    assert!(logged(&world, &ann).await.contains(&next));
}

/// The sort keys of a person's action log.
async fn logged(world: &World, person: &Person) -> Vec<String> {
    let query = Query::partition(format!("USER#{}", person.id)).prefix("ACTION#");
    let actions: Vec<Action> = world.app().table.query(&query).await.unwrap();
    actions.iter().map(|it| it.key().sk).collect()
}

fn queued(world: &World, queue: &str) -> usize {
    world.stack.queues().iter().find(|it| it.name == queue).map_or(0, |it| it.visible)
}
