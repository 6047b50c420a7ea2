//! Notifications: grouped, counted once whatever crashes, and unread until they are read.

use std::sync::Arc;

use aws_sdk_dynamodb::types::AttributeValue;
use futures::{StreamExt, stream};
use local::Chaos;
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde_json::{Value, json};
use shared::{
    App,
    id::{PostId, UserId},
    idempotency::Once,
    posts,
    settings::Settings,
    table::Write,
    users::{self, User, Username},
};
use tests::{Fault, Person, Post, World};

const TICK: &str = "notification-tick";

#[tokio::test]
async fn a_reply_reaches_its_author_as_one_notification_within_40_seconds() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    world.advance(500).await;
    world.settle().await;
    bob.replies(&post, "hi").await;
    assert_eq!(notifications(&ann).await, Vec::<Value>::new(), "not before the job runs");
    ticks(&world).await;
    let groups = notifications(&ann).await;
    assert_eq!(groups.len(), 1);
    let group = &groups[0];
    assert_eq!((&group["type"], &group["targetType"]), (&json!("POST"), &json!("REPLY")));
    assert_eq!((&group["targetId"], &group["recipientId"]), (&json!(post.id), &json!(ann.id)));
    assert_eq!((&group["count"], &group["isRead"]), (&json!(1), &json!(false)));
    assert_eq!((&group["actorIds"], &group["lastActorId"]), (&json!([bob.id]), &json!(bob.id)));
    assert_eq!(
        (&group["actors"][0]["username"], &group["actors"][0]["userId"]),
        (&json!("bob"), &json!(bob.id))
    );
    assert_eq!(group["lastEventAt"], "2026-01-01T00:08:20.000Z");
    assert_eq!(group["message"], "bob replied to your post");
    assert_eq!(notifications(&bob).await, Vec::<Value>::new());
}

#[tokio::test]
async fn an_existing_group_is_updated_instead_of_duplicated() {
    let world = World::new().await;
    let [ann, bob, cleo, dan] = world.people(["ann", "bob", "cleo", "dan"]).await;
    let post = ann.writes("hello").await;
    bob.replies(&post, "1").await;
    cleo.replies(&post, "2").await;
    ticks(&world).await;
    let first = one(&ann).await;
    assert_eq!((&first["count"], &first["actorIds"]), (&json!(2), &json!([cleo.id, bob.id])));
    assert_eq!(first["message"], "cleo and bob replied to your post");
    ann.patch(&path(&first), Value::Null).await.ok();
    assert_eq!(one(&ann).await["isRead"], true);

    dan.replies(&post, "3").await;
    bob.replies(&post, "4").await;
    bob.replies(&post, "5").await;
    ticks(&world).await;
    let again = one(&ann).await;
    assert_eq!(again["publicId"], first["publicId"]);
    assert_eq!((&again["count"], &again["isRead"]), (&json!(5), &json!(false)));
    assert_eq!(again["actorIds"], json!([bob.id, dan.id, cleo.id]));
    assert_eq!(again["message"], "bob and 2 others replied to your post");
}

#[tokio::test]
async fn metadata_is_written_on_every_event() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    // What the defect left behind: a count, and nothing that says of what.
    seed(&world, &pending(&ann, &post), &[("count", n(3))]).await;
    bob.replies(&post, "hi").await;
    ticks(&world).await;
    assert_eq!(one(&ann).await["count"], 4);
    assert_eq!(left(&world, &pending(&ann, &post)).await, None);
}

#[tokio::test]
async fn an_invalid_record_is_removed_whole() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let (invalid, text) = (pending(&ann, &post), pending(&bob, &post));
    let place = |since: &str| [("gsi1pk", s("PENDING#0")), ("gsi1sk", s(since))];
    let only_a_count = [&place("0")[..], &[("count", n(3))]].concat();
    let no_number = [&place("1")[..], &[("count", s("three")), ("authorId", s(&ann.id))]].concat();
    seed(&world, &invalid, &only_a_count).await;
    seed(&world, &text, &no_number).await;
    let (_, cost) = world.cost_of(ticks(&world)).await;
    assert_eq!((left(&world, &invalid).await, left(&world, &text).await), (None, None));
    assert_eq!((notifications(&ann).await.len(), cost.events), (0, 0));
}

