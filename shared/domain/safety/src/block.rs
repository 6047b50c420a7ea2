//! Blocking a user. A block hides both users from each other, and ends their follows, their friendship and their friend
//! requests.

use base::UserId;
use platform::{App, Once, Result, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use people::{Follow, FriendRequest, Listed, UserRef, follows, friendships, profiles, relationships, users};

/// A request to block or unblock a user. An empty request toggles the block.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct BlockRequest {
    /// True to block, false to unblock. Repeating the request has no effect.
    #[schema(example = true)]
    pub is_blocked: Option<bool>,
}

/// Whether the user is now blocked.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = BlockState)]
#[serde(rename_all = "camelCase")]
pub struct Blocked {
    /// Whether the caller blocks the other user.
    pub is_blocked: bool,
}

/// Blocks or unblocks a user.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the user does not exist, and with [`platform::Error::Invalid`] if
/// `other` is the caller.
pub async fn block(
    app: &App,
    caller: UserId,
    other: &UserRef,
    request: BlockRequest,
    once: &Once,
) -> Result<Blocked> {
    once.run(app, caller, async || {
        let other = profiles::find_other_user(app, caller, other).await?;
        let blocks = relationships::find(app, caller, other).await?.blocks;
        let is_blocked = request.is_blocked.unwrap_or(!blocks);
        let writes = match (blocks, is_blocked) {
            (false, true) => block_writes(app, caller, other).await?,
            (true, false) => unblock_writes(app, caller, other).await?,
            (true, true) | (false, false) => Vec::new(),
        };
        Ok((writes, Blocked { is_blocked }))
    })
    .await
}

async fn unblock_writes(app: &App, caller: UserId, other: UserId) -> Result<Vec<Write>> {
    let blocks = Listed::Blocked.remove_write(relationships::update_write(caller, other));
    let blocked_by = relationships::update_write(other, caller).set("blockedBy", false);
    Ok(vec![
        blocks.equals("blocks", true),
        blocked_by,
        conversations::reopen_write(app, caller, other).await?,
    ])
}

/// Returns the writes that store the block for both users. The writes also end the follows and friend requests between
/// the users. If a follow or request begins after the read, the writes fail with a conflict.
async fn block_writes(app: &App, caller: UserId, other: UserId) -> Result<Vec<Write>> {
    let pairs = [(caller, other), (other, caller)];
    let (follows, requests) = (follows::find_all(app, &pairs), friendships::find_all(app, &pairs));
    let close_write = conversations::close_write(app, caller, other);
    let (follows, requests, close_write) = futures::try_join!(follows, requests, close_write)?;
    let connections = |from, to| Connections {
        from,
        to,
        follow: follows.iter().find(|follow| follow.is_following && follow.follower_id == from),
        request: requests.iter().find(|request| request.is_open() && request.sender_id == from),
    };
    let (out, back) = (connections(caller, other), connections(other, caller));
    let blocks = Listed::Blocked.add_write(out.relationship_write(), caller, app.ids.next(app.now()));
    let blocks = blocks.equals_or_lacks("blocks", false);
    let blocks = blocks.then_publish(&relationships::UserBlocked { blocker_id: caller, blocked_id: other });
    let blocked_by = back.relationship_write().set("blockedBy", true);
    let ends = out.end_writes(app).into_iter().chain(back.end_writes(app));
    let counts = counts_write(&out, &back).into_iter().chain(counts_write(&back, &out));
    Ok([blocks, blocked_by].into_iter().chain(ends).chain(counts).chain([close_write]).collect())
}

/// The follow and the pending or accepted friend request from one user to another.
struct Connections<'a> {
    from: UserId,
    to: UserId,
    follow: Option<&'a Follow>,
    request: Option<&'a FriendRequest>,
}

impl Connections<'_> {
    fn relationship_write(&self) -> Write {
        let relationship = relationships::update_write(self.from, self.to);
        match self.follow {
            Some(_) => relationship.set("left", true),
            None => relationship,
        }
    }

    fn end_writes(&self, app: &App) -> [Write; 2] {
        let follow = match self.follow {
            Some(follow) => follow.end_write(app.now()),
            None => follows::check_not_following(self.from, self.to),
        };
        let request = match self.request {
            Some(request) => request.end_write(app.now()),
            None => friendships::check_none_open(self.from, self.to),
        };
        [follow, request]
    }
}

/// Returns the write that decrements the counters of the user `out.from`, or `None` if no counter changes. `out`
/// contains the connections from this user, and `back` the connections to this user.
fn counts_write(out: &Connections<'_>, back: &Connections<'_>) -> Option<Write> {
    let ended = [
        ("followingCount", out.follow.is_some()),
        ("followersCount", back.follow.is_some()),
        ("friendRequestsPending", back.request.is_some_and(FriendRequest::is_pending)),
    ];
    let mut ended = ended.into_iter().filter(|(_, ends)| *ends).peekable();
    ended.peek()?;
    let user = Write::update(users::key(out.from)).exists();
    Some(ended.fold(user, |write, (count, _)| write.add(count, -1)))
}
