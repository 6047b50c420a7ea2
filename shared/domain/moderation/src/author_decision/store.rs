//! Stores decisions, and notifies the affected user.

use base::{PostId, UserId};
use notifications::{NotificationEvent, NotificationType, TargetType};
use platform::{App, Result, Write};
use ulid::Ulid;

use super::row::{AuthorDecision, Grounds, ShownAction, Subject, find};

/// A new decision by moderators, with the texts that the affected user sees.
pub(crate) struct NewDecision {
    /// The strongest action.
    pub(crate) action: ShownAction,
    /// The other actions.
    pub(crate) more: Vec<ShownAction>,
    pub(crate) warning: Option<String>,
    pub(crate) grounds: Grounds,
}

impl AuthorDecision {
    /// Returns the writes that store the decision and notify the affected user.
    pub(crate) fn writes(&self, app: &App) -> Vec<Write> {
        [Write::put(self)].into_iter().chain(notice_writes(app, self.user, self.post)).collect()
    }
}

/// Returns the writes that store a decision by moderators, and notify the affected user. If the post is already hidden,
/// a new decision to hide it keeps an appeal against the earlier decision open.
pub(crate) async fn new_writes(app: &App, subject: Subject, new: NewDecision) -> Result<Vec<Write>> {
    if subject.user == UserId::NONE {
        return Ok(Vec::new());
    }
    let NewDecision { action, more, warning, grounds } = new;
    let earlier = find(app, subject.user, subject.id).await?;
    let is_confirmed = |earlier: &&AuthorDecision| {
        earlier.is_in_force() && earlier.action == action && action == ShownAction::Hidden
    };
    let confirmed = earlier.as_ref().filter(is_confirmed);
    let is_same = |earlier: &AuthorDecision| earlier.reason == grounds.reason && earlier.more == more;
    if warning.is_none() && confirmed.is_some_and(is_same) {
        return Ok(Vec::new());
    }
    let appeal = confirmed.and_then(|earlier| earlier.appeal.clone());
    let later =
        AuthorDecision { more, warning, appeal, ..AuthorDecision::new(app, subject, action, grounds) };
    let notices = notice_writes(app, subject.user, subject.id);
    Ok(later.replacing_writes(app, earlier.as_ref()).into_iter().chain(notices).collect())
}

/// Returns the writes that end the current decision by moderators or the judge, and notify the affected user. Returns
/// no writes if there is no such decision.
pub(crate) async fn restored_writes(app: &App, subject: Subject) -> Result<Vec<Write>> {
    let earlier = find(app, subject.user, subject.id).await?;
    let Some(earlier) = earlier.filter(AuthorDecision::is_in_force) else { return Ok(Vec::new()) };
    let notices = notice_writes(app, subject.user, subject.id);
    Ok(earlier.end_writes(app.now()).into_iter().chain(notices).collect())
}

/// Returns the writes that notify the affected user of a decision.
pub(crate) fn notice_writes(app: &App, author: UserId, post: PostId) -> Vec<Write> {
    let kinds = (NotificationType::Moderation, TargetType::ModerationDecision);
    let (id, now) = (app.ids.next(app.now()), app.now());
    NotificationEvent::without_actor(author, kinds, Ulid::from(post), (id, now)).writes(app)
}
