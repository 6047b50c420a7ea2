//! The extractor of a client that has not signed in.

use axum::{
    extract::FromRequestParts,
    http::{Extensions, header::USER_AGENT, request::Parts},
};
use platform::{
    App,
    rate_limit::{self, FIVE_MINUTES},
};

use crate::{
    error::{Error, Result},
    http::Address,
    rate_limit_headers::enforce,
};

/// A client that has not signed in: its address and its device.
pub struct AnonymousClient {
    /// The `User-Agent` of the request.
    pub user_agent: Option<String>,
    address: String,
    request: Extensions,
}

impl AnonymousClient {
    /// Counts an attempt at `what` for `identifier`, in its one spelling, from this address. Costs 1 call and
    /// 1 WRU.
    ///
    /// # Errors
    /// [`platform::Error::LimitReached`] over `AUTH_LIMIT_PER_5_MIN`.
    pub async fn rate_limit(&self, app: &App, what: &str, identifier: &str) -> Result<()> {
        let who = format!("{}#{identifier}", self.address);
        let limit = *app.settings.auth_limit_per_5_min;
        let standing = rate_limit::count(app, what, &who, limit, FIVE_MINUTES).await?;
        Ok(enforce(standing, &self.request)?)
    }
}

impl FromRequestParts<App> for AnonymousClient {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let user_agent = parts.headers.get(USER_AGENT).and_then(|it| it.to_str().ok()).map(str::to_owned);
        let Address(address) = Address::from_request_parts(parts, app).await?;
        Ok(Self { user_agent, address, request: parts.extensions.clone() })
    }
}
