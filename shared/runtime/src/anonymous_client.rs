//! The extractor of a client before anybody knows who it is: where the request comes from.

use axum::{
    extract::FromRequestParts,
    http::{header::USER_AGENT, request::Parts},
};
use domain::accounts::{Device, tries};
use platform::App;

use crate::{
    error::{Error, Result},
    http::Address,
};

/// A client, whoever it is: one that has not signed in, or one that shows again who it is.
pub struct AnonymousClient(pub Device);

impl AnonymousClient {
    /// Counts a request to `what` for `identifier`, in its one spelling, from this address.
    ///
    /// # Errors
    /// [`platform::Error::LimitReached`] over `AUTH_ADDRESS_LIMIT_PER_5_MIN` for the address, or over
    /// `AUTH_LIMIT_PER_5_MIN` for both.
    pub async fn rate_limit(&self, app: &App, what: &'static str, identifier: &str) -> Result<()> {
        Ok(tries::count_request(app, &self.0, what, identifier).await?)
    }
}

impl FromRequestParts<App> for AnonymousClient {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let user_agent = parts.headers.get(USER_AGENT).and_then(|it| it.to_str().ok()).map(str::to_owned);
        let Address(address) = Address::from_request_parts(parts, app).await?;
        Ok(Self(Device { address, user_agent }))
    }
}
