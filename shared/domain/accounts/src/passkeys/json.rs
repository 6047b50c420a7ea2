//! Parts of the JSON that browsers send.

use std::collections::BTreeMap;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use platform::Result;
use serde::de::IgnoredAny;

use super::refused;

/// Fields that browsers send and the service does not need.
pub(super) type Ignored = BTreeMap<String, IgnoredAny>;

/// Decodes base64url.
pub(super) fn decode(text: &str) -> Result<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).map_err(|_| refused("is not base64url"))
}
