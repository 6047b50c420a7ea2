//! Stored memorials of dead circles. A day after the death, the rows of the circle are purged.

use serde_json::json;

use super::Past;
use crate::circles::{death::rows_of, hours};

#[tokio::test]
async fn stored_circles_in_the_museum_are_purged() {
    let past = Past::stored().await;
    stored_museum_entries_are_listed(&past).await;
    stored_dead_circles_are_purged_after_a_day(&past).await;
}

async fn stored_museum_entries_are_listed(past: &Past) {
    let ann = past.user("ann");
    let names = async |query: &str| ann.get(&format!("/museum{query}")).await.ok().column("circleName");
    assert_eq!(names("").await, ["Old lights", "Late birds", "First lights"]);
    assert_eq!(names("?sort=longestLived&take=2").await, ["Old lights", "Late birds"]);
    let stone = ann.get(&format!("/museum/{}", past.id("oldLights"))).await.ok().data().clone();
    assert_eq!(json!([stone["maxLevel"], stone["peakHp"], stone["featured"]]), json!([4, 950, true]));
    assert_eq!(stone["heroes"], json!([{ "userId": past.user("bob").public_id, "badgeType": "HERO" }]));
    assert_eq!(stone["topPostIds"], json!([past.known("oldLightsPost")]));
    assert_eq!(stone["topPosts"][0]["publicId"], json!(past.known("oldLightsPost")));
    assert_eq!(json!([stone["totalMembers"], stone["diedAt"]]), json!([2, "2026-01-01T07:00:14.000Z"]));
}

async fn stored_dead_circles_are_purged_after_a_day(past: &Past) {
    let (old, late) = (past.circle("oldLights"), past.circle("lateBirds"));
    assert!(!rows_of(&past.world, &old).await.is_empty());
    past.world.settle().await;
    assert_eq!(rows_of(&past.world, &old).await, [""; 0]);
    hours(&past.world, 1).await;
    assert!(!rows_of(&past.world, &late).await.is_empty(), "until 21:00");
}
