//! Account, region and ARNs of the stack.

pub(crate) const ACCOUNT: &str = "000000000000";
pub(crate) const REGION: &str = "us-east-1";

/// Returns the ARN of a resource in the stack's account and region.
pub(crate) fn arn(service: &str, resource: &str) -> String {
    format!("arn:aws:{service}:{REGION}:{ACCOUNT}:{resource}")
}

pub(crate) fn table_arn(name: &str) -> String {
    arn("dynamodb", &format!("table/{name}"))
}

/// Returns the last part of an ARN, such as the name of a queue.
pub(crate) fn name_in(arn: &str) -> &str {
    arn.rsplit(':').next().unwrap_or_default()
}
