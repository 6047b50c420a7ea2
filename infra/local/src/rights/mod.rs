//! The permissions that a request to AWS requires.

mod leading_keys;

use std::collections::BTreeMap;

use leading_keys::leading_keys;
use serde::{Deserialize, de::IgnoredAny};

use crate::{
    account::{REGION, arn, table_arn},
    ses,
    sqs::name_in_url,
};

pub(crate) const EMAILS: &str = "/v2/email/outbound-emails";
/// Prefixes of Bedrock's inference profiles. A profile passes requests to a model in several regions.
const PROFILES: [&str; 5] = ["apac", "eu", "global", "jp", "us"];

/// An action on a resource.
pub(crate) struct Access<'a> {
    pub(crate) action: String,
    pub(crate) arn: String,
    /// Body of the request, which contains the values of condition keys.
    body: &'a [u8],
}

impl<'a> Access<'a> {
    pub(crate) fn new(action: &str, arn: &str) -> Self {
        Self::of(action.to_owned(), arn.to_owned(), &[])
    }

    fn of(action: String, arn: String, body: &'a [u8]) -> Self {
        Self { action, arn, body }
    }

    /// Returns the values of a condition key. `partition_key` names the partition key of the table.
    pub(crate) fn values(&self, key: &str, partition_key: &str) -> Vec<String> {
        match key {
            "dynamodb:LeadingKeys" => leading_keys(self.body, &self.action, partition_key),
            "ses:FromAddress" => ses::sender(self.body).into_iter().collect(),
            // Only DynamoDB calls KMS, on behalf of a function.
            "kms:ViaService" => vec![format!("dynamodb.{REGION}.amazonaws.com")],
            _ => Vec::new(),
        }
    }
}

/// Returns the permissions that a request requires, or `None` if the kind of request is unknown. The S3 emulation
/// checks its own requests.
pub(crate) fn required<'a>(target: &str, path: &str, body: &'a [u8]) -> Option<Vec<Access<'a>>> {
    let required = match (target.split_once('.'), path.strip_prefix("/model/")) {
        (Some(("AmazonSQS", operation)), _) => vec![queue_access(operation, body)],
        (Some(("AWSEvents", operation)), _) => bus_accesses(operation, body),
        (Some(("DynamoDB_20120810", operation)), _) => table_accesses(operation, body),
        (Some(("secretsmanager", operation)), _) => vec![secret_access(operation, body)],
        (None, _) if path == EMAILS => email_accesses(body),
        (None, Some(call)) => model_accesses(call.strip_suffix("/converse")?, body),
        _ => return None,
    };
    Some(required).filter(|required| !required.is_empty())
}

fn queue_access<'a>(operation: &str, body: &'a [u8]) -> Access<'a> {
    let url = parse(body).queue_url;
    let action = operation.strip_suffix("Batch").unwrap_or(operation);
    Access::of(format!("sqs:{action}"), arn("sqs", name_in_url(&url)), body)
}

fn bus_accesses<'a>(operation: &str, body: &'a [u8]) -> Vec<Access<'a>> {
    let bus = |entry: &Entry| arn("events", &format!("event-bus/{}", entry.event_bus_name));
    let entries = parse(body).entries;
    entries.iter().map(|entry| Access::of(format!("events:{operation}"), bus(entry), body)).collect()
}

fn secret_access<'a>(operation: &str, body: &'a [u8]) -> Access<'a> {
    Access::of(format!("secretsmanager:{operation}"), parse(body).secret_id, body)
}

/// An email requires permission for the sender's identity and the configuration set. In the sandbox of SES, where each
/// account starts, it also requires permission for the recipient's identity.
fn email_accesses(body: &[u8]) -> Vec<Access<'_>> {
    let sender = ses::sender(body).unwrap_or_default();
    let domain = sender.split('@').nth(1).unwrap_or_default();
    let sender = format!("identity/{domain}");
    let recipients = ses::recipients(body).into_iter().map(|address| format!("identity/{address}"));
    let events = ses::configuration_set(body).map(|set| format!("configuration-set/{set}"));
    let resources = [sender].into_iter().chain(recipients).chain(events);
    resources.map(|resource| Access::of("ses:SendEmail".to_owned(), arn("ses", &resource), body)).collect()
}

