//! Moderation decisions about users and their posts, as the affected user sees them: the user, or the author of the
//! post. A decision has a measure, a reason and a decider.

use base::ids::{AppealId, Position, PostId, UserId};
use notifications::{NotificationEvent, NotificationType, TargetType};
use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Index, Key, Query, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;
use utoipa::ToSchema;

use super::{appeals::AppealStatus, decider::Decider, reports::Category};

/// Time for which a decision counts as a strike.
const STRIKE_SECONDS: i64 = 90 * 24 * HOUR_SECONDS;

/// The measure that moderation took against a post or a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ModerationMeasure)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Measure {
    /// The post was hidden from lists.
    Hidden,
    /// The post was deleted.
    Deleted,
    /// Clients show a warning before the post.
    Labeled,
    /// Only the author can reply to the post.
    RepliesLocked,
    /// The user got a warning.
    Warned,
    /// The user was banned.
    Banned,
}

/// The user and the post that a decision is about. For a decision about the user, the ID is the user's public ID.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    pub(super) user: UserId,
    pub(super) id: PostId,
}

/// A measure that moderators took, with the texts that the affected user sees.
pub(super) struct Ruling {
    pub(super) measure: Measure,
    pub(super) warning: Option<String>,
    pub(super) grounds: Grounds,
}

/// The latest moderation decision about a post or a user. The row is in the partition of the affected user.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Enforcement {
    pub(super) user: UserId,
    pub(super) post: PostId,
    pub(super) measure: Measure,
    pub(super) decider: Decider,
    /// The administrator or user who decided. `None` for the judge.
    pub(super) decided_by: Option<UserId>,
    pub(super) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) warning: Option<String>,
    pub(super) category: Category,
    pub(super) position: Position,
    pub(super) created_at: Time,
    pub(super) restored_at: Option<Time>,
    pub(super) appeal: Option<AppealNote>,
    /// The time of the ban. `None` for other decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ban_at: Option<Time>,
    /// Whether the decision is about a ban and is not stored yet. The user's appeal stores the decision.
    #[serde(skip)]
    pub(super) is_new: bool,
}

/// An appeal in a user's list of decisions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AppealSummary)]
#[serde(rename_all = "camelCase")]
pub struct AppealNote {
    /// The appeal's id.
    pub id: AppealId,
    /// The result of the appeal, or `PENDING`.
    pub status: AppealStatus,
}

/// A moderation decision about the caller or the caller's post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ModerationDecision)]
#[serde(rename_all = "camelCase")]
pub struct EnforcementView {
    /// The post's ID. The author can read a hidden post by its ID. For a decision about the user, the user's public ID.
    pub id: PostId,
    /// The same as `id`, for the path of the appeal.
    pub post_id: PostId,
    /// The measure. If several were taken, the strongest one.
    pub measure: Measure,
    /// Whether the judge, an administrator or a user decided.
    pub decider: Decider,
    /// The reason that the judge or the administrator gave.
    pub reason: Option<String>,
    /// The warning to the author. Null if there is none.
    pub warning: Option<String>,
    /// The category of the report.
    pub category: Category,
    /// RFC 3339 time of the decision.
    pub created_at: Time,
    /// RFC 3339 time at which the decision ended: the post was shown again, or the ban was lifted. Null if the decision
    /// is in force.
    pub restored_at: Option<Time>,
    /// RFC 3339 time until which the decision counts as a strike, 90 days after the decision. Can be in the past. Null if
    /// the decision was reversed, or if another user hid the post.
    pub strike_until: Option<Time>,
    /// The author's appeal. Null if the author has not appealed.
    pub appeal: Option<AppealNote>,
}

/// The decider, reason and category of a moderation decision.
#[derive(Clone, Debug)]
pub(super) struct Grounds {
    pub(super) decided_by: Option<UserId>,
    pub(super) reason: Option<String>,
    pub(super) category: Category,
}

impl Enforcement {
    /// Returns a new decision about `subject`, made at the current time.
    pub(super) fn new(app: &App, subject: Subject, measure: Measure, grounds: Grounds) -> Self {
        let Grounds { decided_by, reason, category } = grounds;
        let now = app.now();
        Self {
            user: subject.user,
            post: subject.id,
            measure,
            decider: decided_by.map_or(Decider::Judge, |_| Decider::Administrator),
            decided_by,
            reason,
            warning: None,
            category,
            position: app.ids.next(now),
            created_at: now,
            restored_at: None,
            appeal: None,
            ban_at: None,
            is_new: false,
        }
    }

    /// Returns the writes that store the decision and notify the affected user.
    pub(super) fn writes(&self, app: &App) -> Vec<Write> {
        [Write::put(self)].into_iter().chain(notice_writes(app, self.user, self.post)).collect()
    }

    /// Returns the write that ends the decision. The write fails with a conflict if the row changed after the read.
    pub(super) fn restored_write(&self, now: Time) -> Write {
        self.unchanged_write().set("restoredAt", now)
    }

