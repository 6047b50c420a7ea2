//! After a restore of the table, operators repeat the account deletions since the backup.

use domain::deletion::repeat_deletions;
use platform::{objects::Bucket, time::Time};
use tests::{Person, World};

use super::{HOUR, runs_deletions, traces::rows_with};
use crate::{
    recounts::drifts,
    scale::{self, Item, all_rows},
};

/// Replaces the rows of the table with the rows of a backup.
async fn restore(world: &World, backup: Vec<Item>) {
    let dynamodb = world.unwatched_dynamodb();
    for row in all_rows(world).await {
        let delete = dynamodb.delete_item().table_name(world.table_name());
        delete.key("pk", row["pk"].clone()).key("sk", row["sk"].clone()).send().await.unwrap();
    }
    scale::put(world, backup.into_iter()).await;
}

/// Repeats the listed deletions as `make repeat-deletions` does. Returns the number of deleted accounts.
async fn repeats_deletions(world: &World, since: Time) -> usize {
    repeat_deletions(&world.app(), since).await.unwrap()
}

async fn listed(world: &World) -> Vec<String> {
    Bucket::of_deletions(&world.app()).unwrap().next_keys("deletions/", "").await.unwrap()
}

async fn status_of(reader: &Person, user: &Person) -> u16 {
    reader.signs_in().await.get(&user.path("")).await.status
}

#[tokio::test]
async fn deletions_since_the_backup_are_repeated_after_a_restore() {
    let names = ["annabella", "bob", "dan"];
    let (world, [ann, bob, dan]) = World::builder().without_ticks().start_with(names).await;
    let post = ann.writes("qwijibo").await;
    bob.likes(&post).await;
    ann.replies(&bob.writes("hi").await, "qwijibo").await;
    ann.follows(&bob).await;
    world.settle().await;
    let backup = all_rows(&world).await;
    dan.leaves().await;
    world.advance(HOUR).await;
    let since = world.app().now();
    ann.signs_in().await.leaves().await;
    runs_deletions(&world).await;
    assert_eq!(listed(&world).await.len(), 2, "each deletion is listed once");

    restore(&world, backup).await;
    world.settle().await;
    assert_eq!((status_of(&bob, &ann).await, status_of(&bob, &dan).await), (200, 200));
    assert_eq!(repeats_deletions(&world, since).await, 1);
    assert_eq!((status_of(&bob, &ann).await, status_of(&bob, &dan).await), (404, 200));
    runs_deletions(&world).await;
    assert_eq!(rows_with(&world, &[&ann.id, "annabella", "qwijibo"]).await, [""; 0]);
    assert_eq!(drifts(&world.app(), &[]).await, []);
    assert_eq!(repeats_deletions(&world, since).await, 0, "a repetition has no effect");
}

#[tokio::test]
async fn data_is_erased_only_after_the_deletion_is_listed() {
    let template = include_str!("../../../template.yaml");
    let unlisted =
        template.replace("${UndeliveredBucket.Arn}/deletions/*", "${UndeliveredBucket.Arn}/other/*");
    assert_ne!(unlisted, template);
    for (template, is_erased) in [(template.to_owned(), true), (unlisted, false)] {
        let (world, [ann]) = World::builder().template(template).start_with(["ann"]).await;
        ann.writes("qwijibo").await;
        ann.leaves().await;
        for _ in 0..3 {
            world.stack.settle(None).await.unwrap();
            world.advance(HOUR).await;
        }
        assert_eq!(rows_with(&world, &["qwijibo"]).await.is_empty(), is_erased);
    }
}