/// An inference profile requires permission for the profile and for its model.
fn model_accesses<'a>(model: &str, body: &'a [u8]) -> Vec<Access<'a>> {
    let id = model.replace("%3A", ":");
    let profiled = id.split_once('.').filter(|(prefix, _)| PROFILES.contains(prefix));
    let profile = profiled.map(|_| arn("bedrock", &format!("inference-profile/{id}")));
    let model = profiled.map_or(id.as_str(), |(_, model)| model);
    let model = format!("arn:aws:bedrock:{REGION}::foundation-model/{model}");
    let arns = profile.into_iter().chain([model]);
    arns.map(|arn| Access::of("bedrock:InvokeModel".to_owned(), arn, body)).collect()
}

fn table_accesses<'a>(operation: &str, body: &'a [u8]) -> Vec<Access<'a>> {
    let request = parse(body);
    let access = |action: &str, table: &str| Access::of(format!("dynamodb:{action}"), table_arn(table), body);
    if !request.transact_items.is_empty() {
        // A transaction requires the permissions for its steps.
        let steps = request.transact_items.iter().flatten();
        return steps.map(|(kind, step)| access(action_of(kind), &step.table_name)).collect();
    }
    if !request.request_items.is_empty() {
        return request.request_items.keys().map(|table| access(operation, table)).collect();
    }
    let index = request.index_name.map(|index| format!("/index/{index}")).unwrap_or_default();
    vec![access(operation, &format!("{}{index}", request.table_name))]
}

fn action_of(step: &str) -> &str {
    match step {
        "ConditionCheck" => "ConditionCheckItem",
        "Delete" => "DeleteItem",
        "Get" => "GetItem",
        "Put" => "PutItem",
        "Update" => "UpdateItem",
        other => other,
    }
}

fn parse(body: &[u8]) -> RequestBody {
    serde_json::from_slice(body).unwrap_or_default()
}

/// Fields in a request body that name resources.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct RequestBody {
    queue_url: String,
    entries: Vec<Entry>,
    table_name: String,
    index_name: Option<String>,
    request_items: BTreeMap<String, IgnoredAny>,
    secret_id: String,
    transact_items: Vec<BTreeMap<String, Step>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Entry {
    event_bus_name: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Step {
    table_name: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::ACCOUNT;

    fn accesses(target: &str, path: &str, body: &str) -> Option<Vec<String>> {
        let required = required(target, path, body.as_bytes())?;
        let short = |arn: &str| arn.replace(ACCOUNT, "").replace(REGION, "");
        Some(required.iter().map(|access| format!("{} {}", access.action, short(&access.arn))).collect())
    }

    #[test]
    fn a_request_without_a_target_header_requires_permission() {
        let mail = r#"{ "FromEmailAddress": "no-reply@example.com", "ConfigurationSetName": "mails",
            "Destination": { "ToAddresses": ["ann@example.org"] } }"#;
        let resources = ["identity/example.com", "identity/ann@example.org", "configuration-set/mails"];
        assert_eq!(
            accesses("", EMAILS, mail),
            Some(resources.map(|resource| format!("ses:SendEmail arn:aws:ses:::{resource}")).to_vec())
        );
        let model = "arn:aws:bedrock:::foundation-model/anthropic.tiny-v1:0";
        assert_eq!(
            accesses("", "/model/anthropic.tiny-v1%3A0/converse", "{}"),
            Some(vec![format!("bedrock:InvokeModel {model}")])
        );
        assert_eq!(
            accesses("", "/model/us.anthropic.tiny-v1%3A0/converse", "{}"),
            Some(vec![
                "bedrock:InvokeModel arn:aws:bedrock:::inference-profile/us.anthropic.tiny-v1:0".to_owned(),
                format!("bedrock:InvokeModel {model}"),
            ])
        );
    }

    #[test]
    fn the_permissions_of_an_unknown_request_are_unknown() {
        let unknown = [
            ("", "/"),
            ("", "/v2/email/identities"),
            ("", "/model/anthropic.tiny-v1%3A0/invoke"),
            ("AWSSecurityTokenService.AssumeRole", "/"),
            ("AWSEvents.PutEvents", "/"),
        ];
        for (target, path) in unknown {
            assert_eq!(accesses(target, path, "{}"), None, "{target} {path}");
        }
    }
}
