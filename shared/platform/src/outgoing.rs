//! Outgoing HTTP: signed requests to services of AWS that have no client here, and requests to anybody else.

use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result as Anyhow};
use aws_config::SdkConfig;
use aws_credential_types::{Credentials, provider::ProvideCredentials};
use aws_sigv4::{
    http_request::{SignableBody, SignableRequest, SigningSettings, sign},
    sign::v4::SigningParams,
};
use aws_types::service_config::ServiceConfigKey;
use reqwest::{Client, ClientBuilder, Response, redirect::Policy};
use tokio::sync::OnceCell;

use crate::{
    partition,
    time::Time,
    trust::{self, SystemTrust},
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const REGION_DEFAULT: &str = "us-east-1";

/// A client for AWS, with the credentials that sign its requests, and one that trusts the system's roots too: for
/// everybody else, and for AWS behind a proxy of the operator.
#[derive(Clone)]
pub struct Outgoing {
    config: SdkConfig,
    // Each client is made for its first request: most functions never send one.
    aws: Arc<OnceCell<Client>>,
    strangers: Arc<OnceCell<Client>>,
    system: SystemTrust,
}

impl Outgoing {
    /// Makes the clients that sign with the credentials of the configuration and find endpoints as the SDK does.
    pub fn new(config: &SdkConfig) -> Self {
        let (aws, strangers, system) = Default::default();
        Self { config: config.clone(), aws, strangers, system }
    }

    /// Returns the region that requests are signed for.
    pub fn region(&self) -> &str {
        self.config.region().map_or(REGION_DEFAULT, |it| it.as_ref())
    }

    /// Returns the endpoint that the SDK would use: the service's own, else that of all services.
    pub fn endpoint(&self, service_id: &'static str) -> Option<String> {
        let key = ServiceConfigKey::builder()
            .service_id(service_id)
            .env("AWS_ENDPOINT_URL")
            .profile("endpoint_url");
        let services = self.config.service_config().zip(key.build().ok());
        let of_service = services.and_then(|(it, key)| it.load_config(key));
        let endpoint = of_service.or_else(|| self.config.endpoint_url().map(str::to_owned));
        endpoint.map(|it| it.trim_end_matches('/').to_owned())
    }

    /// Returns the address that AWS gives a service in this region.
    pub fn standard_endpoint(&self, service: &str) -> String {
        let region = self.region();
        format!("https://{service}.{region}.{}", partition::url_suffix(region))
    }

    /// Sends a request outside of AWS and waits at most `wait` for the whole answer. Follows no redirect.
    ///
    /// # Errors
    /// Fails when nothing answered in time.
    pub async fn send<B>(&self, request: http::Request<B>, wait: Duration) -> Anyhow<Response>
    where
        reqwest::Body: From<B>,
    {
        let build = async || client().tls_certs_merge(trust::roots()?).build();
        send(self.strangers.get_or_try_init(build).await?, request, wait).await
    }

    /// Signs a request to a service of AWS with its body, host and headers, and sends it as [`Outgoing::send`] does.
    ///
    /// # Errors
    /// Fails when there are no credentials, or nothing answered in time.
    pub async fn ask(
        &self,
        service: &str,
        mut request: http::Request<String>,
        now: Time,
        wait: Duration,
    ) -> Anyhow<Response> {
        self.sign(service, &mut request, now).await?;
        self.ask_signed(request, wait).await
    }

    /// Sends a request to AWS that is signed already, as [`Outgoing::send`] does.
    ///
    /// # Errors
    /// Fails when nothing answered in time.
    pub async fn ask_signed<B: Clone>(&self, request: http::Request<B>, wait: Duration) -> Anyhow<Response>
    where
        reqwest::Body: From<B>,
    {
        if !self.system.is_needed() {
            let answer = self.send_to_aws(request.clone(), wait).await;
            if !answer.as_ref().is_err_and(|it| self.system.begin_if_unknown(it.as_ref())) {
                return answer;
            }
        }
        self.send(request, wait).await
    }

    /// Sends a signed request whose body cannot be sent twice, as [`Outgoing::ask_signed`] does. Which roots the endpoint
    /// needs is known from the requests before it.
    ///
    /// # Errors
    /// Fails when nothing answered in time.
    pub async fn ask_once(&self, request: http::Request<reqwest::Body>, wait: Duration) -> Anyhow<Response> {
        if self.system.is_needed() {
            self.send(request, wait).await
        } else {
            self.send_to_aws(request, wait).await
        }
    }

    async fn send_to_aws<B>(&self, request: http::Request<B>, wait: Duration) -> Anyhow<Response>
    where
        reqwest::Body: From<B>,
    {
        let build = async || client().tls_certs_only(trust::roots()?).build();
        send(self.aws.get_or_try_init(build).await?, request, wait).await
    }

    async fn sign(&self, service: &str, request: &mut http::Request<String>, now: Time) -> Anyhow<()> {
        let headers = request.headers().iter().map(|(name, value)| Ok((name.as_str(), value.to_str()?)));
        let headers: Vec<_> = headers.collect::<Anyhow<_>>()?;
        let body = SignableBody::Bytes(request.body().as_bytes());
        let uri = request.uri().to_string();
        let signable = SignableRequest::new(request.method().as_str(), &uri, headers.into_iter(), body)?;
        let identity = self.credentials().await?.into();
        let params = SigningParams::builder()
            .identity(&identity)
            .region(self.region())
            .name(service)
            .time(system_time(now))
            .settings(SigningSettings::default())
            .build()?
            .into();
        let (instructions, _) = sign(signable, &params)?.into_parts();
        instructions.apply_to_request_http1x(request);
        Ok(())
    }

    /// Returns the credentials that the function runs with.
    ///
    /// # Errors
    /// Fails when there are none.
    pub async fn credentials(&self) -> Anyhow<Credentials> {
        let provider = self.config.credentials_provider().context("there are no AWS credentials")?;
        Ok(provider.provide_credentials().await?)
    }
}

/// Returns the time as the signer takes it.
pub fn system_time(at: Time) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(at.millis().max(0).cast_unsigned())
}

pub(crate) fn client() -> ClientBuilder {
    Client::builder().connect_timeout(CONNECT_TIMEOUT).redirect(Policy::none()).no_proxy()
}

async fn send<B>(client: &Client, request: http::Request<B>, wait: Duration) -> Anyhow<Response>
where
    reqwest::Body: From<B>,
{
    let mut request: reqwest::Request = request.try_into()?;
    *request.timeout_mut() = Some(wait);
    // reqwest puts the address into its errors, and an address may hold a secret.
    client.execute(request).await.map_err(reqwest::Error::without_url).context("nothing answered")
}
