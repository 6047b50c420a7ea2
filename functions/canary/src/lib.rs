//! Canary: uses the API as a client does, and fails if a request fails. A schedule starts the function.

mod client;

use anyhow::anyhow;
use client::{Client, Credentials};
use http::Method;
use platform::{App, Error, Result, settings::required};
use secrecy::ExposeSecret;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::json;

/// A draft in a response.
#[derive(Deserialize)]
struct Draft {
    id: String,
    content: String,
}

/// Signs in, writes, reads and deletes a draft, and signs out. Other users cannot see a draft.
///
/// # Errors
/// Fails with an internal error that names the first request that failed. Even then, the function deletes the draft and
/// signs out, so that a failure leaves no data behind.
pub async fn work(app: &App) -> Result<()> {
    let secret = required(&app.settings.canary_secret, "CANARY_SECRET")?;
    let secret = app.secrets.of(secret).await?.current.clone();
    let credentials: Credentials = serde_json::from_str(secret.expose_secret())
        .map_err(|_| Error::invalid("CANARY_SECRET", "must be JSON with an identifier and a password"))?;
    let client = Client::sign_in(app, credentials).await?;
    let used = use_draft(&client).await;
    let signed_out = client.sign_out().await;
    used.and(signed_out)
}

async fn use_draft(client: &Client<'_>) -> Result<()> {
    const CONTENT: &str = "canary";
    let written: Draft = client.call(Method::POST, "/me/drafts", json!({ "content": CONTENT })).await?;
    let path = format!("/me/drafts/{}", written.id);
    let read = client.call::<Draft>(Method::GET, &path, json!({})).await;
    let deleted = client.call::<IgnoredAny>(Method::DELETE, &path, json!({})).await;
    match read?.content == CONTENT {
        true => deleted.map(drop),
        false => Err(Error::internal(anyhow!("GET {path} returned a different text"))),
    }
}
