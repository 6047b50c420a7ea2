//! The lives of two circles: a CPR saves one circle, and the other dies.

use serde_json::json;
use tests::{Person, World};

use super::{
    Circle,
    cpr::{begins, post_of},
    creates_circle,
    critic::{judged_world, text},
    death::rows_of,
    hours, joins,
    posts::{comments, writes_in},
};

async fn stage(world: &World, circle: &Circle) -> (i64, String) {
    let energy = circle.energy(world).await;
    (energy["current"].as_i64().unwrap(), energy["stage"].as_str().unwrap().to_owned())
}

/// Makes each user write five posts, which are judged with score 9. `batch` makes the texts unique.
async fn writes_good_posts(world: &World, circle: &Circle, people: &[&Person], batch: usize) {
    for person in people {
        let person = person.signs_in().await;
        for post in 0..5 {
            writes_in(&person, circle, &text(9, format!("{batch} {} {post}", person.name))).await.ok();
        }
    }
    world.settle().await;
}

#[tokio::test]
async fn a_cpr_saves_one_circle_and_a_neglected_circle_dies() {
    let (world, [ann, bob, cleo]) = judged_world(["ann", "bob", "cleo"]).await;
    let saved = creates_circle(&ann, "Night readers").await;
    let lost = creates_circle(&cleo, "Forgotten").await;
    joins(&bob, &saved, &ann).await;
    assert_eq!(stage(&world, &saved).await, (500, "Healthy".to_owned()));
    hours(&world, 3).await;
    assert_eq!(stage(&world, &saved).await, (470, "Healthy".to_owned()));

    writes_good_posts(&world, &saved, &[&ann, &bob], 0).await;
    assert_eq!(saved.hp_and_exp(&world).await, (500, 105), "10 posts, and bob's join");
    hours(&world, 1).await;
    writes_good_posts(&world, &saved, &[&ann, &bob], 1).await;
    let energy = saved.energy(&world).await;
    assert_eq!(json!([energy["level"], energy["exp"], energy["max"]]), json!([2, 205, 650]));
    assert_eq!(energy["current"], 505, "HP was limited to 500, the maximum of level 1, until the tenth post");
    assert_eq!(energy["drainRate"], 9);

    let mut stages = Vec::new();
    while stage(&world, &saved).await.1 != "Dying" {
        let (hp, stage) = stage(&world, &saved).await;
        assert_eq!(stage, if hp * 100 > 30 * 650 { "Healthy" } else { "Sick" }, "{hp}");
        begins(&ann.signs_in().await, &saved, 5).await.refused(400, "VALIDATION_FAILED");
        // Advances by several hours at once, except near the end.
        let hours_ahead = if hp > 127 { 7 } else { 1 };
        world.advance_and_settle(hours_ahead * 3600).await;
        stages.push(stage);
    }
    stages.dedup();
    assert_eq!(stages, ["Healthy", "Sick"]);
    assert_eq!(stage(&world, &saved).await.0, 64, "505 - 49 x 9: below 10% of 650");

    assert_eq!(world.anyone.get(&lost.path("")).await.status, 404, "500 HP last 50 hours");
    let memorials = cleo.signs_in().await.get("/museum").await.ok();
    assert_eq!(memorials.column("circleName"), ["Forgotten"]);
    assert_eq!(memorials.rows()[0]["diedAt"], "2026-01-03T02:00:00.000Z");

    let post = post_of(&begins(&ann.signs_in().await, &saved, 5).await.ok());
    hours(&world, 3).await;
    for (person, written) in [(&ann, 3), (&bob, 2)] {
        let person = person.signs_in().await;
        for salt in 0..written {
            comments(&person, &saved, &post, &text(8, format!("{} {salt}", person.name))).await;
        }
    }
    world.settle().await;
    assert_eq!(stage(&world, &saved).await, (325, "Healthy".to_owned()));

    assert!(!rows_of(&world, &lost).await.is_empty());
    world.advance_and_settle(17 * 3600).await;
    assert!(!rows_of(&world, &lost).await.is_empty(), "the rows of a dead circle are kept for 24 hours");
    hours(&world, 3).await;
    assert_eq!(rows_of(&world, &lost).await, [""; 0]);
    let memorials = cleo.signs_in().await.get("/museum").await.ok();
    assert_eq!(memorials.column("circleName"), ["Forgotten"]);
    assert_eq!(stage(&world, &saved).await.1, "Sick");
}