#[tokio::test]
async fn an_empty_batch_writes_and_triggers_nothing() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    world.settle().await;
    let (_, cost) = world.cost_of(ticks(&world)).await;
    assert!(cost.calls > 0, "the job ran");
    assert_eq!((cost.wru, cost.events, cost.sends), (0.0, 0, 0), "{cost:?}");
    assert_eq!(
        ann.get("/notification/unread").await.ok().data(),
        &json!({ "hasUnread": false, "unreadCount": 0 })
    );
}

#[tokio::test]
async fn a_batch_is_told_once_and_each_group_to_its_recipient() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    for _ in 0..3 {
        let post = ann.writes("hello").await;
        bob.replies(&post, "hi").await;
        bob.replies(&post, "there").await;
    }
    let (_, cost) = world.cost_of(ticks(&world)).await;
    assert_eq!(cost.events, 1 + 3);
}

#[tokio::test]
async fn nobody_is_notified_of_their_own_reply() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    ann.replies(&post, "and").await;
    assert_eq!(left(&world, &pending(&ann, &post)).await, None);
    ticks(&world).await;
    assert_eq!(notifications(&ann).await.len(), 0);
}

#[tokio::test]
async fn a_run_takes_the_oldest_and_a_full_one_asks_for_another() {
    let world = World::with(&[("NOTIFICATION_KEYS_PER_RUN", "2")]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let mut written = Vec::new();
    for _ in 0..5 {
        let post = ann.writes("hello").await;
        world.advance(1).await;
        bob.replies(&post, "hi").await;
        written.push(json!(post.id));
    }
    world.advance(40).await;
    // The first run goes well, the one that it asks for does not.
    world.faults.plan("TransactWriteItems", Fault::Refused, 2, 1000);
    world.stack.settle(None).await.unwrap();
    let first: Vec<_> = notifications(&ann).await.iter().map(|it| it["targetId"].clone()).collect();
    assert_eq!(first, [written[1].clone(), written[0].clone()]);
    world.faults.calm();
    world.advance(40).await;
    world.stack.settle(None).await.unwrap();
    assert_eq!(notifications(&ann).await.len(), 5);
}

#[tokio::test]
async fn wherever_the_job_crashes_a_reply_counts_once_and_is_told() {
    let world = World::with(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let mut count = 0;
    for operation in ["GetItem", "Query", "BatchGetItem", "TransactWriteItems", "PutEvents", "BatchWriteItem"]
    {
        for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer] {
            bob.replies(&post, "hi").await;
            count += 1;
            world.advance(40).await;
            world.faults.next(operation, fault);
            let (_, cost) = world.cost_of(world.settle()).await;
            assert_eq!(world.faults.calm(), 1, "{operation} {fault:?}");
            assert_eq!(one(&ann).await["count"], count, "{operation} {fault:?}");
            assert!(cost.events >= 2, "{operation} {fault:?}: {cost:?}");
        }
    }
}

#[tokio::test]
async fn a_reply_that_is_sent_again_with_its_key_counts_once() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    for fault in [None, Some(Fault::LostAnswer), Some(Fault::CrashAfter)] {
        if let Some(fault) = fault {
            world.faults.next("TransactWriteItems", fault);
        }
        let body = json!({ "content": "hi" });
        bob.post_once(&format!("{fault:?}"), &post.path("/reply"), body.clone()).await;
        world.faults.calm();
        bob.post_once(&format!("{fault:?}"), &post.path("/reply"), body).await.ok();
    }
    ticks(&world).await;
    assert_eq!(one(&ann).await["count"], 3);
}

#[tokio::test]
async fn what_happens_in_a_group_moves_it_to_the_head() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let posts = [ann.writes("one").await, ann.writes("two").await, ann.writes("three").await];
    for post in &posts {
        world.advance(1).await;
        bob.replies(post, "hi").await;
    }
    ticks(&world).await;
    bob.replies(&posts[0], "again").await;
    ticks(&world).await;
    let (mut seen, mut path) = (Vec::new(), "/notification?take=1".to_owned());
    loop {
        let page = ann.get(&path).await.ok();
        seen.extend(page.column("targetId"));
        assert_eq!(page.column("isRead"), [json!(false)]);
        let Some(after) = page.after() else { break };
        path = format!("/notification?take=1&after={after}");
    }
    assert_eq!(seen, [&posts[0], &posts[2], &posts[1]].map(|it| json!(it.id)));
}

