//! Polls: votes, counts, and notifications when a poll ends.

use futures::future::join_all;
use platform::time::Time;
use serde_json::{Value, json};
use tests::{Answer, Fault, Person, Post, World, check_cost};

use super::{drafts::at, world_enforcing};

#[tokio::test]
async fn a_post_contains_its_poll() {
    let (world, [ann, bob], post) = world_with_poll(json!({}), ["ann", "bob"]).await;
    let expected = json!({
        "options": [{ "text": "Tea", "votesCount": 0 }, { "text": "Coffee", "votesCount": 0 }],
        "votersCount": 0, "chosen": [], "multiple": false,
        "endsAt": "2026-01-01T01:00:00.000Z", "isEnded": false,
    });
    assert_eq!(ann.sees(&post).await["poll"], expected);
    let seen = &bob.sees(&post).await["poll"];
    assert_eq!(json!([seen["votersCount"], seen["options"][0]["votesCount"]]), json!([null, null]));
    let quote = bob.quotes(&post, "look").await;
    assert_eq!(&quote.json["origin"]["poll"], seen);
    let feed = world.anyone.get("/posts/news-feed").await.ok();
    assert_eq!(&feed.rows()[0]["poll"], seen);
}

#[tokio::test]
async fn a_voter_sees_the_vote_counts_at_once() {
    let (world, [_ann, bob, cid], post) = world_with_poll(json!({}), ["ann", "bob", "cid"]).await;
    let answer = votes(&bob, &post, &[1]).await.ok();
    for seen in [answer.data(), &bob.sees(&post).await["poll"]] {
        assert_eq!((counts(seen), &seen["chosen"]), ([0, 1, 1], &json!([1])));
    }
    world.settle().await;
    assert_eq!(counts(&bob.sees(&post).await["poll"]), [0, 1, 1], "the vote is counted once");
    assert_eq!(cid.sees(&post).await["poll"]["votersCount"], Value::Null, "cid sees no counts before voting");
    votes(&cid, &post, &[0]).await.ok();
    assert_eq!(counts(&cid.sees(&post).await["poll"]), [1, 1, 2]);
}

#[tokio::test]
async fn the_author_of_a_poll_always_sees_the_vote_counts() {
    let (world, [ann, bob], post) = world_with_poll(json!({}), ["ann", "bob"]).await;
    assert_eq!(counts(&post.json["poll"]), [0, 0, 0], "the response to the new post has the counts");
    votes(&bob, &post, &[1]).await.ok();
    world.settle().await;
    assert_eq!(counts(&ann.sees(&post).await["poll"]), [0, 1, 1]);
    for path in ["/posts/news-feed", "/posts/news-feed?type=FOLLOWING", "/user/ann/posts"] {
        assert_eq!(counts(&ann.get(path).await.ok().rows()[0]["poll"]), [0, 1, 1], "{path}");
    }
    let quote = bob.quotes(&post, "look").await;
    assert_eq!(counts(&ann.sees(&quote).await["origin"]["poll"]), [0, 1, 1]);
    let edited = ann.patch(&post.path(""), json!({ "content": "Tea?" })).await.ok();
    assert_eq!(counts(&edited.data()["poll"]), [0, 1, 1]);
}

#[tokio::test]
async fn a_vote_is_final() {
    let (world, [_ann, bob], post) = world_with_poll(json!({}), ["ann", "bob"]).await;
    let (one, other) = tokio::join!(votes(&bob, &post, &[0]), votes(&bob, &post, &[1]));
    let mut both = [one.status, other.status];
    both.sort_unstable();
    assert_eq!(both, [200, 400]);
    let refused = if one.status == 200 { other } else { one };
    refused.invalid("options: cannot be changed after a vote");
    let chosen = bob.sees(&post).await["poll"]["chosen"].clone();
    let path = post.path("/vote");
    bob.post(&path, json!({ "options": chosen })).await.ok();
    world.settle().await;
    let seen = bob.sees(&post).await["poll"].clone();
    assert_eq!((&seen["votersCount"], &seen["chosen"]), (&json!(1), &chosen));
}

#[tokio::test]
async fn a_multiple_choice_vote_counts_each_option() {
    let (world, [_ann, bob, cid], post) =
        world_with_poll(json!({ "options": ["a", "b", "c", "d"], "multiple": true }), ["ann", "bob", "cid"])
            .await;
    votes(&bob, &post, &[3, 0]).await.ok();
    votes(&cid, &post, &[0]).await.ok();
    world.settle().await;
    let seen = &bob.sees(&post).await["poll"];
    let counts = [0, 1, 2, 3].map(|option: usize| seen["options"][option]["votesCount"].clone());
    assert_eq!(json!([counts, seen["votersCount"]]), json!([[2, 0, 0, 1], 2]));
}

