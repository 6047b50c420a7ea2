//! Uploads in posts. Authors can use only their own uploads, and posts show an upload after its processing.

use std::collections::HashSet;

use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};

use super::{
    begins, calls_back, event,
    images::{seen, uploads},
    pictures, put, puts,
    videos::mp4_without_metadata,
};

#[tokio::test]
async fn a_post_shows_a_ready_photo() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let upload = uploads(&world, &ann, "image/jpeg", pictures::photo(60, 40, 6)).await;
    let media = json!([{ "id": upload["id"], "alt": "A red quarter" }]);
    let post = ann.posts(json!({ "content": "look", "media": media })).await;
    let shown = json!([{
        "id": upload["id"], "key": upload["key"], "url": upload["url"], "still": null, "status": "READY",
        "type": "image/jpeg",
        "width": 40, "height": 60, "blurhash": upload["blurhash"], "alt": "A red quarter",
    }]);
    assert_eq!(post.json["media"], shown);
    assert_eq!(bob.sees(&post).await["media"], shown);
    let again = ann.posts(json!({ "content": "look again", "media": shown })).await;
    assert_eq!(again.json["media"], shown);
    let draft = ann.post("/me/drafts", json!({ "content": "later", "media": shown })).await.ok();
    let path = format!("/me/drafts/{}", draft.data()["id"].as_str().unwrap());
    world.advance(1).await;
    assert_eq!(ann.patch(&path, json!({ "media": shown })).await.ok().data(), draft.data());
}

#[tokio::test]
async fn earlier_posts_show_a_photo_after_its_processing() {
    let (world, [ann]) = World::with(["ann"]).await;
    let photo = pictures::photo(60, 40, 1);
    let ticket = begins(&ann, "image/jpeg", photo.len() as u64).await;
    let body = || with(&[&ticket]);
    let post = ann.posts(body()).await;
    let answers = [
        ann.post(&post.path("/reply"), body()).await.ok(),
        ann.post(&post.path("/quote"), body()).await.ok(),
    ];
    let posts: Vec<_> = [post].into_iter().chain(answers.iter().map(Post::of)).collect();
    for post in &posts {
        let media = &ann.sees(post).await["media"][0];
        assert_eq!(json!([media["status"], media["url"]]), json!(["PENDING", null]));
        assert_eq!(json!([media["type"], media["width"]]), json!([null, null]));
    }
    assert_eq!(put(&ticket, "image/jpeg", photo).await, 200);
    world.settle().await;
    for post in &posts {
        let media = &ann.sees(post).await["media"][0];
        assert_eq!(json!([media["status"], media["url"]]), json!(["READY", ticket["url"]]));
        assert_eq!(json!([media["type"], media["width"]]), json!(["image/jpeg", 60]));
    }
}

#[tokio::test]
async fn photos_that_are_processed_concurrently_are_all_shown() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut tickets = Vec::new();
    for _ in 0..4 {
        tickets.push(begins(&ann, "image/jpeg", pictures::photo(20, 20, 1).len() as u64).await);
    }
    let post = ann.posts(with(&tickets.iter().collect::<Vec<_>>())).await;
    for ticket in &tickets {
        assert_eq!(put(ticket, "image/jpeg", pictures::photo(20, 20, 1)).await, 200);
    }
    world.settle().await;
    let media = ann.sees(&post).await["media"].clone();
    let shown: Vec<_> = media.as_array().unwrap().iter().map(|item| [&item["id"], &item["status"]]).collect();
    let ready = json!("READY");
    let expected: Vec<_> = tickets.iter().map(|ticket| [&ticket["id"], &ready]).collect();
    assert_eq!(shown, expected, "a post shows its files in the given order");
}

#[tokio::test]
async fn a_post_written_during_processing_shows_its_photo() {
    let (world, [ann]) = World::with(["ann"]).await;
    for round in 0..4 {
        let ticket = puts(&ann, "image/jpeg", &pictures::photo(20, 20, 1)).await;
        let (_, post) = tokio::join!(world.settle_as(round), ann.posts(with(&[&ticket])));
        world.settle().await;
        assert_eq!(ann.sees(&post).await["media"][0]["status"], "READY");
    }
}

#[tokio::test]
async fn a_post_shows_that_its_photo_was_refused() {
    let (world, [ann]) = World::with(["ann"]).await;
    let ticket = begins(&ann, "image/png", 5).await;
    let post = ann.posts(with(&[&ticket])).await;
    assert_eq!(put(&ticket, "image/png", b"hello".to_vec()).await, 200);
    world.settle().await;
    let media = &ann.sees(&post).await["media"][0];
    assert_eq!(json!([media["status"], media["url"]]), json!(["REFUSED", null]));
    let again = ann.post("/posts", with(&[&ticket])).await;
    assert_eq!(again.refused(400, "VALIDATION_FAILED"), "media: must be uploads that were not refused");
}

