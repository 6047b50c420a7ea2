//! The bucket keeps earlier versions of files, but the service deletes all versions of a file at once.

use std::time::Duration;

use domain::people::users::Role;
use http::Method;
use image::ImageFormat;
use platform::objects::Bucket;
use reqwest::Client;
use serde_json::{Value, json};
use tests::{Person, Post, World};

use super::{
    avatars::photo,
    begins,
    images::uploads,
    pictures, put, status_of,
    sweep::{DAY, EVIDENCE_SECONDS, HOUR, builder_with_sweeps, settle_and_advance},
    videos::mp4,
};
use crate::{
    admin::administrator,
    auth::second_factor::lost::later,
    deletion::{export::requests_export, runs_deletions},
    moderation::reports,
};

/// Returns the keys of all versions and delete markers that start with `prefix`.
pub(crate) async fn versions(world: &World, prefix: &str) -> Vec<String> {
    Bucket::of_uploads(&world.app()).unwrap().next_keys(prefix, "").await.unwrap()
}

/// Deletes a file, as an operator might do by mistake.
pub(crate) async fn deletes_file(world: &World, key: &str) {
    let app = world.app();
    let bucket = Bucket::of_uploads(&app).unwrap();
    let url = bucket.presign(Method::DELETE, key, &[], Duration::from_secs(60)).await.unwrap();
    assert_eq!(Client::new().delete(url).send().await.unwrap().status(), 204);
}

/// Deletes a file and writes it again, which adds a delete marker and a version.
async fn add_versions(world: &World, key: &str) {
    deletes_file(world, key).await;
    let app = world.app();
    Bucket::of_uploads(&app).unwrap().put(key, "image/jpeg", "another file".into()).await.unwrap();
}

/// Adds versions to each file of the upload. Returns the prefix of the files' keys.
async fn add_versions_of(world: &World, upload: &Value) -> String {
    let (folder, _) = upload["key"].as_str().unwrap().rsplit_once('/').unwrap();
    let keys = versions(world, folder).await;
    assert!(!keys.is_empty());
    for key in &keys {
        add_versions(world, key).await;
    }
    assert_eq!(versions(world, folder).await.len(), 3 * keys.len());
    folder.to_owned()
}

async fn shows(person: &Person, upload: &Value) -> Post {
    person.posts(json!({ "content": "look", "media": [{ "id": upload["id"] }] })).await
}

#[tokio::test]
async fn the_bucket_keeps_a_file_that_is_deleted_by_mistake() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let photo = photo(&world, &ann).await;
    let key = photo["key"].as_str().unwrap();
    deletes_file(&world, key).await;
    assert_eq!(status_of(&photo["url"]).await, 404);
    assert_eq!(versions(&world, key).await, [key, key]);
}

#[tokio::test]
async fn all_versions_of_an_original_are_deleted_after_its_processing() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let file = pictures::picture(9, 9, ImageFormat::Png);
    let ticket = begins(&ann, "image/png", file.len() as u64).await;
    assert_eq!(put(&ticket, "image/png", file.clone()).await, 200);
    let [source] = versions(&world, "incoming/").await.try_into().unwrap();
    deletes_file(&world, &source).await;
    assert_eq!(put(&ticket, "image/png", file).await, 200);
    assert_eq!(versions(&world, "incoming/").await.len(), 3);
    world.settle().await;
    assert!(versions(&world, "incoming/").await.is_empty());
    assert!(!versions(&world, "uploads/").await.is_empty());
}

#[tokio::test]
async fn all_versions_of_the_files_of_a_deleted_post_are_deleted() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let [photo, kept] = [photo(&world, &ann).await, photo(&world, &ann).await];
    let (post, _) = (shows(&ann, &photo).await, shows(&ann, &kept).await);
    let [folder, of_kept] = [add_versions_of(&world, &photo).await, add_versions_of(&world, &kept).await];
    ann.deletes(&post).await;
    world.settle().await;
    assert!(versions(&world, &folder).await.is_empty());
    assert!(!versions(&world, &of_kept).await.is_empty());
}

#[tokio::test]
async fn all_versions_of_evidence_are_deleted_after_30_days() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let photo = photo(&world, &ann).await;
    let post = shows(&ann, &photo).await;
    let folder = add_versions_of(&world, &photo).await;
    let report = reports(&bob, &post.id, json!({})).await;
    root.patch(&report, json!({ "action": "delete" })).await.ok();
    world.settle().await;
    assert!(versions(&world, &folder).await.is_empty());
    let evidence = versions(&world, "evidence/").await;
    assert!(!evidence.is_empty());
    for key in evidence {
        add_versions(&world, &key).await;
    }
    later(&world, EVIDENCE_SECONDS).await;
    assert!(versions(&world, "evidence/").await.is_empty());
}

#[tokio::test]
async fn all_versions_of_the_files_of_a_deleted_user_are_deleted() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let [photo, of_bob] = [photo(&world, &ann).await, photo(&world, &bob).await];
    let film = uploads(&world, &ann, "video/mp4", mp4()).await;
    shows(&ann, &photo).await;
    requests_export(&ann).await;
    world.settle().await;
    add_versions_of(&world, &photo).await;
    add_versions(&world, film["key"].as_str().unwrap()).await;
    for key in versions(&world, "exports/").await {
        add_versions(&world, &key).await;
    }
    ann.leaves().await;
    runs_deletions(&world).await;
    let (folder, _) = of_bob["key"].as_str().unwrap().rsplit_once('/').unwrap();
    let left = versions(&world, "").await;
    assert!(!left.is_empty() && left.iter().all(|key| key.starts_with(folder)), "{left:?}");
}

#[tokio::test]
async fn all_versions_of_an_unused_upload_are_deleted() {
    let world = builder_with_sweeps().start().await;
    let ann = world.person("ann").await;
    let photo = photo(&world, &ann).await;
    let folder = add_versions_of(&world, &photo).await;
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    assert!(versions(&world, &folder).await.is_empty());
}
