//! Pins a post to the top of its author's list.

use base::{PostId, UserId};
use futures::try_join;
use people::{
    Username,
    users::{self, Pin},
};
use platform::{App, Error, Key, Once, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Post, PostType, check_author, find};

/// A request to pin or unpin a post. An empty body toggles the pin.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PinRequest {
    /// True to pin, false to unpin. Repeating a request has no effect.
    #[schema(example = true)]
    pub is_pinned: Option<bool>,
}

/// Whether the post is now pinned.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PinState)]
#[serde(rename_all = "camelCase")]
pub struct Pinned {
    /// The post's ID.
    pub public_id: PostId,
    /// Whether the post is pinned.
    pub is_pinned: bool,
    /// Time at which the post was pinned, or null if the post is not pinned.
    pub pinned_at: Option<Time>,
}

/// The part of an author's row that the list of the author's posts needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListOwner {
    id: UserId,
    /// The current username. For some time after a change, posts may still have the previous username.
    pub username: Username,
    /// The pinned post.
    pub pinned: Option<Pin>,
}

/// Pins or unpins a post of the caller. A new pin replaces the author's earlier pin.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist. Fails with [`Error::Forbidden`] if the caller is not the
/// author. Fails with [`Error::Invalid`] if the post is a reply, because the author's list has no replies.
pub async fn pin(app: &App, caller: UserId, id: PostId, request: PinRequest, once: &Once) -> Result<Pinned> {
    once.run(app, caller, async || {
        let key = users::key(caller);
        let (post, author) = try_join!(find(app, id), app.table.get::<ListOwner>(&key))?;
        check_pinnable(&post, caller)?;
        let before = author.and_then(|owner| owner.pinned);
        let existing = before.filter(|pin| pin.post == id);
        let after = match request.is_pinned.unwrap_or(existing.is_none()) {
            true => existing.or(Some(Pin { post: id, at: app.now() })),
            false => None,
        };
        let write = (after != existing).then(|| pin_write(caller, before, after).marked());
        let pinned = Pinned { public_id: id, is_pinned: after.is_some(), pinned_at: after.map(|pin| pin.at) };
        Ok((write.into_iter().collect(), pinned))
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

/// Returns the username and the pinned post of an author. The read is eventually consistent.
pub async fn list_owner(app: &App, author: UserId) -> Result<Option<ListOwner>> {
    app.table.get_eventual(&users::key(author)).await
}

/// `USER#id / PROFILE`, a part of the user's row
impl Row for ListOwner {
    const PART: Option<&'static str> = Some("id, username, pinned");

    fn key(&self) -> Key {
        users::key(self.id)
    }
}
