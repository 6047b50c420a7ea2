//! Mutes groups. A member gets no notifications of new messages in a muted group. The messages still count as unread.

use base::{GroupId, UserId};
use platform::{App, Once, Result, Row, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::member::find_membership;

/// A request to mute or unmute a group. An empty body toggles the mute.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct GroupMuteRequest {
    /// True to mute, false to unmute. Repeating a request has no effect.
    #[schema(example = true)]
    pub is_muted: Option<bool>,
}

/// Whether the group is now muted.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = GroupMuteState)]
#[serde(rename_all = "camelCase")]
pub struct GroupMuted {
    /// The muted or unmuted group.
    pub public_id: GroupId,
    /// Whether the caller mutes the group.
    pub is_muted: bool,
}

/// Mutes or unmutes a group for a member.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the group does not exist. Fails with [`platform::Error::Forbidden`] if
/// the user is not a member.
pub async fn mute(
    app: &App,
    user: UserId,
    group: GroupId,
    request: GroupMuteRequest,
    once: &Once,
) -> Result<GroupMuted> {
    once.run(app, user, async || {
        let (group, before) = find_membership(app, group, user).await?;
        let is_muted = request.is_muted.unwrap_or(!before.is_muted);
        let write = Write::update(before.key()).exists().set("isMuted", is_muted).marked();
        let write = write.equals_or_lacks("isMuted", before.is_muted);
        let write = (is_muted != before.is_muted).then_some(write);
        Ok((write.into_iter().collect(), GroupMuted { public_id: group.id, is_muted }))
    })
    .await
}
