//! Message groups and their messages.

mod changes;
mod costs;
mod departures;
mod groups;
mod marks;
mod members;
mod order;
mod reactions;
mod replies;

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Person, World, send};

use crate::{
    routes::UNKNOWN_ID,
    setup::{MANY_WRITES, ids_of_full_pages},
};

#[tokio::test]
async fn a_message_is_trimmed_stored_and_published_as_an_event() {
    let (world, [ann, bob], group) = private_group().await;
    world.advance(60).await;
    let (answer, cost) = world.cost_of(says(&ann, &group, "  hello \n")).await;
    assert_eq!((answer.status, cost.announcements), (201, 1));
    let message = answer.data();
    assert_eq!((&message["content"], &message["isMine"]), (&json!("hello"), &json!(true)));
    assert_eq!((&message["messageGroupId"], &message["senderId"]), (&json!(group), &json!(ann.public_id)));
    assert_eq!(message["sender"]["username"], "ann");
    let mut theirs = message.clone();
    theirs["isMine"] = json!(false);
    assert_eq!(reads(&bob, &group).await, [theirs]);
    let mine = bob.get("/message-group").await.ok().rows()[0].clone();
    assert_eq!(mine["lastMessageAt"], "2026-01-01T00:01:00.000Z");
    assert_eq!(mine["lastMessagePreview"], "hello");
}

#[tokio::test]
async fn a_message_has_1_to_1000_characters_after_trimming() {
    let (_world, [ann, _bob], group) = private_group().await;
    let path = format!("/message-group/{group}/messages");
    says(&ann, &group, &format!(" {} ", "ế".repeat(1000))).await;
    for content in ["", " \n ", &"x".repeat(1001)] {
        let answer = ann.post(&path, json!({ "content": content })).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "content: must have 1 to 1000 characters");
    }
    assert_eq!(ann.get(&path).await.ok().rows().len(), 1);
}

