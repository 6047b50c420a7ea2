//! A user's status and roles come from the session row, not from the token's claims.

use domain::{
    accounts::{bearer::Bearer, sessions::Session},
    ids::SessionId,
    people::users::{Role, Status},
};
use platform::table::{Key, Row, Write};
use serde_json::json;
use tests::{Person, World};

use crate::admin::administrator;

/// Returns the key of a user's newest session.
async fn session(world: &World, person: &Person) -> Key {
    let sessions = person.get("/auth/sessions").await.ok();
    let sid: SessionId = sessions.rows()[0]["sid"].as_str().unwrap().parse().unwrap();
    let app = world.app();
    let bearer = Bearer::of_session(person.id.parse().unwrap(), sid);
    let found = domain::accounts::sessions::find_live(&app, &bearer).await;
    Session::key(&found.unwrap())
}

#[tokio::test]
async fn roles_come_from_the_session_and_not_the_token() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let row = session(&world, &root).await;
    world.app().table.write(Write::update(row).set("roles", [Role::User])).await.unwrap();
    root.get("/admin/users").await.refused(403, "FORBIDDEN");
    let quest = json!({ "action": "LIKE_CREATED", "requirement": 1 });
    root.post("/admin/daily-quests", quest).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn the_status_comes_from_the_session_and_not_the_token() {
    let (world, [ann]) = World::with(["ann"]).await;
    let row = session(&world, &ann).await;
    world.app().table.write(Write::update(row).set("status", Status::Banned)).await.unwrap();
    ann.get("/auth/me").await.refused(403, "FORBIDDEN");
    ann.post("/posts", json!({ "content": "x" })).await.refused(403, "FORBIDDEN");
}
