//! Writing, editing and deleting drafts.

use base::{
    ids::{DraftId, PostId, UserId},
    topic::Topic,
};
use platform::{
    App, Result,
    decode::{Object, present},
    error::Error,
    idempotency::Once,
    retry_on_conflict,
    table::Write,
    time::{HOUR_SECONDS, Time},
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::row::{DraftDeleted, SavedDraft, count_write, find};
use crate::{
    Content, MediaDrafts, Mentions, PollDraft, ReplyPermission, Spoiler, Visibility,
    writing::{
        attachments, mentioned,
        publish::{Draft, Target, check_mentioned},
    },
};

const SOONEST_SECONDS: i64 = 5 * 60;
const LATEST_SECONDS: i64 = 366 * 24 * HOUR_SECONDS;
/// A client counts from its own clock, and from before its request.
const CLOCKS_DIFFER_SECONDS: i64 = 10;

/// What a draft says; an edit changes what it has of these fields.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DraftEdit {
    /// The text. A new draft needs it.
    pub content: Option<Content>,
    /// True to warn readers of its text and files.
    pub sensitive: Option<bool>,
    /// What readers are told before they open it; an empty text says nothing any more.
    pub spoiler: Option<Spoiler>,
    /// Uploads of the author: all that it then has.
    pub media: Option<MediaDrafts>,
    /// A poll; null takes it away.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<PollDraft>)]
    pub poll: Option<Option<Object<PollDraft>>>,
    /// The users whom it mentions, by either id.
    pub mentions: Option<Mentions>,
    /// The hashtag; by default the first of the text.
    pub topic: Option<Topic>,
    /// The audience.
    pub visibility: Option<Visibility>,
    /// The users who may reply.
    pub reply_permission: Option<ReplyPermission>,
    /// The users who may quote it.
    pub quote_permission: Option<ReplyPermission>,
    /// The post that it answers. A draft is a post, a reply or a quote, and stays what it is.
    pub parent_public_id: Option<PostId>,
    /// The post that it quotes.
    pub origin_public_id: Option<PostId>,
    /// When it is published: in 5 minutes at the soonest and within a year; null has it wait for its author.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Time>)]
    pub publish_at: Option<Option<Time>>,
}

/// Writes a draft.
///
/// # Errors
/// [`Error::Invalid`] without a text, for a time that is too soon or too late, for files that are not the author's, for
/// mentions of nobody, and with 100 drafts or 50 that have a time.
pub async fn create(app: &App, author: UserId, draft: DraftEdit, once: &Once) -> Result<SavedDraft> {
    retry_on_conflict(async || once.run(app, author, create_writes(app, author, draft.clone())).await).await
}

async fn create_writes(app: &App, author: UserId, edit: DraftEdit) -> Result<(Vec<Write>, SavedDraft)> {
    let content = edit.content.clone().ok_or(Error::invalid("content", "is required"))?;
    check_mentioned(app, edit.mentions.as_ref()).await?;
    let now = app.now();
    let empty = SavedDraft {
        id: app.ids.next(now),
        author,
        draft: Draft::of(content),
        target: target(&edit)?,
        publish_at: None,
        problem: None,
        created_at: now,
        updated_at: now,
        changes: 0,
    };
    let files = kept_files(app, &empty, &edit).await?;
    let saved = edited(empty, edit, now)?;
    let count_write = count_write(author, 1, i64::from(saved.publish_at.is_some()));
    let mentions = mentioned::draft_writes(None, Some(&saved));
    Ok(([Write::create(&saved), count_write].into_iter().chain(files).chain(mentions).collect(), saved))
}

