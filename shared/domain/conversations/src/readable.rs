//! Which messages a member may read: those that came after they joined, but for those of people whom a block separates
//! from them in a crowd.

use base::ids::{GroupId, MessageId, UserId};
use people::relationships::{self, ViewContext};
use platform::{App, Result};

use super::{
    group::{Group, key},
    member::{Member, member_key, membership},
    message::{Message, NO_MESSAGE, message_key},
};

/// Returns a group, a user's membership, and a message that came after they joined.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such group or message; [`platform::Error::Forbidden`] when the user is
/// not a member.
pub(super) async fn find(
    app: &App,
    user: UserId,
    group: GroupId,
    message: MessageId,
) -> Result<(Group, Member, Message)> {
    let message_key = message_key(group, message);
    let keys = [key(group), member_key(group, user), message_key.clone()];
    let mut rows = app.table.get_together(&keys).await?;
    let (group, member) = membership(&mut rows, group, user)?;
    let message = rows.take::<Message>(&message_key)?.filter(|_| member.may_read(message));
    Ok((group, member, message.ok_or(NO_MESSAGE)?))
}

/// Checks that a message was not deleted, and that no block hides it from a member.
///
/// # Errors
/// [`platform::Error::NotFound`] otherwise.
pub(super) async fn check_shown(app: &App, group: &Group, member: &Member, message: &Message) -> Result<()> {
    let sender = group.of_crowd((message.sender != member.user).then_some(message.sender));
    let hidden = relationships::hidden_from(app, member.user, &sender, ViewContext::Thread).await?;
    let is_shown = message.deleted_at.is_none() && sender.is_disjoint(&hidden);
    is_shown.then_some(()).ok_or(NO_MESSAGE)
}
