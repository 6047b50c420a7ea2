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
pub(crate) mod invitations;
pub(crate) mod judging;
mod life;
mod members;
mod memorial;
mod mutes;
mod notices;
mod owning;
pub(crate) mod posts;
mod requests;
pub(crate) mod sacrifice;
pub(crate) mod succession;

use domain::{
    circles::{Change, EnergyEntry, EnergyReason, transition_writes},
    ids::{ChangeId, CircleId, UserId},
    ledger::action_log::{Action, ActionType},
};
use platform::{
    idempotency::Once,
    table::{Key, Query, Write},
};
use serde_json::{Value, json};
use tests::{Answer, Person, World};

pub(crate) use crate::routes::UNKNOWN_ID;

/// A text that is long enough to be judged. Shorter texts get score 0 at once.
pub(crate) const THOUGHT: &str = "A thought about reading in the evening, and why it matters to all of us";

/// A circle that a test created.
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

    /// Returns the response to an anonymous request for the circle.
    pub(crate) async fn seen(&self, world: &World) -> Value {
        world.anyone.get(&self.path("")).await.ok().data().clone()
    }

    /// Returns the HP, EXP and level of the circle.
    pub(crate) async fn energy(&self, world: &World) -> Value {
        world.anyone.get(&self.path("/energy")).await.ok().data().clone()
    }

    /// Returns the HP and the EXP of the circle.
    async fn hp_and_exp(&self, world: &World) -> (i64, i64) {
        let energy = self.energy(world).await;
        (energy["current"].as_i64().unwrap(), energy["exp"].as_i64().unwrap())
    }

    /// Sets the HP, and adds EXP.
    pub(crate) async fn reaches(&self, world: &World, hp: i64, exp: i64) {
        let before = self.energy(world).await["current"].as_i64().unwrap();
        self.gains(world, hp - before, exp).await;
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

/// Number of circles for which a job needs several pages.
pub(crate) const MANY: usize = 250;

/// Creates circles without requests, because the daily limit refuses so many.
pub(crate) async fn creates_circles(world: &World, founder: &Person, circles: usize) -> Vec<Circle> {
    let (app, id) = (world.app(), founder.id.parse().unwrap());
    let mut created = Vec::new();
    for number in 0..circles {
        let draft = serde_json::from_value(json!({ "name": format!("Circle {number}") })).unwrap();
        let circle = domain::circles::create(&app, id, draft, &Once::unkeyed()).await.unwrap();
        created.push(Circle { id: circle.public_id.to_string() });
    }
    created
}

/// Starts a world without ticks, and creates these users.
async fn without_ticks<const N: usize>(names: [&str; N]) -> (World, [Person; N]) {
    World::builder().without_ticks().start_with(names).await
}

/// Starts a world, and creates a circle of the first user.
async fn with_circle<const N: usize>(
    start: impl Future<Output = (World, [Person; N])>,
) -> (World, [Person; N], Circle) {
    let (world, people) = Box::pin(start).await;
    let circle = creates_circle(&people[0], "Night readers").await;
    (world, people, circle)
}

/// Starts a world, and creates a circle of the first user. The other users are its members.
async fn with_members<const N: usize>(
    start: impl Future<Output = (World, [Person; N])>,
) -> (World, [Person; N], Circle) {
    let (world, people, circle) = with_circle(start).await;
    for member in &people[1..] {
        joins(member, &circle, &people[0]).await;
    }
    (world, people, circle)
}

/// Creates a circle.
pub(crate) async fn creates_circle(user: &Person, name: &str) -> Circle {
    Circle { id: posts::id(&user.post("/circles", json!({ "name": name })).await.ok()) }
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

/// Creates a circle of `owner`, and adds the members.
async fn circle_of(owner: &Person, members: &[&Person]) -> Circle {
    let circle = creates_circle(owner, "Night readers").await;
    for member in members {
        joins(member, &circle, owner).await;
    }
    circle
}

/// Changes the role of a member.
pub(crate) async fn appoints(owner: &Person, circle: &Circle, user: &Person, role: &str) -> Answer {
    owner.patch(&circle.path("/members"), json!({ "username": user.name, "role": role })).await
}

/// Returns the target and the metadata of a user's actions of this kind in today's action log.
async fn actions(world: &World, user: &Person, kind: ActionType) -> Vec<Value> {
    let app = world.app();
    let today = Query::partition(format!("USER#{}", user.id)).prefix(Action::prefix(kind, &app.now().day()));
    let actions: Vec<Action> = app.table.query(&today).await.unwrap();
    let fields = |action: &Action| json!({ "target": action.target_id, "metadata": action.metadata });
    actions.iter().map(fields).collect()
}

/// Writes a row directly to the table.
pub(crate) async fn writes(world: &World, write: Write) {
    world.app().table.write(write).await.unwrap();
}

/// Advances the clock hour by hour, and delivers all messages after each hour.
pub(crate) async fn hours(world: &World, hours: usize) {
    for _ in 0..hours {
        world.advance_and_settle(3600).await;
    }
}

/// Sets a user's karma.
pub(crate) async fn earns(world: &World, user: &Person, karma: i64) {
    let key = Key::new(format!("USER#{}", user.id), "KARMA");
    writes(world, Write::update(key).set("user", &user.id).set("balance", karma)).await;
}

/// Returns the stored changes of the circle's HP and EXP, including the hourly HP losses.
pub(crate) async fn log(world: &World, circle: &Circle) -> Vec<EnergyEntry> {
    let mut entries = Vec::new();
    for kind in ["EXP#", "DRAIN#"] {
        let query = Query::partition(format!("CIRCLE#{}", circle.id)).prefix(kind).consistent();
        entries.extend(world.app().table.query::<EnergyEntry>(&query).await.unwrap());
    }
    entries
}
