//! What a network does to records: answers are lost, so that they come again, and other rows come in between.
//!
//! Records of one partition key keep their order, as on AWS; older ones come again after newer ones.

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
    /// Delivers what waits in another order and loses the answers; then delivers it until it is done.
    pub(crate) async fn mess_up(&mut self, random: &mut StdRng, report: &mut StreamReport) {
        for position in 0..self.streams.0.len() {
            let mapping = &self.streams.0[position];
            let waiting = mapping.backlog.waiting();
            in_vain(mapping, random, report).await;
            self.in_earnest(position, waiting, random, report).await;
        }
    }

    async fn in_earnest(
        &mut self,
        mapping: usize,
        mut left: usize,
        random: &mut StdRng,
        report: &mut StreamReport,
    ) {
        while left > 0 {
            let most = random.random_range(1..=self.streams.0[mapping].source.batch_size).min(left);
            let step = self.step(mapping, most, report).await;
            if step == Step::default() {
                return;
            }
            left = left.saturating_sub(step.done + step.given_up);
        }
    }
}

/// Delivers everything once, up to the first failure, as if no answer arrived.
async fn in_vain(mapping: &Mapping, random: &mut StdRng, report: &mut StreamReport) {
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
                tracing::error!(mapping = mapping.name, %error, "a batch of records failed");
                report.failed += size;
                return;
            }
        }
    }
}

/// Another order, but the same for records of one partition key.
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
