//! Uploads of files, and events of the video provider.

mod animations;
pub(crate) mod avatars;
mod copies;
mod costs;
mod formats;
mod frames;
pub(crate) mod images;
mod late;
pub(crate) mod pictures;
pub(crate) mod posts;
mod profiles;
pub(crate) mod sweep;
pub(crate) mod versions;
mod videos;

use domain::uploads::{Upload, UploadStatus};
use hmac::{Hmac, KeyInit, Mac};
use image::ImageFormat;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;
use tests::{Answer, Person, World, send};

use crate::{auth::rotation::rotate, kept::DataDirectory};

pub(crate) const SECRET: &str = "a secret of the video provider, long";

#[tokio::test]
async fn a_file_is_uploaded_to_the_returned_url() {
    let (world, [ann]) = World::with(["ann"]).await;
    let file = pictures::picture(4, 3, ImageFormat::Png);
    let ticket = begins(&ann, "image/png", file.len() as u64).await;
    let length = file.len().to_string();
    let headers = json!({ "content-length": length, "content-type": "image/png", "if-none-match": "*" });
    assert_eq!(ticket["headers"], headers);
    assert_eq!(ticket["expiresIn"], 900);
    assert_eq!(put(&ticket, "image/png", file).await, 200);
    world.settle().await;
    let read = reqwest::get(ticket["url"].as_str().unwrap()).await.unwrap();
    assert_eq!(read.headers()["content-type"], "image/jpeg");
    let image = image::load_from_memory(&read.bytes().await.unwrap()).unwrap();
    assert_eq!((image.width(), image.height()), (4, 3));
    let media = json!([{ "id": ticket["id"], "key": ticket["key"], "url": ticket["url"] }]);
    let post = ann.posts(json!({ "content": "look", "media": media })).await;
    assert_eq!(post.json["media"][0]["url"], ticket["url"]);
}

#[tokio::test]
async fn a_file_of_another_size_or_type_than_declared_is_refused() {
    let (world, [ann]) = World::with(["ann"]).await;
    let ticket = begins(&ann, "image/png", 5).await;
    assert_eq!(put(&ticket, "image/png", b"hello and more").await, 403);
    assert_eq!(put(&ticket, "image/png", b"hell").await, 403);
    assert_eq!(put(&ticket, "text/html", b"hello").await, 403);
    let url = ticket["uploadUrl"].as_str().unwrap();
    let unsigned = json!({ "uploadUrl": url.split('?').next().unwrap() });
    let elsewhere = json!({ "uploadUrl": url.replace(".png", ".jpg") });
    let longer = json!({ "uploadUrl": url.replace("X-Amz-Expires=900", "X-Amz-Expires=90000") });
    for ticket in [unsigned, elsewhere, longer, json!({ "uploadUrl": format!("{url}0") })] {
        assert_eq!(put(&ticket, "image/png", b"hello").await, 403, "{ticket}");
    }
    assert_eq!(status_of(&ticket["url"]).await, 404);
    world.advance(901).await;
    assert_eq!(put(&ticket, "image/png", b"hello").await, 403);
}

#[tokio::test]
async fn only_the_first_file_at_an_upload_url_is_shown() {
    let directory = DataDirectory::new("uploads");
    for world in [World::new().await, World::builder().data(&directory.0).start().await] {
        let ann = world.person("ann").await;
        let file = pictures::picture(4, 3, ImageFormat::Png);
        let other = vec![0; file.len()];
        let ticket = begins(&ann, "image/png", file.len() as u64).await;
        let puts = (0..5).map(|_| put(&ticket, "image/png", file.clone()));
        let statuses = futures::future::join_all(puts).await;
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert_eq!(put(&ticket, "image/png", other.clone()).await, 412);
        let unconditional = reqwest::Client::new().put(ticket["uploadUrl"].as_str().unwrap());
        let unconditional = unconditional.header("content-type", "image/png").body(other.clone());
        assert_eq!(unconditional.send().await.unwrap().status(), 403, "the URL requires if-none-match");
        world.settle().await;
        let shown = images::seen(&ann, &ticket).await;
        assert_eq!(shown["status"], "READY");
        // After processing, the URL accepts a second file, but that file is never shown.
        put(&ticket, "image/png", other).await;
        world.settle().await;
        assert_eq!(images::seen(&ann, &ticket).await, shown);
    }
}

