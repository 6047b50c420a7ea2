//! The setting `INNER_ADDRESSES`.

use std::str::FromStr;

/// Whether user-supplied URLs may resolve to private addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InnerAddresses {
    /// Only public addresses are allowed, and only over HTTPS.
    #[default]
    Refused,
    /// Any address is allowed, also over HTTP. For the local stack only.
    Allowed,
}

impl FromStr for InnerAddresses {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "refused" => Ok(Self::Refused),
            "allowed" => Ok(Self::Allowed),
            _ => Err("must be `refused` or `allowed`"),
        }
    }
}
