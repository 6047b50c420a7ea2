//! How soon what follows is there, where it comes by itself: a post in the last of many timelines, a like in its count.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::json;

use crate::{
    people::{Person, answer, id_of},
    report::{Table, figure},
    seed::Size,
    serve::Role,
    server::Server,
    spread::Spread,
};

const ASKED_AGAIN: Duration = Duration::from_millis(5);
const GIVEN_UP: Duration = Duration::from_secs(60);

/// Something that follows.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Followed {
    pub(crate) what: String,
    pub(crate) times: usize,
    pub(crate) took: Spread,
}

/// Two authors, and the followers who get their posts last.
struct Stage {
    server: Server,
    /// Has so many followers that posts are merged when FOLLOWING is read.
    star: Person,
    star_fan: Person,
    /// Has as many as may get each post in their timelines.
    idol: Person,
    idol_fan: Person,
}

/// Measures each so often.
pub(crate) async fn measure(size: &Size, times: usize) -> Result<Vec<Followed>> {
    let stage = Stage::set(size).await?;
    let (star, idol) = (stage.server.network.followers.len(), stage.server.network.few_followers.len());
    let mut merged = Vec::new();
    let mut brought = Vec::new();
    let mut counted = Vec::new();
    for number in 0..times {
        merged.push(reaches(&stage.star, &stage.star_fan, number).await?);
        brought.push(reaches(&stage.idol, &stage.idol_fan, number).await?);
        counted.push(stage.counts(number).await?);
    }
    let of = |what: String, took| Followed { what, times, took: Spread::of(took) };
    Ok(vec![
        of(format!("a post, in the last of {idol} timelines"), brought),
        of(format!("a post of somebody with {star} followers, merged"), merged),
        of("a like, in the count of its post".to_owned(), counted),
    ])
}

impl Stage {
    async fn set(size: &Size) -> Result<Self> {
        let server = Server::start(&Role { size: Some(*size), by_itself: true, ..Role::default() }).await?;
        let sign_in = async |name: String| Person::sign_in(&server.http, &server.url, &name).await;
        let name = |names: &[String], position: usize| names.get(position).cloned().context("a person");
        let [star, idol] = [0, 1].map(|it| name(&server.network.people, it));
        let (star, idol) = (sign_in(star?).await?, sign_in(idol?).await?);
        let star_fan = sign_in(name(&server.network.followers, 0)?).await?;
        let idol_fan = sign_in(newest_follower(&idol).await?).await?;
        let stage = Self { server, star, star_fan, idol, idol_fan };
        // With the first post of the author their follows are marked, which takes longer than any later one.
        reaches(&stage.star, &stage.star_fan, usize::MAX).await?;
        stage.is_calm().await?;
        Ok(stage)
    }

    /// Waits until the queues are empty.
    async fn is_calm(&self) -> Result<()> {
        let queues = format!("{}/_local/queues", self.server.url);
        until(async || {
            let queues = answer(self.server.http.get(&queues)).await?;
            let waits = queues["data"].as_array().into_iter().flatten();
            Ok(waits.clone().all(|it| it["visible"] == 0 && it["inFlight"] == 0))
        })
        .await
    }

    async fn counts(&self, number: usize) -> Result<Duration> {
        let post = writes(&self.idol, number).await?;
        self.is_calm().await?;
        let start = Instant::now();
        let path = format!("/posts/{post}");
        answer(self.idol_fan.post(&format!("{path}/like"), json!({ "isLiked": true }))).await?;
        until(async || Ok(answer(self.star.get(&path)).await?["data"]["likesCount"] == 1)).await?;
        Ok(start.elapsed())
    }
}

/// How long a post takes to a follower's FOLLOWING.
async fn reaches(author: &Person, follower: &Person, number: usize) -> Result<Duration> {
    let start = Instant::now();
    let post = writes(author, number).await?;
    until(async || {
        let feed = answer(follower.get("/posts/news-feed?type=FOLLOWING")).await?;
        Ok(feed["data"].as_array().into_iter().flatten().any(|it| it["publicId"] == post))
    })
    .await?;
    Ok(start.elapsed())
}

async fn writes(author: &Person, number: usize) -> Result<String> {
    id_of(&answer(author.post("/posts", json!({ "content": format!("post {number}") }))).await?)
}

/// A post comes to the oldest follower first, so to this one last.
async fn newest_follower(author: &Person) -> Result<String> {
    let followers = answer(author.get(&format!("/user/{}/followers?take=1", author.name))).await?;
    let name = followers["data"][0]["username"].as_str().map(str::to_owned);
    name.with_context(|| format!("no follower in {followers}"))
}

async fn until(is_there: impl AsyncFn() -> Result<bool>) -> Result<()> {
    let start = Instant::now();
    while !is_there().await? {
        ensure!(start.elapsed() < GIVEN_UP, "it has not come after {GIVEN_UP:?}");
        tokio::time::sleep(ASKED_AGAIN).await;
    }
    Ok(())
}

pub(crate) fn table(followed: &[Followed]) -> Table {
    let head = ["what follows", "times", "p50 ms", "most ms"];
    let row = |it: &Followed| {
        let (p50, most) = (figure(it.took.p50, 0), figure(it.took.most, 0));
        vec![it.what.clone(), it.times.to_string(), p50, most]
    };
    Table::new("How soon it follows, where it comes by itself", &head, followed.iter().map(row).collect())
}
