//! Snapshots of a dead circle's best posts on its memorial stone, because the posts themselves are deleted.
//!
//! A row in each author's partition refers to the stone. Account deletion and renames find the snapshots by this row.

use std::collections::{BTreeSet, HashMap};

use base::{PostId, StoneId, UserId};
use people::{User, users};
use platform::{App, Key, Query, Result, Row, Write, retry_on_conflict};
use posts::Content;
use serde::{Deserialize, Serialize};

use crate::{
    museum::{self, Stone, TopPost},
    posts::CirclePost,
};

const PREFIX: &str = "STONE#";
const PAGE_ROWS: usize = 25;

/// A user's posts on the memorial stone of a circle.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StonePosts {
    user: UserId,
    stone: StoneId,
    /// The user's posts, with the texts that exports of the user's data contain.
    posts: Vec<KeptPost>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptPost {
    public_id: PostId,
    content: Content,
}

/// Returns the snapshots of a circle's best posts, and the writes of the rows that refer to the stone. Omits posts of
/// deleted accounts. The writes fail if an author's account was deleted or renamed after it was read.
pub(super) async fn snapshot(
    app: &App,
    stone: StoneId,
    best: &[CirclePost],
) -> Result<(Vec<TopPost>, Vec<Write>)> {
    let authors: BTreeSet<_> = best.iter().map(|post| post.author).collect();
    let accounts = users::find_all(app, &authors.into_iter().collect::<Vec<_>>()).await?;
    let writes = accounts.iter().flat_map(|account| index_writes(stone, account, best)).collect();
    let names: HashMap<_, _> = accounts.into_iter().map(|account| (account.id, account.name)).collect();
    let top = best.iter().filter_map(|post| {
        let (content, author) = (post.content.clone(), names.get(&post.author)?.clone());
        Some(TopPost { public_id: post.id, content, author, likes_count: 0 })
    });
    Ok((top.collect(), writes))
}

fn index_writes(stone: StoneId, author: &User, best: &[CirclePost]) -> [Write; 2] {
    let of_author = best.iter().filter(|post| post.author == author.id);
    let posts =
        of_author.map(|post| KeptPost { public_id: post.id, content: post.content.clone() }).collect();
    let unchanged = Write::check(users::key(author.id)).equals("name", &author.name);
    [Write::create(&StonePosts { user: author.id, stone, posts }), unchanged.into()]
}

/// Writes a user's current name to the user's posts on the next 25 stones. If the account was deleted, removes the
/// posts instead. Returns the cursor of the next page, if any.
pub async fn update_author_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(PREFIX, after).consistent();
    let (rows, last) = app.table.next_page::<StonePosts>(query, PAGE_ROWS).await?;
    for row in &rows {
        update_author(app, row).await?;
    }
    Ok(last)
}

/// Writes a user's current name to their posts on a stone. Reads the user after the stone, so that a concurrent rename
/// is not overwritten with the earlier name.
async fn update_author(app: &App, StonePosts { user, stone, posts }: &StonePosts) -> Result<()> {
    retry_on_conflict(async || {
        let key = museum::key(*stone);
        let Some(stone) = app.table.get::<Stone>(&key).await? else { return Ok(()) };
        let name = users::find(app, *user).await?.map(|user| user.name);
        let is_theirs = |post: &TopPost| posts.iter().any(|kept| kept.public_id == post.public_id);
        let changed = stone.top_posts.iter().filter_map(|post| match is_theirs(post) {
            true => Some(TopPost { author: name.clone()?, ..post.clone() }),
            false => Some(post.clone()),
        });
        let changed: Vec<_> = changed.collect();
        if changed == stone.top_posts {
            return Ok(());
        }
        app.table
            .write(Write::update(key).set("topPosts", changed).equals("topPosts", &stone.top_posts))
            .await
    })
    .await
}

/// `USER#u / STONE#stone`
impl Row for StonePosts {
    fn key(&self) -> Key {
        Key::new(self.user.partition(), format!("{PREFIX}{}", self.stone))
    }
}
