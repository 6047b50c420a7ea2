//! Circles: members, posts, energy and death.

mod bans;
mod by_id;
mod circle;
mod costs;
pub(crate) mod cpr;
pub(crate) mod critic;
pub(crate) mod death;
mod discover;
mod drain;
mod edits;
mod energy;
mod external_judge;
mod history;
pub(crate) mod invitations;
pub(crate) mod judging;
mod leaving;
mod life;
mod life_costs;
mod members;
mod memorial;
mod mutes;
mod notices;
mod owning;
pub(crate) mod posts;
mod requests;
pub(crate) mod sacrifice;
mod succession;

use domain::{
    circles::{Change, EnergyEntry, EnergyReason, transition_writes},
    ids::{ChangeId, CircleId, UserId},
    ledger::action_log::{Action, ActionType},
};
use platform::{
    idempotency::Once,
    table::{Key, Query, Row, Write},
};
use serde_json::{Value, json};
use tests::{Answer, Person, World};

pub(crate) const UNKNOWN_ID: &str = "01KGB5T9G0A1B2C3D4E5F6G7H8";

/// A circle, as the API returned it to its creator.
pub(crate) struct Circle {
    /// Public ID.
    pub(crate) id: String,
}

impl Circle {
    /// Returns the circle's path followed by `below`: `circle.path("/energy")`.
    pub(crate) fn path(&self, below: &str) -> String {
        format!("/circles/{}{below}", self.id)
    }

    /// Returns a path for administrators of the circle: `circle.manage("/join-requests")`.
    pub(crate) fn manage(&self, below: &str) -> String {
        format!("/circle/{}/manage{below}", self.id)
    }

    pub(crate) fn id(&self) -> CircleId {
        self.id.parse().unwrap()
    }

    /// Returns the circle as an anonymous reader sees it.
    pub(crate) async fn seen(&self, world: &World) -> Value {
        world.anyone.get(&self.path("")).await.ok().data().clone()
    }

    /// Returns the energy as an anonymous reader sees it.
    pub(crate) async fn energy(&self, world: &World) -> Value {
        world.anyone.get(&self.path("/energy")).await.ok().data().clone()
    }

    /// Adds HP and EXP, as a verdict on a post does.
    pub(crate) async fn gains(&self, world: &World, hp: i64, exp: i64) {
        let app = world.app();
        let energy = domain::circles::energy(&app, self.id()).await.unwrap();
        let id: ChangeId = app.ids.next(app.now());
        let change = Change::by(UserId::random_at(&app, app.now()), id, EnergyReason::PostQuality, hp, exp);
        let changed = change.apply(&energy, app.now()).unwrap();
        app.table.transact(transition_writes(&app, &changed).await.unwrap()).await.unwrap();
    }
}

/// Creates so many circles that jobs need several pages.
pub(crate) async fn creates_many_circles(world: &World, founder: &Person) -> Vec<Circle> {
    creates_circles(world, founder, 250).await
}

/// Creates circles without requests, which bypasses the daily limit.
pub(crate) async fn creates_circles(world: &World, founder: &Person, circles: usize) -> Vec<Circle> {
    let (app, id) = (world.app(), founder.id.parse().unwrap());
    let mut made = Vec::new();
    for number in 0..circles {
        let draft = serde_json::from_value(json!({ "name": format!("Circle {number}") })).unwrap();
        let circle = domain::circles::create(&app, id, draft, &Once::unkeyed()).await.unwrap();
        made.push(Circle { id: circle.public_id.to_string() });
    }
    made
}

/// Creates a circle.
pub(crate) async fn creates_circle(user: &Person, name: &str) -> Circle {
    let answer = user.post("/circles", json!({ "name": name })).await.ok();
    Circle { id: answer.data()["publicId"].as_str().unwrap().to_owned() }
}

/// Requests to join the circle.
pub(crate) async fn asks(user: &Person, circle: &Circle) -> Answer {
    user.post(&circle.path("/join-request"), Value::Null).await
}

/// Accepts or rejects a join request.
pub(crate) async fn answers(user: &Person, circle: &Circle, asker: &Person, action: &str) -> Answer {
    let body = json!({ "userId": asker.id, "action": action });
    user.post(&circle.manage("/join-request/respond"), body).await
}

/// Makes `user` request to join, and makes the owner accept the request.
pub(crate) async fn joins(user: &Person, circle: &Circle, owner: &Person) {
    asks(user, circle).await.ok();
    answers(owner, circle, user, "ACCEPT").await.ok();
}

/// Changes the role of a member.
pub(crate) async fn appoints(owner: &Person, circle: &Circle, user: &Person, role: &str) -> Answer {
    owner.patch(&circle.path("/members"), json!({ "username": user.name, "role": role })).await
}

/// Returns a user's actions of this kind in today's action log.
pub(crate) async fn actions(world: &World, user: &Person, kind: ActionType) -> Vec<Action> {
    let app = world.app();
    let today = Query::partition(format!("USER#{}", user.id)).prefix(Action::prefix(kind, &app.now().day()));
    app.table.query(&today).await.unwrap()
}

/// Returns the fields of an action that do not depend on the time.
fn without_time(action: &Action) -> Value {
    json!({ "target": action.target_id, "metadata": action.metadata })
}

/// Writes to the table without a request.
pub(crate) async fn writes(world: &World, write: Write) {
    world.app().table.write(write).await.unwrap();
}

/// Key of any row.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Any {
    pub(crate) pk: String,
    pub(crate) sk: String,
}

impl Row for Any {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}

/// Advances the clock hour by hour, and delivers all messages after each hour.
pub(crate) async fn hours(world: &World, hours: usize) {
    for _ in 0..hours {
        world.advance(3600).await;
        world.settle().await;
    }
}

/// Sets a user's karma.
pub(crate) async fn earns(world: &World, user: &Person, karma: i64) {
    let key = Key::new(format!("USER#{}", user.id), "KARMA");
    writes(world, Write::update(key).set("user", &user.id).set("balance", karma)).await;
}

/// Returns the circle's energy log entries, including the hourly drains.
pub(crate) async fn log(world: &World, circle: &Circle) -> Vec<EnergyEntry> {
    let mut lines = Vec::new();
    for kind in ["EXP#", "DRAIN#"] {
        let query = Query::partition(format!("CIRCLE#{}", circle.id)).prefix(kind).consistent();
        lines.extend(world.app().table.query::<EnergyEntry>(&query).await.unwrap());
    }
    lines
}
