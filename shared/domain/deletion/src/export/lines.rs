//! The rows of an export, each as a line of JSON.

use std::collections::HashSet;

use base::ids::UserId;
use ledger::made::{self, MadeKind};
use moderation::{appeals, reports};
use platform::{
    App, Result,
    table::{Index, JsonRow, Key, Query, Row},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    line::{Lines, PAGE_ROWS, add_url, is_deleted_by_moderation, kind, line},
    messages::{self, Groups},
};

/// Kinds of rows in the user's partition that are not exported, because they contain no personal data or are
/// confidential.
const SKIPPED: [&str; 7] = ["EXPORT", "LEAVING", "INDEXED", "MARKING", "MADE", "MENTIONED", "TOTP"];
/// Kinds of rows about the user that are not the user's: moderation cases, and other users' mutes and reports.
const OF_OTHERS: [&str; 3] = ["case", "relationship", "report"];

/// A source of rows for an export. Queued messages contain the variants' names, so never rename a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Source {
    /// The user's devices, and the user's partition.
    Own,
    /// Posts, quotes and reposts that appear in lists.
    Posts,
    /// Replies.
    Answers,
    /// Hidden posts, quotes and reposts.
    Hidden,
    /// Deleted quotes and reposts.
    Unlisted,
    /// Posts that only the action log refers to: circle posts and deleted posts.
    Written,
    /// Follows by other users.
    Followers,
    /// Pending friend requests to the user.
    Requests,
    /// Friendships that began with a request by the other user.
    Friends,
    /// Memberships of message groups.
    Groups,
    /// The user's messages, reactions, group names and group pictures in the groups that the user is in.
    Messages,
    /// The user's messages, reactions, group names and group pictures in the groups that the user left.
    LeftMessages,
    /// Memberships of circles.
    Circles,
    /// Invitations to circles.
    Invitations,
    /// The user's uploads, which are rows in other partitions.
    Named,
    /// Rows in other partitions that the user made: reports, appeals and join requests.
    Made,
    /// Uploaded files, which are written to archives.
    Files,
}

/// All sources, in their order in the export file.
pub(super) const SOURCES: &[Source] = &[
    Source::Own,
    Source::Posts,
    Source::Answers,
    Source::Hidden,
    Source::Unlisted,
    Source::Written,
    Source::Followers,
    Source::Requests,
    Source::Friends,
    Source::Groups,
    Source::Messages,
    Source::LeftMessages,
    Source::Circles,
    Source::Invitations,
    Source::Named,
    Source::Made,
    Source::Files,
];

/// Returns a page of a source as lines of the export.
pub(super) async fn page(app: &App, user: UserId, source: Source, cursor: Option<String>) -> Result<Lines> {
    let list = |index, name: &str| (index, format!("{name}#{user}"));
    let list = match source {
        Source::Own => return own(app, user, cursor).await,
        Source::Written => return written(app, user, cursor).await,
        Source::Messages => return messages::page(app, user, Groups::Joined, cursor).await,
        Source::LeftMessages => return messages::page(app, user, Groups::Left, cursor).await,
        Source::Made => return made(app, user, cursor).await,
        Source::Posts => list(Index::Gsi1, "AUTHOR"),
        Source::Answers => list(Index::Gsi1, "ANSWERS"),
        Source::Hidden => list(Index::Gsi1, "HIDDEN"),
        Source::Unlisted => list(Index::Gsi1, "UNLISTED"),
        Source::Followers => list(Index::Gsi2, "FOLLOWERS"),
        Source::Requests => list(Index::Gsi2, "FREQ_RECEIVED"),
        Source::Friends => list(Index::Gsi2, "FRIENDS"),
        Source::Groups => list(Index::Gsi1, "GROUPS"),
        Source::Circles => list(Index::Gsi1, "CIRCLES"),
        Source::Invitations => list(Index::Gsi1, "INVITED"),
        Source::Named => (Index::Gsi3, user.named()),
        Source::Files => return Ok((Vec::new(), None)),
    };
    listed(app, list, cursor).await
}