#[tokio::test]
async fn what_is_read_stays_read_until_something_happens() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let posts = [ann.writes("one").await, ann.writes("two").await, ann.writes("three").await];
    for post in &posts {
        bob.replies(post, "hi").await;
    }
    ticks(&world).await;
    assert_eq!(unread(&ann).await, 3);
    let first = notifications(&ann).await[0].clone();
    for _ in 0..2 {
        let read = ann.patch(&path(&first), Value::Null).await.ok();
        assert_eq!(read.data(), &json!({ "publicId": first["publicId"], "isRead": true }));
        assert_eq!(unread(&ann).await, 2);
    }
    let all = ann.patch("/notification/read-all", Value::Null).await.ok();
    assert_eq!((all.data(), unread(&ann).await), (&json!({ "updated": 2 }), 0));
    assert!(notifications(&ann).await.iter().all(|it| it["isRead"] == true));
    bob.replies(&posts[1], "again").await;
    ticks(&world).await;
    assert_eq!(unread(&ann).await, 1);
    bob.patch(&path(&first), Value::Null).await.refused(404, "NOT_FOUND");
    ann.patch("/notification/nonsense/read", Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn groups_with_unread_messages_are_listed() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = ann.post("/message-group", json!({ "type": "private", "members": ["bob"] })).await.ok();
    let id = group.data()["publicId"].clone();
    assert_eq!(bob.get("/notification/message").await.ok().data(), &json!([]));
    let path = format!("/message-group/{}", id.as_str().unwrap());
    ann.post(&format!("{path}/messages"), json!({ "content": "hi" })).await.ok();
    let row = json!({
        "publicId": id, "groupType": "PRIVATE", "lastMessageAt": "2026-01-01T00:00:00.000Z", "unreadCount": 1,
    });
    assert_eq!(bob.get("/notification/message").await.ok().data(), &json!([row]));
    assert_eq!(ann.get("/notification/message").await.ok().data(), &json!([]), "own messages never count");
    bob.patch(&format!("{path}/read"), Value::Null).await.ok();
    assert_eq!(bob.get("/notification/message").await.ok().data(), &json!([]));
}

#[tokio::test]
async fn without_friend_requests_there_are_none() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    assert_eq!(ann.get("/notification/friend-request").await.ok().data(), &json!({ "count": 0 }));
    for path in ["", "/unread", "/message", "/friend-request"] {
        world.anyone.get(&format!("/notification{path}")).await.refused(401, "UNAUTHORIZED");
    }
}

#[tokio::test]
async fn many_replies_delivered_twice_and_shuffled_count_once_while_the_job_crashes() {
    crowd_replies(1_000, 250).await;
}

#[tokio::test]
#[ignore = "the same at full size, for a minute or two"]
async fn ten_thousand_replies_by_500_users_count_once_while_the_job_crashes() {
    crowd_replies(10_000, 500).await;
}

/// Replies by so many users, each delivered twice, in any order, while the job runs and crashes.
async fn crowd_replies(replies: usize, people: usize) {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post: PostId = ann.writes("hello").await.id.parse().unwrap();
    let app = signing_app(&world);
    let users = strangers(&app, &ann, people).await;
    let mut deliveries: Vec<_> = (0..replies).chain(0..replies).collect();
    deliveries.shuffle(&mut StdRng::seed_from_u64(7));
    let (mut written, mut struck) = (Vec::new(), 0);
    for (round, chunk) in deliveries.chunks(replies / 10).enumerate() {
        world.stack.fire(TICK).await.unwrap();
        let sent = stream::iter(chunk.iter().map(|it| reply(&app, users[it % people], post, *it)));
        let sent = sent.buffer_unordered(16).collect::<Vec<_>>();
        let (sent, _) = futures::join!(sent, world.stack.settle(None));
        written.extend(sent);
        world.stack.fire(TICK).await.unwrap();
        world.faults.storm(round as u64, 15, &[Fault::Crash, Fault::CrashAfter, Fault::LostAnswer]);
        world.stack.settle(Some(Chaos { seed: round as u64 })).await.unwrap();
        struck += world.faults.calm();
    }
    assert!(struck > 0);
    world.stack.fire(TICK).await.unwrap();
    world.stack.settle(None).await.unwrap();
    let group = one(&ann).await;
    assert_eq!(group["count"], replies);
    assert_eq!(group["actorIds"], json!(newest(written, 100)));
}

