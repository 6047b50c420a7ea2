//! HTTP client for user-supplied URLs.
//!
//! The client connects only to public addresses. It checks addresses after name resolution and after each redirect.

mod addresses;
mod resolver;

use std::{sync::Arc, time::Duration};

use anyhow::anyhow;
use http::{HeaderMap, Method, StatusCode, header::LOCATION};
use reqwest::{Client, Request, Response, Url};
use tokio::{sync::OnceCell, time::timeout};
use url::Host;

use self::{
    addresses::is_public,
    resolver::{NoPublicAddress, PublicResolver},
};
use crate::{
    Error, Result,
    outgoing::client,
    settings::{InnerAddresses, Setting},
    trust,
};

const ADDRESS_MAX_BYTES: usize = 2048;
const REDIRECTS_MAX: usize = 3;

/// A client for user-supplied URLs. It uses no proxy, cookies or credentials.
pub struct Guarded {
    inner: Setting<InnerAddresses>,
    // Created when the first request is sent, because most functions send no such requests.
    client: OnceCell<Client>,
}

/// Limits of a request.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum duration, including redirects.
    pub wait: Duration,
    /// Maximum number of bytes to read from the body. Further bytes are ignored.
    pub body_max_bytes: usize,
    /// Returns whether the rest of the body can be skipped. The arguments are the body so far, and the index at which
    /// its newest chunk starts.
    pub is_enough: Option<fn(&[u8], usize) -> bool>,
}

/// A response.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The URL after all redirects.
    pub url: Url,
    /// The HTTP status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, cut off at [`Limits::body_max_bytes`].
    pub body: Vec<u8>,
}

