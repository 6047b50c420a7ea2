//! Accounts: opening one, getting into it, changing it, getting back into it.

mod directory;
mod me;
mod profile;
mod recovery;
mod registration;
mod roles;
mod sign_in;
mod standing;
mod taken;
mod verification;

pub use directory::{Account, AccountQuery, accounts};
pub use me::{Me, me};
pub use profile::{ProfileChange, change_profile};
pub use recovery::{NewSecret, ask_for_reset, reset};
pub use registration::{Registration, register};
pub use roles::{RoleChange, change_roles, grant_role};
pub use sign_in::{Credentials, Identifier, sign_in, sign_in_to_administer};
pub use standing::{Ban, Cause, ban, ban_for_a_week, lift_due, lock, unlock};
pub use taken::{email_is_free, find_by_email, user_named, username_is_free, users_named};
pub use verification::{ask_for_verification, verify};
