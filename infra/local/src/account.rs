//! Account and region of the stack.

/// AWS account ID.
pub(crate) const ACCOUNT: &str = "000000000000";
/// AWS region.
pub(crate) const REGION: &str = "us-east-1";
