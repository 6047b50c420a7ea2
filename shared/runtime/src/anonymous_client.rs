//! Extracts the address and user agent of a client that may be anonymous.

use axum::{
    extract::FromRequestParts,
    http::{header::USER_AGENT, request::Parts},
};
use domain::accounts::{Device, tries};
use platform::App;

use crate::{Error, Result, http::Address};

/// The address and user agent of a client that does not need to be signed in.
pub struct AnonymousClient(pub Device);

impl AnonymousClient {
    /// Counts a request from this address to the operation `operation` for a normalized `identifier`.
    ///
    /// # Errors
    /// Fails with [`platform::Error::LimitReached`] if the address exceeds `AUTH_ADDRESS_LIMIT_PER_5_MIN`. Also fails
    /// if the address exceeds `AUTH_LIMIT_PER_5_MIN` for this identifier.
    pub async fn rate_limit(&self, app: &App, operation: &'static str, identifier: &str) -> Result<()> {
        Ok(tries::count_request(app, &self.0, operation, identifier).await?)
    }
}

impl FromRequestParts<App> for AnonymousClient {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let user_agent =
            parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let Address(address) = Address::from_request_parts(parts, app).await?;
        Ok(Self(Device { address, user_agent }))
    }
}
