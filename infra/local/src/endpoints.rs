//! How the AWS SDK finds this stack: what `AWS_ENDPOINT_URL` and `AWS_ENDPOINT_URL_DYNAMODB` say elsewhere.

use aws_config::{Region, SdkConfig};
use aws_sdk_dynamodb::config::Credentials;
use aws_types::service_config::{LoadServiceConfig, ServiceConfigKey};

use crate::aws::REGION;

/// The endpoints of one stack. Many stacks share a process, so they cannot be variables of it.
#[derive(Debug)]
struct Endpoints {
    dynamodb: String,
}

impl LoadServiceConfig for Endpoints {
    fn load_config(&self, key: ServiceConfigKey<'_>) -> Option<String> {
        let dynamodb = key.service_id() == "DynamoDB" && key.env() == "AWS_ENDPOINT_URL";
        dynamodb.then(|| self.dynamodb.clone())
    }
}

/// The product's own configuration, with connections that are kept for this stack and need no TLS.
pub(crate) async fn sdk_config(aws_url: &str, dynamodb_url: &str) -> SdkConfig {
    let config = shared::app::sdk_config()
        .region(Region::from_static(REGION))
        .credentials_provider(Credentials::new("local", "local", None, None, "local"))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .load()
        .await;
    let endpoints = Endpoints { dynamodb: dynamodb_url.to_owned() };
    config.into_builder().endpoint_url(aws_url).service_config(endpoints).build()
}
