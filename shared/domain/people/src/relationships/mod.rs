//! Relationships: the blocks, mutes and ended follows between two users. Each of the two users has a row.

use std::collections::{BTreeMap, HashSet};

use base::{Position, UserId};
use futures::{future::try_join_all, try_join};
use platform::{App, Index, Key, Query, Result, Row, Write};
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

/// Maximum number of rows that the range query in [`find_all`] reads.
const PAGE_MAX_ROWS: usize = 200;
/// Maximum number of relationships that [`all_blocks`] reads.
const BLOCKS_MAX: usize = 1000;
/// Number of relationships that one batch of an account deletion removes.
const DELETED_TOGETHER: usize = 25;
const SORT_KEY_PREFIX: &str = "BARRIER#";

platform::bus_events! {
    /// A user blocked another user.
    UserBlocked {
        /// The user who blocks.
        blocker_id: UserId,
        /// The user who is blocked.
        blocked_id: UserId,
    }
}

/// What the viewer and another user have done to each other: blocks, and the viewer's mute and unfollow. A missing row
/// means none of these.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    /// The user who does not see the other user's posts, depending on the flags.
    pub viewer: UserId,
    /// The other user.
    pub other: UserId,
    /// Whether the viewer blocks the other user.
    #[serde(default)]
    pub blocks: bool,
    /// Whether the other user blocks the viewer.
    #[serde(default)]
    pub blocked_by: bool,
    /// Whether the viewer mutes the other user.
    #[serde(default)]
    pub mutes: bool,
    /// Whether the viewer unfollowed the other user.
    #[serde(default)]
    pub left: bool,
    /// The position in the viewer's list of blocked users. The position is kept after the block ends.
    pub blocked_at: Option<Position>,
    /// The position in the viewer's list of muted users. The position is kept after the mute ends.
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

    /// Returns whether a block exists between the two users.
    pub fn is_block(&self) -> bool {
        self.blocks || self.blocked_by
    }

    /// Returns whether the other user's posts are hidden from the viewer in this context.
    pub fn hides_in(&self, context: ViewContext) -> bool {
        match context {
            ViewContext::Following => self.is_block() || self.mutes || self.left,
            ViewContext::Feed => self.is_block() || self.mutes,
            ViewContext::Thread | ViewContext::Ancestors | ViewContext::Profile => self.is_block(),
        }
    }
}

/// Returns the viewer's relationship to another user. If the row is missing, all flags of the result are false.
pub async fn find(app: &App, viewer: UserId, other: UserId) -> Result<Relationship> {
    Ok(app.table.get(&key(viewer, other)).await?.unwrap_or(Relationship::none(viewer, other)))
}

/// Returns an update of a relationship. The update creates the row if it is missing.
pub fn update_write(viewer: UserId, other: UserId) -> Write {
    Write::update(key(viewer, other)).set("viewer", viewer).set("other", other)
}

/// Returns the same update as [`update_write`], with an additional index entry. If the other user deletes their
/// account, the deletion finds the row through this entry.
pub fn named_write(viewer: UserId, other: UserId) -> Write {
    update_write(viewer, other).index_key_once(Index::Gsi3, &named_key(viewer, other))
}

fn named_key(viewer: UserId, other: UserId) -> Key {
    Key::new(other.named(), sk(viewer))
}

/// Deletes the next 25 relationships of a deleted account, including the matching rows of the other users. Returns the
/// cursor of the next page, or `None` after the last page.
pub async fn erase_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(SORT_KEY_PREFIX, after).consistent();
    let (rows, last) = app.table.next_page::<Relationship>(query, DELETED_TOGETHER).await?;
    let both = rows.iter().flat_map(|row| [key(row.other, user), key(user, row.other)]);
    app.table.delete_rows(both.collect()).await?;
    Ok(last)
}

