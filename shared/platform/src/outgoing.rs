//! Outgoing HTTP: signed requests to AWS services for which the project has no SDK client, and requests to other
//! services.

use std::{
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use anyhow::{Context, Result as Anyhow};
use aws_config::SdkConfig;
use aws_credential_types::provider::ProvideCredentials;
use aws_sigv4::{
    http_request::{SignableBody, SignableRequest, SigningInstructions, SigningSettings, sign},
    sign::v4::SigningParams,
};
use aws_types::service_config::ServiceConfigKey;
use reqwest::{Client, ClientBuilder, Response, redirect::Policy};
use tokio::sync::OnceCell;

use crate::{
    Time, partition,
    trust::{self, SystemTrust},
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const REGION_DEFAULT: &str = "us-east-1";

/// Two HTTP clients. The first trusts only AWS's root certificates. The second also trusts the system's root
/// certificates, for other services and for AWS behind a proxy.
#[derive(Clone)]
pub struct Outgoing {
    config: SdkConfig,
    // Each client is created when it sends its first request, because most functions send no such requests.
    aws: Arc<OnceCell<Client>>,
    others: Arc<OnceCell<Client>>,
    system: SystemTrust,
}

impl Outgoing {
    /// Creates the clients with the SDK's credentials and endpoints.
    pub fn new(config: &SdkConfig) -> Self {
        let (aws, others, system) = Default::default();
        Self { config: config.clone(), aws, others, system }
    }

    /// Returns the AWS region for which requests are signed.
    pub fn region(&self) -> &str {
        self.config.region().map_or(REGION_DEFAULT, AsRef::as_ref)
    }

    /// Returns the endpoint that is configured for the service. If there is none, returns the endpoint for all
    /// services, or `None`.
    pub fn endpoint(&self, service_id: &'static str) -> Option<String> {
        let key = ServiceConfigKey::builder()
            .service_id(service_id)
            .env("AWS_ENDPOINT_URL")
            .profile("endpoint_url");
        let services = self.config.service_config().zip(key.build().ok());
        let of_service = services.and_then(|(config, key)| config.load_config(key));
        let endpoint = of_service.or_else(|| self.config.endpoint_url().map(str::to_owned));
        endpoint.map(|url| url.trim_end_matches('/').to_owned())
    }

    /// Returns the configured endpoint as [`Outgoing::endpoint`] does, or else the standard endpoint.
    pub fn endpoint_or_standard(&self, service_id: &'static str, service: &str) -> String {
        self.endpoint(service_id).unwrap_or_else(|| self.standard_endpoint(service))
    }

    /// Returns the standard endpoint of an AWS service in this region.
    pub(crate) fn standard_endpoint(&self, service: &str) -> String {
        let region = self.region();
        format!("https://{service}.{region}.{}", partition::url_suffix(region))
    }

    /// Sends a request to a service outside of AWS, and waits at most `wait` for the whole response. Does not follow
    /// redirects.
    ///
    /// # Errors
    /// Fails if no response arrives in time.
    pub async fn send<B>(&self, request: http::Request<B>, wait: Duration) -> Anyhow<Response>
    where
        reqwest::Body: From<B>,
    {
        let build = async || client().tls_certs_merge(trust::roots()?).build();
        send(self.others.get_or_try_init(build).await?, request, wait).await
    }

    /// Signs the body, host and headers of a request to an AWS service, and sends it as [`Outgoing::send`] does.
    pub async fn sign_and_send(
        &self,
        service: &str,
        mut request: http::Request<String>,
        now: Time,
        wait: Duration,
    ) -> Anyhow<Response> {
        self.sign(service, &mut request, now).await?;
        self.send_signed(request, wait).await
    }

    /// Sends a signed request to AWS, as [`Outgoing::send`] does.
    pub(crate) async fn send_signed<B: Clone>(
        &self,
        request: http::Request<B>,
        wait: Duration,
    ) -> Anyhow<Response>
    where
        reqwest::Body: From<B>,
    {
        if !self.system.is_needed() {
            let response = self.send_to_aws(request.clone(), wait).await;
            if !response.as_ref().is_err_and(|error| self.system.trust_if_issuer_unknown(error.as_ref())) {
                return response;
            }
        }
        self.send(request, wait).await
    }

    /// Sends a signed request whose body cannot be sent twice. Trusts the system's root certificates only if an earlier
    /// request needed them.
    pub(crate) async fn send_signed_once(
        &self,
        request: http::Request<reqwest::Body>,
        wait: Duration,
    ) -> Anyhow<Response> {
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
        let signature = self.signature(service, signable, SigningSettings::default(), now).await?;
        signature.apply_to_request_http1x(request);
        Ok(())
    }

    /// Returns the changes that sign a request to an AWS service with the function's credentials.
    pub(crate) async fn signature(
        &self,
        service: &str,
        request: SignableRequest<'_>,
        settings: SigningSettings,
        now: Time,
    ) -> Anyhow<SigningInstructions> {
        let provider = self.config.credentials_provider().context("there are no AWS credentials")?;
        let identity = provider.provide_credentials().await?.into();
        let at = UNIX_EPOCH + Duration::from_millis(now.millis().max(0).cast_unsigned());
        let params = SigningParams::builder().identity(&identity).region(self.region()).name(service);
        let params = params.time(at).settings(settings).build()?.into();
        Ok(sign(request, &params)?.into_parts().0)
    }
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
    // Errors omit the URL, because it may contain a secret.
    client.execute(request).await.map_err(reqwest::Error::without_url).context("no response")
}