async fn listed(app: &App, (index, partition): (Index, String), cursor: Option<String>) -> Result<Lines> {
    let query = Query::index(index, partition).after(cursor).limit(PAGE_ROWS);
    let rows: Vec<JsonRow> = app.table.query(&query).await?;
    let last = rows.last().filter(|_| rows.len() == PAGE_ROWS).and_then(|row| row.text(index.sk()));
    let last = last.map(str::to_owned);
    let versions = versions(app, &rows).await?;
    let shown = rows.into_iter().filter(|row| !OF_OTHERS.contains(&kind(row).as_str()));
    let mut lines: Vec<_> = shown.map(line).chain(versions).collect();
    lines.iter_mut().try_for_each(|line| add_url(app, line))?;
    Ok((lines, last))
}

/// Returns the earlier versions of the edited posts in `rows`, as lines of the export. Omits the versions of posts that
/// moderation deleted.
async fn versions(app: &App, rows: &[JsonRow]) -> Result<Vec<Value>> {
    let mut versions = Vec::new();
    for row in rows.iter().filter(|row| row.number("edits") > 0 && !is_deleted_by_moderation(row)) {
        let query = Query::partition(row.key().pk).prefix("VERSION#");
        versions.extend(app.table.query::<JsonRow>(&query).await?.into_iter().map(line));
    }
    Ok(versions)
}

async fn own(app: &App, user: UserId, cursor: Option<String>) -> Result<Lines> {
    let devices = Query::partition(user.devices()).prefix("DEVICE#").limit(PAGE_ROWS);
    let devices = if cursor.is_none() { app.table.query::<JsonRow>(&devices).await? } else { Vec::new() };
    let query = Query::partition(user.partition()).after(cursor).consistent();
    let (rows, last) = app.table.next_page::<JsonRow>(query, PAGE_ROWS).await?;
    let shown =
        rows.into_iter().filter(|row| !SKIPPED.iter().any(|skipped| row.key().sk.starts_with(skipped)));
    Ok((devices.into_iter().chain(shown).map(line).collect(), last))
}

/// Returns the user's posts that the action log refers to, except posts that appear in the user's post list.
async fn written(app: &App, user: UserId, cursor: Option<String>) -> Result<Lines> {
    let low = cursor.unwrap_or_else(|| "ACTION#POST_CREATED#".to_owned());
    let query = Query::partition(user.partition()).between(low, "ACTION#POST_CREATED#~");
    let (actions, last) = app.table.next_page::<JsonRow>(query, PAGE_ROWS).await?;
    let ids: HashSet<_> = actions.iter().filter_map(|action| action.text("targetId")).collect();
    let keys = ids.iter().filter_map(|id| id.parse().ok().map(posts::partition));
    let keys: Vec<_> = keys.flat_map(|pk| ["POST", "CIRCLEPOST"].map(|sk| Key::new(&pk, sk))).collect();
    let mut rows: Vec<JsonRow> = app.table.batch_get_eventual(&keys).await?;
    let author = user.to_string();
    rows.retain(|row| {
        let list = row.text("gsi1pk").unwrap_or_default();
        let is_listed = list.starts_with("AUTHOR#") || list.starts_with("HIDDEN#");
        row.text("author") == Some(&author) && !is_listed
    });
    let versions = versions(app, &rows).await?;
    Ok((rows.into_iter().map(line).chain(versions).collect(), last))
}

async fn made(app: &App, user: UserId, cursor: Option<String>) -> Result<Lines> {
    let (made, last) = made::page(app, user, cursor, PAGE_ROWS).await?;
    let keys = made.iter().filter_map(|entry| match entry.kind {
        MadeKind::Report => entry.id.parse().ok().map(reports::key),
        MadeKind::Appeal => entry.id.parse().ok().map(appeals::key),
        MadeKind::JoinRequest => entry.id.parse().ok().map(|circle| circles::join_request_key(circle, user)),
    });
    let rows: Vec<JsonRow> = app.table.batch_get_eventual(&keys.collect::<Vec<_>>()).await?;
    Ok((rows.into_iter().map(line).collect(), last))
}
