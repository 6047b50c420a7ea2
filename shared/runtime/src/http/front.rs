//! The front: a CDN at the API's own domain. While there is one, only it may send requests, and it says for whom.

use std::net::IpAddr;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName},
    middleware::Next,
    response::Response,
};
use platform::{App, Error as Failed};

use crate::error::Result;

/// The secret of the front. Nobody else can send it.
const X_ORIGIN_SECRET: HeaderName = HeaderName::from_static("x-origin-secret");
/// The address of the front's client. The front replaces what its client sent.
const X_VIEWER_ADDRESS: HeaderName = HeaderName::from_static("x-viewer-address");
const ELSEWHERE: Failed =
    Failed::Forbidden(std::borrow::Cow::Borrowed("the API is served at its own domain, not here"));

/// The address of the front's client.
#[derive(Clone, Copy)]
pub(super) struct ViewerAddress(pub(super) IpAddr);

/// Refuses a request that does not come from the front, and takes the viewer's address from one that does.
/// Without `ORIGIN_SECRET` there is no front: every request passes, and nobody's headers are believed.
pub(super) async fn only_through_front(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Result<Response> {
    if let Some(secret) = &*app.settings.origin_secret {
        let given = request.headers_mut().remove(X_ORIGIN_SECRET).ok_or(ELSEWHERE)?;
        if !app.secrets.is(secret, given.as_bytes()).await? {
            return Err(ELSEWHERE.into());
        }
        if let Some(viewer) = viewer(request.headers()) {
            request.extensions_mut().insert(ViewerAddress(viewer));
        }
    }
    Ok(next.run(request).await)
}

fn viewer(headers: &HeaderMap) -> Option<IpAddr> {
    headers.get(X_VIEWER_ADDRESS)?.to_str().ok()?.parse().ok()
}
