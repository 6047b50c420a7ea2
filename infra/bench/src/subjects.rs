//! What may grow, how one more of it comes about, and who reads from it. Another one is another entry of [`all`].

use anyhow::Result;
use futures::future::BoxFuture;
use local::Stack;
use reqwest::Client;
use serde_json::{Value, json};

use crate::{
    molds::cramped_post,
    people::{Person, answer, http, id_of},
    texts,
};

/// Something of which there may be few or many.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// Has one more, by the product's own requests; somebody new has the name that is given.
    pub(crate) one_more: for<'a> fn(&'a Field, &'a str) -> BoxFuture<'a, Result<()>>,
    /// What is asked, and the path of it. The first is the list of what has grown.
    pub(crate) reads: &'static [Read],
}

/// What is asked, and its path.
pub(crate) type Read = (&'static str, fn(&Field) -> String);

/// People and things that are there before.
pub(crate) struct Field {
    http: Client,
    url: String,
    /// She reads.
    pub(crate) ann: Person,
    bob: Person,
    /// Bob's.
    post: String,
    group: String,
    /// Ann's.
    circle: String,
    comment_of: String,
}

/// All of them.
pub(crate) fn all() -> Vec<Subject> {
    vec![
        Subject {
            name: "followers of a person",
            one_more: |it, name| Box::pin(async move { it.follow(&it.newcomer(name).await?, &it.bob).await }),
            reads: &[
                ("GET /user/{name}/followers", |_| "/user/bob/followers".into()),
                ("GET /user/{name}", |_| "/user/bob".into()),
            ],
        },
        Subject {
            name: "whom a person follows",
            one_more: |it, name| Box::pin(async move { it.follow(&it.ann, &it.newcomer(name).await?).await }),
            reads: &[
                ("GET /user/{name}/following", |_| "/user/ann/following".into()),
                ("GET /posts/news-feed?type=FOLLOWING", |_| "/posts/news-feed?type=FOLLOWING".into()),
                ("GET /posts/news-feed?sort=ranked", |_| "/posts/news-feed?sort=ranked".into()),
            ],
        },
        Subject {
            name: "posts of a network",
            one_more: |it, name| Box::pin(it.write(name, &it.bob)),
            reads: &[
                ("GET /posts/news-feed", |_| "/posts/news-feed".into()),
                ("GET /user/{name}/posts", |_| "/user/bob/posts".into()),
                ("GET /search?type=post", |_| "/search?type=post&q=coffee".into()),
                ("GET /hashtags/{tag}/posts", |_| "/hashtags/coffee/posts".into()),
            ],
        },
        Subject {
            name: "posts in a timeline",
            one_more: |it, name| {
                Box::pin(async move {
                    it.follow(&it.ann, &it.bob).await?;
                    it.write(name, &it.bob).await
                })
            },
            reads: &[
                ("GET /posts/news-feed?type=FOLLOWING", |_| "/posts/news-feed?type=FOLLOWING".into()),
                ("GET /posts/news-feed?sort=ranked", |_| "/posts/news-feed?sort=ranked".into()),
            ],
        },
        Subject {
            name: "replies to a post",
            one_more: |it, _| {
                Box::pin(it.does(
                    &it.bob,
                    format!("/posts/{}/reply", it.post),
                    json!({ "content": "So true" }),
                ))
            },
            reads: &[
                ("GET /posts/{id}/replies", |it| format!("/posts/{}/replies", it.post)),
                ("GET /posts/{id}", |it| format!("/posts/{}", it.post)),
            ],
        },
        Subject {
            name: "likes of a post",
            one_more: |it, name| {
                Box::pin(async move {
                    let path = format!("/posts/{}/like", it.post);
                    it.does(&it.newcomer(name).await?, path, json!({ "isLiked": true })).await
                })
            },
            reads: &[("GET /posts/{id}/likes", |it| format!("/posts/{}/likes", it.post))],
        },
        Subject {
            name: "notifications",
            one_more: |it, name| Box::pin(it.is_liked(name)),
            reads: &[
                ("GET /notification", |_| "/notification".into()),
                ("GET /notification/unread", |_| "/notification/unread".into()),
            ],
        },
        Subject {
            name: "messages of a group",
            one_more: |it, name| {
                Box::pin(it.does(
                    &it.bob,
                    format!("/message-group/{}/messages", it.group),
                    json!({ "content": name }),
                ))
            },
            reads: &[("GET /message-group/{id}/messages", |it| {
                format!("/message-group/{}/messages", it.group)
            })],
        },
        Subject {
            name: "conversations",
            one_more: |it, name| Box::pin(async move { it.chat(&it.newcomer(name).await?).await }),
            reads: &[
                ("GET /chat/conversations", |_| "/chat/conversations".into()),
                ("GET /message-group", |_| "/message-group".into()),
                ("GET /notification/message", |_| "/notification/message".into()),
            ],
        },
        Subject {
            name: "saved posts",
            one_more: |it, name| Box::pin(it.save(name)),
            reads: &[("GET /posts/me/saved", |_| "/posts/me/saved".into())],
        },
        Subject {
            name: "posts of a circle",
            one_more: |it, name| {
                let body = json!({ "content": texts::of(name.len(), 5) });
                Box::pin(it.does(&it.ann, format!("/circles/{}/posts", it.circle), body))
            },
            reads: &[
                ("GET /circles/{id}/posts", |it| format!("/circles/{}/posts", it.circle)),
                ("GET /circles/{id}/posts?sort=quality", |it| {
                    format!("/circles/{}/posts?sort=quality", it.circle)
                }),
            ],
        },
        Subject {
            name: "comments of a circle's post",
            one_more: |it, name| {
                let body = json!({ "content": texts::of(name.len(), 5), "parentId": it.comment_of });
                Box::pin(it.does(&it.ann, format!("/circles/{}/posts", it.circle), body))
            },
            reads: &[("GET /circles/{id}/posts, comments", |it| {
                format!("/circles/{}/posts?parentId={}", it.circle, it.comment_of)
            })],
        },
        Subject {
            name: "circles",
            one_more: |it, name| {
                Box::pin(async move {
                    it.does(&it.newcomer(name).await?, "/circles".into(), json!({ "name": name })).await
                })
            },
            reads: &[
                ("GET /circles/discover", |_| "/circles/discover".into()),
                ("GET /circles/discover?sort=active", |_| "/circles/discover?sort=active".into()),
            ],
        },
        Subject {
            name: "people of a network",
            one_more: |it, name| Box::pin(async move { it.newcomer(name).await.map(drop) }),
            reads: &[("GET /search?type=user", |_| "/search?type=user&q=s".into())],
        },
        Subject {
            name: "friends",
            one_more: |it, name| Box::pin(async move { it.befriend(&it.newcomer(name).await?).await }),
            reads: &[("GET /me/friends", |_| "/me/friends".into())],
        },
    ]
}

impl Field {
    pub(crate) async fn of(stack: &Stack) -> Result<Self> {
        let (http, url) = (http()?, stack.url());
        let ann = Person::sign_up(&http, url, "ann").await?;
        let bob = Person::sign_up(&http, url, "bob").await?;
        let post = cramped_post(stack, &bob).await?;
        let group = json!({ "type": "private", "members": ["bob"] });
        let group = id_of(&answer(ann.post("/message-group", group)).await?)?;
        let circle = id_of(&answer(ann.post("/circles", json!({ "name": "Ann's circle" }))).await?)?;
        let path = format!("/circles/{circle}/posts");
        let comment_of = id_of(&answer(ann.post(&path, json!({ "content": "Hello" }))).await?)?;
        Ok(Self { http, url: url.to_owned(), ann, bob, post, group, circle, comment_of })
    }

    async fn newcomer(&self, name: &str) -> Result<Person> {
        Person::sign_up(&self.http, &self.url, name).await
    }

    async fn does(&self, who: &Person, path: String, body: Value) -> Result<()> {
        answer(who.post(&path, body)).await.map(drop)
    }

    async fn follow(&self, who: &Person, whom: &Person) -> Result<()> {
        self.does(who, format!("/user/{}/follower", whom.name), json!({ "isFollowing": true })).await
    }

    async fn write(&self, name: &str, author: &Person) -> Result<()> {
        let body = json!({ "content": format!("coffee {}", texts::of(name.len(), 5)), "topic": "coffee" });
        self.does(author, "/posts".into(), body).await
    }

    /// Ann hears that somebody likes a post of hers.
    async fn is_liked(&self, content: &str) -> Result<()> {
        let post = id_of(&answer(self.ann.post("/posts", json!({ "content": content }))).await?)?;
        self.does(&self.bob, format!("/posts/{post}/like"), json!({ "isLiked": true })).await?;
        self.console("settle", json!({})).await?;
        self.console("clock", json!({ "advanceSeconds": 60 })).await?;
        self.console("schedules/notification-tick/fire", json!({})).await
    }

    async fn console(&self, what: &str, body: Value) -> Result<()> {
        answer(self.http.post(format!("{}/_local/{what}", self.url)).json(&body)).await.map(drop)
    }

    async fn chat(&self, other: &Person) -> Result<()> {
        let group = json!({ "type": "private", "members": ["ann"] });
        let group = id_of(&answer(other.post("/message-group", group)).await?)?;
        self.does(other, format!("/message-group/{group}/messages"), json!({ "content": "Hello" })).await
    }

    async fn save(&self, content: &str) -> Result<()> {
        let post = id_of(&answer(self.bob.post("/posts", json!({ "content": content }))).await?)?;
        self.does(&self.ann, format!("/posts/{post}/save"), json!({ "isSaved": true })).await
    }

    async fn befriend(&self, other: &Person) -> Result<()> {
        self.does(other, "/user/ann/friend-request".into(), json!({})).await?;
        let path = format!("/me/friend-requests/{}/accept", other.name);
        answer(self.ann.patch(&path, json!({}))).await.map(drop)
    }
}
