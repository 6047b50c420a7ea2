//! Jobs about files and pictures that another request changed or removed in the meantime.

use domain::{
    conversations,
    ids::{GroupId, PostId, UploadId, UserId},
    people::users,
};
use platform::table::{Row, Write};
use serde_json::{Value, json};
use tests::{PageServer, Person, World};

use super::{
    avatars::{crowd, sets_avatar},
    copies::{avatar_for, has_picture, world},
};
use crate::workers;

const SAMPLE: &str = include_str!("../../../events/media-processing.json");

/// Invokes a worker with one message.
async fn runs(world: &World, function: &str, body: Value) {
    let mut event: Value = serde_json::from_str(SAMPLE).unwrap();
    event["Records"][0]["body"] = body.to_string().into();
    let answer = world.stack.invoke(function, &event).await.unwrap();
    assert_eq!(answer, json!({ "batchItemFailures": [] }), "{function}: {body}");
}

/// Fetches the file of a copy, and returns the event of the bucket.
async fn fetches(world: &World, copy: UploadId) -> Value {
    runs(world, "outbound", json!({ "job": "copyPicture", "upload": copy })).await;
    let upload = domain::uploads::find(&world.app(), copy).await.unwrap().unwrap();
    json!({ "Records": [{ "eventName": "ObjectCreated:Put", "s3": { "object": { "key": upload.source } } }] })
}

/// Gives a user a picture on another server. Returns the copy and the event of its file.
async fn begins_copy(world: &World, server: &PageServer, person: &Person) -> (UploadId, Value) {
    sets_avatar(person, &has_picture(server, "/picture")).await;
    let user: UserId = person.id.parse().unwrap();
    let user = users::find(&world.app(), user).await.unwrap().unwrap();
    let copy = user.avatar_source.unwrap().copy;
    (copy, fetches(world, copy).await)
}

#[tokio::test]
async fn a_copy_that_finishes_during_a_change_is_not_shown() {
    let (world, server) = world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    for is_lost in [false, true] {
        let (copy, file) = begins_copy(&world, &server, &ann).await;
        let message = if is_lost { json!({ "job": "expire", "upload": copy }) } else { file };
        let run = runs(&world, "media-processing", message);
        let changes = sets_avatar(&ann, &Value::Null);
        world.faults.while_held("TransactWriteItems", run, changes).await;
        world.settle().await;
        assert_eq!(avatar_for(&bob.signs_in().await, "ann").await, Value::Null, "{is_lost}");
    }
}

#[tokio::test]
async fn a_copy_for_a_user_who_is_gone_creates_no_user() {
    let (world, server) = world().await;
    let ann = world.person("ann").await;
    let (_, file) = begins_copy(&world, &server, &ann).await;
    let (app, key) = (world.app(), users::key(ann.id.parse().unwrap()));
    let removal = app.table.write(Write::delete(key.clone()));
    let run = runs(&world, "media-processing", file);
    let ((), removed) = world.faults.while_held("TransactWriteItems", run, removal).await;
    removed.unwrap();
    assert!(app.table.get::<users::User>(&key).await.unwrap().is_none());
}

#[tokio::test]
async fn a_copy_for_a_group_that_is_gone_creates_no_profile() {
    let (world, server) = world().await;
    let [ann, _bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let crowd = crowd(&ann).await;
    ann.patch(&crowd, json!({ "avatar": has_picture(&server, "/crowd") })).await.ok();
    let app = world.app();
    let group: GroupId = crowd.rsplit('/').next().unwrap().parse().unwrap();
    let profile = async || conversations::find_profile(&app, group).await.unwrap();
    let before = profile().await.unwrap();
    let file = fetches(&world, before.avatar_source.as_ref().unwrap().copy).await;
    let removal = app.table.write(Write::delete(before.key()));
    let run = runs(&world, "media-processing", file);
    let ((), removed) = world.faults.while_held("TransactWriteItems", run, removal).await;
    removed.unwrap();
    assert!(profile().await.is_none());
}

#[tokio::test]
async fn a_job_that_hides_an_unknown_file_succeeds() {
    let world = World::builder().without_ticks().start().await;
    let app = world.app();
    let (upload, post) = (app.ids.next::<UploadId>(app.now()), app.ids.next::<PostId>(app.now()));
    let job = json!({ "job": "place", "upload": upload, "post": post });
    workers::put(&world, "media", &job.to_string()).await;
    assert_eq!(world.stack.settle(None).await.unwrap().failed, 0);
}
