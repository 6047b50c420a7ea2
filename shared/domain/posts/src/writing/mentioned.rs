//! Where somebody is mentioned, in the partition of whom is mentioned: so that their id goes from there when they leave.

use base::ids::{PostId, UserId};
use platform::{
    App, Result, retry_on_conflict,
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};

use crate::{Post, drafts::SavedDraft, key};

const PREFIX: &str = "MENTIONED#";

/// That a post or a draft mentions a user.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Mentioned {
    user: UserId,
    /// The post, or the draft by its id.
    post: PostId,
    /// Who wrote the draft; none for a post.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft_of: Option<UserId>,
}

/// Returns the writes by which those whom a post mentions find it when they leave.
pub fn post_writes(post: &Post) -> Vec<Write> {
    let of_post = |user: &UserId| Mentioned { user: *user, post: post.id, draft_of: None };
    post.mentions.users().iter().map(|user| Write::create(&of_post(user))).collect()
}

/// The same for a draft, and the other way round for whom a change of it mentions no more.
pub fn draft_writes(before: Option<&SavedDraft>, after: Option<&SavedDraft>) -> Vec<Write> {
    let [was, is] = [before, after].map(of_draft);
    let keeps = |all: &[Mentioned], mention: &Mentioned| all.iter().any(|other| other.user == mention.user);
    let gone =
        was.iter().filter(|mention| !keeps(&is, mention)).map(|mention| Write::delete(mention.key()).into());
    let new = is.iter().filter(|mention| !keeps(&was, mention)).map(Write::put);
    gone.chain(new).collect()
}

/// Returns where a draft mentions somebody.
pub(crate) fn of_draft(draft: Option<&SavedDraft>) -> Vec<Mentioned> {
    let Some(draft) = draft else { return Vec::new() };
    let users = draft.draft.mentions.iter().flat_map(|it| it.users());
    users.map(|user| Mentioned { user: *user, post: draft.as_post(), draft_of: Some(draft.author) }).collect()
}

/// Takes a user out of the next mentions of them. Returns behind what the next page begins; none after the last one.
pub async fn erase_page(
    app: &App,
    user: UserId,
    behind: Option<String>,
    rows: usize,
) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(PREFIX, behind).consistent();
    let (page, last) = app.table.next_page::<Mentioned>(query, rows).await?;
    for mentioned in &page {
        mentioned.forget(app).await?;
    }
    Ok(last)
}

impl Mentioned {
    async fn forget(&self, app: &App) -> Result<()> {
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
        after.draft.mentions = before.draft.mentions.as_ref().map(|it| it.without(self.user));
        app.table.write(before.replace_write(&after)).await
    }
}

/// `USER#mentioned / MENTIONED#post or draft`
impl Row for Mentioned {
    fn key(&self) -> Key {
        Key::new(self.user.partition(), format!("{PREFIX}{}", self.post))
    }
}
