//! The hourly job that removes uploads unused for a day, and processes uploads whose message was lost.

use domain::{
    people::users::Role,
    uploads::{self as rows, Upload},
};
use image::ImageFormat;
use platform::table::Write;
use serde_json::{Value, json};
use tests::{Builder, Fault, Post, World};

use super::{
    avatars::photo,
    begins,
    images::{seen, uploads},
    pictures,
    posts::{shows, with},
    put, puts, status_of, stored,
    videos::mp4,
};
use crate::{admin::administrator, auth::second_factor::lost::later, moderation::reports, workers};

pub(crate) const DAY: u64 = 24 * 60 * 60;
pub(crate) const HOUR: u64 = 60 * 60;
/// Time from the deletion of a post by moderation until its files are removed.
pub(super) const EVIDENCE_SECONDS: u64 = 30 * DAY;

#[tokio::test]
async fn unused_uploads_are_removed_after_a_day() {
    let world = world_with_sweeps().await;
    let ann = world.person("ann").await;
    let never_put = begins(&ann, "image/png", 5).await;
    let unused = photo(&world, &ann).await;
    let refused = uploads(&world, &ann, "image/png", b"hello".to_vec()).await;
    let film = uploads(&world, &ann, "video/mp4", mp4()).await;
    let all = [&never_put, &unused, &refused, &film];
    settle_and_advance(&world, DAY - HOUR).await;
    let ann = ann.signs_in().await;
    for upload in all {
        seen(&ann, upload).await;
    }
    settle_and_advance(&world, 2 * HOUR).await;
    let ann = ann.signs_in().await;
    for upload in all {
        let path = format!("/upload/{}", upload["id"].as_str().unwrap());
        ann.get(&path).await.refused(404, "NOT_FOUND");
        assert!(row(&world, upload).await.is_none());
    }
    for url in unused["sizes"].as_object().unwrap().values().chain([&film["url"]]) {
        assert_eq!(status_of(url).await, 404);
    }
}

#[tokio::test]
async fn uploads_of_posts_and_profiles_are_kept() {
    let world = world_with_sweeps().await;
    let ann = world.person("ann").await;
    let [in_post, avatar] = [photo(&world, &ann).await, photo(&world, &ann).await];
    shows(&ann, &in_post).await;
    ann.post("/auth/profile", json!({ "avatar": avatar["sizes"]["small"] })).await.ok();
    settle_and_advance(&world, 2 * DAY).await;
    for upload in [in_post, avatar] {
        assert!(is_shown(&upload).await && row(&world, &upload).await.is_some());
    }
}

#[tokio::test]
async fn an_upload_that_another_user_tried_to_show_is_removed() {
    let world = world_with_sweeps().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let upload = photo(&world, &ann).await;
    bob.post("/auth/profile", json!({ "avatar": upload["url"] })).await.invalid("avatar: ");
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    assert!(row(&world, &upload).await.is_none());
}

#[tokio::test]
async fn a_post_shows_a_missing_file_as_refused() {
    let world = world_with_sweeps().await;
    let ann = world.person("ann").await;
    let ticket = begins(&ann, "image/png", 5).await;
    let post = shows(&ann, &ticket).await;
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    let ann = ann.signs_in().await;
    assert_eq!(ann.sees(&post).await["media"][0]["status"], "REFUSED");
    let upload = seen(&ann, &ticket).await;
    assert_eq!(json!([upload["status"], upload["reason"]]), json!(["REFUSED", "no file was uploaded"]));
}

