//! The rows of passkeys.

use base::{PasskeyId, UserId};
use ledger::security::{self, SecurityEvent};
use platform::{App, Error, Key, Once, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use people::users::{self, display_name};

use super::key::PublicKey;
use crate::notices::{Notice, NoticeKind};

/// Maximum number of passkeys per user.
const PASSKEYS_MAX: i64 = 20;
/// Attribute of the user's row with the number of passkeys.
const COUNT_ATTRIBUTE: &str = "passkeys";
const PREFIX: &str = "PASSKEY#";

platform::text_types! {
    /// The name of a passkey. The user chooses it.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "Ann's phone")]
    PasskeyName: display_name;
}

/// A passkey without its key.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// The ID for `DELETE`.
    pub id: PasskeyId,
    /// The name that the user gave the passkey.
    pub name: PasskeyName,
    /// RFC 3339 time of the registration.
    pub created_at: Time,
    /// RFC 3339 time of the last sign-in. Null before the first sign-in.
    pub last_used_at: Option<Time>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PasskeyRow {
    pub(super) user: UserId,
    pub(super) id: PasskeyId,
    /// The ID that the authenticator gave the passkey, in base64url.
    pub(super) credential: String,
    pub(super) key: PublicKey,
    pub(super) name: PasskeyName,
    /// The number of signatures at the last sign-in.
    pub(super) signatures: i64,
    pub(super) created_at: Time,
    pub(super) used_at: Option<Time>,
}

impl From<PasskeyRow> for Passkey {
    fn from(PasskeyRow { id, name, created_at, used_at, .. }: PasskeyRow) -> Self {
        Self { id, name, created_at, last_used_at: used_at }
    }
}

/// The ID of a registered passkey. No account can register this ID again, even after the passkey is removed. The row
/// does not contain the user's ID.
#[derive(Serialize, Deserialize)]
pub(super) struct Credential {
    hash: String,
}

impl Credential {
    pub(super) fn of(passkey: &PasskeyRow) -> Self {
        Self { hash: hex::encode(Sha256::digest(&passkey.credential)) }
    }
}

/// `CREDENTIAL#sha256 / USED`
impl Row for Credential {
    fn key(&self) -> Key {
        Key::new(format!("CREDENTIAL#{}", self.hash), "USED")
    }
}

/// Returns a user's passkeys, newest first.
pub async fn list(app: &App, user: UserId) -> Result<Vec<Passkey>> {
    let mut passkeys: Vec<_> = all(app, user).await?.into_iter().map(Passkey::from).collect();
    passkeys.sort_unstable_by_key(|passkey| std::cmp::Reverse(passkey.id));
    Ok(passkeys)
}

/// Removes a passkey, and sends the user an email.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user has no such passkey.
pub async fn end(app: &App, user: UserId, id: PasskeyId, once: &Once) -> Result<()> {
    let ((), removed) = once
        .run_with(app, user, async || {
            let found = all(app, user).await?.into_iter().find(|passkey| passkey.id == id);
            let row = found.ok_or(Error::NotFound("passkey"))?;
            let notice = Notice::new(app, NoticeKind::PasskeyRemoved, user).create_write();
            let count_write = Write::update(users::key(user)).add(COUNT_ATTRIBUTE, -1).exists();
            Ok((vec![Write::delete(row.key()).exists().into(), count_write, notice], (), ()))
        })
        .await?;
    if removed.is_some() {
        security::log(SecurityEvent::PasskeyChanged, user, "removed");
    }
    Ok(())
}

/// Removes all passkeys of a user, because a thief of the account may have added one.
pub(crate) async fn remove_all(app: &App, user: UserId) -> Result<()> {
    let keys: Vec<_> = all(app, user).await?.iter().map(Row::key).collect();
    if keys.is_empty() {
        return Ok(());
    }
    app.table.delete_rows(keys).await?;
    let write = Write::update(users::key(user)).remove(COUNT_ATTRIBUTE).exists();
    app.table.try_write(write).await.map(drop)
}

/// Returns the write that counts a new passkey. The write fails if the user has 20 passkeys.
pub(super) fn count_write(user: UserId) -> Write {
    let write = Write::update(users::key(user))
        .add(COUNT_ATTRIBUTE, 1)
        .exists()
        .below_or_lacks(COUNT_ATTRIBUTE, PASSKEYS_MAX);
    write.or(Error::Invalid("the limit of 20 passkeys is reached. Remove one first.".into()))
}

pub(super) async fn all(app: &App, user: UserId) -> Result<Vec<PasskeyRow>> {
    app.table.query(&Query::partition(user.partition()).prefix(PREFIX).consistent()).await
}

/// Returns the user's passkey with the ID `credential`, which is in base64url.
pub(super) async fn find(app: &App, user: UserId, credential: &str) -> Result<Option<PasskeyRow>> {
    app.table.get(&key(user, credential)).await
}

/// The sort key contains a hash, because an ID has up to 1,023 bytes before it is encoded.
fn key(user: UserId, credential: &str) -> Key {
    Key::new(user.partition(), format!("{PREFIX}{}", hex::encode(Sha256::digest(credential))))
}

/// `USER#id / PASSKEY#sha256`
impl Row for PasskeyRow {
    fn key(&self) -> Key {
        key(self.user, &self.credential)
    }
}
