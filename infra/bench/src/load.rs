//! One kind of request, asked so many times by all clients together, and what follows from it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use futures::future::try_join_all;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::{
    people::{People, Person, answer},
    server::Server,
    texts,
};

/// Who asks whom, and what about.
#[derive(Clone, Copy)]
pub(crate) struct Load<'a> {
    pub(crate) server: &'a Server,
    pub(crate) people: &'a People,
    pub(crate) posts: &'a [String],
}

/// What was measured.
pub(crate) struct Measured {
    pub(crate) request: &'static str,
    /// How long all requests together took.
    pub(crate) lasted: Duration,
    /// How long each took, sorted.
    pub(crate) took: Vec<Duration>,
    /// What the requests took of the processor.
    pub(crate) requests_processor: Duration,
    /// What followed from them took of it.
    pub(crate) follows_processor: Duration,
    answers: Vec<Value>,
}

/// Returns the ids of what was created.
pub(crate) fn ids(measured: &Measured) -> Vec<String> {
    let ids = measured.answers.iter().filter_map(|it| it["data"]["publicId"].as_str());
    ids.map(str::to_owned).collect()
}

impl Load<'_> {
    /// Everybody writes posts.
    pub(crate) async fn creates(&self, count: usize) -> Result<Measured> {
        let make = |person: &Person, number: usize| {
            person.post("/posts").json(&json!({ "content": texts::post(number) }))
        };
        self.run("POST /posts", count, make).await
    }

    /// Each client likes one post after the other.
    pub(crate) async fn likes(&self, count: usize) -> Result<Measured> {
        let clients = self.people.all.len();
        let make = |person: &Person, number: usize| {
            let post = &self.posts[number / clients % self.posts.len()];
            person.post(&format!("/posts/{post}/like")).json(&json!({ "isLiked": true }))
        };
        self.run("POST /posts/{id}/like", count, make).await
    }

    /// Everybody reads.
    pub(crate) async fn reads(
        &self,
        request: &'static str,
        count: usize,
        path: impl Fn(&str) -> String,
    ) -> Result<Measured> {
        let make = |person: &Person, number: usize| person.get(&path(&self.posts[number % self.posts.len()]));
        self.run(request, count, make).await
    }

    async fn run(
        &self,
        request: &'static str,
        count: usize,
        make: impl Fn(&Person, usize) -> RequestBuilder,
    ) -> Result<Measured> {
        eprintln!("{request} …");
        let before = self.server.processor_time()?;
        let start = Instant::now();
        let clients = (0..self.people.all.len()).map(|client| self.ask(client, count, &make));
        let answered = try_join_all(clients).await?.concat();
        let (lasted, asked) = (start.elapsed(), self.server.processor_time()?);
        self.people.settle().await?;
        let settled = self.server.processor_time()?;
        let (mut took, answers): (Vec<_>, _) = answered.into_iter().unzip();
        took.sort_unstable();
        Ok(Measured {
            request,
            lasted,
            took,
            requests_processor: asked - before,
            follows_processor: settled - asked,
            answers,
        })
    }

    /// One client, one request after the other.
    async fn ask(
        &self,
        client: usize,
        count: usize,
        make: &impl Fn(&Person, usize) -> RequestBuilder,
    ) -> Result<Vec<(Duration, Value)>> {
        let (all, mut answers) = (&self.people.all, Vec::new());
        for number in (client..count).step_by(all.len()) {
            let begin = Instant::now();
            let response =
                answer(make(&all[client], number)).await.with_context(|| format!("request {number}"))?;
            answers.push((begin.elapsed(), kept(response)));
        }
        Ok(answers)
    }
}

/// Pages are not kept: all of them would fill the memory.
fn kept(answer: Value) -> Value {
    match answer["data"].is_object() {
        true => json!({ "data": { "publicId": answer["data"]["publicId"] } }),
        false => Value::Null,
    }
}

impl Measured {
    pub(crate) fn per_second(&self) -> f64 {
        self.took.len() as f64 / self.lasted.as_secs_f64()
    }

    /// The time that so many of 100 requests stayed under, in milliseconds.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let position = (self.took.len() * percent / 100).min(self.took.len().saturating_sub(1));
        self.took.get(position).map_or(0.0, |it| it.as_secs_f64() * 1000.0)
    }

    /// A request's share of some processor time, in milliseconds.
    pub(crate) fn each(&self, processor: Duration) -> f64 {
        processor.as_secs_f64() * 1000.0 / self.took.len().max(1) as f64
    }
}