/// Edits the caller's own draft.
///
/// # Errors
/// [`Error::NotFound`] when there is none, and those of [`create`].
pub async fn edit(app: &App, author: UserId, id: DraftId, edit: DraftEdit) -> Result<SavedDraft> {
    if edit.parent_public_id.is_some() || edit.origin_public_id.is_some() {
        return Err(Error::invalid("parentPublicId", "stays as it is: write another draft"));
    }
    check_mentioned(app, edit.mentions.as_ref()).await?;
    retry_on_conflict(async || {
        let before = find(app, author, id).await?;
        let files = kept_files(app, &before, &edit).await?;
        let after = edited(before.clone(), edit.clone(), app.now())?;
        let scheduled = i64::from(after.publish_at.is_some()) - i64::from(before.publish_at.is_some());
        let count = (scheduled != 0).then(|| count_write(author, 0, scheduled));
        let released = before.release_write(app, Some(&after));
        let writes = [before.replace_write(&after)].into_iter().chain(count).chain(files).chain(released);
        let writes = writes.chain(mentioned::draft_writes(Some(&before), Some(&after)));
        app.table.transact(writes.collect()).await.map(|()| after)
    })
    .await
}

/// Deletes the caller's own draft.
///
/// # Errors
/// [`Error::NotFound`] when there is none.
pub async fn delete(app: &App, author: UserId, id: DraftId) -> Result<DraftDeleted> {
    retry_on_conflict(async || {
        let draft = find(app, author, id).await?;
        let count_write = count_write(author, -1, -i64::from(draft.publish_at.is_some()));
        let writes = [draft.delete_write(), count_write].into_iter().chain(draft.release_write(app, None));
        let writes = writes.chain(mentioned::draft_writes(Some(&draft), None));
        app.table.transact(writes.collect()).await?;
        Ok(DraftDeleted { id, is_deleted: true })
    })
    .await
}

fn target(edit: &DraftEdit) -> Result<Target> {
    match (edit.parent_public_id, edit.origin_public_id) {
        (None, None) => Ok(Target::Post),
        (Some(parent), None) => Ok(Target::Reply(parent)),
        (None, Some(origin)) => Ok(Target::Quote(origin)),
        (Some(_), Some(_)) => Err(Error::invalid("originPublicId", "must not stand beside parentPublicId")),
    }
}

/// Returns the writes by which the files of an edit are kept, as those of a post that shows them are.
async fn kept_files(app: &App, draft: &SavedDraft, edit: &DraftEdit) -> Result<Vec<Write>> {
    let files = attachments::find(app, draft.author, edit.media.as_ref()).await?;
    files.use_writes(draft.as_post())
}

/// What was the matter with it is to be seen anew.
fn edited(before: SavedDraft, edit: DraftEdit, now: Time) -> Result<SavedDraft> {
    let was = before.draft;
    let draft = Draft {
        content: edit.content.unwrap_or(was.content),
        sensitive: edit.sensitive.unwrap_or(was.sensitive),
        spoiler: edit.spoiler.or(was.spoiler).and_then(Spoiler::non_empty),
        media: edit.media.or(was.media),
        poll: edit.poll.unwrap_or(was.poll),
        mentions: edit.mentions.or(was.mentions),
        topic: edit.topic.or(was.topic),
        visibility: edit.visibility.or(was.visibility),
        reply_permission: edit.reply_permission.or(was.reply_permission),
        quote_permission: edit.quote_permission.or(was.quote_permission),
    };
    let publish_at = match edit.publish_at {
        Some(at) => at.map(|at| checked(at, now)).transpose()?,
        None => before.publish_at,
    };
    Ok(SavedDraft {
        draft,
        publish_at,
        problem: None,
        updated_at: now,
        changes: before.changes + 1,
        ..before
    })
}

fn checked(at: Time, now: Time) -> Result<Time> {
    let soonest = now.plus_seconds(SOONEST_SECONDS - CLOCKS_DIFFER_SECONDS);
    let latest = now.plus_seconds(LATEST_SECONDS + CLOCKS_DIFFER_SECONDS);
    let fits = soonest <= at && at <= latest;
    fits.then_some(at).ok_or(Error::invalid("publishAt", "must be in 5 minutes to 1 year"))
}
