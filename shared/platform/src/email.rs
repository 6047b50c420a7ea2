//! Sends e-mails through Amazon SES, version 2 of its API.
//!
//! The SDK's client for SES takes longer to compile than the rest of a function together, and the product needs
//! one call of it: this module signs that call with the SDK's own signer.

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

/// An e-mail.
pub struct Email {
    /// The recipient's address.
    pub to: String,
    /// The subject line; it holds nothing that a person wrote.
    pub subject: &'static str,
    /// The body as plain text.
    pub text: String,
    /// The body as HTML, with everything escaped that a person wrote.
    pub html: String,
}

/// The sender of e-mails.
#[derive(Clone)]
pub struct EmailSender {
    outgoing: Outgoing,
    clock: Clock,
    from: Setting<Option<String>>,
    address: String,
}

impl EmailSender {
    /// Makes the sender that writes from the address `from`.
    pub fn new(outgoing: &Outgoing, clock: Clock, from: Setting<Option<String>>) -> Self {
        let standard = || outgoing.standard_endpoint("email");
        let endpoint = outgoing.endpoint("SESv2").unwrap_or_else(standard);
        let address = format!("{endpoint}/v2/email/outbound-emails");
        Self { outgoing: outgoing.clone(), clock, from, address }
    }

    /// Sends an e-mail. Takes at most 5 seconds.
    ///
    /// # Errors
    /// Fails when SES did not accept it.
    pub async fn send(&self, letter: &Email) -> Result<()> {
        let from = required(&self.from, "MAIL_FROM")?;
        self.post(send_email(from, letter).to_string()).await.map_err(Error::Internal)
    }

    async fn post(&self, body: String) -> Anyhow<()> {
        let request = http::Request::post(&self.address).header("content-type", "application/json");
        let now = Time::from((self.clock)());
        let answer = self.outgoing.ask("ses", request.body(body)?, now, TIMEOUT).await.context("SES")?;
        // The body of a refusal may repeat the recipient's address: the error holds only its status.
        ensure!(answer.status().is_success(), "SES answered {}", answer.status());
        Ok(())
    }
}

/// Returns the body of `SendEmail`.
fn send_email(from: &str, letter: &Email) -> Value {
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
