//! The account and the region of everything here.

/// The account that everything belongs to.
pub(crate) const ACCOUNT: &str = "000000000000";
/// The region that everything is in.
pub(crate) const REGION: &str = "us-east-1";
