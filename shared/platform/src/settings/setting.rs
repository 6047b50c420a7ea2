//! A setting that notes its use.

use std::{
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// The value of one variable. It notes that it was used: the tests compare the environment that `template.yaml`
/// gives a function with the variables that the function uses. A clone is the same setting.
#[derive(Clone, Debug, Default)]
pub struct Setting<T> {
    value: T,
    asked: Arc<AtomicBool>,
}

impl<T> Deref for Setting<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.asked.store(true, Ordering::Relaxed);
        &self.value
    }
}

/// All settings, and which of them were used.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked(Vec<(&'static str, Arc<AtomicBool>)>);

impl Asked {
    /// Makes the setting of these variables.
    pub(super) fn setting<T>(&mut self, variables: &[&'static str], value: T) -> Setting<T> {
        let asked = Arc::<AtomicBool>::default();
        self.0.extend(variables.iter().map(|it| (*it, Arc::clone(&asked))));
        Setting { value, asked }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().filter(|(_, asked)| asked.load(Ordering::Relaxed)).map(|(name, _)| *name)
    }
}
