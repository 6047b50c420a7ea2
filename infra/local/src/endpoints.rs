//! The stack's endpoints for the AWS SDK.

use std::collections::BTreeMap;

use aws_config::{Region, SdkConfig, timeout::TimeoutConfig};
use aws_sdk_dynamodb::config::Credentials;
use aws_types::service_config::{LoadServiceConfig, ServiceConfigKey};

use crate::{account::REGION, layer, loopback::Loopback, template::Function};

/// Endpoint of DynamoDB for one stack. The variable `AWS_ENDPOINT_URL_DYNAMODB` would apply to all stacks in the
/// process.
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

/// Returns the environment for functions in other processes: settings and endpoints. All functions get the same
/// environment.
pub(crate) fn environment(
    functions: &BTreeMap<String, Function>,
    aws_url: &str,
    dynamodb_url: &str,
) -> BTreeMap<String, String> {
    let settings = functions.values().flat_map(|function| function.environment.clone());
    let endpoints = [
        ("AWS_ENDPOINT_URL", aws_url),
        ("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_url),
        ("AWS_REGION", REGION),
        ("AWS_ACCESS_KEY_ID", "local"),
        ("AWS_SECRET_ACCESS_KEY", "local"),
    ];
    settings.chain(endpoints.map(|(name, value)| (name.to_owned(), value.to_owned()))).collect()
}

/// Returns the product's SDK configuration, with the stack's endpoints and without TLS.
pub(crate) async fn sdk_config(aws_url: &str, dynamodb_url: &str, loopback: Loopback) -> SdkConfig {
    let config = platform::app::sdk_config()
        .region(Region::from_static(REGION))
        .credentials_provider(Credentials::new("local", "local", None, None, "local"))
        .http_client(layer::around(aws_smithy_http_client::Builder::new().build_http(), loopback))
        .load()
        .await;
    let endpoints = Endpoints { dynamodb: dynamodb_url.to_owned() };
    config.into_builder().endpoint_url(aws_url).service_config(endpoints).build()
}

/// Returns the configuration without timeouts of calls.
pub(crate) fn without_timeouts(config: SdkConfig) -> SdkConfig {
    config.into_builder().timeout_config(TimeoutConfig::disabled()).build()
}
