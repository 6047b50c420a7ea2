//! Posts, replies, quotes and reposts. All four are stored in the same type of row.
//!
//! The crate also contains likes, saves, polls, drafts, lists and views of posts. It may use only the domain crates
//! `base`, `people`, `ledger`, `notifications` and `uploads`.

mod counting;
pub mod drafts;
mod notices;
pub mod polls;
pub mod previews;
mod reading;
mod row;
mod values;
mod writing;

pub use counting::apply::apply;
pub use counting::{engagements, feed_index, likes};
pub use notices::like_subject;
pub use reading::cached_list::newest_of_author;
pub use reading::partitions::partition;
pub use reading::reader::Reader;
pub use reading::shares::{quotes, reposters};
pub use reading::source::Source;
pub use reading::thread::{Thread, context, detail, replies};
pub use reading::view::{PostView, view, view_of_new, view_page};
pub use reading::visible::{find_readable, readable, visible_to};
pub use reading::{lists, saved, timeline};
pub use row::{Post, key};
pub use values::{
    Alt, Content, Counter, Media, MediaDraft, MediaDrafts, MediaList, MediaView, MentionRefs, Mentions,
    PollDraft, PollMinutes, PollOption, PollOptions, PostType, PublicMentions, Question, ReplyPermission,
    Spoiler, Visibility,
};
pub use writing::delete::{Deleted, delete};
pub use writing::delete::{release_write, uncount_writes, uncounted};
pub use writing::edit::{Edit, edit};
pub use writing::hide::{find_hidable, ghost_write, ghost_writes, set_hidden_write};
pub use writing::history::{Version, history};
pub use writing::moderate::{Moderated, moderate_write, recount_writes, recounted};
pub use writing::mute_thread::{ThreadMuteRequest, ThreadMuted, mute_thread};
pub use writing::pin::{ListOwner, PinRequest, Pinned, list_owner, pin};
pub use writing::publish::{Draft, PostDraft, QuoteDraft, ReplyDraft, Reposted, Target};
pub use writing::publish::{create, quote, reply, repost};
pub use writing::renew_topic::renew_topic;
pub use writing::republish::{invalidate_local_feed, republish_record_write, then_republish};
pub use writing::withdraw::{PostList, erase_author, next_posts, withdraw};
pub use writing::withdraw_events::{withdraw_events, withdraw_events_write};
pub use writing::{attachments, mentioned};

use std::collections::HashMap;

use base::{PostId, UserId};
use platform::{App, Error, Result, Row};

use counting::engagements::Engagement;
use reading::visible::{
    check_readable, check_shareable, check_unblocked, find_engageable, find_meant, meant_for,
};

/// The error for a post that does not exist or was deleted.
pub const GONE: Error = Error::NotFound("post");

/// Returns the post with this ID.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist or was deleted.
pub async fn find(app: &App, id: PostId) -> Result<Post> {
    let found = app.table.get::<Post>(&key(id)).await?;
    found.filter(|post| !post.is_deleted).ok_or(GONE)
}

/// Does the same as [`find`] with an eventually consistent read, at half the cost.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist or was deleted.
pub async fn find_eventual(app: &App, id: PostId) -> Result<Post> {
    let found = app.table.get_eventual::<Post>(&key(id)).await?;
    found.filter(|post| !post.is_deleted).ok_or(GONE)
}

/// Returns the posts with these IDs, in the same order. Omits posts that are deleted or hidden from lists. The same
/// call also reads the reader's mutes, unless the reader already has them.
pub async fn listed(app: &App, reader: &Reader, ids: &[PostId]) -> Result<Vec<Post>> {
    let keys: Vec<_> = ids.iter().map(|id| key(*id)).collect();
    let mut found = reader.find_posts(app, &keys).await?;
    if found.len() < ids.len() {
        // Rows of posts are never deleted, so a missing row is new. A consistent read finds it.
        let missing: Vec<_> =
            keys.into_iter().filter(|key| !found.iter().any(|post| post.key() == *key)).collect();
        found.extend(app.table.batch_get::<Post>(&missing).await?);
    }
    let mut found: HashMap<_, _> = found.into_iter().map(|post| (post.id, post)).collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).filter(Post::is_listed).collect())
}

fn check_author(post: &Post, caller: UserId) -> Result<()> {
    let own = post.author == caller;
    own.then_some(()).ok_or(Error::Forbidden("this post is not yours".into()))
}
