//! The scene of the permission tests: an owner with posts, groups and circles, and one user of each kind.

use std::collections::HashMap;

use domain::people::users::Role;
use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Client, PASSWORD, Person, World};
use tokio::sync::{Mutex, OnceCell};

use super::row::COLUMNS;
use crate::{
    admin::administrator,
    circles::{Circle, answers, appoints, asks, creates_circle, joins},
    messages::makes,
    routes::UNKNOWN_ID,
    uploads,
};

/// A world with one user of each kind.
pub(crate) struct Scene {
    pub(crate) world: World,
    people: HashMap<&'static str, Person>,
    /// The user that administrators and circle owners change in their requests.
    dan: Person,
    circle: OnceCell<Circle>,
    /// The IDs of the objects of [`Self::create`], by name.
    ids: Mutex<HashMap<String, String>>,
}

impl Scene {
    pub(crate) async fn new() -> Self {
        let world = World::builder()
            .settings(&[("WRITE_LIMIT_PER_5_MIN", "10000"), ("AUTH_LIMIT_PER_5_MIN", "10000")])
            .start()
            .await;
        let expired = world.person("expired").await;
        world.advance(15 * 60).await;
        let names = ["ended", "banned", "stranger", "blocked", "opponent", "member", "owner", "deputy"];
        let mut people: HashMap<_, _> =
            names.into_iter().zip(world.people(names).await).chain([("expired", expired)]).collect();
        people.insert("admin", administrator(&world, "admin_", Role::Admin).await);
        people.insert("super", administrator(&world, "super_", Role::SuperAdmin).await);
        people["ended"].with_refresh("/auth/logout").await.ok();
        let ban = format!("/admin/users/{}/ban", people["banned"].id);
        people["admin"].patch(&ban, Value::Null).await.ok();
        people["owner"].blocks(&people["blocked"]).await;
        people["opponent"].blocks(&people["owner"]).await;
        let dan = world.person("dan").await;
        Self { world, people, dan, circle: OnceCell::new(), ids: Mutex::default() }
    }

    /// Returns the user for a column, or `None` for the anonymous column.
    pub(crate) fn person(&self, column: &str) -> Option<&Person> {
        assert!(COLUMNS.contains(&column));
        self.people.get(column)
    }

    pub(crate) fn client(&self, column: &str) -> &Client {
        self.person(column).map_or(&self.world.anyone, |user| user)
    }

