//! Notices. A notice is an email about a change of the account. Notices contain no links.

use base::{NoticeId, UserId};
use people::Email;
use platform::{App, HOUR_SECONDS, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};

const LIFETIME_SECONDS: i64 = 24 * HOUR_SECONDS;

/// The account change that a notice reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NoticeKind {
    /// The signed-in user changed the password.
    PasswordChanged,
    /// A new email address was requested.
    EmailChangeRequested,
    /// A new email address was confirmed.
    EmailChanged,
    /// The second factor was turned on.
    SecondFactorOn,
    /// The second factor was turned off.
    SecondFactorOff,
    /// Several wrong codes were entered in a row.
    WrongCodes,
    /// The second factor will be removed, because a password reset requested the removal.
    SecondFactorEnds,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// An application token was issued.
    ApplicationTokenIssued,
    /// The user ended all other sessions.
    SessionsEnded,
    /// An export of the user's data was requested.
    ExportRequested,
}

/// A stored notice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Notice {
    pub(super) user: UserId,
    id: NoticeId,
    pub(super) kind: NoticeKind,
    /// The recipient's address, or `None` for the user's address at the time of sending.
    pub(super) to: Option<Email>,
    /// Whether the email was sent.
    pub(super) mailed: bool,
    expires: Time,
}

/// A message in the mail queue that identifies a notice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NoticeJob {
    /// The recipient.
    pub user: UserId,
    /// The notice's ID.
    pub notice: NoticeId,
}

impl Notice {
    /// Returns a new notice to a user.
    pub fn new(app: &App, kind: NoticeKind, user: UserId) -> Self {
        let now = app.now();
        let expires = now.plus_seconds(LIFETIME_SECONDS);
        Self { user, id: app.ids.next(now), kind, to: None, mailed: false, expires }
    }

    /// Returns the notice with a fixed recipient address. Use this method if the user's address changes.
    pub(super) fn to(self, address: Email) -> Self {
        Self { to: Some(address), ..self }
    }

    /// Returns the write that creates the notice's row and queues its email.
    pub fn create_write(&self) -> Write {
        Write::create(self).then(&NoticeJob { user: self.user, notice: self.id })
    }
}

impl NoticeJob {
    /// Returns the notice, or `None` if it expired.
    pub(super) async fn find(&self, app: &App) -> Result<Option<Notice>> {
        let found = app.table.get::<Notice>(&key(self.user, self.notice)).await?;
        Ok(found.filter(|notice| notice.expires > app.now()))
    }
}

fn key(user: UserId, notice: NoticeId) -> Key {
    Key::new(user.partition(), format!("NOTICE#{notice}"))
}

/// `USER#id / NOTICE#id`, deleted after a day
impl Row for Notice {
    fn key(&self) -> Key {
        key(self.user, self.id)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
