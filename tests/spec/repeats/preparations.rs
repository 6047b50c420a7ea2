//! Creates the states that the requests in `bursts.rs` and `deletions.rs` need.

use serde_json::{Value, json};
use tests::{Answer, PASSWORD, PasskeyDevice, Person, Post};

use crate::{
    auth::{
        mailed_token,
        second_factor::{Authenticator, enrolls},
    },
    circles::{asks, earns},
    friends::request_path,
    matrix::scene::{Scene, session_of},
    moderation::{hides, reports},
};

/// The path and the body of a request. `None` means the path or body in `tests/matrix.txt`.
#[derive(Default)]
pub(super) struct Prepared {
    pub(super) path: Option<String>,
    pub(super) body: Option<Value>,
}

/// Creates the state with the name `name`. Returns the path and the body of the request.
pub(super) async fn prepare(scene: &Scene, user: &str, name: &str) -> Prepared {
    match (name, scene.person(user)) {
        ("nothing", _) => Prepared::default(),
        ("email_link" | "reset_link" | "verify_link", _) => link(scene, name).await,
        ("dying", _) => {
            let circle = scene.circle().await;
            circle.gains(&scene.world, 0, 200).await;
            circle.gains(&scene.world, -470, 0).await;
            Prepared::default()
        }
        (other, Some(person)) => prepare_for(scene, person, other).await,
        (other, None) => panic!("cannot prepare {other}"),
    }
}

/// Requests an email with a link. Returns the request body with the token in the link.
async fn link(scene: &Scene, name: &str) -> Prepared {
    let world = &scene.world;
    let stranger = scene.person("stranger").unwrap();
    world.settle().await;
    let recipient = match name {
        "email_link" => {
            let body = json!({ "password": PASSWORD, "email": "fresh@example.com" });
            stranger.post("/auth/email", body).await.ok();
            "fresh"
        }
        "reset_link" => {
            world.anyone.post("/auth/forgot-password", json!({ "email": stranger.email })).await.ok();
            "stranger"
        }
        _ => "stranger",
    };
    world.advance(1).await;
    world.settle().await;
    let token = mailed_token(world, recipient);
    with(match name {
        "reset_link" => json!({ "token": token, "password": "another horse battery" }),
        _ => json!({ "token": token }),
    })
}

async fn prepare_for(scene: &Scene, person: &Person, name: &str) -> Prepared {
    let world = &scene.world;
    match name {
        "webhook" => at(webhook(person).await),
        "webhook_test" => at(format!("{}/test", webhook(person).await)),
        "seed" => {
            let seed = Authenticator::of(&person.post("/auth/totp", Value::Null).await.ok());
            with(json!({ "code": seed.code(world) }))
        }
        "factor" => {
            let (seed, _) = enrolls(world, person).await;
            with(json!({ "password": PASSWORD, "code": seed.code(world) }))
        }
        "passkey" => {
            let options = person.post("/auth/passkeys/options", Value::Null).await.ok();
            let credential = PasskeyDevice::new(-7, world.stack.url()).creates(options.data());
            with(json!({ "name": "Phone", "credential": credential }))
        }
        "karma" => {
            scene.circle().await.gains(world, -100, 0).await;
            earns(world, person, 9).await;
            Prepared::default()
        }
        "hidden" => {
            let post = hidden_post(scene, person).await;
            at(format!("/me/moderation/{}/appeal", post.id))
        }
        "decided" => {
            let post = hidden_post(scene, scene.person("owner").unwrap()).await;
            at(format!("/admin/cases/{}/undo", post.id))
        }
        "complete" => {
            let quest = json!({ "code": "WRITE", "action": "POST_CREATED", "requirement": 1 });
            scene.person("admin").unwrap().post("/admin/daily-quests", quest).await.ok();
            person.writes("hello").await;
            at("/quests/WRITE/claim".to_owned())
        }
        "liked" => {
            let post = scene.person("owner").unwrap().writes("hello").await;
            person.likes(&post).await;
            at(post.path("/like"))
        }
        other => prepare_deletion(scene, person, other).await,
    }
}

/// Creates a post that the administrator hides after a report.
async fn hidden_post(scene: &Scene, author: &Person) -> Post {
    let post = author.writes("It is spam.").await;
    let report = reports(scene.person("member").unwrap(), &post.id, json!({})).await;
    hides(scene.person("admin").unwrap(), &report).await;
    post
}

/// Creates the object that a DELETE request deletes.
async fn prepare_deletion(scene: &Scene, person: &Person, name: &str) -> Prepared {
    match name {
        "own_session" => at(format!("/auth/sessions/{}", session_of(person).await)),
        "added_passkey" => {
            let body = Box::pin(prepare_for(scene, person, "passkey")).await.body.unwrap();
            let passkey = person.post("/auth/passkeys", body).await.ok();
            at(format!("/auth/passkeys/{}", passkey.data()["id"].as_str().unwrap()))
        }
        "asking" => {
            asks(person, scene.circle().await).await.ok();
            Prepared::default()
        }
        "device" => {
            let operation = "POST /me/devices";
            let row = crate::matrix::row::rows().into_iter().find(|row| row.operation == operation).unwrap();
            let device = person.post("/me/devices", row.example().unwrap()).await;
            at(format!("/me/devices/{}", id(&device)))
        }
        "friends" => {
            let owner = scene.person("owner").unwrap();
            person.befriends(owner).await;
            owner.patch(&request_path(person, "accept"), Value::Null).await.ok();
            Prepared::default()
        }
        "muted_word" => {
            person.post("/me/muted-words", json!({ "word": "spoiler" })).await.ok();
            Prepared::default()
        }
        other => panic!("cannot prepare {other}"),
    }
}

/// Creates a webhook, and returns its path.
async fn webhook(admin: &Person) -> String {
    let body = json!({ "url": "https://service.example/hook", "events": ["circle.died"] });
    format!("/admin/webhooks/{}", id(&admin.post("/admin/webhooks", body).await))
}

fn with(body: Value) -> Prepared {
    Prepared { body: Some(body), ..Prepared::default() }
}

fn at(path: String) -> Prepared {
    Prepared { path: Some(path), ..Prepared::default() }
}

fn id(created: &Answer) -> String {
    created.data()["id"].as_str().unwrap().to_owned()
}
