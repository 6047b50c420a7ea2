//! The index of posts: the words by which a post is found.

use platform::{
    App, Result, retry_stale,
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{tally::Tally, terms::words, trends};
use crate::{
    ids::PostId,
    posts::{self, Post, PostType},
};

/// The number of words of a post that are indexed.
const WORDS_MAX: usize = 200;

/// A word of a post.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PostWord {
    pub(super) word: String,
    pub(super) post: PostId,
}

/// The words and the tally of a post that are indexed, and the number of their changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct IndexedPost {
    post: PostId,
    words: Vec<String>,
    tally: Tally,
    version: i64,
}

/// Indexes a post by its present words, and counts it. The result is the same when messages come twice, late
/// or out of order. Costs 4 calls: 2 RRU, 4 WRU and 1 a word; with a hashtag 3 calls and 9 WRU more.
///
/// # Errors
/// [`platform::Error::LimitReached`] when the index keeps changing meanwhile.
pub async fn index_post(app: &App, id: PostId) -> Result<()> {
    let (post_key, indexed_key) = (posts::key(id), indexed_key(id));
    retry_stale(async || {
        let post = app.table.get::<Post>(&post_key);
        let (post, before) = futures::try_join!(post, app.table.get::<IndexedPost>(&indexed_key))?;
        let Some(post) = post.filter(|it| it.kind == PostType::Post) else { return Ok(()) };
        let before = before.unwrap_or_else(|| IndexedPost::nothing(id));
        let after = IndexedPost::wanted(&post, &before);
        update(app, &post, &before, &after).await
    })
    .await
}

async fn update(app: &App, post: &Post, before: &IndexedPost, after: &IndexedPost) -> Result<()> {
    if before.words != after.words || before.tally != after.tally {
        let removed = before.words.iter().filter(|it| !after.words.contains(it));
        let removed: Vec<_> = removed.map(|it| word_key(it, post.id)).collect();
        let added = after.words.iter().filter(|it| !before.words.contains(it));
        let added: Vec<_> = added.map(|it| PostWord { word: it.clone(), post: post.id }).collect();
        app.table.batch_write(&added, &removed).await?;
        let indexed_write = Write::put(after).equals_or_lacks("version", before.version);
        let tally_writes = Tally::change_writes(&before.tally, &after.tally, post);
        app.table.transact([indexed_write].into_iter().chain(tally_writes).collect()).await?;
    }
    // Also when nothing changed: the run that changed it may have been interrupted here.
    for (topic, hour) in [&before.tally, &after.tally].into_iter().filter_map(|it| it.topic.as_ref()) {
        trends::rank(app, topic, *hour).await?;
    }
    Ok(())
}

impl IndexedPost {
    fn nothing(post: PostId) -> Self {
        Self { post, words: Vec::new(), tally: Tally::default(), version: 0 }
    }

    /// Returns what should be indexed of a post: no words while lists do not show it.
    fn wanted(post: &Post, before: &Self) -> Self {
        let text = post.content.as_ref().filter(|_| post.is_listed());
        let words = text.map(|it| words(it.as_str(), WORDS_MAX)).unwrap_or_default();
        Self { post: post.id, words, tally: Tally::wanted(post), version: before.version + 1 }
    }
}

/// Asks for the posts with a word.
pub(super) fn with_word(word: &str) -> Query {
    Query::partition(word_partition(word))
}

pub(super) fn word_key(word: &str, post: PostId) -> Key {
    Key::new(word_partition(word), post.to_string())
}

fn word_partition(word: &str) -> String {
    format!("WORD#{word}")
}

fn indexed_key(post: PostId) -> Key {
    Key::new(posts::partition(post), "INDEXED")
}

/// `WORD#word / post`
impl Row for PostWord {
    fn key(&self) -> Key {
        word_key(&self.word, self.post)
    }
}

/// `POST#id / INDEXED`
impl Row for IndexedPost {
    fn key(&self) -> Key {
        indexed_key(self.post)
    }
}
