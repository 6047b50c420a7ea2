//! Web Push (RFC 8030): encrypts messages for a browser (RFC 8291) and signs requests to push services (RFC 8292).

mod encryption;
mod vapid;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use encryption::encrypt;
pub use vapid::VapidKey;

const POINT_BYTES: usize = 65;
const AUTH_BYTES: usize = 16;

/// The keys of a browser's subscription. With these keys and the subscription's URL, messages can be sent to the
/// browser.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
pub struct SubscriptionKeys {
    /// Public P-256 key of the browser: 65 bytes as base64url.
    #[schema(value_type = String, example = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")]
    p256dh: Base64Url<POINT_BYTES>,
    /// Secret of the subscription: 16 bytes as base64url.
    #[schema(value_type = String, example = "BTBZMqHH6r4Tts7J_aSIgg")]
    auth: Base64Url<AUTH_BYTES>,
}

/// `N` bytes as base64url without padding.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
struct Base64Url<const N: usize>([u8; N]);

impl<const N: usize> TryFrom<String> for Base64Url<N> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or_else(|| format!("must be {N} bytes as base64url"))
    }
}

impl<const N: usize> From<Base64Url<N>> for String {
    fn from(Base64Url(bytes): Base64Url<N>) -> Self {
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }
}
