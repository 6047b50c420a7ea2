//! What a table's stream calls, and how: the properties of its event-source mapping.

use std::time::Duration;

use serde::Deserialize;

/// What stands in a stream longer than a day is gone.
const KEPT_SECONDS: u64 = 24 * 60 * 60;
const REPORTS_FAILURES: &str = "ReportBatchItemFailures";

/// The stream of a table, as the source of a function.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StreamSource {
    #[serde(rename = "EventSourceArn", alias = "Stream")]
    pub(crate) stream: String,
    /// Asked for, as on AWS. Here a stream begins with its stack.
    #[serde(rename = "StartingPosition")]
    _starting_position: StartingPosition,
    #[serde(default = "hundred")]
    pub(crate) batch_size: usize,
    #[serde(default)]
    filter_criteria: FilterCriteria,
    #[serde(default)]
    function_response_types: Vec<String>,
    #[serde(default)]
    pub(crate) bisect_batch_on_function_error: bool,
    #[serde(default = "without_end")]
    maximum_retry_attempts: i64,
    #[serde(default = "without_end")]
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
    /// The name of the stream's table.
    pub(crate) fn table(&self) -> Option<&str> {
        self.stream.split_once(":table/")?.1.split_once("/stream/").map(|(table, _)| table)
    }

    pub(crate) fn patterns(&self) -> impl Iterator<Item = &str> {
        self.filter_criteria.filters.iter().map(|filter| filter.pattern.as_str())
    }

    pub(crate) fn reports_failures(&self) -> bool {
        self.function_response_types.iter().any(|kind| kind == REPORTS_FAILURES)
    }

    /// How often a batch is tried again; `None` is as long as its records are there.
    pub(crate) fn retries(&self) -> Option<u64> {
        self.maximum_retry_attempts.try_into().ok()
    }

    /// How old a record may be that is handed to the function.
    pub(crate) fn age_max(&self) -> Duration {
        let seconds = self.maximum_record_age_in_seconds.try_into().unwrap_or(KEPT_SECONDS);
        Duration::from_secs(seconds.min(KEPT_SECONDS))
    }

    /// Where what is given up goes: the ARN of a bucket or a queue.
    pub(crate) fn on_failure(&self) -> Option<&str> {
        self.destination_config.on_failure.as_ref().map(|it| it.destination.as_str())
    }
}

fn hundred() -> usize {
    100
}

fn without_end() -> i64 {
    -1
}
