//! Message groups and what is written to them.

use serde_json::{Value, json};
use tests::{Answer, Fault, Person, World};

#[tokio::test]
async fn a_private_group_is_answered_whole() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let answer = makes(&ann, "private", &["bob"]).await;
    assert_eq!(answer.status, 201);
    let group = answer.data();
    assert_eq!(group["groupType"], "PRIVATE");
    assert_eq!(group["createdById"], json!(ann.id));
    assert_eq!(
        (&group["lastMessageAt"], &group["createdAt"]),
        (&Value::Null, &json!("2026-01-01T00:00:00.000Z"))
    );
    let members: Vec<_> =
        group["members"].as_array().unwrap().iter().map(|it| it["userId"].clone()).collect();
    assert_eq!(members, [json!(ann.id), json!(bob.id)]);
    assert_eq!(group["members"][1]["username"], "bob");
}

#[tokio::test]
async fn the_same_pair_again_is_the_same_group() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let first = makes(&ann, "private", &["bob"]).await;
    for again in [makes(&ann, "PRIVATE", &["BOB", "ann"]).await, makes(&bob, "private", &["ann"]).await] {
        assert_eq!((again.status, again.data()), (200, first.data()));
    }
}

#[tokio::test]
async fn two_who_make_their_group_at_once_get_one() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let (one, other) = futures::join!(makes(&ann, "private", &["bob"]), makes(&bob, "private", &["ann"]));
    assert_eq!(one.data()["publicId"], other.data()["publicId"]);
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 201]);
}

#[tokio::test]
async fn members_are_counted_after_unknown_names_are_left_out() {
    let world = World::new().await;
    let [ann, _bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    for (kind, members) in [
        ("private", &[][..]),
        ("private", &["ann"]),
        ("private", &["nobody"]),
        ("private", &["bob", "cleo"]),
        ("crowd", &[]),
        ("crowd", &["bob"]),
        ("crowd", &["bob", "BOB", "ann", "nobody"]),
    ] {
        let answer = ann.post("/message-group", json!({ "type": kind, "members": members })).await;
        assert!(
            answer.refused(400, "VALIDATION_FAILED").starts_with("members"),
            "{kind} {members:?}: {answer}"
        );
    }
    for (kind, members, count) in
        [("private", &["nobody", "not a name", "bob"][..], 2), ("crowd", &["bob", "nobody", "cleo"], 3)]
    {
        let group = makes(&ann, kind, members).await;
        assert_eq!(group.data()["members"].as_array().unwrap().len(), count);
    }
}

#[tokio::test]
async fn bad_groups_are_refused_by_the_name_of_the_field() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    for (body, field) in [
        (json!({ "members": ["bob"] }), "type"),
        (json!({ "type": "secret", "members": ["bob"] }), "type"),
        (json!({ "type": "private" }), "members"),
        (json!({ "type": "private", "members": "bob" }), "members"),
        (json!({ "type": "crowd", "members": vec!["bob"; 201] }), "members"),
    ] {
        let answer = ann.post("/message-group", body).await;
        assert!(answer.refused(400, "VALIDATION_FAILED").starts_with(field), "{answer}");
    }
}

#[tokio::test]
async fn a_crowd_has_at_most_98_members() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let names: Vec<_> = (0..98).map(|it| format!("fan{it:02}")).collect();
    for batch in names.chunks(20) {
        futures::future::join_all(batch.iter().map(|it| world.person(it))).await;
    }
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let refused = ann.post("/message-group", json!({ "type": "crowd", "members": names })).await;
    assert!(refused.refused(400, "VALIDATION_FAILED").starts_with("members"));
    let answer =
        ann.post_once("k", "/message-group", json!({ "type": "crowd", "members": names[1..] })).await;
    assert_eq!(answer.ok().data()["members"].as_array().unwrap().len(), 98);
}

