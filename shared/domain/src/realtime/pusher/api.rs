//! Sends signed requests to the push provider.

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, ensure};
use md5::{Digest, Md5};
use platform::{App, Result, error::Error, settings::PusherApp};
use serde_json::{Value, json};

use super::{app_of, mac};

const TIMEOUT: Duration = Duration::from_secs(5);
/// How many channels the provider accepts in one request.
const CHANNELS_MAX: usize = 100;

/// Pushes an event to each of the channels. Costs 1 request of at most 5 seconds for each 100 channels.
///
/// # Errors
/// Internal, when the provider refuses a request.
pub async fn push(app: &App, channels: &[String], event: &str, data: &Value) -> Result<()> {
    let pusher = app_of(app).await?;
    for channels in channels.chunks(CHANNELS_MAX) {
        // The data travels as a string of JSON inside the JSON.
        let body = json!({ "name": event, "channels": channels, "data": data.to_string() }).to_string();
        send(app, &pusher, body).await.map_err(Error::Internal)?;
    }
    Ok(())
}

async fn send(app: &App, pusher: &PusherApp, body: String) -> Anyhow<()> {
    let url = address(pusher, &body, app.now().seconds());
    let request = http::Request::post(url).header("content-type", "application/json").body(body)?;
    let answer = app.outgoing.send(request, TIMEOUT).await.context("the push provider")?;
    ensure!(answer.status().is_success(), "the push provider answered {}", answer.status());
    Ok(())
}

/// Returns the signed address of a request.
fn address(pusher: &PusherApp, body: &str, seconds: i64) -> String {
    let scheme = if pusher.host.contains("://") { "" } else { "https://" };
    let path = format!("/apps/{}/events", pusher.id);
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
    fn a_request_is_signed_as_the_documentation_does() {
        let body = r#"{"name":"foo","channels":["project-3"],"data":"{\"some\":\"data\"}"}"#;
        let address = address(&documented(), body, 1353088179);
        assert_eq!(
            address,
            "https://api.pusherapp.com/apps/3/events?auth_key=278d425bdf160c739803&auth_timestamp=1353088179\
             &auth_version=1.0&body_md5=ec365a775a4cd0599faeb73354201b6f\
             &auth_signature=da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c"
        );
    }
}
