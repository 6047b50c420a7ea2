//! The museum: the stones of dead circles, each of which sums up a circle's life.

use base::ids::{PostId, StoneId, UserId};
use platform::{
    App, Result,
    error::Error,
    page::{Page, Take},
    table::{Index, Key, Query, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

const NO_ITEM: Error = Error::NotFound("museum item");

/// The order of a list. Featured items come first in each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Sort {
    /// The latest death first.
    #[default]
    Recent,
    /// The longest life first.
    LongestLived,
}

/// The page of the museum that is requested.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MuseumQuery {
    /// `recent`, the default, or `longestLived`.
    #[serde(default)]
    #[param(inline, value_type = Option<Sort>)]
    pub sort: Sort,
    /// The number of items, at most 100; 20 by default. `limit` is another name for it.
    #[serde(default, alias = "limit")]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    pub take: Take,
    /// The `after` of the page before. `cursor` is another name for it.
    #[serde(alias = "cursor")]
    pub after: Option<StoneId>,
}

/// A user who gave karma to a circle.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hero {
    /// The user.
    pub user_id: UserId,
    /// The type of their badge: `HERO`.
    #[schema(example = "HERO")]
    pub badge_type: String,
}

/// The stone of a dead circle: a summary of its life.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stone {
    /// The circle's id; also the cursor.
    pub public_id: StoneId,
    /// The circle's name.
    pub circle_name: String,
    /// Its life, in a sentence.
    pub summary: String,
    /// The highest HP that it ever had.
    pub peak_hp: i64,
    /// The full days that it lived.
    pub lived_days: i64,
    /// Its highest level.
    pub max_level: u8,
    /// The number of its members when it died.
    pub total_members: i64,
    /// Its best posts by score, at most 5, the best first.
    pub top_post_ids: Vec<PostId>,
    /// The users who gave karma to it, at most 100.
    pub heroes: Vec<Hero>,
    /// Whether it had reached level 4.
    pub featured: bool,
    /// RFC 3339 time of its death.
    pub died_at: Time,
}

/// Returns a page of the museum's items, featured ones first.
pub async fn list(app: &App, query: MuseumQuery) -> Result<Page<Stone>> {
    let wanted = query.take.rows() + 1;
    let last = match query.after {
        Some(id) => app.table.get::<Stone>(&key(id)).await?,
        None => None,
    };
    let mut rows = Vec::with_capacity(wanted);
    for featured in [true, false] {
        let passed = last.as_ref().is_some_and(|it| !it.featured && featured);
        if passed || rows.len() >= wanted {
            continue;
        }
        let last = last.as_ref().filter(|it| it.featured == featured).map(|it| it.index_key(query.sort).1.sk);
        let (index, partition) = partition(query.sort, featured);
        let part = Query::index(index, partition).newest_first().before(last).limit(wanted - rows.len());
        rows.extend(app.table.query::<Stone>(&part).await?);
    }
    Ok(Page::cut(rows, query.take, |it| it.public_id.to_string()))
}

/// Returns one item.
///
/// # Errors
/// [`Error::NotFound`] when there is no such item.
pub async fn find(app: &App, id: StoneId) -> Result<Stone> {
    app.table.get(&key(id)).await?.ok_or(NO_ITEM)
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

fn key(id: StoneId) -> Key {
    Key::new(format!("STONE#{id}"), "STONE")
}

/// `STONE#id / STONE`, gsi1 `MUSEUM#featured` or `MUSEUM#rest` / death and id, gsi2 the same / lived
/// days and id
impl Row for Stone {
    fn key(&self) -> Key {
        key(self.public_id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        [Sort::Recent, Sort::LongestLived].map(|it| self.index_key(it)).into()
    }
}
