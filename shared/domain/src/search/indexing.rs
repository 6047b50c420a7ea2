//! Keeping the index of posts: what should be found against what was indexed.

use platform::{
    App, Result,
    error::Error,
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{tally::Tally, words::words};
use crate::{
    ids::PostId,
    posts::{self, Post, PostType},
    search::trends,
};

/// Words of a post that are indexed.
const WORDS_MAX: usize = 200;
const TRIES: usize = 8;
const CHANGED: Error = Error::Conflict("the post is being indexed");

/// A word of a post.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Word {
    pub(super) word: String,
    pub(super) post: PostId,
}

/// What was indexed of a post, and how often that changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Indexed {
    post: PostId,
    words: Vec<String>,
    tally: Tally,
    version: i64,
}

/// Makes a post findable by the words that it has now, and counts it. Whatever is asked twice, late
/// or in another order ends the same. 4 calls: 2 RRU, 4 WRU and 1 a word; 3 calls and 9 WRU more
/// with a hashtag.
///
/// # Errors
/// Internal, when it could not be written.
pub async fn index_post(app: &App, id: PostId) -> Result<()> {
    let (post_key, indexed_key) = (posts::key(id), indexed_key(id));
    for _ in 0..TRIES {
        let post = app.table.get::<Post>(&post_key);
        let (post, before) = futures::try_join!(post, app.table.get::<Indexed>(&indexed_key))?;
        let Some(post) = post.filter(|it| it.kind == PostType::Post) else { return Ok(()) };
        let before = before.unwrap_or_else(|| Indexed::nothing(id));
        let after = Indexed::wanted(&post, &before);
        match change(app, &post, &before, &after).await {
            Err(Error::Conflict(_)) => continue,
            done => return done,
        }
    }
    Err(Error::internal(anyhow::anyhow!("a post kept changing while it was indexed")))
}

async fn change(app: &App, post: &Post, before: &Indexed, after: &Indexed) -> Result<()> {
    if before.words != after.words || before.tally != after.tally {
        let gone = before.words.iter().filter(|it| !after.words.contains(it));
        let gone: Vec<_> = gone.map(|it| word_key(it, post.id)).collect();
        let new = after.words.iter().filter(|it| !before.words.contains(it));
        let new: Vec<_> = new.map(|it| Word { word: it.clone(), post: post.id }).collect();
        app.table.batch_write(&new, &gone).await?;
        let mark = Write::put(after).equals_or_lacks("version", before.version).or(CHANGED);
        let steps = Tally::steps(&before.tally, &after.tally, post);
        app.table.transact([mark].into_iter().chain(steps).collect()).await?;
    }
    // Also when nothing changed: whoever changed it may have been interrupted here.
    for (topic, hour) in [&before.tally, &after.tally].into_iter().filter_map(|it| it.topic.as_ref()) {
        trends::rank(app, topic, *hour).await?;
    }
    Ok(())
}

impl Indexed {
    fn nothing(post: PostId) -> Self {
        Self { post, words: Vec::new(), tally: Tally::default(), version: 0 }
    }

    fn wanted(post: &Post, before: &Self) -> Self {
        let text = post.content.as_ref().filter(|_| post.is_listed());
        let words = text.map(|it| words(it.as_str(), WORDS_MAX)).unwrap_or_default();
        Self { post: post.id, words, tally: Tally::wanted(post), version: before.version + 1 }
    }
}

pub(super) fn word_key(word: &str, post: PostId) -> Key {
    Key::new(format!("WORD#{word}"), post.to_string())
}

fn indexed_key(post: PostId) -> Key {
    Key::new(posts::key(post).pk, "INDEXED")
}

/// `WORD#word / post`
impl Row for Word {
    fn key(&self) -> Key {
        word_key(&self.word, self.post)
    }
}

/// `POST#id / INDEXED`
impl Row for Indexed {
    fn key(&self) -> Key {
        indexed_key(self.post)
    }
}
