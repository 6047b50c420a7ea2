//! Tokens, fingerprints of requests and mailed tokens: each has a key of its own.

use hmac::{Hmac, KeyInit, Mac};
use platform::mac;
use sha2::Sha256;
use tests::World;

use super::rotation::{OLD, app};

/// Returns the code of these parts with the secret itself as its key.
fn under_the_secret(parts: &[&[u8]]) -> [u8; 32] {
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
    assert!(![idempotency, mailed].contains(&under_the_secret(&parts)));
}
