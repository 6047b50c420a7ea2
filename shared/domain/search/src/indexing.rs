//! The index of the words in posts.

use std::{collections::HashSet, slice};

use base::{PostId, Topic};
use platform::{App, Error, Key, Query, Result, Row, Write, outcomes, retry_on_conflict, table::Together};
use posts::{Post, PostType};
use serde::{Deserialize, Serialize};

use super::{
    counts::PostCounts,
    terms::index_keys,
    trends::{self, Hour},
};

/// An indexed word of a post.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PostWord {
    pub(super) word: String,
    pub(super) post: PostId,
}

/// The indexed words of a post, and the counts that include the post.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct IndexedPost {
    post: PostId,
    words: Vec<String>,
    counts: PostCounts,
    /// The number of changes to the row, to detect concurrent changes.
    version: i64,
}

/// The indexed state of a post before and after a change.
struct Reindexing {
    post: Post,
    before: IndexedPost,
    after: IndexedPost,
}

/// Indexes the current words of posts, and updates the counts that include the posts. Returns each post that failed,
/// with the error.
///
/// The jobs may arrive twice, late or out of order, because each call reads the current posts.
pub async fn index_posts(app: &App, posts: &[PostId]) -> Vec<(PostId, Error)> {
    if posts.is_empty() || index_together(app, posts).await.is_ok() {
        return Vec::new();
    }
    let mut failed = Vec::new();
    for post in posts {
        let alone = retry_on_conflict(async || index_together(app, slice::from_ref(post)).await);
        failed.extend(alone.await.err().map(|error| (*post, error)));
    }
    failed
}

/// Indexes posts in one transaction. Fails with [`Error::WriteConflict`] if a concurrent job changed the index of a
/// post.
async fn index_together(app: &App, posts: &[PostId]) -> Result<()> {
    let keys: Vec<_> = posts.iter().flat_map(|id| [posts::key(*id), indexed_key(*id)]).collect();
    let mut rows = app.table.get_together(&keys).await?;
    let mut all = Vec::new();
    for id in posts {
        all.extend(Reindexing::of(*id, &mut rows)?);
    }
    let (changed, same): (Vec<_>, Vec<_>) = all.into_iter().partition(Reindexing::changes);
    update(app, &changed).await?;
    // Also ranks the hashtags of unchanged posts, because an earlier run may have stopped before this step.
    let hours: HashSet<_> = changed.iter().chain(&same).flat_map(Reindexing::hours).collect();
    for (topic, hour) in hours {
        trends::rank(app, topic, *hour).await?;
    }
    Ok(())
}

async fn update(app: &App, changed: &[Reindexing]) -> Result<()> {
    if changed.is_empty() {
        return outcomes::end("the post is indexed");
    }
    let added: Vec<_> = changed.iter().flat_map(Reindexing::added).collect();
    let removed: Vec<_> = changed.iter().flat_map(Reindexing::removed).collect();
    app.table.batch_write(&added, &removed).await?;
    let changes = changed.iter().map(|change| (&change.before.counts, &change.after.counts));
    let count_writes = PostCounts::change_writes(changed[0].post.id.random(), changes);
    app.table.transact(changed.iter().map(Reindexing::write).chain(count_writes).collect()).await
}

impl Reindexing {
    /// Takes a post's rows from `rows`, and returns the change to the post's index. Returns `None` for posts that are
    /// not of type POST.
    fn of(id: PostId, rows: &mut Together) -> Result<Option<Self>> {
        let post = rows.take::<Post>(&posts::key(id))?.filter(|post| post.kind == PostType::Post);
        let before = rows.take(&indexed_key(id))?.unwrap_or_else(|| IndexedPost::nothing(id));
        Ok(post.map(|post| Self { after: IndexedPost::wanted(&post, &before), before, post }))
    }

    fn changes(&self) -> bool {
        self.before.words != self.after.words || self.before.counts != self.after.counts
    }

    fn added(&self) -> impl Iterator<Item = PostWord> {
        let added = self.after.words.iter().filter(|word| !self.before.words.contains(word));
        added.map(|word| PostWord { word: word.clone(), post: self.post.id })
    }

    fn removed(&self) -> impl Iterator<Item = Key> {
        let removed = self.before.words.iter().filter(|word| !self.after.words.contains(word));
        removed.map(|word| word_key(word, self.post.id))
    }

    fn write(&self) -> Write {
        Write::put(&self.after).equals_or_lacks("version", self.before.version)
    }

    /// Returns the hashtags and hours whose counts include the post before or after the change.
    fn hours(&self) -> impl Iterator<Item = &(Topic, Hour)> {
        [&self.before.counts, &self.after.counts].into_iter().filter_map(|counts| counts.topic.as_ref())
    }
}

impl IndexedPost {
    fn nothing(post: PostId) -> Self {
        Self { post, words: Vec::new(), counts: PostCounts::default(), version: 0 }
    }

    /// Returns the index state that a post must have. A post that is not listed has no words.
    fn wanted(post: &Post, before: &Self) -> Self {
        Self { post: post.id, words: words(post), counts: PostCounts::of(post), version: before.version + 1 }
    }
}

/// Returns the index rows of the words by which searches find a post. A post that is not listed has no index rows.
pub fn words_of(post: &Post) -> Vec<PostWord> {
    words(post).into_iter().map(|word| PostWord { word, post: post.id }).collect()
}

fn words(post: &Post) -> Vec<String> {
    let text = post.content.as_ref().filter(|_| post.is_listed());
    text.map(|content| index_keys(content.as_str())).unwrap_or_default()
}

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
