//! The local stream can deliver records twice and in random order. Other tests depend on this.

use std::collections::BTreeMap;

use local::Chaos;

use super::{lambda::Lambda, stack_with, write_outboxes};

#[tokio::test]
async fn duplicated_stream_records_keep_their_order_within_a_key() {
    let mut orders = Vec::new();
    for seed in 0..4 {
        let lambda = Lambda::succeeding().await;
        let stack = stack_with(&lambda, "BatchSize: 3").await;
        for round in ["1", "2", "3"] {
            for partition in ["a", "b", "c"] {
                write_outboxes(&stack, partition, &[format!("{partition}{round}").as_str()]).await;
            }
        }
        let report = stack.settle(Some(Chaos { seed })).await.unwrap().stream;
        assert_eq!((report.failed, report.given_up, report.left), (0, 0, 0));
        assert!(lambda.calls().iter().all(|call| call.len() <= 3));
        let delivered = lambda.calls().concat();
        let mut partitions = BTreeMap::<_, String>::new();
        for outbox in &delivered {
            *partitions.entry(outbox[..1].to_owned()).or_default() += &outbox[1..];
        }
        assert!(partitions.values().all(|order| order == "123123"), "{partitions:?}");
        orders.push(delivered);
    }
    orders.dedup();
    assert!(orders.len() > 1, "every seed delivers the partitions in the same order");
}
