//! Reactions to messages. Each user can react to a message with one emoji. The message's own row stores the reactions.
//!
//! A group has at most 98 members, so the reactions need no counters.

use std::collections::HashSet;

use base::{GroupId, MessageId, UserId};
use platform::{App, Error, Result, Row, Write, outbox_record_write, retry_on_conflict};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    Emoji, Group, Member, Message, MessageReacted, MessageView,
    message_views::message_view,
    readable::{self, check_visible},
};

const EMOJIS_MAX: usize = 20;

/// A request to react to a message.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ReactionRequest {
    /// The emoji, which replaces the caller's previous emoji. `null` removes the reaction.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required = true)]
    pub emoji: Option<Emoji>,
}

/// Sets or removes the user's reaction to a message. Repeating a request has no effect.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the group or the message does not exist, or if the user may not read the message.
/// Fails with [`Error::Forbidden`] if the user is not a member or if the group is closed. Fails with [`Error::Invalid`]
/// if the emoji is new and the message already has 20 different emojis. Fails with [`Error::LimitReached`] after too
/// many conflicts.
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
        check_visible(app, &group, &member, &before).await?;
        let emoji = request.emoji.as_ref().map(Emoji::to_string);
        if before.reaction_of(user) == emoji.as_deref() {
            return Ok((group, member, before));
        }
        app.table.transact(reaction_writes(app, &group, &member, &before, emoji.as_deref())?).await?;
        Ok((group, member, before.with_reaction(user, emoji)))
    })
    .await?;
    message_view(app, &group, &member, message).await
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
    let write = match emoji.is_some_and(|emoji| !emojis.contains(emoji)) {
        true if emojis.len() >= EMOJIS_MAX => {
            return Err(Error::invalid(
                "emoji",
                "the message already has 20 different emojis. Use one of them.",
            ));
        }
        // Check for concurrent reactions only if the emoji is new, because only a new emoji can exceed the limit.
        true => write.is_still("reactionsSeq", message.reactions_seq),
        false => write,
    };
    let (group_id, message_id, user_id) = (group.id, message.id, member.user);
    let event = outbox_record_write(app).then_publish(&MessageReacted { group_id, message_id, user_id });
    Ok(vec![write, member.check_in_write(group), event])
}
