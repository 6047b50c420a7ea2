//! Builds the views of messages for a member. A view includes the replied-to message and the reactions.

use std::collections::{BTreeSet, HashMap};

use base::{MessageId, UserId};
use platform::{App, Result};

use super::{
    Group, Member, Message, MessageView, ReactionCount, RepliedMessage, SentMessage, hidden::hidden_in,
    message_key,
};
use people::users;

/// Returns the views of messages that the member may read.
pub(super) async fn message_views(
    app: &App,
    group: &Group,
    member: &Member,
    messages: Vec<Message>,
) -> Result<Vec<MessageView>> {
    let viewer = member.user;
    let replied = replied(app, member, &messages).await?;
    let senders: BTreeSet<UserId> =
        messages.iter().chain(replied.values()).map(|message| message.sender).collect();
    let senders: Vec<_> = senders.into_iter().collect();
    let reactors = messages.iter().flat_map(|message| message.reactions().map(|(user, _)| user));
    let others = reactors.chain(replied.values().map(|message| message.sender)).collect();
    let hidden = hidden_in(app, group, viewer, others);
    let (cards, hidden) = futures::try_join!(users::cards(app, &senders), hidden)?;
    let reply = |sent: &SentMessage| {
        let to = replied.get(&sent.reply_to.as_ref()?.public_id)?;
        let is_visible = !hidden.contains(&to.sender);
        is_visible.then(|| RepliedMessage::new(to, cards.get(&to.sender).cloned()))
    };
    let view = |message: Message| {
        let reactions = ReactionCount::of(&message, viewer, &hidden);
        let sender = cards.get(&message.sender).cloned();
        let sent = SentMessage { reactions, ..SentMessage::new(message, sender) };
        let reply_to = reply(&sent).or(sent.reply_to);
        SentMessage { reply_to, ..sent }.seen_by(viewer)
    };
    Ok(messages.into_iter().map(view).collect())
}

pub(super) async fn message_view(
    app: &App,
    group: &Group,
    member: &Member,
    message: Message,
) -> Result<MessageView> {
    let (fallback, viewer) = (message.clone(), member.user);
    let mut views = message_views(app, group, member, vec![message]).await?;
    Ok(views.pop().unwrap_or_else(|| SentMessage::new(fallback, None).seen_by(viewer)))
}

/// Returns the messages to which `messages` reply, if the member may read them.
async fn replied(app: &App, member: &Member, messages: &[Message]) -> Result<HashMap<MessageId, Message>> {
    let ids = messages.iter().filter_map(|message| message.reply_to).filter(|id| member.may_read(*id));
    let ids: BTreeSet<_> = ids.collect();
    let (here, elsewhere): (Vec<_>, Vec<_>) =
        ids.into_iter().partition(|id| messages.iter().any(|message| message.id == *id));
    let keys: Vec<_> = elsewhere.into_iter().map(|id| message_key(member.group, id)).collect();
    let found: Vec<Message> = app.table.batch_get_eventual(&keys).await?;
    let here = messages.iter().filter(|message| here.contains(&message.id)).cloned();
    Ok(here.chain(found).map(|message| (message.id, message)).collect())
}
