//! Accounts. This crate contains registration, sign-in, second factor, sessions, tokens, profile changes, roles, bans
//! and locks.
//!
//! Of the domain crates, this crate uses `people` and `ledger`.

mod appeal_token;
pub mod application_tokens;
mod avatars;
pub mod bearer;
mod email_change;
mod events;
mod factor_removal;
pub mod factor_reset;
mod factor_setup;
pub mod mail_feedback;
mod mail_limit;
pub mod mailed_tokens;
pub mod mails;
mod me;
pub mod notices;
mod opening;
mod operator;
pub mod passkeys;
mod password_change;
pub mod passwords;
mod profile;
mod reauthentication;
mod recovery;
mod registration;
mod roles;
mod sanction;
mod sanction_change;
pub mod scopes;
pub mod second_factor;
pub mod sessions;
mod sign_in;
mod suspension;
pub mod tokens;
pub mod tries;
mod verification;

pub use avatars::show_copy;
pub use email_change::{EmailChange, confirm_email_change, request_email_change};
pub use events::SignedOut;
pub use factor_removal::{SecondFactorRemoval, disable_second_factor, remove_second_factor};
pub use factor_setup::{EnrolmentRequest, begin_second_factor};
pub use me::{Me, invalidate, me};
pub use operator::sign_in_as;
pub use password_change::{PasswordChange, change_password};
pub use profile::{ProfileChange, change_profile};
pub use reauthentication::{
    Proof, Proven, SessionOwner, check_confirmed, check_password_and_code, check_proof,
};
pub use recovery::{NewSecret, request_password_reset, reset};
pub use registration::{Registration, register, register_hashed};
pub use roles::{RoleChange, appoint, change_roles};
pub use sanction_change::SanctionChange;
pub use sign_in::{Credentials, Identifier, sign_in, sign_in_to_administer};
pub use suspension::{
    BanRequest, Suspension, SuspensionRequest, TEMP_BAN_SECONDS, ban_writes, finish_sanction, lift_due,
    suspension_writes, unlock_writes,
};
pub use tries::Device;
pub use verification::{resend_verification, verify};

use notices::{Notice, NoticeKind};
use passkeys::Assertion;
use passwords::{NewPassword, TypedPassword};
use second_factor::Code;
use sessions::Session;
use tokens::Grant;