    /// Replaces the `$names` in a text with their values.
    pub(crate) async fn fill(&self, text: &str) -> String {
        let mut parts = text.split('$');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|char: char| !char.is_ascii_alphabetic()).unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            filled += &self.value(name).await;
            filled += rest;
        }
        filled
    }

    /// Returns the value of a `$name`, such as an ID. Creates a new object for names whose object a test may change or
    /// delete.
    async fn value(&self, name: &str) -> String {
        let owner = self.owner();
        match name {
            "owner" => owner.name.clone(),
            "ownerId" => owner.id.clone(),
            "dan" => self.dan.name.clone(),
            "danId" => self.dan.id.clone(),
            "post" => {
                let poll = json!({ "options": ["Tea", "Coffee"], "durationMinutes": 60 });
                owner.posts(json!({ "content": "hello", "poll": poll })).await.id
            }
            "draft" => id(owner.post("/me/drafts", json!({ "content": "hello" })).await.ok().data()),
            "circle" => self.circle().await.id.clone(),
            "leftCircle" | "group" | "crowd" | "company" | "report" | "notification" => {
                self.id_of(name).await
            }
            "message" => {
                let path = format!("/message-group/{}/messages", self.id_of("group").await);
                id(owner.post(&path, json!({ "content": "hi" })).await.ok().data())
            }
            "upload" => id(&uploads::begins(owner, "image/png", 5).await),
            "session" => session_of(&owner.signs_in().await).await,
            "token" => {
                let body = json!({ "name": "bot", "scopes": ["read"], "password": PASSWORD });
                id(owner.post("/auth/tokens", body).await.ok().data())
            }
            "case" => {
                self.id_of("report").await;
                let reports = self.people["admin"].get("/admin/reports").await.ok();
                reports.rows()[0]["caseId"].as_str().unwrap().to_owned()
            }
            "today" => {
                let daily = owner.get("/quests/daily").await.ok();
                daily.data()["quests"][0]["code"].as_str().unwrap().to_owned()
            }
            "quest" => "DEEP_COMMENT".to_owned(),
            "stone" => UNKNOWN_ID.to_owned(),
            "new" => format!("new{}", &owner.writes("a name").await.id[18..]).to_lowercase(),
            "code" => format!("Q{}", &owner.writes("a code").await.id[18..]),
            other => panic!("the scene has no {other}"),
        }
    }

    /// Creates the state with the name `what` for the next request of `user`.
    pub(crate) async fn prepare(&self, what: &str, user: Option<&Person>) {
        let owner = self.owner();
        match (what, user) {
            ("asked", _) => {
                let circle = self.circle().await;
                self.dan.post(&circle.path("/leave"), Value::Null).await;
                asks(&self.dan, circle).await;
            }
            ("joined", _) => {
                let circle = self.circle().await;
                asks(&self.dan, circle).await;
                answers(owner, circle, &self.dan, "ACCEPT").await;
            }
            ("gone", _) => {
                let circle = self.circle().await;
                answers(owner, circle, &self.dan, "REJECT").await;
                self.dan.post(&circle.path("/invitations/accept"), Value::Null).await;
                self.dan.post(&circle.path("/leave"), Value::Null).await;
            }
            ("crowded", _) => {
                let path = format!("/message-group/{}/members", self.id_of("crowd").await);
                owner.post(&path, json!({ "username": self.dan.name })).await.ok();
            }
            ("invited", Some(user)) => {
                let path = self.circle().await.path("/invitations");
                owner.post(&path, json!({ "username": user.name })).await;
            }
            ("beckoned", _) => {
                let path = self.circle().await.path("/invitations");
                owner.post(&path, json!({ "username": self.dan.name })).await;
            }
            ("kept_out", _) => {
                let path = self.circle().await.path(&format!("/members/{}/ban", self.dan.id));
                owner.post(&path, Value::Null).await;
            }
            ("befriended", Some(user)) => {
                owner.post(&user.path("/friend-request"), Value::Null).await;
            }
            ("invited" | "befriended", None) => {}
            (other, _) => panic!("the scene cannot prepare {other}"),
        }
    }

    fn owner(&self) -> &Person {
        &self.people["owner"]
    }

    /// Returns the owner's circle, with an administrator and a member.
    pub(crate) async fn circle(&self) -> &Circle {
        self.circle.get_or_init(|| self.create_circle()).await
    }

    async fn create_circle(&self) -> Circle {
        let circle = creates_circle(self.owner(), "Night readers").await;
        join_all(["member", "deputy"].map(|name| joins(&self.people[name], &circle, self.owner()))).await;
        appoints(self.owner(), &circle, &self.people["deputy"], "ADMIN").await.ok();
        circle
    }

    /// Returns the ID of an object that all requests share.
    async fn id_of(&self, name: &str) -> String {
        let mut ids = self.ids.lock().await;
        if let Some(id) = ids.get(name) {
            return id.clone();
        }
        let id = self.create(name).await;
        ids.insert(name.to_owned(), id.clone());
        id
    }

    /// Creates the object with this `$name`, and returns its ID.
    async fn create(&self, name: &str) -> String {
        let (owner, member) = (self.owner(), &self.people["member"]);
        match name {
            // Users leave this circle in a test. `dan` stays, so that the circle is not closed.
            "leftCircle" => {
                let circle = self.create_circle().await;
                joins(&self.dan, &circle, owner).await;
                circle.id
            }
            "group" => owner.chats_with("member").await,
            "crowd" => id(makes(owner, "crowd", &["member", "dan"]).await.data()),
            "company" => id(makes(&self.dan, "crowd", &["owner", "member"]).await.data()),
            "report" => {
                let path = owner.writes("spam").await.path("/report");
                member.post(&path, json!({ "reason": "spam", "type": "post" })).await.ok();
                id(&self.people["admin"].get("/admin/reports").await.ok().rows()[0])
            }
            "notification" => {
                let post = owner.writes("hello").await;
                member.replies(&post, "hi").await;
                self.world.settle().await;
                self.world.advance_and_settle(40).await;
                id(&owner.get("/notification").await.ok().rows()[0])
            }
            other => panic!("the scene has no {other}"),
        }
    }
}

fn id(of: &Value) -> String {
    let id = of.get("publicId").or(of.get("reportId")).or(of.get("id")).and_then(Value::as_str);
    id.unwrap_or_else(|| panic!("no id in {of}")).to_owned()
}

/// Returns the ID of the user's session.
pub(crate) async fn session_of(user: &Person) -> String {
    let sessions = user.get("/auth/sessions").await.ok();
    let own =
        sessions.rows().iter().find(|session| session["isCurrent"] == true).expect("the current session");
    own["sid"].as_str().unwrap().to_owned()
}
