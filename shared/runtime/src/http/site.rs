//! The base URL of links to the API.

use axum::{
    extract::FromRequestParts,
    http::{header::HOST, request::Parts},
};
use platform::App;

use super::front::ViewerHost;
use crate::{Error, Result};

/// The base URL of the API. Without its own domain, this is the origin to which the client sent the request.
pub struct Site(pub String);

impl FromRequestParts<App> for Site {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let requested = || {
            if let Some(ViewerHost(host)) = parts.extensions.get() {
                return format!("https://{host}");
            }
            let host = parts.headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
            let scheme = parts.uri.scheme_str().unwrap_or("https");
            format!("{scheme}://{}", parts.uri.authority().map_or(host, |authority| authority.as_str()))
        };
        Ok(Self(app.settings.api_url.as_ref().cloned().unwrap_or_else(requested)))
    }
}
