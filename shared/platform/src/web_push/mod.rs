//! Web Push: what a browser's push service takes (RFC 8030), encrypted for the browser alone (RFC 8291), and signed by us
//! (RFC 8292).

mod encryption;
mod vapid;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use encryption::encrypt;
pub use vapid::VapidKey;

/// The length of an uncompressed point of P-256.
const POINT_BYTES: usize = 65;
const AUTH_BYTES: usize = 16;

/// The keys of a browser's subscription. Whoever has them, and its address, can send it messages.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
pub struct SubscriptionKeys {
    /// The browser's public key of P-256: 65 bytes as base64url.
    #[schema(value_type = String, example = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")]
    p256dh: Base64Url<POINT_BYTES>,
    /// The secret of the subscription: 16 bytes as base64url.
    #[schema(value_type = String, example = "BTBZMqHH6r4Tts7J_aSIgg")]
    auth: Base64Url<AUTH_BYTES>,
}

/// So many bytes, as base64url without padding.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
struct Base64Url<const N: usize>([u8; N]);

impl<const N: usize> TryFrom<String> for Base64Url<N> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let bytes = bytes.and_then(|it| it.try_into().ok());
        bytes.map(Self).ok_or_else(|| format!("must be {N} bytes as base64url"))
    }
}

impl<const N: usize> From<Base64Url<N>> for String {
    fn from(Base64Url(bytes): Base64Url<N>) -> Self {
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }
}
