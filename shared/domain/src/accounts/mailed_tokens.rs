//! Tokens that are mailed: each opens one thing, once, for a while.
//!
//! A token is computed from a random nonce under the service's secret. The table keeps its hash
//! and the queue carries the nonce, so whoever reads either holds nothing that opens anything.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use platform::{
    App,
    error::{Error, Result},
    id::random_bytes,
    mac,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::ids::UserId;

const HOUR: i64 = 60 * 60;
const TOKEN_MAX_BYTES: usize = 128;

/// What a token opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Purpose {
    /// Shows that the e-mail is theirs, within 24 hours.
    Verify,
    /// Sets a new password, within an hour.
    Reset,
}

impl Purpose {
    fn seconds(self) -> i64 {
        match self {
            Self::Verify => 24 * HOUR,
            Self::Reset => HOUR,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Verify => "VERIFY",
            Self::Reset => "RESET",
        }
    }
}

/// A token as it came back from a mail.
#[derive(Clone, Deserialize, ToSchema)]
#[schema(value_type = String, example = "q5t0Zc7oZl0Yv1dJ3mXnB8uQ2rS4wT6yA9eK1gH5iLo")]
#[serde(try_from = "String")]
pub struct Token(String);

impl TryFrom<String> for Token {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let fits = (1..=TOKEN_MAX_BYTES).contains(&text.len());
        fits.then_some(Self(text)).ok_or("must be the token of a mail")
    }
}

impl Token {
    /// The token itself, for the link that carries it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Its hash, which is safe to keep.
    pub fn hash(&self) -> String {
        hex::encode(&Sha256::digest(&self.0))
    }

    fn key(&self, purpose: Purpose) -> Key {
        Key::new(format!("TOKEN#{}", self.hash()), purpose.name())
    }
}

/// A token that was issued: all that its mail is made from, and nothing that it opens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Issued {
    /// What the token opens.
    pub kind: Purpose,
    /// Whose it is.
    pub user: UserId,
    /// What it is computed from.
    pub nonce: String,
}

impl Issued {
    /// A new token for a user.
    pub fn new(kind: Purpose, user: UserId) -> Self {
        Self { kind, user, nonce: hex::encode(&random_bytes()) }
    }

    /// Its row, for the same transaction as whatever else it belongs to. 1 WRU.
    ///
    /// # Errors
    /// Internal, when the function has no key.
    pub async fn row(&self, app: &App) -> Result<OneTime> {
        let user = self.user.to_string();
        Ok(OneTime {
            hash: token(mac::mac(app, &self.parts(&user)).await?).hash(),
            purpose: self.kind,
            user: self.user,
            mailed: false,
            expires: app.now().plus_seconds(self.kind.seconds()),
        })
    }

    /// The token and its row, while it is good. 1 call and 1 RRU; 2 during a rotation of the secret.
    ///
    /// # Errors
    /// Internal only.
    pub async fn find(&self, app: &App) -> Result<Option<(Token, OneTime)>> {
        let user = self.user.to_string();
        match self.find_under(app, mac::macs(app, &self.parts(&user)).await?).await? {
            Some(found) => Ok(Some(found)),
            None => self.find_under(app, mac::renewed_macs(app, &self.parts(&user)).await?).await,
        }
    }

    async fn find_under(&self, app: &App, seals: Vec<[u8; 32]>) -> Result<Option<(Token, OneTime)>> {
        for seal in seals {
            let token = token(seal);
            if let Some(row) = find(app, &token, self.kind).await? {
                return Ok(Some((token, row)));
            }
        }
        Ok(None)
    }

    fn parts<'a>(&'a self, user: &'a str) -> [&'a [u8]; 3] {
        [self.kind.name().as_bytes(), user.as_bytes(), self.nonce.as_bytes()]
    }
}

/// A token's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OneTime {
    hash: String,
    purpose: Purpose,
    /// Whose it is.
    pub user: UserId,
    /// Whether its mail was sent.
    pub mailed: bool,
    expires: Time,
}

impl OneTime {
    /// Uses the token up, together with what it does.
    pub fn consume(&self) -> Write {
        Write::delete(self.key()).exists().or(spent())
    }

    /// Notes that the mail was sent; a token that is used up already stays so. 1 call, 1 WRU.
    ///
    /// # Errors
    /// Internal only.
    pub async fn mark_mailed(&self, app: &App) -> Result<()> {
        let mark = Write::update(self.key()).set("mailed", true).exists();
        app.table.attempt::<Self>(mark).await.map(drop)
    }
}

/// The row of a token that came back, while it is good. 1 call, 1 RRU.
///
/// # Errors
/// [`Error::Invalid`] for a token that is unknown, used up or too old.
pub async fn present(app: &App, token: &Token, purpose: Purpose) -> Result<OneTime> {
    find(app, token, purpose).await?.ok_or_else(spent)
}

async fn find(app: &App, token: &Token, purpose: Purpose) -> Result<Option<OneTime>> {
    let row = app.table.get::<OneTime>(&token.key(purpose)).await?;
    Ok(row.filter(|it| it.expires > app.now()))
}

fn token(seal: [u8; 32]) -> Token {
    Token(BASE64_URL_SAFE_NO_PAD.encode(seal))
}

fn spent() -> Error {
    Error::invalid("token", "is unknown, used or too old")
}

/// `TOKEN#sha256 / VERIFY or RESET`, swept when it is too old
impl Row for OneTime {
    fn key(&self) -> Key {
        Key::new(format!("TOKEN#{}", self.hash), self.purpose.name())
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
