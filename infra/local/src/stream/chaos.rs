//! Delivers stream records twice and in a different order, as can happen after lost responses.
//!
//! Records with the same partition key keep their order, as on AWS. Repeated records can arrive after newer records.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use rand::{RngExt, rngs::StdRng, seq::IteratorRandom};

use super::{
    mapping::{Mapping, Step},
    record::Record,
    settling::{Settling, StreamReport},
};

impl Settling<'_> {
    /// Delivers all records twice: first in a random order without removing them, then in the normal order.
    pub(crate) async fn deliver_with_chaos(&mut self, random: &mut StdRng, report: &mut StreamReport) {
        for position in 0..self.streams.0.len() {
            let mapping = &self.streams.0[position];
            let count = mapping.backlog.len();
            deliver_unacknowledged(mapping, random, report).await;
            self.deliver_acknowledged(position, count, random, report).await;
        }
    }

    async fn deliver_acknowledged(
        &mut self,
        mapping: usize,
        mut left: usize,
        random: &mut StdRng,
        report: &mut StreamReport,
    ) {
        while left > 0 {
            let max = random.random_range(1..=self.streams.0[mapping].source.batch_size).min(left);
            let step = self.step(mapping, max, report).await;
            if step == Step::default() {
                return;
            }
            left = left.saturating_sub(step.done + step.given_up);
        }
    }
}

/// Delivers all records once without removing the records. Stops at the first failure.
async fn deliver_unacknowledged(mapping: &Mapping, random: &mut StdRng, report: &mut StreamReport) {
    let mut records = interleave(mapping.backlog.all(), random);
    while !records.is_empty() {
        let size = random.random_range(1..=mapping.source.batch_size).min(records.len());
        let batch: Vec<_> = records.drain(..size).collect();
        match mapping.call(&batch).await {
            Ok(done) => {
                report.delivered += done;
                report.failed += size - done;
                if done < size {
                    return;
                }
            }
            Err(error) => {
                tracing::error!(mapping = mapping.name, %error, "failed to process a batch of records");
                report.failed += size;
                return;
            }
        }
    }
}

/// Shuffles records, but keeps the order of records with the same partition key.
fn interleave(records: Vec<Arc<Record>>, random: &mut StdRng) -> Vec<Arc<Record>> {
    let mut partitions: BTreeMap<String, VecDeque<Arc<Record>>> = BTreeMap::new();
    for record in records {
        partitions.entry(record.partition.clone()).or_default().push_back(record);
    }
    let mut order = Vec::new();
    while let Some(partition) = partitions.keys().choose(random).cloned() {
        let next = partitions.get_mut(&partition).and_then(VecDeque::pop_front);
        match next {
            Some(record) => order.push(record),
            None => drop(partitions.remove(&partition)),
        }
    }
    order
}