/// The newest distinct actors.
fn newest(mut written: Vec<(PostId, UserId)>, actors: usize) -> Vec<UserId> {
    written.sort_unstable();
    let mut newest = Vec::new();
    for (_, user) in written.into_iter().rev() {
        if newest.len() < actors && !newest.contains(&user) {
            newest.push(user);
        }
    }
    newest
}

async fn reply(app: &App, user: UserId, post: PostId, number: usize) -> (PostId, UserId) {
    let request = http::Request::builder().uri("/reply").header("idempotency-key", format!("r{number}"));
    let (parts, ()) = request.body(()).unwrap().into_parts();
    let once = Once::of(&parts, b"").unwrap();
    let draft = serde_json::from_value(json!({ "content": number.to_string() })).unwrap();
    (posts::reply(app, user, post, draft, &once).await.unwrap().id, user)
}

/// People who never signed up over HTTP, where hashing a password takes its time.
async fn strangers(app: &App, like: &Person, people: usize) -> Vec<UserId> {
    let model = users::find(app, like.id.parse().unwrap()).await.unwrap().unwrap();
    let mut ids = Vec::new();
    for number in 0..people {
        let username = Username::try_from(format!("user{number}")).unwrap();
        let user = User { id: app.ids.next_user(app.now()), username, ..model.clone() };
        app.table.write(Write::create(&user)).await.unwrap();
        ids.push(user.id);
    }
    ids
}

/// The product, able to seal idempotency keys.
fn signing_app(world: &World) -> App {
    let table = world.stack.table_name().to_owned();
    let settings = Settings::read(|name| match name {
        "TABLE_NAME" => Some(table.clone()),
        "JWT_SECRET" => Some("x".repeat(32)),
        _ => None,
    });
    let clock = world.stack.clock().clone();
    App::new(world.clients(), settings.unwrap(), Arc::new(move || clock.now()))
}

/// 40 seconds, and what the job does in them.
async fn ticks(world: &World) {
    world.advance(40).await;
    world.settle().await;
}

async fn notifications(person: &Person) -> Vec<Value> {
    person.get("/notification").await.ok().rows().to_vec()
}

async fn one(person: &Person) -> Value {
    let mut groups = notifications(person).await;
    assert_eq!(groups.len(), 1, "{groups:?}");
    groups.remove(0)
}

async fn unread(person: &Person) -> i64 {
    let answer = person.get("/notification/unread").await.ok();
    let count = answer.data()["unreadCount"].as_i64().unwrap();
    assert_eq!(answer.data()["hasUnread"], count > 0);
    count
}

fn path(group: &Value) -> String {
    format!("/notification/{}/read", group["publicId"].as_str().unwrap())
}

fn pending(author: &Person, post: &Post) -> String {
    format!("PENDING#{}#{}#POST", author.id, post.id)
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn n(number: i64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

async fn seed(world: &World, pk: &str, fields: &[(&str, AttributeValue)]) {
    let put = world.clients().dynamodb.put_item().table_name(world.stack.table_name());
    let put = put.item("pk", s(pk)).item("sk", s("PENDING"));
    let put = fields.iter().fold(put, |put, (name, value)| put.item(*name, value.clone()));
    put.send().await.unwrap();
}

async fn left(world: &World, pk: &str) -> Option<usize> {
    let get = world.clients().dynamodb.get_item().table_name(world.stack.table_name());
    let found = get.key("pk", s(pk)).key("sk", s("PENDING")).send().await.unwrap();
    found.item.map(|it| it.len())
}
