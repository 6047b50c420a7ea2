//! The measured requests. To measure a new request, add a line to [`all`].

use local::bill::Compute;
use reqwest::RequestBuilder;
use serde_json::json;

use crate::{
    people::{login, register},
    turn::Turn,
};

/// Divisor of the number of requests for a rare operation.
const RARE_DIVISOR: usize = 8;

/// A kind of request.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) request: fn(&Turn<'_>) -> RequestBuilder,
    pub(crate) kind: Kind,
    /// Whether [`drains`](crate::drains) fills queues with this operation.
    pub(crate) builds_backlog: bool,
    /// Memory and time of the function, for the price.
    pub(crate) compute: Compute,
    /// Number of emails per request, for the price.
    pub(crate) emails: f64,
    /// Whether fewer requests are sent, because the operation is slow or has a rate limit per user.
    is_rare: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
}

/// Returns all operations in the order in which they are measured.
pub(crate) fn all() -> Vec<Operation> {
    vec![
        write("POST /auth/register", |turn| register(turn.http(), turn.url(), &turn.newcomer()))
            .computes(Compute::Password)
            .sends_email()
            .rare(),
        write("POST /auth/login", |turn| login(turn.http(), turn.url(), &turn.me().name))
            .computes(Compute::Password)
            .rare(),
        write("POST /auth/forgot-password", |turn| {
            turn.post("/auth/forgot-password", json!({ "email": turn.email() }))
        })
        .computes(Compute::Auth)
        .sends_email()
        .rare()
        .builds_backlog(),
        read("GET /auth/me", |turn| turn.get("/auth/me")).computes(Compute::Auth),
        write("POST /posts", |turn| turn.post("/posts", turn.text())).builds_backlog(),
        write("POST /posts/{id}/reply", |turn| turn.post(&turn.unliked("/reply"), turn.text()))
            .builds_backlog(),
        write("POST /posts/{id}/quote", |turn| turn.post(&turn.unliked("/quote"), turn.text())),
        write("POST /posts/{id}/repost", |turn| turn.post(&turn.unliked("/repost"), json!({}))),
        write("POST /posts/{id}/like", |turn| turn.post(&turn.unliked("/like"), json!({ "isLiked": true })))
            .builds_backlog(),
        write("POST /posts/{id}/like, unlike", |turn| {
            turn.post(&turn.unliked("/like"), json!({ "isLiked": false }))
        })
        .builds_backlog(),
        write("POST /posts/{id}/vote", |turn| turn.post(&turn.poll("/vote"), json!({ "options": [0] })))
            .rare(),
        write("POST /posts/{id}/save", |turn| turn.post(&turn.unliked("/save"), json!({ "isSaved": true }))),
        write("POST /posts/{id}/report", |turn| {
            let body = json!({ "reason": "spam", "type": "post", "category": "SPAM" });
            turn.post(&turn.others_post("/report"), body)
        })
        .rare()
        .builds_backlog(),
        write("PATCH /posts/{id}", |turn| turn.me().patch(&turn.own_post(), turn.text())),
        write("POST /user/{name}/follower", |turn| {
            turn.post(&turn.unfollowed("/follower"), json!({ "isFollowing": true }))
        })
        .builds_backlog(),
        write("POST /user/{name}/follower, unfollow", |turn| {
            turn.post(&turn.unfollowed("/follower"), json!({ "isFollowing": false }))
        }),
        write("POST /user/{name}/friend-request", |turn| {
            turn.post(&turn.unfollowed("/friend-request"), json!({}))
        })
        .rare(),
        write("POST /message-group/{id}/messages", |turn| {
            turn.post(&turn.group("/messages"), json!({ "content": turn.words() }))
        })
        .builds_backlog(),
        write("PATCH /message-group/{id}/read", |turn| turn.me().patch(&turn.group("/read"), json!({}))),
        write("POST /circles/{id}/posts", |turn| {
            let path = format!("/circles/{}/posts", turn.client_data().circle);
            turn.post(&path, json!({ "content": turn.words() }))
        })
        .rare()
        .builds_backlog(),
        write("POST /circles/{id}/posts, a comment", |turn| {
            let (circle, parent) = &turn.client_data().comments;
            let body = json!({ "content": turn.words(), "parentId": parent });
            turn.post(&format!("/circles/{circle}/posts"), body)
        })
        .rare(),
        write("POST /me/drafts", |turn| turn.post("/me/drafts", turn.text())).rare(),
        write("POST /upload", |turn| {
            let body = json!({ "filename": "a.png", "contentType": "image/png", "size": 1000 });
            turn.post("/upload", body)
        }),
        read("GET /upload/{id}", |turn| turn.get(&format!("/upload/{}", turn.client_data().upload))),
        read("GET /posts/news-feed", |turn| turn.get("/posts/news-feed")),
        read("GET /posts/news-feed?type=FOLLOWING", |turn| turn.get("/posts/news-feed?type=FOLLOWING")),
        read("GET /posts/news-feed?sort=ranked", |turn| turn.get("/posts/news-feed?sort=ranked")),
        read("GET /posts/{id}", |turn| turn.get(&turn.any_post())),
        read("GET /posts/{id}/context", |turn| turn.get(&turn.reply("/context"))),
        read("GET /posts/{id}/replies", |turn| {
            turn.get(&format!("/posts/{}/replies", turn.network().replied))
        }),
        read("GET /posts/{id}/likes", |turn| turn.get(&format!("/posts/{}/likes", turn.network().liked)))
            .rare(),
        read("GET /posts/me/saved", |turn| turn.get("/posts/me/saved")),
        read("GET /user/{name}", |turn| turn.get(&turn.any_user(""))),
        read("GET /user/{name}/posts", |turn| turn.get(&turn.any_user("/posts"))),
        read("GET /user/{name}/followers", |turn| turn.get(&format!("/user/{}/followers", turn.star())))
            .rare(),
        read("GET /user/{name}/following", |turn| turn.get(&turn.any_user("/following"))).rare(),
        read("GET /search?type=post", |turn| turn.get(&format!("/search?type=post&q={}", turn.word()))),
        read("GET /search?type=user", |turn| {
            turn.get(&format!("/search?type=user&q={}", &turn.me().name[..4]))
        }),
        read("GET /hashtags/{tag}/posts", |turn| turn.get(&format!("/hashtags/{}/posts", turn.tag()))),
        read("GET /hashtags/trending", |turn| turn.get("/hashtags/trending")),
        read("GET /notification", |turn| turn.get("/notification")),
        read("GET /notification/unread", |turn| turn.get("/notification/unread")),
        read("GET /notification/message", |turn| turn.get("/notification/message")),
        read("GET /me/friend-requests/received", |turn| turn.get("/me/friend-requests/received")),
        read("GET /chat/conversations", |turn| turn.get("/chat/conversations")),
        read("GET /message-group", |turn| turn.get("/message-group")),
        read("GET /message-group/{id}/messages", |turn| turn.get(&turn.group("/messages"))),
        read("GET /circles", |turn| turn.get("/circles")),
        read("GET /circles/discover", |turn| turn.get("/circles/discover")),
        read("GET /circles/{id}", |turn| turn.get_circle("")),
        read("GET /circles/{id}/posts", |turn| turn.get_circle("/posts")),
        read("GET /circles/{id}/posts, comments", |turn| {
            turn.get_circle(&format!("/posts?parentId={}", turn.circle().post))
        }),
        read("GET /circles/{id}/members", |turn| turn.get_circle("/members")),
        read("GET /circles/{id}/energy/history", |turn| turn.get_circle("/energy/history")),
        read("GET /museum", |turn| turn.get("/museum")),
        read("GET /quests/daily", |turn| turn.get("/quests/daily")),
        read("GET /users/me/karma", |turn| turn.get("/users/me/karma")),
        read("GET /me/drafts", |turn| turn.get("/me/drafts")),
    ]
}

fn read(name: &'static str, request: fn(&Turn<'_>) -> RequestBuilder) -> Operation {
    Operation {
        name,
        request,
        kind: Kind::Read,
        builds_backlog: false,
        compute: Compute::Usual,
        emails: 0.0,
        is_rare: false,
    }
}

fn write(name: &'static str, request: fn(&Turn<'_>) -> RequestBuilder) -> Operation {
    Operation { kind: Kind::Write, ..read(name, request) }
}

impl Operation {
    /// Returns the divisor of the number of requests for this operation.
    pub(crate) fn divisor(&self) -> usize {
        if self.is_rare { RARE_DIVISOR } else { 1 }
    }

    fn computes(self, compute: Compute) -> Self {
        Self { compute, ..self }
    }

    fn sends_email(self) -> Self {
        Self { emails: 1.0, ..self }
    }

    fn rare(self) -> Self {
        Self { is_rare: true, ..self }
    }

    fn builds_backlog(self) -> Self {
        Self { builds_backlog: true, ..self }
    }
}
