//! Muting a user. The muted user's posts do not appear in the caller's feeds. The muted user is not notified of the
//! mute.

use std::sync::OnceLock;

use base::ids::UserId;
use platform::{App, error::Result, retry_on_conflict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use people::{
    profiles,
    relationships::{self, Listed},
    users::UserRef,
};

/// A request to mute or unmute a user. An empty request toggles the mute.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MuteRequest {
    /// True to mute, false to unmute. Repeating the request has no effect.
    #[schema(example = true)]
    pub is_muted: Option<bool>,
}

/// The state after a [`MuteRequest`].
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
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
pub async fn mute(app: &App, caller: UserId, other: &UserRef, request: MuteRequest) -> Result<Muted> {
    let other = profiles::find_other_user(app, caller, other).await?;
    // Decide once what to do, so that a retry after a lost response does not toggle back.
    let wanted = OnceLock::new();
    retry_on_conflict(async || {
        let mutes = relationships::find(app, caller, other).await?.mutes;
        let wanted = *wanted.get_or_init(|| request.is_muted.unwrap_or(!mutes));
        if wanted != mutes {
            let mute = relationships::named_write(caller, other);
            let mute = match wanted {
                true => Listed::Muted.add_write(mute, caller, app.ids.next(app.now())),
                false => Listed::Muted.remove_write(mute),
            };
            app.table.write(mute.equals_or_lacks("mutes", mutes)).await?;
        }
        Ok(Muted { is_muted: wanted })
    })
    .await
}