#[tokio::test]
async fn an_upload_with_a_lost_message_is_processed_within_a_day() {
    let photo = pictures::picture(9, 9, ImageFormat::Png);
    for (kind, file, status) in [("image/png", photo, "READY"), ("video/mp4", mp4(), "PROCESSING")] {
        let world = world_with_sweeps().await;
        let ann = world.person("ann").await;
        let ticket = begins(&ann, kind, file.len() as u64).await;
        let post = shows(&ann, &ticket).await;
        assert_eq!(put(&ticket, kind, file).await, 200);
        lose_message(&world).await;
        world.settle().await;
        assert_eq!(seen(&ann, &ticket).await["status"], "PENDING");
        settle_and_advance(&world, DAY + 2 * HOUR).await;
        let media = &ann.signs_in().await.sees(&post).await["media"][0];
        assert_eq!(json!([media["url"], media["status"]]), json!([ticket["url"], status]));
    }
}

#[tokio::test]
async fn a_file_that_arrives_after_its_upload_was_removed_is_deleted() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let file = pictures::picture(9, 9, ImageFormat::Png);
    let ticket = puts(&ann, "image/png", &file).await;
    let upload = stored(&world, &ticket).await;
    world.app().table.write(Write::delete(rows::key(upload.id))).await.unwrap();
    world.settle().await;
    assert_eq!(put(&ticket, "image/png", file).await, 200, "the first file was deleted");
    world.settle().await;
    assert_eq!(status_of(&ticket["url"]).await, 404);
}

#[tokio::test]
async fn a_message_about_a_missing_file_has_no_effect() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let ticket = begins(&ann, "image/png", 5).await;
    let source = stored(&world, &ticket).await.source;
    for body in [
        json!({ "Records": [{ "s3": { "object": { "key": source } } }] }),
        json!({ "Records": [{ "s3": { "object": { "key": "incoming/what/is/this" } } }] }),
        json!({ "Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "b" }),
    ] {
        workers::put(&world, "media", &body.to_string()).await;
    }
    world.settle().await;
    assert_eq!(seen(&ann, &ticket).await["status"], "PENDING");
}

#[tokio::test]
async fn many_unused_uploads_are_all_removed() {
    const MORE_THAN_TWO_PAGES: usize = 220;
    let world = world_with_sweeps().await;
    let ann = world.person("ann").await;
    let first = stored(&world, &begins(&ann, "image/png", 5).await).await;
    // The last character of an ID selects the shard, so these uploads are all in one shard.
    let begins_with = first.id.to_string()[..19].to_owned();
    let more: Vec<_> = (0..MORE_THAN_TWO_PAGES)
        .map(|number| Upload { id: format!("{begins_with}{number:06}0").parse().unwrap(), ..first.clone() })
        .collect();
    world.app().table.batch_write(&more, &[]).await.unwrap();
    let keys: Vec<_> = more.iter().map(|upload| rows::key(upload.id)).collect();
    let left = async || world.app().table.batch_get::<Upload>(&keys).await.unwrap().len();
    world.advance(DAY + 60).await;
    workers::purge(&world, "housekeeping").await;
    workers::put(&world, "housekeeping", r#"{"job":"sweepUploads","messages":999}"#).await;
    world.stack.settle(None).await.unwrap();
    assert!((1..MORE_THAN_TWO_PAGES).contains(&left().await), "a run at its limit processes only one page");
    settle_and_advance(&world, 2 * HOUR).await;
    assert_eq!(left().await, 0);
}

pub(super) async fn is_shown(upload: &Value) -> bool {
    status_of(&upload["url"]).await == 200
}

#[tokio::test]
async fn the_photo_of_a_deleted_post_is_removed() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let [alone, shared] = [photo(&world, &ann).await, photo(&world, &ann).await];
    let avatar = photo(&world, &ann).await;
    let media = [&alone, &shared, &avatar].map(|upload| json!({ "id": upload["id"] }));
    let first = ann.posts(json!({ "content": "look", "media": media })).await;
    let second = shows(&ann, &shared).await;
    ann.post("/auth/profile", json!({ "avatar": avatar["sizes"]["small"] })).await.ok();

    ann.deletes(&first).await;
    world.settle().await;
    assert!(!is_shown(&alone).await && row(&world, &alone).await.is_none());
    assert!(is_shown(&shared).await && is_shown(&avatar).await);
    ann.deletes(&second).await;
    world.settle().await;
    assert!(!is_shown(&shared).await && row(&world, &shared).await.is_none());
    assert!(is_shown(&avatar).await);
}

#[tokio::test]
async fn the_photo_of_a_deleted_reply_is_removed() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let photo = photo(&world, &ann).await;
    let post = ann.writes("a post").await;
    let reply = ann.post(&post.path("/reply"), with(&[&photo])).await.ok();
    world.settle().await;
    ann.deletes(&Post::of(&reply)).await;
    world.faults.plan("DeleteItem", Fault::Crash, 0, 1);
    world.settle().await;
    assert_eq!(world.faults.calm(), 1);
    assert!(!is_shown(&photo).await && row(&world, &photo).await.is_none());
}

