//! Users who may appeal: signed-in users, and banned users.

use axum::{extract::FromRequestParts, http::request::Parts};
use domain::{UserId, accounts::tokens};
use platform::{App, reads};

use super::{Caller, SIGN_IN, bearer};
use crate::{Error, Result};

/// The signed-in user, or a banned user with the token from the header `x-appeal-token` of a refused sign-in.
pub struct Appellant {
    /// The user's ID.
    pub id: UserId,
    /// Whether the user is banned.
    pub is_banned: bool,
}

impl FromRequestParts<App> for Appellant {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let refusal = match <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await {
            Ok(caller) => return Ok(Self { id: caller.id, is_banned: false }),
            Err(refusal) => refusal,
        };
        let token = bearer(parts).ok_or(SIGN_IN)?;
        let Ok(id) = tokens::read_appeal(app, token).await else { return Err(refusal) };
        reads::count_read(app, &id.to_string(), *app.settings.read_limit_per_5_min).await?;
        Ok(Self { id, is_banned: true })
    }
}
