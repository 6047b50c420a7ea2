//! Realtime connections signed in as a user. They close when the user signs out.

use domain::people::users::Role;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{PASSWORD, Person, World, send};

use super::{
    APP, SOCKET,
    listener::{Listener, user_channel},
};
use crate::{admin::administrator, auth::mailed_token};

#[tokio::test]
async fn a_realtime_connection_is_authenticated_as_its_user() {
    let (world, [ann]) = World::builder().settings(&APP).start_with(["ann"]).await;
    let form = format!("socket_id={SOCKET}");
    let json = json!({ "socket_id": SOCKET }).to_string();
    for body in [form, json] {
        let answer = send(ann.request(Method::POST, "/pusher/user-auth").body(body)).await.ok();
        let user = json!({ "id": ann.id }).to_string();
        assert_eq!((&answer.body["user_data"], &answer.data()["user_data"]), (&json!(user), &json!(user)));
        let (key, signature) = answer.body["auth"].as_str().unwrap().split_once(':').unwrap();
        assert_eq!((key, signature.len()), ("278d425bdf160c739803", 64));
        assert_eq!(answer.data()["auth"], answer.body["auth"]);
    }
    for body in [json!({}), json!({ "socket_id": "1" }), json!({ "socket_id": "1.2::user::x" })] {
        ann.post("/pusher/user-auth", body).await.invalid("socket_id");
    }
    world.anyone.post("/pusher/user-auth", json!({})).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_realtime_signature_is_bound_to_its_connection() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut listener = Listener::connects(&world).await;
    let other = Listener::connects(&world).await;
    let signed = other.authenticates(&ann).await.ok();
    let data = json!({ "auth": signed.body["auth"], "user_data": signed.body["user_data"] });
    listener.says(json!({ "event": "pusher:signin", "data": data })).await;
    listener.is_ended().await;
}

#[tokio::test]
async fn signing_out_closes_the_users_realtime_connections() {
    for way in ["ban", "temp-ban", "lock", "sign-out", "end of a session", "reset"] {
        let world = World::new().await;
        let root = administrator(&world, "root", Role::Admin).await;
        let [ann, bob] = world.people(["ann", "bob"]).await;
        world.settle().await;
        let mut own = [device(&world, &ann).await, device(&world, &ann).await];
        let mut other = device(&world, &bob).await;
        let mut unknown = Listener::of(&world, &ann, &user_channel(&ann)).await;
        signs_out(&world, &root, &ann, way).await;
        world.stack.settle(None).await.unwrap();
        for listener in &mut own {
            listener.is_ended().await;
        }
        other.received_nothing().await;
        unknown.received_nothing().await;
        let again = Listener::connects(&world).await;
        again.authenticates(&ann).await.refused(401, "UNAUTHORIZED");
    }
}

async fn signs_out(world: &World, root: &Person, account: &Person, way: &str) {
    match way {
        "sign-out" => drop(account.with_refresh("/auth/logout").await.ok()),
        "end of a session" => {
            let sessions = account.get("/auth/sessions").await.ok();
            let session = sessions.rows()[0]["sid"].as_str().unwrap().to_owned();
            account.delete(&format!("/auth/sessions/{session}")).await.ok();
        }
        "reset" => {
            world.anyone.post("/auth/forgot-password", json!({ "email": account.email })).await.ok();
            world.settle().await;
            let reset =
                json!({ "token": mailed_token(world, &account.name), "password": format!("{PASSWORD}!") });
            world.anyone.post("/auth/reset-password", reset).await.ok();
        }
        how => {
            root.patch(&format!("/admin/users/{}/{how}", account.id), Value::Null).await.ok();
        }
    }
}

#[tokio::test]
async fn a_provider_without_a_users_route_does_not_delay_pushes() {
    let provider = super::provider::Provider::starts().await;
    let world = provider.world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    world.settle().await;
    provider.calls();
    ann.blocks(&bob).await;
    world.settle().await;
    assert!(provider.calls().is_empty(), "the fake provider has no route for users");
}

/// Connects a device and signs it in to the provider.
async fn device(world: &World, account: &Person) -> Listener {
    let mut listener = Listener::of(world, account, &user_channel(account)).await;
    listener.signs_in(account).await;
    listener
}
