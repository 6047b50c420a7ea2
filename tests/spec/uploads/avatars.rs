//! Pictures of profiles and group chats. Replaced pictures are removed.

use image::ImageFormat;
use serde_json::{Value, json};
use tests::{Person, World};

use super::{
    images::uploads,
    pictures,
    sweep::{DAY, HOUR, is_shown, row, settle_and_advance, world_with_sweeps},
};
use crate::{
    deletion::runs_deletions,
    messages::{departs, id, makes},
};

#[tokio::test]
async fn earlier_posts_show_a_replaced_picture() {
    let world = world_with_sweeps().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let [first, second] = [photo(&world, &ann).await, photo(&world, &ann).await];
    for picture in [&first["url"], &first["sizes"]["small"]] {
        sets_avatar(&ann, picture).await;
    }
    let post = ann.writes("hello").await;
    sets_avatar(&ann, &second["url"]).await;
    ann.post("/auth/profile", json!({ "username": "anna", "avatar": null })).await.ok();
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    let bob = bob.signs_in().await;
    assert_eq!(bob.sees(&post).await["user"]["avatar"], first["sizes"]["small"]);
    for picture in [&first, &second] {
        check_kept(&world, picture).await;
    }
}

#[tokio::test]
async fn earlier_pictures_are_erased_with_the_account() {
    let (world, [ann]) = World::with(["ann"]).await;
    let pictures = [photo(&world, &ann).await, photo(&world, &ann).await];
    for picture in &pictures {
        sets_avatar(&ann, &picture["url"]).await;
    }
    ann.leaves().await;
    runs_deletions(&world).await;
    for picture in &pictures {
        check_removed(&world, picture).await;
    }
}

const FOREIGN_FILE: &str = "avatar: is the URL of a file that is not your picture";

#[tokio::test]
async fn the_api_document_limits_the_length_of_avatar_urls() {
    let document = World::new().await.anyone.get("/openapi.json").await.body;
    let schemas = &document["components"]["schemas"];
    for schema in ["ProfileChange", "GroupChange"] {
        assert_eq!(schemas[schema]["properties"]["avatar"]["maxLength"], 2048, "{schema}");
    }
}

#[tokio::test]
async fn an_avatar_url_in_the_bucket_must_be_an_own_picture() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let picture = photo(&world, &ann).await;
    let url = picture["url"].as_str().unwrap();
    for wrong in [format!("{url}r"), url.replace("/large", "/huge"), format!("{url}?a=1")] {
        ann.post("/auth/profile", json!({ "avatar": wrong })).await.invalid(FOREIGN_FILE);
    }
    bob.post("/auth/profile", json!({ "avatar": url })).await.invalid(FOREIGN_FILE);
    sets_avatar(&ann, &picture["url"]).await;
    sets_avatar(&ann, &ann.get("/auth/me").await.ok().data()["avatar"]).await;
}

