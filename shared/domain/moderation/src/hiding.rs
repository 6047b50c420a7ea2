//! Hides posts from lists at the request of users. The author is notified, and can appeal.

use base::{PostId, UserId};
use platform::{App, Error, HOUR_SECONDS, Once, RateLimit, Result, Write};
use posts::Post;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AnyPost, AuthorDecision, Category, Decider, Grounds, ShownAction, author_decision, hiders};

/// A request to hide a post or to show it again. An empty body toggles the flag.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HideRequest {
    /// True to hide the post, false to show it again. Repeating a request has no effect.
    #[schema(example = true)]
    pub is_ghost: Option<bool>,
}

/// Whether the post is now hidden from lists.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = GhostState)]
#[serde(rename_all = "camelCase")]
pub struct Hidden {
    /// The post's ID.
    pub public_id: PostId,
    /// Whether the post is now hidden from lists.
    pub is_ghost: bool,
}

/// Sets or toggles the ghost flag of a post. The flag hides the post from lists for all users except the author.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist or the caller may not read it. Fails with
/// [`Error::Invalid`] if the caller is the author. Fails with [`Error::Forbidden`] if a block exists between the caller
/// and the author, unless the flag is removed. Fails with [`Error::LimitReached`] after 10 requests in an hour or 30 in
/// a day.
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
            let (before, is_ghost) = posts::find_hidable(app, caller, id, request.is_ghost).await?;
            if before.author == caller {
                return Err(Error::invalid("publicId", "must not be your own post"));
            }
            let kind = before.kind;
            let mut writes = once.count_writes(app, &limits, &who);
            if before.is_ghost != is_ghost {
                writes.extend(posts::ghost_writes(app, &before, is_ghost));
                writes.extend(author_decision_writes(app, caller, before, is_ghost).await?);
            }
            Ok((writes, Hidden { public_id: id, is_ghost }, kind))
        })
        .await?;
    changed.into_iter().for_each(|kind| posts::invalidate_local_feed(app, kind));
    Ok(hidden)
}

fn limits(app: &App) -> [RateLimit; 2] {
    let hourly = RateLimit { what: "hide", most: *app.settings.hide_limit_per_hour, seconds: HOUR_SECONDS };
    let most = *app.settings.hide_limit_per_day;
    // The day comes first, because a request that exceeds both limits must wait for the end of the day.
    [RateLimit { what: "hide-day", most, seconds: 24 * HOUR_SECONDS }, hourly]
}

/// Returns the writes that store a user's decision to hide the post, and notify the author. If `is_ghost` is false, the
/// writes end that decision. The writes never change a moderation decision that hides the post.
async fn author_decision_writes(app: &App, caller: UserId, post: Post, is_ghost: bool) -> Result<Vec<Write>> {
    let earlier = author_decision::find(app, post.author, post.id).await?;
    let earlier = earlier.filter(|earlier| earlier.restored_at.is_none());
    Ok(match earlier {
        Some(earlier) if earlier.decider != Decider::User && post.is_hidden => Vec::new(),
        Some(earlier) if !is_ghost => earlier.end_writes(app.now()),
        None if !is_ghost => Vec::new(),
        _ => {
            let grounds = Grounds { decided_by: Some(caller), reason: None, category: Category::Other };
            let post = AnyPost::Post(Box::new(post));
            let decision = AuthorDecision::new(app, post.subject(), ShownAction::Hidden, grounds);
            let mut writes = AuthorDecision { decider: Decider::User, ..decision }.writes(app);
            writes.push(hiders::count_write(app, caller).await?);
            writes
        }
    })
}