#[tokio::test]
async fn a_message_is_trimmed_stored_and_told() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    world.advance(60).await;
    let (answer, cost) = world.cost_of(says(&ann, &group, "  hello \n")).await;
    assert_eq!((answer.status, cost.events), (201, 1));
    let message = answer.data();
    assert_eq!((&message["content"], &message["isMine"]), (&json!("hello"), &json!(true)));
    assert_eq!((&message["messageGroupId"], &message["senderId"]), (&json!(group), &json!(ann.id)));
    assert_eq!(message["sender"]["username"], "ann");
    let read = bob.get(&format!("/message-group/{group}/messages")).await.ok();
    let mut theirs = message.clone();
    theirs["isMine"] = json!(false);
    assert_eq!(read.rows(), [theirs]);
    let mine = bob.get("/message-group").await.ok().rows()[0].clone();
    assert_eq!(
        (&mine["lastMessageAt"], &mine["lastMessagePreview"]),
        (&json!("2026-01-01T00:01:00.000Z"), &json!("hello"))
    );
}

#[tokio::test]
async fn a_message_has_1_to_1000_characters_after_trimming() {
    let world = World::new().await;
    let [ann, _bob] = world.people(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let path = format!("/message-group/{group}/messages");
    says(&ann, &group, &format!(" {} ", "ế".repeat(1000))).await;
    for content in ["", " \n ", &"x".repeat(1001)] {
        let answer = ann.post(&path, json!({ "content": content })).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "content: must have 1 to 1000 characters");
    }
    assert_eq!(ann.get(&path).await.ok().rows().len(), 1);
}

