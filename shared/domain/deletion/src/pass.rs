//! The two passes over a deleted user's data.

/// A pass over a deleted user's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Removes the data that other users see.
    Withdrawal,
    /// Removes all data.
    Erasure,
}
