//! Who likes a post: each settlement writes down whose likes it counts, up to 97 in one small row.
//!
//! Such a row is written before the settlement's transaction, and never trusted: whoever it names is listed by it only
//! while their own engagement says so. So a settlement that was refused, a like that was taken back, and a like that was
//! given again leave nothing wrong behind, and whoever likes a post is listed once, at their newest place.

use std::collections::HashSet;

use platform::{
    App,
    error::Result,
    page::{Cursor, FillingPage, Page},
    retry_stale,
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::{
    ids::{Position, PostId, UserId},
    packed,
    people::follows::FollowRow,
    posts::{
        engagements::{self, Engagement},
        partition,
        placed::{Placed, Reading, page_of, shown},
        visible::find_meant,
    },
};

const SK_PREFIX: &str = "LIKERS#";
/// The lowest bits of a position: those of a row are 0, and those of a place in it count its people.
const PLACE_BITS: u32 = 7;
const PLACE_MASK: u128 = (1 << PLACE_BITS) - 1;

/// The bits of an id beside its time.
const RANDOM_MASK: u128 = (1 << 80) - 1;
/// Whose place is vacant.
const NOBODY: Ulid = Ulid(0);

/// The people whose likes one settlement counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Likers {
    post: PostId,
    at: Position,
    /// The first like first, so that the places of later ones are higher.
    #[serde(with = "packed")]
    users: Vec<UserId>,
}

/// The same people as a value of the row.
#[derive(Serialize)]
#[serde(transparent)]
struct PackedUsers<'a>(#[serde(with = "packed")] &'a [UserId]);

impl Likers {
    /// Returns the row of a settlement that counts new likes; none where it counts none.
    pub(super) fn of(post: PostId, at: Position, settled: &[Engagement]) -> Option<Self> {
        let mut likes: Vec<_> = settled.iter().filter(|it| it.liked).collect();
        likes.sort_unstable_by_key(|it| (it.liked_at, it.user));
        let users: Vec<_> = likes.into_iter().map(|it| it.user).collect();
        (!users.is_empty()).then_some(Self { post, at, users })
    }

    /// Returns the place of a user among all who like the post.
    pub(super) fn place(&self, user: UserId) -> Option<Position> {
        let index = self.users.iter().position(|it| *it == user)?;
        Some(place(self.at, index))
    }

    /// Returns all places of the row, the highest first.
    fn places(&self) -> impl Iterator<Item = Placed> {
        let users = self.users.iter().enumerate().rev();
        users.map(|(index, user)| Placed { at: place(self.at, index), user: *user })
    }
}

/// Returns a page of those who like a post, the newest like first: the viewer's own at once, others when they are counted.
/// At a page of 20, signed in, it costs 7 calls and 45 RRU where likes were counted one by one, 49 where they came by
/// hundreds; behind a cursor 1 RRU more. Where 10 times as many in a row have taken their like back, or are not shown, the
/// page stays short.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such post, and when it is not meant for the viewer.
pub async fn likers(
    app: &App,
    viewer: Option<UserId>,
    post: PostId,
    cursor: Cursor<Position>,
) -> Result<Page<FollowRow>> {
    let post = find_meant(app, viewer, post).await?.id;
    let after = begin_behind(app, post, cursor.after).await?;
    let mut own = match viewer.filter(|_| cursor.after.is_none()) {
        Some(viewer) => uncounted_like(app, viewer, post).await?,
        None => None,
    };
    let mut page = FillingPage::new(Cursor { after, ..cursor });
    while let Some(cursor) = page.to_read() {
        let Reading { found, last, read } = next(app, post, cursor).await?;
        let found = own.take().into_iter().chain(found).collect();
        page.add(shown(app, viewer, found).await?, last, read);
    }
    Ok(page_of(page))
}

/// Returns the place that a cursor names: itself, or where the person is or was whom it names; none for one whose like
/// is not counted yet, who is at the head.
async fn begin_behind(app: &App, post: PostId, after: Option<Position>) -> Result<Option<Position>> {
    let Some(after) = after else { return Ok(None) };
    let engagement = engagements::find(app, UserId::from(Ulid::from(after)), post).await?;
    Ok(match engagement {
        Some(it) if it.liked && !it.counted => None,
        Some(it) => it.place.or(Some(after)),
        None => Some(after),
    })
}

