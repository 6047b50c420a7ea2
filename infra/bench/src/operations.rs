//! What an app calls in an evening. Another one is another line of [`all`].

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::{
    people::{Person, login, register},
    scene::{Around, Scene},
    texts,
};

const RARER: usize = 8;

/// One kind of request.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) ask: fn(&Turn<'_>) -> RequestBuilder,
    pub(crate) kind: Kind,
    /// Whether many of them wait at once where [`drains`](crate::drains) are measured.
    pub(crate) piles_up: bool,
    /// Asked less often: it is dear, or one person may do it only so often.
    is_rare: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
}

/// One request: who asks, and the number of it.
pub(crate) struct Turn<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) number: usize,
}

/// All of them, in the order in which they are measured.
pub(crate) fn all() -> Vec<Operation> {
    vec![
        write("POST /auth/register", |it| register(it.http(), it.url(), &it.newcomer())).rare(),
        write("POST /auth/login", |it| login(it.http(), it.url(), &it.me().name)).rare(),
        write("POST /auth/forgot-password", |it| {
            it.post("/auth/forgot-password", json!({ "email": it.email() }))
        })
        .rare()
        .piles_up(),
        read("GET /auth/me", |it| it.get("/auth/me")),
        write("POST /posts", |it| it.post("/posts", it.text())).piles_up(),
        write("POST /posts/{id}/reply", |it| it.post(&it.quiet("/reply"), it.text())).piles_up(),
        write("POST /posts/{id}/quote", |it| it.post(&it.quiet("/quote"), it.text())),
        write("POST /posts/{id}/repost", |it| it.post(&it.quiet("/repost"), json!({}))),
        write("POST /posts/{id}/like", |it| it.post(&it.quiet("/like"), json!({ "isLiked": true })))
            .piles_up(),
        write("POST /posts/{id}/like, taken back", |it| {
            it.post(&it.quiet("/like"), json!({ "isLiked": false }))
        })
        .piles_up(),
        write("POST /posts/{id}/vote", |it| it.post(&it.poll("/vote"), json!({ "options": [0] }))).rare(),
        write("POST /posts/{id}/save", |it| it.post(&it.quiet("/save"), json!({ "isSaved": true }))),
        write("POST /posts/{id}/report", |it| {
            let body = json!({ "reason": "spam", "type": "post", "category": "SPAM" });
            it.post(&it.others("/report"), body)
        })
        .rare()
        .piles_up(),
        write("PATCH /posts/{id}", |it| it.me().patch(&it.own(), it.text())),
        write("POST /user/{name}/follower", |it| {
            it.post(&it.somebody("/follower"), json!({ "isFollowing": true }))
        })
        .piles_up(),
        write("POST /user/{name}/follower, ended", |it| {
            it.post(&it.somebody("/follower"), json!({ "isFollowing": false }))
        }),
        write("POST /user/{name}/friend-request", |it| it.post(&it.somebody("/friend-request"), json!({})))
            .rare(),
        write("POST /message-group/{id}/messages", |it| {
            it.post(&it.group("/messages"), json!({ "content": it.words() }))
        })
        .piles_up(),
        write("PATCH /message-group/{id}/read", |it| it.me().patch(&it.group("/read"), json!({}))),
        write("POST /circles/{id}/posts", |it| {
            it.post(&format!("/circles/{}/posts", it.around().circle), json!({ "content": it.words() }))
        })
        .rare()
        .piles_up(),
        write("POST /circles/{id}/posts, a comment", |it| {
            let (circle, parent) = &it.around().comments;
            it.post(&format!("/circles/{circle}/posts"), json!({ "content": it.words(), "parentId": parent }))
        })
        .rare(),
        write("POST /me/drafts", |it| it.post("/me/drafts", it.text())).rare(),
        write("POST /upload", |it| {
            let body = json!({ "filename": "a.png", "contentType": "image/png", "size": 1000 });
            it.post("/upload", body)
        }),
        read("GET /upload/{id}", |it| it.get(&format!("/upload/{}", it.around().upload))),
        read("GET /posts/news-feed", |it| it.get("/posts/news-feed")),
        read("GET /posts/news-feed?type=FOLLOWING", |it| it.get("/posts/news-feed?type=FOLLOWING")),
        read("GET /posts/news-feed?sort=ranked", |it| it.get("/posts/news-feed?sort=ranked")),
        read("GET /posts/{id}", |it| it.get(&it.any(""))),
        read("GET /posts/{id}/context", |it| it.get(&it.reply("/context"))),
        read("GET /posts/{id}/replies", |it| it.get(&format!("/posts/{}/replies", it.network().answered))),
        read("GET /posts/{id}/likes", |it| it.get(&format!("/posts/{}/likes", it.network().liked))).rare(),
        read("GET /posts/me/saved", |it| it.get("/posts/me/saved")),
        read("GET /user/{name}", |it| it.get(&it.anybody(""))),
        read("GET /user/{name}/posts", |it| it.get(&it.anybody("/posts"))),
        read("GET /user/{name}/followers", |it| it.get(&format!("/user/{}/followers", it.star()))).rare(),
        read("GET /user/{name}/following", |it| it.get(&it.anybody("/following"))).rare(),
        read("GET /search?type=post", |it| it.get(&format!("/search?type=post&q={}", it.word()))),
        read("GET /search?type=user", |it| it.get(&format!("/search?type=user&q={}", &it.me().name[..4]))),
        read("GET /hashtags/{tag}/posts", |it| it.get(&format!("/hashtags/{}/posts", it.tag()))),
        read("GET /hashtags/trending", |it| it.get("/hashtags/trending")),
        read("GET /notification", |it| it.get("/notification")),
        read("GET /notification/unread", |it| it.get("/notification/unread")),
        read("GET /notification/message", |it| it.get("/notification/message")),
        read("GET /me/friend-requests/received", |it| it.get("/me/friend-requests/received")),
        read("GET /chat/conversations", |it| it.get("/chat/conversations")),
        read("GET /message-group", |it| it.get("/message-group")),
        read("GET /message-group/{id}/messages", |it| it.get(&it.group("/messages"))),
        read("GET /circles", |it| it.get("/circles")),
        read("GET /circles/discover", |it| it.get("/circles/discover")),
        read("GET /circles/{id}", |it| it.of_circle("")),
        read("GET /circles/{id}/posts", |it| it.of_circle("/posts")),
        read("GET /circles/{id}/posts, comments", |it| {
            it.of_circle(&format!("/posts?parentId={}", it.circle().post))
        }),
        read("GET /circles/{id}/members", |it| it.of_circle("/members")),
        read("GET /circles/{id}/energy/history", |it| it.of_circle("/energy/history")),
        read("GET /museum", |it| it.get("/museum")),
        read("GET /quests/daily", |it| it.get("/quests/daily")),
        read("GET /users/me/karma", |it| it.get("/users/me/karma")),
        read("GET /me/drafts", |it| it.get("/me/drafts")),
    ]
}

