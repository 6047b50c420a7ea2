//! Pictures on other servers. Viewers of a profile load a copy, so the other server learns nothing about the viewers.

use image::ImageFormat;
use platform::rate_limit::RateLimit;
use serde_json::{Value, json};
use tests::{PageServer, Person, World};

use super::{
    avatars::{check_kept, crowd, photo, sets_avatar},
    pictures, status_of,
    sweep::{DAY, HOUR, builder_with_sweeps, settle_and_advance},
};
use crate::deletion::runs_deletions;

pub(super) async fn world() -> (World, PageServer) {
    (builder_with_sweeps().settings(&[("INNER_ADDRESSES", "allowed")]).start().await, PageServer::new().await)
}

pub(super) fn has_picture(server: &PageServer, path: &str) -> Value {
    let picture = pictures::picture(9, 9, ImageFormat::Png);
    server.has_file(path, "application/octet-stream", picture).into()
}

async fn own_avatar(person: &Person) -> Value {
    person.get("/auth/me").await.ok().data()["avatar"].clone()
}

pub(super) async fn avatar_for(viewer: &Person, username: &str) -> Value {
    viewer.get(&format!("/user/{username}")).await.ok().data()["avatar"].clone()
}

#[tokio::test]
async fn other_users_get_a_copy_of_a_picture_on_another_server() {
    let (world, server) = world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let url = has_picture(&server, "/ann");
    sets_avatar(&ann, &url).await;
    assert_eq!(own_avatar(&ann).await, url);
    assert_eq!(avatar_for(&bob, "ann").await, Value::Null, "there is no copy yet");
    world.settle().await;
    let copy = avatar_for(&bob, "ann").await;
    assert!(copy.as_str().unwrap().contains("/uploads/"), "{copy}");
    assert_eq!(status_of(&copy).await, 200);
    assert_eq!(own_avatar(&ann).await, url);
    let post = ann.writes("hello").await;
    assert_eq!(bob.sees(&post).await["user"]["avatar"], copy);
    let fetches = server.asks("/ann");
    sets_avatar(&ann, &url).await;
    settle_and_advance(&world, 2 * DAY).await;
    assert_eq!((server.asks("/ann"), status_of(&copy).await), (fetches, 200));
}

#[tokio::test]
async fn the_previous_picture_stays_until_the_copy_is_made() {
    let (world, server) = world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let first = photo(&world, &ann).await;
    sets_avatar(&ann, &first["id"]).await;
    sets_avatar(&ann, &has_picture(&server, "/ann")).await;
    assert_eq!(avatar_for(&bob, "ann").await, first["sizes"]["small"]);
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    assert_ne!(avatar_for(&bob.signs_in().await, "ann").await, first["sizes"]["small"]);
    check_kept(&world, &first).await;
}

#[tokio::test]
async fn other_users_see_the_earlier_picture_if_copying_fails() {
    let (world, server) = world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let first = photo(&world, &ann).await;
    sets_avatar(&ann, &first["id"]).await;
    let too_large = server.has_file("/large", "image/png", vec![0; 5 * 1024 * 1024 + 1]);
    let no_picture = server.has("/text", "<title>Ann</title>");
    for url in [too_large, no_picture, server.address("/missing"), "https://localhost:1/a.png".into()] {
        sets_avatar(&ann, &json!(url)).await;
        world.settle().await;
        assert_eq!(own_avatar(&ann).await, url);
        assert_eq!(avatar_for(&bob, "ann").await, first["sizes"]["small"], "{url}");
    }
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    check_kept(&world, &first).await;
}

/// Returns the state of the copy of a user's own picture. Waits, because a function caches `GET /auth/me` for 30
/// seconds.
async fn copy_state(world: &World, person: &Person) -> Value {
    world.advance(31).await;
    person.signs_in().await.get("/auth/me").await.ok().data()["avatarCopy"].clone()
}

/// Counts more fetches from the local host than the limit allows in a minute.
async fn exhausts_host(world: &World) {
    let limit = RateLimit { what: "preview-host", most: 60, seconds: 60 };
    limit.count_by(&world.app(), "127.0.0.1", 61).await.unwrap();
}

#[tokio::test]
async fn a_user_sees_that_a_picture_could_not_be_copied() {
    let (world, server) = world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    assert_eq!(copy_state(&world, &ann).await, Value::Null);
    let too_large = server.has_file("/large", "image/png", vec![0; 5 * 1024 * 1024 + 1]);
    let no_picture = server.has("/text", "<title>Ann</title>");
    for url in [too_large, no_picture, server.address("/missing"), "https://localhost:1/a.png".into()] {
        sets_avatar(&ann, &json!(url)).await;
        assert_eq!(copy_state(&world, &ann).await, "PENDING", "{url}");
        world.settle().await;
        assert_eq!(copy_state(&world, &ann).await, "FAILED", "{url}");
    }
    sets_avatar(&ann, &json!(server.address("/missing"))).await;
    world.settle().await;
    assert_eq!(copy_state(&world, &ann).await, "FAILED");
    let url = has_picture(&server, "/missing");
    sets_avatar(&ann, &url).await;
    assert_eq!(copy_state(&world, &ann).await, "PENDING", "the same picture can be set again");
    world.settle().await;
    assert_eq!(copy_state(&world, &ann).await, "READY");
    assert!(avatar_for(&bob.signs_in().await, "ann").await.is_string());
    let own = photo(&world, &ann.signs_in().await).await;
    sets_avatar(&ann.signs_in().await, &own["id"]).await;
    assert_eq!(copy_state(&world, &ann).await, Value::Null);
}

