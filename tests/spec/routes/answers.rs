//! The statuses that every live route returns to the owner of an object and to another user.

use domain::people::users::Role;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Client, PASSWORD, Person, Post, World, send};

use super::{PREFIXES, UNKNOWN_ID, document::operations};
use crate::{
    admin::administrator,
    circles::{Circle, asks, creates_circle},
};

/// An expected status, and the error code if the request is expected to fail.
type Expected = (u16, Option<&'static str>);

const OK: Expected = (200, None);
const CREATED: Expected = (201, None);
const INVALID: Expected = (400, Some("VALIDATION_FAILED"));
const UNAUTHORIZED: Expected = (401, Some("UNAUTHORIZED"));
const FORBIDDEN: Expected = (403, Some("FORBIDDEN"));
const MISSING: Expected = (404, Some("NOT_FOUND"));

/// A live route with its request, and the expected responses for the owner and for another user.
struct Row {
    route: &'static str,
    path: String,
    body: Value,
    own: Expected,
    other: Option<Expected>,
}

/// The users, and ann's post, group and circle. Bob has no relationship with ann.
struct Scene {
    _world: World,
    ann: Person,
    bob: Person,
    cleo: Person,
    dan: Person,
    root: Person,
    post: Post,
    group: String,
    circle: Circle,
}

#[tokio::test]
async fn every_live_route_returns_the_expected_statuses() {
    for prefix in PREFIXES {
        let scene = Scene::new().await;
        for row in scene.rows() {
            let (method, path) = row.route.split_once(' ').unwrap();
            let method: Method = method.parse().unwrap();
            let own = if path.starts_with("/admin/") { &scene.root } else { &scene.ann };
            let asked = [(&scene.bob, row.other), (own, Some(row.own))];
            for (user, expected) in asked.into_iter().filter_map(|(user, expected)| Some((user, expected?))) {
                let answer = ask(user, &method, &format!("{prefix}{}", row.path), &row.body).await;
                let actual = (answer.status, answer.header("x-error-code"));
                assert_eq!(actual, expected, "{} by {}: {answer}", row.route, user.name);
                assert_eq!(answer.body["success"], expected.1.is_none(), "{answer}");
            }
        }
    }
}

#[tokio::test]
async fn the_status_test_covers_every_live_route() {
    let scene = Scene::new().await;
    let mut tested: Vec<_> = scene.rows().into_iter().map(|row| row.route.to_owned()).collect();
    let mut live: Vec<_> = operations()
        .iter()
        .filter(|operation| operation.status == "live")
        .map(|operation| operation.name())
        .collect();
    tested.sort_unstable();
    live.sort_unstable();
    assert_eq!(tested, live);
}

async fn ask(user: &Client, method: &Method, path: &str, body: &Value) -> Answer {
    let request = user.request(method.clone(), path);
    send(if body.is_null() { request } else { request.json(body) }).await
}

impl Scene {
    async fn new() -> Self {
        let world = World::new().await;
        let root = administrator(&world, "root", Role::Admin).await;
        let [ann, bob, cleo, dan] = world.people(["ann", "bob", "cleo", "dan"]).await;
        let post = ann.writes("hello").await;
        cleo.befriends(&ann).await;
        ann.befriends(&dan).await;
        let group = ann.chats_with("cleo").await;
        let circle = creates_circle(&ann, "Night readers").await;
        asks(&cleo, &circle).await.ok();
        Self { _world: world, ann, bob, cleo, dan, root, post, group, circle }
    }

    fn rows(&self) -> Vec<Row> {
        let lists = [self.auth(), self.admin(), self.posts(), self.people(), self.groups(), self.rest()];
        lists.into_iter().flatten().collect()
    }

    fn auth(&self) -> Vec<Row> {
        let token = json!({ "token": "x".repeat(43) });
        let login = json!({ "identifier": "ann", "password": PASSWORD });
        let reset = json!({ "token": "x".repeat(43), "password": PASSWORD });
        let eve =
            json!({ "name": "Eve", "username": "eve", "email": "eve@example.com", "password": PASSWORD });
        vec![
            row("POST /auth/register", CREATED).body(eve),
            row("POST /auth/login", OK).body(login),
            row("POST /auth/forgot-password", OK).body(json!({ "email": "ann@example.com" })),
            row("GET /auth/reset-password/validate", OK).query("?token=x"),
            row("POST /auth/reset-password", INVALID).body(reset),
            row("POST /auth/verify-email", INVALID).body(token),
            row("POST /auth/validate/email", OK).body(json!({ "email": "a@example.com" })),
            row("POST /auth/validate/username", OK).body(json!({ "username": "free" })),
            row("GET /auth/me", OK),
            row("POST /auth/profile", OK).body(json!({ "bio": "I am Ann." })),
            row("POST /auth/resend-verify-email", OK),
            // This request has no refresh token. Tests with a refresh token are in auth/rotation.rs and callers.rs.
            row("POST /auth/refresh-token", UNAUTHORIZED),
            row("POST /auth/logout", UNAUTHORIZED),
        ]
    }

    fn admin(&self) -> Vec<Row> {
        let quest = json!({ "action": "LIKE_CREATED", "requirement": 7 });
        let login = json!({ "identifier": "root", "password": PASSWORD });
        let ban = format!("/admin/users/{}/ban", self.dan.id);
        vec![
            row("POST /admin/login", OK).body(login),
            row("GET /admin/users", OK).and_other(FORBIDDEN),
            row("PATCH /admin/users/{userId}/ban", OK).at(ban).and_other(FORBIDDEN),
            row("GET /admin/reports", OK).query("?status=PENDING").and_other(FORBIDDEN),
            row("POST /admin/daily-quests", CREATED).body(quest).and_other(FORBIDDEN),
            row("GET /admin/daily-quests", OK).and_other(FORBIDDEN),
            row("GET /admin/daily-quests/actions", OK).and_other(FORBIDDEN),
            row("PATCH /admin/daily-quests/{code}/disable", OK)
                .at("/admin/daily-quests/LIKE_CREATED_7/disable".to_owned())
                .and_other(FORBIDDEN),
        ]
    }

    fn posts(&self) -> Vec<Row> {
        let words = json!({ "content": "more" });
        let report = json!({ "reason": "spam", "type": "post" });
        let at = |below: &str| self.post.path(below);
        vec![
            row("POST /posts", CREATED).body(words.clone()).and_other(CREATED),
            row("GET /posts/news-feed", OK).query("?type=FOLLOWING").and_other(OK),
            row("GET /posts/{publicId}", OK).at(at("")).and_other(OK),
            row("GET /posts/{publicId}/replies", OK).at(at("/replies")).and_other(OK),
            row("POST /posts/{publicId}/like", OK)
                .body(json!({ "isLiked": true }))
                .at(at("/like"))
                .and_other(OK),
            row("POST /posts/{publicId}/reply", CREATED)
                .body(words.clone())
                .at(at("/reply"))
                .and_other(CREATED),
            row("POST /posts/{publicId}/quote", CREATED)
                .body(words.clone())
                .at(at("/quote"))
                .and_other(CREATED),
            row("POST /posts/{publicId}/repost", CREATED).at(at("/repost")).and_other(CREATED),
            row("POST /posts/{publicId}/hide", INVALID).at(at("/hide")).and_other(OK),
            row("POST /posts/{publicId}/report", INVALID).body(report).at(at("/report")).and_other(CREATED),
            row("PATCH /posts/{publicId}", OK).body(words).at(at("")).and_other(FORBIDDEN),
            row("DELETE /posts/{publicId}", OK).at(at("")).and_other(FORBIDDEN),
        ]
    }

    fn people(&self) -> Vec<Row> {
        let request = |whose: &str, what: &str| format!("/me/friend-requests/{whose}/{what}");
        vec![
            row("POST /user/{username}/follower", OK).at(self.bob.path("/follower")).and_other(INVALID),
            row("GET /user/{username}/followers", OK).at(self.ann.path("/followers")).and_other(OK),
            row("GET /user/{username}/following", OK).at(self.ann.path("/following")).and_other(OK),
            row("POST /user/{username}/friend-request", CREATED)
                .at(self.bob.path("/friend-request"))
                .and_other(INVALID),
            row("GET /me/friend-requests/received", OK).and_other(OK),
            row("GET /me/friend-requests/sent", OK).and_other(OK),
            row("PATCH /me/friend-requests/{username}/accept", OK)
                .at(request("cleo", "accept"))
                .and_other(MISSING),
            row("PATCH /me/friend-requests/{username}/cancel", OK)
                .at(request("dan", "cancel"))
                .and_other(MISSING),
        ]
    }

    fn groups(&self) -> Vec<Row> {
        let messages = format!("/message-group/{}/messages", self.group);
        let draft = json!({ "type": "private", "members": ["dan"] });
        vec![
            row("POST /message-group", CREATED).body(draft).and_other(CREATED),
            row("POST /message-group/{publicId}/messages", CREATED)
                .body(json!({ "content": "hi" }))
                .at(messages.clone())
                .and_other(FORBIDDEN),
            row("GET /message-group/{publicId}/messages", OK).at(messages).and_other(FORBIDDEN),
        ]
    }

    fn rest(&self) -> Vec<Row> {
        let channel = json!({ "socket_id": "1.2", "channel_name": format!("private-user-{}", self.ann.id) });
        let upload = json!({ "filename": "a.png", "contentType": "image/png", "size": 10 });
        let claim = "/quests/NOTHING/claim".to_owned();
        let respond = json!({ "userId": self.cleo.id, "action": "ACCEPT" });
        let hls = json!({ "id": "1", "type": "video.ready", "data": { "key": "x", "status": "ready" } });
        vec![
            row("POST /circle/{publicId}/manage/join-request/respond", OK)
                .body(respond)
                .at(self.circle.manage("/join-request/respond"))
                .and_other(FORBIDDEN),
            row("GET /notification", OK),
            row("GET /notification/unread", OK),
            row("GET /notification/message", OK),
            row("GET /notification/friend-request", OK),
            row("POST /pusher/auth", OK).body(channel).and_other(FORBIDDEN),
            row("POST /webhooks/hls", UNAUTHORIZED).body(hls),
            row("POST /upload", CREATED).body(upload),
            row("GET /quests/daily", OK),
            row("POST /quests/{code}/claim", MISSING).at(claim),
            row("GET /museum", OK),
            row("GET /museum/{publicId}", MISSING).at(format!("/museum/{UNKNOWN_ID}")),
        ]
    }
}

/// Returns a row without a query, a body and an expectation for the other user.
fn row(route: &'static str, own: Expected) -> Row {
    let (_, path) = route.split_once(' ').unwrap();
    Row { route, path: path.to_owned(), body: Value::Null, own, other: None }
}

impl Row {
    fn at(self, path: String) -> Self {
        Self { path, ..self }
    }

    fn query(self, query: &str) -> Self {
        Self { path: self.path + query, ..self }
    }

    fn body(self, body: Value) -> Self {
        Self { body, ..self }
    }

    fn and_other(self, other: Expected) -> Self {
        Self { other: Some(other), ..self }
    }
}
