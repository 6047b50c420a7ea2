//! What an export has: the rows of the places where something of a person is, each as a line of JSON.

use std::collections::HashSet;

use platform::{
    App, Result,
    table::{Index, JsonRow, Key, Query, Row},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    circles, conversations,
    ids::UserId,
    ledger::made::{self, MadeKind},
    moderation::{appeals, reports},
    posts,
};

/// Rows of a page.
const PAGE_ROWS: usize = 250;
/// What nobody is shown: what opens the account, what others did to the person, and what administrators noted.
const HIDDEN: [&str; 12] = [
    "passwordHash",
    "secretHash",
    "seed",
    "secret",
    "subscription",
    "blockedBy",
    "assistantNote",
    "confidence",
    "adminNote",
    "decidedBy",
    "decidedAt",
    "hiddenBy",
];
/// Kinds of rows of the own partition that say nothing of the person, or that nobody is shown.
const SKIPPED: [&str; 7] = ["EXPORT", "LEAVING", "INDEXED", "GATHER", "MADE", "PUSHED", "TOTP"];

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
    /// Messages.
    Messages,
    /// Memberships of circles.
    Circles,
    /// Invitations to circles.
    Invitations,
    /// Rows elsewhere that name the person: uploads.
    Named,
    /// Rows elsewhere that an entry of the own partition names: reports, requests to join.
    Made,
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
    Source::Circles,
    Source::Invitations,
    Source::Named,
    Source::Made,
];

/// The lines of a page, and where the next begins.
pub(super) type Lines = (Vec<Value>, Option<String>);

/// Returns the lines of a page of a place. Costs 1 call and 0.5 RRU for each 4 KB; 1 RRU for each 4 KB of the own partition;
/// 1 call and 0.5 RRU more for each post that was edited.
pub(super) async fn page(app: &App, user: UserId, source: Source, behind: Option<String>) -> Result<Lines> {
    let list = |index, name: &str| (index, format!("{name}#{user}"));
    let list = match source {
        Source::Own => return own(app, user, behind).await,
        Source::Written => return written(app, user, behind).await,
        Source::Messages => return messages(app, user, behind).await,
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
    // Who mutes the person is nobody's business but theirs.
    let shown = rows.into_iter().filter(|it| !kind(it).starts_with("barrier"));
    Ok((shown.map(line).chain(versions).collect(), last))
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
    let query = Query::partition(user.partition()).after(behind).consistent().limit(PAGE_ROWS);
    let rows: Vec<JsonRow> = app.table.query(&query).await?;
    let last = rows.last().map(|it| it.key().sk).filter(|_| rows.len() == PAGE_ROWS);
    let shown = rows.into_iter().filter(|it| !SKIPPED.iter().any(|skipped| it.key().sk.starts_with(skipped)));
    Ok((shown.map(line).collect(), last))
}

/// Returns the posts that the log names and that no list of the person has.
async fn written(app: &App, user: UserId, behind: Option<String>) -> Result<Lines> {
    let low = behind.unwrap_or_else(|| "ACTION#POST_CREATED#".to_owned());
    let query = Query::partition(user.partition()).between(low, "ACTION#POST_CREATED#~").limit(PAGE_ROWS);
    let actions: Vec<JsonRow> = app.table.query(&query).await?;
    let last = actions.last().map(|it| it.key().sk).filter(|_| actions.len() == PAGE_ROWS);
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

/// Returns the person's messages among the next 500 of a group. A cursor in the middle of a group has its message too.
async fn messages(app: &App, user: UserId, behind: Option<String>) -> Result<Lines> {
    let inside = behind.as_deref().and_then(|it| it.split_once('/'));
    let (at, group, low) = match inside.and_then(|(at, it)| Some((at, it.split_once('/')?))) {
        Some((at, (group, low))) => (at.to_owned(), format!("GROUP#{group}"), low.to_owned()),
        None => match conversations::listed_after(app, user, behind).await? {
            Some((at, group)) => (at, conversations::key(group).pk, "MSG#".to_owned()),
            None => return Ok((Vec::new(), None)),
        },
    };
    let query = Query::partition(&group).between(low, "MSG#~").limit(2 * PAGE_ROWS);
    let (rows, sender): (Vec<JsonRow>, _) = (app.table.query(&query).await?, user.to_string());
    let last = rows.last().map(|it| it.key().sk).filter(|_| rows.len() == 2 * PAGE_ROWS);
    let own = rows.into_iter().filter(|it| it.text("sender") == Some(&sender));
    let group = group.trim_start_matches("GROUP#");
    let next = last.map_or_else(|| at.clone(), |last| format!("{at}/{group}/{last}"));
    Ok((own.map(line).collect(), Some(next)))
}

/// Returns what the person made elsewhere.
async fn made(app: &App, user: UserId, behind: Option<String>) -> Result<Lines> {
    let made = made::page(app, user, behind, PAGE_ROWS).await?;
    let last = made.last().map(|it| it.key().sk).filter(|_| made.len() == PAGE_ROWS);
    let keys = made.iter().filter_map(|it| match it.kind {
        MadeKind::Report => it.id.parse().ok().map(reports::key),
        MadeKind::Appeal => it.id.parse().ok().map(appeals::key),
        MadeKind::JoinRequest => it.id.parse().ok().map(|circle| circles::join_request_key(circle, user)),
    });
    let rows: Vec<JsonRow> = app.table.batch_get_eventual(&keys.collect::<Vec<_>>()).await?;
    Ok((rows.into_iter().map(line).collect(), last))
}

fn line(row: JsonRow) -> Value {
    json!({ "kind": kind(&row), "data": row.without(&HIDDEN) })
}

/// Returns the kind of a row: the beginning of its sort key.
fn kind(row: &JsonRow) -> String {
    let sk = row.key().sk;
    sk.split('#').next().unwrap_or_default().to_lowercase()
}
