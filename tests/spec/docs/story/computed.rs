//! Values that devices and other services in the story compute. The same answers always give the same values.

use local::{Options, Stack};
use serde_json::Value;
use tests::PasskeyDevice;
use totp_rs::{Builder, Secret};

use crate::uploads::sign;

/// A page from which the story's stack accepts passkeys on any port.
const APP: &str = "https://app.localhost";
/// The key of the passkey. It protects nothing.
const SEED: [u8; 32] = [7; 32];

/// Returns the phone that creates a passkey.
pub(super) fn phone() -> PasskeyDevice {
    PasskeyDevice::with_seed(SEED, APP)
}

/// Returns the code that an authenticator app shows for this enrollment.
pub(super) fn code(stack: &Stack, enrollment: &Value) -> String {
    let secret = Secret::try_from_base32(enrollment["secret"].as_str().expect("a secret")).expect("Base32");
    let seconds = u64::try_from(stack.clock().now().as_second()).expect("a time after 1970");
    Builder::new().with_secret(secret).build().expect("a seed").generate(seconds).to_string()
}

/// Returns the value of a signature header for this body. All secrets of the story are the same.
pub(super) fn signature(stack: &Stack, body: &str) -> String {
    let now = stack.clock().now().as_second();
    let secret = Options::story().variables["HLS_SECRET"].clone();
    format!("t={now},v1={}", sign(&secret, now, body))
}
