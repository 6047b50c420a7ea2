//! Events about accounts on the event bus.

use base::UserId;

platform::bus_events! {
    /// One or more sessions of a user were revoked, for example by a sign-out or a ban.
    SignedOut {
        /// The owner of the sessions.
        user_id: UserId,
    }
}
