//! Taking somebody out of the list of who likes a post.

use base::ids::PostId;
use futures::try_join;
use platform::{
    App, Result, retry_on_conflict,
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{
    open_page::{ATTRIBUTE, OpenPage},
    row::{Likers, vacate_row},
};
use crate::{counting::engagements::Engagement, key};

/// The part of a post's row that has the open page.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opened {
    id: PostId,
    likes_seq: i64,
    #[serde(default)]
    likers: OpenPage,
}

/// Takes a user's id out of the list of who likes a post: their place stays empty, on the open page or in its row.
/// Repeating changes nothing.
///
/// # Errors
/// [`platform::Error::LimitReached`] when others keep changing the row or the page.
pub async fn vacate_place(app: &App, engagement: &Engagement) -> Result<()> {
    if engagement.place.is_none() {
        return Ok(());
    }
    try_join!(vacate_row(app, engagement), vacate_page(app, engagement)).map(drop)
}

async fn vacate_page(app: &App, &Engagement { user, post, .. }: &Engagement) -> Result<()> {
    retry_on_conflict(async || {
        let Some(before) = app.table.get::<Opened>(&key(post)).await? else { return Ok(()) };
        match before.likers.read(post).filter(|page| page.place(user).is_some()) {
            Some(page) => app.table.write(vacate_write(&before, &page.vacated(|liker| liker == user))).await,
            None => Ok(()),
        }
    })
    .await
}

/// A batch that read the page as it was would put the user there again: it is refused, as after another batch.
fn vacate_write(before: &Opened, page: &Likers) -> Write {
    let write = Write::update(before.key()).set(ATTRIBUTE, OpenPage::from(page));
    write.set("likesSeq", before.likes_seq + 1).equals("likesSeq", before.likes_seq)
}

/// `POST#id / POST`, a part of the post's row
impl Row for Opened {
    const PART: Option<&'static str> = Some("id, likesSeq, likers");

    fn key(&self) -> Key {
        key(self.id)
    }
}
