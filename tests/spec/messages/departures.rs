//! Leaving or being removed from a crowd, which is a group of three or more users.

use serde_json::{Value, json};
use tests::Fault;

use super::{
    adds, departs, group_chat, group_chat_beside, id, listed, private_group, removes, says, texts, unread,
};
use crate::deletion::traces::rows_with;

#[tokio::test]
async fn a_former_group_member_has_no_access_to_the_group() {
    let (_world, [ann, bob, cleo], group) = group_chat().await;
    let sent = id(&says(&bob, &group, "mine").await);
    let left = departs(&bob, &group).await.ok();
    let expected = json!({
        "messageGroupId": group, "userId": bob.public_id, "leftAt": "2026-01-01T00:00:00.000Z", "membersCount": 2
    });
    assert_eq!(left.data(), &expected);
    let path = format!("/message-group/{group}");
    let message = format!("{path}/messages/{sent}");
    bob.get(&format!("{path}/messages")).await.refused(403, "FORBIDDEN");
    bob.get(&format!("/chat/{group}/messages")).await.refused(403, "FORBIDDEN");
    bob.post(&format!("{path}/messages"), json!({ "content": "hi" })).await.refused(403, "FORBIDDEN");
    bob.patch(&format!("{path}/read"), Value::Null).await.refused(403, "FORBIDDEN");
    bob.patch(&path, json!({ "name": "Mine" })).await.refused(403, "FORBIDDEN");
    bob.patch(&message, json!({ "content": "hi" })).await.refused(403, "FORBIDDEN");
    bob.delete(&message).await.refused(403, "FORBIDDEN");
    bob.post(&format!("{path}/mute"), Value::Null).await.refused(403, "FORBIDDEN");
    adds(&bob, &group, "bob").await.refused(403, "FORBIDDEN");
    departs(&bob, &group).await.refused(403, "FORBIDDEN");
    let subscription = json!({ "socket_id": "1.1", "channel_name": format!("private-chat-{group}") });
    bob.post("/pusher/auth", subscription).await.refused(403, "FORBIDDEN");
    assert_eq!(bob.get("/message-group").await.ok().rows().len(), 0);
    assert_eq!(texts(&cleo, &group).await, ["mine"]);
    let shown = listed(&ann, &group).await.unwrap();
    assert_eq!((usernames(&shown), &shown["unreadCount"]), (vec!["ann", "cleo"], &json!(1)));
}

#[tokio::test]
async fn only_the_owner_can_remove_other_group_members() {
    let (_world, [ann, bob, cleo, dan], group) = group_chat_beside("dan").await;
    removes(&bob, &group, &cleo).await.refused(403, "FORBIDDEN");
    removes(&dan, &group, &cleo).await.refused(403, "FORBIDDEN");
    let subscription = json!({ "socket_id": "1.1", "channel_name": format!("private-chat-{group}") });
    dan.post("/pusher/auth", subscription).await.refused(403, "FORBIDDEN");
    removes(&ann, &group, &ann).await.refused(403, "FORBIDDEN");
    removes(&ann, &group, &dan).await.refused(404, "NOT_FOUND");
    let removed = removes(&ann, &group, &bob).await.ok();
    let removed = removed.data();
    assert_eq!(json!([removed["userId"], removed["membersCount"]]), json!([bob.public_id, 2]));
    removes(&ann, &group, &bob).await.refused(404, "NOT_FOUND");
    bob.get(&format!("/message-group/{group}/messages")).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_private_group_cannot_be_left() {
    let (_world, [ann, bob], group) = private_group().await;
    departs(&ann, &group).await.refused(403, "FORBIDDEN");
    let refused = removes(&ann, &group, &bob).await;
    assert!(refused.refused(403, "FORBIDDEN").contains("private group"), "{refused}");
}

#[tokio::test]
async fn the_longest_standing_member_inherits_a_group_chat() {
    let (world, [ann, bob, cleo, dan], group) = group_chat_beside("dan").await;
    let (heir, last) = if bob.id < cleo.id { (&bob, &cleo) } else { (&cleo, &bob) };
    world.advance(1).await;
    adds(&ann, &group, "dan").await.ok();
    departs(&ann, &group).await.ok();
    assert_eq!(listed(last, &group).await.unwrap()["createdById"], json!(heir.public_id));
    removes(last, &group, &dan).await.refused(403, "FORBIDDEN");
    departs(heir, &group).await.ok();
    assert_eq!(listed(&dan, &group).await.unwrap()["createdById"], json!(last.public_id), "dan joined later");
}

#[tokio::test]
async fn a_group_chat_ends_with_its_last_member() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    says(&ann, &group, "hello").await;
    for member in [&ann, &bob] {
        departs(member, &group).await.ok();
    }
    assert_eq!(departs(&cleo, &group).await.ok().data()["membersCount"], 0);
    cleo.get(&format!("/message-group/{group}/messages")).await.refused(404, "NOT_FOUND");
    world.settle().await;
    let left = rows_with(&world, &[&group]).await;
    assert!(left.iter().all(|row| row.contains("LEFTGROUP#")), "{left:?}");
}

#[tokio::test]
async fn concurrent_departures_keep_a_groups_member_list_consistent() {
    let (world, [ann, bob, cleo, _dan], group) = group_chat_beside("dan").await;
    let leaves = departs(&ann, &group);
    let meanwhile = async {
        adds(&bob, &group, "dan").await.ok();
        departs(&bob, &group).await.ok();
    };
    let (left, ()) = world.faults.while_held("TransactWriteItems", leaves, meanwhile).await;
    left.ok();
    let shown = listed(&cleo, &group).await.unwrap();
    assert_eq!((usernames(&shown), &shown["membersCount"]), (vec!["cleo", "dan"], &json!(2)));
    assert_eq!(shown["createdById"], json!(cleo.public_id));
}

#[tokio::test]
async fn a_removed_member_cannot_finish_sending_a_message() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    let body = json!({ "content": "too late" });
    let path = format!("/message-group/{group}/messages");
    let sends = bob.post(&path, body);
    let (sent, removed) =
        world.faults.while_held("TransactWriteItems", sends, removes(&ann, &group, &bob)).await;
    removed.ok();
    sent.refused(403, "FORBIDDEN");
    assert_eq!((texts(&cleo, &group).await.len(), unread(&ann).await), (0, 0));
}

#[tokio::test]
async fn leaving_a_group_counts_once_despite_a_lost_response() {
    let (world, [_ann, bob, cleo], group) = group_chat().await;
    world.faults.next("TransactWriteItems", Fault::LostAnswer);
    departs(&bob, &group).await;
    assert_eq!(world.faults.calm(), 1);
    assert_eq!(listed(&cleo, &group).await.unwrap()["membersCount"], 2);
    assert!(listed(&bob, &group).await.is_none());
}

fn usernames(group: &Value) -> Vec<&str> {
    let members = group["members"].as_array().unwrap().iter();
    members.map(|member| member["username"].as_str().unwrap()).collect()
}