/// Returns the viewer's own like while it is not counted. Its position is the viewer's id, for a place of its own it has
/// not yet.
async fn uncounted_like(app: &App, viewer: UserId, post: PostId) -> Result<Option<Placed>> {
    let engagement = engagements::find(app, viewer, post).await?;
    let uncounted = engagement.filter(|it| it.liked && !it.counted);
    Ok(uncounted.map(|_| Placed { at: Position::from(Ulid::from(viewer)), user: viewer }))
}

/// Reads one place more than a page has, and keeps those whose like stands there.
async fn next(app: &App, post: PostId, Cursor { take, after }: Cursor<Position>) -> Result<Reading> {
    let wanted = take.rows() + 1;
    let newest = after.map_or_else(|| format!("{SK_PREFIX}~"), |it| sk(row_of(it)));
    let query = Query::partition(partition(post)).between(SK_PREFIX, newest).newest_first();
    // Each row has one at least, but that of the cursor, whose others may be behind it.
    let rows: Vec<Likers> = app.table.query(&query.limit(wanted + 1)).await?;
    let places = rows.iter().flat_map(Likers::places).filter(|it| after.is_none_or(|high| it.at < high));
    let mut found: Vec<_> = places.take(wanted).collect();
    let (last, read) = (found.last().map(|it| it.at), found.len());
    let people: Vec<_> = found.iter().map(|it| it.user).collect::<HashSet<_>>().into_iter().collect();
    let engagements = engagements::of_people(app, &people, post).await?;
    let stands = |it: &Engagement| it.place.filter(|_| it.liked && it.counted).map(|at| (it.user, at));
    let standing: HashSet<_> = engagements.iter().filter_map(stands).collect();
    found.retain(|it| standing.contains(&(it.user, it.at)));
    Ok(Reading { found, last, read })
}

/// Takes a user's id out of the row of their place, which stays empty: the id stands in one row of a post at most, and the
/// engagement knows which. Repeating changes nothing. Costs 2 calls, 1 RRU and 1 or 2 WRU; nothing without a place.
///
/// # Errors
/// [`platform::Error::LimitReached`] when others keep changing the row.
pub async fn vacate_place(app: &App, engagement: &Engagement) -> Result<()> {
    let &Engagement { user, post, place: Some(at), .. } = engagement else { return Ok(()) };
    let key = Key::new(partition(post), sk(row_of(at)));
    retry_stale(async || {
        let Some(before) = app.table.get::<Likers>(&key).await? else { return Ok(()) };
        if before.place(user).is_none() {
            return Ok(());
        }
        let vacated = |it: &UserId| if *it == user { UserId::from(NOBODY) } else { *it };
        let users = before.users.iter().map(vacated).collect();
        let write = Write::put(&Likers { users, ..before.clone() });
        app.table.write(write.equals("users", PackedUsers(&before.users))).await
    })
    .await
}

/// Returns the writes that list a like which an earlier release counted, by when it was given; none for one that is
/// listed, or does not stand. Stale when the like changed after it was read.
pub(crate) fn relist_writes(engagement: &Engagement) -> Option<Vec<Write>> {
    let &Engagement { user, post, liked, counted, place: listed, liked_at, .. } = engagement;
    let at = liked_at.filter(|_| liked && counted && listed.is_none())?;
    let at = row_at(Ulid::from_parts(at.millis().max(0) as u64, user.random()));
    let likers = Likers { post, at, users: vec![user] };
    let update = engagements::update_write(user, post).set("place", place(at, 0)).lacks("place");
    Some(vec![Write::put(&likers), update.equals("liked", true).equals("counted", true)])
}

/// Returns the position of a new row: an id makes room for the places. Ids of the same moment follow each other, and so do
/// their rows.
pub(super) fn row_at(id: Ulid) -> Position {
    Position::from(Ulid::from_parts(id.timestamp_ms(), (id.random() << PLACE_BITS) & RANDOM_MASK))
}

fn row_of(place: Position) -> Position {
    Position::from(Ulid(Ulid::from(place).0 & !PLACE_MASK))
}

fn place(row: Position, index: usize) -> Position {
    Position::from(Ulid(Ulid::from(row).0 | index as u128))
}

fn sk(at: Position) -> String {
    format!("{SK_PREFIX}{at}")
}

/// `POST#id / LIKERS#position`
impl Row for Likers {
    fn key(&self) -> Key {
        Key::new(partition(self.post), sk(self.at))
    }
}
