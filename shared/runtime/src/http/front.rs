//! The front is a CDN in front of the API. If there is a front, the API refuses requests that bypass it.

use std::net::IpAddr;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName},
    middleware::Next,
    response::Response,
};
use platform::{App, Error as Failed, logs};

use crate::Result;

/// The header with the secret that proves that a request comes from the front.
const X_ORIGIN_SECRET: HeaderName = HeaderName::from_static("x-origin-secret");
/// The header in which the CDN passes the client's address. The CDN overwrites any value from the client.
const X_VIEWER_ADDRESS: HeaderName = HeaderName::from_static("x-viewer-address");
/// The header in which the CDN passes the host to which the client sent the request.
const X_VIEWER_HOST: HeaderName = HeaderName::from_static("x-viewer-host");
const BYPASSED: Failed =
    Failed::Forbidden(std::borrow::Cow::Borrowed("the API is available only at its own domain"));

/// The client's address, as the CDN reports it.
#[derive(Clone, Copy)]
pub(super) struct ViewerAddress(pub(super) IpAddr);

/// The host to which the client sent the request, as the CDN reports it.
#[derive(Clone)]
pub(super) struct ViewerHost(pub(super) String);

/// The client's address as the log line shows it. An extension of the response.
#[derive(Clone)]
pub(super) struct LoggedAddress(pub(super) String);

/// Refuses requests that do not come through the CDN. Reads the client's address and host that the CDN reports.
///
/// Without `ORIGIN_SECRET` there is no CDN. In that case, every request passes, and the CDN's headers are ignored.
pub(super) async fn only_through_front(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Result<Response> {
    let shown = *app.settings.log_addresses;
    let mut logged = None;
    if let Some(secret) = &*app.settings.origin_secret {
        let given = request.headers_mut().remove(X_ORIGIN_SECRET).ok_or(BYPASSED)?;
        if !app.secrets.matches(secret, given.as_bytes()).await? {
            return Err(BYPASSED.into());
        }
        if let Some(viewer) = viewer(request.headers()) {
            logged = Some(LoggedAddress(logs::address(shown, viewer, given.as_bytes())));
            request.extensions_mut().insert(ViewerAddress(viewer));
        }
        if let Some(host) = request.headers().get(X_VIEWER_HOST).and_then(|host| host.to_str().ok()) {
            let host = ViewerHost(host.to_owned());
            request.extensions_mut().insert(host);
        }
    }
    let mut response = next.run(request).await;
    if let Some(logged) = logged {
        response.extensions_mut().insert(logged);
    }
    Ok(response)
}

fn viewer(headers: &HeaderMap) -> Option<IpAddr> {
    headers.get(X_VIEWER_ADDRESS)?.to_str().ok()?.parse().ok()
}
