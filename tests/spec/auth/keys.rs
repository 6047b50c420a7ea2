//! Access tokens, idempotency fingerprints and emailed tokens use different keys, derived from one secret.

use hmac::{Hmac, KeyInit, Mac};
use platform::mac;
use sha2::Sha256;
use tests::World;

use super::rotation::{OLD, app};

/// Returns the HMAC of `parts`, with the secret itself as the key.
fn mac_with_secret(parts: &[&[u8]]) -> [u8; 32] {
    let key = Hmac::<Sha256>::new_from_slice(OLD.as_bytes()).unwrap();
    key.chain_update(parts.join(&0)).finalize().into_bytes().into()
}

#[tokio::test]
async fn each_use_of_the_secret_derives_a_different_key() {
    let world = World::new().await;
    let app = app(&world, OLD, "");
    let parts: [&[u8]; 2] = [b"one", b"text"];
    let idempotency = mac::mac(&app, "idempotency", &parts).await.unwrap();
    let mailed = mac::mac(&app, "mailed-token", &parts).await.unwrap();
    assert_ne!(idempotency, mailed);
    assert!(![idempotency, mailed].contains(&mac_with_secret(&parts)));
}
