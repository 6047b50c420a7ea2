//! Rotation of the signing secret while users have tokens that were signed with the previous secret.

use std::sync::Arc;

use domain::{
    accounts::{
        mailed_tokens::{self, IssuedToken, Purpose},
        tokens::{self, Grant, TokenPair},
    },
    ids::UserId,
    people::users::{Role, Status},
};
use hmac::{Hmac, KeyInit, Mac};
use platform::{App, mac, settings::Settings};
use serde_json::json;
use sha2::Sha256;
use tests::{Client, World};

use super::{
    applications::program,
    second_factor::{enrolled, session_with},
};

const OLD: &str = "the old secret, which has 32 bytes";
const NEW: &str = "the new secret, which has 32 bytes";

fn app(world: &World, current: &str, previous: &str) -> App {
    let settings = Settings::read(|name| {
        let value = match name {
            "TABLE_NAME" => world.stack.table_name(),
            "JWT_SECRET" => current,
            "JWT_SECRET_PREVIOUS" => previous,
            _ => return None,
        };
        Some(value.to_owned())
    });
    let clock = world.stack.clock().clone();
    App::new(world.clients(), settings.unwrap(), Arc::new(move || clock.now()))
}

/// Access tokens, idempotency fingerprints and emailed tokens use different keys.
#[tokio::test]
async fn each_use_of_the_secret_derives_a_different_key() {
    let world = World::new().await;
    let app = app(&world, OLD, "");
    let parts: [&[u8]; 2] = [b"one", b"text"];
    let idempotency = mac::mac(&app, "idempotency", &parts).await.unwrap();
    let mailed = mac::mac(&app, "mailed-token", &parts).await.unwrap();
    assert_ne!(idempotency, mailed);
    let with_secret = Hmac::<Sha256>::new_from_slice(OLD.as_bytes()).unwrap();
    let with_secret: [u8; 32] = with_secret.chain_update(parts.join(&0)).finalize().into_bytes().into();
    assert!(![idempotency, mailed].contains(&with_secret));
}

/// Creates a session of a random user. Returns its tokens and the user's ID.
async fn new_tokens(app: &App) -> (TokenPair, UserId) {
    let now = app.now();
    let (user, session) = (UserId::random_at(app, now), app.ids.next(now));
    let (status, roles) = (Status::Active, vec![Role::User]);
    let grant = Grant { user, session, generation: 0, at: now, status, roles };
    (grant.tokens(app).await.unwrap(), user)
}

#[tokio::test]
async fn a_mailed_token_stays_valid_after_one_secret_rotation() {
    let world = World::new().await;
    let old = app(&world, OLD, "");
    let issued = IssuedToken::new(&old, Purpose::Reset, UserId::random_at(&old, old.now()));
    old.table.write(issued.create_write(&old).await.unwrap()).await.unwrap();
    let rotated = app(&world, NEW, OLD);
    let (token, _) = issued.find(&rotated).await.unwrap().expect("the token");
    mailed_tokens::find_valid(&rotated, &token, Purpose::Reset).await.unwrap();
    assert!(issued.find(&app(&world, NEW, "")).await.unwrap().is_none());
}

#[tokio::test]
async fn a_token_pair_stays_valid_after_one_secret_rotation() {
    let world = World::new().await;
    let (pair, user) = new_tokens(&app(&world, OLD, "")).await;
    let rotated = app(&world, NEW, OLD);
    assert_eq!(tokens::read_access(&rotated, &pair.access_token).await.unwrap().sub, user);
    assert_eq!(tokens::read_refresh(&rotated, &pair.refresh_token).await.unwrap().sub, user);
    let later = app(&world, NEW, "");
    assert!(tokens::read_access(&later, &pair.access_token).await.is_err());
    assert!(tokens::read_refresh(&later, &pair.refresh_token).await.is_err());
}

#[tokio::test]
async fn the_previous_secret_can_be_a_secrets_manager_arn() {
    let world = World::new().await;
    rotate(&world, "hls-key", OLD).await;
    let previous = "arn:aws:secretsmanager:us-east-1:000000000000:secret:hls-key";
    let rotated = app(&world, NEW, previous);
    let (old, _) = new_tokens(&app(&world, OLD, "")).await;
    assert!(tokens::read_access(&rotated, &old.access_token).await.is_ok());
    assert!(tokens::read_access(&app(&world, NEW, ""), &old.access_token).await.is_err());
}

