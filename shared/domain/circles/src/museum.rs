//! The museum of dead circles. Each item is a stone that summarizes the life of a circle.

use base::{PostId, PublicUserId, StoneId};
use people::Name;
use platform::{App, Error, Index, Key, Page, Query, Result, Row, Take, Time};
use posts::Content;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The order of the museum's items. Featured items come first in every order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Sort {
    /// Most recent death first.
    #[default]
    Recent,
    /// Longest life first.
    LongestLived,
}

/// The requested page of the museum.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MuseumQuery {
    /// `recent` (the default) or `longestLived`.
    #[serde(default)]
    #[param(inline, value_type = Option<Sort>)]
    pub sort: Sort,
    /// Number of rows to return. Alias: `limit`.
    #[serde(default, alias = "limit")]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    pub take: Take,
    /// Position of the last row before the page. Alias: `cursor`.
    #[serde(alias = "cursor")]
    pub after: Option<StoneId>,
}

/// A user who gave karma to a circle.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CircleHero)]
#[serde(rename_all = "camelCase")]
pub struct Hero {
    /// The user.
    pub user_id: PublicUserId,
    /// The type of the user's badge: `HERO`.
    #[schema(example = "HERO")]
    pub badge_type: String,
}

/// A snapshot of a post, made when its circle died.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MuseumPost)]
pub struct TopPost {
    /// The post's ID. The post itself is deleted 24 hours after the death of its circle.
    pub public_id: PostId,
    /// The text.
    pub content: Content,
    /// The author's current name.
    pub author: Name,
    /// The number of likes. Always 0, because posts in circles cannot be liked.
    #[schema(example = 0)]
    pub likes_count: i64,
}

/// The memorial stone of a dead circle: a summary of the circle's life.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = MuseumStone)]
#[serde(rename_all = "camelCase")]
pub struct Stone {
    /// The circle's ID, which is also the cursor.
    pub public_id: StoneId,
    /// The circle's name.
    pub circle_name: String,
    /// A sentence about the circle's life.
    pub summary: String,
    /// The circle's highest HP.
    pub peak_hp: i64,
    /// The number of full days from the circle's creation to its death.
    pub lived_days: i64,
    /// The circle's highest level.
    pub max_level: u8,
    /// The number of members when the circle died.
    pub total_members: i64,
    /// The circle's posts with the best scores, best first, at most 5.
    pub top_post_ids: Vec<PostId>,
    /// Snapshots of the posts in `topPostIds`, because the posts themselves are deleted. Omits posts of deleted
    /// accounts.
    pub top_posts: Vec<TopPost>,
    /// The users who gave karma to the circle, at most 100.
    pub heroes: Vec<Hero>,
    /// Whether the circle reached level 4.
    pub featured: bool,
    /// RFC 3339 time at which the circle died.
    pub died_at: Time,
}

/// Returns a page of the museum's items, featured items first.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the cursor is not the ID of an item.
pub async fn list(app: &App, query: MuseumQuery) -> Result<Page<Stone>> {
    let rows_max = query.take.rows() + 1;
    let last = match query.after {
        Some(id) => {
            let last = app.table.get::<Stone>(&key(id)).await?;
            Some(last.ok_or(Error::invalid("after", "must be an item of the museum"))?)
        }
        None => None,
    };
    let mut rows = Vec::with_capacity(rows_max);
    for featured in [true, false] {
        let is_complete = last.as_ref().is_some_and(|stone| !stone.featured && featured);
        if is_complete || rows.len() >= rows_max {
            continue;
        }
        let last = last
            .as_ref()
            .filter(|stone| stone.featured == featured)
            .map(|stone| stone.index_key(query.sort).1.sk);
        let (index, partition) = partition(query.sort, featured);
        let query = Query::index(index, partition).newest_first().before(last).limit(rows_max - rows.len());
        rows.extend(app.table.query::<Stone>(&query).await?);
    }
    Ok(Page::cut(rows, query.take, |stone| stone.public_id.to_string()))
}

/// Returns an item of the museum.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the item does not exist.
pub async fn find(app: &App, id: StoneId) -> Result<Stone> {
    app.table.get(&key(id)).await?.ok_or(Error::NotFound("museum item"))
}

impl Stone {
    fn index_key(&self, sort: Sort) -> (Index, Key) {
        let (index, pk) = partition(sort, self.featured);
        let sk = match sort {
            Sort::Recent => format!("{}#{}", self.died_at, self.public_id),
            Sort::LongestLived => format!("{:09}#{}", self.lived_days, self.public_id),
        };
        (index, Key::new(pk, sk))
    }
}

fn partition(sort: Sort, featured: bool) -> (Index, &'static str) {
    let index = match sort {
        Sort::Recent => Index::Gsi1,
        Sort::LongestLived => Index::Gsi2,
    };
    (index, if featured { "MUSEUM#featured" } else { "MUSEUM#rest" })
}

pub(super) fn key(id: StoneId) -> Key {
    Key::new(format!("STONE#{id}"), "STONE")
}

/// `STONE#id / STONE`
///
/// - gsi1 `MUSEUM#featured / death and id` or `MUSEUM#rest / death and id`
/// - gsi2 `MUSEUM#featured / lived days and id` or `MUSEUM#rest / lived days and id`
impl Row for Stone {
    fn key(&self) -> Key {
        key(self.public_id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        [Sort::Recent, Sort::LongestLived].map(|sort| self.index_key(sort)).into()
    }
}
