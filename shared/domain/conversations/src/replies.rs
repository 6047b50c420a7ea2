//! Replies to messages.

use base::MessageId;
use people::users;
use platform::{App, Result};

use super::{
    Group, Member, Message, RepliedMessage, message::NO_MESSAGE, message_key, readable::check_visible,
};

/// Returns the message to which a member replies. Fails with [`platform::Error::NotFound`] if the group has no such
/// message, or if the member may not read it.
pub(super) async fn replied_message(
    app: &App,
    group: &Group,
    member: &Member,
    message: MessageId,
) -> Result<RepliedMessage> {
    let found: Option<Message> = app.table.get(&message_key(group.id, message)).await?;
    let found = found.filter(|message| member.may_read(message.id)).ok_or(NO_MESSAGE)?;
    let sender = [found.sender];
    let visible = check_visible(app, group, member, &found);
    let (mut cards, ()) = futures::try_join!(users::cards(app, &sender), visible)?;
    Ok(RepliedMessage::new(&found, cards.remove(&found.sender)))
}
