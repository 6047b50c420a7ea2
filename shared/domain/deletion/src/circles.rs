//! Removes a deleted user from circles.

use std::collections::BTreeSet;

use base::{CircleId, UserId};
use ledger::action_log::{Action, ActionType};
use platform::{App, Query, Result, table::KeyOnly};
use serde_json::Value;

use super::log;

const PAGE_ROWS: usize = 25;
/// Range of the sort keys of circle invitations and memberships in the action log.
const LOGGED_RANGE: [&str; 2] = ["ACTION#INVITE_", "ACTION#LEAVE_CIRCLE~"];
const BADGE_PREFIX: &str = "BADGE#";

/// Removes the user from the next circle that the user is a member of.
pub(super) async fn listed(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let Some((cursor, circle)) = circles::next_circle(app, user, cursor).await? else { return Ok(None) };
    remove_user(app, user, circle).await.map(|()| Some(cursor))
}

/// Removes the user from the next 25 circles that invited the user.
pub(super) async fn inviting(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let found = circles::next_inviting_circles(app, user, cursor).await?;
    for (_, circle) in &found {
        remove_user(app, user, *circle).await?;
    }
    let last = found.last().filter(|_| found.len() == circles::INVITING_PAGE_CIRCLES);
    Ok(last.map(|(cursor, _)| cursor.clone()))
}

/// Removes the user from the circles that the next 25 entries in the action log refer to.
pub(super) async fn logged(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let (actions, last) = log::actions(app, user, LOGGED_RANGE, cursor, PAGE_ROWS).await?;
    let named: BTreeSet<_> = actions.iter().filter_map(circle_of).collect();
    for circle in named.into_iter().filter_map(|id| id.parse::<CircleId>().ok()) {
        remove_user(app, user, circle).await?;
    }
    Ok(last)
}

/// Removes the user from the memorial stones of the next 25 circles to which the user gave karma.
pub(super) async fn badges(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(BADGE_PREFIX, cursor).consistent();
    let (badges, last) = app.table.next_page::<KeyOnly>(query, PAGE_ROWS).await?;
    let circle = |badge: &KeyOnly| badge.sk.strip_prefix(BADGE_PREFIX)?.parse::<CircleId>().ok();
    for circle in badges.iter().filter_map(circle) {
        circles::erase_hero(app, user, circle).await?;
    }
    Ok(last)
}

pub(super) async fn remove_user(app: &App, user: UserId, circle: CircleId) -> Result<()> {
    let mut after = None;
    loop {
        after = circles::erase_page(app, user, circle, after).await?;
        if after.is_none() {
            return circles::remove_deleted_user(app, user, circle).await;
        }
    }
}

/// Returns the ID of the circle that a logged action refers to.
fn circle_of(action: &Action) -> Option<&str> {
    match action.kind {
        ActionType::InviteSent => action.metadata.as_ref()?.get("circleId").and_then(Value::as_str),
        _ => Some(&action.target_id),
    }
}
