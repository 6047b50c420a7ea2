//! Erases a deleted user's follows, in both directions, from other users' rows. The user's action log names these
//! follows.

use base::ids::UserId;
use ledger::action_log::{Action, ActionType};
use notifications::NotificationType;
use people::follows;
use platform::{
    App, Result,
    table::{KeyOnly, Query, Row},
};
use ulid::Ulid;

use super::ties::about_user;

/// Actions per page.
const PAGE_ROWS: usize = 25;
/// Range of the sort keys of logged follows: `FLOW_FOLLOWER_CREATED` and `FOLLOW_FOLLOWING_CREATED`.
const FOLLOWS_RANGE: [&str; 2] = ["ACTION#FLOW_", "ACTION#FOLLOW_~"];

/// Erases the next 25 logged follows from other users' rows: action logs, ended follows and notifications. Returns the
/// cursor of the next page, if any.
pub(super) async fn page(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let [low, high] = FOLLOWS_RANGE.map(str::to_owned);
    let query = Query::partition(user.partition()).between(cursor.unwrap_or(low), high).consistent();
    let (actions, last) = app.table.next_page::<Action>(query, PAGE_ROWS).await?;
    for action in &actions {
        if let Ok(other) = action.target_id.parse::<Ulid>().map(UserId::from) {
            erase_follow(app, user, other, action).await?;
        }
    }
    Ok(last)
}

/// Erases a follow from the rows of `other`. The log entries of both users have the same time, because one transaction
/// wrote them.
async fn erase_follow(app: &App, user: UserId, other: UserId, action: &Action) -> Result<()> {
    let theirs = match action.kind {
        ActionType::FollowFollowingCreated => {
            let subject = about_user(other, NotificationType::Follow);
            notifications::erase_actor(app, user, &[subject]).await?;
            ActionType::FlowFollowerCreated
        }
        _ => {
            follows::erase_follower(app, user, other).await?;
            ActionType::FollowFollowingCreated
        }
    };
    let theirs = Action::on_user(other, theirs, user, action.created_at).key();
    app.table.batch_write::<KeyOnly>(&[], &[theirs]).await
}
