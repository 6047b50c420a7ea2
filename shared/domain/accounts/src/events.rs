//! Bus events of accounts.

use base::ids::UserId;

platform::bus_events! {
    /// Sessions of a user were revoked: one by a sign-out, or all by a ban, a lock or a new password.
    SignedOut {
        /// The user.
        user_id: UserId,
    }
}
