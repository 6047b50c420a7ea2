//! Sends signed requests to the push provider.

use std::time::Duration;

use anyhow::{Context, anyhow};
use http::StatusCode;
use md5::{Digest, Md5};
use platform::{App, Error, settings::PusherApp};
use serde_json::Value;

use super::mac;

const TIMEOUT: Duration = Duration::from_secs(5);

/// The reason why a request failed.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The provider responded with this status.
    Status(StatusCode),
    /// The provider did not respond.
    NoResponse(anyhow::Error),
}

/// Sends a POST request to a resource of the provider's app.
///
/// # Errors
/// Fails if the provider does not respond, or responds with an error status.
pub(super) async fn post(app: &App, pusher: &PusherApp, resource: &str, body: &Value) -> Result<(), Refusal> {
    let sent = send(app, pusher, resource, body.to_string()).await.context("the push provider");
    let status = sent.map_err(Refusal::NoResponse)?;
    if status.is_success() { Ok(()) } else { Err(Refusal::Status(status)) }
}

impl Refusal {
    /// Returns whether the provider refused the content of the request. Returns false if the provider refused the app's
    /// credentials or request rate.
    pub(super) fn is_of_content(&self) -> bool {
        let of_app = [
            StatusCode::UNAUTHORIZED,
            StatusCode::FORBIDDEN,
            StatusCode::REQUEST_TIMEOUT,
            StatusCode::TOO_MANY_REQUESTS,
        ];
        matches!(self, Self::Status(status) if status.is_client_error() && !of_app.contains(status))
    }

    /// Returns the error for each push in the failed request.
    pub(super) fn error(&self) -> Error {
        match self {
            Self::Status(StatusCode::PAYLOAD_TOO_LARGE) => {
                Error::invalid("data", "must not be larger than the push provider accepts")
            }
            Self::Status(status) => {
                Error::internal(anyhow!("the push provider responded with status {status}"))
            }
            Self::NoResponse(cause) => Error::internal(anyhow!("{cause:#}")),
        }
    }
}

async fn send(app: &App, pusher: &PusherApp, resource: &str, body: String) -> anyhow::Result<StatusCode> {
    let url = signed_url(pusher, resource, &body, app.now().seconds());
    let request = http::Request::post(url).header("content-type", "application/json").body(body)?;
    Ok(app.outgoing.send(request, TIMEOUT).await?.status())
}

fn signed_url(pusher: &PusherApp, resource: &str, body: &str, seconds: i64) -> String {
    let scheme = if pusher.host.contains("://") { "" } else { "https://" };
    let path = format!("/apps/{}/{resource}", pusher.id);
    let query = format!(
        "auth_key={}&auth_timestamp={seconds}&auth_version=1.0&body_md5={}",
        pusher.key,
        hex::encode(Md5::digest(body))
    );
    let signature = mac(&pusher.secret, &format!("POST\n{path}\n{query}"));
    format!("{scheme}{}{path}?{query}&auth_signature={signature}", pusher.host)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::documented, *};

    #[test]
    fn the_documented_request_gets_the_documented_signature() {
        let body = r#"{"name":"foo","channels":["project-3"],"data":"{\"some\":\"data\"}"}"#;
        let url = signed_url(&documented(), "events", body, 1353088179);
        assert_eq!(
            url,
            "https://api.pusherapp.com/apps/3/events?auth_key=278d425bdf160c739803&auth_timestamp=1353088179\
             &auth_version=1.0&body_md5=ec365a775a4cd0599faeb73354201b6f\
             &auth_signature=da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c"
        );
    }
}
