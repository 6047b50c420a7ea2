//! Tokens, fingerprints of requests and mailed tokens: each has a key of its own.

use domain::{
    accounts::mailed_tokens::{self, IssuedToken, MailedToken, Purpose},
    ids::UserId,
};
use hmac::{Hmac, KeyInit, Mac};
use platform::{
    mac,
    table::{Key, Write},
    time::Time,
};
use serde_json::json;
use sha2::{Digest, Sha256};
use tests::World;

use super::rotation::{OLD, app};

/// A code as the releases made it whose every code had the secret itself as its key.
fn of_before(parts: &[&[u8]]) -> [u8; 32] {
    let key = Hmac::<Sha256>::new_from_slice(OLD.as_bytes()).unwrap();
    key.chain_update(parts.join(&0)).finalize().into_bytes().into()
}

#[tokio::test]
async fn codes_of_one_use_are_none_of_another_and_none_has_the_secret_itself_as_its_key() {
    let world = World::new().await;
    let app = app(&world, OLD, "");
    let parts: [&[u8]; 2] = [b"one", b"text"];
    let idempotency = mac::mac(&app, "idempotency", &parts).await.unwrap();
    let mailed = mac::mac(&app, "mailed-token", &parts).await.unwrap();
    assert_ne!(idempotency, mailed);
    assert!(![idempotency, mailed].contains(&of_before(&parts)));
}

#[tokio::test]
async fn a_token_that_an_earlier_release_mailed_still_opens() {
    let world = World::new().await;
    let app = app(&world, OLD, "");
    let issued = IssuedToken::new(Purpose::Reset, UserId::random_at(app.now()));
    let user = issued.user.to_string();
    let code = of_before(&[b"RESET", user.as_bytes(), issued.nonce.as_bytes()]);
    let token: mailed_tokens::Token = base64_of(code).try_into().unwrap();
    let row = Key::new(format!("TOKEN#{}", hex::encode(Sha256::digest(token.expose()))), "RESET");
    let write = Write::update(row).set("hash", token.hash()).set("purpose", "RESET").set("user", issued.user);
    let expires: Time = app.now().plus_seconds(60);
    app.table.write(write.set("mailed", false).set("expires", expires)).await.unwrap();
    let found: Option<(_, MailedToken)> = issued.find(&app).await.unwrap();
    assert_eq!(found.expect("the token").0.expose(), token.expose());
}

#[tokio::test]
async fn an_answer_that_an_earlier_release_kept_is_given_again() {
    let world = World::new().await;
    let app = app(&world, OLD, "");
    let once = platform::idempotency::Once::keyed(b"key", "/posts", b"{}").unwrap();
    let digest = Sha256::new().chain_update("/posts").chain_update([0]).chain_update(b"{}").finalize();
    let fingerprint = hex::encode(of_before(&[b"idempotency", &digest]));
    let row = Key::new(format!("IDEM#ann#{}", hex::encode(Sha256::digest(b"key"))), "ANSWER");
    let kept = Write::update(row.clone())
        .set("fingerprint", fingerprint)
        .set("answer", json!("as it was").to_string());
    app.table.write(kept.set("expires", app.now().plus_seconds(60))).await.unwrap();
    assert_eq!(once.earlier::<String>(&app, "ann").await.unwrap().as_deref(), Some("as it was"));
}

fn base64_of(code: [u8; 32]) -> String {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
    BASE64_URL_SAFE_NO_PAD.encode(code)
}
