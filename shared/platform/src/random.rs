//! The source of random values.

use rand::{
    RngExt,
    distr::{Distribution, StandardUniform},
};

/// Returns a cryptographically secure random value.
#[expect(clippy::disallowed_methods, reason = "the one place where random values are generated")]
pub(crate) fn random<T>() -> T
where
    StandardUniform: Distribution<T>,
{
    rand::rng().random()
}
