//! Members, name and picture of a crowd, which is a group of three or more users.

use serde_json::{Value, json};

use super::{
    adds, departs, group_chat, group_chat_beside, id, listed, makes, opens, removes, says, texts, unread,
};
use crate::{routes::UNKNOWN_ID, setup::sorted_statuses};

#[tokio::test]
async fn a_new_member_sees_only_later_messages() {
    let (world, [ann, bob, _cleo, dan], group) = group_chat_beside("dan").await;
    let before = id(&says(&ann, &group, "before").await);
    world.advance(7200).await;
    let [bob, dan, ann] = [bob.signs_in().await, dan.signs_in().await, ann.signs_in().await];
    let own = id(&makes(&dan, "crowd", &["ann", "bob"]).await);
    world.advance(1).await;
    let added = adds(&bob, &group, "dan").await.ok();
    assert_eq!((added.status, &added.data()["membersCount"]), (201, &json!(4)));
    assert_eq!(texts(&dan, &group).await, Vec::<Value>::new());
    let shown = listed(&dan, &group).await.unwrap();
    let fields = ["unreadCount", "lastMessagePreview", "lastMessageAt", "lastSeenMessageId"];
    assert_eq!(json!(fields.map(|field| &shown[field])), json!([0, null, null, null]));
    let order = dan.get("/message-group").await.ok().column("publicId");
    assert_eq!(order, [json!(group), json!(own)], "the group that dan joined most recently is listed first");
    let path = format!("/message-group/{group}/messages");
    dan.get(&format!("{path}?after={before}")).await.refused(404, "NOT_FOUND");
    dan.delete(&format!("{path}/{before}")).await.refused(404, "NOT_FOUND");

    world.advance(1).await;
    says(&ann, &group, "welcome").await;
    says(&dan, &group, "hello").await;
    assert_eq!(texts(&bob, &group).await.last(), Some(&json!("before")));
    let read = texts(&dan, &group).await;
    assert!(read.len() == 2 && !read.contains(&json!("before")), "{read:?}");
    assert_eq!(listed(&dan, &group).await.unwrap()["unreadCount"], 1);
    dan.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
    assert_eq!((unread(&dan).await, unread(&ann).await), (0, 1));
}

#[tokio::test]
async fn adding_a_group_member_again_has_no_effect() {
    let (_world, [ann, bob, _cleo, dan], group) = group_chat_beside("dan").await;
    let path = format!("/message-group/{group}/members");
    let body = json!({ "username": "dan" });
    for key in ["k", "k"] {
        assert_eq!(ann.post_once(key, &path, body.clone()).await.ok().status, 201);
    }
    let again = adds(&bob, &group, "DAN").await.ok();
    assert_eq!((again.status, &again.data()["membersCount"]), (200, &json!(4)));
    let twice = futures::join!(adds(&ann, &group, "dan"), adds(&bob, &group, "dan"));
    assert_eq!((twice.0.status, twice.1.status), (200, 200));
    assert!(listed(&dan, &group).await.is_some());
}

#[tokio::test]
async fn concurrent_additions_add_a_group_member_once() {
    let (_world, [ann, bob, _cleo, _dan], group) = group_chat_beside("dan").await;
    let (one, other) = futures::join!(adds(&ann, &group, "dan"), adds(&bob, &group, "dan"));
    assert_eq!(sorted_statuses(&one.ok(), &other.ok()), [200, 201]);
    assert_eq!(listed(&ann, &group).await.unwrap()["membersCount"], 4);
}

#[tokio::test]
async fn a_user_blocked_by_any_member_cannot_be_added() {
    let (_world, [ann, bob, cleo, dan], group) = group_chat_beside("dan").await;
    // A block between two current members does not prevent adding a third user.
    bob.blocks(&cleo).await;
    let mut refusals = Vec::new();
    for (blocker, blocked) in [(&dan, &cleo), (&cleo, &dan), (&ann, &dan)] {
        blocker.blocks(blocked).await;
        refusals.push(adds(&ann, &group, "dan").await.refused(403, "FORBIDDEN").to_owned());
        blocker.post(&blocked.path("/block"), Value::Null).await.ok();
    }
    let are_equal = refusals.iter().all(|refusal| *refusal == refusals[0]);
    assert!(are_equal, "the refusal does not reveal the blocker: {refusals:?}");
    assert!(["ann", "bob", "cleo", "dan"].iter().all(|name| !refusals[0].contains(name)), "{refusals:?}");
    adds(&ann, &group, "dan").await.ok();
}

