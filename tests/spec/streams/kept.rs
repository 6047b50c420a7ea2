//! What of a stream outlives its stack.

use local::{Options, Stack};

use super::{
    lambda::{Lambda, Reply},
    lay, options, state,
};

#[tokio::test]
async fn records_that_wait_are_there_after_a_stack_that_was_not_stopped() {
    let place = Place::new("stream-waits");
    let lambda = Lambda::failing_at("2").await;
    let stack = kept(&place, &lambda).await;
    lay(&stack, "a", &["1", "2", "3"]).await;
    stack.settle(None).await.unwrap();
    drop(stack);

    let lambda = Lambda::willing().await;
    let stack = kept(&place, &lambda).await;
    assert_eq!(state(&stack).waiting, 2);
    lay(&stack, "a", &["4"]).await;
    assert_eq!(stack.settle(None).await.unwrap().stream.left, 0);
    assert_eq!(lambda.calls(), [["2", "3", "4"]]);
}

#[tokio::test]
async fn what_is_done_takes_no_room_on_disk() {
    let place = Place::new("stream-room");
    let lambda = Lambda::new(|_| Reply::Done).await;
    let stack = kept(&place, &lambda).await;
    let mut sizes = Vec::new();
    for round in 0..4 {
        let large = "x".repeat(100_000);
        let outboxes: Vec<_> = (0..20).map(|it| format!("{round}-{it}-{large}")).collect();
        for outbox in &outboxes {
            super::laid(&super::table(&stack), "a", &outbox[..6], outbox).send().await.unwrap();
        }
        stack.settle(None).await.unwrap();
        sizes.push(place.size());
    }
    assert!(sizes[3] <= sizes[1] + 1_000_000, "it grew: {sizes:?}");
}

async fn kept(place: &Place, lambda: &Lambda) -> Stack {
    Stack::start(Options { data: Some(place.0.clone()), ..options(lambda) }).await.unwrap()
}

/// A directory that is gone after the test.
struct Place(std::path::PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("social-{name}-{}", std::process::id())))
    }

    /// How much the stack keeps beside its table.
    fn size(&self) -> u64 {
        let files = std::fs::read_dir(&self.0).unwrap().map(|it| it.unwrap());
        let stacks = files.filter(|it| it.file_name().to_string_lossy().starts_with("stack.sqlite"));
        stacks.map(|it| it.metadata().unwrap().len()).sum()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
