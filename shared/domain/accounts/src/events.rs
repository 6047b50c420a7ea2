//! Events of accounts on the bus.

use base::ids::UserId;

platform::bus_events! {
    /// Sessions of a user ended before their time: one by a sign-out, all by a ban, a lock or a new password.
    SignedOut {
        /// The user.
        user_id: UserId,
    }
}
