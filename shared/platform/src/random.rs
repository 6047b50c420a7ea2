//! Where random bits come from.

use rand::{
    RngExt,
    distr::{Distribution, StandardUniform},
};

/// Returns random bits that nobody can foresee.
#[expect(clippy::disallowed_methods, reason = "the one place where random bits are drawn")]
pub(crate) fn random<T>() -> T
where
    StandardUniform: Distribution<T>,
{
    rand::rng().random()
}