#[tokio::test]
async fn a_post_accepts_only_its_authors_uploads() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let ticket = begins(&ann, "image/png", 5).await;
    let own = begins(&bob, "image/png", 5).await;
    let post = bob.writes("hello").await;
    let unknown_upload = json!({ "id": crate::routes::UNKNOWN_ID });
    for path in ["/posts".to_owned(), post.path("/reply"), post.path("/quote")] {
        for (files, field) in [
            (vec![&ticket], "media[0].id"),
            (vec![&own, &ticket], "media[1].id"),
            (vec![&unknown_upload], "media[0].id"),
            (vec![&own, &own], "media"),
        ] {
            bob.post(&path, with(&files)).await.invalid(&format!("{field}: must"));
        }
    }
    let key = json!([{ "id": own["id"], "key": ticket["key"] }]);
    let answer = bob.post("/posts", json!({ "content": "mine", "media": key })).await;
    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "media[0].key: must match the upload");
    let elsewhere = json!([{ "id": own["id"], "url": "https://elsewhere.example/x.png" }]);
    let post = bob.posts(json!({ "content": "mine", "media": elsewhere })).await;
    assert_eq!(post.json["media"][0]["key"], own["key"], "the client's URL is ignored");
    assert!(!post.json.to_string().contains("elsewhere"));
}

#[tokio::test]
async fn an_alternative_text_has_at_most_1500_characters() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let ticket = begins(&ann, "image/png", 5).await;
    let media = |alt: &str| json!({ "content": "look", "media": [{ "id": ticket["id"], "alt": alt }] });
    let post = ann.posts(media(&"ế".repeat(1500))).await;
    assert_eq!(ann.sees(&post).await["media"][0]["alt"], "ế".repeat(1500));
    let answer = ann.post("/posts", media(&"x".repeat(1501))).await;
    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "media[0].alt: must have at most 1500 characters");
}

#[tokio::test]
async fn a_photo_is_shown_despite_a_worker_crash() {
    for crash in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer] {
        for pass in 0..2 {
            let (world, [ann]) = World::with(["ann"]).await;
            let photo = pictures::photo(60, 40, 1);
            let ticket = begins(&ann, "image/jpeg", photo.len() as u64).await;
            let post = ann.posts(with(&[&ticket])).await;
            world.settle().await;
            assert_eq!(put(&ticket, "image/jpeg", photo.clone()).await, 200);
            world.faults.plan("UpdateItem", crash, pass, 1);
            world.settle().await;
            assert_eq!(world.faults.calm(), 1, "{crash:?} after {pass}");
            assert_eq!(seen(&ann, &ticket).await["status"], "READY");
            assert_eq!(ann.sees(&post).await["media"][0]["url"], ticket["url"]);
            assert_eq!(put(&ticket, "image/jpeg", photo).await, 200, "the file is gone");
        }
    }
}

#[tokio::test]
async fn posts_show_a_video_and_its_provider_status() {
    let world = World::builder().settings(&[("HLS_SECRET", super::SECRET)]).start().await;
    let ann = world.person("ann").await;
    let film = mp4_without_metadata();
    let ticket = begins(&ann, "video/mp4", film.len() as u64).await;
    let post = ann.posts(with(&[&ticket])).await;
    assert_eq!(put(&ticket, "video/mp4", film.clone()).await, 200);
    world.settle().await;
    let media = &ann.sees(&post).await["media"][0];
    assert_eq!(json!([media["status"], media["type"]]), json!(["PROCESSING", "video/mp4"]));
    let shown = reqwest::get(media["url"].as_str().unwrap()).await.unwrap();
    assert_eq!(shown.headers()["content-type"], "video/mp4");
    assert_eq!(shown.bytes().await.unwrap(), film);
    calls_back(&world, &event("e1", "video.ready", &ticket, "ready")).await.ok();
    world.settle().await;
    assert_eq!(ann.sees(&post).await["media"][0]["status"], "READY");
    let upload = seen(&ann, &ticket).await;
    assert_eq!(json!([upload["status"], upload["duration"]]), json!(["READY", 12.5]));
    assert_eq!(upload["playbackUrl"], "https://video.example/1.m3u8");
}

#[tokio::test]
async fn a_file_can_be_in_at_most_20_posts() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let ticket = begins(&ann, "image/png", 5).await;
    for _ in 0..20 {
        ann.posts(with(&[&ticket])).await;
    }
    ann.post("/posts", with(&[&ticket])).await.invalid("media: an upload can be in at most 20 posts");
}

#[tokio::test]
async fn an_idempotent_retry_of_a_post_uses_a_file_once() {
    let (world, [ann]) = World::with(["ann"]).await;
    let ticket = begins(&ann, "image/png", 5).await;
    let requests = (0..3).map(|_| ann.post_once("k", "/posts", with(&[&ticket])));
    let answers = futures::future::join_all(requests).await;
    let ids: HashSet<_> = answers
        .into_iter()
        .filter(|answer| answer.status == 201)
        .map(|answer| Post::of(&answer).id)
        .collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(super::stored(&world, &ticket).await.posts.len(), 1);
}

/// Returns the body of a post with these files.
pub(super) fn with(tickets: &[&Value]) -> Value {
    let media: Vec<_> = tickets.iter().map(|ticket| json!({ "id": ticket["id"] })).collect();
    json!({ "content": "look", "media": media })
}

/// Writes a post with a file.
pub(crate) async fn shows(person: &Person, ticket: &Value) -> Post {
    person.posts(with(&[ticket])).await
}