#[tokio::test]
async fn a_rotation_to_a_too_short_secret_has_no_effect() {
    let (world, [ann]) = World::with(["ann"]).await;
    rotate(&world, "jwt-key", NEW).await;
    world.advance(400).await;
    ann.signs_in().await.writes("signed by the new secret").await;
    rotate(&world, "jwt-key", "sesame").await;
    world.advance(400).await;
    let again = ann.signs_in().await;
    again.writes("signed by the same").await;
    assert!(tokens::read_access(&app(&world, NEW, ""), again.token().unwrap()).await.is_ok());
}

#[tokio::test]
async fn a_rotation_signs_new_tokens_and_accepts_earlier_ones() {
    let (world, [ann]) = World::with(["ann"]).await;
    let post = ann.writes("before").await;
    rotate(&world, "jwt-key", NEW).await;
    ann.sees(&post).await;
    // After 400 seconds, all functions have read the secret again.
    world.advance(400).await;
    ann.writes("after").await;
    let again = ann.signs_in().await;
    again.writes("with the new one").await;
    rotate(&world, "jwt-key", "an even newer secret, which has 32 bytes").await;
    world.advance(400).await;
    again.writes("with the one before").await;
    assert_eq!(ann.post("/posts", json!({ "content": "too old" })).await.status, 401);
}

#[tokio::test]
async fn a_running_function_accepts_tokens_signed_with_a_new_secret() {
    let (world, [ann]) = World::with(["ann"]).await;
    ann.writes("posts has read the secret").await;
    rotate(&world, "jwt-key", NEW).await;
    reload_secret(&world).await;
    ann.signs_in().await.writes("signed by the new secret").await;
    ann.writes("signed by the one before").await;
}

#[tokio::test]
async fn forged_tokens_reload_the_secret_at_most_every_5_seconds() {
    let (world, [ann]) = World::with(["ann"]).await;
    ann.writes("posts has read the secret").await;
    assert_eq!(client_with_bad_token(&world).post("/posts", json!({ "content": "mine" })).await.status, 401);
    rotate(&world, "jwt-key", NEW).await;
    reload_secret(&world).await;
    let again = ann.signs_in().await;
    world.advance(4).await;
    assert_eq!(again.post("/posts", json!({ "content": "too soon" })).await.status, 401);
    world.advance(1).await;
    again.writes("read again").await;
}

fn client_with_bad_token(world: &World) -> Client {
    world.anyone.with_token("not.a.token")
}

/// Sends an invalid token. The function then reads the secret again, in case a newer one signed the token.
async fn reload_secret(world: &World) {
    assert_eq!(client_with_bad_token(world).get("/auth/me").await.status, 401);
}

/// Stores a new version of a secret, as an operator or a scheduled rotation does.
pub(crate) async fn rotate(world: &World, secret: &str, new: &str) {
    let id = format!("arn:aws:secretsmanager:us-east-1:000000000000:secret:{secret}");
    let put = reqwest::Client::new().post(format!("{}/", world.stack.aws_url()));
    let put = put.header("x-amz-target", "secretsmanager.PutSecretValue");
    let put = put.header("authorization", "AWS4-HMAC-SHA256 Credential=operator/");
    let put = put.body(json!({ "SecretId": id, "SecretString": new }).to_string());
    assert_eq!(put.send().await.unwrap().status(), 200);
}

/// Each sign-in encrypts the seed of the second factor with the newest secret.
#[tokio::test]
async fn second_factors_and_programs_work_after_secret_rotations() {
    let (world, ann, authenticator, _) = enrolled(World::builder()).await;
    let bot = program(&ann, &["read"]).await;
    for secret in ["the second secret, which has 32 bytes", "the third secret, which has 32 bytes!"] {
        rotate(&world, "jwt-key", secret).await;
        world.advance(400).await;
        session_with(&world, &authenticator.code(&world)).await;
    }
    bot.get("/notification").await.ok();
}
