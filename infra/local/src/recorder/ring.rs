//! The newest things of a kind, numbered in the order in which they came.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Keeps the newest `most` things, and forgets the oldest for each that comes then.
pub(crate) struct Ring<T> {
    most: usize,
    kept: Mutex<Kept<T>>,
}

struct Kept<T> {
    came: u64,
    things: VecDeque<Arc<T>>,
}

/// A thing and its number; the first is 1.
pub(crate) struct Numbered<T> {
    pub(crate) number: u64,
    pub(crate) thing: Arc<T>,
}

impl<T> Ring<T> {
    pub(crate) fn of(most: usize) -> Self {
        Self { most, kept: Mutex::new(Kept { came: 0, things: VecDeque::new() }) }
    }

    /// Keeps one more, and returns its number.
    pub(crate) fn push(&self, thing: T) -> u64 {
        let mut kept = self.lock();
        kept.came += 1;
        kept.things.push_back(Arc::new(thing));
        if kept.things.len() > self.most {
            kept.things.pop_front();
        }
        kept.came
    }

    /// Returns what is kept, the newest first.
    pub(crate) fn newest(&self) -> Vec<Numbered<T>> {
        let kept = self.lock();
        let things = kept.things.iter().rev().map(Arc::clone);
        (0..).zip(things).map(|(age, thing)| Numbered { number: kept.came - age, thing }).collect()
    }

    /// Returns what has this number, while it is kept.
    pub(crate) fn find(&self, number: u64) -> Option<Arc<T>> {
        self.newest().into_iter().find(|it| it.number == number).map(|it| it.thing)
    }

    /// How many came, the forgotten ones too.
    pub(crate) fn came(&self) -> u64 {
        self.lock().came
    }

    fn lock(&self) -> MutexGuard<'_, Kept<T>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_forgets_the_oldest() {
        let ring = Ring::of(3);
        let numbers: Vec<_> = ["a", "b", "c", "d"].into_iter().map(|it| ring.push(it)).collect();
        assert_eq!((numbers, ring.came()), (vec![1, 2, 3, 4], 4));
        let kept: Vec<_> = ring.newest().iter().map(|it| (it.number, *it.thing)).collect();
        assert_eq!(kept, [(4, "d"), (3, "c"), (2, "b")]);
        assert_eq!((ring.find(1).is_none(), ring.find(2).as_deref()), (true, Some(&"b")));
    }
}
