//! Passkeys (WebAuthn Level 3, <https://www.w3.org/TR/webauthn-3/>). A passkey signs its user in without a password, and
//! serves as a second factor.

mod authenticator_data;
mod challenge;
mod client_data;
mod json;
mod key;
mod options;
mod register;
mod row;
mod sign_in;
#[cfg(test)]
mod tests;

pub use options::{CreationOptions, RequestOptions, creation_options, request_options};
pub use register::{NewPasskey, PasskeyOptionsRequest, PasskeyRegistration, register};
pub(crate) use row::remove_all;
pub use row::{Passkey, PasskeyName, end, list};
pub(crate) use sign_in::used_writes;
pub use sign_in::{Assertion, PasskeySignIn, sign_in};

use anyhow::anyhow;
use platform::{
    App, Error, Result,
    settings::{passkey_site, required},
};

/// The site that passkeys belong to: the host of `APP_URL`, and the origins from which they can be used.
struct RelyingParty {
    id: String,
    origins: Vec<String>,
}

impl RelyingParty {
    fn of(app: &App) -> Result<Self> {
        let url = passkey_site(required(&app.settings.app_url, "APP_URL")?);
        let url = url.ok_or_else(|| Error::internal(anyhow!("APP_URL is not a URL")))?;
        let id = url.host_str().unwrap_or_default().to_owned();
        let more = app.settings.passkey_origins.all().iter().cloned();
        let origins = [url.origin().ascii_serialization()].into_iter().chain(more);
        Ok(Self { id, origins: origins.collect() })
    }
}

/// Returns the error for a malformed or unexpected response of an authenticator.
fn refused(why: &'static str) -> Error {
    Error::invalid("credential", why)
}
