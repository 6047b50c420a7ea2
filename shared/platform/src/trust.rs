//! The root certificates that a function trusts for AWS: the five of Amazon Trust Services, and no others.
//!
//! These sign the endpoints of AWS (<https://www.amazontrust.com/repository/>). Reading the 140 roots of a system
//! takes 5 ms, about as long as everything else that a function does before its first event.

use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use reqwest::Certificate;

const ROOTS: &[u8] = include_bytes!("../data/amazon-trust-services.pem");

/// Returns the HTTP client of the AWS SDK.
///
/// # Errors
/// Fails when the roots cannot be read.
pub(crate) fn sdk_client() -> anyhow::Result<SharedHttpClient> {
    let roots = TrustStore::empty().with_pem_certificate(ROOTS);
    let tls = TlsContext::builder().with_trust_store(roots).build()?;
    Ok(Builder::new().tls_provider(Provider::Rustls(CryptoMode::AwsLc)).tls_context(tls).build_https())
}

/// Returns the same roots for a client of reqwest.
///
/// # Errors
/// Fails when they cannot be read.
pub(crate) fn roots() -> reqwest::Result<Vec<Certificate>> {
    Certificate::from_pem_bundle(ROOTS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_roots_are_five_and_readable() {
        assert_eq!(super::roots().map(|it| it.len()).ok(), Some(5));
        assert!(super::sdk_client().is_ok());
    }
}
