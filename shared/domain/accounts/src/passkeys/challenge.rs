//! Challenges. A challenge is valid for five minutes and can be answered once.
//!
//! A challenge consists of the time, a random number, and a MAC of both. Only an answered challenge is stored.

use base::UserId;
use platform::{App, Key, Result, Row, Time, Write, mac, rate_limit::FIVE_MINUTES};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::refused;

/// HKDF label of the key that computes the MACs.
const LABEL: &str = "passkey-challenge";
const TIME_BYTES: usize = 8;
const RANDOM_BYTES: usize = 16;
const SIGNED_BYTES: usize = TIME_BYTES + RANDOM_BYTES;
const BYTES: usize = SIGNED_BYTES + 32;

/// The action that the answer to a challenge permits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Registering a passkey for this user.
    Register(UserId),
    /// Signing in as the owner of the passkey.
    SignIn,
}

impl Purpose {
    fn text(self) -> String {
        match self {
            Self::Register(user) => format!("REGISTER#{user}"),
            Self::SignIn => "SIGNIN".to_owned(),
        }
    }
}

pub(super) async fn issue(app: &App, purpose: Purpose) -> Result<Vec<u8>> {
    let mut challenge = app.now().seconds().to_be_bytes().to_vec();
    challenge.extend(app.random::<[u8; RANDOM_BYTES]>());
    let mac = mac::mac(app, LABEL, &[purpose.text().as_bytes(), &challenge]).await?;
    challenge.extend(mac);
    Ok(challenge)
}

/// Checks an answered challenge. Returns the write that marks the challenge as used. The write fails if the challenge
/// was used before.
pub(super) async fn check(app: &App, purpose: Purpose, challenge: &[u8]) -> Result<Write> {
    if challenge.len() != BYTES {
        return Err(refused("has a challenge from another service"));
    }
    let (signed, found) = challenge.split_at(SIGNED_BYTES);
    let purpose = purpose.text();
    let parts = [purpose.as_bytes(), signed];
    let is_own = |mac: &[u8; 32]| mac.ct_eq(found).into();
    if mac::matching_mac(app, LABEL, &parts, is_own).await?.is_none() {
        return Err(refused("has a challenge that was not issued for this request. Request new options."));
    }
    let issued_at = signed.first_chunk::<TIME_BYTES>().map_or(0, |time| i64::from_be_bytes(*time));
    let expires = Time::from_seconds(issued_at).plus_seconds(FIVE_MINUTES);
    if expires <= app.now() {
        return Err(refused("has an expired challenge. Request new options."));
    }
    let row = UsedChallenge { hash: hex::encode(Sha256::digest(challenge)), expires };
    Ok(Write::create(&row).or(refused("has a challenge that was already used")))
}

/// A challenge that was answered.
#[derive(Serialize, Deserialize)]
struct UsedChallenge {
    hash: String,
    expires: Time,
}

/// `CHALLENGE#sha256 / USED`, expires with the challenge
impl Row for UsedChallenge {
    fn key(&self) -> Key {
        Key::new(format!("CHALLENGE#{}", self.hash), "USED")
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
