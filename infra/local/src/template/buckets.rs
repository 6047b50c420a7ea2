//! Buckets: whom they tell of their objects, and what of them everybody may read.

use serde::Deserialize;
use serde_json::Value as Json;

use super::intrinsics::text;

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Bucket {
    #[serde(skip)]
    pub(crate) name: String,
    pub(super) notification_configuration: Notifications,
    /// The ARNs of what everybody may read.
    #[serde(skip)]
    pub(super) public: Vec<String>,
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
    name: KeyEnd,
    value: String,
}

/// The end of a key that a rule looks at.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KeyEnd {
    Prefix,
    Suffix,
}

/// What a policy says of a bucket.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct BucketPolicy {
    pub(super) bucket: String,
    policy_document: Json,
}

impl Bucket {
    /// The names of the queues that are told of this event.
    pub(crate) fn queues_for(&self, event: &str, key: &str) -> impl Iterator<Item = &str> {
        let told = self.notification_configuration.queue_configurations.iter();
        let told = told.filter(move |it| it.takes(event, key));
        told.filter_map(|it| it.queue.rsplit(':').next())
    }

    /// The ARNs of all queues that it may tell.
    pub(super) fn queues(&self) -> impl Iterator<Item = &str> {
        self.notification_configuration.queue_configurations.iter().map(|it| it.queue.as_str())
    }

    pub(crate) fn is_public(&self, arn: &str) -> bool {
        self.public.iter().any(|it| it.strip_suffix('*').map_or(arn == it, |start| arn.starts_with(start)))
    }

    pub(super) fn apply(&mut self, policy: &BucketPolicy) {
        let statements = policy.policy_document["Statement"].as_array().into_iter().flatten();
        let everybody = statements
            .filter(|it| it["Effect"] == "Allow" && it["Principal"] == "*" && it["Action"] == "s3:GetObject");
        self.public.extend(everybody.map(|it| text(&it["Resource"])));
    }
}

impl QueueConfiguration {
    fn takes(&self, event: &str, key: &str) -> bool {
        let wanted = self.event.strip_prefix("s3:").unwrap_or(&self.event);
        let named = wanted.strip_suffix('*').map_or(event == wanted, |start| event.starts_with(start));
        named && self.filter.key.rules.iter().all(|it| it.passes(key))
    }
}

impl KeyRule {
    fn passes(&self, key: &str) -> bool {
        match self.name {
            KeyEnd::Prefix => key.starts_with(&self.value),
            KeyEnd::Suffix => key.ends_with(&self.value),
        }
    }
}
