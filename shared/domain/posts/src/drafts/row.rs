//! The rows of drafts, the number of drafts per user, and the views of drafts.

use base::{DraftId, Due, PostId, UploadId, UserId};
use platform::{App, Error, Index, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use ulid::Ulid;
use utoipa::ToSchema;

use crate::{Draft, MediaDrafts, Mentions, PublicMentions, Target, attachments};

const DRAFTS_MAX: i64 = 100;
const SCHEDULED_MAX: i64 = 50;
pub(super) const SK_PREFIX: &str = "DRAFT#";
const NO_DRAFT: Error = Error::NotFound("draft");
const TOO_MANY: &str = "the limit of 100 drafts or of 50 scheduled drafts is reached. Delete one first.";

/// A stored draft.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedDraft {
    /// The draft's ID.
    pub id: DraftId,
    /// The user who wrote the draft.
    pub author: UserId,
    /// The content to publish.
    pub draft: Draft,
    /// Whether the draft becomes a post, a reply or a quote.
    pub target: Target,
    /// Time at which the draft is published, or `None` if it is not scheduled.
    pub publish_at: Option<Time>,
    /// The reason why publishing failed.
    pub problem: Option<String>,
    /// The time of writing.
    pub created_at: Time,
    /// The time of the last edit, or of a later failure to publish.
    pub updated_at: Time,
    /// The number of changes. Writes check this number to detect conflicts.
    pub changes: i64,
}

/// A draft in responses.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Draft)]
#[serde(rename_all = "camelCase")]
pub struct DraftView {
    /// The draft's ID, which is also its cursor in the list.
    pub id: DraftId,
    // The content to publish. A doc comment would add an empty object to the schema, which generators read as an object
    // without fields.
    #[serde(flatten)]
    #[schema(inline)]
    pub(crate) draft: Draft<PublicMentions>,
    /// The parent of a reply.
    pub parent_public_id: Option<PostId>,
    /// The original of a quote.
    pub origin_public_id: Option<PostId>,
    /// Time at which the draft is published, or null if it is not scheduled.
    pub publish_at: Option<Time>,
    /// The reason why publishing failed. Null if publishing has not failed since the last edit.
    #[schema(example = "no such post")]
    pub publish_error: Option<String>,
    /// The time of writing.
    pub created_at: Time,
    /// The time of the last edit, or of a later failure to publish.
    pub updated_at: Time,
}

/// A deleted draft.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = DraftDeletion)]
#[serde(rename_all = "camelCase")]
pub struct DraftDeleted {
    /// The draft's ID.
    pub id: DraftId,
    /// Always true.
    pub is_deleted: bool,
}

impl SavedDraft {
    /// Returns the write that deletes the draft. The write fails with a conflict if the draft changed after it was
    /// read.
    pub fn delete_write(&self) -> Write {
        Write::delete(self.key()).equals("changes", self.changes).into()
    }

    /// Returns the outbox record that releases the draft's uploads, except the uploads in `after`. Returns `None` if no
    /// upload is released.
    pub(super) fn release_write(&self, app: &App, after: Option<&Self>) -> Option<Write> {
        let kept: Vec<_> = after.into_iter().flat_map(Self::uploads).collect();
        attachments::release_write(
            app,
            self.as_post(),
            self.uploads().filter(|upload| !kept.contains(upload)),
        )
    }

    /// Returns the draft with this ID, or `None` if the draft does not exist. `as_post` is the draft's ID as a post ID.
    pub(crate) async fn read(app: &App, author: UserId, as_post: PostId) -> Result<Option<Self>> {
        app.table.get(&key(author, DraftId::from(Ulid::from(as_post)))).await
    }

    /// Returns the draft's ID as a post ID. The draft uses this ID to reserve its uploads.
    pub(crate) fn as_post(&self) -> PostId {
        PostId::from(Ulid::from(self.id))
    }

    fn uploads(&self) -> impl Iterator<Item = UploadId> {
        self.draft.media.iter().flat_map(MediaDrafts::files).map(|file| file.id)
    }

    /// Returns the write that replaces the draft. The write fails with a conflict if the draft changed after it was
    /// read.
    pub(crate) fn replace_write(&self, after: &Self) -> Write {
        Write::put(after).equals("changes", self.changes)
    }
}

/// Returns a draft of an author.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the draft does not exist.
pub async fn find(app: &App, author: UserId, id: DraftId) -> Result<SavedDraft> {
    app.table.get(&key(author, id)).await?.ok_or(NO_DRAFT)
}

/// Returns the write that changes an author's numbers of drafts and scheduled drafts by `drafts` and `scheduled`. The
/// write fails with [`Error::Invalid`] if a limit is reached.
pub(super) fn count_write(author: UserId, drafts: i64, scheduled: i64) -> Write {
    let key = Key::new(author.partition(), "DRAFTS");
    let mut write = Write::update(key).add("drafts", drafts).add("scheduled", scheduled);
    if drafts > 0 {
        write = write.below_or_lacks("drafts", DRAFTS_MAX);
    }
    if scheduled > 0 {
        write = write.below_or_lacks("scheduled", SCHEDULED_MAX);
    }
    write.or(Error::invalid("draft", TOO_MANY))
}

fn key(author: UserId, id: DraftId) -> Key {
    Key::new(author.partition(), sk(id))
}

pub(super) fn sk(id: DraftId) -> String {
    format!("{SK_PREFIX}{id}")
}

impl From<SavedDraft> for DraftView {
    fn from(saved: SavedDraft) -> Self {
        let SavedDraft {
            id, draft, target, publish_at, problem: publish_error, created_at, updated_at, ..
        } = saved;
        let (parent_public_id, origin_public_id) = match target {
            Target::Post => (None, None),
            Target::Reply(parent) => (Some(parent), None),
            Target::Quote(origin) => (None, Some(origin)),
        };
        let draft = draft.with_lists();
        let mentions = draft.mentions.as_ref().map(Mentions::public);
        let draft = draft.with_mentions(mentions);
        Self {
            id,
            draft,
            parent_public_id,
            origin_public_id,
            publish_at,
            publish_error,
            created_at,
            updated_at,
        }
    }
}

/// `USER#id / DRAFT#id`. If scheduled, gsi3 `DUE#DRAFT#shard / time#id`
impl Row for SavedDraft {
    fn key(&self) -> Key {
        key(self.author, self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let due = self.publish_at.map(|at| (Index::Gsi3, Due::Draft.index_key(Ulid::from(self.id), at)));
        due.into_iter().collect()
    }
}
