//! The signed-in clients and their data, created over the API before the measurements.

use anyhow::Result;
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::json;

use crate::{
    people::{Person, answer},
    server::Server,
    texts,
};

/// Number of concurrent requests during the preparation.
const CONCURRENCY: usize = 8;
/// Index of the first client among the network's users. User 0 has many followers and is not a client.
const FIRST: usize = 1;
const CIRCLES: usize = 8;
const POLLS: usize = 4;
const HOURS: usize = 4;
const HOUR_SECONDS: u64 = 60 * 60;
/// Number of messages in each private group, except in the growth phase.
pub(crate) const MESSAGES: usize = 20;
const SAVED: usize = 5;

/// The stack, and the data that requests use.
pub(crate) struct Scene {
    pub(crate) server: Server,
    pub(crate) clients: Vec<Person>,
    /// Data of each client, by index of the client.
    pub(crate) client_data: Vec<ClientData>,
    pub(crate) circles: Vec<Circle>,
    pub(crate) polls: Vec<String>,
}

/// IDs of one client's data.
pub(crate) struct ClientData {
    pub(crate) post: String,
    pub(crate) reply: String,
    pub(crate) group: String,
    pub(crate) upload: String,
    /// ID of the client's first circle, which has no posts.
    pub(crate) circle: String,
    /// IDs of the client's second circle, and of a post in that circle.
    pub(crate) comments: (String, String),
}

pub(crate) struct Circle {
    pub(crate) id: String,
    pub(crate) founder: Person,
    pub(crate) post: String,
}

/// Runs `work` for each item, a few at a time.
pub(crate) async fn each<I: Iterator, F: Future<Output = Result<T>>, T>(
    items: I,
    work: impl Fn(I::Item) -> F,
) -> Result<Vec<T>> {
    stream::iter(items.map(work)).buffered(CONCURRENCY).try_collect().await
}

impl Scene {
    /// Signs in the clients and creates their data. Each client sends `messages` messages to the next client.
    pub(crate) async fn prepare(server: Server, clients: usize, messages: usize) -> Result<Self> {
        let network = server.network.clone();
        let sign_in = |name: String| {
            let (http, url) = (server.http.clone(), server.url.clone());
            async move { Person::sign_in(&http, &url, &name).await }
        };
        // This follow marks the author with many followers as popular, before their first post is read.
        let [star, idol] = [0, 1].map(|index| sign_in(network.people[index].clone()));
        let (star, idol) = futures::try_join!(star, idol)?;
        answer(idol.post(&format!("/user/{}/follower", star.name), json!({ "isFollowing": true }))).await?;
        answer(star.post("/posts", json!({ "content": "Hello, world" }))).await?;
        server.settle().await?;
        let names = network.people.iter().skip(FIRST).take(clients).cloned();
        let clients = each(names, sign_in).await?;
        let client_data =
            each(0..clients.len(), |number| client_data(&clients, &network.unliked, number, messages))
                .await?;
        server.settle().await?;
        let founders = clients.iter().take(CIRCLES);
        let circles = each(founders, |founder| circle(founder.clone())).await?;
        for hour in 0..HOURS {
            each(circles.iter(), |circle| post_in(circle, hour)).await?;
            server.advance(HOUR_SECONDS).await?;
        }
        let polls = each(clients.iter().cycle().take(POLLS), poll).await?;
        server.settle().await?;
        Ok(Self { server, clients, client_data, circles, polls })
    }
}

/// Creates the data of a client: messages, posts, likes, replies and circles.
async fn client_data(
    clients: &[Person],
    posts: &[String],
    number: usize,
    messages: usize,
) -> Result<ClientData> {
    let (me, other) = (&clients[number], &clients[(number + 1) % clients.len()]);
    let group = json!({ "type": "private", "members": [other.name] });
    let group = me.create("/message-group", group).await?;
    for message in 0..messages {
        let path = format!("/message-group/{group}/messages");
        answer(me.post(&path, json!({ "content": format!("message {message}") }))).await?;
    }
    let post = me.create("/posts", json!({ "content": texts::post(number) })).await?;
    for fan in clients.iter().cycle().skip(number + 1).take(SAVED.min(clients.len() - 1)) {
        answer(fan.post(&format!("/posts/{post}/like"), json!({ "isLiked": true }))).await?;
    }
    let reply = other.create(&format!("/posts/{post}/reply"), json!({ "content": "So true" })).await?;
    for saved in posts.iter().rev().skip(number).take(SAVED) {
        answer(me.post(&format!("/posts/{saved}/save"), json!({ "isSaved": true }))).await?;
    }
    answer(me.post("/me/drafts", json!({ "content": "Perhaps" }))).await?;
    answer(me.post(&format!("/hashtags/{}/follow", texts::TAGS[number % texts::TAGS.len()]), json!({})))
        .await?;
    let file = json!({ "filename": "a.png", "contentType": "image/png", "size": 1000 });
    let upload = me.create("/upload", file).await?;
    let circle = create_circle(me, "posts").await?;
    let of_comments = create_circle(me, "comments").await?;
    let body = json!({ "content": "Well?" });
    let commented = me.create(&format!("/circles/{of_comments}/posts"), body).await?;
    Ok(ClientData { post, reply, group, upload, circle, comments: (of_comments, commented) })
}

async fn create_circle(founder: &Person, name: &str) -> Result<String> {
    founder.create("/circles", json!({ "name": format!("{name} of {}", founder.name) })).await
}

async fn circle(founder: Person) -> Result<Circle> {
    let id = create_circle(&founder, "talk").await?;
    let body = json!({ "content": texts::post(0) });
    let post = founder.create(&format!("/circles/{id}/posts"), body).await?;
    Ok(Circle { id, founder, post })
}

/// Writes as many posts and comments as the hourly limit of a circle allows.
async fn post_in(Circle { id, founder, post }: &Circle, hour: usize) -> Result<()> {
    let path = format!("/circles/{id}/posts");
    for number in 0..2 {
        let number = hour * 2 + number;
        answer(founder.post(&path, json!({ "content": texts::of(number, 3) }))).await?;
        answer(founder.post(&path, json!({ "content": texts::of(number, 2), "parentId": post }))).await?;
    }
    Ok(())
}

async fn poll(author: &Person) -> Result<String> {
    let poll = json!({ "options": ["Yes", "No"], "durationMinutes": 24 * 60 });
    author.create("/posts", json!({ "content": "Well?", "poll": poll })).await
}
