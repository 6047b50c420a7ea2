//! Index of the posts and drafts that mention a user. Account deletion uses the index to remove the user's ID.

use base::{PostId, UserId};
use platform::{App, Key, Query, Result, Row, Write, retry_on_conflict};
use serde::{Deserialize, Serialize};

use crate::{Post, drafts::SavedDraft, key};

const PREFIX: &str = "MENTIONED#";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Mentioned {
    user: UserId,
    /// The ID of the post or draft.
    post: PostId,
    /// The author of the draft, or `None` for a post.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft_of: Option<UserId>,
}

/// Returns the writes that index the mentions of a new post.
pub fn post_writes(post: &Post) -> Vec<Write> {
    let mention = |user: &UserId| Mentioned { user: *user, post: post.id, draft_of: None };
    post.mentions.users().iter().map(|user| Write::create(&mention(user))).collect()
}

/// Returns the writes that update the index of mentions when a draft changes. `before` is `None` for a new draft, and
/// `after` is `None` for a deleted draft.
pub fn draft_writes(before: Option<&SavedDraft>, after: Option<&SavedDraft>) -> Vec<Write> {
    let [old, new] = [before, after].map(of_draft);
    let removed = old.iter().filter(|mention| !new.contains(mention));
    let added = new.iter().filter(|mention| !old.contains(mention));
    removed.map(|mention| Write::delete(mention.key()).into()).chain(added.map(Write::put)).collect()
}

pub(crate) fn of_draft(draft: Option<&SavedDraft>) -> Vec<Mentioned> {
    let Some(draft) = draft else { return Vec::new() };
    let mention =
        |user: &UserId| Mentioned { user: *user, post: draft.as_post(), draft_of: Some(draft.author) };
    draft.draft.mentioned().iter().map(mention).collect()
}

/// Removes a user from the next page of posts and drafts that mention the user. Returns the cursor of the next page, or
/// `None` after the last page.
pub async fn erase_page(
    app: &App,
    user: UserId,
    after: Option<String>,
    rows: usize,
) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(PREFIX, after).consistent();
    let (page, last) = app.table.next_page::<Mentioned>(query, rows).await?;
    for mentioned in &page {
        mentioned.erase(app).await?;
    }
    Ok(last)
}

impl Mentioned {
    async fn erase(&self, app: &App) -> Result<()> {
        retry_on_conflict(async || match self.draft_of {
            Some(author) => self.erase_in_draft(app, author).await,
            None => self.erase_in_post(app).await,
        })
        .await
    }

    async fn erase_in_post(&self, app: &App) -> Result<()> {
        let found = app.table.get::<Post>(&key(self.post)).await?;
        let Some(post) = found.filter(|post| post.mentions.users().contains(&self.user)) else {
            return Ok(());
        };
        let write = Write::update(post.key()).set("mentions", post.mentions.without(self.user));
        app.table.write(write.equals("mentions", post.mentions)).await
    }

    async fn erase_in_draft(&self, app: &App, author: UserId) -> Result<()> {
        let Some(before) = SavedDraft::read(app, author, self.post).await? else { return Ok(()) };
        let mut after = SavedDraft { changes: before.changes + 1, ..before.clone() };
        after.draft.mentions = before.draft.mentions.as_ref().map(|mentions| mentions.without(self.user));
        app.table.write(before.replace_write(&after)).await
    }
}

/// `USER#mentioned / MENTIONED#post or draft`
impl Row for Mentioned {
    fn key(&self) -> Key {
        Key::new(self.user.partition(), format!("{PREFIX}{}", self.post))
    }
}
