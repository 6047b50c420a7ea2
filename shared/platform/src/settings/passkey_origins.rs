//! The setting `PASSKEY_ORIGINS`.

use std::str::FromStr;

use url::Url;

/// Origins from which passkeys can be used, besides the origin of `APP_URL`. Sites have `https://` origins, and Android
/// apps have `android:apk-key-hash:` origins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PasskeyOrigins(Vec<String>);

impl PasskeyOrigins {
    /// Returns the origins.
    pub fn all(&self) -> &[String] {
        &self.0
    }
}

impl FromStr for PasskeyOrigins {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let origins: Vec<_> = text.split(',').map(|origin| origin.trim().to_owned()).collect();
        let are_valid = origins.iter().all(|origin| is_origin(origin));
        are_valid
            .then_some(Self(origins))
            .ok_or("must be https or android:apk-key-hash origins, separated by commas")
    }
}

fn is_origin(text: &str) -> bool {
    let is_site = |url: Url| url.scheme() == "https" && url.origin().ascii_serialization() == text;
    match text.strip_prefix("android:apk-key-hash:") {
        Some(hash) => !hash.is_empty(),
        None => Url::parse(text).is_ok_and(is_site),
    }
}
