//! Accounts: opening one, getting into it, changing it, getting back into it.

pub mod mailed_tokens;
pub mod mails;
mod me;
pub mod passwords;
mod profile;
mod recovery;
mod registration;
mod roles;
pub mod sessions;
mod sign_in;
mod standing;
pub mod tokens;
mod verification;

pub use me::{Me, me};
pub use profile::{ProfileChange, change_profile};
pub use recovery::{NewSecret, ask_for_reset, reset};
pub use registration::{Registration, register};
pub use roles::{RoleChange, change_roles, grant_role};
pub use sign_in::{Credentials, Identifier, sign_in, sign_in_to_administer};
pub use standing::{Ban, Cause, ban, ban_for_a_week, lift_due, lock, unlock};
pub use verification::{ask_for_verification, verify};
