//! Muting a thread: who does it hears of nothing in it any more.

use base::ids::{PostId, UserId};
use people::mutes;
use platform::{App, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::find_readable;

/// A request to mute a thread or to mute it no more. An empty one toggles.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ThreadMuteRequest {
    /// True to mute, false to mute no more; repeating changes nothing.
    #[schema(example = true)]
    pub is_muted: Option<bool>,
}

/// The state after a [`ThreadMuteRequest`].
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThreadMuted {
    /// Whether the caller mutes the thread.
    pub is_muted: bool,
}

/// Mutes the thread of a post, or mutes it no more. Who mutes it is notified of nothing in it.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such post or the user may not read it.
pub async fn mute_thread(
    app: &App,
    user: UserId,
    post: PostId,
    request: ThreadMuteRequest,
) -> Result<ThreadMuted> {
    let thread = find_readable(app, Some(user), post).await?.thread();
    let is_muted = mutes::mute_thread(app, user, thread, request.is_muted).await?;
    Ok(ThreadMuted { is_muted })
}