fn read(name: &'static str, ask: fn(&Turn<'_>) -> RequestBuilder) -> Operation {
    Operation { name, ask, kind: Kind::Read, piles_up: false, is_rare: false }
}

fn write(name: &'static str, ask: fn(&Turn<'_>) -> RequestBuilder) -> Operation {
    Operation { kind: Kind::Write, ..read(name, ask) }
}

impl Operation {
    /// How much less it is asked than others.
    pub(crate) fn rarer(&self) -> usize {
        if self.is_rare { RARER } else { 1 }
    }

    fn rare(self) -> Self {
        Self { is_rare: true, ..self }
    }

    fn piles_up(self) -> Self {
        Self { piles_up: true, ..self }
    }
}

/// One of several, another for each number, and each again after all others.
fn pick<T>(of: &[T], number: usize) -> &T {
    &of[number % of.len()]
}

impl Turn<'_> {
    pub(crate) fn me(&self) -> &Person {
        pick(&self.scene.clients, self.number)
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.me().get(path)
    }

    fn post(&self, path: &str, body: Value) -> RequestBuilder {
        self.me().post(path, body)
    }

    fn http(&self) -> &reqwest::Client {
        &self.scene.server.http
    }

    fn url(&self) -> &str {
        &self.scene.server.url
    }

    fn network(&self) -> &crate::seed::Network {
        &self.scene.server.network
    }

    fn star(&self) -> &str {
        &self.network().people[0]
    }

    /// What the asking client has.
    fn around(&self) -> &Around {
        pick(&self.scene.around, self.number)
    }

    /// A circle, whoever asks.
    fn circle(&self) -> &crate::scene::Circle {
        pick(&self.scene.circles, self.number)
    }

    fn of_circle(&self, below: &str) -> RequestBuilder {
        self.circle().founder.get(&format!("/circles/{}{below}", self.circle().id))
    }

    /// Nobody has signed up by this name.
    fn newcomer(&self) -> String {
        format!("newcomer{}", self.number)
    }

    fn email(&self) -> String {
        format!("{}@example.com", pick(&self.network().people, self.number))
    }

    fn text(&self) -> Value {
        json!({ "content": texts::post(self.number) })
    }

    fn words(&self) -> String {
        format!("{} and so on, number {}", self.word(), self.number)
    }

    fn word(&self) -> &'static str {
        texts::WORDS[self.number % texts::WORDS.len()]
    }

    fn tag(&self) -> &'static str {
        texts::TAGS[self.number % texts::TAGS.len()]
    }

    /// A post that the network has not looked at.
    fn quiet(&self, below: &str) -> String {
        format!("/posts/{}{below}", pick(&self.network().quiet, self.number))
    }

    fn any(&self, below: &str) -> String {
        format!("/posts/{}{below}", pick(&self.network().posts, self.number))
    }

    fn own(&self) -> String {
        format!("/posts/{}", self.around().post)
    }

    /// A post of another client, another each time.
    fn others(&self, below: &str) -> String {
        let clients = self.scene.clients.len();
        let further = 1 + self.number / clients % (clients - 1).max(1);
        format!("/posts/{}{below}", pick(&self.scene.around, self.number + further).post)
    }

    fn poll(&self, below: &str) -> String {
        format!("/posts/{}{below}", pick(&self.scene.polls, self.number / self.scene.clients.len()))
    }

    fn reply(&self, below: &str) -> String {
        format!("/posts/{}{below}", self.around().reply)
    }

    fn group(&self, below: &str) -> String {
        format!("/message-group/{}{below}", self.around().group)
    }

    fn anybody(&self, below: &str) -> String {
        format!("/user/{}{below}", pick(&self.network().people, self.number))
    }

    /// Somebody whom no client follows before.
    fn somebody(&self, below: &str) -> String {
        format!("/user/{}{below}", pick(&self.network().followers, self.number))
    }
}
