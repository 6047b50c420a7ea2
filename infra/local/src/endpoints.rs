//! How the AWS SDK finds this stack: what `AWS_ENDPOINT_URL` and `AWS_ENDPOINT_URL_DYNAMODB` say elsewhere.

use std::collections::BTreeMap;

use aws_config::{Region, SdkConfig};
use aws_sdk_dynamodb::config::Credentials;
use aws_types::service_config::{LoadServiceConfig, ServiceConfigKey};

use crate::{account::REGION, layer, loopback::Loopback, template::Function};

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

/// The same for functions in other processes, with what each of them is given: one name has one value for all.
pub(crate) fn environment(
    functions: &BTreeMap<String, Function>,
    aws_url: &str,
    dynamodb_url: &str,
) -> BTreeMap<String, String> {
    let given = functions.values().flat_map(|function| function.environment.clone());
    let addresses = [
        ("AWS_ENDPOINT_URL", aws_url),
        ("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_url),
        ("AWS_REGION", REGION),
        ("AWS_ACCESS_KEY_ID", "local"),
        ("AWS_SECRET_ACCESS_KEY", "local"),
    ];
    given.chain(addresses.map(|(name, value)| (name.to_owned(), value.to_owned()))).collect()
}

/// The product's own configuration, with connections that are kept for this stack and need no TLS, if it
/// takes one at all.
pub(crate) async fn sdk_config(aws_url: &str, dynamodb_url: &str, here: Loopback) -> SdkConfig {
    let config = platform::app::sdk_config()
        .region(Region::from_static(REGION))
        .credentials_provider(Credentials::new("local", "local", None, None, "local"))
        .http_client(layer::around(aws_smithy_http_client::Builder::new().build_http(), here))
        .load()
        .await;
    let endpoints = Endpoints { dynamodb: dynamodb_url.to_owned() };
    config.into_builder().endpoint_url(aws_url).service_config(endpoints).build()
}
