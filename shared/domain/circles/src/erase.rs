//! Removes a deleted user from circles. The user's circles get a new owner, and the user's posts are deleted.

use base::{CircleId, PostId, UserId};
use ledger::action_log::{Action, ActionType};
use platform::{App, Error, Index, Key, Query, Result, Row, Time, Write, retry_on_conflict};
use serde::{Deserialize, Serialize};

use super::{
    Circle, Invitation, Member, Source, circle, invitation, key, member_key, museum, notices, permissions,
    posts, succession,
};

const PAGE_ROWS: usize = 200;
/// Circles per page of [`next_inviting_circles`].
pub const INVITING_PAGE_CIRCLES: usize = 25;
/// Range of the sort keys of all rows in a circle's partition that may contain a user ID.
const TRACES: [&str; 2] = ["EXP#", "PACE#~"];
/// Prefix of a cursor that points to a post. Posts are erased after all other rows.
const POSTS: &str = "posts/";

/// A row of a circle that may contain a user ID, with only the fields that the erasure needs.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Trace {
    pk: String,
    sk: String,
    user: Option<UserId>,
    user_id: Option<UserId>,
    invited_by_id: Option<UserId>,
    answered_by_id: Option<UserId>,
    answered_at: Option<Time>,
    created_at: Option<Time>,
}

/// Returns the circle of a post. Returns `None` if the post is not in a circle, or if the user is not its author.
pub async fn circle_of(app: &App, user: UserId, post: PostId) -> Result<Option<CircleId>> {
    let post = posts::find_any(app, post).await?.filter(|post| post.author == user);
    Ok(post.map(|post| post.circle))
}

/// Returns the next 25 circles that a user is invited to, each with its cursor. Starts after the cursor `after`.
pub async fn next_inviting_circles(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<Vec<(String, CircleId)>> {
    let query = Query::index(Index::Gsi1, invitation::pending_partition(user))
        .after(after)
        .limit(INVITING_PAGE_CIRCLES);
    let found: Vec<Invitation> = app.table.query(&query).await?;
    Ok(found.into_iter().map(|invitation| (invitation.position.to_string(), invitation.circle)).collect())
}

/// Removes a user from a circle. If the user is the owner, the longest-standing administrator becomes the owner, or
/// else the longest-standing member. A circle without members is closed. A repeated call has no effect.
pub async fn remove_deleted_user(app: &App, user: UserId, id: CircleId) -> Result<()> {
    retry_on_conflict(async || {
        let (circle_key, member_key) = (key(id), member_key(id, user));
        let mut rows = app.table.get_together(&[circle_key.clone(), member_key.clone()]).await?;
        let circle = rows.take::<Circle>(&circle_key)?.filter(Circle::is_alive);
        let member = rows.take::<Member>(&member_key)?.filter(Member::is_in);
        permissions::invalidate(app, user, id);
        match circle.zip(member) {
            Some((circle, member)) => app.table.transact(removal_writes(app, &circle, &member).await?).await,
            None => app.table.write(Write::delete(member_key)).await,
        }
    })
    .await
}

async fn removal_writes(app: &App, circle: &Circle, member: &Member) -> Result<Vec<Write>> {
    let left = Write::delete(member.key()).equals("role", member.role).equals("joinedAt", member.joined_at);
    let log = Action::on_circle(member.user, ActionType::LeaveCircle, circle.id, app.now()).log_write();
    let mut writes = succession::departure_writes(app, circle, member, log).await?;
    writes.push(left.lacks("leftAt").into());
    Ok(writes)
}

/// Erases a user from the next 200 rows of a circle: posts, comments, requests, invitations and log entries. Returns
/// the cursor of the next page, or `None` after the last page.
pub async fn erase_page(
    app: &App,
    user: UserId,
    id: CircleId,
    after: Option<String>,
) -> Result<Option<String>> {
    match after.as_deref().and_then(|cursor| cursor.strip_prefix(POSTS)) {
        Some(after) => {
            let after = Some(after).filter(|after| !after.is_empty()).map(str::to_owned);
            let last = posts::erase_author_page(app, user, id, after).await?;
            Ok(last.map(|post| format!("{POSTS}{post}")))
        }
        None => {
            let last = erase_traces(app, user, id, after).await?;
            Ok(Some(last.unwrap_or_else(|| POSTS.to_owned())))
        }
    }
}

async fn erase_traces(
    app: &App,
    user: UserId,
    id: CircleId,
    after: Option<String>,
) -> Result<Option<String>> {
    let [low, high] = TRACES.map(str::to_owned);
    let query = Query::partition(circle::partition(id)).between(after.unwrap_or(low), high).consistent();
    let rows: Vec<Trace> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    let last = rows.last().map(|row| row.sk.clone()).filter(|_| rows.len() == PAGE_ROWS);
    for row in rows {
        erase_trace(app, user, id, row).await?;
    }
    Ok(last)
}

async fn erase_trace(app: &App, user: UserId, circle: CircleId, row: Trace) -> Result<()> {
    let key = Key::new(&row.pk, &row.sk);
    let is_member = row.sk.starts_with("MEMBER#");
    if row.user == Some(user) && !is_member || row.invited_by_id == Some(user) {
        erase_invitation(app, user, circle, &row).await?;
        return app.table.write(Write::delete(key)).await;
    }
    if row.user_id == Some(user) {
        return app.table.try_write(Write::update(key).remove("userId").exists()).await.map(drop);
    }
    match (row.answered_by_id, row.user, row.answered_at) {
        (Some(by), Some(joined), Some(at)) if by == user => {
            app.table.try_write(Write::update(key).remove("answeredById").exists()).await?;
            let action = Action::on_circle(joined, ActionType::JoinCircle, circle, at);
            let metadata = serde_json::json!({ "source": Source::JoinRequest });
            let erase_answer = Write::update(action.key()).set("metadata", metadata).exists();
            app.table.try_write(erase_answer).await.map(drop)
        }
        _ => Ok(()),
    }
}

/// Deletes the log entry of an invitation. Removes the user from the notifications about the invitation and its
/// acceptance.
async fn erase_invitation(app: &App, user: UserId, circle: CircleId, row: &Trace) -> Result<()> {
    let (Some(by), Some(invited), Some(at)) = (row.invited_by_id, row.user, row.created_at) else {
        return Ok(());
    };
    let subjects = [notices::invitation_subject(invited, circle), notices::joining_subject(by, circle)];
    notifications::erase_actor(app, user, &subjects).await?;
    app.table.write(Write::delete(Action::on_user(by, ActionType::InviteSent, invited, at).key())).await
}

/// Removes a user from the list of heroes on a circle's stone.
pub async fn erase_hero(app: &App, user: UserId, circle: CircleId) -> Result<()> {
    let stone = match museum::find(app, ulid::Ulid::from(circle).into()).await {
        Err(Error::NotFound(_)) => return Ok(()),
        stone => stone?,
    };
    let heroes: Vec<_> = stone.heroes.iter().filter(|hero| hero.user_id != user.public()).collect();
    if heroes.len() == stone.heroes.len() {
        return Ok(());
    }
    app.table.try_write(Write::update(stone.key()).set("heroes", heroes).exists()).await.map(drop)
}

impl Row for Trace {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
