//! Persistence of a stream across restarts of the stack.

use local::{Options, Stack};

use super::{lambda::Lambda, options, outbox_row, state, table, write_outboxes};
use crate::kept::DataDirectory;

#[tokio::test]
async fn waiting_stream_records_survive_a_kill_of_the_stack() {
    let directory = DataDirectory::new("stream-waits");
    let lambda = Lambda::failing_at("2").await;
    let stack = start(&directory, &lambda).await;
    write_outboxes(&stack, "a", &["1", "2", "3"]).await;
    stack.settle(None).await.unwrap();
    drop(stack);

    let lambda = Lambda::succeeding().await;
    let stack = start(&directory, &lambda).await;
    assert_eq!(state(&stack).waiting, 2);
    write_outboxes(&stack, "a", &["4"]).await;
    assert_eq!(stack.settle(None).await.unwrap().stream.left, 0);
    assert_eq!(lambda.calls(), [["2", "3", "4"]]);
}

#[tokio::test]
async fn delivered_stream_records_are_removed_from_disk() {
    let directory = DataDirectory::new("stream-room");
    let lambda = Lambda::succeeding().await;
    let stack = start(&directory, &lambda).await;
    let (table, large) = (table(&stack), "x".repeat(100_000));
    for round in 0..10 {
        for row in 0..10 {
            outbox_row(&table, "a", &format!("{round}-{row}"), &large).send().await.unwrap();
        }
        stack.settle(None).await.unwrap();
    }
    let bytes = database_bytes(&directory);
    assert!(bytes < 4_000_000, "after 10 MB of records were delivered, the database still has {bytes} bytes");
}

async fn start(directory: &DataDirectory, lambda: &Lambda) -> Stack {
    Stack::start(Options { data: Some(directory.0.clone()), ..options(lambda) }).await.unwrap()
}

/// Returns the size of the stack's own database, in bytes.
fn database_bytes(directory: &DataDirectory) -> u64 {
    std::fs::metadata(directory.0.join("stack.sqlite")).unwrap().len()
}
