//! Barriers: what keeps one person from seeing another, one row for each side.

use std::collections::{BTreeMap, HashSet};

use futures::{future::try_join_all, try_join};
use platform::{
    App,
    error::{Error, Result},
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};

use crate::ids::UserId;

/// The relationships of a page lie between its lowest and highest person; of what else lies there, at
/// most so many rows are read.
const PAGE_MAX_ROWS: usize = 200;
const REFUSED: &str = "a block stands between you and this user";

/// What stands before one person, the viewer, when they look at another. Missing is the same as none.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    /// Who looks.
    pub viewer: UserId,
    /// At whom.
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
    /// Whether the viewer followed the other and does not any more.
    #[serde(default)]
    pub left: bool,
}

/// Where somebody's posts are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Among those of whom the viewer follows: a mute hides them, a block, and that one unfollowed.
    Following,
    /// Among those of anyone: a mute hides them, and a block.
    Feed,
    /// Where the viewer went to look: only a block hides them.
    Thread,
}

impl Surface {
    /// Whom one unfollowed may come back through those one follows.
    /// Where the origin of what is looked at there is looked at.
    pub fn of_origins(self) -> Self {
        match self {
            Self::Following | Self::Feed => Self::Feed,
            Self::Thread => Self::Thread,
        }
    }
}

impl Relationship {
    /// Whether either blocked the other.
    pub fn is_block(&self) -> bool {
        self.blocks || self.blocked_by
    }

    /// Whether it hides the other from the viewer there.
    pub fn hides_in(&self, surface: Surface) -> bool {
        match surface {
            Surface::Following => self.is_block() || self.mutes || self.left,
            Surface::Feed => self.is_block() || self.mutes,
            Surface::Thread => self.is_block(),
        }
    }
}

/// What stands before the viewer; nothing, where there is no row. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn find(app: &App, viewer: UserId, other: UserId) -> Result<Relationship> {
    let nothing = Relationship { viewer, other, blocks: false, blocked_by: false, mutes: false, left: false };
    Ok(app.table.get(&key(viewer, other)).await?.unwrap_or(nothing))
}

/// Whether either of two people blocked the other. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn between(app: &App, one: UserId, other: UserId) -> Result<bool> {
    find(app, one, other).await.map(|it| it.is_block())
}

/// Refuses where either of two people blocked the other. 1 call, 1 RRU.
///
/// # Errors
/// [`Error::Forbidden`] where a block stands.
pub async fn refuse(app: &App, one: UserId, other: UserId) -> Result<()> {
    refuse_any(app, one, &[other]).await
}

/// Refuses where a block stands between one person and any of the others. 1 call for each 100, 1
/// RRU each.
///
/// # Errors
/// [`Error::Forbidden`] where a block stands.
pub async fn refuse_any(app: &App, one: UserId, others: &[UserId]) -> Result<()> {
    let keys: Vec<_> = others.iter().map(|it| key(one, *it)).collect();
    let relationships: Vec<Relationship> = app.table.batch_get(&keys).await?;
    match relationships.iter().any(Relationship::is_block) {
        true => Err(Error::Forbidden(REFUSED.into())),
        false => Ok(()),
    }
}

/// For a transaction: nothing is done where either of two people blocked the other.
pub fn none_between(one: UserId, other: UserId) -> Write {
    unblocked(Write::check(key(one, other)))
}

/// The write, only where it finds no block.
pub(crate) fn unblocked(write: Write) -> Write {
    let write = write.equals_or_lacks("blocks", false).equals_or_lacks("blockedBy", false);
    write.or(Error::Forbidden(REFUSED.into()))
}

/// An update of what stands before the viewer.
pub fn update(viewer: UserId, other: UserId) -> Write {
    Write::update(key(viewer, other)).set("viewer", viewer).set("other", other)
}

/// Those of these people that the viewer does not see there. 1 call and 0.5 RRU for each 4 KB of
/// the viewer's relationships between the lowest and the highest of them; what lies beyond 200 rows is
/// read by key.
///
/// # Errors
/// Internal only.
pub async fn hidden_from(
    app: &App,
    viewer: UserId,
    people: &HashSet<UserId>,
    surface: Surface,
) -> Result<HashSet<UserId>> {
    let relationships = before(app, viewer, people).await?;
    Ok(relationships.into_iter().filter(|it| it.hides_in(surface)).map(|it| it.other).collect())
}

/// Viewers, each with somebody whom they do not see there, of those named with them. 0.5 RRU for each viewer
/// of one person, 100 in a call; for one of several as [`hidden_from`].
///
/// # Errors
/// Internal only.
pub async fn hidden_pairs(
    app: &App,
    people: &BTreeMap<UserId, HashSet<UserId>>,
    surface: Surface,
) -> Result<HashSet<(UserId, UserId)>> {
    let (one, several): (Vec<_>, Vec<_>) = people.iter().partition(|(_, people)| people.len() == 1);
    let pairs = one.into_iter().flat_map(|(viewer, people)| people.iter().map(|it| key(*viewer, *it)));
    let pairs: Vec<_> = pairs.collect();
    let several = several.into_iter().map(|(viewer, people)| before(app, *viewer, people));
    let (one, several) =
        try_join!(app.table.batch_get_eventual::<Relationship>(&pairs), try_join_all(several))?;
    let relationships = several.into_iter().flatten().chain(one);
    Ok(relationships.filter(|it| it.hides_in(surface)).map(|it| (it.viewer, it.other)).collect())
}

/// What stands between the viewer and these people. Costs as [`hidden_from`].
///
/// # Errors
/// Internal only.
pub async fn before(app: &App, viewer: UserId, people: &HashSet<UserId>) -> Result<Vec<Relationship>> {
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

fn key(viewer: UserId, other: UserId) -> Key {
    Key::new(format!("USER#{viewer}"), sk(other))
}

fn sk(other: UserId) -> String {
    format!("BARRIER#{other}")
}

/// `USER#viewer / BARRIER#other`
impl Row for Relationship {
    fn key(&self) -> Key {
        key(self.viewer, self.other)
    }
}
