//! Realtime: who may listen where, and what they hear.

use reqwest::Method;
use serde_json::{Value, json};
use shared::table::{Key, Row, Write};
use tests::{Answer, Person, World, send};

const SOCKET: &str = "1234.1234";
const APP: [(&str, &str); 4] = [
    ("PUSHER_APP_ID", "3"),
    ("PUSHER_KEY", "278d425bdf160c739803"),
    ("PUSHER_SECRET", "7ad3773142a6692b25b8"),
    ("PUSHER_HOST", "http://127.0.0.1:9"),
];

#[tokio::test]
async fn everybody_listens_to_their_own_channel() {
    let world = World::with(&APP).await;
    let ann = world.person("ann").await;
    for prefix in ["private-user-", "presence-user-"] {
        let answer = subscribes(&ann, &format!("{prefix}{}", ann.id)).await.ok();
        let auth = answer.body["auth"].as_str().unwrap();
        let (key, signature) = auth.split_once(':').unwrap();
        assert_eq!((key, signature.len()), ("278d425bdf160c739803", 64));
        assert_eq!(answer.data()["auth"], auth);
        assert_eq!(answer.data()["channel_data"], answer.body["channel_data"]);
        assert_eq!(answer.body["channel_data"].is_string(), prefix.starts_with("presence"));
    }
}

#[tokio::test]
async fn nobody_listens_to_the_channel_of_another() {
    let world = World::with(&APP).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let names =
        ["private-user-", "presence-user-", "private-chat-", "presence-chat-", "private-encrypted-user-"];
    let others = names.map(|it| format!("{it}{}", bob.id));
    let odd = ["notifications", "private-", "private-user-", "x", ""].map(str::to_owned);
    let disguised = [format!("private-user-{}", ann.id.to_lowercase()), format!("private-user-{} ", ann.id)];
    for channel in others.into_iter().chain(odd).chain(disguised) {
        subscribes(&ann, &channel).await.refused(403, "FORBIDDEN");
    }
    world.anyone.post("/pusher/auth", json!({})).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn members_listen_to_their_chats() {
    let world = World::with(&APP).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = "01KGB5T9G0A1B2C3D4E5F6G7H8";
    world
        .app()
        .table
        .write(Write::put(&Member { group: group.to_owned(), user: ann.id.clone() }))
        .await
        .unwrap();
    subscribes(&ann, &format!("private-chat-{group}")).await.ok();
    subscribes(&bob, &format!("private-chat-{group}")).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn the_body_is_form_or_json_whatever_its_type_says() {
    let world = World::with(&APP).await;
    let ann = world.person("ann").await;
    let channel = format!("private-user-{}", ann.id);
    let form = format!("socket_id={SOCKET}&channel_name={channel}");
    let json = json!({ "socket_id": SOCKET, "channel_name": channel }).to_string();
    for kind in ["application/json", "application/x-www-form-urlencoded", "text/plain"] {
        for body in [&form, &json] {
            let request = ann.request(Method::POST, "/api/v1/pusher/auth").header("content-type", kind);
            send(request.body(body.clone())).await.ok();
        }
    }
}

#[tokio::test]
async fn a_malformed_subscription_names_the_field() {
    let world = World::with(&APP).await;
    let ann = world.person("ann").await;
    for (body, field) in [
        (json!({ "socket_id": "1", "channel_name": "x" }), "socket_id"),
        (json!({ "socket_id": "1.2:x", "channel_name": "x" }), "socket_id"),
        (json!({ "socket_id": 7, "channel_name": "x" }), "socket_id"),
        (json!({ "socket_id": SOCKET }), "channel_name"),
        (json!({}), "socket_id"),
    ] {
        let answer = ann.post("/pusher/auth", body).await;
        assert!(answer.refused(400, "VALIDATION_FAILED").starts_with(field), "{answer}");
    }
}

async fn subscribes(person: &Person, channel: &str) -> Answer {
    let body: Value = json!({ "socket_id": SOCKET, "channel_name": channel });
    person.post("/pusher/auth", body).await
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Member {
    group: String,
    user: String,
}

impl Row for Member {
    fn key(&self) -> Key {
        Key::new(format!("GROUP#{}", self.group), format!("MEMBER#{}", self.user))
    }
}
