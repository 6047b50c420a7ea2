//! The root certificates that a function trusts for AWS: the five of Amazon Trust Services; and those of the system
//! as soon as an endpoint shows a certificate that none of the five issued.
//!
//! The five sign the endpoints of AWS (<https://www.amazontrust.com/repository/>). Reading the 140 roots of a system
//! takes 5 ms, about as long as everything else that a function does before its first event. Who puts a proxy or an
//! endpoint of their own before AWS has its root in the system, or names its file in `SSL_CERT_FILE`.

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

/// Whether the system's roots are trusted besides the five. A clone is the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct SystemTrust(Arc<AtomicBool>);

impl SystemTrust {
    /// Whether an endpoint has shown a certificate that none of the five issued.
    pub(crate) fn is_needed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Begins when the five did not issue the certificate that led to this error; returns whether that is so.
    pub(crate) fn begin_if_unknown(&self, error: &(dyn StdError + 'static)) -> bool {
        let unknown = chain(error)
            .any(|it| matches!(it.downcast_ref::<rustls::Error>(), Some(InvalidCertificate(UnknownIssuer))));
        self.0.fetch_or(unknown, Ordering::Relaxed);
        unknown
    }
}

/// Returns the HTTP client of the AWS SDK.
///
/// # Errors
/// Fails when the roots cannot be read.
pub(crate) fn sdk_client() -> anyhow::Result<SharedHttpClient> {
    let five = TrustStore::empty().with_pem_certificate(ROOTS);
    let (all, five) = (client(five.clone().with_native_roots(true))?, client(five)?);
    let system = SystemTrust::default();
    Ok(http_client_fn(move |settings, components| match system.is_needed() {
        true => all.http_connector(settings, components),
        false => {
            let next = five.http_connector(settings, components);
            SharedHttpConnector::new(OfTheFive { next, system: system.clone() })
        }
    }))
}

/// Returns the five roots for a client of reqwest.
///
/// # Errors
/// Fails when they cannot be read.
pub(crate) fn roots() -> reqwest::Result<Vec<Certificate>> {
    Certificate::from_pem_bundle(ROOTS)
}

/// Makes a client, which reads its roots when it is first used.
fn client(roots: TrustStore) -> anyhow::Result<SharedHttpClient> {
    let tls = TlsContext::builder().with_trust_store(roots).build()?;
    Ok(Builder::new().tls_provider(Provider::Rustls(CryptoMode::AwsLc)).tls_context(tls).build_https())
}

/// Connections that trust the five. The SDK takes no verifier of certificates, but it attempts again what failed
/// to connect, and asks for a connector each time.
#[derive(Debug)]
struct OfTheFive {
    next: SharedHttpConnector,
    system: SystemTrust,
}

impl HttpConnector for OfTheFive {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (answer, system) = (self.next.call(request), self.system.clone());
        HttpConnectorFuture::new(async move {
            answer.await.inspect_err(|error| {
                system.begin_if_unknown(error);
            })
        })
    }
}

/// Returns an error and all that led to it.
pub(crate) fn chain<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    iter::successors(Some(error), |error: &&'a (dyn StdError + 'static)| {
        let error: &'a (dyn StdError + 'static) = *error;
        // An I/O error leaves out of its sources the very error that it wraps.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|it| it as &(dyn StdError + 'static)).or_else(|| error.source())
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_roots_are_five_and_readable() {
        assert_eq!(super::roots().map(|it| it.len()).ok(), Some(5));
        assert!(super::sdk_client().is_ok());
    }
}
