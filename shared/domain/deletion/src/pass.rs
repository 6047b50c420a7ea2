//! The two passes over a deleted user's data.

/// Scope of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Data that other users see.
    Withdrawal,
    /// All data.
    Erasure,
}
