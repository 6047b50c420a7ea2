//! Accounts: opening one, getting into it, changing it, getting back into it.

mod me;
mod profile;
mod recovery;
mod registration;
mod roles;
mod sign_in;
mod taken;
mod verification;

pub use me::{Me, Remembered, me};
pub use profile::{ProfileChange, change_profile};
pub use recovery::{NewSecret, ask_for_reset, reset};
pub use registration::{Registration, register};
pub use roles::grant_role;
pub use sign_in::{Credentials, Identifier, sign_in};
pub use taken::{email_is_free, find_by_email, user_named, username_is_free, users_named};
pub use verification::{ask_for_verification, verify};
