//! A directory that an older stack left: messages, mails, secrets and clock in a file `state.json`.

use serde_json::{Value, json};
use tests::World;

use super::{DataDirectory, texts};
use crate::stack::mail_queue;

#[tokio::test]
async fn an_older_directory_is_taken_over_once() {
    let place = DataDirectory::new("older");
    let file = place.0.join("state.json");
    std::fs::create_dir_all(&place.0).unwrap();
    std::fs::write(&file, state().to_string()).unwrap();
    for _ in 0..2 {
        let world = World::kept_in(&place.0).await;
        assert!(!file.exists());
        let queue = mail_queue(&world);
        assert_eq!((queue.visible, queue.in_flight, queue.delayed), (1, 0, 1));
        assert_eq!(texts(&world), ["hello"]);
        assert_eq!(world.anyone.get("/_local/clock").await.data()["now"], "2026-01-01T01:00:00.500Z");
        assert_eq!(secret(&world, "jwt-key").await, "a secret of an older stack, 32 bytes");
    }
}

async fn secret(world: &World, name: &str) -> Value {
    let id = format!("arn:aws:secretsmanager:us-east-1:000000000000:secret:{name}");
    let get = reqwest::Client::new().post(format!("{}/", world.stack.aws_url()));
    let get = get.header("x-amz-target", "secretsmanager.GetSecretValue");
    let answer = get.json(&json!({ "SecretId": id })).send().await.unwrap();
    answer.json::<Value>().await.unwrap()["SecretString"].take()
}

/// As the older stack wrote it, an hour after the beginning of a world.
fn state() -> Value {
    let message = |id: &str, visible_at: &str, in_flight: bool| {
        json!({
            "id": id, "body": "{}", "attributes": {}, "sent": "2026-01-01T01:00:00Z", "first_received": null,
            "receives": 1, "visible_at": visible_at, "in_flight": in_flight,
        })
    };
    let messages = [
        message("received", "2026-01-01T09:00:00Z", true),
        message("delayed", "2026-01-01T01:10:00Z", false),
    ];
    let mail = json!({
        "to": "ann@example.com", "subject": "s", "text": "hello", "html": "h", "at": "2026-01-01T00:00:00.000Z",
    });
    json!({
        "vault": { "jwt-key": { "current": "a secret of an older stack, 32 bytes", "previous": null } },
        "ahead": { "secs": 3600, "nanos": 500_000_000 },
        "mails": [mail],
        "messages": { "mail": messages, "gone": [message("lost", "2026-01-01T01:00:00Z", false)] },
    })
}
