//! A small network that is written by requests alone, as on the machine of somebody who tries it: what a post and a like
//! take with all that follows from them, what pages take then, and the memory of it all.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;

use crate::{
    loops::{self, Looped},
    operations::{self, Kind, Operation},
    people::{Person, answer},
    processor::Taken,
    report::{Table, figure},
    requests::WRITING,
    scene::{Scene, each},
    seed::Size,
    serve::Role,
    server::Server,
    texts,
};

/// A prime number: whoever comes to a post again is another.
const CLIENTS: usize = 251;
const AT_ONCE: usize = 8;
/// More than a page has.
const REPLIES: usize = 50;
/// Those that one minute brings at the pace of this machine; then the clock goes on by one.
const A_MINUTE: usize = 10_000;
const PAGES: [&str; 4] = [
    "GET /posts/news-feed",
    "GET /posts/news-feed?type=FOLLOWING",
    "GET /posts/{id}/replies",
    "GET /posts/{id}",
];

/// How much is written, and read.
#[derive(Clone, Copy, Debug, Serialize, clap::Args)]
pub(crate) struct Written {
    /// Posts of an evening, each of 20 different words.
    #[arg(long, default_value_t = 10_000)]
    pub(crate) evening_posts: usize,
    /// Likes of these posts.
    #[arg(long, default_value_t = 40_000)]
    pub(crate) evening_likes: usize,
    /// Pages of each kind that are read then.
    #[arg(long, default_value_t = 2_000)]
    pub(crate) evening_pages: usize,
}

/// Many requests of one kind, and the memory of the stack after them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Step {
    operation: &'static str,
    requests: usize,
    /// In the last minute.
    looped: Looped,
    /// Milliseconds of a request.
    processor: Taken,
    /// Milliseconds of what follows from it.
    follows: Taken,
    resident_mb: f64,
}

/// Has a thousand people who each follow twenty write, like and read.
pub(crate) async fn measure(written: &Written, data: Option<PathBuf>) -> Result<Vec<Step>> {
    let mut scene = set(data).await?;
    let mut steps = vec![step(&mut scene, "POST /posts", written.evening_posts).await?];
    scene.server.network.posts = posts(&scene, written.evening_posts).await?;
    steps.push(step(&mut scene, "POST /posts/{id}/like", written.evening_likes).await?);
    answered(&mut scene).await?;
    tokio::time::sleep(WRITING).await;
    for page in PAGES {
        steps.push(step(&mut scene, page, written.evening_pages).await?);
    }
    Ok(steps)
}

async fn set(data: Option<PathBuf>) -> Result<Scene> {
    let size = Size { people: 1_000, posts: 100, likes: 0, follows: 20, followers: 0 };
    let server = Server::start(&Role { size: Some(size), data, in_file: true }).await?;
    let people = server.network.people.clone();
    let sign_in = async |number: usize| {
        let name = &people[number * people.len() / CLIENTS];
        Person::sign_in(&server.http, &server.url, name).await
    };
    let clients = each(0..CLIENTS, sign_in).await?;
    server.settle().await?;
    Ok(Scene { server, clients, around: Vec::new(), circles: Vec::new(), polls: Vec::new() })
}

async fn step(scene: &mut Scene, name: &str, requests: usize) -> Result<Step> {
    eprintln!("{requests} times {name} …");
    let operation = operations::all().into_iter().find(|it| it.name == name).context("an operation")?;
    let mut step = Step {
        operation: operation.name,
        requests,
        looped: Looped::default(),
        processor: Taken::default(),
        follows: Taken::default(),
        resident_mb: 0.0,
    };
    let posts = scene.server.network.posts.clone();
    let each_minute = posts.len().div_ceil(requests.div_ceil(A_MINUTE).max(1)).max(1);
    for (minute, first) in (0..requests).step_by(A_MINUTE).enumerate() {
        // People like what is new: a minute's likes are of a few posts, and of others in the next minute.
        scene.server.network.quiet = posts.chunks(each_minute).nth(minute).unwrap_or_default().to_vec();
        step.minute(scene, &operation, first..requests.min(first + A_MINUTE)).await?;
    }
    step.processor = step.processor.each(requests);
    step.follows = step.follows.each(requests);
    step.resident_mb = scene.server.resident_mb()?;
    Ok(step)
}

impl Step {
    async fn minute(
        &mut self,
        scene: &Scene,
        operation: &Operation,
        numbers: std::ops::Range<usize>,
    ) -> Result<()> {
        let before = scene.server.taken()?;
        self.looped = loops::ask(scene, operation, numbers, AT_ONCE).await?;
        let asked = scene.server.taken()?;
        self.processor = self.processor.and(asked - before);
        if operation.kind == Kind::Write {
            scene.server.settle().await?;
            self.follows = self.follows.and(scene.server.taken()? - asked);
        }
        Ok(())
    }
}

/// The posts that were written, newest first.
async fn posts(scene: &Scene, count: usize) -> Result<Vec<String>> {
    let (mut posts, mut after) = (Vec::new(), String::new());
    while posts.len() < count {
        let page = answer(scene.clients[0].get(&format!("/posts/news-feed?take=50{after}"))).await?;
        let rows = page["data"].as_array().context("a page of posts")?;
        posts.extend(rows.iter().filter_map(|it| it["publicId"].as_str()).map(str::to_owned));
        let last = page["pagination"]["after"].as_str();
        after = format!("&after={}", last.context("fewer posts than were written")?);
    }
    posts.truncate(count);
    Ok(posts)
}

/// One post gets many replies.
async fn answered(scene: &mut Scene) -> Result<()> {
    let post = scene.server.network.posts[0].clone();
    for (number, client) in scene.clients.iter().take(REPLIES).enumerate() {
        let body = json!({ "content": texts::post(number) });
        answer(client.post(&format!("/posts/{post}/reply"), body)).await?;
    }
    scene.server.settle().await?;
    scene.server.network.answered = post;
    Ok(())
}

pub(crate) fn table(steps: &[Step]) -> Table {
    let head =
        ["request", "times", "a second", "CPU ms, function", "store", "follows", "together", "MB after it"];
    let row = |it: &Step| {
        let together = it.processor.and(it.follows).together();
        vec![
            it.operation.to_owned(),
            it.requests.to_string(),
            figure(it.looped.per_second, 0),
            figure(it.processor.function, 2),
            figure(it.processor.store, 2),
            figure(it.follows.together(), 2),
            figure(together, 2),
            figure(it.resident_mb, 0),
        ]
    };
    Table::new("An evening: a thousand people write, like and read", &head, steps.iter().map(row).collect())
}
