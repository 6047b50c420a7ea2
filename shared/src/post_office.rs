//! Amazon SES, version 2 of its API: one signed request a mail.
//!
//! The SDK's client for it takes longer to build than the rest of a function together, for the
//! one call that is needed; this one signs that call with the SDK's own signer.

use aws_config::SdkConfig;

/// SES.
#[derive(Clone)]
pub struct PostOffice {}

impl PostOffice {
    /// Speaks to SES at the endpoint and with the credentials of the configuration.
    pub fn new(_config: &SdkConfig) -> Self {
        Self {}
    }
}
