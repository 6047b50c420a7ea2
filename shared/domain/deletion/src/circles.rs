//! The circles of somebody who leaves.

use std::collections::BTreeSet;

use base::ids::{CircleId, UserId};
use ledger::action_log::{Action, ActionType};
use platform::{
    App, Result,
    table::{KeyOnly, Query},
};
use serde_json::Value;

/// Rows of a page.
const PAGE_ROWS: usize = 25;
/// What the log says of invitations and memberships lies between these sort keys.
const LOGGED: [&str; 2] = ["ACTION#INVITE_", "ACTION#LEAVE_CIRCLE~"];
const BADGE_PREFIX: &str = "BADGE#";

/// Takes the person out of the next circle whose member they are.
pub(super) async fn listed(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let Some((behind, circle)) = circles::listed_after(app, user, behind).await? else { return Ok(None) };
    forget(app, user, circle).await.map(|()| Some(behind))
}

/// Takes the person out of the next 25 circles that invite them.
pub(super) async fn inviting(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let found = circles::inviting_after(app, user, behind).await?;
    for (_, circle) in &found {
        forget(app, user, *circle).await?;
    }
    Ok(found.last().map(|(at, _)| at.clone()).filter(|_| found.len() == circles::INVITING))
}

/// Takes the person out of the circles that the next 25 entries of the log name.
pub(super) async fn logged(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let [low, high] = LOGGED.map(str::to_owned);
    let query = Query::partition(user.partition()).between(behind.unwrap_or(low), high).consistent();
    let (actions, last) = app.table.next_page::<Action>(query, PAGE_ROWS).await?;
    let named: BTreeSet<_> = actions.iter().filter_map(circle_of).collect();
    for circle in named.into_iter().filter_map(|it| it.parse::<CircleId>().ok()) {
        forget(app, user, circle).await?;
    }
    Ok(last)
}

/// Takes the person off the stones of the next 25 circles to which they gave karma.
pub(super) async fn badges(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(BADGE_PREFIX, behind).consistent();
    let (badges, last) = app.table.next_page::<KeyOnly>(query, PAGE_ROWS).await?;
    for circle in badges.iter().filter_map(|it| it.sk.strip_prefix(BADGE_PREFIX)?.parse::<CircleId>().ok()) {
        circles::erase_hero(app, user, circle).await?;
    }
    Ok(last)
}

/// Takes the person out of a circle, with all that they wrote there.
pub(super) async fn forget(app: &App, user: UserId, circle: CircleId) -> Result<()> {
    let mut after = None;
    loop {
        after = circles::erase_page(app, user, circle, after).await?;
        if after.is_none() {
            return circles::leave_for_good(app, user, circle).await;
        }
    }
}

/// Returns the circle that an action is about.
fn circle_of(action: &Action) -> Option<&str> {
    match action.kind {
        ActionType::InviteSent => action.metadata.as_ref()?.get("circleId").and_then(Value::as_str),
        _ => Some(&action.target_id),
    }
}
