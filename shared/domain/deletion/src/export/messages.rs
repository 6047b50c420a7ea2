//! Exports the user's messages and reactions, and the group names and pictures that the user set.

use base::ids::{GroupId, UserId};
use conversations::Message;
use platform::{
    App, Result,
    table::{JsonRow, Query},
};
use serde_json::{Value, json};

use super::line::{Lines, PAGE_ROWS, line};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    /// Current groups.
    Joined,
    /// Groups that the user left.
    Left,
}

/// Returns the user's messages and reactions among the next 500 messages of a group. If the group has more messages,
/// the returned cursor contains the position of the next message.
pub(super) async fn page(app: &App, user: UserId, groups: Groups, cursor: Option<String>) -> Result<Lines> {
    let (at, group, low, names) = match cursor.as_deref().and_then(within_group) {
        Some((at, group, low)) => (at, group, low, Vec::new()),
        None => match next(app, user, groups, cursor).await? {
            Some((at, group)) => (at, group, "MSG#".to_owned(), names(app, user, group).await?),
            None => return Ok((Vec::new(), None)),
        },
    };
    let query = Query::partition(conversations::key(group).pk).between(low, "MSG#~");
    let (rows, last) = app.table.next_page::<JsonRow>(query, 2 * PAGE_ROWS).await?;
    let next = last.map_or_else(|| at.clone(), |last| format!("{at}/{group}/{last}"));
    let written = rows.into_iter().flat_map(|row| written(row, user));
    Ok((names.into_iter().chain(written).collect(), Some(next)))
}

/// Parses a cursor within a group: the group's cursor, its ID, and the sort key of the last message.
fn within_group(cursor: &str) -> Option<(String, GroupId, String)> {
    let (at, rest) = cursor.split_once('/')?;
    let (group, low) = rest.split_once('/')?;
    Some((at.to_owned(), group.parse().ok()?, low.to_owned()))
}

async fn next(
    app: &App,
    user: UserId,
    groups: Groups,
    cursor: Option<String>,
) -> Result<Option<(String, GroupId)>> {
    match groups {
        Groups::Joined => conversations::listed_after(app, user, cursor).await,
        Groups::Left => conversations::left_after(app, user, cursor).await,
    }
}

/// Returns the group's name and picture, if the user set them.
async fn names(app: &App, user: UserId, group: GroupId) -> Result<Vec<Value>> {
    let Some(profile) = conversations::find_profile(app, group).await? else { return Ok(Vec::new()) };
    let name = profile.name.filter(|_| profile.name_by == Some(user));
    let avatar = profile.avatar.filter(|_| profile.avatar_by == Some(user));
    if name.is_none() && avatar.is_none() {
        return Ok(Vec::new());
    }
    let data = json!({ "group": group, "name": name, "avatar": avatar });
    Ok(vec![json!({ "kind": "group profile", "data": data })])
}

/// Returns the message without reactions if the user sent it, and the user's reaction to it, if any.
fn written(row: JsonRow, user: UserId) -> Vec<Value> {
    let reaction = row.text(&Message::reaction_attribute(user)).map(|emoji| {
        let data = json!({ "group": row.text("group"), "message": row.text("id"), "emoji": emoji });
        json!({ "kind": "reaction", "data": data })
    });
    let is_own = row.text("sender") == Some(&user.to_string());
    let message = is_own.then(|| without_reactions(line(row)));
    message.into_iter().chain(reaction).collect()
}

fn without_reactions(mut message: Value) -> Value {
    let fields = message.get_mut("data").and_then(Value::as_object_mut);
    fields.into_iter().for_each(|data| data.retain(|name, _| !Message::is_reaction(name)));
    message
}
