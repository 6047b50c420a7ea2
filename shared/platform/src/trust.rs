//! Root certificates for AWS endpoints.
//!
//! A function trusts the five roots of Amazon Trust Services (<https://www.amazontrust.com/repository/>). If an
//! endpoint's certificate has a different issuer, such as a proxy, the function also trusts the system's roots. The
//! root of a proxy must be in the system's store or in the file that `SSL_CERT_FILE` names.
//!
//! Loading the system's roots would double a function's start time.

use std::{
    error::Error as StdError,
    io, iter,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};
use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
    },
    orchestrator::HttpRequest,
};
use reqwest::Certificate;
use rustls::{CertificateError::UnknownIssuer, Error::InvalidCertificate};

const ROOTS: &[u8] = include_bytes!("../data/amazon-trust-services.pem");

/// Whether the system's root certificates are trusted in addition to Amazon's. All clones share this flag.
#[derive(Clone, Debug, Default)]
pub(crate) struct SystemTrust(Arc<AtomicBool>);

impl SystemTrust {
    /// Returns whether an endpoint had a certificate from an issuer other than Amazon.
    pub(crate) fn is_needed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns whether an unknown certificate issuer caused the error. If so, trusts the system's roots from now on.
    pub(crate) fn trust_if_issuer_unknown(&self, error: &(dyn StdError + 'static)) -> bool {
        let unknown = chain(error).any(|cause| {
            matches!(cause.downcast_ref::<rustls::Error>(), Some(InvalidCertificate(UnknownIssuer)))
        });
        self.0.fetch_or(unknown, Ordering::Relaxed);
        unknown
    }
}

pub(crate) fn sdk_client() -> anyhow::Result<SharedHttpClient> {
    let five = TrustStore::empty().with_pem_certificate(ROOTS);
    let (all, five) = (client(five.clone().with_native_roots(true))?, client(five)?);
    let system = SystemTrust::default();
    Ok(http_client_fn(move |settings, components| match system.is_needed() {
        true => all.http_connector(settings, components),
        false => {
            let next = five.http_connector(settings, components);
            SharedHttpConnector::new(AmazonConnector { next, system: system.clone() })
        }
    }))
}

pub(crate) fn roots() -> reqwest::Result<Vec<Certificate>> {
    Certificate::from_pem_bundle(ROOTS)
}

/// Creates a client that loads its roots when it is first used.
fn client(roots: TrustStore) -> anyhow::Result<SharedHttpClient> {
    let tls = TlsContext::builder().with_trust_store(roots).build()?;
    Ok(Builder::new().tls_provider(Provider::Rustls(CryptoMode::AwsLc)).tls_context(tls).build_https())
}

/// Connects with Amazon's roots. If the certificate's issuer is unknown, the SDK's next attempt also trusts the
/// system's roots.
#[derive(Debug)]
struct AmazonConnector {
    next: SharedHttpConnector,
    system: SystemTrust,
}

impl HttpConnector for AmazonConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (response, system) = (self.next.call(request), self.system.clone());
        HttpConnectorFuture::new(async move {
            response.await.inspect_err(|error| {
                system.trust_if_issuer_unknown(error);
            })
        })
    }
}

pub(crate) fn chain<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    iter::successors(Some(error), |error: &&'a (dyn StdError + 'static)| {
        let error: &'a (dyn StdError + 'static) = *error;
        // `source` of an I/O error skips the wrapped error, and returns the cause of that error.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|wrapped| wrapped as &(dyn StdError + 'static)).or_else(|| error.source())
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_five_root_certificates_are_readable() {
        assert_eq!(super::roots().map(|roots| roots.len()).ok(), Some(5));
        assert!(super::sdk_client().is_ok());
    }
}
