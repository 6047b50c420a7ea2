//! The source of random values.

use std::sync::{Mutex, PoisonError};

use rand::{
    Rng, RngExt, SeedableRng,
    distr::{Distribution, StandardUniform},
    rngs::StdRng,
};

/// A source of random values. By default, the values are cryptographically secure.
#[derive(Default)]
pub struct Random(Option<Mutex<StdRng>>);

impl Random {
    /// Returns a source whose values depend only on `seed`. The values are predictable, so no deployed function uses it.
    pub fn seeded(seed: u64) -> Self {
        Self(Some(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// Returns a random value.
    pub(crate) fn value<T>(&self) -> T
    where
        StandardUniform: Distribution<T>,
    {
        self.with(|source| source.random())
    }

    /// Calls `draw` with the generator of this source.
    pub(crate) fn with<T>(&self, draw: impl FnOnce(&mut dyn Rng) -> T) -> T {
        match &self.0 {
            Some(seeded) => draw(&mut *seeded.lock().unwrap_or_else(PoisonError::into_inner)),
            None => draw(&mut system()),
        }
    }
}

/// Returns a cryptographically secure random value.
pub(crate) fn random<T>() -> T
where
    StandardUniform: Distribution<T>,
{
    system().random()
}

#[expect(clippy::disallowed_methods, reason = "the one place where random values are generated")]
fn system() -> impl Rng {
    rand::rng()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_equal_seeds_return_equal_values() {
        let values = |random: &Random| [random.value::<u64>(), random.value::<u64>()];
        assert_eq!(values(&Random::seeded(1)), values(&Random::seeded(1)));
        assert_ne!(values(&Random::seeded(1)), values(&Random::seeded(2)));
        assert_ne!(values(&Random::default()), values(&Random::default()));
    }
}