/// Why a request got no response.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The URL or one of its redirects is not allowed. A retry cannot succeed.
    #[error("the URL {0}")]
    Refused(&'static str),
    /// No complete response arrived in time. A retry may succeed.
    #[error("no response")]
    Unanswered(#[source] anyhow::Error),
    /// The circuit breaker stopped the request. A later request may succeed.
    #[error("the host did not answer earlier requests")]
    Paused {
        /// Seconds until the host gets requests again.
        seconds: i64,
    },
}

impl Guarded {
    pub(crate) fn new(inner: Setting<InnerAddresses>) -> Self {
        Self { inner, client: OnceCell::new() }
    }

    /// Parses and checks a user-supplied URL. Does not resolve the host name.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if the URL is not allowed. The error names `field`.
    pub fn parse(&self, field: &str, address: &str) -> Result<Url> {
        let parsed = if address.len() > ADDRESS_MAX_BYTES { None } else { Url::parse(address).ok() };
        let url = parsed.ok_or_else(|| Error::invalid(field, "must be a URL of at most 2048 bytes"))?;
        self.check(&url).map_err(|why| Error::invalid(field, why))?;
        Ok(url)
    }

    /// Returns the URL to fetch for a user-supplied link without its fragment, or `None` if the URL is not allowed. Tries
    /// https if http is not allowed.
    pub fn link(&self, link: &str) -> Option<Url> {
        let mut url = Url::parse(link).ok()?;
        url.set_fragment(None);
        if self.check(&url).is_err() {
            url.set_scheme("https").ok()?;
        }
        (url.as_str().len() <= ADDRESS_MAX_BYTES && self.check(&url).is_ok()).then_some(url)
    }

    /// Sends a GET request, and follows at most 3 redirects.
    ///
    /// # Errors
    /// Fails with [`Failure::Refused`] if the URL or a redirect leads to an address that is not public.
    pub async fn get(&self, url: Url, headers: HeaderMap, limits: Limits) -> Result<Answer, Failure> {
        in_time(limits.wait, self.follow(url, headers, limits)).await
    }

    /// Sends a POST request. Does not follow redirects.
    ///
    /// # Errors
    /// Fails with [`Failure::Refused`] if the URL leads to an address that is not public.
    pub async fn post(
        &self,
        url: Url,
        headers: HeaderMap,
        body: Vec<u8>,
        limits: Limits,
    ) -> Result<Answer, Failure> {
        let post = async {
            let mut request = Request::new(Method::POST, url);
            *request.headers_mut() = headers;
            *request.body_mut() = Some(body.into());
            read(self.execute(request).await?, limits).await
        };
        in_time(limits.wait, post).await
    }

    async fn follow(&self, mut url: Url, headers: HeaderMap, limits: Limits) -> Result<Answer, Failure> {
        for _ in 0..=REDIRECTS_MAX {
            let mut request = Request::new(Method::GET, url);
            *request.headers_mut() = headers.clone();
            let response = self.execute(request).await?;
            match redirect(&response)? {
                Some(next) => url = next,
                None => return read(response, limits).await,
            }
        }
        Err(Failure::Refused("has too many redirects"))
    }

    async fn execute(&self, request: Request) -> Result<Response, Failure> {
        self.check(request.url()).map_err(Failure::Refused)?;
        let client = self.client.get_or_try_init(async || self.build()).await;
        let sent = client.map_err(unanswered)?.execute(request).await;
        sent.map_err(|error| {
            let is_private = trust::chain(&error).any(|cause| cause.is::<NoPublicAddress>());
            if is_private { Failure::Refused("has no public address") } else { unanswered(error) }
        })
    }

    fn build(&self) -> reqwest::Result<Client> {
        let client = client().referer(false).tls_certs_merge(trust::roots()?);
        match *self.inner {
            InnerAddresses::Refused => client.https_only(true).dns_resolver(Arc::new(PublicResolver)).build(),
            InnerAddresses::Allowed => client.build(),
        }
    }

    /// Fails with the reason if the URL is not allowed. Does not resolve the host name.
    fn check(&self, url: &Url) -> Result<(), &'static str> {
        let is_public = match url.host() {
            Some(Host::Ipv4(address)) => is_public(address.into()),
            Some(Host::Ipv6(address)) => is_public(address.into()),
            Some(Host::Domain(_)) => true,
            None => return Err("must have a host"),
        };
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        match (*self.inner, url.scheme()) {
            _ if has_credentials => Err("must not contain a user name or password"),
            (InnerAddresses::Allowed, "http" | "https") => Ok(()),
            (_, scheme) if scheme != "https" => Err("must begin with https://"),
            _ if url.port().is_some() => Err("must use the default port"),
            _ if !is_public => Err("must have a public address"),
            _ => Ok(()),
        }
    }
}

/// Returns the target of a redirect, or `None` if the response is not a redirect.
fn redirect(response: &Response) -> Result<Option<Url>, Failure> {
    let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection());
    let Some(location) = location else { return Ok(None) };
    // Many servers send UTF-8 in this header, so `to_str`, which accepts only ASCII, is too strict.
    let location = std::str::from_utf8(location.as_bytes()).ok();
    let next = location.and_then(|location| response.url().join(location).ok());
    next.map(Some).ok_or(Failure::Refused("redirects to an invalid URL"))
}

async fn read(mut response: Response, limits: Limits) -> Result<Answer, Failure> {
    let mut body = Vec::new();
    while body.len() < limits.body_max_bytes
        && let Some(chunk) = response.chunk().await.map_err(unanswered)?
    {
        let new = body.len();
        body.extend_from_slice(&chunk);
        if limits.is_enough.is_some_and(|is_enough| is_enough(&body, new)) {
            break;
        }
    }
    body.truncate(limits.body_max_bytes);
    let (url, status) = (response.url().clone(), response.status());
    Ok(Answer { url, status, headers: std::mem::take(response.headers_mut()), body })
}

async fn in_time<T>(wait: Duration, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    timeout(wait, work).await.unwrap_or_else(|_| Err(Failure::Unanswered(anyhow!("timed out"))))
}

/// Converts the error, and removes the URL, which may contain a secret.
fn unanswered(error: reqwest::Error) -> Failure {
    Failure::Unanswered(error.without_url().into())
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::internal(failure)
    }
}

#[cfg(test)]
mod tests;
