//! Public lists of circles: new, active and dying.

use std::cell::Cell;

use serde_json::{Value, json};
use tests::{Person, World, check_cost};

use super::{Circle, UNKNOWN_ID, creates_circle, creates_circles, hours, posts::writes_in, without_ticks};
use crate::setup::ids_of_full_pages;

const DISCOVER: &str = "/circles/discover";

async fn names(world: &World, sort: &str) -> Vec<Value> {
    world.anyone.get(&format!("{DISCOVER}?sort={sort}")).await.ok().column("name")
}

async fn creates_circle_then_waits(world: &World, user: &Person, name: &str) -> Circle {
    let circle = creates_circle(user, name).await;
    world.advance(1).await;
    circle
}

#[tokio::test]
async fn circles_are_sorted_by_age_last_post_or_remaining_time() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    let [one, two, three] = [
        creates_circle_then_waits(&world, &ann, "one").await,
        creates_circle_then_waits(&world, &ann, "two").await,
        creates_circle_then_waits(&world, &ann, "three").await,
    ];
    assert_eq!(names(&world, "new").await, ["three", "two", "one"], "a new circle is listed immediately");
    writes_in(&ann, &one, "a text about reading in the evening").await.ok();
    three.gains(&world, -455, 0).await;
    world.advance(1).await;
    two.gains(&world, -470, 0).await;
    assert_eq!(names(&world, "dying").await, ["two", "three"], "a dying circle is listed immediately");
    hours(&world, 1).await;
    assert_eq!(names(&world, "new").await, ["three", "two", "one"]);
    assert_eq!(world.anyone.get(DISCOVER).await.ok().column("name"), ["three", "two", "one"]);
    assert_eq!(names(&world, "active").await, ["one", "three", "two"]);
    let ann = ann.signs_in().await;
    three.gains(&world, 200, 0).await;
    writes_in(&ann, &three, "another text about reading in the evening").await.ok();
    assert_eq!(names(&world, "dying").await, ["two"], "a saved circle is no longer listed");
    hours(&world, 1).await;
    assert_eq!(names(&world, "active").await, ["three", "one", "two"]);
    hours(&world, 1).await;
    assert_eq!(names(&world, "dying").await, [] as [&str; 0], "two is dead");
    assert_eq!(names(&world, "new").await, ["three", "one"]);
    assert_eq!(names(&world, "active").await, ["three", "one"]);
}

#[tokio::test]
async fn public_lists_of_circles_do_not_reveal_members() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    creates_circle(&ann, "Night readers").await;
    hours(&world, 1).await;
    let ann = ann.signs_in().await;
    let [own, all] = [ann.get(DISCOVER).await.ok(), world.anyone.get(DISCOVER).await.ok()];
    assert_eq!(own.body, all.body);
    assert_eq!(json!([own.rows()[0]["role"], own.rows()[0]["membersCount"]]), json!([null, 1]));
}

#[tokio::test]
async fn any_listed_circle_is_a_valid_cursor() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    let mut circles = Vec::new();
    for name in ["one", "two", "three"] {
        let circle = creates_circle_then_waits(&world, &ann, name).await;
        circle.gains(&world, -470, 0).await;
        circles.push(circle);
    }
    let below = async |sort: &str, of: &Circle| {
        let path = format!("{DISCOVER}?sort={sort}&after={}", of.id);
        world.anyone.get(&path).await.ok().column("name")
    };
    for sort in ["new", "active"] {
        assert_eq!(below(sort, &circles[1]).await, ["one"], "{sort}");
    }
    assert_eq!(below("dying", &circles[1]).await, names(&world, "dying").await[2..]);
}

#[tokio::test]
async fn pages_of_circles_are_full_and_list_each_circle_once() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    let circles = creates_circles(&world, &ann, 25).await;
    for (number, circle) in circles.iter().enumerate() {
        circle.gains(&world, -455 - number as i64, 0).await;
    }
    hours(&world, 1).await;
    for sort in ["new", "active", "dying"] {
        let path = format!("{DISCOVER}?sort={sort}");
        let mut seen = world.anyone.all_in_full_pages(&path, 7, "publicId").await;
        let mut all: Vec<_> = circles.iter().map(|circle| json!(circle.id)).collect();
        match sort {
            "dying" => seen.sort_by_key(Value::to_string),
            _ => all.reverse(),
        }
        assert_eq!(seen, all, "{sort}");
    }
    for query in ["sort=best", "after=nonsense", &format!("after={UNKNOWN_ID}"), "take=0"] {
        world.anyone.get(&format!("{DISCOVER}?{query}")).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn dying_circles_keep_their_order_while_pages_are_read() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    let circles = creates_circles(&world, &ann, 12).await;
    for (number, circle) in circles.iter().enumerate() {
        circle.gains(&world, -451 - 3 * number as i64, 0).await;
    }
    let all = world.anyone.get(&format!("{DISCOVER}?sort=dying")).await.ok().column("publicId");
    assert_eq!(all.len(), 12);
    let pages = Cell::new(0);
    let changes = async || match pages.replace(pages.get() + 1) {
        0 => hours(&world, 1).await,
        _ => circles[0].gains(&world, 400, 0).await,
    };
    let seen = ids_of_full_pages(&world.anyone, &format!("{DISCOVER}?sort=dying"), 5, changes).await;
    let left: Vec<_> =
        all.into_iter().filter(|id| seen.contains(id) || *id != json!(circles[0].id)).collect();
    assert_eq!(seen, left, "the first circle was saved before its page was read");
}

#[tokio::test]
async fn a_page_of_circles_costs_the_same_with_many_circles() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    let mut first = None;
    for _ in 0..2 {
        for circle in creates_circles(&world, &ann, 140).await {
            circle.gains(&world, -460, 0).await;
        }
        hours(&world, 1).await;
        let mut costs = Vec::new();
        for sort in ["new", "active", "dying"] {
            let path = format!("{DISCOVER}?sort={sort}");
            let (page, cost) = world.cost_of(world.anyone.get(&path)).await;
            assert_eq!(page.ok().rows().len(), 20);
            check_cost("discover circles", &cost);
            costs.push(cost);
        }
        assert_eq!(first.get_or_insert(costs.clone()), &costs);
    }
}
