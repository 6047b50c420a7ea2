//! Notices: mails that tell a user of a change of their account. They open nothing.

use base::ids::{NoticeId, UserId};
use people::users::Email;
use platform::{
    App, Result,
    queues::{Job, QueueName},
    table::{Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

const KEPT_SECONDS: i64 = 24 * HOUR_SECONDS;

/// What happened to the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NoticeKind {
    /// A new password was set by somebody who was signed in.
    PasswordChanged,
    /// Another e-mail address was asked for.
    EmailChangeRequested,
    /// Another e-mail address was confirmed.
    EmailChanged,
    /// The second factor was turned on.
    SecondFactorOn,
    /// The second factor was turned off.
    SecondFactorOff,
}

/// A notice that is to be mailed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Notice {
    pub(super) user: UserId,
    id: NoticeId,
    pub(super) kind: NoticeKind,
    /// The address; none for the user's address of when it is mailed.
    pub(super) to: Option<Email>,
    /// Whether the mail was sent.
    pub(super) mailed: bool,
    expires: Time,
}

/// A notice, as the queue of mails carries it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NoticeJob {
    /// The user whom it is for.
    pub user: UserId,
    /// The notice.
    pub notice: NoticeId,
}

impl Notice {
    /// Returns a notice to a user.
    pub(super) fn new(app: &App, kind: NoticeKind, user: UserId) -> Self {
        let now = app.now();
        let expires = now.plus_seconds(KEPT_SECONDS);
        Self { user, id: app.ids.next(now), kind, to: None, mailed: false, expires }
    }

    /// Returns the same notice to an address that may not be the user's for long.
    pub(super) fn to(self, address: Email) -> Self {
        Self { to: Some(address), ..self }
    }

    /// Returns the write of its row, after which it is mailed. The row is in no index.
    pub(super) fn create_write(&self) -> Write {
        Write::create(self).then(&NoticeJob { user: self.user, notice: self.id })
    }

    /// Records that the mail was sent.
    pub(super) async fn mark_mailed(&self, app: &App) -> Result<()> {
        let mark = Write::update(self.key()).set("mailed", true).clear_outbox().exists();
        app.table.try_write(mark).await.map(drop)
    }
}

impl NoticeJob {
    /// Returns the notice while it is kept.
    pub(super) async fn find(&self, app: &App) -> Result<Option<Notice>> {
        app.table.get(&key(self.user, self.notice)).await
    }
}

impl Job for NoticeJob {
    fn queue(&self) -> QueueName {
        QueueName::Mail
    }
}

fn key(user: UserId, notice: NoticeId) -> Key {
    Key::new(user.partition(), format!("NOTICE#{notice}"))
}

/// `USER#id / NOTICE#id`, swept after a day
impl Row for Notice {
    fn key(&self) -> Key {
        key(self.user, self.id)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
