//! Requests can refer to a user by username, public ID or internal ID.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Answer, Person, World};

use crate::{
    admin::administrator,
    auth::form,
    circles::{appoints, asks, creates_circle, joins},
    messages::{id, makes},
    routes::UNKNOWN_ID,
};

/// Returns the three texts that refer to a user: username, public ID and internal ID.
fn references(user: &Person) -> [&str; 3] {
    [&user.name, &user.public_id, &user.id]
}

#[tokio::test]
async fn user_paths_accept_a_username_or_an_id() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for bob_ref in references(&bob) {
        let path = |below: &str| format!("/user/{bob_ref}{below}");
        assert_eq!(ann.get(&path("")).await.ok().data()["username"], "bob");
        for list in ["/posts", "/followers", "/following"] {
            ann.get(&path(list)).await.ok();
        }
        for (below, body) in [
            ("/follower", json!({ "isFollowing": true })),
            ("/mute", json!({ "isMuted": true })),
            ("/mute", json!({ "isMuted": false })),
            ("/block", json!({ "isBlocked": false })),
        ] {
            ann.post(&path(below), body).await.ok();
        }
        ann.post(&path("/friend-request"), Value::Null).await.ok();
        ann.patch(&format!("/me/friend-requests/{bob_ref}/cancel"), Value::Null).await.ok();
        bob.befriends(&ann).await;
        ann.patch(&format!("/me/friend-requests/{bob_ref}/accept"), Value::Null).await.ok();
        ann.delete(&format!("/me/friends/{bob_ref}")).await.ok();
    }
    for unknown in [UNKNOWN_ID, "unknown"] {
        ann.get(&format!("/user/{unknown}")).await.refused(404, "NOT_FOUND");
    }
    let own = format!("/user/{}/follower", ann.public_id);
    ann.post(&own, Value::Null).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn mentions_accept_usernames_and_ids() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    for bob_ref in references(&bob) {
        let body = json!({ "content": "hello", "mentions": [cleo.name, bob_ref] });
        let expected = json!([cleo.public_id, bob.public_id]);
        let post = ann.posts(body.clone()).await;
        assert_eq!(post.json["mentions"], expected);
        assert_eq!(bob.sees(&post).await["mentions"], expected);
        for path in ["/reply", "/quote"].map(|below| post.path(below)) {
            assert_eq!(ann.post(&path, body.clone()).await.ok().data()["mentions"], expected);
        }
        assert_eq!(ann.post("/me/drafts", body).await.ok().data()["mentions"], expected);
    }
    for (mentions, message) in [
        (json!(["bob", bob.id]), "mentions: must not contain a user twice"),
        (json!(["unknown"]), "mentions: must contain only existing users"),
        (json!([UNKNOWN_ID]), "mentions: must contain only existing users"),
        (json!([" "]), "mentions[0]: must have 3 to 30 letters, digits, dots or underscores"),
    ] {
        for path in ["/posts", "/me/drafts"] {
            let answer = ann.post(path, json!({ "content": "hello", "mentions": mentions })).await;
            assert_eq!(answer.refused(400, "VALIDATION_FAILED"), message);
        }
    }
}

#[tokio::test]
async fn message_groups_accept_usernames_and_ids_of_members() {
    let (_world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let crowd = id(&makes(&ann, "crowd", &[&bob.public_id, &cleo.id, "bob", UNKNOWN_ID]).await);
    let path = format!("/message-group/{crowd}/members");
    let pair = id(&makes(&ann, "private", &["dan"]).await);
    for dan_ref in references(&dan) {
        assert_eq!(id(&makes(&ann, "private", &[dan_ref]).await), pair);
        ann.post(&path, json!({ "username": dan_ref })).await.ok();
        assert_eq!(ann.delete(&format!("{path}/{dan_ref}")).await.ok().data()["userId"], dan.public_id);
    }
}

#[tokio::test]
async fn circle_requests_accept_usernames_and_ids() {
    let (_world, [ann, bob, dan]) = World::with(["ann", "bob", "dan"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    joins(&bob, &circle, &ann).await;
    for (bob_ref, dan_ref) in references(&bob).into_iter().zip(references(&dan)) {
        let body = json!({ "username": bob_ref, "role": "ADMIN" });
        ann.patch(&circle.path("/members"), body).await.ok();
        appoints(&ann, &circle, &bob, "MEMBER").await.ok();
        ann.post(&circle.path("/invitations"), json!({ "username": dan_ref })).await.ok();
        ann.delete(&circle.path(&format!("/invitations/{dan_ref}"))).await.ok();
        for field in ["userId", "requestId"] {
            asks(&dan, &circle).await.ok();
            let body = json!({ field: dan_ref, "action": "ACCEPT" });
            ann.post(&circle.manage("/join-request/respond"), body).await.ok();
            ann.delete(&circle.path(&format!("/members/{dan_ref}"))).await.ok();
        }
        let ban = circle.path(&format!("/members/{dan_ref}/ban"));
        ann.post(&ban, Value::Null).await.ok();
        assert_eq!(ann.delete(&ban).await.ok().data()["userId"], dan.public_id);
    }
}

#[tokio::test]
async fn admin_requests_accept_usernames_and_ids() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::SuperAdmin).await;
    let bob = world.person("bob").await;
    for bob_ref in references(&bob) {
        for what in ["lock", "unlock", "temp-ban", "ban", "unlock"] {
            let answer = root.patch(&format!("/admin/users/{bob_ref}/{what}"), Value::Null).await.ok();
            let ids = json!([answer.data()["id"], answer.data()["publicId"]]);
            assert_eq!(ids, json!([bob.id, bob.public_id]));
        }
        let roles = format!("/admin/users/{bob_ref}/roles");
        root.patch(&roles, json!({ "roles": [] })).await.ok();
        let found = root.get(&format!("/admin/users?q={bob_ref}")).await.ok();
        assert_eq!(found.column("username"), ["bob"]);
    }
}

#[tokio::test]
async fn a_cursor_can_be_a_username_or_an_id() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    for fan in [&bob, &cleo] {
        fan.follows(&ann).await;
        ann.follows(fan).await;
        fan.befriends(&ann).await;
        ann.post(&fan.path("/mute"), Value::Null).await.ok();
        world.advance(1).await;
    }
    let lists = ["/user/ann/followers", "/user/ann/following", "/me/friend-requests/received", "/me/muted"];
    for list in lists {
        let whole = ann.get(list).await.ok();
        assert_eq!(whole.rows().len(), 2, "{list}");
        for cleo_ref in references(&cleo) {
            let rest = ann.get(&format!("{list}?after={cleo_ref}")).await.ok();
            assert_eq!(rest.rows(), &whole.rows()[1..], "{list}");
        }
        let unknown = ann.get(&format!("{list}?after=unknown")).await;
        assert_eq!(unknown.refused(400, "VALIDATION_FAILED"), "after: must be a user in this list");
    }
}

#[tokio::test]
async fn a_username_cannot_have_the_form_of_an_id() {
    let (world, [ann]) = World::with(["ann"]).await;
    let name = "01kgb5t9g0a1b2c3d4e5f6g7h8";
    let message = "username: must not be an id";
    let refused = |answer: Answer| assert_eq!(answer.refused(400, "VALIDATION_FAILED"), message);
    refused(world.anyone.post("/auth/register", form(name)).await);
    refused(ann.post("/auth/profile", json!({ "username": name })).await);
    let available = world.anyone.post("/auth/validate/username", json!({ "username": name })).await.ok();
    assert_eq!(available.data(), &json!({ "available": false }));
}
