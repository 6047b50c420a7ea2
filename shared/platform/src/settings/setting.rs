//! Settings that record whether they were used.

use std::{
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// The value of an environment variable, and a record of whether the value was used.
///
/// Tests compare the variables that a function uses with the function's environment in `template.yaml`. Clones share
/// the record.
#[derive(Clone, Debug, Default)]
pub struct Setting<T> {
    value: T,
    is_used: Arc<AtomicBool>,
}

impl<T> Deref for Setting<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.is_used.store(true, Ordering::Relaxed);
        &self.value
    }
}

/// The environment variables of all settings, and whether each was used.
#[derive(Clone, Debug, Default)]
pub(super) struct UsedVariables(Vec<(&'static str, Arc<AtomicBool>)>);

impl UsedVariables {
    /// Creates a setting whose value comes from these variables.
    pub(super) fn setting<T>(&mut self, variables: &[&'static str], value: T) -> Setting<T> {
        let is_used = Arc::<AtomicBool>::default();
        self.0.extend(variables.iter().map(|name| (*name, Arc::clone(&is_used))));
        Setting { value, is_used }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter(|(_, is_used)| is_used.load(Ordering::Relaxed)).map(|(name, _)| *name)
    }
}