#[tokio::test]
async fn only_members_write_and_read() {
    let world = World::new().await;
    let [ann, _bob, eve] = world.people(["ann", "bob", "eve"]).await;
    let group = opens(&ann, &["bob"]).await;
    let path = format!("/message-group/{group}/messages");
    eve.post(&path, json!({ "content": "hi" })).await.refused(403, "FORBIDDEN");
    eve.get(&path).await.refused(403, "FORBIDDEN");
    eve.patch(&format!("/message-group/{group}/read"), Value::Null).await.refused(403, "FORBIDDEN");
    world.anyone.get(&path).await.refused(401, "UNAUTHORIZED");
    for nothing in ["01KGB5T9G0A1B2C3D4E5F6G7H8", "nonsense"] {
        let path = format!("/message-group/{nothing}/messages");
        ann.post(&path, json!({ "content": "hi" })).await.refused(404, "NOT_FOUND");
        ann.get(&path).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn history_comes_page_by_page_while_others_write() {
    let world = World::with(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let mut written = Vec::new();
    for number in 0..25 {
        written.push(says(&ann, &group, &number.to_string()).await.data()["publicId"].clone());
    }
    written.reverse();
    let (mut seen, mut query) = (Vec::new(), "take=7".to_owned());
    loop {
        let page = bob.get(&format!("/message-group/{group}/messages?{query}")).await.ok();
        seen.extend(page.column("publicId"));
        says(&ann, &group, "meanwhile").await;
        let Some(after) = page.after() else { break };
        assert_eq!(page.rows().len(), 7);
        query = format!("take=7&after={after}");
    }
    assert_eq!(seen, written);
}

#[tokio::test]
async fn a_cursor_of_another_group_is_not_found() {
    let world = World::new().await;
    let [ann, _bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let (one, other) = (opens(&ann, &["bob"]).await, opens(&ann, &["cleo"]).await);
    let message = id(&says(&ann, &other, "hi").await);
    let path = format!("/message-group/{one}/messages");
    ann.get(&format!("{path}?after={message}")).await.refused(404, "NOT_FOUND");
    let refused = ann.get(&format!("{path}?after=nonsense")).await;
    assert!(refused.refused(400, "VALIDATION_FAILED").starts_with("after"));
}

#[tokio::test]
async fn what_others_wrote_is_unread_until_it_is_marked() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    for text in ["1", "2", "3"] {
        says(&ann, &group, text).await;
    }
    says(&bob, &group, "4").await;
    assert_eq!([unread(&ann).await, unread(&bob).await, unread(&cleo).await], [1, 3, 4]);
    let marked = bob.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
    assert_eq!(marked.data()["unreadCount"], 0);
    says(&bob, &group, "5").await;
    assert_eq!([unread(&ann).await, unread(&bob).await, unread(&cleo).await], [2, 0, 5]);
    says(&ann, &group, "6").await;
    assert_eq!([unread(&ann).await, unread(&bob).await, unread(&cleo).await], [2, 1, 6]);
}

#[tokio::test]
async fn a_mark_in_the_middle_leaves_what_comes_after_and_never_moves_back() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let mut sent = Vec::new();
    for text in ["1", "2", "3"] {
        sent.push(id(&says(&ann, &group, text).await));
        says(&bob, &group, "mine").await;
    }
    let path = format!("/message-group/{group}/read");
    for (up_to, left, mark) in [(1, 1, 1), (0, 1, 1), (2, 0, 2)] {
        let answer = bob.patch(&path, json!({ "lastSeenMessageId": sent[up_to] })).await.ok();
        let expected = json!({ "publicId": group, "lastSeenMessageId": sent[mark], "unreadCount": left });
        assert_eq!(answer.data(), &expected);
        assert_eq!(unread(&bob).await, left);
    }
    let stranger = json!({ "lastSeenMessageId": "7ZZZZZZZZZZZZZZZZZZZZZZZZZ" });
    bob.patch(&path, stranger).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn groups_are_listed_newest_message_first() {
    let world = World::new().await;
    let [ann, _bob, _cleo, _dan] = world.people(["ann", "bob", "cleo", "dan"]).await;
    let mut groups = Vec::new();
    for name in ["bob", "cleo", "dan"] {
        world.advance(1).await;
        groups.push(opens(&ann, &[name]).await);
    }
    let listed = ann.get("/message-group").await.ok().column("publicId");
    assert_eq!(listed, [json!(groups[2]), json!(groups[1]), json!(groups[0])]);
    world.advance(1).await;
    says(&ann, &groups[0], "hi").await;
    let mut seen = Vec::new();
    let mut path = "/message-group?take=1".to_owned();
    loop {
        let page = ann.get(&path).await.ok();
        seen.extend(page.column("publicId"));
        let Some(after) = page.after() else { break };
        path = format!("/message-group?take=1&after={after}");
    }
    assert_eq!(seen, [json!(groups[0]), json!(groups[2]), json!(groups[1])]);
    let after_row = ann.get(&format!("/message-group?after={}", groups[2])).await.ok();
    assert_eq!(after_row.column("publicId"), [json!(groups[1])], "a row's own id is a cursor too");
}

#[tokio::test]
async fn a_message_that_is_sent_again_with_its_key_is_one_message() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let path = format!("/message-group/{group}/messages");
    let first = ann.post_once("k", &path, json!({ "content": "hi" })).await.ok();
    let again = ann.post_once("k", &path, json!({ "content": "hi" })).await.ok();
    assert_eq!(first.data(), again.data());
    assert_eq!((ann.get(&path).await.ok().rows().len(), unread(&bob).await), (1, 1));
}

#[tokio::test]
async fn a_message_that_was_not_told_is_told_by_repeating() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let path = format!("/message-group/{group}/messages");
    world.faults.plan("PutEvents", Fault::Refused, 0, 10);
    ann.post_once("k", &path, json!({ "content": "hi" })).await.refused(500, "INTERNAL_SERVER_ERROR");
    assert!(world.faults.calm() > 0);
    let (again, cost) = world.cost_of(ann.post_once("k", &path, json!({ "content": "hi" }))).await;
    assert_eq!((again.status, cost.events, unread(&bob).await), (201, 1, 1));
}

#[tokio::test]
async fn messages_at_once_are_all_counted() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let texts: Vec<_> = (0..20).map(|it| it.to_string()).collect();
    let sends = texts.iter().flat_map(|it| [says(&ann, &group, it), says(&bob, &group, it)]);
    futures::future::join_all(sends).await;
    assert_eq!([unread(&ann).await, unread(&bob).await, unread(&cleo).await], [20, 20, 40]);
}