#[tokio::test]
async fn a_hidden_post_keeps_its_photo_until_30_days_after_deletion() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let photo = photo(&world, &ann).await;
    let post = shows(&ann, &photo).await;
    let report = reports(&bob, &post.id, json!({})).await;
    root.patch(&report, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    assert!(is_shown(&photo).await, "a hidden post keeps the photo, because the author can appeal");
    root.patch(&report, json!({ "action": "delete" })).await.ok();
    world.settle().await;
    assert!(
        !is_shown(&photo).await && row(&world, &photo).await.is_some(),
        "only moderators can read the photo"
    );
    root.patch(&report, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    assert!(is_shown(&photo).await, "the post was restored with its photo");
    root.patch(&report, json!({ "action": "delete" })).await.ok();
    later(&world, EVIDENCE_SECONDS).await;
    assert!(!is_shown(&photo).await && row(&world, &photo).await.is_none());
}

#[tokio::test]
async fn a_photo_of_a_deleted_post_stays_while_other_posts_show_it() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let photo = photo(&world, &ann).await;
    let [post, other] = [shows(&ann, &photo).await, shows(&ann, &photo).await];
    let report = reports(&bob, &post.id, json!({})).await;
    root.patch(&report, json!({ "action": "delete" })).await.ok();
    world.settle().await;
    assert!(is_shown(&photo).await);
    ann.deletes(&other).await;
    later(&world, EVIDENCE_SECONDS).await;
    assert!(!is_shown(&photo).await);
}

/// Starts a world of [`builder_with_sweeps`].
pub(super) async fn world_with_sweeps() -> World {
    builder_with_sweeps().start().await
}

/// Returns the options of a world in which only the hourly sweep is scheduled, so that advancing by days is fast.
pub(crate) fn builder_with_sweeps() -> Builder<'static> {
    const OTHERS: [&str; 5] = [
        "rate(2 minutes)",
        "rate(5 minutes)",
        "cron(0 * * * ? *)",
        "cron(20 * * * ? *)",
        "cron(40 * * * ? *)",
    ];
    let template = include_str!("../../../template.yaml").to_owned();
    let template = OTHERS.iter().fold(template, |template, rate| template.replace(rate, "cron(0 0 1 1 ? *)"));
    World::builder().template(template)
}

/// Advances the clock, and delivers all messages before and afterward.
pub(crate) async fn settle_and_advance(world: &World, seconds: u64) {
    world.settle().await;
    world.advance_and_settle(seconds).await;
}

pub(super) async fn row(world: &World, upload: &Value) -> Option<Upload> {
    let id = upload["id"].as_str().unwrap().parse().unwrap();
    world.app().table.get(&rows::key(id)).await.unwrap()
}

async fn lose_message(world: &World) {
    let queue = world.stack.queue_url("media");
    let sqs = world.clients().sqs;
    let received = sqs.receive_message().queue_url(&queue).max_number_of_messages(10).send().await.unwrap();
    for message in received.messages() {
        let receipt = message.receipt_handle().unwrap();
        sqs.delete_message().queue_url(&queue).receipt_handle(receipt).send().await.unwrap();
    }
    assert_eq!(received.messages().len(), 1);
}
