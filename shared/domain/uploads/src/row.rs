//! The row of an upload.

use base::{PostId, UploadId, UserId};
use platform::{App, Index, Key, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{ContentType, Filename, Picture, Reason, UploadStatus, animation_of, picture::LARGE};

/// Number of partitions of the index of uploads that are unused or not processed.
pub const DUE_SHARDS: u8 = 16;

/// A stored upload.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// Upload ID.
    pub id: UploadId,
    /// The uploading user. `None` for the copy of a page's image.
    pub owner: Option<UserId>,
    /// File name on the owner's device.
    pub filename: Filename,
    /// Key of the processed, public file. For an image, the key of the largest size.
    pub key: String,
    /// Key of the uploaded file.
    pub source: String,
    /// Type of the uploaded file.
    pub content_type: ContentType,
    /// Size of the uploaded file in bytes.
    pub size: u64,
    /// Processing status.
    pub status: UploadStatus,
    /// The reason why the upload was refused, or `None`.
    pub reason: Option<Reason>,
    /// Properties of a processed image.
    pub picture: Option<Picture>,
    /// Playback URL of a processed video.
    pub playback_url: Option<String>,
    /// Duration of a video in seconds.
    pub duration: Option<f64>,
    /// Number of posts, profiles and message groups that use the upload.
    pub uses: i64,
    /// Posts that use the upload. These posts are updated when the upload's status changes.
    pub posts: Vec<PostId>,
    /// Users and message groups whose picture is the upload.
    pub picture_of: Vec<Ulid>,
    /// The URL of the original if the upload is a copy of a picture from another server.
    pub copied_from: Option<String>,
    /// The number of failed fetches of the original.
    pub copy_failures: u32,
    /// Whether the public files are deleted because moderators deleted the only post with the upload.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_hidden: bool,
    /// Time at which the upload was requested.
    pub created_at: Time,
}

impl Upload {
    /// Returns the keys of all public files. An image has one key for each size, largest first, and one for an
    /// animation. A video has one key.
    pub fn public_keys(&self) -> Vec<String> {
        keys_of(&self.key)
    }

    /// Returns the key of the animation, or `key` if the upload has no animation.
    pub fn shown_key(&self) -> String {
        if self.animation().is_some() { animation_of(&self.key) } else { self.key.clone() }
    }

    /// Returns the content type of the animation, or `None` if the upload has no animation.
    pub fn animation(&self) -> Option<&str> {
        self.picture.as_ref()?.animation.as_deref()
    }

    /// Returns a file name that consists of the ID and the extension of the processed file.
    pub fn file_name(&self) -> String {
        let extension = match self.shown_type().and_then(|shown| shown.strip_prefix("image/")) {
            Some("jpeg") => "jpg",
            Some(other) => other,
            None => self.content_type.extension(),
        };
        format!("{}.{extension}", self.id)
    }

    /// Returns whether the upload is unused or not processed. Such an upload is checked a day after its creation.
    fn is_due(&self) -> bool {
        self.uses == 0 || self.status == UploadStatus::Pending
    }

    /// Returns the write that changes the row to `after`. The write fails with a conflict if the status, the number of
    /// uses or `is_hidden` changed after `self` was read.
    pub fn change_write(&self, after: &Self) -> Write {
        Write::reindex(after)
            .equals("status", self.status)
            .equals("uses", self.uses)
            .is_still("isHidden", self.is_hidden.then_some(true))
            .set("status", after.status)
            .set_or_remove("reason", after.reason)
            .set_or_remove("picture", after.picture.as_ref())
            .set_or_remove("playbackUrl", after.playback_url.as_ref())
            .set_or_remove("duration", after.duration)
            .set("uses", after.uses)
            .set("posts", &after.posts)
            .set("pictureOf", &after.picture_of)
    }
}

/// Returns the write that stores whether the public files are deleted. The write fails with a conflict if the number of
/// uses changed after `before` was read.
pub fn hidden_write(before: &Upload, is_hidden: bool) -> Write {
    let write = Write::update(key(before.id)).equals("uses", before.uses);
    write.set_or_remove("isHidden", is_hidden.then_some(true))
}

/// Returns an upload, or `None` if it no longer exists.
///
/// # Errors
/// Fails if the table fails.
pub async fn find(app: &App, id: UploadId) -> Result<Option<Upload>> {
    app.table.get(&key(id)).await
}

/// Returns the key of an upload's row.
pub fn key(id: UploadId) -> Key {
    Key::new(format!("UPLOAD#{id}"), "UPLOAD")
}

/// Returns the keys of all files of the upload whose main file has this key.
pub(super) fn keys_of(key: &str) -> Vec<String> {
    let Some(folder) = key.strip_suffix(LARGE) else { return vec![key.to_owned()] };
    let sizes = super::SIZES.iter().map(|(name, _)| format!("{folder}{name}"));
    sizes.chain([animation_of(key)]).collect()
}

/// Returns the ID of the upload to which a key in the bucket belongs, or `None` for other keys.
pub fn of_key(key: &str) -> Option<UploadId> {
    let name = key.split('/').nth(2)?;
    name.split('.').next()?.parse().ok()
}

/// Returns a query for a shard's uploads that are older than `until` and unused or not processed, oldest first.
pub fn due(shard: u8, after: Option<UploadId>, until: UploadId) -> Query {
    Query::index(Index::Gsi1, due_partition(shard))
        .between(after.unwrap_or(UploadId::MIN).to_string(), until.to_string())
}

fn due_partition(shard: u8) -> String {
    format!("DUE#UPLOAD#{shard}")
}

/// `UPLOAD#id / UPLOAD`, with an owner also gsi3 `NAMED#owner / UPLOAD#id`. Until the upload is used and processed, also gsi1
/// `DUE#UPLOAD#shard / id`.
impl Row for Upload {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let shard = (self.id.random() % u128::from(DUE_SHARDS)) as u8;
        let due = || (Index::Gsi1, Key::new(due_partition(shard), self.id.to_string()));
        let named = self.owner.map(|owner| (Index::Gsi3, named_key(owner, self.id)));
        self.is_due().then(due).into_iter().chain(named).collect()
    }
}

fn named_key(owner: UserId, id: UploadId) -> Key {
    Key::new(owner.named(), format!("UPLOAD#{id}"))
}