#[tokio::test]
async fn a_group_chats_removed_picture_is_deleted() {
    let world = world_with_sweeps().await;
    let [ann, bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let crowd = format!("/message-group/{}", id(&makes(&ann, "crowd", &["bob", "cleo"]).await));
    let [first, second] = [photo(&world, &ann).await, photo(&world, &ann).await];
    for picture in [&first, &second] {
        ann.patch(&crowd, json!({ "avatar": picture["url"] })).await.ok();
    }
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    check_removed(&world, &first).await;
    check_kept(&world, &second).await;
    bob.signs_in().await.patch(&crowd, json!({ "name": "Runners", "avatar": null })).await.ok();
    settle_and_advance(&world, 2 * HOUR).await;
    check_removed(&world, &second).await;
}

#[tokio::test]
async fn a_group_chats_picture_is_deleted_with_the_group_chat() {
    let world = world_with_sweeps().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let crowd = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let picture = photo(&world, &ann).await;
    ann.patch(&format!("/message-group/{crowd}"), json!({ "avatar": picture["url"] })).await.ok();
    for user in [&ann, &bob, &cleo] {
        departs(user, &crowd).await.ok();
    }
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    check_removed(&world, &picture).await;
}

#[tokio::test]
async fn a_picture_is_removed_only_after_its_last_use() {
    let world = world_with_sweeps().await;
    let [ann, _bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let picture = photo(&world, &ann).await;
    let [first, second] = [crowd(&ann).await, crowd(&ann).await];
    let post = super::posts::shows(&ann, &picture).await;
    for crowd in [&first, &second] {
        ann.patch(crowd, json!({ "avatar": picture["url"] })).await.ok();
    }
    ann.deletes(&post).await;
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    check_kept(&world, &picture).await;
    ann.signs_in().await.patch(&first, json!({ "avatar": null })).await.ok();
    settle_and_advance(&world, 2 * HOUR).await;
    check_kept(&world, &picture).await;
    ann.signs_in().await.patch(&second, json!({ "avatar": null })).await.ok();
    settle_and_advance(&world, 2 * HOUR).await;
    check_removed(&world, &picture).await;
}

/// Creates a group chat, and returns its path.
pub(super) async fn crowd(owner: &Person) -> String {
    format!("/message-group/{}", id(&makes(owner, "crowd", &["bob", "cleo"]).await))
}

#[tokio::test]
async fn concurrent_group_picture_changes_remove_the_unused_picture() {
    let world = world_with_sweeps().await;
    let [ann, _bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let crowd = crowd(&ann).await;
    let pictures = [photo(&world, &ann).await, photo(&world, &ann).await];
    let changes = pictures.iter().map(async |picture| {
        ann.patch(&crowd, json!({ "avatar": picture["url"] })).await.ok();
    });
    futures::future::join_all(changes).await;
    let shown = ann.get(&crowd).await.ok().data()["avatar"].clone();
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    for picture in &pictures {
        assert_eq!(is_shown(picture).await, picture["url"] == shown);
    }
}

#[tokio::test]
async fn concurrent_avatar_changes_show_one_of_the_pictures() {
    let world = world_with_sweeps().await;
    let ann = world.person("ann").await;
    let pictures = [photo(&world, &ann).await, photo(&world, &ann).await];
    futures::future::join_all(pictures.iter().map(|picture| sets_avatar(&ann, &picture["url"]))).await;
    let me = ann.get("/auth/me").await.ok();
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    assert!(pictures.iter().any(|picture| picture["url"] == me.data()["avatar"]));
    for picture in &pictures {
        check_kept(&world, picture).await;
    }
}

#[tokio::test]
async fn a_file_can_be_the_picture_of_20_users_and_group_chats() {
    let (world, [ann, _bob, _cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let picture = json!({ "avatar": photo(&world, &ann).await["url"] });
    ann.post("/auth/profile", picture.clone()).await.ok();
    for number in 2..=21 {
        let crowd = format!("/message-group/{}", id(&makes(&ann, "crowd", &["bob", "cleo"]).await));
        let answer = ann.patch(&crowd, picture.clone()).await;
        match number {
            21 => answer.invalid("avatar: an upload can be the picture of at most 20"),
            _ => drop(answer.ok()),
        }
    }
}

pub(crate) async fn photo(world: &World, person: &Person) -> Value {
    uploads(world, person, "image/png", pictures::picture(9, 9, ImageFormat::Png)).await
}

pub(super) async fn sets_avatar(person: &Person, picture: &Value) {
    person.post("/auth/profile", json!({ "avatar": picture })).await.ok();
}

pub(super) async fn check_removed(world: &World, upload: &Value) {
    assert!(!is_shown(upload).await && row(world, upload).await.is_none());
}

pub(super) async fn check_kept(world: &World, upload: &Value) {
    assert!(is_shown(upload).await && row(world, upload).await.is_some());
}

#[tokio::test]
async fn an_avatar_can_be_given_as_an_upload_id() {
    let world = world_with_sweeps().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let picture = photo(&world, &ann).await;
    sets_avatar(&ann, &picture["id"]).await;
    let small = &picture["sizes"]["small"];
    assert_eq!(&ann.get("/auth/me").await.ok().data()["avatar"], small);
    assert_eq!(&bob.get("/user/ann").await.ok().data()["avatar"], small);
    // Other users cannot use the upload as their picture.
    bob.post("/auth/profile", json!({ "avatar": picture["id"] })).await.invalid("avatar: must be the ID of");
    let pending = super::begins(&ann, "image/png", 5).await;
    ann.post("/auth/profile", json!({ "avatar": pending["id"] })).await.refused(400, "VALIDATION_FAILED");
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    check_kept(&world, &picture).await;
}
