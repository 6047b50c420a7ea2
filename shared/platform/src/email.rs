//! Sends emails through Amazon SES, API version 2.
//!
//! This module sends the only request that the service needs from SES. So functions do not contain the SDK's large SES
//! client.

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, bail};
use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    clock::Clock,
    error::{Error, Result},
    outgoing::Outgoing,
    settings::{Setting, required},
    time::Time,
};

const TIMEOUT: Duration = Duration::from_secs(5);
const ERROR_TYPE: &str = "x-amzn-errortype";

/// An email.
pub struct Email {
    /// The recipient's address.
    pub to: String,
    /// The subject, which contains no user input.
    pub subject: &'static str,
    /// The body as plain text.
    pub text: String,
    /// The body as HTML, with user input escaped.
    pub html: String,
}

/// Result of sending an email.
///
/// Source: <https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html#API_SendEmail_Errors>.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// SES delivers the email.
    Accepted,
    /// SES refuses the address. Retrying has the same result.
    Refused,
    /// A limit per second or day is reached. The email can be sent later.
    Postponed,
}

/// Sends emails.
#[derive(Clone)]
pub struct EmailSender {
    outgoing: Outgoing,
    clock: Clock,
    from: Setting<Option<String>>,
    events: Setting<Option<String>>,
    address: String,
}

impl EmailSender {
    /// Creates a client that sends emails from the address `from`. The configuration set `events` publishes bounces and
    /// complaints.
    pub fn new(
        outgoing: &Outgoing,
        clock: Clock,
        from: Setting<Option<String>>,
        events: Setting<Option<String>>,
    ) -> Self {
        let endpoint = outgoing.endpoint_or_standard("SESv2", "email");
        let address = format!("{endpoint}/v2/email/outbound-emails");
        Self { outgoing: outgoing.clone(), clock, from, events, address }
    }

    /// Sends an email. Takes at most 5 seconds.
    ///
    /// # Errors
    /// Fails if SES returns an error that no variant of [`Sent`] describes, or does not respond in time.
    pub async fn send(&self, email: &Email) -> Result<Sent> {
        let from = required(&self.from, "MAIL_FROM")?;
        let body = send_email(from, self.events.as_deref(), email);
        self.post(body.to_string()).await.map_err(Error::Internal)
    }

    async fn post(&self, body: String) -> Anyhow<Sent> {
        let request = http::Request::post(&self.address).header("content-type", "application/json");
        let now = Time::from((self.clock)());
        let response =
            self.outgoing.sign_and_send("ses", request.body(body)?, now, TIMEOUT).await.context("SES")?;
        let kind = response.headers().get(ERROR_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(':').next().unwrap_or_default();
        match (response.status(), kind) {
            (status, _) if status.is_success() => Ok(Sent::Accepted),
            (_, "BadRequestException") => Ok(Sent::Refused),
            (StatusCode::TOO_MANY_REQUESTS, _) | (_, "LimitExceededException") => Ok(Sent::Postponed),
            // The error omits the body, which may repeat the recipient's address.
            (status, kind) => bail!("SES returned {status} {kind}"),
        }
    }
}

fn send_email(from: &str, events: Option<&str>, email: &Email) -> Value {
    let content = |data: &str| json!({ "Data": data, "Charset": "UTF-8" });
    json!({
        "ConfigurationSetName": events,
        "FromEmailAddress": from,
        "Destination": { "ToAddresses": [email.to] },
        "Content": { "Simple": {
            "Subject": content(email.subject),
            "Body": { "Text": content(&email.text), "Html": content(&email.html) },
        } },
    })
}
