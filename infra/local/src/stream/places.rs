//! Where the records are that a mapping gave up.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// So many places are remembered.
const PLACES_MAX: usize = 20;

/// How many records were given up, and where the last of them are.
#[derive(Default)]
pub(crate) struct Places(Mutex<(usize, VecDeque<String>)>);

impl Places {
    pub(super) fn add(&self, place: Option<String>, records: usize) {
        let mut inner = self.lock();
        inner.0 += records;
        inner.1.extend(place);
        if inner.1.len() > PLACES_MAX {
            inner.1.pop_front();
        }
    }

    pub(super) fn records(&self) -> usize {
        self.lock().0
    }

    pub(super) fn last(&self) -> Vec<String> {
        self.lock().1.iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, (usize, VecDeque<String>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
