//! What an export has: the rows of the places where something of a person is, each as a line of JSON.

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
    line::{Lines, PAGE_ROWS, add_address, kind, line},
    messages::{self, Groups},
};

/// Kinds of rows of the own partition that say nothing of the person, or that nobody is shown.
const SKIPPED: [&str; 8] = ["EXPORT", "LEAVING", "INDEXED", "MARKING", "MADE", "MENTIONED", "PUSHED", "TOTP"];
/// Kinds of rows elsewhere that name the person, and are nobody's business but theirs who wrote them: who mutes the person,
/// who reports them.
const OF_OTHERS: [&str; 2] = ["barrier", "report"];

/// A place of which an export is made. Names are added and retired, never changed: messages carry them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Source {
    /// The person's own partition.
    Own,
    /// Posts, quotes and reposts that lists show.
    Posts,
    /// Replies.
    Answers,
    /// Quotes and reposts that no list shows.
    Unlisted,
    /// What the log says was written, and that is in none of these: in circles, hidden, deleted.
    Written,
    /// Follows by others.
    Followers,
    /// Friend requests that wait for the person.
    Requests,
    /// Friends who had asked the person.
    Friends,
    /// Memberships of message groups.
    Groups,
    /// Messages and reactions in the groups of today, and the names that the person gave these.
    Messages,
    /// The same in groups that the person left.
    LeftMessages,
    /// Memberships of circles.
    Circles,
    /// Invitations to circles.
    Invitations,
    /// Rows elsewhere that name the person: uploads.
    Named,
    /// Rows elsewhere that an entry of the own partition names: reports, requests to join.
    Made,
    /// The files that the person uploaded, which go to archives.
    Files,
}

/// All places, in the order of the file.
pub(super) const SOURCES: &[Source] = &[
    Source::Own,
    Source::Posts,
    Source::Answers,
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

/// Returns the lines of a page of a place.
pub(super) async fn page(app: &App, user: UserId, source: Source, behind: Option<String>) -> Result<Lines> {
    let list = |index, name: &str| (index, format!("{name}#{user}"));
    let list = match source {
        Source::Own => return own(app, user, behind).await,
        Source::Written => return written(app, user, behind).await,
        Source::Messages => return messages::page(app, user, Groups::Joined, behind).await,
        Source::LeftMessages => return messages::page(app, user, Groups::Left, behind).await,
        Source::Made => return made(app, user, behind).await,
        Source::Posts => list(Index::Gsi1, "AUTHOR"),
        Source::Answers => list(Index::Gsi1, "ANSWERS"),
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
    listed(app, list, behind).await
}

async fn listed(app: &App, (index, partition): (Index, String), behind: Option<String>) -> Result<Lines> {
    let query = Query::index(index, partition).after(behind).limit(PAGE_ROWS);
    let rows: Vec<JsonRow> = app.table.query(&query).await?;
    let sort_key = match index {
        Index::Gsi1 => "gsi1sk",
        Index::Gsi2 => "gsi2sk",
        Index::Gsi3 => "gsi3sk",
    };
    let last = rows.last().filter(|_| rows.len() == PAGE_ROWS).and_then(|it| it.text(sort_key));
    let last = last.map(str::to_owned);
    let versions = versions(app, &rows).await?;
    let shown = rows.into_iter().filter(|it| !OF_OTHERS.contains(&kind(it).as_str()));
    let mut lines: Vec<_> = shown.map(line).chain(versions).collect();
    lines.iter_mut().try_for_each(|it| add_address(app, it))?;
    Ok((lines, last))
}

/// Returns the earlier versions of those posts that were edited.
async fn versions(app: &App, rows: &[JsonRow]) -> Result<Vec<Value>> {
    let mut versions = Vec::new();
    for row in rows.iter().filter(|it| it.number("edits") > 0) {
        let query = Query::partition(row.key().pk).prefix("VERSION#");
        versions.extend(app.table.query::<JsonRow>(&query).await?.into_iter().map(line));
    }
    Ok(versions)
}

async fn own(app: &App, user: UserId, behind: Option<String>) -> Result<Lines> {
    let query = Query::partition(user.partition()).after(behind).consistent();
    let (rows, last) = app.table.next_page::<JsonRow>(query, PAGE_ROWS).await?;
    let shown = rows.into_iter().filter(|it| !SKIPPED.iter().any(|skipped| it.key().sk.starts_with(skipped)));
    Ok((shown.map(line).collect(), last))
}

/// Returns the posts that the log names and that no list of the person has.
async fn written(app: &App, user: UserId, behind: Option<String>) -> Result<Lines> {
    let low = behind.unwrap_or_else(|| "ACTION#POST_CREATED#".to_owned());
    let query = Query::partition(user.partition()).between(low, "ACTION#POST_CREATED#~");
    let (actions, last) = app.table.next_page::<JsonRow>(query, PAGE_ROWS).await?;
    let ids: HashSet<_> = actions.iter().filter_map(|it| it.text("targetId")).collect();
    let keys = ids.iter().filter_map(|it| it.parse().ok().map(posts::partition));
    let keys: Vec<_> = keys.flat_map(|pk| ["POST", "CIRCLEPOST"].map(|sk| Key::new(&pk, sk))).collect();
    let mut rows: Vec<JsonRow> = app.table.batch_get_eventual(&keys).await?;
    let author = user.to_string();
    rows.retain(|it| {
        let listed = it.text("gsi1pk").is_some_and(|pk| pk.starts_with("AUTHOR#"));
        it.text("author") == Some(&author) && !listed
    });
    let versions = versions(app, &rows).await?;
    Ok((rows.into_iter().map(line).chain(versions).collect(), last))
}

/// Returns what the person made elsewhere.
async fn made(app: &App, user: UserId, behind: Option<String>) -> Result<Lines> {
    let (made, last) = made::page(app, user, behind, PAGE_ROWS).await?;
    let keys = made.iter().filter_map(|it| match it.kind {
        MadeKind::Report => it.id.parse().ok().map(reports::key),
        MadeKind::Appeal => it.id.parse().ok().map(appeals::key),
        MadeKind::JoinRequest => it.id.parse().ok().map(|circle| circles::join_request_key(circle, user)),
    });
    let rows: Vec<JsonRow> = app.table.batch_get_eventual(&keys.collect::<Vec<_>>()).await?;
    Ok((rows.into_iter().map(line).collect(), last))
}
