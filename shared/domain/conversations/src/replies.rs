//! What a message answers.

use base::ids::MessageId;
use people::users;
use platform::{App, Result};

use super::{
    group::Group,
    member::Member,
    message::{Message, NO_MESSAGE, message_key},
    readable::check_shown,
    view::RepliedMessage,
};

/// Returns the message that a member answers.
///
/// # Errors
/// [`platform::Error::NotFound`] unless it is a message of the group that the member may read.
pub(super) async fn to_answer(
    app: &App,
    group: &Group,
    member: &Member,
    message: MessageId,
) -> Result<RepliedMessage> {
    let found: Option<Message> = app.table.get(&message_key(group.id, message)).await?;
    let found = found.filter(|it| member.may_read(it.id)).ok_or(NO_MESSAGE)?;
    let sender = [found.sender];
    let shown = check_shown(app, group, member, &found);
    let (mut cards, ()) = futures::try_join!(users::cards(app, &sender), shown)?;
    Ok(RepliedMessage::new(&found, cards.remove(&found.sender)))
}
