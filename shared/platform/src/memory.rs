//! Values that a warm instance keeps between requests, such as caches.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Holds one value of each requested type. The documentation of a type says how old its value may be.
#[derive(Default)]
pub struct Memory(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Memory {
    /// Returns this instance's value of type `T`. The first call creates the default value.
    pub fn of<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        self.get_or_init(T::default)
    }

    /// Returns this instance's value of type `T`. The first call creates the value with `make`.
    #[expect(clippy::expect_used, reason = "each value is stored under its own type")]
    pub fn get_or_init<T: Send + Sync + 'static>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = values.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(make()));
        Arc::clone(value).downcast().expect("the key of a value is its own type")
    }
}
