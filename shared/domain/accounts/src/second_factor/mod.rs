//! The second factor: codes of an authenticator (TOTP, RFC 6238), and recovery codes in case it is lost.
//!
//! The seed is stored encrypted, recovery codes are stored as hashes. A password reset does not change the factor.

mod code;
mod enrolment;
mod row;
mod used;

pub use code::{Code, RecoveryCodes, TotpCode};
pub use enrolment::{Enrolment, begin, confirm};

pub(super) use row::key;
pub(super) use used::{UsedCode, use_code};
