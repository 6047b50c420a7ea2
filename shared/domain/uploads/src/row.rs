//! An upload's row.

use base::ids::{PostId, UploadId, UserId};
use platform::{
    table::{Index, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{
    file::{ContentType, Filename},
    picture::{LARGE, Picture},
    status::{Reason, UploadStatus},
};

/// The shards of the index of uploads that are not done with: each takes a thousand writes a second.
pub const DUE_SHARDS: u8 = 16;

/// An upload as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// The upload's id.
    pub id: UploadId,
    /// The user who uploads the file.
    pub owner: UserId,
    /// The file's name on the owner's device.
    pub filename: Filename,
    /// The key at which the file is shown: for an image that of its largest size.
    pub key: String,
    /// The key that the file is put to.
    pub source: String,
    /// The file's type.
    pub content_type: ContentType,
    /// The file's length in bytes.
    pub size: u64,
    /// The status.
    pub status: UploadStatus,
    /// Why it is refused.
    pub reason: Option<Reason>,
    /// The facts of an image that can be shown.
    pub picture: Option<Picture>,
    /// The address at which a video plays, once it is ready.
    pub playback_url: Option<String>,
    /// A video's length in seconds.
    pub duration: Option<f64>,
    /// How many posts, profiles and crowds take it.
    pub uses: i64,
    /// The posts that take it: they learn of what comes.
    pub posts: Vec<PostId>,
    /// The users and groups whose picture it is.
    pub picture_of: Vec<Ulid>,
    /// The time of the request.
    pub created_at: Time,
}

impl Upload {
    /// Returns the keys of a picture's sizes, the largest first; of a video its own.
    pub fn shown_keys(&self) -> Vec<String> {
        let Some(folder) = self.key.strip_suffix(LARGE) else { return vec![self.key.clone()] };
        super::SIZES.iter().map(|(name, _)| format!("{folder}{name}")).collect()
    }

    /// Returns a name for its file: the id, and the extension of what is shown.
    pub fn file_name(&self) -> String {
        let shown = self.picture.as_ref().and_then(|it| it.content_type.strip_prefix("image/"));
        let extension = match shown {
            Some("jpeg") => "jpg",
            Some(other) => other,
            None => self.content_type.extension(),
        };
        format!("{}.{extension}", self.id)
    }

    /// Whether it must be looked at when a day has passed.
    fn is_due(&self) -> bool {
        self.uses == 0 || self.status == UploadStatus::Pending
    }

    /// Returns an update that also moves the row in its index. It is stale when the status or the uses changed after
    /// `self` was read.
    pub fn change_write(&self, after: &Self) -> Write {
        Write::reindex(after)
            .equals("status", self.status)
            .equals("uses", self.uses)
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

/// Returns the key of an upload's row.
pub fn key(id: UploadId) -> Key {
    Key::new(format!("UPLOAD#{id}"), "UPLOAD")
}

/// Returns the upload that a key in the bucket belongs to; none when the key is not an upload's.
pub fn of_key(key: &str) -> Option<UploadId> {
    let name = key.split('/').nth(2)?;
    name.split('.').next()?.parse().ok()
}

/// Asks for the uploads of a shard that were begun before `until` and not done with, the oldest first.
pub fn due(shard: u8, after: Option<UploadId>, until: UploadId) -> Query {
    Query::index(Index::Gsi1, due_partition(shard))
        .between(after.unwrap_or(UploadId::MIN).to_string(), until.to_string())
}

fn due_partition(shard: u8) -> String {
    format!("DUE#UPLOAD#{shard}")
}

/// `UPLOAD#id / UPLOAD`, gsi3 `NAMED#owner / UPLOAD#id`; until it is used and looked at: gsi1 `DUE#UPLOAD#shard / id`
impl Row for Upload {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let shard = (self.id.random() % u128::from(DUE_SHARDS)) as u8;
        let due = || (Index::Gsi1, Key::new(due_partition(shard), self.id.to_string()));
        self.is_due().then(due).into_iter().chain([(Index::Gsi3, named_key(self))]).collect()
    }
}

fn named_key(upload: &Upload) -> Key {
    Key::new(upload.owner.named(), format!("UPLOAD#{}", upload.id))
}
