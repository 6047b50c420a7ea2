//! Amazon SES, version 2 of its API: one signed request a mail.
//!
//! The SDK's client for it takes longer to build than the rest of a function together, for the
//! one call that is needed; this one signs that call with the SDK's own signer.

use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result as Anyhow, ensure};
use aws_config::SdkConfig;
use aws_credential_types::{Credentials, provider::ProvideCredentials};
use aws_sigv4::{
    http_request::{SignableBody, SignableRequest, SigningSettings, sign},
    sign::v4::SigningParams,
};
use aws_types::service_config::ServiceConfigKey;
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::{
    App,
    error::{Error, Result},
    settings::required,
};

const TIMEOUT: Duration = Duration::from_secs(5);
const REGION_DEFAULT: &str = "us-east-1";

/// A mail, ready to go.
pub struct Letter {
    /// The receiver.
    pub to: String,
    /// The subject line; nothing in it comes from a person.
    pub subject: &'static str,
    /// The plain body.
    pub text: String,
    /// The HTML body; what people wrote is escaped in it.
    pub html: String,
}

/// SES.
#[derive(Clone)]
pub struct PostOffice {
    config: SdkConfig,
    // Made for the first mail: most functions hold a post office and never send.
    http: Arc<OnceCell<reqwest::Client>>,
    region: String,
    address: String,
}

impl PostOffice {
    /// Speaks to SES at the endpoint and with the credentials of the configuration.
    pub fn new(config: &SdkConfig) -> Self {
        let region = config.region().map_or(REGION_DEFAULT, |it| it.as_ref()).to_owned();
        let endpoint = endpoint(config).unwrap_or_else(|| format!("https://email.{region}.amazonaws.com"));
        Self {
            config: config.clone(),
            http: Arc::default(),
            address: format!("{}/v2/email/outbound-emails", endpoint.trim_end_matches('/')),
            region,
        }
    }

    /// Sends a mail. 1 call to SES, 5 seconds at most.
    ///
    /// # Errors
    /// Internal, when SES did not take it.
    pub async fn send(&self, app: &App, letter: &Letter) -> Result<()> {
        let from = required(&app.settings.mail_from, "MAIL_FROM")?;
        let body = send_email(from, letter).to_string();
        let now = UNIX_EPOCH + Duration::from_millis(app.now().millis().max(0).cast_unsigned());
        self.post(body, now).await.map_err(Error::Internal)
    }

    async fn post(&self, body: String, now: SystemTime) -> Anyhow<()> {
        let request = http::Request::post(&self.address).header("content-type", "application/json");
        let mut request = request.body(body)?;
        self.sign(&mut request, now).await?;
        let http = self.http.get_or_try_init(async || client()).await?;
        let answer = http.execute(request.try_into()?).await.context("SES did not answer")?;
        // The body of a refusal may repeat the receiver's address: only its status is told.
        ensure!(answer.status().is_success(), "SES answered {}", answer.status());
        Ok(())
    }

    async fn sign(&self, request: &mut http::Request<String>, now: SystemTime) -> Anyhow<()> {
        let identity = self.credentials().await?.into();
        let params = SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name("ses")
            .time(now)
            .settings(SigningSettings::default())
            .build()?
            .into();
        let headers = [("content-type", "application/json")];
        let body = SignableBody::Bytes(request.body().as_bytes());
        let signable = SignableRequest::new("POST", &self.address, headers.into_iter(), body)?;
        let (instructions, _) = sign(signable, &params)?.into_parts();
        instructions.apply_to_request_http1x(request);
        Ok(())
    }

    async fn credentials(&self) -> Anyhow<Credentials> {
        let provider = self.config.credentials_provider().context("there are no AWS credentials")?;
        Ok(provider.provide_credentials().await?)
    }
}

fn client() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().timeout(TIMEOUT).redirect(Policy::none()).no_proxy().build()
}

/// Where the SDK's own client would look: the service's endpoint, then that of all services.
fn endpoint(config: &SdkConfig) -> Option<String> {
    let key = ServiceConfigKey::builder().service_id("SESv2").env("AWS_ENDPOINT_URL").profile("endpoint_url");
    let of_ses = config.service_config().zip(key.build().ok()).and_then(|(it, key)| it.load_config(key));
    of_ses.or_else(|| config.endpoint_url().map(str::to_owned))
}

/// The body of `SendEmail`.
fn send_email(from: &str, letter: &Letter) -> Value {
    let content = |data: &str| json!({ "Data": data, "Charset": "UTF-8" });
    json!({
        "FromEmailAddress": from,
        "Destination": { "ToAddresses": [letter.to] },
        "Content": { "Simple": {
            "Subject": content(letter.subject),
            "Body": { "Text": content(&letter.text), "Html": content(&letter.html) },
        } },
    })
}
