//! Muting a user. The muted user's posts do not appear in the caller's feeds. The muted user is not notified of the
//! mute.

use base::UserId;
use platform::{App, Once, Result, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use people::{Listed, UserRef, profiles, relationships};

/// A request to mute or unmute a user. An empty request toggles the mute.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MuteRequest {
    /// True to mute, false to unmute. Repeating the request has no effect.
    #[schema(example = true)]
    pub is_muted: Option<bool>,
}

/// Whether the user is now muted.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = MuteState)]
#[serde(rename_all = "camelCase")]
pub struct Muted {
    /// Whether the caller mutes the other user.
    pub is_muted: bool,
}

/// Mutes or unmutes a user.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the user does not exist, and with [`platform::Error::Invalid`] if
/// `other` is the caller.
pub async fn mute(
    app: &App,
    caller: UserId,
    other: &UserRef,
    request: MuteRequest,
    once: &Once,
) -> Result<Muted> {
    once.run(app, caller, async || {
        let other = profiles::find_other_user(app, caller, other).await?;
        let mutes = relationships::find(app, caller, other).await?.mutes;
        let is_muted = request.is_muted.unwrap_or(!mutes);
        let write = (is_muted != mutes).then(|| mute_write(app, caller, other, is_muted).marked());
        Ok((write.into_iter().collect(), Muted { is_muted }))
    })
    .await
}

fn mute_write(app: &App, caller: UserId, other: UserId, is_muted: bool) -> Write {
    let mute = relationships::named_write(caller, other);
    let mute = match is_muted {
        true => Listed::Muted.add_write(mute, caller, app.ids.next(app.now())),
        false => Listed::Muted.remove_write(mute),
    };
    mute.equals_or_lacks("mutes", !is_muted)
}