#[tokio::test]
async fn an_invalid_vote_is_refused() {
    let (_world, [ann, bob], post) = world_with_poll(json!({}), ["ann", "bob"]).await;
    for options in [&[][..], &[2], &[0, 1], &[255]] {
        votes(&bob, &post, options).await.invalid("options: ");
    }
    let plain = ann.writes("no poll").await;
    votes(&bob, &plain, &[0]).await.refused(404, "NOT_FOUND");
    ann.deletes(&post).await;
    votes(&bob, &post, &[0]).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_error_for_an_invalid_poll_names_the_field() {
    let (_world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    let long = "x".repeat(81);
    let bad = [
        (json!({ "options": ["a"] }), "poll.options: must have 2 to 4 options"),
        (json!({ "options": ["a", "b", "c", "d", "e"] }), "poll.options: must have 2 to 4 options"),
        (json!({ "options": ["a", " a "] }), "poll.options: must not contain options that look the same"),
        (json!({ "options": ["a", long] }), "poll.options[1]: must have 1 to 80 characters"),
        (json!({ "options": ["a", " "] }), "poll.options[1]: must have 1 to 80 characters"),
        (json!({ "durationMinutes": 4 }), "poll.durationMinutes: must be a whole number from 5 to 10080"),
        (json!({ "durationMinutes": 10081 }), "poll.durationMinutes: must be a whole number from 5 to 10080"),
    ];
    let answer = ann.post("/posts", json!({ "content": "Tea?", "poll": [["a", "b"], 60, false] })).await;
    let why = answer.refused(400, "VALIDATION_FAILED");
    assert!(why.starts_with("poll: ") && why.contains("an object"), "{why}");
    for (change, why) in bad {
        let body = json!({ "content": "Tea?", "poll": poll(change) });
        assert_eq!(ann.post("/posts", body).await.refused(400, "VALIDATION_FAILED"), why);
    }
    let post = posts_poll(&ann, json!({})).await;
    ann.patch(&post.path(""), json!({ "poll": poll(json!({})) })).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn an_ended_poll_refuses_votes_and_shows_all_users_the_counts() {
    let (world, [_ann, bob, cid], post) =
        world_with_poll(json!({ "durationMinutes": 5 }), ["ann", "bob", "cid"]).await;
    votes(&bob, &post, &[0]).await.ok();
    world.settle().await;
    world.advance(5 * 60).await;
    votes(&cid, &post, &[0]).await.invalid("options: cannot be chosen, because the poll has ended");
    votes(&bob, &post, &[1]).await.invalid("options: cannot be chosen, because the poll has ended");
    assert_eq!(counts(votes(&bob, &post, &[0]).await.ok().data()), [1, 0, 1], "a repeated vote is accepted");
    let answer = world.anyone.get(&post.path("")).await.ok();
    let seen = &answer.data()["poll"];
    assert_eq!((counts(seen), &seen["isEnded"]), ([1, 0, 1], &json!(true)));
}

#[tokio::test]
async fn the_author_and_voters_are_notified_once_when_a_poll_ends() {
    let (world, [ann, bob, cid, dan, eve], post) =
        world_with_poll(json!({ "durationMinutes": 5 }), ["ann", "bob", "cid", "dan", "eve"]).await;
    for voter in [&bob, &dan] {
        votes(voter, &post, &[0]).await.ok();
    }
    dan.post(&post.path("/mute"), Value::Null).await.ok();
    world.settle().await;
    let muted_by_author = posts_poll(&eve, json!({ "durationMinutes": 5 })).await;
    eve.post(&muted_by_author.path("/mute"), Value::Null).await.ok();
    let deleted = posts_poll(&eve, json!({ "durationMinutes": 5 })).await;
    votes(&bob, &deleted, &[0]).await.ok();
    eve.deletes(&deleted).await;
    for _ in 0..4 {
        world.advance_and_settle(120).await;
    }
    let messages = [
        (&ann, "Your poll has ended. Open it to see the result."),
        (&bob, "A poll you voted in has ended. Open it to see the result."),
    ];
    for (user, message) in messages {
        let answer = user.get("/notification").await.ok();
        let [row] = answer.rows() else { panic!("{answer}") };
        assert_eq!(row["message"], message);
        let fields = (&row["type"], &row["targetId"], &row["count"], &row["lastActorId"]);
        assert_eq!(fields, (&json!("POLL_ENDED"), &json!(post.id), &json!(1), &Value::Null));
    }
    for (user, why) in [(&cid, "did not vote"), (&dan, "mutes the thread"), (&eve, "mutes their own poll")] {
        assert_eq!(user.get("/notification").await.ok().rows().len(), 0, "{why}");
    }
}

#[tokio::test]
async fn each_vote_is_counted_once_despite_faults() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    let fans = world.fans(0..8).await;
    let post = posts_poll(&ann, json!({})).await;
    join_all(fans.iter().map(|fan| votes(fan, &post, &[1]))).await;
    world.faults.next("TransactWriteItems", Fault::CrashAfter);
    world.faults.next("TransactWriteItems", Fault::LostAnswer);
    world.faults.next("BatchWriteItem", Fault::Crash);
    world.settle().await;
    assert!(world.faults.calm() > 0);
    assert_eq!(counts(&fans[0].sees(&post).await["poll"]), [0, 8, 8]);
}

#[tokio::test]
async fn only_the_author_can_vote_in_a_private_poll() {
    let (_world, [ann, bob]) = world_enforcing("on", ["ann", "bob"]).await;
    let body = json!({ "content": "Tea?", "visibility": "PRIVATE", "poll": poll(json!({})) });
    let post = ann.posts(body).await;
    votes(&bob, &post, &[0]).await.refused(404, "NOT_FOUND");
    votes(&ann, &post, &[0]).await.ok();
}

#[tokio::test]
async fn account_deletion_removes_votes() {
    let (world, [_ann, bob, cid], post) = world_with_poll(json!({}), ["ann", "bob", "cid"]).await;
    for user in [&bob, &cid] {
        votes(user, &post, &[1]).await.ok();
    }
    world.settle().await;
    bob.leaves().await;
    world.settle().await;
    assert_eq!(counts(&cid.sees(&post).await["poll"]), [0, 1, 1]);
}

#[tokio::test]
async fn the_poll_of_a_draft_begins_at_publication() {
    let (world, [ann]) = World::builder().with_minute_ticks().start_with(["ann"]).await;
    let body = json!({ "content": "Tea?", "poll": poll(json!({})), "publishAt": at(&world, 300) });
    ann.post("/me/drafts", body).await.ok();
    world.advance_and_settle(360).await;
    let posts = ann.get("/user/ann/posts").await.ok();
    let (post, poll) = (&posts.rows()[0], &posts.rows()[0]["poll"]);
    let created: Time = post["createdAt"].as_str().unwrap().parse().unwrap();
    assert_eq!(poll["endsAt"], json!(created.plus_seconds(3600)));
}

#[tokio::test]
async fn poll_requests_stay_within_their_cost_budgets() {
    let (world, [ann, bob]) = World::builder().with_minute_ticks().start_with(["ann", "bob"]).await;
    let plain = ann.writes("plain").await;
    let post = posts_poll(&ann, json!({})).await;
    world.budget("vote", votes(&bob, &post, &[0])).await;
    let (_, without) = world.cost_of(bob.sees(&plain)).await;
    let (_, with) = world.cost_of(bob.sees(&post)).await;
    check_cost("a page with a poll, more", &(with - without));
}

fn poll(change: Value) -> Value {
    let mut poll = json!({ "options": ["Tea", "Coffee"], "durationMinutes": 60 });
    poll.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    poll
}

async fn posts_poll(user: &Person, change: Value) -> Post {
    user.posts(json!({ "content": "Tea or coffee?", "poll": poll(change) })).await
}

async fn votes(user: &Person, post: &Post, options: &[u8]) -> Answer {
    user.post(&post.path("/vote"), json!({ "options": options })).await
}

/// Starts a world with these users. The first user posts a poll.
async fn world_with_poll<const N: usize>(change: Value, names: [&str; N]) -> (World, [Person; N], Post) {
    let (world, people) = World::builder().with_minute_ticks().start_with(names).await;
    let post = posts_poll(&people[0], change).await;
    (world, people, post)
}

/// Returns the number of votes for each of the first two options, and the number of voters.
fn counts(poll: &Value) -> [i64; 3] {
    let option = |at: usize| poll["options"][at]["votesCount"].as_i64().unwrap();
    [option(0), option(1), poll["votersCount"].as_i64().unwrap()]
}
