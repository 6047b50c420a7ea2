//! The museum of dead circles.

use domain::circles::museum::Stone;
use platform::table::Write;
use serde_json::json;
use tests::World;

use crate::routes::UNKNOWN_ID;

/// Adds the memorial of a dead circle to the museum.
async fn add_stone(world: &World, name: &str, lived_days: i64, featured: bool) {
    let app = world.app();
    let stone = Stone {
        public_id: app.ids.next(app.now()),
        circle_name: name.to_owned(),
        summary: "It was fun.".to_owned(),
        peak_hp: 500,
        lived_days,
        max_level: if featured { 4 } else { 1 },
        total_members: 3,
        top_post_ids: Vec::new(),
        top_posts: Vec::new(),
        heroes: Vec::new(),
        featured,
        died_at: app.now(),
    };
    app.table.write(Write::create(&stone)).await.unwrap();
    world.advance(1).await;
}

#[tokio::test]
async fn the_museum_refuses_unknown_ids_and_invalid_queries() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let empty = json!({ "success": true, "data": [], "pagination": { "hasMore": false, "after": null } });
    assert_eq!(ann.get("/api/v1/museum").await.ok().body, empty);
    for id in [UNKNOWN_ID, "nonsense"] {
        ann.get(&format!("/museum/{id}")).await.refused(404, "NOT_FOUND");
    }
    for query in ["sort=oldest", "take=0", "after=x", &format!("after={UNKNOWN_ID}")] {
        ann.get(&format!("/museum?{query}")).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn featured_memorials_come_first_in_both_sort_orders() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (name, days, featured) in
        [("a", 9, false), ("b", 5, true), ("c", 2, false), ("d", 7, true), ("e", 30, false)]
    {
        add_stone(&world, name, days, featured).await;
    }
    for (sort, order) in [("recent", ["d", "b", "e", "c", "a"]), ("longestLived", ["d", "b", "e", "a", "c"])]
    {
        let (mut listed, mut after) = (Vec::new(), String::new());
        loop {
            let page = ann.get(&format!("/museum?sort={sort}&limit=2{after}")).await.ok();
            listed.extend(page.column("circleName"));
            let Some(next) = page.after() else { break };
            after = format!("&cursor={next}");
        }
        assert_eq!(listed, order, "{sort}");
    }
    let first = ann.get("/museum?take=1").await.ok().column("publicId")[0].clone();
    let item = ann.get(&format!("/museum/{}", first.as_str().unwrap())).await.ok();
    assert_eq!((&item.data()["circleName"], &item.data()["peakHp"]), (&json!("d"), &json!(500)));
}
