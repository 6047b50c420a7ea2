//! Sends emails through Amazon SES, API version 2.
//!
//! This module sends the only request that the service needs from SES. So functions do not contain the SDK's large SES
//! client.

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, bail};
use http::StatusCode;
use reqwest::Response;
use serde_json::{Value, json};

use crate::{
    Error, Result, Time,
    clock::Clock,
    outgoing::Outgoing,
    settings::{Setting, required},
};

const TIMEOUT: Duration = Duration::from_secs(5);
const ERROR_TYPE: &str = "x-amzn-errortype";

/// An email about the recipient's own account. Such an email is transactional, so it has no header `List-Unsubscribe`.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// SES delivers the email.
    Accepted,
    /// SES refuses the address with this error type. Retrying has the same result.
    Refused(String),
    /// A limit per second or day is reached, with this error type. The email can be sent later.
    Postponed(String),
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
        self.post(email, from).await.map_err(Error::Internal)
    }

    async fn post(&self, email: &Email, from: &str) -> Anyhow<Sent> {
        let body = send_email(from, self.events.as_deref(), email).to_string();
        let request = http::Request::post(&self.address).header("content-type", "application/json");
        let now = Time::from((self.clock)());
        let response =
            self.outgoing.sign_and_send("ses", request.body(body)?, now, TIMEOUT).await.context("SES")?;
        let (status, kind) = (response.status(), error_type(&response));
        let is_unverified = kind == "MessageRejected" && names_only(&response.text().await?, &email.to, from);
        match kind.as_str() {
            _ if status.is_success() => Ok(Sent::Accepted),
            _ if is_unverified => Ok(Sent::Refused(kind)),
            "BadRequestException" => Ok(Sent::Refused(kind)),
            "LimitExceededException" => Ok(Sent::Postponed(kind)),
            _ if status == StatusCode::TOO_MANY_REQUESTS => Ok(Sent::Postponed(kind)),
            // The error omits the body, which may repeat the recipient's address.
            _ => bail!("SES returned {status} {kind}"),
        }
    }
}

fn error_type(response: &Response) -> String {
    let kind = response.headers().get(ERROR_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(':').next().unwrap_or_default().to_owned()
}

/// Returns whether an error message names the recipient's address as unverified, and not the sender's address. In the
/// sandbox, SES refuses emails to unverified addresses. If the sender is unverified, the operator must verify it.
///
/// Source: <https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html>.
fn names_only(message: &str, to: &str, from: &str) -> bool {
    let message = message.to_lowercase();
    let names = |address: &str| message.contains(&address.to_lowercase());
    names(to) && !names(from)
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
