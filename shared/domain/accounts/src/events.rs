//! Bus events of accounts.

use base::ids::UserId;

platform::bus_events! {
    /// Sessions of a user were revoked. For example, a sign-out revokes one session, and a ban revokes all sessions.
    SignedOut {
        /// The user.
        user_id: UserId,
    }
}
