//! The links to an export, and the archives with the exported files.

use std::{collections::BTreeMap, io::Read};

use domain::uploads::key;
use image::ImageFormat;
use platform::table::Write;
use reqwest::{Client, redirect::Policy};
use serde_json::json;
use tar::Archive;
use tests::{Person, World};

use super::{
    DAY,
    export::{lines, requests_export, status},
};
use crate::{
    circles::writes,
    uploads::{
        images::{seen, uploads},
        pictures::{picture, see_through},
    },
};

/// Returns the URL to which a link redirects.
pub(super) async fn redirect_of(link: &str) -> String {
    let client = Client::builder().redirect(Policy::none()).no_proxy().build().unwrap();
    let answer = client.get(link).send().await.unwrap();
    assert_eq!(answer.status(), 307, "{link}");
    assert_eq!(answer.headers()["cache-control"], "no-store", "caches must not store the signed URL");
    answer.headers()["location"].to_str().unwrap().to_owned()
}

/// Downloads all archives of the export. Returns their files by name.
pub(super) async fn archived(user: &Person) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for link in status(user).await["files"].as_array().unwrap() {
        let archive = bytes(link.as_str().unwrap()).await;
        for entry in Archive::new(archive.as_slice()).entries().unwrap() {
            let (mut entry, mut file) = (entry.unwrap(), Vec::new());
            entry.read_to_end(&mut file).unwrap();
            files.insert(entry.path().unwrap().to_str().unwrap().to_owned(), file);
        }
    }
    files
}

async fn bytes(address: &str) -> Vec<u8> {
    reqwest::get(address).await.unwrap().error_for_status().unwrap().bytes().await.unwrap().to_vec()
}

async fn status_of(link: &str) -> u16 {
    reqwest::get(link).await.unwrap().status().as_u16()
}

#[tokio::test]
async fn an_export_contains_the_users_uploads_as_displayed() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let photo = uploads(&world, &ann, "image/jpeg", picture(900, 700, ImageFormat::Jpeg)).await;
    let drawing = uploads(&world, &ann, "image/webp", see_through(3, 3, ImageFormat::WebP)).await;
    let refused = uploads(&world, &ann, "image/png", b"no picture".to_vec()).await;
    let begun = json!({ "filename": "a.png", "contentType": "image/png", "size": 9 });
    ann.post("/upload", begun).await.ok();
    uploads(&world, &bob, "image/png", picture(5, 5, ImageFormat::Png)).await;
    assert_eq!(refused["status"], "REFUSED");
    requests_export(&ann).await;
    world.settle().await;
    let files = archived(&ann).await;
    assert_eq!(files.len(), 2, "{:?}", files.keys());
    for (upload, extension) in [(&photo, "jpg"), (&drawing, "webp")] {
        let name = format!("{}.{extension}", upload["id"].as_str().unwrap());
        let shown = bytes(upload["url"].as_str().unwrap()).await;
        assert!(files[&name] == shown, "{name}");
    }
    assert_eq!(lines(&ann).await.iter().filter(|line| line["kind"] == "upload").count(), 4);
}

#[tokio::test]
async fn an_export_without_uploads_has_no_archive() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    requests_export(&ann).await;
    world.settle().await;
    assert_eq!(status(&ann).await["files"], json!([]));
}

#[tokio::test]
async fn export_links_last_a_week_and_their_signed_urls_15_minutes() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    uploads(&world, &ann, "image/png", picture(8, 8, ImageFormat::Png)).await;
    requests_export(&ann).await;
    world.settle().await;
    let ready = status(&ann).await;
    assert_eq!(ready["expiresAt"], "2026-01-08T00:00:00.000Z");
    let links = [ready["url"].as_str().unwrap(), ready["files"][0].as_str().unwrap()];
    for link in links {
        let address = redirect_of(link).await;
        let unsigned = address.split('?').next().unwrap();
        assert_eq!(status_of(unsigned).await, 403, "the file cannot be read without a signature");
        world.advance(901).await;
        assert_eq!(status_of(&address).await, 403);
        assert_eq!(status_of(link).await, 200);
    }
    world.advance(7 * DAY - 2000).await;
    assert_eq!(status_of(links[0]).await, 200);
    world.advance(1000).await;
    assert_eq!(status_of(links[0]).await, 404);
    assert_eq!(status(&ann.signs_in().await).await, json!({ "status": "NONE" }));
}

#[tokio::test]
async fn a_forged_or_replaced_export_link_is_refused() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    for user in [&ann, &bob] {
        requests_export(user).await;
    }
    world.settle().await;
    let link = status(&ann).await["url"].as_str().unwrap().to_owned();
    let forged = [
        link.replace(".lines.", ".0."),
        link.replace(&ann.id, &bob.id),
        format!("{}A", &link[..link.len() - 1]),
        format!("{}.AAAA", link.rsplit_once('.').unwrap().0),
    ];
    for forged in forged.iter().filter(|forged| **forged != link) {
        assert_eq!(status_of(forged).await, 404, "{forged}");
    }
    world.advance(DAY).await;
    requests_export(&ann.signs_in().await).await;
    world.settle().await;
    assert_eq!(status_of(&link).await, 404, "the link of a replaced export is invalid");
}

#[tokio::test]
async fn an_export_skips_a_missing_file() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let kept = uploads(&world, &ann, "image/png", picture(8, 8, ImageFormat::Png)).await;
    let gone = uploads(&world, &ann, "image/png", picture(9, 9, ImageFormat::Png)).await;
    let id = gone["id"].as_str().unwrap().parse().unwrap();
    writes(&world, Write::update(key(id)).exists().set("key", "uploads/unknown/missing/large")).await;
    for upload in [&kept, &gone] {
        assert_eq!(seen(&ann, upload).await["status"], "READY");
    }
    requests_export(&ann).await;
    world.settle().await;
    let names: Vec<_> = archived(&ann).await.into_keys().collect();
    assert_eq!(names, [format!("{}.jpg", kept["id"].as_str().unwrap())]);
}

#[tokio::test]
async fn opening_an_export_link_matches_its_cost_budget() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    requests_export(&ann).await;
    world.settle().await;
    let link = status(&ann).await["url"].clone();
    world.budget("follow a link to an export", redirect_of(link.as_str().unwrap())).await;
}
