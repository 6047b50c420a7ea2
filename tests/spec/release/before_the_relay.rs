//! What was stored by code that committed and then sent: nothing of it waits for a message that no relay brings.

use platform::table::Query;
use serde_json::json;
use tests::Release;

use super::{AnyRow, Past};

/// The release that had no outboxes.
const NAME: &str = "1";

#[tokio::test]
async fn its_messages_are_still_worked_on_and_its_news_announced() {
    let past = Past::of(&Release::read(NAME)).await;
    let news = Query::partition("NEWS").consistent();
    let app = past.world.app();
    assert!(
        !app.table.query::<AnyRow>(&news).await.unwrap().is_empty(),
        "a tick could not tell of what it flushed"
    );
    let (_, cost) = past.world.cost_of(past.ticks()).await;
    assert!(cost.announcements >= 2, "how many, and whose: {cost:?}");
    let left = app.table.query::<AnyRow>(&news).await.unwrap();
    assert!(left.iter().all(|it| it.sk == "COUNT"), "each is announced, and taken away");
    let cleo = past.who("cleo");
    let liked = cleo.sees(&past.post("liked")).await;
    assert_eq!(past.who("dan").sees(&past.post("liked")).await["isLiked"], true);
    let dans = past.who("dan").sees(&past.post("liked")).await;
    assert_eq!(liked["likesCount"], dans["likesCount"], "his like is counted for all");
    let found = cleo.get("/search?q=brought&type=post").await.ok();
    assert_eq!(found.column("publicId"), [json!(past.id("unbrought"))]);
}

#[tokio::test]
async fn a_condition_that_a_drain_left_unpublished_is_published() {
    let past = Past::of(&Release::read(NAME)).await;
    past.world.settle().await;
    let circle = past.circle("readers");
    let energy = platform::table::Key::new(format!("CIRCLE#{}", circle.id), "ENERGY");
    let untold = platform::table::Write::update(energy.clone())
        .set("untold", json!({ "stage": "Healthy", "level": 1 }));
    let due = platform::table::Key::new("DUE#DRAIN#0", "2026-01-01T00:00:00.000Z#0");
    let app = past.world.app();
    app.table.write(untold.index_key(platform::table::Index::Gsi3, Some(due))).await.unwrap();
    past.sends("circle-drain", &json!({ "job": "page", "shard": 0, "after": null })).await;
    let (_, cost) = past.world.cost_of(past.world.settle()).await;
    assert!(cost.announcements >= 1, "{cost:?}");
    let (_, cost) = past.world.cost_of(past.world.settle()).await;
    assert_eq!(cost.announcements, 0);
}
