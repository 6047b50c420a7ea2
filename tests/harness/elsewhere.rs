//! Lets tests replace AWS endpoints.

use std::collections::BTreeMap;

use aws_config::SdkConfig;
use aws_types::service_config::{LoadServiceConfig, ServiceConfigKey};

/// Applies the endpoints in the variables `AWS_ENDPOINT_URL_…`, which take precedence as in the SDK.
pub(crate) fn elsewhere(config: &SdkConfig, variables: &BTreeMap<String, String>) -> SdkConfig {
    let places = Places { config: config.clone(), variables: variables.clone() };
    config.to_builder().service_config(places).build()
}

#[derive(Debug)]
struct Places {
    config: SdkConfig,
    variables: BTreeMap<String, String>,
}

impl LoadServiceConfig for Places {
    fn load_config(&self, key: ServiceConfigKey<'_>) -> Option<String> {
        let service = key.service_id().to_uppercase().replace(' ', "_");
        let place = self.variables.get(&format!("{}_{service}", key.env()));
        place.cloned().or_else(|| self.config.service_config()?.load_config(key))
    }
}
