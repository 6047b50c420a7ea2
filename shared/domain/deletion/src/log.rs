//! Reads a deleted user's action log, and erases the logged follows from other users' rows.

use base::UserId;
use ledger::action_log::{Action, ActionType};
use notifications::NotificationType;
use people::follows;
use platform::{App, Query, Result, Row};

use super::ties::about_user;

const PAGE_ROWS: usize = 25;
/// Range of the sort keys of logged follows: `FLOW_FOLLOWER_CREATED` and `FOLLOW_FOLLOWING_CREATED`.
const FOLLOWS_RANGE: [&str; 2] = ["ACTION#FLOW_", "ACTION#FOLLOW_~"];

/// Erases the next 25 logged follows from other users' rows: action logs, ended follows and notifications.
pub(super) async fn page(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let (actions, last) = actions(app, user, FOLLOWS_RANGE, cursor, PAGE_ROWS).await?;
    for action in &actions {
        if let Ok(other) = action.target_id.parse::<UserId>() {
            erase_follow(app, user, other, action).await?;
        }
    }
    Ok(last)
}

/// Returns a page of a user's action log within a range of sort keys, and the next cursor.
pub(super) async fn actions(
    app: &App,
    user: UserId,
    [low, high]: [&str; 2],
    cursor: Option<String>,
    rows: usize,
) -> Result<(Vec<Action>, Option<String>)> {
    let low = cursor.unwrap_or_else(|| low.to_owned());
    app.table.next_page(Query::partition(user.partition()).between(low, high).consistent(), rows).await
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
    app.table.delete_rows(vec![theirs]).await
}
