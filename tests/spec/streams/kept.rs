//! What of a stream outlives its stack.

use local::{Options, Stack};

use super::{laid, lambda::Lambda, lay, options, state, table};

#[tokio::test]
async fn waiting_records_survive_a_kill_of_the_stack() {
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
async fn delivered_records_are_removed_from_disk() {
    let place = Place::new("stream-room");
    let lambda = Lambda::willing().await;
    let stack = kept(&place, &lambda).await;
    let (table, large) = (table(&stack), "x".repeat(100_000));
    for round in 0..10 {
        for row in 0..10 {
            laid(&table, "a", &format!("{round}-{row}"), &large).send().await.unwrap();
        }
        stack.settle(None).await.unwrap();
    }
    assert!(place.size() < 4_000_000, "of 10 MB there are {}", place.size());
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
        std::fs::metadata(self.0.join("stack.sqlite")).unwrap().len()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
