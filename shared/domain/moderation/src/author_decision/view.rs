//! Decisions as the affected user sees them, and their list.

use base::{Position, PostId, UserId};
use platform::{App, Cursor, HOUR_SECONDS, Index, Page, Query, Result, Time};
use serde::Serialize;
use ulid::Ulid;
use utoipa::ToSchema;

use super::row::{AppealNote, AuthorDecision, ShownAction, find, partition};
use crate::{decider::Decider, reports::Category};

/// Time for which a decision counts as a strike.
const STRIKE_SECONDS: i64 = 90 * 24 * HOUR_SECONDS;
/// Maximum number of decisions, newest first, that are read to find a strike.
const STRIKES_READ_MAX: usize = 10;

/// A moderation decision about the caller or the caller's post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ModerationDecision)]
#[serde(rename_all = "camelCase")]
pub struct AuthorDecisionView {
    /// The post's ID. The author can read a hidden post by its ID. For a decision about the user, the user's public ID. If
    /// a ban replaced an earlier decision about the user, the earlier decision has an ID of its own.
    pub id: PostId,
    /// The same as `id`, for the path of the appeal.
    pub post_id: PostId,
    /// The action. If several were taken, the strongest one.
    #[serde(rename = "measure")]
    pub action: ShownAction,
    /// All actions of the decision, the strongest first. If the post stays hidden or deleted because of an earlier
    /// decision, the first action is `HIDDEN` or `DELETED`.
    pub measures: Vec<ShownAction>,
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
    /// RFC 3339 time at which the decision was reversed: the post is shown again unless its author deleted it, or the ban
    /// was lifted. Null if the decision was not reversed.
    pub restored_at: Option<Time>,
    /// RFC 3339 time at which a temporary ban ends or ended. Null for other decisions.
    pub banned_until: Option<Time>,
    /// RFC 3339 time until which the decision counts as a strike, 90 days after the decision. Can be in the past. Null if
    /// the decision was reversed, or if another user hid the post.
    pub strike_until: Option<Time>,
    /// The author's appeal. Null if the author has not appealed.
    pub appeal: Option<AppealNote>,
}

impl AuthorDecision {
    /// Returns the decision with an ID of its own if `ban` has the same subject. Otherwise two decisions in a list would
    /// have the same ID.
    pub(crate) fn replaced_by(self, ban: &Self) -> Self {
        let post = if self.post == ban.post { Ulid::from(self.position).into() } else { self.post };
        Self { post, ..self }
    }

    /// Returns the time until which the decision counts as a strike, or `None` if it does not count.
    fn strike_until(&self) -> Option<Time> {
        self.is_in_force().then(|| self.created_at.plus_seconds(STRIKE_SECONDS))
    }

    /// Returns the decision as the affected user sees it.
    pub(crate) fn view(self) -> AuthorDecisionView {
        let strike_until = self.strike_until();
        AuthorDecisionView {
            id: self.post,
            post_id: self.post,
            action: self.action,
            measures: [self.action].into_iter().chain(self.more).collect(),
            decider: self.decider,
            reason: self.reason,
            warning: self.warning,
            category: self.category,
            created_at: self.created_at,
            restored_at: self.restored_at,
            banned_until: self.banned_until,
            strike_until,
            appeal: self.appeal,
        }
    }
}

/// Returns a page of the moderation decisions about a user and the user's posts, newest first.
pub async fn list(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<AuthorDecisionView>> {
    list_after(app, user, None, cursor).await
}

/// Returns a page of moderation decisions about a user, newest first. The first page begins with `ban`, the user's current
/// ban if it is not stored.
pub(crate) async fn list_after(
    app: &App,
    user: UserId,
    ban: Option<AuthorDecision>,
    cursor: Cursor<Position>,
) -> Result<Page<AuthorDecisionView>> {
    let is_ban =
        |after: &Position| ban.as_ref().is_some_and(|ban| Ulid::from(ban.post) == Ulid::from(*after));
    let last = position(app, user, cursor.after.filter(|after| !is_ban(after))).await?;
    let stored = newest(app, user, last, cursor.take.rows() + 1).await?.into_iter();
    let stored = stored.map(|decision| ban.iter().fold(decision, AuthorDecision::replaced_by));
    let rows = ban.clone().filter(|_| cursor.after.is_none()).into_iter().chain(stored).collect();
    Ok(Page::cut(rows, cursor.take, |row: &AuthorDecision| row.position.to_string())
        .map(AuthorDecision::view))
}

/// Returns the newest stored decisions about a user below a position.
pub(crate) async fn newest(
    app: &App,
    user: UserId,
    below: Option<Position>,
    rows: usize,
) -> Result<Vec<AuthorDecision>> {
    let query = Query::index(Index::Gsi1, partition(user)).newest_first().before(below);
    app.table.query(&query.limit(rows)).await
}

/// Returns whether a decision about a user counts as a strike now. Reads the 10 newest decisions.
pub(crate) async fn has_strike(app: &App, user: UserId) -> Result<bool> {
    let decisions = newest(app, user, None, STRIKES_READ_MAX).await?;
    Ok(decisions.iter().filter_map(AuthorDecision::strike_until).any(|until| until > app.now()))
}

/// Returns the position of a cursor. The cursor is a position from a previous page, or the `id` of a listed decision.
async fn position(app: &App, user: UserId, after: Option<Position>) -> Result<Option<Position>> {
    let Some(after) = after else { return Ok(None) };
    let row = find(app, user, Ulid::from(after).into()).await?;
    Ok(Some(row.map_or(after, |row| row.position)))
}
