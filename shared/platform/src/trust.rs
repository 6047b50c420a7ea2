//! Whom a function believes to be AWS: the roots of Amazon Trust Services, and no others.
//!
//! AWS's endpoints are signed by these five (<https://www.amazontrust.com/repository/>). Reading the 140 roots
//! of a system takes 5 ms, about as long as all else that a function does before its first event.

use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use reqwest::Certificate;

const ROOTS: &[u8] = include_bytes!("../data/amazon-trust-services.pem");

/// The client under the AWS SDK.
///
/// # Errors
/// The roots cannot be read.
pub(crate) fn sdk_client() -> anyhow::Result<SharedHttpClient> {
    let roots = TrustStore::empty().with_pem_certificate(ROOTS);
    let tls = TlsContext::builder().with_trust_store(roots).build()?;
    Ok(Builder::new().tls_provider(Provider::Rustls(CryptoMode::AwsLc)).tls_context(tls).build_https())
}

/// The same roots for a client of one's own.
///
/// # Errors
/// They cannot be read.
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
