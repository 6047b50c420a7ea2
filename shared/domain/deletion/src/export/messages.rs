//! What an export has of message groups: one's own messages, one's reactions to those of others, and the names that one gave.

use base::ids::{GroupId, UserId};
use conversations::Message;
use platform::{
    App, Result,
    table::{JsonRow, Query},
};
use serde_json::{Value, json};

use super::line::{Lines, PAGE_ROWS, line};

/// Which groups of somebody are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    /// Those whose member they are.
    Joined,
    /// Those that they left.
    Left,
}

/// Returns what the person wrote among the next 500 messages of a group. A cursor in the middle of a group has its
/// message too.
pub(super) async fn page(app: &App, user: UserId, groups: Groups, behind: Option<String>) -> Result<Lines> {
    let inside = behind.as_deref().and_then(|it| it.split_once('/'));
    let inside = inside.and_then(|(at, it)| Some((at, it.split_once('/')?)));
    let inside =
        inside.and_then(|(at, (group, low))| Some((at.to_owned(), group.parse().ok()?, low.to_owned())));
    let (at, group, low, names) = match inside {
        Some((at, group, low)) => (at, group, low, Vec::new()),
        None => match next(app, user, groups, behind).await? {
            Some((at, group)) => (at, group, "MSG#".to_owned(), names(app, user, group).await?),
            None => return Ok((Vec::new(), None)),
        },
    };
    let query = Query::partition(conversations::key(group).pk).between(low, "MSG#~");
    let (rows, last) = app.table.next_page::<JsonRow>(query, 2 * PAGE_ROWS).await?;
    let next = last.map_or_else(|| at.clone(), |last| format!("{at}/{group}/{last}"));
    let written = rows.into_iter().filter_map(|it| written(it, user));
    Ok((names.into_iter().chain(written).collect(), Some(next)))
}

async fn next(
    app: &App,
    user: UserId,
    groups: Groups,
    behind: Option<String>,
) -> Result<Option<(String, GroupId)>> {
    match groups {
        Groups::Joined => conversations::listed_after(app, user, behind).await,
        Groups::Left => conversations::left_after(app, user, behind).await,
    }
}

/// Returns what the person gave a group: its name, its picture.
async fn names(app: &App, user: UserId, group: GroupId) -> Result<Vec<Value>> {
    let Some(profile) = conversations::find_profile(app, group).await? else { return Ok(Vec::new()) };
    let name = profile.name.filter(|_| profile.name_by == Some(user));
    let avatar = profile.avatar.filter(|_| profile.avatar_by == Some(user));
    let is_empty = name.is_none() && avatar.is_none();
    let data = json!({ "group": group, "name": name, "avatar": avatar });
    Ok(if is_empty { Vec::new() } else { vec![json!({ "kind": "profile", "data": data })] })
}

/// Returns an own message, without what others did to it; of another the own reaction.
fn written(row: JsonRow, user: UserId) -> Option<Value> {
    if row.text("sender") != Some(&user.to_string()) {
        let emoji = row.text(&Message::reaction_attribute(user))?;
        let data = json!({ "group": row.text("group"), "message": row.text("id"), "emoji": emoji });
        return Some(json!({ "kind": "reaction", "data": data }));
    }
    let mut line = line(row);
    let fields = line.get_mut("data").and_then(Value::as_object_mut);
    fields.into_iter().for_each(|it| it.retain(|name, _| !Message::is_reaction(name)));
    Some(line)
}
