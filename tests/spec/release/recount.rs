//! Stored counters match the rows that they count, before and after new changes.

use super::Past;
use crate::recounts::drifts;

#[tokio::test]
async fn stored_counters_equal_the_rows_that_they_count() {
    let past = Past::settled().await;
    assert_eq!(drifts(&past.world.app(), &[]).await, []);
    past.user("ann").likes(&past.post("edited")).await;
    past.user("gil").unfollows(&past.user("fay")).await;
    past.user("cleo").deletes(&past.post("deepReply")).await;
    past.world.settle_as(7).await;
    past.ticks().await;
    assert_eq!(drifts(&past.world.app(), &[]).await, []);
}
