//! Copies a user's new username to the user's posts, inside and outside of circles. A post keeps the author's name,
//! avatar and verification mark from the time when the post was written.

use base::{AuthorList, AuthorPosition, PostId, UserId};
use futures::{StreamExt, TryStreamExt, stream};
use people::{UserCard, Username, users};
use platform::{App, Key, Query, Result, Row, Write, table::JsonRow};
use posts::PostList;
use serde::{Deserialize, Serialize};

/// Posts per page. A page of posts from the action log needs two keys per post, and a batch has at most 100 keys.
const PAGE_ROWS: usize = 50;
const PARALLEL_WRITES: usize = 8;
/// Range of the sort keys of posts in the action log.
const LOGGED_RANGE: [&str; 2] = ["ACTION#POST_CREATED#", "ACTION#POST_CREATED#~"];

/// The part of a post that contains its author.
#[derive(Serialize, Deserialize)]
struct Authored {
    pk: String,
    sk: String,
    gsi1sk: Option<String>,
    author: UserId,
    user: UserCard,
}

/// Copies the username to the next 50 posts. Returns the position of the next page, or `None` after the last page or if
/// the user does not exist. Repeating a page has no effect.
pub(crate) async fn page(
    app: &App,
    user: UserId,
    at: Option<AuthorPosition>,
) -> Result<Option<AuthorPosition>> {
    let AuthorPosition { list, after } =
        at.unwrap_or(AuthorPosition { list: AuthorList::Listed, after: None });
    let (posts, last) = posts(app, user, list, after).await?;
    // The user is read after the posts, so the write is refused if a later rename already updated a post.
    let Some(user) = users::find(app, user).await? else { return Ok(None) };
    let outdated = posts.iter().filter(|post| post.author == user.id && post.user.username != user.username);
    let writes = outdated.map(|post| app.table.try_write(post.rename_write(&user.username)));
    stream::iter(writes).buffer_unordered(PARALLEL_WRITES).try_for_each(async |_| Ok(())).await?;
    Ok(match last {
        Some(last) => Some(AuthorPosition { list, after: Some(last) }),
        None => next(list).map(|list| AuthorPosition { list, after: None }),
    })
}

/// Returns the posts of a page, and the cursor of the list's next page.
async fn posts(
    app: &App,
    user: UserId,
    list: AuthorList,
    after: Option<String>,
) -> Result<(Vec<Authored>, Option<String>)> {
    let list = match list {
        AuthorList::Listed => PostList::Listed,
        AuthorList::Answers => PostList::Answers,
        AuthorList::Hidden => PostList::Hidden,
        AuthorList::Unlisted => PostList::Unlisted,
        AuthorList::Logged => return logged(app, user, after).await,
    };
    let found: Vec<Authored> = posts::next_posts(app, user, list, after, PAGE_ROWS).await?;
    let last = found.last().filter(|_| found.len() == PAGE_ROWS).and_then(|post| post.gsi1sk.clone());
    Ok((found, last))
}

async fn logged(app: &App, user: UserId, after: Option<String>) -> Result<(Vec<Authored>, Option<String>)> {
    let [low, high] = LOGGED_RANGE.map(str::to_owned);
    let query = Query::partition(user.partition()).between(after.unwrap_or(low), high);
    let (actions, last) = app.table.next_page::<JsonRow>(query, PAGE_ROWS).await?;
    let ids = actions.iter().filter_map(|action| action.text("targetId")?.parse::<PostId>().ok());
    let keys: Vec<_> = ids.flat_map(|id| [posts::key(id), circles::posts::key(id)]).collect();
    Ok((app.table.batch_get(&keys).await?, last))
}

fn next(list: AuthorList) -> Option<AuthorList> {
    match list {
        AuthorList::Listed => Some(AuthorList::Answers),
        AuthorList::Answers => Some(AuthorList::Hidden),
        AuthorList::Hidden => Some(AuthorList::Unlisted),
        AuthorList::Unlisted => Some(AuthorList::Logged),
        AuthorList::Logged => None,
    }
}

impl Authored {
    /// Returns the write that sets the username. The write is refused if the author's card changed after it was read.
    fn rename_write(&self, username: &Username) -> Write {
        let card = UserCard { username: username.clone(), ..self.user.clone() };
        Write::update(self.key()).set("user", card).equals("user", &self.user).equals("author", self.author)
    }
}

impl Row for Authored {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
