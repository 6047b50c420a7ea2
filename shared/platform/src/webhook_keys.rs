//! Signs webhook deliveries as defined by Standard Webhooks.

use base64::{Engine, prelude::BASE64_STANDARD};
use secrecy::{ExposeSecret, SecretString};

use crate::{
    App, Result,
    mac::{derive, hmac},
    settings::required,
};

const PREFIX: &str = "whsec_";

/// The keys of one webhook, derived from `OUTBOUND_SECRET` and the webhook's ID.
///
/// Each message is signed with the keys from the current and the previous secret. So a receiver that has the previous
/// key can verify messages until the next rotation.
pub struct WebhookKeys {
    current: [u8; 32],
    previous: Option<[u8; 32]>,
}

impl WebhookKeys {
    /// Returns the keys of a webhook.
    pub async fn of(app: &App, webhook: &str) -> Result<Self> {
        let secret = required(&app.settings.outbound_secret, "OUTBOUND_SECRET")?;
        let versions = app.secrets.of(secret).await?;
        let key =
            |secret: &SecretString| derive(secret.expose_secret().as_bytes(), &format!("webhook-{webhook}"));
        Ok(Self { current: key(&versions.current), previous: versions.previous.as_ref().map(key) })
    }

    /// Returns the secret for the webhook's owner: `whsec_` and 32 bytes in base64.
    pub fn secret(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(self.current))
    }

    /// Returns the value of the header `webhook-signature` for the message `id`. `seconds` is the Unix time of the
    /// delivery.
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

    /// Uses the example from the specification.
    #[test]
    fn a_signature_matches_standard_webhooks() {
        let key = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let message = br#"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#;
        let signature = BASE64_STANDARD.encode(hmac(&key, &[message]));
        assert_eq!(signature, "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_message_is_signed_with_both_versions_of_the_secret() {
        let (current, previous) = ([1; 32], [2; 32]);
        let one = |key| WebhookKeys { current: key, previous: None };
        let [new, old] = [one(current), one(previous)].map(|keys| keys.signatures("id", 7, "{}"));
        let both = WebhookKeys { current, previous: Some(previous) };
        assert_eq!(both.signatures("id", 7, "{}"), format!("{new} {old}"));
        assert_eq!(both.secret(), one(current).secret());
    }
}
