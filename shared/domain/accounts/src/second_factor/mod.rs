//! The second factor. A user enters a code from an authenticator (TOTP, RFC 6238). If the authenticator is lost, the
//! user enters a recovery code.
//!
//! The seed is stored encrypted, and recovery codes are stored as hashes. A password reset keeps the second factor,
//! unless the user asks to remove it. See [`crate::factor_reset`].

mod code;
mod enrolment;
mod row;
mod used;

pub use code::{Code, RecoveryCodes, TotpCode};
pub use enrolment::{Enrolment, confirm};

pub(super) use enrolment::begin_writes;
pub(super) use row::{SecondFactor, key};
pub(super) use used::{CountedCode, UsedCode, use_code};
