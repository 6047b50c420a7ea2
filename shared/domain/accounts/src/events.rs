//! Bus events of accounts.

use base::ids::UserId;

platform::bus_events! {
    /// One session was revoked by a sign-out, or all of a user by a ban, a lock or a new password.
    SignedOut {
        /// The user.
        user_id: UserId,
    }
}
