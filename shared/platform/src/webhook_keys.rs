//! The keys of webhooks, which sign what is sent to them: as the specification Standard Webhooks says.

use base64::{Engine, prelude::BASE64_STANDARD};
use secrecy::{ExposeSecret, SecretString};

use crate::{
    App, Result,
    mac::{derive, hmac},
    settings::required,
};

/// What the text of a secret begins with.
const PREFIX: &str = "whsec_";

/// The keys of one webhook, derived from `INTERNAL_SECRET` and the webhook's id. Both versions of the secret sign: whoever
/// was shown the key of before a rotation can verify until the next.
pub struct WebhookKeys {
    current: [u8; 32],
    previous: Option<[u8; 32]>,
}

impl WebhookKeys {
    /// Returns the keys of a webhook.
    ///
    /// # Errors
    /// Internal, when the function has no secret.
    pub async fn of(app: &App, webhook: &str) -> Result<Self> {
        let secret = required(&app.settings.internal_secret, "INTERNAL_SECRET")?;
        let versions = app.secrets.of(secret).await?;
        let key = |it: &SecretString| derive(it.expose_secret().as_bytes(), &format!("webhook-{webhook}"));
        Ok(Self { current: key(&versions.current), previous: versions.previous.as_ref().map(key) })
    }

    /// Returns the secret as the webhook's owner is shown it: `whsec_` and 32 bytes as base64.
    pub fn secret(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(self.current))
    }

    /// Returns the header `webhook-signature` of a message: of its id, the time at which it is sent, and its body.
    pub fn signatures(&self, id: &str, seconds: i64, body: &str) -> String {
        let message = format!("{id}.{seconds}.{body}");
        let sign =
            |key: &[u8; 32]| format!("v1,{}", BASE64_STANDARD.encode(hmac(key, &[message.as_bytes()])));
        [&self.current].into_iter().chain(&self.previous).map(sign).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification's own example.
    #[test]
    fn a_message_is_signed_as_standard_webhooks_says() {
        let key = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let message = br#"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#;
        let signature = BASE64_STANDARD.encode(hmac(&key, &[message]));
        assert_eq!(signature, "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn both_versions_of_the_secret_sign_and_the_current_one_is_shown() {
        let (current, previous) = ([1; 32], [2; 32]);
        let one = |key| WebhookKeys { current: key, previous: None };
        let [new, old] = [one(current), one(previous)].map(|it| it.signatures("id", 7, "{}"));
        let both = WebhookKeys { current, previous: Some(previous) };
        assert_eq!(both.signatures("id", 7, "{}"), format!("{new} {old}"));
        assert_eq!(both.secret(), one(current).secret());
    }
}
