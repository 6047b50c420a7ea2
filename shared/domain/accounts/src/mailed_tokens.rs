//! Tokens in emailed links. A token permits one action, once and for a limited time.
//!
//! A token is a MAC of a random nonce. The table stores the token's hash. The queue and the table contain the nonce,
//! but not the key that the MAC requires.

use base::UserId;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use people::Email;
use platform::{App, Error, HOUR_SECONDS, Key, Result, Row, Time, Write, mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// HKDF label of the key that computes mailed tokens.
const LABEL: &str = "mailed-token";
const TOKEN_MAX_BYTES: usize = 128;

/// The action that a token permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Purpose {
    /// Confirming the email address. The token is valid for 24 hours.
    Verify,
    /// Setting a new password. The token is valid for an hour.
    Reset,
    /// Replacing the account's address with the address that received the token. The token is valid for 24 hours.
    ChangeEmail,
}

impl Purpose {
    fn seconds(self) -> i64 {
        match self {
            Self::Verify | Self::ChangeEmail => 24 * HOUR_SECONDS,
            Self::Reset => HOUR_SECONDS,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Verify => "VERIFY",
            Self::Reset => "RESET",
            Self::ChangeEmail => "EMAIL",
        }
    }
}

/// A token from an email.
#[derive(Clone, Deserialize, ToSchema)]
#[schema(as = EmailToken, value_type = String, example = "q5t0Zc7oZl0Yv1dJ3mXnB8uQ2rS4wT6yA9eK1gH5iLo")]
#[serde(try_from = "String")]
pub struct Token(String);

impl TryFrom<String> for Token {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let fits = (1..=TOKEN_MAX_BYTES).contains(&text.len());
        fits.then_some(Self(text)).ok_or("must be the token from an email")
    }
}

impl Token {
    /// Returns the token itself, for the link in the email.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the owner of the idempotency keys of requests with this token. Such requests have no signed-in user.
    pub(super) fn owner(&self) -> String {
        format!("TOKEN#{}", self.hash())
    }

    /// Returns the token's hash, which is safe to store.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(&self.0))
    }
}

/// A message in the mail queue that identifies an issued token. Computing the token requires the service's key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IssuedToken {
    /// The action that the token permits.
    pub kind: Purpose,
    /// The owner of the token.
    pub user: UserId,
    /// The random value from which the token is computed.
    pub nonce: String,
}

impl IssuedToken {
    /// Returns a new token for a user. Writes nothing.
    pub fn new(app: &App, kind: Purpose, user: UserId) -> Self {
        Self { kind, user, nonce: hex::encode(app.random::<[u8; 32]>()) }
    }

    /// Returns the write that creates the token's row and queues its email to the user.
    ///
    /// # Errors
    /// Fails with an internal error if no secret is configured.
    pub async fn create_write(&self, app: &App) -> Result<Write> {
        Ok(Write::create(&self.row(app).await?).then(self))
    }

    /// Returns the same write as [`Self::create_write`], but the email goes to `email`.
    ///
    /// # Errors
    /// Fails like [`IssuedToken::create_write`].
    pub async fn create_write_to(&self, app: &App, email: Email) -> Result<Write> {
        Ok(Write::create(&MailedToken { email: Some(email), ..self.row(app).await? }).then(self))
    }

    async fn row(&self, app: &App) -> Result<MailedToken> {
        let user = self.user.to_string();
        Ok(MailedToken {
            hash: token(mac::mac(app, LABEL, &self.parts(&user)).await?).hash(),
            purpose: self.kind,
            user: self.user,
            email: None,
            mailed: false,
            expires: app.now().plus_seconds(self.kind.seconds()),
        })
    }

    /// Returns the token and its row, or `None` if the token was used or has expired.
    pub async fn find(&self, app: &App) -> Result<Option<(Token, MailedToken)>> {
        let user = self.user.to_string();
        match self.find_under(app, mac::macs(app, LABEL, &self.parts(&user)).await?).await? {
            Some(found) => Ok(Some(found)),
            None => self.find_under(app, mac::renewed_macs(app, LABEL, &self.parts(&user)).await?).await,
        }
    }

    async fn find_under(&self, app: &App, macs: Vec<[u8; 32]>) -> Result<Option<(Token, MailedToken)>> {
        for mac in macs {
            let token = token(mac);
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

/// The row of a mailed token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MailedToken {
    hash: String,
    purpose: Purpose,
    /// The owner of the token.
    pub user: UserId,
    /// The recipient's address, or `None` for the user's own address.
    pub email: Option<Email>,
    /// Whether the email was sent.
    pub mailed: bool,
    expires: Time,
}

impl MailedToken {
    /// Returns the write that consumes the token. Run it in the transaction of the action that the token permits.
    pub fn consume_write(&self) -> Write {
        Write::delete(self.key()).exists().or(invalid()).into()
    }

    /// Returns the time at which the token was issued.
    pub fn issued_at(&self) -> Time {
        self.expires.plus_seconds(-self.purpose.seconds())
    }
}

/// Returns the row of a valid token.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the token is unknown, used or expired.
pub async fn find_valid(app: &App, token: &Token, purpose: Purpose) -> Result<MailedToken> {
    find(app, token, purpose).await?.ok_or_else(invalid)
}

async fn find(app: &App, token: &Token, purpose: Purpose) -> Result<Option<MailedToken>> {
    let row = app.table.get::<MailedToken>(&key(&token.hash(), purpose)).await?;
    Ok(row.filter(|row| row.expires > app.now()))
}

fn token(mac: [u8; 32]) -> Token {
    Token(BASE64_URL_SAFE_NO_PAD.encode(mac))
}

/// Returns the error for a token that is unknown, used or expired.
pub(super) fn invalid() -> Error {
    Error::invalid("token", "is unknown, used or expired")
}

fn key(hash: &str, purpose: Purpose) -> Key {
    Key::new(format!("TOKEN#{hash}"), purpose.name())
}

/// `TOKEN#sha256 / VERIFY, RESET or EMAIL`, deleted when the token expires
impl Row for MailedToken {
    fn key(&self) -> Key {
        key(&self.hash, self.purpose)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