#[tokio::test]
async fn an_upload_of_an_unsupported_size_or_type_is_refused() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mib = 1024 * 1024;
    for (kind, size, field) in [
        ("image/png", json!(10 * mib + 1), "size"),
        ("video/mp4", json!(200 * mib + 1), "size"),
        ("image/png", json!(0), "size"),
        ("image/png", json!(-1), "size"),
        ("image/svg+xml", json!(5), "contentType"),
        ("image/heic", json!(5), "contentType"),
        ("image/avif", json!(5), "contentType"),
        ("text/html", json!(5), "contentType"),
    ] {
        requests_upload(&ann, kind, size).await.invalid(field);
    }
    for (kind, size) in [("image/png", 10 * mib), ("video/mp4", 200 * mib)] {
        requests_upload(&ann, kind, json!(size)).await.ok();
    }
    world.anyone.post("/upload", json!({})).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn an_idempotent_retry_begins_one_upload() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let body = json!({ "filename": "a.png", "contentType": "image/png", "size": 5 });
    let first = ann.post_once("k", "/upload", body.clone()).await.ok();
    let again = ann.post_once("k", "/upload", body).await.ok();
    assert_eq!(json!([first.status, first.data()["key"]]), json!([201, again.data()["key"]]));
}

#[tokio::test]
async fn events_of_the_video_provider_update_the_upload_status() {
    let (world, [ann]) = World::builder().settings(&[("HLS_SECRET", SECRET)]).start_with(["ann"]).await;
    let ticket = begins(&ann, "video/mp4", 5).await;
    let ready = event("e1", "video.ready", &ticket, "ready");
    assert_eq!(calls_back(&world, &ready).await.ok().data(), &json!({ "handled": true }));
    let upload = stored(&world, &ticket).await;
    assert_eq!((upload.status, upload.duration), (UploadStatus::Ready, Some(12.5)));
    assert_eq!(upload.playback_url.as_deref(), Some("https://video.example/1.m3u8"));
    assert_eq!(calls_back(&world, &ready).await.ok().data(), &json!({ "handled": false }));
    calls_back(&world, &event("e0", "video.processing", &ticket, "processing")).await.ok();
    assert_eq!(stored(&world, &ticket).await.status, UploadStatus::Ready);
    for unknown in [json!({ "data": 7 }), json!({ "data": null }), json!({})] {
        let mut unknown = unknown;
        unknown["id"] = "e2".into();
        unknown["type"] = "player.opened".into();
        assert_eq!(calls_back(&world, &unknown).await.ok().data(), &json!({ "handled": false }));
    }
    let without_data = json!({ "id": "e6", "type": "video.ready" });
    calls_back(&world, &without_data).await.refused(400, "VALIDATION_FAILED");
    let unknown_upload = json!({ "key": "uploads/x/01KGB5T9G0A1B2C3D4E5F6G7H8.mp4" });
    calls_back(&world, &event("e3", "video.ready", &unknown_upload, "ready")).await.refused(404, "NOT_FOUND");
    let odd = event("e4", "video.ready", &ticket, "odd");
    calls_back(&world, &odd).await.refused(400, "VALIDATION_FAILED");
    let internal = event("e5", "video.ready", &ticket, "refused");
    calls_back(&world, &internal).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn an_invalid_event_of_the_video_provider_is_refused() {
    let (world, [ann]) = World::builder().settings(&[("HLS_SECRET", SECRET)]).start_with(["ann"]).await;
    let ticket = begins(&ann, "video/mp4", 5).await;
    let lasts = |duration: Value| {
        let mut event = event("e1", "video.ready", &ticket, "ready");
        event["data"]["duration"] = duration;
        event
    };
    for (bad, reason) in [
        (event("", "video.ready", &ticket, "ready"), "id: must have 1 to 200 characters"),
        (event("", "player.opened", &ticket, "ready"), "id: must have 1 to 200 characters"),
        (lasts(json!(-0.5)), "data.duration: must be at least 0"),
        (lasts(json!(-1)), "data.duration: must be at least 0"),
    ] {
        assert_eq!(calls_back(&world, &bad).await.refused(400, "VALIDATION_FAILED"), reason, "{bad}");
    }
    assert_eq!(stored(&world, &ticket).await.status, UploadStatus::Pending);
    for duration in [json!(0), Value::Null] {
        calls_back(&world, &lasts(duration)).await.ok();
    }
    assert_eq!(stored(&world, &ticket).await.duration, Some(0.0));
}

#[tokio::test]
async fn events_of_the_video_provider_need_a_fresh_signature() {
    let (world, [ann]) = World::builder().settings(&[("HLS_SECRET", SECRET)]).start_with(["ann"]).await;
    let ticket = begins(&ann, "video/mp4", 5).await;
    let body = event("e1", "video.ready", &ticket, "ready").to_string();
    let now = world.app().now().seconds();
    let good = |at: i64| sign(SECRET, at, &body);
    let wrong = sign("another secret", now, &body);
    for header in [
        None,
        Some(String::new()),
        Some("t=1".to_owned()),
        Some(format!("v1={}", good(now))),
        Some(format!("t={now}")),
        Some(format!("t={now},v1={wrong}")),
        Some(format!("t={now},v1=zz")),
        Some(format!("t={now},v0={}", good(now))),
        Some(format!("t={now},v1={}", &good(now)[..62])),
        Some(format!("t={},v1={}", now + 1, good(now))),
        Some(format!("t={},v1={}", now - 301, good(now - 301))),
        Some(format!("t={},v1={}", now + 301, good(now + 301))),
    ] {
        sends_webhook(&world, header.as_deref(), &body).await.refused(401, "UNAUTHORIZED");
    }
    assert_eq!(stored(&world, &ticket).await.status, UploadStatus::Pending);
    let rotating = format!("t={},v1={wrong},v1={}", now - 300, good(now - 300));
    sends_webhook(&world, Some(&rotating), &body).await.ok();
}

#[tokio::test]
async fn a_secret_rotation_loses_no_event_of_the_video_provider() {
    const NEW: &str = "the next secret of the video provider";
    let (world, [ann]) = World::builder().settings(&[("HLS_SECRET", SECRET)]).start_with(["ann"]).await;
    let ticket = begins(&ann, "video/mp4", 5).await;
    let ready = event("e1", "video.ready", &ticket, "ready");
    calls_back(&world, &ready).await.ok();
    rotate(&world, "hls-key", NEW).await;
    calls_back(&world, &ready).await.ok();
    let now = world.app().now().seconds();
    let signed = format!("t={now},v1={}", sign(NEW, now, &ready.to_string()));
    sends_webhook(&world, Some(&signed), &ready.to_string()).await.ok();
}

async fn requests_upload(person: &Person, kind: &str, size: Value) -> Answer {
    person.post("/upload", json!({ "filename": "a", "contentType": kind, "size": size })).await
}

/// Begins an upload of `size` bytes, and returns the response data with the upload URL.
pub(crate) async fn begins(person: &Person, kind: &str, size: u64) -> Value {
    let answer = requests_upload(person, kind, json!(size)).await.ok();
    assert_eq!(answer.status, 201);
    answer.data().clone()
}

/// Uploads a file to the upload URL in `ticket`, and returns the status.
pub(crate) async fn put(ticket: &Value, kind: &str, body: impl Into<Vec<u8>>) -> u16 {
    let request = reqwest::Client::new().put(ticket["uploadUrl"].as_str().unwrap());
    let request = request.header("content-type", kind).header("if-none-match", "*");
    request.body(body.into()).send().await.unwrap().status().as_u16()
}

/// Begins an upload, uploads the file, and returns the data of the upload.
pub(crate) async fn puts(person: &Person, kind: &str, file: &[u8]) -> Value {
    let ticket = begins(person, kind, file.len() as u64).await;
    assert_eq!(put(&ticket, kind, file).await, 200);
    ticket
}

/// Returns the status of the response to a GET request without sign-in.
pub(crate) async fn status_of(url: &Value) -> u16 {
    reqwest::get(url.as_str().unwrap()).await.unwrap().status().as_u16()
}

pub(crate) fn event(id: &str, kind: &str, ticket: &Value, status: &str) -> Value {
    let playback = "https://video.example/1.m3u8";
    let data = json!({ "key": ticket["key"], "status": status, "playbackUrl": playback, "duration": 12.5 });
    json!({ "id": id, "type": kind, "data": data })
}

pub(crate) async fn calls_back(world: &World, event: &Value) -> Answer {
    let (body, now) = (event.to_string(), world.app().now().seconds());
    sends_webhook(world, Some(&format!("t={now},v1={}", sign(SECRET, now, &body))), &body).await
}

pub(crate) async fn sends_webhook(world: &World, header: Option<&str>, body: &str) -> Answer {
    let request = world.anyone.request(Method::POST, "/api/v1/webhooks/hls").body(body.to_owned());
    send(header.into_iter().fold(request, |request, value| request.header("x-hls-signature", value))).await
}

/// Returns the hexadecimal HMAC-SHA256 of a time and a body.
pub(crate) fn sign(secret: &str, at: i64, body: &str) -> String {
    let key = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    hex::encode(key.chain_update(format!("{at}.{body}")).finalize().into_bytes())
}

/// Returns the stored row of an upload.
pub(crate) async fn stored(world: &World, ticket: &Value) -> Upload {
    sweep::row(world, ticket).await.unwrap()
}