#[tokio::test]
async fn a_member_sees_that_a_group_picture_could_not_be_copied() {
    let (world, server) = world().await;
    let [ann, bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let crowd = crowd(&ann).await;
    let states = async || {
        let state = async |person: &Person| person.get(&crowd).await.ok().data()["avatarCopy"].clone();
        [state(&ann).await, state(&bob).await]
    };
    let sets = async |url: &Value| {
        ann.patch(&crowd, json!({ "avatar": url })).await.ok();
    };
    assert_eq!(states().await, [Value::Null, Value::Null]);
    let missing = json!(server.address("/crowd"));
    for _ in 0..2 {
        sets(&missing).await;
        assert_eq!(states().await, [json!("PENDING"), Value::Null]);
        world.settle().await;
        assert_eq!(states().await, [json!("FAILED"), Value::Null]);
    }
    sets(&has_picture(&server, "/crowd")).await;
    world.settle().await;
    assert_eq!(states().await, [json!("READY"), Value::Null]);
}

#[tokio::test]
async fn a_failed_copy_does_not_change_a_newer_picture() {
    let (world, server) = world().await;
    let [ann, bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let crowd = crowd(&ann).await;
    let missing = json!(server.address("/missing"));
    ann.patch(&crowd, json!({ "avatar": missing })).await.ok();
    ann.patch(&crowd, json!({ "avatar": null })).await.ok();
    sets_avatar(&ann, &missing).await;
    sets_avatar(&ann, &Value::Null).await;
    sets_avatar(&bob, &missing).await;
    world.settle().await;
    let states = [copy_state(&world, &ann).await, copy_state(&world, &bob).await];
    assert_eq!(states, [Value::Null, json!("FAILED")]);
    assert_eq!(ann.signs_in().await.get(&crowd).await.ok().data()["avatarCopy"], Value::Null);
}

#[tokio::test]
async fn a_copy_over_a_limit_waits_until_the_limit_allows_it() {
    let settings = [("INNER_ADDRESSES", "allowed"), ("PREVIEW_LIMIT_PER_HOUR", "1")];
    let world = builder_with_sweeps().settings(&settings).start().await;
    let server = PageServer::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    sets_avatar(&ann, &has_picture(&server, "/first")).await;
    world.settle().await;
    let first = avatar_for(&bob, "ann").await;
    sets_avatar(&ann, &has_picture(&server, "/second")).await;
    for _ in 0..3 {
        world.settle().await;
        world.advance(600).await;
    }
    world.settle().await;
    assert_eq!((copy_state(&world, &ann).await, server.asks("/second")), (json!("PENDING"), 0));
    assert_eq!(avatar_for(&bob.signs_in().await, "ann").await, first);
    world.advance_and_settle(3600).await;
    assert_eq!(copy_state(&world, &ann).await, "READY");
    assert_ne!(avatar_for(&bob.signs_in().await, "ann").await, first);
}

#[tokio::test]
async fn a_copy_waits_for_a_host_that_does_not_answer() {
    let (world, server) = world().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    for person in [&bob, &cleo] {
        sets_avatar(person, &json!("http://127.0.0.1:1/a.png")).await;
        world.settle().await;
    }
    sets_avatar(&ann, &has_picture(&server, "/ann")).await;
    world.settle().await;
    assert_eq!((copy_state(&world, &ann).await, server.asks("/ann")), (json!("PENDING"), 0));
    world.advance_and_settle(300).await;
    assert_eq!(copy_state(&world, &ann).await, "READY");
    assert_eq!(copy_state(&world, &cleo).await, "FAILED");
}

#[tokio::test]
async fn a_copy_that_waits_for_6_hours_fails() {
    let (world, server) = world().await;
    let ann = world.person("ann").await;
    sets_avatar(&ann, &has_picture(&server, "/ann")).await;
    exhausts_host(&world).await;
    world.settle().await;
    assert_eq!(copy_state(&world, &ann).await, "PENDING");
    world.advance(6 * HOUR + 60).await;
    exhausts_host(&world).await;
    world.settle().await;
    assert_eq!((copy_state(&world, &ann).await, server.asks("/ann")), (json!("FAILED"), 0));
}

#[tokio::test]
async fn a_copy_does_not_replace_a_newer_picture() {
    let (world, server) = world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let newer = photo(&world, &ann).await;
    sets_avatar(&ann, &has_picture(&server, "/ann")).await;
    sets_avatar(&ann, &newer["id"]).await;
    world.settle().await;
    assert_eq!(avatar_for(&bob, "ann").await, newer["sizes"]["small"]);
    assert_eq!(own_avatar(&ann).await, newer["sizes"]["small"]);
    sets_avatar(&ann, &has_picture(&server, "/other")).await;
    sets_avatar(&ann, &Value::Null).await;
    world.settle().await;
    assert_eq!((avatar_for(&bob, "ann").await, own_avatar(&ann).await), (Value::Null, Value::Null));
}

#[tokio::test]
async fn a_copied_picture_can_be_replaced_and_stays_for_earlier_posts() {
    let (world, server) = world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let mut copies = Vec::new();
    for path in ["/first", "/second"] {
        sets_avatar(&ann, &has_picture(&server, path)).await;
        world.settle().await;
        copies.push(avatar_for(&bob, "ann").await);
    }
    let own = photo(&world, &ann).await;
    sets_avatar(&ann, &own["id"]).await;
    assert_eq!(avatar_for(&bob, "ann").await, own["sizes"]["small"]);
    sets_avatar(&ann, &has_picture(&server, "/third")).await;
    world.settle().await;
    copies.push(avatar_for(&bob, "ann").await);
    sets_avatar(&ann, &Value::Null).await;
    assert_eq!(avatar_for(&bob, "ann").await, Value::Null);
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    for copy in &copies {
        assert_eq!(status_of(copy).await, 200, "{copy}");
    }
}

#[tokio::test]
async fn a_failed_fetch_of_a_picture_is_retried() {
    let (world, server) = world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    server.fails(&[503, 429]);
    sets_avatar(&ann, &has_picture(&server, "/soon")).await;
    world.settle().await;
    assert!(avatar_for(&bob, "ann").await.is_string());
    server.fails(&[500; 100]);
    sets_avatar(&ann, &has_picture(&server, "/never")).await;
    world.settle().await;
    // A message that is delivered twice can cause one more fetch.
    assert!((3..=4).contains(&server.asks("/never")), "{}", server.asks("/never"));
}

#[tokio::test]
async fn members_get_a_copy_of_a_group_picture_on_another_server() {
    let (world, server) = world().await;
    let [ann, bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let crowd = crowd(&ann).await;
    let changes = async |person: &Person, avatar: &Value| {
        person.patch(&crowd, json!({ "avatar": avatar })).await.ok().data()["avatar"].clone()
    };
    let sees = async |person: &Person| person.get(&crowd).await.ok().data()["avatar"].clone();
    let mut copies = Vec::new();
    for path in ["/first", "/second"] {
        let url = has_picture(&server, path);
        assert_eq!(changes(&ann, &url).await, url);
        assert_eq!(sees(&bob).await, copies.last().cloned().unwrap_or_default(), "there is no copy yet");
        world.settle().await;
        copies.push(sees(&bob).await);
        assert_eq!((sees(&ann).await, status_of(copies.last().unwrap()).await), (url, 200));
    }
    let asked = server.asks("/second");
    changes(&ann, &has_picture(&server, "/second")).await;
    changes(&bob, &copies[1]).await;
    world.settle().await;
    assert_eq!((server.asks("/second"), sees(&bob).await), (asked, copies[1].clone()));
    settle_and_advance(&world, DAY + 2 * HOUR).await;
    assert_eq!((status_of(&copies[0]).await, status_of(&copies[1]).await), (404, 200));
}

#[tokio::test]
async fn account_deletion_erases_the_users_copied_group_picture() {
    let settings = [("INNER_ADDRESSES", "allowed")];
    let (world, server) = (World::builder().settings(&settings).start().await, PageServer::new().await);
    let [ann, bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let crowd = crowd(&ann).await;
    ann.patch(&crowd, json!({ "avatar": has_picture(&server, "/ann") })).await.ok();
    world.settle().await;
    let copy = bob.get(&crowd).await.ok().data()["avatar"].clone();
    assert_eq!(status_of(&copy).await, 200);
    ann.leaves().await;
    runs_deletions(&world).await;
    let shown = bob.signs_in().await.get(&crowd).await.ok().data()["avatar"].clone();
    assert_eq!((shown, status_of(&copy).await), (Value::Null, 404));
}

#[tokio::test]
async fn a_group_picture_can_be_given_as_an_upload_id() {
    let (world, _server) = world().await;
    let [ann, bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let crowd = crowd(&ann).await;
    let picture = photo(&world, &ann).await;
    let change = json!({ "avatar": picture["id"] });
    bob.patch(&crowd, change.clone()).await.invalid("avatar: ");
    ann.patch(&crowd, change.clone()).await.ok();
    let shown = bob.get(&crowd).await.ok().data()["avatar"].clone();
    assert_eq!(shown, picture["sizes"]["small"]);
    ann.patch(&crowd, change).await.ok();
    bob.patch(&crowd, json!({ "avatar": "not a url" })).await.invalid("avatar: ");
}
