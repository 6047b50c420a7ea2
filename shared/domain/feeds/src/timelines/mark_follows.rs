//! Marks the follows of a popular author. If a follow is marked, the follower's feed merges the author's posts when the
//! feed is read.
//!
//! New follows of a popular author are marked at once. The job marks the earlier follows. Each page moves a stored
//! cursor, so a duplicate message causes no further messages. After a crash, the message is delivered again, and the
//! job continues at the cursor.
//!
//! The index of followers is eventually consistent, so a follow can appear before the cursor's position. The job
//! therefore repeats until it finds no unmarked follow.

use base::{Position, TimelineJob, UserId};
use futures::future::try_join_all;
use people::{Follow, User, follows, users};
use platform::{
    App, Deadline, Key, Paged, Result, Row, Write,
    outcomes::note,
    paged::{Bound, Remainder},
    retry_on_conflict,
};
use serde::{Deserialize, Serialize};

use super::progress::LIFETIME_SECONDS;

const MARKED_TOGETHER: usize = 25;
/// Limit of 1,000 messages per marking. With one page of 500 follows per message and two reads of each follow, this is
/// enough for 250,000 followers.
const MARK_FOLLOWS: Bound =
    Bound { job: "marking of follows", messages_max: 1_000, remainder: Remainder::DeadLetters };

/// The stored cursor of a marking job.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cursor {
    pk: String,
    sk: String,
    /// The last follow of the previous page, or `None` for the first page.
    after: Option<Position>,
    /// Whether earlier pages had unmarked follows.
    #[serde(default)]
    found_unmarked: bool,
}

/// Marks the follows of an author, oldest first. Works page by page until the deadline, and then sends a message for
/// the remaining follows. If no unmarked follow is left, the author becomes merged. See [`super`].
pub(super) async fn mark_follows(
    app: &App,
    deadline: &Deadline,
    author: UserId,
    at: Paged<()>,
) -> Result<()> {
    let page = async |_| retry_on_conflict(|| mark_page(app, author)).await;
    let next = |page| TimelineJob::MarkFollows { author, page };
    MARK_FOLLOWS.pages(app, deadline, at, page, next).await.map(drop)
}

/// Marks the page at the cursor and moves the cursor. Returns `None` if no page is left, because all follows are marked or
/// the author is deleted. Fails with [`platform::Error::WriteConflict`] if a concurrent message moved the cursor.
async fn mark_page(app: &App, author: UserId) -> Result<Option<()>> {
    let (user_key, cursor_key) = (users::key(author), key(author));
    let mut found = app.table.get_together(&[user_key.clone(), cursor_key.clone()]).await?;
    if found.take::<User>(&user_key)?.is_none_or(|user| user.is_merged) {
        note("the author is gone or merged");
        return Ok(None);
    }
    let cursor = found.take::<Cursor>(&cursor_key)?.unwrap_or_default();
    let page_size = *app.settings.fanout_page_size;
    let follows = follows::oldest_of(app, author, cursor.after, page_size).await?;
    let found_unmarked = mark_all(app, &follows).await? || cursor.found_unmarked;
    let last = follows.last().filter(|_| follows.len() == page_size).map(|follow| follow.position);
    if last.is_none() && !found_unmarked {
        app.table.write(Write::update(user_key).set("isMerged", true).exists()).await?;
        note("the author became merged");
        return Ok(None);
    }
    let found_unmarked = found_unmarked && last.is_some();
    app.table.write(cursor.move_write(app, author, (last, found_unmarked))).await.map(Some)
}

/// Marks the unmarked follows among `follows`. Returns whether `follows` contained unmarked follows.
async fn mark_all(app: &App, follows: &[Follow]) -> Result<bool> {
    let unmarked: Vec<_> = follows.iter().filter(|follow| !follow.merges).collect();
    for together in unmarked.chunks(MARKED_TOGETHER) {
        // The write is refused if the follow has ended. If the user has followed again since, that follow is already
        // marked.
        try_join_all(together.iter().map(|follow| app.table.try_write(follow.merge_write()))).await?;
    }
    Ok(!unmarked.is_empty())
}

impl Cursor {
    /// Returns the write that moves the cursor. The write fails with a conflict if a concurrent message moved the
    /// cursor.
    fn move_write(&self, app: &App, author: UserId, to: (Option<Position>, bool)) -> Write {
        let expires = app.now().plus_seconds(LIFETIME_SECONDS);
        let write = Write::update(key(author)).set("ttl", expires.seconds());
        let write = write.set_or_remove("after", to.0).set("foundUnmarked", to.1);
        write.is_still("after", self.after).equals_or_lacks("foundUnmarked", self.found_unmarked)
    }
}

fn key(author: UserId) -> Key {
    Key::new(author.partition(), "MARKING")
}

/// `USER#author / MARKING`, expires after a day. A later marking starts at the first follow.
impl Row for Cursor {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
