//! The buckets in the template, with their notifications and public objects.

use serde::Deserialize;
use serde_json::Value as Json;

use super::intrinsics::text;
use crate::account::name_in;

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Bucket {
    #[serde(skip)]
    pub(crate) name: String,
    pub(super) notification_configuration: Notifications,
    pub(super) versioning_configuration: Versioning,
    /// ARN patterns of public objects.
    #[serde(skip)]
    pub(super) public: Vec<String>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct Versioning {
    status: String,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct Notifications {
    queue_configurations: Vec<QueueConfiguration>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct QueueConfiguration {
    event: String,
    queue: String,
    #[serde(default)]
    filter: Filter,
}

#[derive(Clone, Default, Deserialize)]
struct Filter {
    #[serde(rename = "S3Key")]
    key: KeyFilter,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct KeyFilter {
    rules: Vec<KeyRule>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct KeyRule {
    name: KeyPart,
    value: String,
}

/// The part of an object key that a filter rule checks.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KeyPart {
    Prefix,
    Suffix,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct BucketPolicy {
    pub(super) bucket: String,
    policy_document: Json,
}

impl Bucket {
    /// Returns the names of the queues to notify of `event` on the object `key`.
    pub(crate) fn queues_for(&self, event: &str, key: &str) -> impl Iterator<Item = &str> {
        let configurations = self.notification_configuration.queue_configurations.iter();
        let matching = configurations.filter(move |configuration| configuration.takes(event, key));
        matching.map(|configuration| name_in(&configuration.queue))
    }

    /// Returns whether the bucket keeps earlier versions of objects.
    pub(crate) fn is_versioned(&self) -> bool {
        self.versioning_configuration.status == "Enabled"
    }

    pub(super) fn queues(&self) -> impl Iterator<Item = &str> {
        self.notification_configuration
            .queue_configurations
            .iter()
            .map(|configuration| configuration.queue.as_str())
    }

    pub(crate) fn is_public(&self, arn: &str) -> bool {
        self.public
            .iter()
            .any(|public| public.strip_suffix('*').map_or(arn == public, |prefix| arn.starts_with(prefix)))
    }

    /// Makes the files public that CloudFront may read, because the local stack serves them in its place.
    pub(super) fn apply(&mut self, policy: &BucketPolicy) {
        let statements = policy.policy_document["Statement"].as_array().into_iter().flatten();
        let public = statements.filter(|statement| {
            statement["Effect"] == "Allow"
                && statement["Principal"]["Service"] == "cloudfront.amazonaws.com"
                && statement["Action"] == "s3:GetObject"
        });
        self.public.extend(public.map(|statement| text(&statement["Resource"])));
    }
}

impl QueueConfiguration {
    fn takes(&self, event: &str, key: &str) -> bool {
        let wanted = self.event.strip_prefix("s3:").unwrap_or(&self.event);
        let named = wanted.strip_suffix('*').map_or(event == wanted, |prefix| event.starts_with(prefix));
        named && self.filter.key.rules.iter().all(|rule| rule.passes(key))
    }
}

impl KeyRule {
    fn passes(&self, key: &str) -> bool {
        match self.name {
            KeyPart::Prefix => key.starts_with(&self.value),
            KeyPart::Suffix => key.ends_with(&self.value),
        }
    }
}
