//! Realtime: subscriptions and pushed events.

mod batches;
mod circles;
mod events;
mod groups;
mod identity;
pub(crate) mod listener;
mod no_provider;
pub(crate) mod provider;
mod users;

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Person, World, send};
use tokio::io::{AsyncBufReadExt, BufReader};

const SOCKET: &str = "1234.1234";
const APP: [(&str, &str); 4] = [
    ("PUSHER_APP_ID", "3"),
    ("PUSHER_KEY", "278d425bdf160c739803"),
    ("PUSHER_SECRET", "7ad3773142a6692b25b8"),
    ("PUSHER_HOST", "http://127.0.0.1:9"),
];

#[tokio::test]
async fn users_can_subscribe_to_their_own_channels() {
    let (_world, [ann]) = World::builder().settings(&APP).start_with(["ann"]).await;
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
async fn users_cannot_subscribe_to_other_channels() {
    let (world, [ann, bob]) = World::builder().settings(&APP).start_with(["ann", "bob"]).await;
    let names =
        ["private-user-", "presence-user-", "private-chat-", "presence-chat-", "private-encrypted-user-"];
    let others = names.map(|prefix| format!("{prefix}{}", bob.id));
    let odd = ["notifications", "private-", "private-user-", "x", ""].map(str::to_owned);
    let disguised = [format!("private-user-{}", ann.id.to_lowercase()), format!("private-user-{} ", ann.id)];
    for channel in others.into_iter().chain(odd).chain(disguised) {
        subscribes(&ann, &channel).await.refused(403, "FORBIDDEN");
    }
    world.anyone.post("/pusher/auth", json!({})).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_subscription_body_can_be_a_form_or_json() {
    let (_world, [ann]) = World::builder().settings(&APP).start_with(["ann"]).await;
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
async fn the_error_for_an_invalid_subscription_names_the_field() {
    let (_world, [ann]) = World::builder().settings(&APP).start_with(["ann"]).await;
    for (body, field) in [
        (json!({ "socket_id": "1", "channel_name": "x" }), "socket_id"),
        (json!({ "socket_id": "1.2:x", "channel_name": "x" }), "socket_id"),
        (json!({ "socket_id": 7, "channel_name": "x" }), "socket_id"),
        (json!({ "socket_id": SOCKET }), "channel_name"),
        (json!({}), "socket_id"),
    ] {
        ann.post("/pusher/auth", body).await.invalid(field);
    }
}

async fn subscribes(person: &Person, channel: &str) -> Answer {
    let body: Value = json!({ "socket_id": SOCKET, "channel_name": channel });
    person.post("/pusher/auth", body).await
}

#[tokio::test]
async fn a_pusher_client_receives_the_events_of_its_user() {
    let Some(directory) = pusher_js() else { return };
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let [own, other] = [&ann, &bob].map(|person| format!("private-user-{}", person.id));
    let mut client = PusherClient::start(&directory, &world, &ann, &[&own, &other, "notifications"]);
    let mut states = [client.next().await, client.next().await, client.next().await];
    states.sort_by_key(Value::to_string);
    assert_eq!(
        states,
        [
            json!({ "refused": other, "status": 403 }),
            json!({ "subscribed": "notifications" }),
            json!({ "subscribed": own }),
        ]
    );

    bob.post("/user/ann/friend-request", json!(null)).await.ok();
    world.stack.settle(None).await.unwrap();
    let event = client.next().await;
    assert_eq!((&event["channel"], &event["event"]), (&json!(own), &json!("friend-request:new")));
    assert_eq!(event["data"]["sender"]["username"], "bob");

    let group = bob.chats_with("ann").await;
    let path = format!("/message-group/{group}/messages");
    bob.post(&path, json!({ "content": "hello" })).await.ok();
    world.stack.settle(None).await.unwrap();
    let event = client.next().await;
    assert_eq!((&event["channel"], &event["event"]), (&json!(own), &json!("message:new")));
    assert_eq!(event["data"]["content"], "hello");
}

#[tokio::test]
async fn a_failed_push_is_retried_without_failing_requests() {
    let (world, [ann, _bob]) = World::builder().settings(&APP).start_with(["ann", "bob"]).await;
    ann.post("/user/bob/friend-request", json!(null)).await.ok();
    let outcome = world.stack.settle(None).await.unwrap();
    assert_eq!((outcome.failed, outcome.dead), (5, 1));
}

/// Installs pusher-js, and returns the directory. Returns `None` if Node.js or the npm registry is unavailable.
fn pusher_js() -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("pusher-js");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pusher-js");
    std::fs::create_dir_all(&target).unwrap();
    for file in ["package.json", "client.js"] {
        std::fs::copy(source.join(file), target.join(file)).unwrap();
    }
    let install = || {
        Command::new("npm")
            .args(["install", "--silent", "--no-audit", "--no-fund"])
            .current_dir(&target)
            .status()
    };
    let ready =
        target.join("node_modules/pusher-js").is_dir() || install().is_ok_and(|status| status.success());
    if !ready {
        eprintln!("SKIPPED: needs Node.js and pusher-js for a real Pusher client");
    }
    ready.then_some(target)
}

/// A real Pusher client (pusher-js) in a separate process.
struct PusherClient {
    _process: tokio::process::Child,
    lines: tokio::io::Lines<BufReader<tokio::process::ChildStdout>>,
}

impl PusherClient {
    fn start(directory: &Path, world: &World, person: &Person, channels: &[&str]) -> Self {
        let mut command = tokio::process::Command::new("node");
        command.arg("client.js").args([world.stack.url(), "local", person.token().unwrap()]).args(channels);
        let command = command.current_dir(directory).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { _process: process, lines }
    }

    /// Returns the next line that the client prints, as JSON. Panics after 10 seconds.
    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(10), self.lines.next_line()).await;
        let line = line.expect("an event within 10 seconds");
        serde_json::from_str(&line.unwrap().unwrap()).unwrap()
    }
}
