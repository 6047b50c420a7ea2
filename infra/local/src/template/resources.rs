//! Typed resources of the template.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context, Result};
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

use super::{
    intrinsics::text,
    policy::Statement,
    streams::{StreamSource, reports_failures},
};
use crate::account::name_in;

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Api {
    pub(crate) default_route_settings: Option<Throttle>,
    pub(crate) cors_configuration: Option<Cors>,
}

#[derive(Clone, Copy, Deserialize)]
pub(crate) struct Throttle {
    #[serde(rename = "ThrottlingRateLimit")]
    pub(crate) rate: f64,
    #[serde(rename = "ThrottlingBurstLimit")]
    pub(crate) burst: f64,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Cors {
    pub(crate) allow_origins: Vec<String>,
    pub(crate) allow_methods: Vec<String>,
    pub(crate) allow_headers: Vec<String>,
    pub(crate) expose_headers: Vec<String>,
    pub(crate) max_age: Option<u64>,
    pub(crate) allow_credentials: bool,
}

pub(crate) struct Function {
    pub(crate) crate_name: String,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) events: BTreeMap<String, Event>,
    pub(crate) timeout: Duration,
    pub(crate) statements: Vec<Statement>,
}

/// A trigger of a function. Separate resources of the template can define queue and stream triggers.
#[derive(Deserialize)]
#[serde(tag = "Type", content = "Properties")]
pub(crate) enum Event {
    HttpApi(Route),
    #[serde(rename = "DynamoDB")]
    DynamoDb(StreamSource),
    #[serde(skip)]
    Sqs(Source),
}

/// A route of the HTTP API. The default path is `$default`, as in SAM.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Route {
    pub(crate) path: String,
    pub(crate) method: String,
}

impl Default for Route {
    fn default() -> Self {
        Self { path: "$default".to_owned(), method: "ANY".to_owned() }
    }
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Source {
    #[serde(rename = "EventSourceArn")]
    pub(crate) queue: String,
    #[serde(default = "default_batch_size")]
    pub(crate) batch_size: usize,
    #[serde(default, deserialize_with = "number")]
    maximum_batching_window_in_seconds: u64,
    #[serde(default)]
    pub(crate) scaling_config: Scaling,
    #[serde(default)]
    function_response_types: Vec<String>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Scaling {
    pub(crate) maximum_concurrency: usize,
}

impl Default for Scaling {
    fn default() -> Self {
        Self { maximum_concurrency: 2 }
    }
}

impl Source {
    pub(crate) fn reports_failures(&self) -> bool {
        reports_failures(&self.function_response_types)
    }

    /// Returns how long to collect messages for a batch. `None` delivers messages immediately.
    pub(crate) fn window(&self) -> Option<Duration> {
        let seconds = self.maximum_batching_window_in_seconds;
        (seconds > 0).then(|| Duration::from_secs(seconds))
    }
}

impl Event {
    pub(super) fn queue(&self) -> Option<&str> {
        match self {
            Self::Sqs(source) => Some(&source.queue),
            Self::HttpApi(_) | Self::DynamoDb(_) => None,
        }
    }

    pub(crate) fn stream(&self) -> Option<&StreamSource> {
        match self {
            Self::DynamoDb(source) => Some(source),
            Self::HttpApi(_) | Self::Sqs(_) => None,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct FunctionProperties {
    code_uri: String,
    timeout: Option<u64>,
    environment: Environment,
    events: BTreeMap<String, Event>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Environment {
    variables: BTreeMap<String, Json>,
}

impl Function {
    pub(super) fn read(properties: Json, metadata: &Json, globals: &Json) -> Result<Self> {
        let own: FunctionProperties = serde_json::from_value(properties)?;
        let all: FunctionProperties = match globals.get("Function") {
            Some(globals) => serde_json::from_value(globals.clone()).context("Globals")?,
            None => FunctionProperties::default(),
        };
        let mut variables = all.environment.variables;
        variables.extend(own.environment.variables);
        let binary = metadata.pointer("/BuildProperties/Binary").and_then(Json::as_str);
        let crate_name = binary.or_else(|| own.code_uri.rsplit('/').next()).unwrap_or_default();
        Ok(Self {
            crate_name: crate_name.to_owned(),
            environment: variables.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            events: own.events,
            timeout: Duration::from_secs(own.timeout.or(all.timeout).unwrap_or(3)),
            statements: Vec::new(),
        })
    }
}

/// A secret. If the template sets no value, the value is generated.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Secret {
    #[serde(skip)]
    pub(crate) name: String,
    pub(crate) secret_string: Option<String>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Queue {
    #[serde(skip)]
    pub(crate) name: String,
    pub(crate) visibility_timeout: u64,
    pub(crate) delay_seconds: u64,
    pub(crate) message_retention_period: u64,
    pub(crate) redrive_policy: Option<Redrive>,
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            name: String::new(),
            visibility_timeout: 30,
            delay_seconds: 0,
            message_retention_period: 4 * 24 * 60 * 60,
            redrive_policy: None,
        }
    }
}

impl Queue {
    pub(crate) fn dead_letters(&self) -> Option<&str> {
        self.redrive_policy.as_ref().map(|redrive| name_in(&redrive.dead_letter_target_arn))
    }
}

/// The dead-letter queue for messages that were received `max_receive_count` times without being deleted.
#[derive(Clone, Deserialize, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Redrive {
    pub(crate) dead_letter_target_arn: String,
    #[serde(deserialize_with = "number")]
    pub(crate) max_receive_count: u64,
}

/// A table. The properties are the fields of a `CreateTable` request.
#[derive(Deserialize)]
pub(crate) struct Table {
    #[serde(skip)]
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) properties: serde_json::Map<String, Json>,
}

impl Table {
    /// Returns the key attributes, partition key first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = String> {
        let schema = self.properties.get("KeySchema").and_then(Json::as_array);
        let key = move |kind| schema.into_iter().flatten().find(move |element| element["KeyType"] == kind);
        ["HASH", "RANGE"]
            .into_iter()
            .filter_map(key)
            .filter_map(|element| element["AttributeName"].as_str())
            .map(str::to_owned)
    }

    pub(crate) fn kms_key(&self) -> Option<String> {
        let encryption = self.properties.get("SSESpecification")?;
        encryption["KMSMasterKeyId"].as_str().map(str::to_owned)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Rule {
    #[serde(default)]
    pub(crate) state: RuleState,
    #[serde(default = "default_bus")]
    pub(crate) event_bus_name: String,
    pub(crate) event_pattern: Json,
    pub(crate) targets: Vec<Target>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum RuleState {
    #[default]
    Enabled,
    Disabled,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Target {
    pub(crate) arn: String,
    #[serde(default)]
    pub(crate) input: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Schedule {
    #[serde(skip)]
    pub(crate) name: String,
    pub(crate) schedule_expression: String,
    #[serde(default = "utc")]
    pub(crate) schedule_expression_timezone: String,
    pub(crate) target: Target,
}

fn default_batch_size() -> usize {
    10
}

pub(crate) fn default_bus() -> String {
    "default".to_owned()
}

fn utc() -> String {
    "UTC".to_owned()
}

/// Parses a number that may be written as text.
fn number<'de, D: Deserializer<'de>>(input: D) -> Result<u64, D::Error> {
    let value = Json::deserialize(input)?;
    text(&value).parse().map_err(serde::de::Error::custom)
}
