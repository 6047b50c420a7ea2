//! HTTP to addresses that people gave. It leads to the public internet only, whatever the address says, its name resolves
//! to, or its answer redirects to; and takes a bounded time and a bounded answer.

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
    error::{Error, Result},
    outgoing::client,
    settings::{InnerAddresses, Setting},
    trust,
};

const ADDRESS_MAX_BYTES: usize = 2048;
const REDIRECTS_MAX: usize = 3;

/// The client of addresses that people gave. It knows no proxy, no cookie and no credentials.
pub struct Guarded {
    inner: Setting<InnerAddresses>,
    // Made for its first request: most functions never send one.
    client: OnceCell<Client>,
}

/// How much of an answer is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest time for all of it, redirects included.
    pub wait: Duration,
    /// The bytes of the body that are read; the rest is left.
    pub body_max_bytes: usize,
}

/// The answer of an address.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Where it came from: the last address of the redirects.
    pub url: Url,
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, as far as it was read.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The address must not be asked, now or later.
    #[error("the address {0}")]
    Refused(&'static str),
    /// Nothing answered in time; it may do later.
    #[error("nothing answered")]
    Unanswered(#[source] anyhow::Error),
}

impl Guarded {
    pub(crate) fn new(inner: Setting<InnerAddresses>) -> Self {
        Self { inner, client: OnceCell::new() }
    }

    /// Reads an address that somebody gave, as far as it can be checked without its name. Asks nothing.
    ///
    /// # Errors
    /// [`Error::Invalid`] names `field` where the address must not be asked.
    pub fn parse(&self, field: &str, address: &str) -> Result<Url> {
        let parsed = if address.len() > ADDRESS_MAX_BYTES { None } else { Url::parse(address).ok() };
        let url = parsed.ok_or_else(|| Error::invalid(field, "must be a URL of at most 2048 bytes"))?;
        self.check(&url).map_err(|why| Error::invalid(field, why))?;
        Ok(url)
    }

    /// Asks an address with GET, and follows at most 3 redirects.
    ///
    /// # Errors
    /// [`Failure::Refused`] for an address that leads, or redirects, anywhere but to the public internet.
    pub async fn get(&self, url: Url, headers: HeaderMap, limits: Limits) -> Result<Answer, Failure> {
        in_time(limits.wait, self.follow(url, headers, limits.body_max_bytes)).await
    }

    /// Sends an address something with POST. Follows no redirect.
    ///
    /// # Errors
    /// [`Failure::Refused`] for an address that leads anywhere but to the public internet.
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
            read(self.execute(request).await?, limits.body_max_bytes).await
        };
        in_time(limits.wait, post).await
    }

    async fn follow(
        &self,
        mut url: Url,
        headers: HeaderMap,
        body_max_bytes: usize,
    ) -> Result<Answer, Failure> {
        for _ in 0..=REDIRECTS_MAX {
            let mut request = Request::new(Method::GET, url);
            *request.headers_mut() = headers.clone();
            let response = self.execute(request).await?;
            match redirect(&response)? {
                Some(next) => url = next,
                None => return read(response, body_max_bytes).await,
            }
        }
        Err(Failure::Refused("redirects too often"))
    }

    async fn execute(&self, request: Request) -> Result<Response, Failure> {
        self.check(request.url()).map_err(Failure::Refused)?;
        let client = self.client.get_or_try_init(async || self.build()).await;
        let sent = client.map_err(unanswered)?.execute(request).await;
        sent.map_err(|error| {
            let is_inside = trust::chain(&error).any(|it| it.is::<NoPublicAddress>());
            if is_inside { Failure::Refused("has no public address") } else { unanswered(error) }
        })
    }

    fn build(&self) -> reqwest::Result<Client> {
        let client = client().referer(false).tls_certs_merge(trust::roots()?);
        match *self.inner {
            InnerAddresses::Refused => client.https_only(true).dns_resolver(Arc::new(PublicResolver)).build(),
            InnerAddresses::Allowed => client.build(),
        }
    }

    /// Says why an address must not be asked. What its name resolves to is checked when it is asked.
    fn check(&self, url: &Url) -> Result<(), &'static str> {
        let is_public = match url.host() {
            Some(Host::Ipv4(it)) => is_public(it.into()),
            Some(Host::Ipv6(it)) => is_public(it.into()),
            Some(Host::Domain(_)) => true,
            None => return Err("must have a host"),
        };
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        match (*self.inner, url.scheme()) {
            _ if has_credentials => Err("must have no name and no password"),
            (InnerAddresses::Allowed, "http" | "https") => Ok(()),
            (_, scheme) if scheme != "https" => Err("must begin with https://"),
            _ if url.port().is_some() => Err("must have the port of its scheme"),
            _ if !is_public => Err("must be an address of the public internet"),
            _ => Ok(()),
        }
    }
}

/// Returns where a response redirects to; none when it does not.
fn redirect(response: &Response) -> Result<Option<Url>, Failure> {
    let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection());
    let Some(location) = location else { return Ok(None) };
    let next = location.to_str().ok().and_then(|it| response.url().join(it).ok());
    next.map(Some).ok_or(Failure::Refused("redirects to no address"))
}

async fn read(mut response: Response, body_max_bytes: usize) -> Result<Answer, Failure> {
    let mut body = Vec::new();
    while body.len() < body_max_bytes
        && let Some(chunk) = response.chunk().await.map_err(unanswered)?
    {
        body.extend_from_slice(&chunk);
    }
    body.truncate(body_max_bytes);
    let (url, status) = (response.url().clone(), response.status());
    Ok(Answer { url, status, headers: std::mem::take(response.headers_mut()), body })
}

async fn in_time<T>(wait: Duration, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    timeout(wait, work).await.unwrap_or_else(|_| Err(Failure::Unanswered(anyhow!("the time is over"))))
}

/// An address may hold a secret, so the error is without it.
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
