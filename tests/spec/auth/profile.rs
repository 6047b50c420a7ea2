//! Reading and changing the user's own profile.

use domain::people::users;
use futures::future::join_all;
use platform::table::Write;
use serde_json::json;
use tests::{Person, World};

use super::form;

const DAY: u64 = 24 * 60 * 60;

#[tokio::test]
async fn a_profile_change_updates_only_the_given_fields() {
    let (_world, [ann]) = World::with(["ann"]).await;
    ann.get("/auth/me").await.ok();
    // The service refuses a private address at once. With a public address, a deployed test would wait for retries.
    let avatar = "https://10.0.0.1/a.png";
    let change = json!({ "name": "Ann N.", "bio": "rivers", "avatar": avatar });
    let answer = ann.post("/auth/profile", change).await.ok();
    assert_eq!(answer.data(), &json!({ "updated": true }));
    let me = ann.get("/auth/me").await.ok().data().clone();
    let shown = json!([me["name"], me["bio"], me["avatar"], me["username"]]);
    assert_eq!(shown, json!(["Ann N.", "rivers", avatar, "ann"]));
    ann.post("/auth/profile", json!({ "bio": null, "avatar": null })).await.ok();
    let me = ann.get("/auth/me").await.ok().data().clone();
    assert_eq!(json!([me["name"], me["bio"], me["avatar"]]), json!(["Ann N.", null, null]));
}

#[tokio::test]
async fn the_error_for_an_invalid_profile_change_names_the_field() {
    let (world, [ann]) = World::with(["ann"]).await;
    let no_avatar = "avatar: must be the ID of a picture that you uploaded, or an http or https URL of at most 2048 bytes, without spaces and without a user";
    for (change, message) in [
        (json!({}), "the body must have a name, username, bio or avatar"),
        (json!({ "email": "x@example.com" }), "email: must be omitted: the operation has no such field"),
        (json!({ "name": null }), "name: must be a string"),
        (json!({ "bio": "x".repeat(301) }), "bio: must have at most 300 characters"),
        (json!({ "bio": "\u{200B}" }), "bio: must have a visible character"),
        (json!({ "avatar": "javascript:alert(1)" }), no_avatar),
        (json!({ "avatar": "https://ann:secret@example.com/a.png" }), no_avatar),
        (json!({ "avatar": "https://ann@example.com/a.png" }), no_avatar),
        (json!({ "avatar": "https://exam\nple.com/a.png" }), no_avatar),
        (json!({ "avatar": "https://example.com/a b.png" }), no_avatar),
        (json!({ "avatar": " " }), no_avatar),
        (json!({ "avatar": format!("https://example.com/{}", "x".repeat(3000)) }), no_avatar),
        (json!({ "username": "me" }), "username: must have 3 to 30 letters, digits, dots or underscores"),
        (json!({ "username": "system" }), "username: is reserved"),
    ] {
        assert_eq!(ann.post("/auth/profile", change).await.refused(400, "VALIDATION_FAILED"), message);
    }
    world.anyone.post("/auth/profile", json!({ "bio": "x" })).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn spaces_around_the_url_of_an_avatar_are_removed() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for (given, stored) in [
        (" https://example.com/a.png ", "https://example.com/a.png"),
        ("\t\nhttps://example.com/b.png\r\n", "https://example.com/b.png"),
        ("\u{3000}https://example.com/c.png\u{A0}", "https://example.com/c.png"),
    ] {
        ann.post("/auth/profile", json!({ "avatar": given })).await.ok();
        assert_eq!(ann.get("/auth/me").await.ok().data()["avatar"], stored);
    }
}

#[tokio::test]
async fn a_username_change_releases_the_old_username() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let taken = ann.post("/auth/profile", json!({ "username": "BOB", "bio": "x" })).await;
    assert_eq!(taken.refused(400, "VALIDATION_FAILED"), "username: is already taken");
    assert_eq!(ann.get("/auth/me").await.data()["bio"], json!(null));
    for name in ["Ann", "anna", "anna"] {
        ann.post("/auth/profile", json!({ "username": name })).await.ok();
        assert_eq!(ann.get("/auth/me").await.data()["username"], name);
    }
    assert_eq!(bob.get("/user/ann").await.ok().data()["username"], "anna");
    world.anyone.post("/auth/register", form("anna")).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn only_one_of_several_concurrent_users_gets_a_username() {
    let (_world, people) = World::with(["ann", "bob", "cid", "dan"]).await;
    let requests = people.iter().map(|person| person.post("/auth/profile", json!({ "username": "wanted" })));
    let answers = join_all(requests).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(refused.refused(400, "VALIDATION_FAILED"), "username: is already taken");
    }
}

#[tokio::test]
async fn the_cached_own_account_is_at_most_30_seconds_old() {
    let (world, [ann]) = World::with(["ann"]).await;
    ann.get("/auth/me").await.ok();
    let followed = Write::update(users::key(ann.id.parse().unwrap())).set("followersCount", 7);
    world.app().table.write(followed).await.unwrap();
    let me = world.budget("own account within 30 seconds", ann.get("/auth/me")).await;
    assert_eq!(me.data()["followersCount"], 0);
    world.advance(30).await;
    assert_eq!(ann.get("/auth/me").await.data()["followersCount"], 7);
}

#[tokio::test]
async fn a_username_can_change_twice_in_30_days() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let renames =
        async |ann: &Person, name: &str| ann.post("/auth/profile", json!({ "username": name })).await;
    renames(&ann, "anna").await.ok();
    world.advance(10 * DAY).await;
    let ann = ann.refreshes().await;
    renames(&ann, "ann").await.ok();
    let refused = renames(&ann, "anne").await;
    refused.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), Some((20 * DAY).to_string().as_str()));
    renames(&ann, "ann").await.ok();
    ann.post("/auth/profile", json!({ "name": "Anna" })).await.ok();
    world.advance(20 * DAY).await;
    renames(&ann.refreshes().await, "anne").await.ok();
}
