//! Checks the AWS costs of uploads against `shared/keys.toml`.

use serde_json::{Value, json};
use tests::{Cost, PageServer, Person, World, check_cost};

use super::{
    avatars::photo,
    begins,
    copies::has_picture,
    images::{seen, uploads},
    pictures, put,
};

#[tokio::test]
async fn upload_requests_stay_within_their_cost_budgets() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.settle().await;
    let photo = pictures::photo(60, 40, 1);
    let begin = begins(&ann, "image/jpeg", photo.len() as u64);
    let ticket = world.budget("request an upload URL", begin).await;
    world.budget("an upload", seen(&ann, &ticket)).await;
    assert_eq!(put(&ticket, "image/jpeg", photo).await, 200);
    world.budget("process a photo, and its repeated message (job)", world.settle()).await;
}

#[tokio::test]
async fn posts_with_photos_stay_within_their_cost_budgets() {
    let (world, [ann]) = World::with(["ann"]).await;
    let plain = post(&world, &ann, json!({ "content": "look" })).await;
    let upload = uploads(&world, &ann, "image/jpeg", pictures::photo(60, 40, 1)).await;
    let media = json!({ "content": "look", "media": [{ "id": upload["id"] }] });
    let first = post(&world, &ann, media.clone()).await;
    let again = post(&world, &ann, media).await;
    check_cost("write a post with a new photo, more", &(first - plain.clone()));
    check_cost("write a post with a photo that another post shows, more", &(again - plain));
}

#[tokio::test]
async fn profile_picture_changes_stay_within_their_cost_budgets() {
    let settings = [("INNER_ADDRESSES", "allowed")];
    let (world, [ann]) = World::builder().settings(&settings).start_with(["ann"]).await;
    let server = PageServer::new().await;
    let [first, second] = [photo(&world, &ann).await, photo(&world, &ann).await];
    let elsewhere = has_picture(&server, "/ann");
    for (budget, picture) in [
        ("change a picture: the first own upload", &first["url"]),
        ("change a picture: one upload for another", &second["url"]),
        ("change a picture: none for an upload", &Value::Null),
        ("change a picture: a URL on another server", &elsewhere),
    ] {
        world.budget(budget, ann.post("/auth/profile", json!({ "avatar": picture }))).await;
    }
    world.budget("copy a picture, with repeated messages (jobs)", world.settle()).await;
}

async fn post(world: &World, person: &Person, body: Value) -> Cost {
    world.cost_of(person.posts(body)).await.1
}
