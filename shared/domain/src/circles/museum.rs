//! The museum: what is left of circles that died.

use platform::{
    App, Result,
    error::Error,
    page::{Page, Take},
    table::{Index, Key, Query, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::{PostId, StoneId, UserId};

const GONE: Error = Error::NotFound("museum item");

/// In which order; featured items come first in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Sort {
    /// The last that died first.
    #[default]
    Recent,
    /// The ones that lived longest first.
    LongestLived,
}

/// Which page.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MuseumQuery {
    /// `recent`, unless it is said, or `longestLived`.
    #[serde(default)]
    #[param(inline, value_type = Option<Sort>)]
    pub sort: Sort,
    /// Rows wanted: 20 unless said, 100 at most; `limit` is another name for it.
    #[serde(default, alias = "limit")]
    #[param(value_type = Option<u8>, default = 20, minimum = 1, maximum = 100)]
    pub take: Take,
    /// The `after` of the page before; `cursor` is another name for it.
    #[serde(alias = "cursor")]
    pub after: Option<StoneId>,
}

/// Somebody who gave karma to a circle.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hero {
    /// Who.
    pub user_id: UserId,
    /// For what.
    #[schema(example = "HERO")]
    pub badge_type: String,
}

/// What is left of a circle that died.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stone {
    /// Its id, and its cursor: the circle's own.
    pub public_id: StoneId,
    /// What the circle was called.
    pub circle_name: String,
    /// What it was.
    pub summary: String,
    /// Its HP at their highest.
    pub peak_hp: i64,
    /// How long it lived.
    pub lived_days: i64,
    /// Its highest level.
    pub max_level: u8,
    /// Its members at the end.
    pub total_members: i64,
    /// Its best posts.
    pub top_post_ids: Vec<PostId>,
    /// Who gave karma to it.
    pub heroes: Vec<Hero>,
    /// Whether it had reached level 4.
    pub featured: bool,
    /// When it died.
    pub died_at: Time,
}

/// Items of the museum, featured ones first. 2 calls, 0.5 RRU for each 4 KB; 1 more behind a cursor.
///
/// # Errors
/// Internal only.
pub async fn list(app: &App, query: MuseumQuery) -> Result<Page<Stone>> {
    let wanted = query.take.rows() + 1;
    let last = match query.after {
        Some(id) => app.table.get::<Stone>(&key(id)).await?,
        None => None,
    };
    let mut rows = Vec::with_capacity(wanted);
    for featured in [true, false] {
        let behind = last.as_ref().is_some_and(|it| !it.featured && featured);
        if behind || rows.len() >= wanted {
            continue;
        }
        let last = last.as_ref().filter(|it| it.featured == featured).map(|it| it.place(query.sort).1.sk);
        let (index, partition) = partition(query.sort, featured);
        let ask = Query::index(index, partition).newest_first().before(last).limit(wanted - rows.len());
        rows.extend(app.table.query::<Stone>(&ask).await?);
    }
    Ok(Page::cut(rows, query.take, |it| it.public_id.to_string()))
}

/// One item. 1 call, 1 RRU.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(app: &App, id: StoneId) -> Result<Stone> {
    app.table.get(&key(id)).await?.ok_or(GONE)
}

impl Stone {
    fn place(&self, sort: Sort) -> (Index, Key) {
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
        [Sort::Recent, Sort::LongestLived].map(|it| self.place(it)).into()
    }
}
