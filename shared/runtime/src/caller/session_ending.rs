//! The caller of a request that can end the caller's own session.

use axum::extract::{FromRequest, FromRequestParts, Request};
use domain::{UserId, accounts::tokens};
use platform::App;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::{Caller, bearer};
use crate::{Error, Result, http::Input};

/// The caller and the input of a request that can end the caller's own session.
///
/// If the client repeats the request with its idempotency key, the client gets the first answer, although the session
/// has ended.
pub struct SessionEnding<T> {
    /// The user's ID.
    pub id: UserId,
    /// The input.
    pub input: Input<T>,
}

impl<T: DeserializeOwned + Send> FromRequest<App> for SessionEnding<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let caller = <Caller as FromRequestParts<App>>::from_request_parts(&mut parts, app).await;
        let token = bearer(&parts).map(str::to_owned);
        let input = Input::from_request(Request::from_parts(parts, body), app).await;
        match caller {
            Ok(caller) => Ok(Self { id: caller.id, input: input? }),
            Err(refusal) => Self::repeated(app, token, input).await.ok_or(refusal),
        }
    }
}

impl<T: Send> SessionEnding<T> {
    /// Returns the user and input if the request was answered earlier, or else `None`. The session may have ended.
    async fn repeated(app: &App, token: Option<String>, input: Result<Input<T>>) -> Option<Self> {
        let (id, input) = (tokens::read_access(app, &token?).await.ok()?.sub, input.ok()?);
        let answer = input.once.earlier::<IgnoredAny>(app, &id.to_string()).await.ok()?;
        answer.map(|_| Self { id, input })
    }
}
