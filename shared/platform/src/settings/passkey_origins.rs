//! The setting `PASSKEY_ORIGINS`.

use std::str::FromStr;

use anyhow::ensure;
use url::Url;

const ANDROID: &str = "android:apk-key-hash:";
/// Length of a SHA-256 hash in base64url.
const HASH_CHARS: usize = 43;

/// Origins from which passkeys can be used, besides the origin of `APP_URL`. Sites have `https://` origins, and Android
/// apps have `android:apk-key-hash:` origins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PasskeyOrigins(Vec<String>);

impl PasskeyOrigins {
    /// Returns the origins.
    pub fn all(&self) -> &[String] {
        &self.0
    }

    /// Checks that the passkeys of the app at `app_url` can be used from all origins.
    ///
    /// # Errors
    /// Fails if a site is neither on the app's host nor on a subdomain of it, because browsers then refuse its passkeys.
    pub(super) fn check(&self, app_url: &str) -> anyhow::Result<()> {
        let Some(app) = passkey_site(app_url) else { return Ok(()) };
        let host = app.host_str().unwrap_or_default();
        let is_below =
            |of: &str| of.strip_suffix(host).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        let mut sites = self.0.iter().filter_map(|origin| Url::parse(origin).ok()).filter(Url::has_host);
        let all_below = sites.all(|site| site.host_str().is_some_and(is_below));
        ensure!(all_below, "PASSKEY_ORIGINS must be on the host of APP_URL or on a subdomain of it");
        Ok(())
    }
}

/// Returns the URL of the site to which the passkeys of the app at `app_url` belong, or `None` if `app_url` is not a URL.
/// Browsers accept no IP addresses, so `localhost` replaces `127.0.0.1`.
pub fn passkey_site(app_url: &str) -> Option<Url> {
    Url::parse(&app_url.replacen("//127.0.0.1", "//localhost", 1)).ok()
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

fn is_base64url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn is_origin(text: &str) -> bool {
    let is_site = |url: Url| url.scheme() == "https" && url.origin().ascii_serialization() == text;
    match text.strip_prefix(ANDROID) {
        Some(hash) => hash.len() == HASH_CHARS && hash.bytes().all(is_base64url),
        None => Url::parse(text).is_ok_and(is_site),
    }
}
