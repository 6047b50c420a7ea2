//! What uploads cost: exact figures.

use serde_json::{Value, json};
use tests::{Cost, Person, World};

use super::{
    avatars::photo,
    begins,
    images::{seen, uploads},
    pictures, put,
};

#[tokio::test]
async fn an_upload_costs_what_it_costs() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    world.settle().await;
    let photo = pictures::photo(60, 40, 1);
    let (ticket, begun) = world.cost_of(begins(&ann, "image/jpeg", photo.len() as u64)).await;
    is("POST /upload", &begun, (3, 0.0, 6.0));
    let (_, read) = world.cost_of(seen(&ann, &ticket)).await;
    is("GET /upload/{id}", &read, (2, 2.0, 0.0));
    assert_eq!(put(&ticket, "image/jpeg", photo).await, 200);
    let (_, twice) = world.cost_of(world.settle()).await;
    // The message comes a second time, which costs 1 RRU.
    is("a photo, looked at (job)", &twice, (4, 3.0, 3.0));
}

#[tokio::test]
async fn a_post_with_a_photo_costs_a_little_more() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let plain = post(&world, &ann, json!({ "content": "look" })).await;
    let upload = uploads(&world, &ann, "image/jpeg", pictures::photo(60, 40, 1)).await;
    let media = json!({ "content": "look", "media": [{ "id": upload["id"] }] });
    let first = post(&world, &ann, media.clone()).await;
    let again = post(&world, &ann, media).await;
    let more = |cost: &Cost| (cost.calls - plain.calls, cost.rru - plain.rru, cost.wru - plain.wru);
    assert_eq!(more(&first), (1, 1.0, 4.0), "its first post");
    assert_eq!(more(&again), (1, 1.0, 3.0), "another");
}

#[tokio::test]
async fn a_picture_of_a_profile_costs_what_its_chart_says() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let [first, second] = [photo(&world, &ann).await, photo(&world, &ann).await];
    let elsewhere = json!("https://example.com/a.png");
    let mut costs = Vec::new();
    for picture in [&elsewhere, &first["url"], &second["url"], &Value::Null] {
        let changes = ann.post("/auth/profile", json!({ "avatar": picture }));
        let cost = world.cost_of(changes).await.1;
        costs.push((cost.calls, cost.rru, cost.wru));
    }
    assert_eq!(costs, [(3, 1.0, 3.0), (4, 2.0, 8.0), (5, 3.0, 12.0), (4, 2.0, 8.0)]);
}

async fn post(world: &World, person: &Person, body: serde_json::Value) -> Cost {
    world.cost_of(person.posts(body)).await.1
}

#[track_caller]
fn is(what: &str, cost: &Cost, (calls, rru, wru): (u32, f64, f64)) {
    assert_eq!((cost.calls, cost.rru, cost.wru), (calls, rru, wru), "{what}: {cost:?}");
}
