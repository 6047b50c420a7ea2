//! Event-source mappings of streams.

use std::time::Duration;

use serde::Deserialize;

/// Time for which a stream retains records.
const RETENTION_SECONDS: u64 = 24 * 60 * 60;

/// Properties of a stream's event-source mapping. `ParallelizationFactor` is ignored: the local stack delivers one
/// batch at a time.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StreamSource {
    #[serde(rename = "EventSourceArn", alias = "Stream")]
    pub(crate) stream: String,
    /// Required as on AWS, but ignored.
    #[serde(rename = "StartingPosition")]
    _starting_position: StartingPosition,
    #[serde(default = "default_batch_size")]
    pub(crate) batch_size: usize,
    #[serde(default)]
    filter_criteria: FilterCriteria,
    #[serde(default)]
    function_response_types: Vec<String>,
    #[serde(default)]
    pub(crate) bisect_batch_on_function_error: bool,
    #[serde(default = "unlimited")]
    maximum_retry_attempts: i64,
    #[serde(default = "unlimited")]
    maximum_record_age_in_seconds: i64,
    #[serde(default)]
    destination_config: DestinationConfig,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum StartingPosition {
    Latest,
    TrimHorizon,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct FilterCriteria {
    filters: Vec<Filter>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Filter {
    pattern: String,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct DestinationConfig {
    on_failure: Option<OnFailure>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct OnFailure {
    destination: String,
}

impl StreamSource {
    /// Returns the name of the stream's table, or `None` if the ARN is invalid.
    pub(crate) fn table(&self) -> Option<&str> {
        self.stream.split_once(":table/")?.1.split_once("/stream/").map(|(table, _)| table)
    }

    pub(crate) fn patterns(&self) -> impl Iterator<Item = &str> {
        self.filter_criteria.filters.iter().map(|filter| filter.pattern.as_str())
    }

    pub(crate) fn reports_failures(&self) -> bool {
        reports_failures(&self.function_response_types)
    }

    /// Returns the maximum number of retries. `None` retries records until they are too old.
    pub(crate) fn retries(&self) -> Option<u64> {
        self.maximum_retry_attempts.try_into().ok()
    }

    pub(crate) fn age_max(&self) -> Duration {
        let seconds = self.maximum_record_age_in_seconds.try_into().unwrap_or(RETENTION_SECONDS);
        Duration::from_secs(seconds.min(RETENTION_SECONDS))
    }

    /// Returns the ARN of the on-failure destination (a bucket or a queue), or `None` without one.
    pub(crate) fn on_failure(&self) -> Option<&str> {
        self.destination_config.on_failure.as_ref().map(|target| target.destination.as_str())
    }
}

/// Returns whether a function responds with the messages or records that failed.
pub(super) fn reports_failures(response_types: &[String]) -> bool {
    response_types.iter().any(|kind| kind == "ReportBatchItemFailures")
}

fn default_batch_size() -> usize {
    100
}

fn unlimited() -> i64 {
    -1
}
