//! The two passes over what somebody left behind.

/// How much of what is found goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// What others see.
    Withdrawal,
    /// All of it.
    Erasure,
}