#[tokio::test]
async fn only_members_can_add_existing_users_to_a_group_chat() {
    let (_world, [ann, _bob, _cleo, dan], group) = group_chat_beside("dan").await;
    let pair = opens(&ann, &["bob"]).await;
    adds(&dan, &group, "dan").await.refused(403, "FORBIDDEN");
    adds(&ann, &pair, "dan").await.refused(403, "FORBIDDEN");
    adds(&ann, &group, "unknown").await.refused(404, "NOT_FOUND");
    adds(&ann, UNKNOWN_ID, "dan").await.refused(404, "NOT_FOUND");
    for (body, field) in
        [(json!({}), "username"), (json!({ "username": "?" }), "username"), (json!({ "who": "dan" }), "")]
    {
        ann.post(&format!("/message-group/{group}/members"), body).await.invalid(field);
    }
}

#[tokio::test]
async fn any_member_can_set_a_group_chats_name_and_picture() {
    let (_world, [ann, bob, cleo, dan], group) = group_chat_beside("dan").await;
    let path = format!("/message-group/{group}");
    let picture = "https://example.com/run.png";
    let changed = bob.patch(&path, json!({ "name": "  Sunday runners ", "avatar": picture })).await.ok();
    let changed = changed.data();
    assert_eq!(json!([changed["name"], changed["avatar"]]), json!(["Sunday runners", picture]));
    cleo.patch(&path, json!({ "avatar": null })).await.ok();
    for member in [&ann, &bob, &cleo] {
        let shown = listed(member, &group).await.unwrap();
        assert_eq!((&shown["name"], &shown["avatar"]), (&json!("Sunday runners"), &Value::Null));
    }
    dan.patch(&path, json!({ "name": "Mine" })).await.refused(403, "FORBIDDEN");
    for (body, field) in [
        (json!({}), "the body"),
        (json!({ "name": " " }), "name"),
        (json!({ "name": "x".repeat(51) }), "name"),
        (json!({ "name": "\u{202e}emordnilap" }), "name"),
        (json!({ "avatar": "javascript:alert(1)" }), "avatar"),
    ] {
        ann.patch(&path, body).await.invalid(field);
    }
    let pair = opens(&ann, &["bob"]).await;
    ann.patch(&format!("/message-group/{pair}"), json!({ "name": "Us" })).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_returning_member_sees_only_later_messages() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    says(&bob, &group, "one").await;
    world.advance(1).await;
    removes(&ann, &group, &bob).await.ok();
    says(&ann, &group, "two").await;
    world.advance(1).await;
    adds(&cleo, &group, "bob").await.ok();
    world.advance(1).await;
    says(&ann, &group, "three").await;
    says(&bob, &group, "four").await;
    let read = texts(&bob, &group).await;
    assert!(read.len() == 2 && read.contains(&json!("three")), "{read:?}");
    assert_eq!((unread(&bob).await, unread(&ann).await, unread(&cleo).await), (1, 2, 4));
    departs(&bob, &group).await.ok();
    assert!(listed(&bob, &group).await.is_none());
}

#[tokio::test]
async fn a_muted_group_counts_unread_without_notifications() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    let path = format!("/message-group/{group}/mute");
    for (body, muted) in
        [(json!({ "isMuted": true }), true), (json!({ "isMuted": true }), true), (Value::Null, false)]
    {
        assert_eq!(bob.post(&path, body).await.ok().data(), &json!({ "publicId": group, "isMuted": muted }));
    }
    bob.post(&path, Value::Null).await.ok();
    says(&ann, &group, "hello").await;
    world.settle().await;
    world.advance_and_settle(40).await;
    let shown = listed(&bob, &group).await.unwrap();
    assert_eq!((&shown["isMuted"], &shown["unreadCount"]), (&json!(true), &json!(1)));
    assert_eq!(bob.get("/notification").await.ok().rows().len(), 0);
    assert_eq!(cleo.get("/notification").await.ok().column("type"), ["NEW_MESSAGE"]);
    ann.post(&path, json!({ "isMuted": 1 })).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn the_member_list_omits_blocked_users() {
    let (_world, [ann, bob, cleo, eve], group) = group_chat_beside("eve").await;
    let path = format!("/message-group/{group}/members");
    let mut expected = [&ann, &bob, &cleo];
    expected.sort_by_key(|member| &member.id);
    let expected = expected.map(|member| &member.public_id);
    assert_eq!(json!(bob.all_in_full_pages(&path, 2, "userId").await), json!(expected));
    let list = bob.get(&path).await.ok();
    let owners: Vec<_> = list.rows().iter().filter(|member| member["isOwner"] == true).collect();
    assert_eq!((owners.len(), &owners[0]["username"]), (1, &json!("ann")));
    cleo.blocks(&ann).await;
    for (user, hidden) in [(&ann, &cleo), (&cleo, &ann)] {
        let seen = user.get(&path).await.ok().column("userId");
        assert!(seen.len() == 2 && !seen.contains(&json!(hidden.public_id)), "{seen:?}");
    }
    eve.get(&path).await.refused(403, "FORBIDDEN");
}
