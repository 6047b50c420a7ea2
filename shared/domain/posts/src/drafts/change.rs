//! Creates, edits and deletes drafts.

use base::{DraftId, PostId, Topic, UserId};
use platform::{App, Error, HOUR_SECONDS, Once, Result, Time, Write, decode::present, retry_on_conflict};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{DraftDeleted, SavedDraft, find, row::count_write};
use crate::{
    Content, Draft, MediaDrafts, MentionRefs, Mentions, PollDraft, ReplyPermission, Spoiler, Target,
    Visibility, attachments, mentioned, writing::publish::check_mentioned,
};

/// Minimum of `publishAt`, in seconds from now.
const DELAY_MIN_SECONDS: i64 = 5 * 60;
const DELAY_MAX_SECONDS: i64 = 366 * 24 * HOUR_SECONDS;
/// Seconds by which `publishAt` may be outside the range. Tolerates inexact clocks of clients, and slow requests.
const CLOCK_SKEW_SECONDS: i64 = 10;

/// The fields of a draft. An edit changes only the given fields.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DraftEdit {
    /// The text. Required for a new draft.
    pub content: Option<Content>,
    /// True to show a warning before the text and files.
    pub sensitive: Option<bool>,
    /// Text of the warning that hides the post until the reader opens the post. Null or an empty text removes the
    /// warning.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Spoiler>)]
    pub spoiler: Option<Option<Spoiler>>,
    /// Uploads of the author. Replaces all files of the draft.
    pub media: Option<MediaDrafts>,
    /// A poll. Null removes it.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<PollDraft>)]
    pub poll: Option<Option<PollDraft>>,
    /// The mentioned users, by username or ID.
    pub mentions: Option<MentionRefs>,
    /// The hashtag. The default, also for null, is the first hashtag in the text.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Topic>)]
    pub topic: Option<Option<Topic>>,
    /// The audience. Null restores the default.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Visibility>)]
    pub visibility: Option<Option<Visibility>>,
    /// The users who may reply. Null restores the default.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<ReplyPermission>)]
    pub reply_permission: Option<Option<ReplyPermission>>,
    /// The users who may quote the post. Null restores the default.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<ReplyPermission>)]
    pub quote_permission: Option<Option<ReplyPermission>>,
    /// The ID of the post to reply to. An edit cannot change this field.
    pub parent_public_id: Option<PostId>,
    /// The ID of the post to quote. An edit cannot change this field.
    pub origin_public_id: Option<PostId>,
    /// Time at which the draft is published, between 5 minutes and 1 year from now. Null removes the time.
    #[serde(deserialize_with = "present")]
    #[schema(value_type = Option<Time>)]
    pub publish_at: Option<Option<Time>>,
}

/// Creates a draft.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the text is missing, or if the time, a file or a mention is not valid. Also fails
/// if the author already has 100 drafts, or 50 scheduled drafts.
pub async fn create(app: &App, author: UserId, draft: DraftEdit, once: &Once) -> Result<SavedDraft> {
    once.run(app, author, async || create_writes(app, author, draft.clone()).await).await
}

async fn create_writes(app: &App, author: UserId, edit: DraftEdit) -> Result<(Vec<Write>, SavedDraft)> {
    let content = edit.content.clone().ok_or(Error::invalid("content", "is required"))?;
    let mentions = mentions(app, &edit).await?;
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
    let files = reserve_writes(app, &empty, &edit).await?;
    let saved = edited(&empty, (edit, mentions), now)?;
    let count_write = count_write(author, 1, i64::from(saved.publish_at.is_some()));
    let mentions = mentioned::draft_writes(None, Some(&saved));
    Ok(([Write::create(&saved), count_write].into_iter().chain(files).chain(mentions).collect(), saved))
}

/// Edits a draft of the caller. Has no effect if all fields already have the given values.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the draft does not exist. Fails with [`Error::Invalid`] if no field is given. Also
/// fails for the same reasons as [`create`].
pub async fn edit(app: &App, author: UserId, id: DraftId, edit: DraftEdit) -> Result<SavedDraft> {
    if edit == DraftEdit::default() {
        return Err(Error::invalid_body("must have at least one field of a draft"));
    }
    let mentions = mentions(app, &edit).await?;
    retry_on_conflict(async || {
        let before = find(app, author, id).await?;
        check_target(&before, &edit)?;
        let after = edited(&before, (edit.clone(), mentions.clone()), app.now())?;
        if after.draft == before.draft.clone().with_lists() && after.publish_at == before.publish_at {
            return Ok(before);
        }
        let files = reserve_writes(app, &before, &edit).await?;
        let scheduled = i64::from(after.publish_at.is_some()) - i64::from(before.publish_at.is_some());
        let count = (scheduled != 0).then(|| count_write(author, 0, scheduled));
        let released = before.release_write(app, Some(&after));
        let writes = [before.replace_write(&after)].into_iter().chain(count).chain(files).chain(released);
        let writes = writes.chain(mentioned::draft_writes(Some(&before), Some(&after)));
        app.table.transact(writes.collect()).await.map(|()| after)
    })
    .await
}

