//! What a warm instance remembers between requests: one value of each type.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// One value of each type that was asked for. Whoever owns a type says on its page how stale its
/// value may be.
#[derive(Default)]
pub struct Memory(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Memory {
    /// Returns the instance's value of this type.
    pub fn of<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        self.get_or_init(T::default)
    }

    /// Returns the instance's value of this type, made when it is first asked for.
    #[expect(clippy::expect_used, reason = "each value is kept under its own type")]
    pub fn get_or_init<T: Send + Sync + 'static>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = values.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(make()));
        Arc::clone(value).downcast().expect("a value of this type")
    }
}
