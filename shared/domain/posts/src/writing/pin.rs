//! Pinning a post: its author's own list begins with it.

use std::sync::OnceLock;

use base::ids::{PostId, UserId};
use futures::try_join;
use people::users::{self, Pin};
use platform::{
    App, Result,
    error::Error,
    retry_on_conflict,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Post, PostType, check_author, find};

/// A request to pin a post or to take it down. An empty one toggles.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PinRequest {
    /// True to pin, false to take it down; repeating changes nothing.
    #[schema(example = true)]
    pub is_pinned: Option<bool>,
}

/// A post after a [`PinRequest`].
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pinned {
    /// The post's id.
    pub public_id: PostId,
    /// Whether it is pinned.
    pub is_pinned: bool,
    /// The time at which it was pinned; null when it is not.
    pub pinned_at: Option<Time>,
}

/// The part of an author's row that says what is pinned.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct PinOf {
    id: UserId,
    pinned: Option<Pin>,
}

/// Pins the caller's own post in place of another, or takes it down.
///
/// # Errors
/// [`Error::NotFound`] when there is no such post, [`Error::Forbidden`] when somebody else wrote it, [`Error::Invalid`] for
/// a reply, which the author's list does not have.
pub async fn pin(app: &App, caller: UserId, id: PostId, request: PinRequest) -> Result<Pinned> {
    // What is wanted is decided once: a repeat, after a lost answer, does not turn it back.
    let wanted = OnceLock::new();
    retry_on_conflict(async || {
        let key = users::key(caller);
        let (post, author) = try_join!(find(app, id), app.table.get::<PinOf>(&key))?;
        check_pinnable(&post, caller)?;
        let before = author.and_then(|it| it.pinned);
        let standing = before.filter(|pin| pin.post == id);
        let after = match *wanted.get_or_init(|| request.is_pinned.unwrap_or(standing.is_none())) {
            true => standing.or(Some(Pin { post: id, at: app.now() })),
            false => None,
        };
        if after != standing {
            app.table.write(pin_write(caller, before, after)).await?;
        }
        Ok(Pinned { public_id: id, is_pinned: after.is_some(), pinned_at: after.map(|it| it.at) })
    })
    .await
}

fn check_pinnable(post: &Post, caller: UserId) -> Result<()> {
    check_author(post, caller)?;
    let is_reply = post.kind == PostType::Reply;
    (!is_reply).then_some(()).ok_or(Error::invalid("publicId", "must not be a reply"))
}

fn pin_write(author: UserId, before: Option<Pin>, after: Option<Pin>) -> Write {
    Write::update(users::key(author)).set_or_remove("pinned", after).is_still("pinned", before).exists()
}

/// Returns what an author pinned, as it is or was a moment ago.
pub async fn pinned_by(app: &App, author: UserId) -> Result<Option<Pin>> {
    Ok(app.table.get_eventual::<PinOf>(&users::key(author)).await?.and_then(|it| it.pinned))
}

/// `USER#id / PROFILE`, a part of the user's row
impl Row for PinOf {
    const PART: Option<&'static str> = Some("id, pinned");

    fn key(&self) -> Key {
        users::key(self.id)
    }
}
