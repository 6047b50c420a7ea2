//! Muting: somebody's posts no longer come to one's feeds; they do not learn of it.

use platform::{
    App,
    error::{Error, Result},
    table::Attempt,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::UserId,
    people::{
        profiles,
        relationships::{self, Relationship},
        users::Username,
    },
};

const TRIES: usize = 4;

/// What a person asks for; nothing said is the other way round than it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MuteRequest {
    /// True to mute, false to end the mute; repeating changes nothing.
    #[schema(example = true)]
    pub is_muted: Option<bool>,
}

/// How it is now.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Muted {
    /// Whether the caller mutes that person.
    pub is_muted: bool,
}

/// Mutes somebody, or ends the mute. 4 calls: 3 RRU, 2 WRU.
///
/// # Errors
/// [`Error::NotFound`] for nobody, [`Error::Invalid`] for oneself.
pub async fn mute(app: &App, caller: UserId, other: &Username, wish: MuteRequest) -> Result<Muted> {
    let other = profiles::someone_else(app, caller, other).await?;
    for _ in 0..TRIES {
        let now = relationships::find(app, caller, other).await?.mutes;
        let wanted = wish.is_muted.unwrap_or(!now);
        if wanted == now {
            return Ok(Muted { is_muted: wanted });
        }
        let change = relationships::update(caller, other).set("mutes", wanted).equals_or_lacks("mutes", now);
        if let Attempt::Done(_) = app.table.attempt::<Relationship>(change).await? {
            return Ok(Muted { is_muted: wanted });
        }
    }
    Err(Error::internal(anyhow::anyhow!("a mute kept changing while it was set")))
}
