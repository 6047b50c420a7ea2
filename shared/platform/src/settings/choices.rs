//! Settings with two choices.

/// Whether administrators must sign in with a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminSecondFactor {
    /// Administrator routes require a session that was opened with a second factor.
    Required,
    /// Administrator routes accept any session of an administrator.
    Off,
}

/// How log lines show the address of a client behind the CDN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogAddresses {
    /// The first 24 bits of an IPv4 address, and the first 48 bits of an IPv6 address.
    Truncated,
    /// A keyed hash. Equal addresses have equal hashes until the secret of the CDN is rotated.
    Hashed,
}

/// Whether user-supplied URLs may resolve to private addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnerAddresses {
    /// Only public addresses are allowed, and only over HTTPS.
    Refused,
    /// Any address is allowed, also over HTTP. For the local stack only.
    Allowed,
}
