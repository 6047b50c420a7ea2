//! Hides posts from lists at the request of users or of moderation.

use base::ids::{PostId, UserId};
use platform::{
    App, Result, error::Error, idempotency::Once, rate_limit::RateLimit, table::Write, time::HOUR_SECONDS,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Post, find,
    reading::visible::{check_readable, check_unblocked},
    writing::republish::{invalidate_local_feed, republish_record_write},
};

/// A request to hide a post or to show it again. An empty body toggles the flag.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HideRequest {
    /// True to hide the post, false to show it again. Repeating a request has no effect.
    #[schema(example = true)]
    pub is_ghost: Option<bool>,
}

/// The state of a post after a [`HideRequest`].
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hidden {
    /// The post's ID.
    pub public_id: PostId,
    /// Whether the post is now hidden from lists.
    pub is_ghost: bool,
}

/// Sets or toggles the ghost flag of a post. The flag hides the post from lists for all users.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist or the caller may not read it. Fails with
/// [`Error::Invalid`] if the caller is the author. Fails with [`Error::Forbidden`] if a block exists between the caller
/// and the author. Fails with [`Error::LimitReached`] after 10 requests in an hour or 30 in a day.
pub async fn hide(
    app: &App,
    caller: UserId,
    id: PostId,
    request: HideRequest,
    once: &Once,
) -> Result<Hidden> {
    let (limits, who) = (limits(app), caller.to_string());
    once.count_all(app, &limits, &who).await?;
    let (hidden, changed) = once
        .run_with(app, caller, async || {
            let before = find(app, id).await?;
            check_readable(app, caller, &before).await?;
            check_unblocked(app, caller, &before).await?;
            if before.author == caller {
                return Err(Error::invalid("publicId", "must not be your own post"));
            }
            let is_ghost = request.is_ghost.unwrap_or(!before.is_ghost);
            let counts = once.count_writes(app, &limits, &who);
            let writes = ghost_writes(app, &before, is_ghost).into_iter().chain(counts).collect();
            Ok((writes, Hidden { public_id: id, is_ghost }, before.kind))
        })
        .await?;
    changed.into_iter().for_each(|kind| invalidate_local_feed(app, kind));
    Ok(hidden)
}

fn limits(app: &App) -> [RateLimit; 2] {
    let hourly = RateLimit { what: "hide", most: *app.settings.hide_limit_per_hour, seconds: HOUR_SECONDS };
    let most = *app.settings.hide_limit_per_day;
    [hourly, RateLimit { what: "hide-day", most, seconds: 24 * HOUR_SECONDS }]
}

fn ghost_writes(app: &App, before: &Post, is_ghost: bool) -> Vec<Write> {
    if before.is_ghost == is_ghost {
        return Vec::new();
    }
    let after = Post { is_ghost, ..before.clone() };
    let ghost_write = after.update_write(before).set("isGhost", is_ghost).marked();
    [ghost_write].into_iter().chain(republish_record_write(app, &after)).collect()
}

/// Returns the write that sets whether moderation hides a post.
pub fn set_hidden_write(before: &Post, is_hidden: bool) -> Write {
    let after = Post { is_hidden, ..before.clone() };
    after.update_write(before).set("isHidden", is_hidden)
}
