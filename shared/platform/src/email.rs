//! Amazon SES, version 2 of its API: one signed request a mail.
//!
//! The SDK's client for it takes longer to build than the rest of a function together, for the
//! one call that is needed; this one signs that call with the SDK's own signer.

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, ensure};
use serde_json::{Value, json};

use crate::{
    clock::Clock,
    error::{Error, Result},
    outgoing::Outside,
    settings::{Setting, required},
    time::Time,
};

const TIMEOUT: Duration = Duration::from_secs(5);

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
    outside: Outside,
    clock: Clock,
    from: Setting<Option<String>>,
    address: String,
}

impl PostOffice {
    /// Speaks to SES at the endpoint and with the credentials of the configuration; `from` sends.
    pub fn new(outside: &Outside, clock: Clock, from: Setting<Option<String>>) -> Self {
        let standard = || format!("https://email.{}.amazonaws.com", outside.region());
        let endpoint = outside.endpoint("SESv2").unwrap_or_else(standard);
        let address = format!("{endpoint}/v2/email/outbound-emails");
        Self { outside: outside.clone(), clock, from, address }
    }

    /// Sends a mail. 1 call to SES, 5 seconds at most.
    ///
    /// # Errors
    /// Internal, when SES did not take it.
    pub async fn send(&self, letter: &Letter) -> Result<()> {
        let from = required(&self.from, "MAIL_FROM")?;
        self.post(send_email(from, letter).to_string()).await.map_err(Error::Internal)
    }

    async fn post(&self, body: String) -> Anyhow<()> {
        let request = http::Request::post(&self.address).header("content-type", "application/json");
        let now = Time::from((self.clock)());
        let answer = self.outside.ask("ses", request.body(body)?, now, TIMEOUT).await.context("SES")?;
        // The body of a refusal may repeat the receiver's address: only its status is told.
        ensure!(answer.status().is_success(), "SES answered {}", answer.status());
        Ok(())
    }
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
