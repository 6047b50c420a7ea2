//! Pushes the events of message groups to the members that can receive them.

use base::{GroupId, MessageId, UserId};
use conversations::{
    Group, GroupChanged, Member, MemberJoined, MemberLeft, Message, MessageDeleted, MessageEdited,
    MessageReacted, MessageSeen, MessageSent, SentMessage,
};
use futures::try_join;
use platform::{App, BusEvent, Result, bus::Event, outcomes::note};

use crate::{
    audience::Audience,
    events::{self, GroupProfile, MemberChanged, MessageChanged, MessageReaction, PushedEvent},
    pusher::{Channel, Push},
};

/// Returns the pushes for an event of a message group. Fails if the event has a different kind.
pub(super) async fn pushes_of(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    match event.name() {
        MessageSent::NAME => message_new(app, event).await,
        MessageSeen::NAME => message_seen(app, event).await,
        MessageEdited::NAME => {
            let MessageEdited { group_id, message_id, sender_id } = event.detail()?;
            let ids = (group_id, message_id, sender_id);
            message_changed(app, event, ids, |changed| PushedEvent::MessageEdited(changed)).await
        }
        MessageDeleted::NAME => {
            let MessageDeleted { group_id, message_id, sender_id } = event.detail()?;
            let ids = (group_id, message_id, sender_id);
            message_changed(app, event, ids, |changed| PushedEvent::MessageDeleted(changed)).await
        }
        MessageReacted::NAME => message_reacted(app, event).await,
        MemberJoined::NAME => {
            let MemberJoined { group_id, user_id } = event.detail()?;
            let ids = (group_id, user_id);
            member_changed(app, event, ids, |changed| PushedEvent::MemberJoined(changed)).await
        }
        MemberLeft::NAME => {
            let MemberLeft { group_id, user_id } = event.detail()?;
            member_changed(app, event, (group_id, user_id), |changed| PushedEvent::MemberLeft(changed)).await
        }
        GroupChanged::NAME => group_changed(app, event).await,
        _ => Err(event.unexpected()),
    }
}

/// Returns the push of a new message to all members and the chat channel.
async fn message_new(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let MessageSent { group_id, message_id, sender_id, .. } = event.detail()?;
    let Some((message, audience)) = message_and_audience(app, group_id, message_id, sender_id).await? else {
        return Ok(Vec::new());
    };
    let sent = SentMessage::new(message, audience.users.card(sender_id));
    Ok(vec![Push::of(event, audience.channels(), PushedEvent::MessageNew(&sent))?])
}

/// Returns the push of a read receipt to the message's sender and the chat channel.
async fn message_seen(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let MessageSeen { group_id, user_id, last_seen_message_id } = event.detail()?;
    let found = message_and_audience(app, group_id, last_seen_message_id, user_id).await?;
    let Some((message, audience)) = found else { return Ok(Vec::new()) };
    let sender = audience.can_receive(message.sender).then(|| user_channel(message.sender));
    let channels = sender.into_iter().chain(audience.chat()).collect();
    let seen = events::MemberSeen { group_id, user_id: user_id.public(), last_seen_message_id };
    Ok(vec![Push::of(event, channels, PushedEvent::MessageSeen(&seen))?])
}

/// Returns the push of an edited or deleted message to all members and the chat channel.
async fn message_changed(
    app: &App,
    event: &BusEvent,
    (group, message, sender): (GroupId, MessageId, UserId),
    pushed: impl Fn(&MessageChanged) -> PushedEvent<'_>,
) -> Result<Vec<Push>> {
    let Some((message, audience)) = message_and_audience(app, group, message, sender).await? else {
        return Ok(Vec::new());
    };
    let changed = MessageChanged {
        message_group_id: group,
        public_id: message.id,
        sender_id: sender.public(),
        content: message.content,
        edited_at: message.edited_at,
        is_deleted: message.deleted_at.is_some(),
    };
    Ok(vec![Push::of(event, audience.channels(), pushed(&changed))?])
}

/// Returns the push of the current reaction to all members that can see both the message and the user who reacted.
async fn message_reacted(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let MessageReacted { group_id, message_id, user_id } = event.detail()?;
    let Some((message, audience)) = message_and_audience(app, group_id, message_id, user_id).await? else {
        return Ok(Vec::new());
    };
    let of_sender = Audience::of(app, message.sender, &audience.members).await?;
    let audience = audience.retain(|member| of_sender.can_receive(member));
    let reaction = MessageReaction {
        message_group_id: group_id,
        public_id: message_id,
        user_id: user_id.public(),
        emoji: message.reaction_of(user_id).map(str::to_owned),
    };
    Ok(vec![Push::of(event, audience.channels(), PushedEvent::MessageReaction(&reaction))?])
}

