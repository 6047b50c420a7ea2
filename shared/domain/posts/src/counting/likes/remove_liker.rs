//! Removes a user from the list of likers of a post.

use base::PostId;
use futures::try_join;
use platform::{App, Key, Result, Row, Write, retry_on_conflict};
use serde::{Deserialize, Serialize};

use super::{Likers, OpenSegment, open_segment::ATTRIBUTE, row::remove_from_row};
use crate::{counting::engagements::Engagement, key};

/// The part of a post's row that contains the open segment.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenPart {
    id: PostId,
    likes_seq: i64,
    #[serde(default)]
    likers: OpenSegment,
}

/// Removes a user from the list of likers of a post. The user's position stays empty. Repeating has no effect.
///
/// # Errors
/// Fails with [`platform::Error::LimitReached`] if concurrent changes cause too many conflicts.
pub async fn remove_liker(app: &App, engagement: &Engagement) -> Result<()> {
    if engagement.place.is_none() {
        return Ok(());
    }
    try_join!(remove_from_row(app, engagement), remove_from_segment(app, engagement)).map(drop)
}

async fn remove_from_segment(app: &App, &Engagement { user, post, .. }: &Engagement) -> Result<()> {
    retry_on_conflict(async || {
        let Some(before) = app.table.get::<OpenPart>(&key(post)).await? else { return Ok(()) };
        match before.likers.read(post).filter(|segment| segment.position(user).is_some()) {
            Some(segment) => {
                app.table.write(segment_write(&before, &segment.without(|liker| liker == user))).await
            }
            None => Ok(()),
        }
    })
    .await
}

/// Returns the write that stores the changed segment. The write increments `likesSeq`, so a batch that read the old
/// segment fails.
fn segment_write(before: &OpenPart, segment: &Likers) -> Write {
    let write = Write::update(before.key()).set(ATTRIBUTE, OpenSegment::from(segment));
    write.set("likesSeq", before.likes_seq + 1).equals("likesSeq", before.likes_seq)
}

/// `POST#id / POST`, a part of the post's row
impl Row for OpenPart {
    const PART: Option<&'static str> = Some("id, likesSeq, likers");

    fn key(&self) -> Key {
        key(self.id)
    }
}