#[tokio::test]
async fn only_members_can_read_and_write_group_messages() {
    let (world, [ann, _bob, eve]) = World::with(["ann", "bob", "eve"]).await;
    let group = opens(&ann, &["bob"]).await;
    let path = format!("/message-group/{group}/messages");
    eve.post(&path, json!({ "content": "hi" })).await.refused(403, "FORBIDDEN");
    eve.get(&path).await.refused(403, "FORBIDDEN");
    eve.patch(&format!("/message-group/{group}/read"), Value::Null).await.refused(403, "FORBIDDEN");
    world.anyone.get(&path).await.refused(401, "UNAUTHORIZED");
    for nothing in [UNKNOWN_ID, "nonsense"] {
        let path = format!("/message-group/{nothing}/messages");
        ann.post(&path, json!({ "content": "hi" })).await.refused(404, "NOT_FOUND");
        ann.get(&path).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn new_messages_do_not_change_later_pages_of_messages() {
    let (_world, [ann, bob]) = World::builder().settings(MANY_WRITES).start_with(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let mut written = Vec::new();
    for number in 0..25 {
        written.push(says(&ann, &group, &number.to_string()).await.data()["publicId"].clone());
    }
    written.reverse();
    let path = format!("/message-group/{group}/messages");
    let meanwhile = async || drop(says(&ann, &group, "meanwhile").await);
    assert_eq!(ids_of_full_pages(&bob, &path, 7, meanwhile).await, written);
}

#[tokio::test]
async fn a_message_cursor_of_another_group_is_not_found() {
    let (_world, [ann, _bob, _cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let (one, other) = (opens(&ann, &["bob"]).await, opens(&ann, &["cleo"]).await);
    let message = id(&says(&ann, &other, "hi").await);
    let path = format!("/message-group/{one}/messages");
    ann.get(&format!("{path}?after={message}")).await.refused(404, "NOT_FOUND");
    ann.get(&format!("{path}?after=nonsense")).await.invalid("after");
}

#[tokio::test]
async fn an_idempotent_retry_sends_one_message() {
    let (_world, [ann, bob], group) = private_group().await;
    let path = format!("/message-group/{group}/messages");
    let first = ann.post_once("k", &path, json!({ "content": "hi" })).await.ok();
    let again = ann.post_once("k", &path, json!({ "content": "hi" })).await.ok();
    assert_eq!(first.data(), again.data());
    assert_eq!((ann.get(&path).await.ok().rows().len(), unread(&bob).await), (1, 1));
}

#[tokio::test]
async fn an_idempotent_retry_publishes_one_message_event() {
    let (world, [ann, bob], group) = private_group().await;
    let path = format!("/message-group/{group}/messages");
    for announcements in [1, 0] {
        let (answer, cost) = world.cost_of(ann.post_once("k", &path, json!({ "content": "hi" }))).await;
        assert_eq!((answer.status, cost.announcements, unread(&bob).await), (201, announcements, 1));
    }
}

#[tokio::test]
async fn concurrent_messages_are_all_counted_as_unread() {
    let (_world, [ann, bob, cleo], group) = group_chat().await;
    let texts: Vec<_> = (0..20).map(|number| number.to_string()).collect();
    let sends = texts.iter().flat_map(|text| [says(&ann, &group, text), says(&bob, &group, text)]);
    futures::future::join_all(sends).await;
    assert_eq!([unread(&ann).await, unread(&bob).await, unread(&cleo).await], [20, 20, 40]);
    let newest = cleo.get(&format!("/message-group/{group}/messages?take=1")).await.ok().rows()[0].clone();
    let listed = cleo.get("/message-group").await.ok().rows()[0].clone();
    assert_eq!(listed["lastMessagePreview"], newest["content"]);
    assert_eq!(listed["lastMessageAt"], newest["createdAt"]);
    let read = cleo.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
    assert_eq!(read.data()["lastSeenMessageId"], newest["publicId"]);
    assert_eq!(read.data()["unreadCount"], 0);
}

/// Starts a world with ann and bob. Returns their private group.
pub(crate) async fn private_group() -> (World, [Person; 2], String) {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    (world, [ann, bob], group)
}

/// Starts a world with ann, bob and cleo. Returns a group chat that ann owns.
pub(crate) async fn group_chat() -> (World, [Person; 3], String) {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    (world, [ann, bob, cleo], group)
}

/// Works as [`group_chat`] does, but the world also has a user who is not in the group.
pub(crate) async fn group_chat_beside(other: &str) -> (World, [Person; 4], String) {
    let (world, people) = World::with(["ann", "bob", "cleo", other]).await;
    let group = id(&makes(&people[0], "crowd", &["bob", "cleo"]).await);
    (world, people, group)
}

pub(crate) async fn makes(person: &Person, kind: &str, members: &[&str]) -> Answer {
    person.post("/message-group", json!({ "type": kind, "members": members })).await.ok()
}

pub(crate) async fn opens(person: &Person, members: &[&str]) -> String {
    id(&makes(person, "private", members).await)
}

pub(crate) async fn says(person: &Person, group: &str, text: &str) -> Answer {
    person.post(&format!("/message-group/{group}/messages"), json!({ "content": text })).await.ok()
}

/// Reacts to a message. A null `emoji` removes the reaction.
pub(crate) async fn reacts(user: &Person, group: &str, message: &str, emoji: impl Into<Value>) -> Answer {
    let path = format!("/message-group/{group}/messages/{message}/reaction");
    send(user.request(Method::PUT, &path).json(&json!({ "emoji": emoji.into() }))).await
}

/// Returns the messages on the user's first page of a group, newest first.
pub(crate) async fn reads(person: &Person, group: &str) -> Vec<Value> {
    person.get(&format!("/message-group/{group}/messages")).await.ok().rows().to_vec()
}

/// Returns the texts of the messages that [`reads`] returns.
pub(crate) async fn texts(person: &Person, group: &str) -> Vec<Value> {
    reads(person, group).await.iter().map(|message| message["content"].clone()).collect()
}

/// Adds a user to a group.
pub(crate) async fn adds(person: &Person, group: &str, username: &str) -> Answer {
    person.post(&format!("/message-group/{group}/members"), json!({ "username": username })).await
}

pub(crate) async fn departs(person: &Person, group: &str) -> Answer {
    person.post(&format!("/message-group/{group}/leave"), Value::Null).await
}

pub(crate) async fn removes(person: &Person, group: &str, target: &Person) -> Answer {
    person.delete(&format!("/message-group/{group}/members/{}", target.id)).await
}

/// Returns the group in the user's list of groups, or `None` if it is not listed.
pub(crate) async fn listed(person: &Person, group: &str) -> Option<Value> {
    let groups = person.get("/message-group").await.ok();
    groups.rows().iter().find(|row| row["publicId"] == group).cloned()
}

/// Returns the unread count of the user's newest group.
pub(crate) async fn unread(person: &Person) -> i64 {
    person.get("/message-group").await.ok().rows()[0]["unreadCount"].as_i64().unwrap()
}

pub(crate) fn id(answer: &Answer) -> String {
    answer.data()["publicId"].as_str().unwrap().to_owned()
}