#[tokio::test]
async fn a_conversation_tells_how_far_each_message_has_come() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let body = json!({ "conversationId": group, "content": "https://example.com/a.png", "type": "image" });
    let sent = ann.post("/chat/message", body).await.ok();
    assert_eq!((&sent.data()["type"], &sent.data()["status"]), (&json!("IMAGE"), &json!("SENT")));
    let path = format!("/chat/{}/seen", id(&sent));
    for (reader, status, seen_at) in
        [(&bob, "DELIVERED", Value::Null), (&cleo, "SEEN", json!("2026-01-01T00:02:00.000Z"))]
    {
        world.advance(60).await;
        reader.patch(&path, Value::Null).await.ok();
        let row = ann.get(&format!("/chat/{group}/messages")).await.ok().rows()[0].clone();
        assert_eq!((&row["status"], &row["seenAt"]), (&json!(status), &seen_at));
    }
    let theirs = bob.get("/chat/conversations").await.ok().rows()[0].clone();
    assert_eq!((&theirs["lastSeenMessageId"], &theirs["unreadCount"]), (&json!(id(&sent)), &json!(0)));
    let eve = world.person("eve").await;
    eve.patch(&path, Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn without_proposed_features_there_is_no_chat() {
    let world = World::with(&[("PROPOSED_FEATURES", "off")]).await;
    let [ann, _bob] = world.people(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let body = json!({ "conversationId": group, "content": "hi" });
    ann.post("/chat/message", body).await.refused(404, "NOT_FOUND");
    ann.get("/chat/conversations").await.refused(404, "NOT_FOUND");
    ann.get(&format!("/chat/{group}/messages")).await.refused(404, "NOT_FOUND");
    assert_eq!(says(&ann, &group, "hi").await.status, 201);
}

#[tokio::test]
async fn a_block_closes_the_private_group_until_both_have_ended_it() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = opens(&ann, &["bob"]).await;
    let path = format!("/message-group/{group}/messages");
    let body = json!({ "content": "hi" });
    let block = async |who: &Person, whom: &str, wanted: bool| {
        who.post(&format!("/user/{whom}/block"), json!({ "isBlocked": wanted })).await.ok();
    };
    block(&ann, "bob", true).await;
    block(&bob, "ann", true).await;
    block(&ann, "bob", false).await;
    for person in [&ann, &bob] {
        person.post(&path, body.clone()).await.refused(403, "FORBIDDEN");
        person.get(&path).await.ok();
    }
    bob.post("/message-group", json!({ "type": "private", "members": ["ann"] }))
        .await
        .refused(403, "FORBIDDEN");
    block(&bob, "ann", false).await;
    says(&ann, &group, "hi").await;

    block(&cleo, "ann", true).await;
    for (kind, members) in [("private", &["cleo"][..]), ("crowd", &["bob", "cleo"])] {
        let draft = json!({ "type": kind, "members": members });
        ann.post("/message-group", draft).await.refused(403, "FORBIDDEN");
    }
    block(&cleo, "ann", false).await;
    opens(&ann, &["cleo"]).await;
}

async fn makes(person: &Person, kind: &str, members: &[&str]) -> Answer {
    person.post("/message-group", json!({ "type": kind, "members": members })).await.ok()
}

async fn opens(person: &Person, members: &[&str]) -> String {
    id(&makes(person, "private", members).await)
}

async fn says(person: &Person, group: &str, text: &str) -> Answer {
    person.post(&format!("/message-group/{group}/messages"), json!({ "content": text })).await.ok()
}

/// What the person has not read in the newest of their groups.
async fn unread(person: &Person) -> i64 {
    person.get("/message-group").await.ok().rows()[0]["unreadCount"].as_i64().unwrap()
}

fn id(answer: &Answer) -> String {
    answer.data()["publicId"].as_str().unwrap().to_owned()
}
