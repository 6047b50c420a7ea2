//! Checks which messages a member may read. A member may read messages that were sent after the member joined. In a
//! crowd, a message is hidden if a block exists between its sender and the member.

use base::{GroupId, MessageId, UserId};
use platform::{App, Result};

use super::{
    Group, Member, Message, hidden::hidden_in, key, member::membership, member_key, message::NO_MESSAGE,
    message_key,
};

/// Returns a group, a user's membership, and a message that was sent after the user joined. Fails with
/// [`platform::Error::NotFound`] if the group or the message does not exist. Fails with [`platform::Error::Forbidden`]
/// if the user is not a member.
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

/// Fails with [`platform::Error::NotFound`] if a message was deleted, or if a block hides it from a member.
pub(super) async fn check_visible(
    app: &App,
    group: &Group,
    member: &Member,
    message: &Message,
) -> Result<()> {
    let hidden = hidden_in(app, group, member.user, vec![message.sender]).await?;
    let is_visible = message.deleted_at.is_none() && hidden.is_empty();
    is_visible.then_some(()).ok_or(NO_MESSAGE)
}
