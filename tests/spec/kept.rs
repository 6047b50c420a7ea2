//! Durability: acknowledged writes survive a kill. Dropping a stack acts like a kill, because a dropped stack saves
//! nothing.

mod messages;
mod schedules;

use std::{collections::BTreeSet, path::PathBuf};

use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use image::ImageFormat;
use local::{Options, Stack};
use platform::objects::Bucket;
use serde_json::json;
use tests::World;

use crate::{
    auth::rotation::rotate,
    stack::{mail_queue, put},
    uploads::{
        self,
        versions::{deletes_file, versions},
    },
};

#[tokio::test]
async fn posts_and_likes_survive_a_kill_of_the_stack() {
    let directory = DataDirectory::new("people");
    let (world, [ann, bob]) = World::builder().data(&directory.0).start_with(["ann", "bob"]).await;
    let post = ann.writes("still here").await;
    bob.likes(&post).await;
    drop(world);

    let world = World::builder().data(&directory.0).start().await;
    let ann = ann.moves_to(&world);
    assert_eq!(ann.sees(&post).await["content"], "still here");
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 1);
}

#[tokio::test]
async fn outbox_records_and_events_survive_a_kill_of_the_stack() {
    let directory = DataDirectory::new("waiting");
    let (world, [ann, bob]) = World::builder().data(&directory.0).start_with(["ann", "bob"]).await;
    ann.befriends(&bob).await;
    let event = PutEventsRequestEntry::builder().event_bus_name("local").source("social");
    let detail = json!({ "senderId": ann.id, "receiverId": bob.id, "createdAt": "2026-01-01T00:00:00.000Z" });
    let event = event.detail_type("FriendRequested").detail(detail.to_string()).build();
    world.clients().bus.put_events().entries(event).send().await.unwrap();
    let waiting = (world.stack.queues(), world.stack.streams());
    assert!(waiting.0.iter().any(|queue| queue.name == "realtime" && queue.visible == 1), "{waiting:?}");
    assert!(waiting.1.iter().any(|stream| stream.waiting > 0), "{waiting:?}");
    drop(world);

    let world = World::builder().data(&directory.0).start().await;
    assert_eq!((world.stack.queues(), world.stack.streams()), waiting);
    world.settle().await;
    let done = world.stack.queues();
    assert!(done.iter().all(|queue| queue.visible + queue.in_flight == 0), "{done:?}");
    drop(world);

    assert_eq!(World::builder().data(&directory.0).start().await.stack.queues(), done);
}

#[tokio::test]
async fn emails_and_the_clock_survive_a_kill_of_the_stack() {
    let directory = DataDirectory::new("mails");
    let world = World::builder().data(&directory.0).start().await;
    world.person("ann").await;
    world.settle().await;
    let mails = world.stack.mail();
    assert_eq!(mails.len(), 1);
    world.advance(60).await;
    drop(world);

    let world = World::builder().data(&directory.0).start().await;
    assert_eq!(texts(&world), mails.into_iter().map(|mail| mail.text).collect::<Vec<_>>());
    assert_eq!(world.anyone.get("/_local/clock").await.data()["now"], "2026-01-01T00:01:00.000Z");
}

#[tokio::test]
async fn secrets_survive_a_kill_of_the_stack() {
    let directory = DataDirectory::new("secrets");
    let (world, [ann]) = World::builder().data(&directory.0).start_with(["ann"]).await;
    rotate(&world, "jwt-key", "the new secret, which has 32 bytes").await;
    // After 400 seconds, all functions have read the secret again.
    world.advance(400).await;
    let again = ann.signs_in().await;
    drop(world);

    let world = World::builder().data(&directory.0).start().await;
    ann.moves_to(&world).writes("signed by the generated secret").await;
    again.moves_to(&world).writes("signed by the one that was put").await;
}

