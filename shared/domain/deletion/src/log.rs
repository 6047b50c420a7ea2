//! What the action log of somebody who leaves says about others: who followed whom.

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

/// Actions of a page.
const PAGE_ROWS: usize = 25;
/// `FLOW_FOLLOWER_CREATED` and `FOLLOW_FOLLOWING_CREATED` lie between these sort keys.
const FOLLOWS: [&str; 2] = ["ACTION#FLOW_", "ACTION#FOLLOW_~"];

/// Erases what the next 25 follows left at the others: the entries of their logs, ended follows, and what notifications
/// say of them.
pub(super) async fn page(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let [low, high] = FOLLOWS.map(str::to_owned);
    let query = Query::partition(user.partition()).between(behind.unwrap_or(low), high).consistent();
    let (actions, last) = app.table.next_page::<Action>(query, PAGE_ROWS).await?;
    for action in &actions {
        if let Ok(other) = action.target_id.parse::<Ulid>().map(UserId::from) {
            forget(app, user, other, action).await?;
        }
    }
    Ok(last)
}

/// The action and the one of the other user were logged in one transaction, at the same time.
async fn forget(app: &App, user: UserId, other: UserId, action: &Action) -> Result<()> {
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
