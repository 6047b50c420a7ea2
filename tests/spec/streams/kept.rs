//! Persistence of a stream across restarts of the stack.

use local::{Options, Stack};

use super::{lambda::Lambda, options, outbox_row, state, table, write_outboxes};

#[tokio::test]
async fn waiting_records_survive_a_kill_of_the_stack() {
    let directory = TempDirectory::new("stream-waits");
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
async fn delivered_records_are_removed_from_disk() {
    let directory = TempDirectory::new("stream-room");
    let lambda = Lambda::succeeding().await;
    let stack = start(&directory, &lambda).await;
    let (table, large) = (table(&stack), "x".repeat(100_000));
    for round in 0..10 {
        for row in 0..10 {
            outbox_row(&table, "a", &format!("{round}-{row}"), &large).send().await.unwrap();
        }
        stack.settle(None).await.unwrap();
    }
    assert!(directory.size() < 4_000_000, "{} bytes of 10 MB are left", directory.size());
}

async fn start(directory: &TempDirectory, lambda: &Lambda) -> Stack {
    Stack::start(Options { data: Some(directory.0.clone()), ..options(lambda) }).await.unwrap()
}

/// A directory that is deleted on drop.
struct TempDirectory(std::path::PathBuf);

impl TempDirectory {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("social-{name}-{}", std::process::id())))
    }

    /// Returns the size of the stack's own database, in bytes.
    fn size(&self) -> u64 {
        std::fs::metadata(self.0.join("stack.sqlite")).unwrap().len()
    }
}

impl Drop for TempDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
