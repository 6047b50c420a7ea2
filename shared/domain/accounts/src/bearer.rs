//! The token in the header `Authorization: Bearer …`: an access token or an application token.
//!
//! An application token contains a user ID, the ID of its session row, and a secret. The row stores the secret's hash.

use base::{SessionId, UserId};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use platform::{App, Result};
use sha2::{Digest, Sha256};
use ulid::Ulid;

use super::tokens;

/// Prefix of application tokens. Secret scanners find leaked tokens by this prefix. No JWT begins with this prefix.
const PREFIX: &str = "app_";
const ID_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;

/// The contents of a bearer token, before its session is checked.
#[derive(Clone, Debug)]
pub struct Bearer {
    /// The user who sent the token.
    pub user: UserId,
    /// The ID of the session or the application token.
    pub session: SessionId,
    /// The hash of an application token's secret. `None` for an access token, because access tokens are signed.
    pub(super) secret_hash: Option<String>,
}

impl Bearer {
    /// Parses a token. Does not check that the session exists.
    ///
    /// # Errors
    /// Fails with [`platform::Error::Unauthenticated`] if an access token is forged or expired.
    pub async fn read(app: &App, token: &str) -> Result<Self> {
        if let Some(bearer) = read_application_token(token) {
            return Ok(bearer);
        }
        let claims = tokens::read_access(app, token).await?;
        Ok(Self::of_session(claims.sub, claims.sid))
    }

    /// Returns the contents of an access token for a session.
    pub fn of_session(user: UserId, session: SessionId) -> Self {
        Self { user, session, secret_hash: None }
    }
}

/// Returns the text of an application token.
pub(super) fn write_application_token(user: UserId, token: SessionId, secret: &[u8; SECRET_BYTES]) -> String {
    let [user, token] = [Ulid::from(user), Ulid::from(token)].map(|id| id.to_bytes());
    format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode([user.as_slice(), &token, secret].concat()))
}

/// Returns the hash of a secret. The hash is safe to store, because the secret is random.
pub(super) fn hash(secret: &[u8]) -> String {
    hex::encode(Sha256::digest(secret))
}

fn read_application_token(text: &str) -> Option<Bearer> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX)?).ok()?;
    let (user, rest) = bytes.split_first_chunk::<ID_BYTES>()?;
    let (session, secret) = rest.split_first_chunk::<ID_BYTES>()?;
    let [user, session] = [user, session].map(|id| Ulid::from_bytes(*id));
    let secret_hash = (secret.len() == SECRET_BYTES).then(|| hash(secret))?;
    Some(Bearer { user: user.into(), session: session.into(), secret_hash: Some(secret_hash) })
}
