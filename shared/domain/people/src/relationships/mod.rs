//! Relationships: the blocks, mutes and ended follows between two users, one row for each side.

use std::collections::{BTreeMap, HashSet};

use base::ids::{Position, UserId};
use futures::{future::try_join_all, try_join};
use platform::{
    App,
    error::Result,
    table::{Index, Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};

mod checks;
mod lists;
mod view_context;

pub(crate) use checks::if_unblocked_write;
pub use checks::{
    check_all_unblocked, check_unblocked, check_unblocked_among, check_unblocked_with, check_unblocked_write,
    is_blocked,
};
pub use lists::{Listed, listed, position};
pub use view_context::ViewContext;

/// The most rows that one page's query reads. It covers the range from the lowest to the highest user of
/// the page, so it may meet other relationships of the viewer.
const PAGE_MAX_ROWS: usize = 200;
/// The most blocks that are read of one user.
const BLOCKS_MAX: usize = 1000;
/// The relationships that are deleted at once when somebody leaves.
const FORGOTTEN_TOGETHER: usize = 25;
const SORT_KEY_PREFIX: &str = "BARRIER#";

platform::bus_events! {
    /// A user blocked another.
    UserBlocked {
        /// The user who blocked.
        blocker_id: UserId,
        /// The user who was blocked.
        blocked_id: UserId,
    }
}

/// The blocks, the mute and the ended follow of one user, the viewer, towards another. A missing row
/// means that there are none.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    /// The user whose view this row limits.
    pub viewer: UserId,
    /// The other user.
    pub other: UserId,
    /// Whether the viewer blocked the other.
    #[serde(default)]
    pub blocks: bool,
    /// Whether the other blocked the viewer.
    #[serde(default)]
    pub blocked_by: bool,
    /// Whether the viewer muted the other.
    #[serde(default)]
    pub mutes: bool,
    /// Whether the viewer followed the other and unfollowed them.
    #[serde(default)]
    pub left: bool,
    /// The position in the viewer's list of blocked people, also when the block ended.
    pub blocked_at: Option<Position>,
    /// The position in the viewer's list of muted people, likewise.
    pub muted_at: Option<Position>,
}

impl Relationship {
    fn none(viewer: UserId, other: UserId) -> Self {
        Self {
            viewer,
            other,
            blocks: false,
            blocked_by: false,
            mutes: false,
            left: false,
            blocked_at: None,
            muted_at: None,
        }
    }

    /// Returns whether either user blocked the other.
    pub fn is_block(&self) -> bool {
        self.blocks || self.blocked_by
    }

    /// Returns whether it hides the other user's posts on a context.
    pub fn hides_in(&self, context: ViewContext) -> bool {
        match context {
            ViewContext::Following => self.is_block() || self.mutes || self.left,
            ViewContext::Feed => self.is_block() || self.mutes,
            ViewContext::Thread | ViewContext::Ancestors | ViewContext::Profile => self.is_block(),
        }
    }
}

/// Returns the viewer's relationship to another user; an empty one where there is no row.
pub async fn find(app: &App, viewer: UserId, other: UserId) -> Result<Relationship> {
    Ok(app.table.get(&key(viewer, other)).await?.unwrap_or(Relationship::none(viewer, other)))
}

/// Returns an update of the viewer's relationship to another user.
pub fn update_write(viewer: UserId, other: UserId) -> Write {
    Write::update(key(viewer, other)).set("viewer", viewer).set("other", other)
}

/// Returns an update of a relationship that the other user finds when they leave.
pub fn named_write(viewer: UserId, other: UserId) -> Write {
    update_write(viewer, other).index_key_once(Index::Gsi3, &named_key(viewer, other))
}

fn named_key(viewer: UserId, other: UserId) -> Key {
    Key::new(other.named(), sk(viewer))
}

/// Deletes the next 25 relationships of a user who leaves, and those of the others to them. Returns where the next page
/// begins.
pub async fn erase_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(SORT_KEY_PREFIX, after).consistent();
    let (rows, last) = app.table.next_page::<Relationship>(query, FORGOTTEN_TOGETHER).await?;
    let both = rows.iter().flat_map(|it| [key(it.other, user), key(user, it.other)]);
    app.table.batch_write::<Relationship>(&[], &both.collect::<Vec<_>>()).await?;
    Ok(last)
}

