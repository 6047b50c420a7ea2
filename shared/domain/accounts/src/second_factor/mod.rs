//! The second factor: codes of an authenticator (TOTP, RFC 6238), and recovery codes for when it is lost.
//!
//! The seed is kept sealed, recovery codes as hashes. A password reset leaves the factor as it is.

mod code;
mod enrolment;
mod row;
mod used;

pub use code::{Code, RecoveryCodes, TotpCode};
pub use enrolment::{Enrolment, begin, confirm};

pub(super) use row::key;
pub(super) use used::{UsedCode, use_code};
