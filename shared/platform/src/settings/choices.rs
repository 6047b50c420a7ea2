//! Settings with two choices.

/// Whether administrators must sign in with a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminSecondFactor {
    /// Administrator routes require a session that was opened with a second factor.
    Required,
    /// Administrator routes accept any session of an administrator.
    Off,
}

/// Whether user-supplied URLs may resolve to private addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnerAddresses {
    /// Only public addresses are allowed, and only over HTTPS.
    Refused,
    /// Any address is allowed, also over HTTP. For the local stack only.
    Allowed,
}
