//! The statuses that every live route returns to the owner and to another user.

use domain::people::users::Role;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Client, PASSWORD, Person, Post, World, send};

use super::{PREFIXES, UNKNOWN_ID, document::operations};
use crate::{
    admin::administrator,
    circles::{Circle, asks, creates_circle},
};

/// An expected status, with the error code if the request fails.
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
async fn every_live_route_responds_as_the_contract_says() {
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
async fn the_test_covers_every_live_route() {
    let scene = Scene::new().await;
    let mut tested: Vec<_> = scene.rows().into_iter().map(|it| it.route.to_owned()).collect();
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
            row("POST /auth/register", "", eve, CREATED),
            row("POST /auth/login", "", login, OK),
            row("POST /auth/forgot-password", "", json!({ "email": "ann@example.com" }), OK),
            row("GET /auth/reset-password/validate", "?token=x", Value::Null, OK),
            row("POST /auth/reset-password", "", reset, INVALID),
            row("POST /auth/verify-email", "", token, INVALID),
            row("POST /auth/validate/email", "", json!({ "email": "a@example.com" }), OK),
            row("POST /auth/validate/username", "", json!({ "username": "free" }), OK),
            row("GET /auth/me", "", Value::Null, OK),
            row("POST /auth/profile", "", json!({ "bio": "I am Ann." }), OK),
            row("POST /auth/resend-verify-email", "", Value::Null, OK),
            // This request has no refresh token. Tests with a refresh token are in auth/rotation.rs and callers.rs.
            row("POST /auth/refresh-token", "", Value::Null, UNAUTHORIZED),
            row("POST /auth/logout", "", Value::Null, UNAUTHORIZED),
        ]
    }

    fn admin(&self) -> Vec<Row> {
        let quest = json!({ "action": "LIKE_CREATED", "requirement": 7 });
        let login = json!({ "identifier": "root", "password": PASSWORD });
        let ban = format!("/admin/users/{}/ban", self.dan.id);
        vec![
            row("POST /admin/login", "", login, OK),
            row("GET /admin/users", "", Value::Null, OK).and_other(FORBIDDEN),
            row("PATCH /admin/users/{userId}/ban", "", Value::Null, OK).at(ban).and_other(FORBIDDEN),
            row("GET /admin/reports", "?status=PENDING", Value::Null, OK).and_other(FORBIDDEN),
            row("POST /admin/daily-quests", "", quest, CREATED).and_other(FORBIDDEN),
            row("GET /admin/daily-quests", "", Value::Null, OK).and_other(FORBIDDEN),
            row("GET /admin/daily-quests/actions", "", Value::Null, OK).and_other(FORBIDDEN),
            row("PATCH /admin/daily-quests/{code}/disable", "", Value::Null, OK)
                .at("/admin/daily-quests/LIKE_CREATED_7/disable".to_owned())
                .and_other(FORBIDDEN),
        ]
    }

    fn posts(&self) -> Vec<Row> {
        let words = json!({ "content": "more" });
        let report = json!({ "reason": "spam", "type": "post" });
        let at = |below: &str| self.post.path(below);
        vec![
            row("POST /posts", "", words.clone(), CREATED).and_other(CREATED),
            row("GET /posts/news-feed", "?type=FOLLOWING", Value::Null, OK).and_other(OK),
            row("GET /posts/{publicId}", "", Value::Null, OK).at(at("")).and_other(OK),
            row("GET /posts/{publicId}/replies", "", Value::Null, OK).at(at("/replies")).and_other(OK),
            row("POST /posts/{publicId}/like", "", json!({ "isLiked": true }), OK)
                .at(at("/like"))
                .and_other(OK),
            row("POST /posts/{publicId}/reply", "", words.clone(), CREATED)
                .at(at("/reply"))
                .and_other(CREATED),
            row("POST /posts/{publicId}/quote", "", words.clone(), CREATED)
                .at(at("/quote"))
                .and_other(CREATED),
            row("POST /posts/{publicId}/repost", "", Value::Null, CREATED)
                .at(at("/repost"))
                .and_other(CREATED),
            row("POST /posts/{publicId}/hide", "", Value::Null, INVALID).at(at("/hide")).and_other(OK),
            row("POST /posts/{publicId}/report", "", report, INVALID).at(at("/report")).and_other(CREATED),
            row("PATCH /posts/{publicId}", "", words, OK).at(at("")).and_other(FORBIDDEN),
            row("DELETE /posts/{publicId}", "", Value::Null, OK).at(at("")).and_other(FORBIDDEN),
        ]
    }

    fn people(&self) -> Vec<Row> {
        let request = |whose: &str, what: &str| format!("/me/friend-requests/{whose}/{what}");
        vec![
            row("POST /user/{username}/follower", "", Value::Null, OK)
                .at(self.bob.path("/follower"))
                .and_other(INVALID),
            row("GET /user/{username}/followers", "", Value::Null, OK)
                .at(self.ann.path("/followers"))
                .and_other(OK),
            row("GET /user/{username}/following", "", Value::Null, OK)
                .at(self.ann.path("/following"))
                .and_other(OK),
            row("POST /user/{username}/friend-request", "", Value::Null, CREATED)
                .at(self.bob.path("/friend-request"))
                .and_other(INVALID),
            row("GET /me/friend-requests/received", "", Value::Null, OK).and_other(OK),
            row("GET /me/friend-requests/sent", "", Value::Null, OK).and_other(OK),
            row("PATCH /me/friend-requests/{username}/accept", "", Value::Null, OK)
                .at(request("cleo", "accept"))
                .and_other(MISSING),
            row("PATCH /me/friend-requests/{username}/cancel", "", Value::Null, OK)
                .at(request("dan", "cancel"))
                .and_other(MISSING),
        ]
    }

    fn groups(&self) -> Vec<Row> {
        let messages = format!("/message-group/{}/messages", self.group);
        let draft = json!({ "type": "private", "members": ["dan"] });
        vec![
            row("POST /message-group", "", draft, CREATED).and_other(CREATED),
            row("POST /message-group/{publicId}/messages", "", json!({ "content": "hi" }), CREATED)
                .at(messages.clone())
                .and_other(FORBIDDEN),
            row("GET /message-group/{publicId}/messages", "", Value::Null, OK)
                .at(messages)
                .and_other(FORBIDDEN),
        ]
    }

    fn rest(&self) -> Vec<Row> {
        let channel = json!({ "socket_id": "1.2", "channel_name": format!("private-user-{}", self.ann.id) });
        let upload = json!({ "filename": "a.png", "contentType": "image/png", "size": 10 });
        let claim = "/quests/NOTHING/claim".to_owned();
        let respond = json!({ "userId": self.cleo.id, "action": "ACCEPT" });
        let hls = json!({ "id": "1", "type": "video.ready", "data": { "key": "x", "status": "ready" } });
        vec![
            row("POST /circle/{publicId}/manage/join-request/respond", "", respond, OK)
                .at(self.circle.manage("/join-request/respond"))
                .and_other(FORBIDDEN),
            row("GET /notification", "", Value::Null, OK),
            row("GET /notification/unread", "", Value::Null, OK),
            row("GET /notification/message", "", Value::Null, OK),
            row("GET /notification/friend-request", "", Value::Null, OK),
            row("POST /pusher/auth", "", channel, OK).and_other(FORBIDDEN),
            row("POST /webhooks/hls", "", hls, UNAUTHORIZED),
            row("POST /upload", "", upload, CREATED),
            row("GET /quests/daily", "", Value::Null, OK),
            row("POST /quests/{code}/claim", "", Value::Null, MISSING).at(claim),
            row("GET /museum", "", Value::Null, OK),
            row("GET /museum/{publicId}", "", Value::Null, MISSING).at(format!("/museum/{UNKNOWN_ID}")),
        ]
    }
}

/// Returns a row whose path is the route's path followed by `query`.
fn row(route: &'static str, query: &str, body: Value, own: Expected) -> Row {
    let (_, path) = route.split_once(' ').unwrap();
    Row { route, path: format!("{path}{query}"), body, own, other: None }
}

impl Row {
    fn at(self, path: String) -> Self {
        Self { path, ..self }
    }

    fn and_other(self, other: Expected) -> Self {
        Self { other: Some(other), ..self }
    }
}
