//! The two passes over a deleted user's data.

/// A pass over the data, by its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Data that other users see.
    Withdrawal,
    /// All data.
    Erasure,
}
