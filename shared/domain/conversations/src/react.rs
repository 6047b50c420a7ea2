//! Reactions to messages: an emoji for each person and message, on the message's own row.
//!
//! A crowd has 98 members, so a message's row has at most as many reactions, some 4 KB, and nothing counts them. The row
//! takes some fifty reactions a second, each in a transaction of its own; who comes in the way of others for too long is
//! told to come again.

use std::collections::HashSet;

use base::ids::{GroupId, MessageId, UserId};
use platform::{
    App,
    error::{Error, Result},
    outbox::outbox_record_write,
    retry_on_conflict,
    table::{Row, Write},
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    events::MessageReacted,
    group::Group,
    member::Member,
    message::Message,
    readable::{self, check_shown},
    shown::shown_one,
    values::Emoji,
    view::MessageView,
};

/// The most different emojis of a message.
const EMOJIS_MAX: usize = 20;

/// A request to react to a message.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ReactionRequest {
    /// The emoji, in place of an earlier one of the caller's; null takes it back.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required = true)]
    pub emoji: Option<Emoji>,
}

/// Sets the user's reaction to a message, or takes it back. The same again changes nothing.
///
/// # Errors
/// [`Error::NotFound`] when there is no such group, or no such message that the user may read; [`Error::Forbidden`] when
/// they are not a member or a block closes the group; [`Error::Invalid`] for the 21st emoji of a message;
/// [`Error::LimitReached`] when others were faster every time.
pub async fn react(
    app: &App,
    user: UserId,
    group: GroupId,
    message: MessageId,
    request: ReactionRequest,
) -> Result<MessageView> {
    let (group, member, message) = retry_on_conflict(async || {
        let (group, member, before) = readable::find(app, user, group, message).await?;
        group.check_open()?;
        check_shown(app, &group, &member, &before).await?;
        let emoji = request.emoji.as_ref().map(Emoji::to_string);
        if before.reaction_of(user) == emoji.as_deref() {
            return Ok((group, member, before));
        }
        app.table.transact(reaction_writes(app, &group, &member, &before, emoji.as_deref())?).await?;
        Ok((group, member, before.with_reaction(user, emoji)))
    })
    .await?;
    shown_one(app, &group, &member, message).await
}

fn reaction_writes(
    app: &App,
    group: &Group,
    member: &Member,
    message: &Message,
    emoji: Option<&str>,
) -> Result<Vec<Write>> {
    let write = Write::update(message.key()).exists().lacks("deletedAt").add("reactionsSeq", 1);
    let write = write.set_or_remove(&Message::reaction_attribute(member.user), emoji);
    let emojis: HashSet<_> = message.reactions().map(|(_, emoji)| emoji).collect();
    let write = match emoji.is_some_and(|it| !emojis.contains(it)) {
        true if emojis.len() >= EMOJIS_MAX => {
            return Err(Error::invalid("emoji", "must be one of the 20 that the message has already"));
        }
        // Only a new one could be one too many.
        true => write.is_still("reactionsSeq", message.reactions_seq),
        false => write,
    };
    let (group_id, message_id, user_id) = (group.id, message.id, member.user);
    let told = outbox_record_write(app).then_publish(&MessageReacted { group_id, message_id, user_id });
    Ok(vec![write, member.check_in_write(group), told])
}
