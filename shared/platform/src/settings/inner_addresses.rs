//! Whether addresses that people give may lead into our own network.

use std::str::FromStr;

/// Whether the service asks inner addresses when people give them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InnerAddresses {
    /// It asks public addresses only, by HTTPS.
    #[default]
    Refused,
    /// It asks any address, by HTTP too: for the local stack.
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
