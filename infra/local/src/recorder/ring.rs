//! A bounded list of numbered items.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use crate::lock::lock;

/// The newest `max` items.
pub(crate) struct Ring<T> {
    max: usize,
    items: Mutex<Items<T>>,
}

struct Items<T> {
    total: u64,
    items: VecDeque<Arc<T>>,
}

/// An item and its number. The first added item has number 1.
pub(crate) struct Numbered<T> {
    pub(crate) number: u64,
    pub(crate) item: Arc<T>,
}

impl<T> Ring<T> {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, items: Mutex::new(Items { total: 0, items: VecDeque::new() }) }
    }

    pub(crate) fn push(&self, item: T) -> u64 {
        let mut items = lock(&self.items);
        items.total += 1;
        items.items.push_back(Arc::new(item));
        if items.items.len() > self.max {
            items.items.pop_front();
        }
        items.total
    }

    pub(crate) fn newest(&self) -> Vec<Numbered<T>> {
        let items = lock(&self.items);
        let newest = items.items.iter().rev().map(Arc::clone);
        (0..).zip(newest).map(|(age, item)| Numbered { number: items.total - age, item }).collect()
    }

    /// Returns the item with this number, or `None` if it was dropped.
    pub(crate) fn find(&self, number: u64) -> Option<Arc<T>> {
        self.newest().into_iter().find(|entry| entry.number == number).map(|entry| entry.item)
    }

    /// Returns how many items were added, including dropped items.
    pub(crate) fn total(&self) -> u64 {
        lock(&self.items).total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_drops_the_oldest_item() {
        let ring = Ring::new(3);
        let numbers: Vec<_> = ["a", "b", "c", "d"].into_iter().map(|letter| ring.push(letter)).collect();
        assert_eq!((numbers, ring.total()), (vec![1, 2, 3, 4], 4));
        let items: Vec<_> = ring.newest().iter().map(|entry| (entry.number, *entry.item)).collect();
        assert_eq!(items, [(4, "d"), (3, "c"), (2, "b")]);
        assert_eq!((ring.find(1).is_none(), ring.find(2).as_deref()), (true, Some(&"b")));
    }
}
