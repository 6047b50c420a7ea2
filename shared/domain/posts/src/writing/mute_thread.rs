//! Mutes threads. A user gets no notifications about posts in a muted thread.

use base::{PostId, UserId};
use people::mutes;
use platform::{App, Error, Once, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Post, PostType, find, find_readable};

/// A request to mute or unmute a thread. An empty body toggles the mute.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ThreadMuteRequest {
    /// True to mute, false to unmute. Repeating a request has no effect.
    #[schema(example = true)]
    pub is_muted: Option<bool>,
}

/// Whether the thread is now muted.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ThreadMuteState)]
#[serde(rename_all = "camelCase")]
pub struct ThreadMuted {
    /// Whether the caller mutes the thread.
    pub is_muted: bool,
}

/// Mutes or unmutes the thread of a post.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or the user may not read it.
pub async fn mute_thread(
    app: &App,
    user: UserId,
    post: PostId,
    request: ThreadMuteRequest,
    once: &Once,
) -> Result<ThreadMuted> {
    once.run(app, user, async || {
        let shown = find_readable(app, Some(user), post).await?;
        let thread = match shown.kind {
            PostType::Repost => thread_of_original(app, &shown).await?,
            _ => shown.thread(),
        };
        let (writes, is_muted) = mutes::thread_writes(app, user, thread, request.is_muted).await?;
        Ok((writes, ThreadMuted { is_muted }))
    })
    .await
}

/// Returns the first post of the thread that contains a repost's original. A repost does not store the ID of this post.
async fn thread_of_original(app: &App, repost: &Post) -> Result<PostId> {
    match find(app, repost.root()).await {
        Ok(original) => Ok(original.thread()),
        Err(Error::NotFound(_)) => Ok(repost.root()),
        Err(error) => Err(error),
    }
}