/// Returns the push about a member who joined or left, to all members and the chat channel.
async fn member_changed(
    app: &App,
    event: &BusEvent,
    (group, user): (GroupId, UserId),
    pushed: impl Fn(&MemberChanged) -> PushedEvent<'_>,
) -> Result<Vec<Push>> {
    let Some((found, audience)) = group_and_audience(app, group, user).await? else { return Ok(Vec::new()) };
    let changed = MemberChanged {
        message_group_id: group,
        user_id: user.public(),
        user: audience.users.card(user),
        created_by_id: found.created_by_id.public(),
        members_count: found.members_count,
    };
    Ok(vec![Push::of(event, audience.channels(), pushed(&changed))?])
}

/// Returns the push of the group's name and picture to all members and the chat channel.
async fn group_changed(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let GroupChanged { group_id, user_id } = event.detail()?;
    let profile = conversations::find_profile(app, group_id);
    let (audience, profile) = try_join!(group_and_audience(app, group_id, user_id), profile)?;
    let (Some((_, audience)), Some(profile)) = (audience, profile) else { return Ok(Vec::new()) };
    let profile = GroupProfile { message_group_id: group_id, name: profile.name, avatar: profile.avatar };
    Ok(vec![Push::of(event, audience.channels(), PushedEvent::GroupChanged(&profile))?])
}

/// The members of a group, and which of them can receive an event that one of the members caused.
struct GroupAudience {
    group: GroupId,
    members: Vec<UserId>,
    users: Audience,
    /// Whether only `members` can listen to the chat channel.
    is_exclusive: bool,
}

impl GroupAudience {
    async fn of(app: &App, group: &Group, actor: UserId, members: &[Member], all: usize) -> Result<Self> {
        let members: Vec<_> = members.iter().map(|member| member.user).collect();
        let users = Audience::of(app, actor, &members).await?;
        // Former members may still listen to the chat channel, because the provider checks membership only when a
        // client subscribes.
        let is_exclusive = group.last_left_at.is_none() && members.len() == all;
        Ok(Self { group: group.id, members, users, is_exclusive })
    }

    /// Keeps only the members that fulfill a condition. Other members can still listen to the chat channel, so it is no
    /// longer exclusive.
    fn retain(mut self, condition: impl Fn(UserId) -> bool) -> Self {
        let all = self.members.len();
        self.members.retain(|member| condition(*member));
        Self { is_exclusive: self.is_exclusive && self.members.len() == all, ..self }
    }

    fn can_receive(&self, member: UserId) -> bool {
        self.members.contains(&member) && self.users.can_receive(member)
    }

    /// Returns the chat channel, or `None` if one of its listeners cannot receive the event.
    fn chat(&self) -> Option<String> {
        let all_receive =
            self.is_exclusive && self.members.iter().all(|member| self.users.can_receive(*member));
        all_receive.then(|| Channel::Chat(self.group).to_string())
    }

    fn channels(&self) -> Vec<String> {
        let receivers = self.members.iter().filter(|member| self.users.can_receive(**member));
        receivers.map(|member| user_channel(*member)).chain(self.chat()).collect()
    }
}

/// Returns a message and the members that can read it, or `None` if the message does not exist.
async fn message_and_audience(
    app: &App,
    group: GroupId,
    message: MessageId,
    actor: UserId,
) -> Result<Option<(Message, GroupAudience)>> {
    let (group_key, message_key) = (conversations::key(group), conversations::message_key(group, message));
    let keys = [group_key.clone(), message_key.clone()];
    let (mut rows, mut members) =
        try_join!(app.table.get_together_eventual(&keys), conversations::members(app, group))?;
    let (group, message) = (rows.take::<Group>(&group_key)?, rows.take::<Message>(&message_key)?);
    let (Some(group), Some(message)) = (group, message) else {
        note("the message is gone");
        return Ok(None);
    };
    let all = members.len();
    members.retain(|member| member.may_read(message.id));
    Ok(Some((message, GroupAudience::of(app, &group, actor, &members, all).await?)))
}

/// Returns a group and its members, or `None` if the group does not exist.
async fn group_and_audience(
    app: &App,
    group: GroupId,
    actor: UserId,
) -> Result<Option<(Group, GroupAudience)>> {
    let key = conversations::key(group);
    let found = app.table.get_eventual::<Group>(&key);
    let (found, members) = try_join!(found, conversations::members(app, group))?;
    let Some(group) = found else {
        note("the group is gone");
        return Ok(None);
    };
    let audience = GroupAudience::of(app, &group, actor, &members, members.len()).await?;
    Ok(Some((group, audience)))
}

fn user_channel(user: UserId) -> String {
    Channel::User(user).to_string()
}
