//! A user's status and roles come from the session row, not from the token's claims.

use domain::{
    accounts::{bearer::Bearer, sessions},
    ids::SessionId,
    people::users::{Role, Status},
};
use platform::table::{Row, Write};
use serde::Serialize;
use serde_json::json;
use tests::{Person, World};

use crate::admin::administrator;

/// Changes an attribute of the user's newest session.
async fn sets(world: &World, person: &Person, attribute: &str, value: impl Serialize) {
    let sessions = person.get("/auth/sessions").await.ok();
    let sid: SessionId = sessions.rows()[0]["sid"].as_str().unwrap().parse().unwrap();
    let (app, bearer) = (world.app(), Bearer::of_session(person.id.parse().unwrap(), sid));
    let session = sessions::find_live(&app, &bearer).await.unwrap();
    app.table.write(Write::update(session.key()).set(attribute, value)).await.unwrap();
}

#[tokio::test]
async fn roles_come_from_the_session_and_not_the_token() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    sets(&world, &root, "roles", [Role::User]).await;
    root.get("/admin/users").await.refused(403, "FORBIDDEN");
    let quest = json!({ "action": "LIKE_CREATED", "requirement": 1 });
    root.post("/admin/daily-quests", quest).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn the_status_comes_from_the_session_and_not_the_token() {
    let (world, [ann]) = World::with(["ann"]).await;
    sets(&world, &ann, "status", Status::Banned).await;
    ann.get("/auth/me").await.refused(403, "FORBIDDEN");
    ann.post("/posts", json!({ "content": "x" })).await.refused(403, "FORBIDDEN");
}
