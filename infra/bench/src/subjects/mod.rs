//! What may grow, the rows of more of it, and who reads from it. Another one is another entry of [`all`].

mod field;

use std::ops::Range;

use anyhow::Result;
use domain::{
    posts::{Post, timeline::TimelineEntry},
    search,
};
pub(crate) use field::Field;
use futures::future::BoxFuture;

use crate::seed::follow;

const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;

/// Something of which there may be few or many.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// Writes the rows of those with these numbers. Each is a second older than the one before.
    pub(crate) grow: for<'a> fn(&'a Field, Range<usize>) -> BoxFuture<'a, Result<()>>,
    /// What is asked, and the path of it. The first is the list of what has grown.
    pub(crate) reads: &'static [Read],
}

/// What is asked, and its path.
pub(crate) type Read = (&'static str, fn(&Field) -> String);

/// All of them.
pub(crate) fn all() -> Vec<Subject> {
    vec![
        Subject {
            name: "followers of a person",
            grow: |it, numbers| {
                Box::pin(async move {
                    let fans = it.newcomers(numbers).await?;
                    it.write(fans.iter().map(|fan| follow(fan.id, it.bob.id, fan.id.into()))).await
                })
            },
            reads: &[
                ("GET /user/{name}/followers", |_| "/user/bob/followers".into()),
                ("GET /user/{name}", |_| "/user/bob".into()),
            ],
        },
        Subject {
            name: "whom a person follows",
            grow: |it, numbers| {
                Box::pin(async move {
                    let authors = it.newcomers(numbers).await?;
                    it.write(authors.iter().map(|author| follow(it.ann_id, author.id, author.id.into())))
                        .await
                })
            },
            reads: &[
                ("GET /user/{name}/following", |_| "/user/ann/following".into()),
                ("GET /posts/news-feed?type=FOLLOWING", |_| "/posts/news-feed?type=FOLLOWING".into()),
                ("GET /posts/news-feed?sort=ranked", |_| "/posts/news-feed?sort=ranked".into()),
            ],
        },
        Subject {
            name: "posts of a network",
            grow: |it, numbers| Box::pin(async move { it.posts(numbers).await.map(drop) }),
            reads: &[
                ("GET /posts/news-feed", |_| "/posts/news-feed".into()),
                ("GET /user/{name}/posts", |_| "/user/bob/posts".into()),
                ("GET /search?type=post", |_| "/search?type=post&q=coffee".into()),
                ("GET /hashtags/{tag}/posts", |_| "/hashtags/coffee/posts".into()),
            ],
        },
        Subject {
            name: "posts in a timeline",
            grow: |it, numbers| {
                Box::pin(async move {
                    let posts = it.posts(numbers).await?;
                    let entry = |post: &Post| {
                        let expires = post.created_at.plus_seconds(KEPT_SECONDS);
                        Ok(TimelineEntry { reader: it.ann_id, post: post.id, expires })
                    };
                    it.write(posts.iter().map(entry)).await
                })
            },
            reads: &[
                ("GET /posts/news-feed?type=FOLLOWING", |_| "/posts/news-feed?type=FOLLOWING".into()),
                ("GET /posts/news-feed?sort=ranked", |_| "/posts/news-feed?sort=ranked".into()),
            ],
        },
        Subject {
            name: "replies to a post",
            grow: |it, numbers| Box::pin(it.write(numbers.map(|number| it.reply(number)))),
            reads: &[
                ("GET /posts/{id}/replies", |it| format!("/posts/{}/replies", it.post)),
                ("GET /posts/{id}", |it| format!("/posts/{}", it.post)),
            ],
        },
        Subject {
            name: "likes of a post",
            grow: |it, numbers| Box::pin(it.like(numbers)),
            reads: &[("GET /posts/{id}/likes", |it| format!("/posts/{}/likes", it.post))],
        },
        Subject {
            name: "notifications",
            grow: |it, numbers| Box::pin(it.notify(numbers)),
            reads: &[
                ("GET /notification", |_| "/notification".into()),
                ("GET /notification/unread", |_| "/notification/unread".into()),
            ],
        },
        Subject {
            name: "messages of a group",
            grow: |it, numbers| {
                Box::pin(it.write(numbers.map(|number| it.message(it.group, it.bob.id, number))))
            },
            reads: &[("GET /message-group/{id}/messages", |it| {
                format!("/message-group/{}/messages", it.group)
            })],
        },
        Subject {
            name: "conversations",
            grow: |it, numbers| Box::pin(it.conversations(numbers)),
            reads: &[
                ("GET /chat/conversations", |_| "/chat/conversations".into()),
                ("GET /message-group", |_| "/message-group".into()),
                ("GET /notification/message", |_| "/notification/message".into()),
            ],
        },
        Subject {
            name: "saved posts",
            grow: |it, numbers| {
                Box::pin(async move {
                    let posts = it.posts(numbers).await?;
                    it.write(posts.iter().map(|post| it.save(post))).await
                })
            },
            reads: &[("GET /posts/me/saved", |_| "/posts/me/saved".into())],
        },
        Subject {
            name: "posts of a circle",
            grow: |it, numbers| Box::pin(it.write(numbers.map(|number| it.circle_post(number)))),
            reads: &[
                ("GET /circles/{id}/posts", |it| format!("/circles/{}/posts", it.circle_post.circle)),
                ("GET /circles/{id}/posts?sort=quality", |it| {
                    format!("/circles/{}/posts?sort=quality", it.circle_post.circle)
                }),
            ],
        },
        Subject {
            name: "comments of a circle's post",
            grow: |it, numbers| Box::pin(it.write(numbers.map(|number| it.comment(number)))),
            reads: &[("GET /circles/{id}/posts, comments", |it| {
                format!("/circles/{}/posts?parentId={}", it.circle_post.circle, it.circle_post.id)
            })],
        },
        Subject {
            name: "circles",
            grow: |it, numbers| Box::pin(it.circles(numbers)),
            reads: &[
                ("GET /circles/discover", |_| "/circles/discover".into()),
                ("GET /circles/discover?sort=active", |_| "/circles/discover?sort=active".into()),
            ],
        },
        Subject {
            name: "people of a network",
            grow: |it, numbers| {
                Box::pin(async move {
                    let people = it.newcomers(numbers).await?;
                    it.write(people.iter().flat_map(search::terms_of).map(Ok)).await
                })
            },
            reads: &[("GET /search?type=user", |_| "/search?type=user&q=s".into())],
        },
        Subject {
            name: "friends",
            grow: |it, numbers| {
                Box::pin(async move {
                    let people = it.newcomers(numbers.clone()).await?;
                    it.write(people.iter().zip(numbers).map(|(other, number)| it.friend(other, number))).await
                })
            },
            reads: &[("GET /me/friends", |_| "/me/friends".into())],
        },
    ]
}
