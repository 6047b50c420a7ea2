//! A fake push service and its browsers. They verify and decrypt pushes as RFC 8291 and RFC 8292 specify, without code
//! of the service under test.

use aes_gcm::{Aes128Gcm, KeyInit, aead::Aead};
use axum::{
    body::Bytes,
    http::{HeaderMap, Method, StatusCode},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use hmac::{Hmac, Mac};
use p256::{
    PublicKey, SecretKey,
    ecdh::diffie_hellman,
    ecdsa::{Signature, VerifyingKey, signature::Verifier},
};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::page_server::PageServer;

/// A push service that records the pushes it receives.
#[derive(Clone)]
pub struct PushService(PageServer);

/// A received push.
#[derive(Clone)]
pub struct Pushed {
    /// Headers of the request.
    pub headers: HeaderMap,
    body: Bytes,
}

/// A subscribed browser.
pub struct Browser {
    service: PushService,
    path: String,
    key: SecretKey,
    auth: [u8; 16],
}

impl PushService {
    /// Starts a push service.
    pub async fn new() -> Self {
        Self(PageServer::answering(StatusCode::CREATED).await)
    }

    /// Subscribes a browser.
    #[expect(clippy::disallowed_methods, reason = "a browser generates its own keys")]
    pub fn browser(&self, name: &str) -> Browser {
        let key = loop {
            if let Ok(key) = SecretKey::from_slice(&rand::random::<[u8; 32]>()) {
                break key;
            }
        };
        Browser { service: self.clone(), path: format!("/{name}"), key, auth: rand::random() }
    }

    /// Rejects the next pushes with these statuses, in order.
    pub fn refuses(&self, statuses: &[u16]) {
        self.0.fails(statuses);
    }
}

impl Browser {
    /// Returns the request body that registers this browser as a device.
    pub fn subscription(&self) -> Value {
        let keys = json!({ "p256dh": BASE64.encode(self.public()), "auth": BASE64.encode(self.auth) });
        json!({ "platform": "web", "endpoint": self.endpoint(), "keys": keys })
    }

    /// Returns the push endpoint.
    pub fn endpoint(&self) -> String {
        self.service.0.address(&self.path)
    }

    /// Returns the encrypted pushes that this browser received, oldest first.
    pub fn pushed(&self) -> Vec<Pushed> {
        let asked = self.service.0.asked(&self.path).into_iter();
        let taken = asked.filter(|asked| !asked.has_failed && asked.method == Method::POST);
        taken.map(|asked| Pushed { headers: asked.headers, body: asked.body }).collect()
    }

    /// Returns the decrypted pushes, oldest first.
    pub fn reads(&self) -> Vec<Value> {
        self.pushed().iter().map(|push| self.decrypted(&push.body)).collect()
    }

    fn public(&self) -> Vec<u8> {
        self.key.public_key().to_sec1_bytes().into()
    }

    fn decrypted(&self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let (record_size, rest) = rest.split_at(4);
        assert_eq!(record_size, 4096_u32.to_be_bytes(), "one record");
        assert_eq!(rest[0], 65, "an uncompressed point");
        let (sender, record) = rest[1..].split_at(65);
        let public = PublicKey::from_sec1_bytes(sender).expect("the sender's key");
        let shared = diffie_hellman(self.key.to_nonzero_scalar(), public.as_affine());
        let info = [b"WebPush: info\0", self.public().as_slice(), sender].concat();
        let secret = hkdf(&self.auth, shared.raw_secret_bytes().as_slice(), &info);
        let key = hkdf(salt, &secret, b"Content-Encoding: aes128gcm\0");
        let nonce: [u8; 12] =
            hkdf(salt, &secret, b"Content-Encoding: nonce\0")[..12].try_into().expect("12 bytes");
        let cipher = Aes128Gcm::new_from_slice(&key[..16]).expect("16 bytes");
        let text = cipher.decrypt(&nonce.into(), record).expect("a record encrypted for this browser");
        let (last, text) = text.split_last().expect("a delimiter at the end");
        assert_eq!(*last, 2, "the last record");
        serde_json::from_slice(text).expect("JSON")
    }
}

impl Pushed {
    /// Returns the value of a header, or an empty string if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Returns the size of the encrypted body in bytes.
    pub fn bytes(&self) -> usize {
        self.body.len()
    }

    /// Verifies the VAPID signature of the push. Returns the signed claims and the public key.
    pub fn signed(&self) -> (Value, String) {
        let vapid = self.header("authorization").strip_prefix("vapid t=").expect("a VAPID signature");
        let (token, key) = vapid.split_once(", k=").expect("a public key");
        let (signed, signature) = token.rsplit_once('.').expect("a token has three parts");
        let decode = |text: &str| BASE64.decode(text).expect("base64url");
        let verifying = VerifyingKey::from_sec1_bytes(&decode(key)).expect("a point");
        let signature = Signature::from_slice(&decode(signature)).expect("a signature");
        verifying.verify(signed.as_bytes(), &signature).expect("a valid signature");
        let (head, claims) = signed.split_once('.').expect("a token has claims");
        let head: Value = serde_json::from_slice(&decode(head)).expect("JSON");
        assert_eq!(head, json!({ "typ": "JWT", "alg": "ES256" }));
        (serde_json::from_slice(&decode(claims)).expect("JSON"), key.to_owned())
    }
}

/// Computes HKDF-SHA256 (RFC 5869). Returns 32 bytes.
fn hkdf(salt: &[u8], secret: &[u8], info: &[u8]) -> [u8; 32] {
    hmac(&hmac(salt, &[secret]), &[info, &[1]])
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).expect("a key of any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}