/// Returns the users who blocked the viewer or were blocked by the viewer. Returns `None` if the viewer has 1,000
/// relationships or more.
pub async fn all_blocks(app: &App, viewer: UserId) -> Result<Option<Vec<UserId>>> {
    let all = Query::partition(viewer.partition()).prefix(SORT_KEY_PREFIX);
    let found: Vec<Relationship> = app.table.query(&all.limit(BLOCKS_MAX)).await?;
    let blocks = || found.iter().filter(|row| row.is_block()).map(|block| block.other).collect();
    Ok((found.len() < BLOCKS_MAX).then(blocks))
}

/// Returns the users in `people` whose posts are hidden from the viewer in this context. The result can include hidden
/// users who are not in `people`.
pub async fn hidden_from(
    app: &App,
    viewer: UserId,
    people: &HashSet<UserId>,
    context: ViewContext,
) -> Result<HashSet<UserId>> {
    let relationships = find_all(app, viewer, people).await?;
    Ok(relationships.into_iter().filter(|row| row.hides_in(context)).map(|hidden| hidden.other).collect())
}

/// Returns the users in `people` that a block hides from the viewer, or nothing without a viewer. The result can include
/// hidden users who are not in `people`.
pub async fn hidden_by_blocks(
    app: &App,
    viewer: Option<UserId>,
    people: &[UserId],
) -> Result<HashSet<UserId>> {
    let Some(viewer) = viewer else { return Ok(HashSet::new()) };
    let others = people.iter().copied().filter(|person| *person != viewer).collect();
    hidden_from(app, viewer, &others, ViewContext::Thread).await
}

/// Returns pairs `(viewer, person)` for which the person's posts are hidden from the viewer in this context. `people`
/// maps each viewer to the persons to check.
pub async fn hidden_pairs(
    app: &App,
    people: &BTreeMap<UserId, HashSet<UserId>>,
    context: ViewContext,
) -> Result<HashSet<(UserId, UserId)>> {
    let (one, several): (Vec<_>, Vec<_>) = people.iter().partition(|(_, people)| people.len() == 1);
    let pairs =
        one.into_iter().flat_map(|(viewer, people)| people.iter().map(|person| key(*viewer, *person)));
    let pairs: Vec<_> = pairs.collect();
    let several = several.into_iter().map(|(viewer, people)| find_all(app, *viewer, people));
    let (one, several) =
        try_join!(app.table.batch_get_eventual::<Relationship>(&pairs), try_join_all(several))?;
    let relationships = several.into_iter().flatten().chain(one);
    Ok(relationships
        .filter(|row| row.hides_in(context))
        .map(|hidden| (hidden.viewer, hidden.other))
        .collect())
}

/// Returns the users whose posts are hidden from `viewer`. `pairs` is the result of [`hidden_pairs`].
pub fn hidden_of(pairs: &HashSet<(UserId, UserId)>, viewer: UserId) -> HashSet<UserId> {
    pairs.iter().filter(|(owner, _)| *owner == viewer).map(|(_, person)| *person).collect()
}

/// Returns the viewer's relationships to `people`, and possibly to other users. Queries the range from the lowest to
/// the highest user ID. If the range has more than 200 rows, reads the remaining rows by key.
pub async fn find_all(app: &App, viewer: UserId, people: &HashSet<UserId>) -> Result<Vec<Relationship>> {
    let (Some(low), Some(high)) = (people.iter().min(), people.iter().max()) else {
        return Ok(Vec::new());
    };
    let range = Query::partition(key(viewer, *low).pk).between(sk(*low), sk(*high));
    let mut relationships: Vec<Relationship> = app.table.query(&range.limit(PAGE_MAX_ROWS)).await?;
    if let (PAGE_MAX_ROWS, Some(last)) = (relationships.len(), relationships.last().map(|last| last.other)) {
        let beyond = people.iter().filter(|person| **person > last);
        let keys: Vec<_> = beyond.map(|person| key(viewer, *person)).collect();
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

/// `USER#viewer / BARRIER#other`. With a block: gsi1 `BLOCKED#viewer / position`. With a mute: gsi2 `MUTED#viewer /
/// position`. After the first mute: gsi3 `NAMED#other / BARRIER#viewer`.
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
