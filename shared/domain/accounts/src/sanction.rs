//! Sanctions of accounts, ordered by strength.

use std::fmt;

use ledger::audit::SanctionNote;
use people::{Status, User};
use platform::{Error, Time};

/// A sanction of an account. The variants are ordered from the weakest to the strongest. Of two bans, the one that ends
/// later is stronger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sanction {
    None,
    BannedUntil(Time),
    Locked,
    Banned,
}

impl Sanction {
    /// Returns the current sanction of an account.
    pub(crate) fn of(user: &User) -> Self {
        match (user.status, user.banned_until) {
            (Status::Active, _) => Self::None,
            (Status::Banned, Some(end)) => Self::BannedUntil(end),
            (Status::Locked, _) => Self::Locked,
            (Status::Banned, None) => Self::Banned,
        }
    }

    pub(crate) fn status(self) -> Status {
        match self {
            Self::None => Status::Active,
            Self::BannedUntil(_) | Self::Banned => Status::Banned,
            Self::Locked => Status::Locked,
        }
    }

    pub(crate) fn until(self) -> Option<Time> {
        match self {
            Self::BannedUntil(end) => Some(end),
            Self::None | Self::Locked | Self::Banned => None,
        }
    }

    /// Returns the error for an attempt to replace this sanction with a weaker one.
    pub(crate) fn refusal(self) -> Error {
        Error::invalid("userId", &format!("is already {self}, which is stronger. Unlock the account first."))
    }
}

impl fmt::Display for Sanction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("active"),
            Self::BannedUntil(end) => write!(f, "banned until {end}"),
            Self::Locked => f.write_str("locked"),
            Self::Banned => f.write_str("banned permanently"),
        }
    }
}

/// Returns the current sanction of an account, for the audit log.
pub(crate) fn note_of(user: &User) -> SanctionNote {
    let status = match user.status {
        Status::Active => "ACTIVE",
        Status::Banned => "BANNED",
        Status::Locked => "LOCKED",
    };
    let reason = user.standing_reason.as_ref().map(ToString::to_string);
    SanctionNote { status: status.to_owned(), banned_until: user.banned_until, reason }
}
