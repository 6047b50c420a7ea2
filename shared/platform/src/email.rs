//! Sends emails through Amazon SES, API version 2.
//!
//! This module sends the only request that the service needs from SES. So functions do not compile the SDK's large SES
//! client.

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, ensure};
use serde_json::{Value, json};

use crate::{
    clock::Clock,
    error::{Error, Result},
    outgoing::Outgoing,
    settings::{Setting, required},
    time::Time,
};

const TIMEOUT: Duration = Duration::from_secs(5);

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

/// Sends emails.
#[derive(Clone)]
pub struct EmailSender {
    outgoing: Outgoing,
    clock: Clock,
    from: Setting<Option<String>>,
    address: String,
}

impl EmailSender {
    /// Creates a client that sends emails from the address `from`.
    pub fn new(outgoing: &Outgoing, clock: Clock, from: Setting<Option<String>>) -> Self {
        let standard = || outgoing.standard_endpoint("email");
        let endpoint = outgoing.endpoint("SESv2").unwrap_or_else(standard);
        let address = format!("{endpoint}/v2/email/outbound-emails");
        Self { outgoing: outgoing.clone(), clock, from, address }
    }

    /// Sends an email. Takes at most 5 seconds.
    ///
    /// # Errors
    /// Fails if SES refuses the email or does not respond in time.
    pub async fn send(&self, email: &Email) -> Result<()> {
        let from = required(&self.from, "MAIL_FROM")?;
        self.post(send_email(from, email).to_string()).await.map_err(Error::Internal)
    }

    async fn post(&self, body: String) -> Anyhow<()> {
        let request = http::Request::post(&self.address).header("content-type", "application/json");
        let now = Time::from((self.clock)());
        let response =
            self.outgoing.sign_and_send("ses", request.body(body)?, now, TIMEOUT).await.context("SES")?;
        // The error omits the body, which may repeat the recipient's address.
        ensure!(response.status().is_success(), "SES returned {}", response.status());
        Ok(())
    }
}

/// Returns the request body of `SendEmail`.
fn send_email(from: &str, email: &Email) -> Value {
    let content = |data: &str| json!({ "Data": data, "Charset": "UTF-8" });
    json!({
        "FromEmailAddress": from,
        "Destination": { "ToAddresses": [email.to] },
        "Content": { "Simple": {
            "Subject": content(email.subject),
            "Body": { "Text": content(&email.text), "Html": content(&email.html) },
        } },
    })
}