/// Deletes a draft of the caller.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the draft does not exist.
pub async fn delete(app: &App, author: UserId, id: DraftId, once: &Once) -> Result<DraftDeleted> {
    once.run(app, author, async || {
        let draft = find(app, author, id).await?;
        let count_write = count_write(author, -1, -i64::from(draft.publish_at.is_some()));
        let writes = [draft.delete_write(), count_write].into_iter().chain(draft.release_write(app, None));
        let writes = writes.chain(mentioned::draft_writes(Some(&draft), None));
        Ok((writes.collect(), DraftDeleted { id, is_deleted: true }))
    })
    .await
}

fn target(edit: &DraftEdit) -> Result<Target> {
    match (edit.parent_public_id, edit.origin_public_id) {
        (None, None) => Ok(Target::Post),
        (Some(parent), None) => Ok(Target::Reply(parent)),
        (None, Some(origin)) => Ok(Target::Quote(origin)),
        (Some(_), Some(_)) => {
            Err(Error::invalid("originPublicId", "must be omitted if parentPublicId is set"))
        }
    }
}

/// Checks that an edit does not change the draft's target: a post, a reply or a quote.
fn check_target(draft: &SavedDraft, edit: &DraftEdit) -> Result<()> {
    let target = target(edit)?;
    let is_same = target == Target::Post || target == draft.target;
    let field = if edit.parent_public_id.is_some() { "parentPublicId" } else { "originPublicId" };
    is_same.then_some(()).ok_or_else(|| Error::invalid(field, "must be omitted: an edit cannot change it"))
}

/// Returns the writes that reserve the files of an edit for the draft.
async fn reserve_writes(app: &App, draft: &SavedDraft, edit: &DraftEdit) -> Result<Vec<Write>> {
    let files = attachments::find(app, draft.author, edit.media.as_ref()).await?;
    files.use_writes(draft.as_post())
}

/// Returns the mentioned users of an edit. Fails if a mentioned user does not exist.
async fn mentions(app: &App, edit: &DraftEdit) -> Result<Option<Mentions>> {
    let Some(mentions) = &edit.mentions else { return Ok(None) };
    let mentions = mentions.resolve(app).await?;
    check_mentioned(app, mentions.users()).await?;
    Ok(Some(mentions))
}

/// Returns the edited draft. Clears the stored reason why publishing failed.
fn edited(
    before: &SavedDraft,
    (edit, mentions): (DraftEdit, Option<Mentions>),
    now: Time,
) -> Result<SavedDraft> {
    let old = before.draft.clone().with_lists();
    let draft = Draft {
        content: edit.content.unwrap_or(old.content),
        sensitive: edit.sensitive.unwrap_or(old.sensitive),
        spoiler: edit.spoiler.unwrap_or(old.spoiler).and_then(Spoiler::non_empty),
        media: edit.media.or(old.media),
        poll: edit.poll.unwrap_or(old.poll),
        mentions: mentions.or(old.mentions),
        topic: edit.topic.unwrap_or(old.topic),
        visibility: edit.visibility.unwrap_or(old.visibility),
        reply_permission: edit.reply_permission.unwrap_or(old.reply_permission),
        quote_permission: edit.quote_permission.unwrap_or(old.quote_permission),
    };
    let publish_at = match edit.publish_at {
        Some(Some(at)) if before.publish_at != Some(at) => Some(checked_time(at, now)?),
        Some(at) => at,
        None => before.publish_at,
    };
    Ok(SavedDraft {
        draft,
        publish_at,
        problem: None,
        updated_at: now,
        changes: before.changes + 1,
        ..before.clone()
    })
}

fn checked_time(at: Time, now: Time) -> Result<Time> {
    let earliest = now.plus_seconds(DELAY_MIN_SECONDS - CLOCK_SKEW_SECONDS);
    let latest = now.plus_seconds(DELAY_MAX_SECONDS + CLOCK_SKEW_SECONDS);
    let fits = earliest <= at && at <= latest;
    fits.then_some(at).ok_or(Error::invalid("publishAt", "must be between 5 minutes and 1 year from now"))
}