#[tokio::test]
async fn an_upload_survives_a_kill_of_the_stack() {
    let directory = DataDirectory::new("uploads");
    let (world, [ann]) = World::builder().data(&directory.0).start_with(["ann"]).await;
    let file = uploads::pictures::picture(4, 3, ImageFormat::Png);
    let ticket = uploads::begins(&ann, "image/png", file.len() as u64).await;
    assert_eq!(uploads::put(&ticket, "image/png", file).await, 200);
    world.settle().await;
    let path = ticket["url"].as_str().unwrap().strip_prefix(world.stack.aws_url()).unwrap();
    drop(world);

    let world = World::builder().data(&directory.0).start().await;
    let read = reqwest::get(format!("{}{path}", world.stack.aws_url())).await.unwrap();
    assert_eq!(read.headers()["content-type"], "image/jpeg");
    let image = image::load_from_memory(&read.bytes().await.unwrap()).unwrap();
    assert_eq!((image.width(), image.height()), (4, 3));
}

#[tokio::test]
async fn versions_of_a_file_survive_a_kill_of_the_stack() {
    let directory = DataDirectory::new("versions");
    let (world, [ann]) = World::builder().data(&directory.0).start_with(["ann"]).await;
    let photo = uploads::avatars::photo(&world, &ann).await;
    let key = photo["key"].as_str().unwrap();
    deletes_file(&world, key).await;
    assert_eq!(versions(&world, key).await, [key, key]);
    drop(world);

    let world = World::builder().data(&directory.0).start().await;
    assert_eq!(versions(&world, key).await, [key, key]);
    Bucket::of_uploads(&world.app()).unwrap().delete(key).await.unwrap();
    drop(world);

    let world = World::builder().data(&directory.0).start().await;
    assert_eq!(versions(&world, key).await, [""; 0]);
}

#[tokio::test]
async fn the_id_of_a_removed_version_is_not_used_again() {
    let directory = DataDirectory::new("version-ids");
    let mut ids = BTreeSet::new();
    for _ in 0..2 {
        let world = World::builder().data(&directory.0).start().await;
        let app = world.app();
        let bucket = Bucket::of_uploads(&app).unwrap();
        bucket.put("uploads/a", "image/jpeg", "a file".into()).await.unwrap();
        let files = std::fs::read_dir(directory.0.join("objects")).unwrap().map(|file| file.unwrap());
        let added = files.filter(|file| file.path().is_file()).map(|file| file.file_name());
        ids.extend(added);
        bucket.delete("uploads/a").await.unwrap();
    }
    assert_eq!(ids.len(), 2, "{ids:?}");
}

#[tokio::test]
async fn a_stopped_stack_keeps_its_data_and_addresses() {
    let directory = DataDirectory::new("stopped");
    let (world, [ann]) = World::builder().data(&directory.0).start_with(["ann"]).await;
    let post = ann.writes("still here").await;
    put(&world, "waiting", 600).await;
    let of_uploads = world.stack.aws_url().to_owned();
    world.stack.stop().await;

    let world = World::builder().data(&directory.0).start().await;
    assert_eq!(world.stack.aws_url(), of_uploads);
    assert_eq!(ann.moves_to(&world).sees(&post).await["content"], "still here");
    assert_eq!(mail_queue(&world).delayed, 1);
}

#[tokio::test]
async fn only_one_stack_can_use_a_data_directory() {
    let directory = DataDirectory::new("taken");
    let world = World::builder().data(&directory.0).start().await;
    let options = || Options { data: Some(directory.0.clone()), ..Options::default() };
    let refused = Stack::start(options()).await.err().unwrap();
    assert_eq!(refused.to_string(), format!("the data directory {} is in use", directory.0.display()));
    drop(world);
    Stack::start(options()).await.unwrap();
}

fn texts(world: &World) -> Vec<String> {
    world.stack.mail().into_iter().map(|mail| mail.text).collect()
}

/// A directory that is removed after the test.
pub(crate) struct DataDirectory(pub(crate) PathBuf);

impl DataDirectory {
    pub(crate) fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("social-{name}-{}", std::process::id())))
    }
}

impl Drop for DataDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
