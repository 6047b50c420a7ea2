//! What a client shows as `Authorization: Bearer …`: the access token of a sign-in, or an application token.
//!
//! An application token holds the ids of its user and of its row, and a secret. The row has the secret's hash, so one
//! call finds the row and checks it, as it does for a session.

use base::ids::{SessionId, UserId};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use platform::{App, Result};
use sha2::{Digest, Sha256};
use ulid::Ulid;

use super::tokens;

/// What an application token begins with, so that scanners for leaked secrets find it. No JWT begins so.
const PREFIX: &str = "app_";
const ID_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;

/// A token as it was shown: whose it says that it is.
#[derive(Clone, Debug)]
pub struct Bearer {
    /// The user.
    pub user: UserId,
    /// The session, or the application token.
    pub session: SessionId,
    /// The hash of an application token's secret; none for a session, whose token is signed.
    pub(super) secret_hash: Option<String>,
}

impl Bearer {
    /// Reads a token. Does not check that the session exists.
    ///
    /// # Errors
    /// [`platform::Error::Unauthenticated`] for an access token that is forged or has expired.
    pub async fn read(app: &App, token: &str) -> Result<Self> {
        if let Some(bearer) = read_application_token(token) {
            return Ok(bearer);
        }
        let claims = tokens::read_access(app, token).await?;
        Ok(Self::of_session(claims.sub, claims.sid))
    }

    /// Returns what an access token of a session says.
    pub fn of_session(user: UserId, session: SessionId) -> Self {
        Self { user, session, secret_hash: None }
    }
}

/// Returns the text of an application token.
pub(super) fn write_application_token(user: UserId, token: SessionId, secret: &[u8; SECRET_BYTES]) -> String {
    let [user, token] = [Ulid::from(user), Ulid::from(token)].map(|it| it.0.to_be_bytes());
    format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode([user.as_slice(), &token, secret].concat()))
}

/// Returns the hash of a secret, which is safe to keep: the secret is random.
pub(super) fn hash(secret: &[u8]) -> String {
    hex::encode(Sha256::digest(secret))
}

fn read_application_token(text: &str) -> Option<Bearer> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX)?).ok()?;
    let (user, rest) = bytes.split_first_chunk::<ID_BYTES>()?;
    let (session, secret) = rest.split_first_chunk::<ID_BYTES>()?;
    let [user, session] = [user, session].map(|it| Ulid(u128::from_be_bytes(*it)));
    let whole = secret.len() == SECRET_BYTES;
    whole.then(|| Bearer { user: user.into(), session: session.into(), secret_hash: Some(hash(secret)) })
}