    /// Returns the write that stores an appeal or its outcome. The write fails with a conflict if the row changed after
    /// the read.
    pub(super) fn appeal_write(&self, id: AppealId, status: AppealStatus) -> Write {
        let note = AppealNote { id, status };
        match self.ban_at.filter(|_| self.is_new) {
            Some(at) => Write::put(&Self { appeal: Some(note), ..self.clone() }).below_or_lacks("banAt", at),
            None => self.unchanged_write().set("appeal", note),
        }
    }

    /// Returns whether the affected user can appeal.
    pub(super) fn is_appealable(&self) -> bool {
        matches!(self.measure, Measure::Hidden | Measure::Banned)
            && self.restored_at.is_none()
            && self.appeal.is_none()
    }

    fn unchanged_write(&self) -> Write {
        let write = Write::update(self.key()).equals("position", self.position);
        let write = write.is_still("restoredAt", self.restored_at);
        write.is_still("appeal", self.appeal.as_ref())
    }

    pub(super) fn view(self) -> EnforcementView {
        let is_strike = self.restored_at.is_none() && self.decider != Decider::User;
        EnforcementView {
            id: self.post,
            post_id: self.post,
            measure: self.measure,
            decider: self.decider,
            reason: self.reason,
            warning: self.warning,
            category: self.category,
            created_at: self.created_at,
            restored_at: self.restored_at,
            strike_until: is_strike.then(|| self.created_at.plus_seconds(STRIKE_SECONDS)),
            appeal: self.appeal,
        }
    }
}

/// Returns a page of the moderation decisions about a user and the user's posts, newest first.
pub async fn list(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<EnforcementView>> {
    let last = position(app, user, cursor.after).await?;
    let query = Query::index(Index::Gsi1, partition(user)).newest_first().before(last);
    let rows: Vec<Enforcement> = app.table.query(&query.limit(cursor.take.rows() + 1)).await?;
    Ok(Page::cut(rows, cursor.take, |row| row.position.to_string()).map(Enforcement::view))
}

/// Returns the position of a cursor. The cursor is a position from a previous page, or the `id` of a listed decision.
async fn position(app: &App, user: UserId, after: Option<Position>) -> Result<Option<Position>> {
    let Some(after) = after else { return Ok(None) };
    let row = find(app, user, Ulid::from(after).into()).await?;
    Ok(Some(row.map_or(after, |row| row.position)))
}

/// Returns the writes that store a decision by moderators, and notify the affected user. If the post is already hidden,
/// a new decision to hide it keeps an appeal against the earlier decision open.
pub(super) async fn ruling_writes(app: &App, subject: Subject, ruling: Ruling) -> Result<Vec<Write>> {
    if subject.user == UserId::NONE {
        return Ok(Vec::new());
    }
    let Ruling { measure, warning, grounds } = ruling;
    let in_force = find_in_force(app, subject).await?;
    let confirmed = in_force.filter(|earlier| earlier.measure == measure && measure == Measure::Hidden);
    if confirmed.as_ref().is_some_and(|earlier| warning.is_none() && earlier.reason == grounds.reason) {
        return Ok(Vec::new());
    }
    let appeal = confirmed.and_then(|earlier| earlier.appeal);
    let enforcement = Enforcement::new(app, subject, measure, grounds);
    Ok(Enforcement { warning, appeal, ..enforcement }.writes(app))
}

/// Returns the writes that end the current decision by moderators or the judge, and notify the affected user. Returns
/// no writes if there is no such decision.
pub(super) async fn restored_writes(app: &App, subject: Subject) -> Result<Vec<Write>> {
    let in_force = find_in_force(app, subject).await?;
    let restored = in_force.map(|earlier| earlier.restored_write(app.now()));
    let notices = restored.is_some().then(|| notice_writes(app, subject.user, subject.id));
    Ok(restored.into_iter().chain(notices.into_iter().flatten()).collect())
}

/// Returns the decision by moderators or the judge that is in force, or `None` if there is none.
async fn find_in_force(app: &App, subject: Subject) -> Result<Option<Enforcement>> {
    let earlier = find(app, subject.user, subject.id).await?;
    let is_in_force =
        |earlier: &Enforcement| earlier.restored_at.is_none() && earlier.decider != Decider::User;
    Ok(earlier.filter(is_in_force))
}

/// Returns the writes that notify the affected user of a decision.
pub(super) fn notice_writes(app: &App, author: UserId, post: PostId) -> Vec<Write> {
    let kinds = (NotificationType::Moderation, TargetType::ModerationDecision);
    let (id, now) = (app.ids.next(app.now()), app.now());
    NotificationEvent::without_actor(author, kinds, Ulid::from(post), (id, now)).writes(app)
}

/// Returns the latest decision about a user or the user's post.
pub(super) async fn find(app: &App, user: UserId, post: PostId) -> Result<Option<Enforcement>> {
    app.table.get(&key(user, post)).await
}

fn partition(user: UserId) -> String {
    format!("ENFORCED#{user}")
}

fn key(user: UserId, post: PostId) -> Key {
    Key::new(user.partition(), format!("ENFORCED#{post}"))
}

/// `USER#u / ENFORCED#post`, gsi1 `ENFORCED#u / position`
impl Row for Enforcement {
    fn key(&self) -> Key {
        key(self.user, self.post)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(partition(self.user), self.position.to_string()))]
    }
}
