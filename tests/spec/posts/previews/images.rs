//! The images of previews. Readers get copies, so that the servers of the pages learn nothing about the readers.

use domain::jobs::OutboundJob;
use futures::future::join_all;
use image::ImageFormat;
use platform::outbox::outbox_record_write;
use serde_json::{Value, json};
use tests::{Fault, PageServer, Person, Post, World, check_cost};

use super::PRIVATE_URLS;
use crate::{
    circles::{creates_circle, posts::writes_in},
    uploads::{pictures, status_of, sweep},
    workers::put,
};

const PAGE: &str = r#"<head><title>A bridge</title><meta property="og:image" content="/bridge.jpg"></head>"#;

async fn world<const N: usize>(names: [&str; N]) -> (World, PageServer, String, [Person; N]) {
    let (world, people) = World::builder().settings(&[PRIVATE_URLS]).start_with(names).await;
    let (server, url) = bridge().await;
    (world, server, url, people)
}

/// Starts a server with [`PAGE`] and its image. Returns it with the URL of the page.
async fn bridge() -> (PageServer, String) {
    let server = PageServer::new().await;
    server.has_file("/bridge.jpg", "image/jpeg", pictures::picture(300, 200, ImageFormat::Jpeg));
    let url = server.has("/bridge", PAGE);
    (server, url)
}

async fn image_of(person: &Person, post: &Post) -> Value {
    person.sees(post).await["preview"]["image"].clone()
}

#[tokio::test]
async fn previews_show_a_copy_of_the_page_image() {
    let (world, server, url, [ann, bob]) = world(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Bridges").await;
    let post = ann.writes(&url).await;
    let reply = bob.replies(&post, &format!("Again: {url}")).await;
    let in_circle = writes_in(&ann, &circle, &format!("What do you think of {url} today?")).await.ok();
    world.settle().await;
    let image = image_of(&bob, &post).await;
    assert!(image.as_str().unwrap().contains("/uploads/pages/"), "{image}");
    assert_eq!(status_of(&image).await, 200);
    assert_eq!(image_of(&bob, &reply).await, image);
    let in_circle = format!("/posts/{}", in_circle.data()["publicId"].as_str().unwrap());
    assert_eq!(ann.get(&in_circle).await.ok().data()["preview"]["image"], image);
    let later = bob.writes(&url).await;
    world.settle().await;
    assert_eq!(image_of(&bob, &later).await, image);
    // A repeated message can fetch the image once more.
    assert!((1..=2).contains(&server.asks("/bridge.jpg")), "{}", server.asks("/bridge.jpg"));
    ann.deletes(&post).await;
    world.settle().await;
    assert_eq!(status_of(&image).await, 200, "another post shows the image");
}

#[tokio::test]
async fn a_preview_has_no_image_if_the_image_is_small_or_cannot_be_copied() {
    let (world, server, _, [ann]) = world(["ann"]).await;
    server.has_file("/large", "image/png", vec![0; 5 * 1024 * 1024 + 1]);
    server.has("/text", "no image");
    server.has_file("/small.png", "image/png", pictures::picture(300, 199, ImageFormat::Png));
    for image in ["/large", "/text", "/missing", "/small.png", "https://localhost:1/a.png"] {
        let page = format!("<title>Page</title><meta property='og:image' content='{image}'>");
        let post = ann.writes(&server.has(&format!("/page{}", image.len()), &page)).await;
        world.settle().await;
        let preview = &ann.sees(&post).await["preview"];
        assert_eq!((&preview["title"], &preview["image"]), (&json!("Page"), &Value::Null), "{image}");
    }
}

#[tokio::test]
async fn twenty_concurrent_posts_and_a_later_post_show_the_image() {
    let (world, _server, url, people) = world(["ann", "bob", "cleo"]).await;
    let texts: Vec<_> = (0..24).map(|number| format!("{number}: {url}")).collect();
    let posts = texts.iter().enumerate().map(|(number, text)| people[number % 3].writes(text));
    let posts = join_all(posts).await;
    world.settle().await;
    let later = people[0].writes(&url).await;
    world.settle().await;
    let image = image_of(&people[0], &later).await;
    let images = join_all(posts.iter().map(|post| image_of(&people[0], post))).await;
    assert!(images.iter().filter(|shown| **shown == image).count() >= 20, "{images:?}");
    assert_eq!(posts.len(), 24);
}

#[tokio::test]
async fn a_repeated_message_does_not_show_the_image_of_a_former_link() {
    let (world, server, url, [ann]) = world(["ann"]).await;
    let other = server.has("/other", "<title>Other</title>");
    let post = ann.writes(&url).await;
    world.settle().await;
    let image = image_of(&ann, &post).await;
    ann.patch(&post.path(""), json!({ "content": other })).await.ok();
    world.settle().await;
    let id = image.as_str().unwrap().split('/').rev().nth(1).unwrap().to_owned();
    let file = json!({ "s3": { "object": { "key": format!("incoming/pages/{id}.jpg") } } });
    put(&world, "media", &json!({ "Records": [file] }).to_string()).await;
    world.settle().await;
    let preview = &ann.sees(&post).await["preview"];
    assert_eq!((&preview["title"], &preview["image"]), (&json!("Other"), &Value::Null));
}

#[tokio::test]
async fn a_preview_shows_its_image_despite_a_worker_crash() {
    for fault in [Fault::Crash, Fault::CrashAfter] {
        for operation in ["TransactWriteItems", "UpdateItem"] {
            let (world, _server, url, [ann]) = world(["ann"]).await;
            let post = ann.writes("nothing yet").await;
            world.settle().await;
            ann.patch(&post.path(""), json!({ "content": url })).await.ok();
            world.faults.next(operation, fault);
            world.settle().await;
            assert_eq!(world.faults.calm(), 1, "{operation} {fault:?}");
            assert!(image_of(&ann, &post).await.is_string(), "{operation} {fault:?}");
        }
    }
}

#[tokio::test]
async fn the_copy_of_a_page_image_is_not_swept() {
    let world = sweep::builder_with_sweeps().settings(&[PRIVATE_URLS]).start().await;
    let (_server, url) = bridge().await;
    let ann = world.person("ann").await;
    let post = ann.writes(&url).await;
    sweep::settle_and_advance(&world, sweep::DAY + 2 * sweep::HOUR).await;
    let ann = ann.signs_in().await;
    assert_eq!(status_of(&image_of(&ann, &post).await).await, 200);
}

#[tokio::test]
async fn the_copy_of_a_page_image_stays_within_its_cost_budget() {
    let (world, server, _, [ann]) = world(["ann"]).await;
    let post = ann.writes(&server.address("/later")).await;
    world.settle().await;
    server.has("/later", PAGE);
    world.advance_and_settle(3601).await;
    let app = world.app();
    let job = OutboundJob::Preview { post: post.id.parse().unwrap() };
    app.table.write(outbox_record_write(&app).then(&job)).await.unwrap();
    let (done, cost) = world.cost_of(world.stack.settle(None)).await;
    done.unwrap();
    check_cost("fetch the page of a link, and copy its image (jobs)", &cost);
}