/// Returns the users whom a viewer blocked or who blocked the viewer; none when there are too many to read.
pub async fn all_blocks(app: &App, viewer: UserId) -> Result<Option<Vec<UserId>>> {
    let all = Query::partition(viewer.partition()).prefix(SORT_KEY_PREFIX);
    let found: Vec<Relationship> = app.table.query(&all.limit(BLOCKS_MAX)).await?;
    let blocks = || found.iter().filter(|it| it.is_block()).map(|it| it.other).collect();
    Ok((found.len() < BLOCKS_MAX).then(blocks))
}

/// Returns those of these people whose posts are hidden from the viewer on a context. Beyond 200 rows it reads the rest
/// by key.
pub async fn hidden_from(
    app: &App,
    viewer: UserId,
    people: &HashSet<UserId>,
    context: ViewContext,
) -> Result<HashSet<UserId>> {
    let relationships = find_all(app, viewer, people).await?;
    Ok(relationships.into_iter().filter(|it| it.hides_in(context)).map(|it| it.other).collect())
}

/// Returns the pairs `(viewer, person)` in which the person's posts are hidden from the viewer on a context.
pub async fn hidden_pairs(
    app: &App,
    people: &BTreeMap<UserId, HashSet<UserId>>,
    context: ViewContext,
) -> Result<HashSet<(UserId, UserId)>> {
    let (one, several): (Vec<_>, Vec<_>) = people.iter().partition(|(_, people)| people.len() == 1);
    let pairs = one.into_iter().flat_map(|(viewer, people)| people.iter().map(|it| key(*viewer, *it)));
    let pairs: Vec<_> = pairs.collect();
    let several = several.into_iter().map(|(viewer, people)| find_all(app, *viewer, people));
    let (one, several) =
        try_join!(app.table.batch_get_eventual::<Relationship>(&pairs), try_join_all(several))?;
    let relationships = several.into_iter().flatten().chain(one);
    Ok(relationships.filter(|it| it.hides_in(context)).map(|it| (it.viewer, it.other)).collect())
}

/// Returns the people of [`hidden_pairs`] who are hidden from one viewer.
pub fn hidden_of(pairs: &HashSet<(UserId, UserId)>, viewer: UserId) -> HashSet<UserId> {
    pairs.iter().filter(|(it, _)| *it == viewer).map(|(_, person)| *person).collect()
}

/// Returns the viewer's relationships to these people, and maybe to others.
pub async fn find_all(app: &App, viewer: UserId, people: &HashSet<UserId>) -> Result<Vec<Relationship>> {
    let (Some(low), Some(high)) = (people.iter().min(), people.iter().max()) else {
        return Ok(Vec::new());
    };
    let range = Query::partition(key(viewer, *low).pk).between(sk(*low), sk(*high));
    let mut relationships: Vec<Relationship> = app.table.query(&range.limit(PAGE_MAX_ROWS)).await?;
    if let (PAGE_MAX_ROWS, Some(last)) = (relationships.len(), relationships.last().map(|it| it.other)) {
        let beyond = people.iter().filter(|it| **it > last);
        let keys: Vec<_> = beyond.map(|it| key(viewer, *it)).collect();
        relationships.extend(app.table.batch_get_eventual::<Relationship>(&keys).await?);
    }
    Ok(relationships)
}

/// Returns the key of a relationship's row.
pub fn key(viewer: UserId, other: UserId) -> Key {
    Key::new(viewer.partition(), sk(other))
}

fn sk(other: UserId) -> String {
    format!("{SORT_KEY_PREFIX}{other}")
}

/// `USER#viewer / BARRIER#other`; while it blocks: gsi1 `BLOCKED#viewer / blocked since`; while it mutes: gsi2
/// `MUTED#viewer / muted since`; once the viewer muted the other: gsi3 `NAMED#other / BARRIER#viewer`
impl Row for Relationship {
    fn key(&self) -> Key {
        key(self.viewer, self.other)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let blocked = self.blocked_at.filter(|_| self.blocks).map(|at| Listed::Blocked.key(self.viewer, at));
        let muted = self.muted_at.filter(|_| self.mutes).map(|at| Listed::Muted.key(self.viewer, at));
        let named = self.muted_at.map(|_| (Index::Gsi3, named_key(self.viewer, self.other)));
        blocked.into_iter().chain(muted).chain(named).collect()
    }
}
