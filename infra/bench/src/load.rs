//! One kind of request, asked by all clients for a while.

use std::time::{Duration, Instant};

use anyhow::Result;
use futures::future::try_join_all;
use reqwest::RequestBuilder;
use serde_json::json;

use crate::people::{People, Person, answer};

/// Who asks, what about, for how long.
#[derive(Clone, Copy)]
pub(crate) struct Load<'a> {
    pub(crate) people: &'a People,
    pub(crate) posts: &'a [String],
    pub(crate) lasts: Duration,
    pub(crate) order: Order,
}

/// Where each client begins among the posts, before it goes on from one to the next.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    /// All at the same post, as readers of one feed do.
    Feed,
    /// Each elsewhere, so that no two ask for the same post.
    Apart,
}

/// What was measured.
pub(crate) struct Measured {
    pub(crate) request: &'static str,
    /// Requests a second that the service shall answer; none where nothing was promised.
    pub(crate) target: Option<f64>,
    pub(crate) per_second: f64,
    /// Sorted.
    pub(crate) took: Vec<Duration>,
}

impl Load<'_> {
    /// Each client likes post after post, and takes the likes back in the next round.
    pub(crate) async fn likes(&self, request: &'static str, target: Option<f64>) -> Result<Measured> {
        let make = |person: &Person, turn: usize, post: &str| {
            let request = json!({ "isLiked": (turn / self.posts.len()).is_multiple_of(2) });
            person.post(&format!("/posts/{post}/like")).json(&request)
        };
        self.run(request, target, make).await
    }

    pub(crate) async fn reads(&self) -> Result<Measured> {
        let request = |person: &Person, _: usize, post: &str| person.get(&format!("/posts/{post}"));
        self.run("GET /posts/{id}", Some(2000.0), request).await
    }

    pub(crate) async fn feeds(&self) -> Result<Measured> {
        let request = |person: &Person, _: usize, _: &str| person.get("/posts/news-feed");
        self.run("GET /posts/news-feed", None, request).await
    }

    async fn run(
        &self,
        request: &'static str,
        target: Option<f64>,
        make: impl Fn(&Person, usize, &str) -> RequestBuilder,
    ) -> Result<Measured> {
        eprintln!("{request} …");
        let start = Instant::now();
        let clients = self.people.all.iter().enumerate();
        let all =
            try_join_all(clients.map(|(client, person)| self.ask(start, client, person, &make))).await?;
        let elapsed = start.elapsed().as_secs_f64();
        let mut took = all.concat();
        took.sort_unstable();
        Ok(Measured { request, target, per_second: took.len() as f64 / elapsed, took })
    }

    /// One client, one request after the other.
    async fn ask(
        &self,
        start: Instant,
        client: usize,
        person: &Person,
        make: &impl Fn(&Person, usize, &str) -> RequestBuilder,
    ) -> Result<Vec<Duration>> {
        let mut took = Vec::new();
        let offset = match self.order {
            Order::Feed => 0,
            Order::Apart => client * self.posts.len() / self.people.all.len(),
        };
        while start.elapsed() < self.lasts {
            let turn = took.len();
            let post = &self.posts[(offset + turn) % self.posts.len()];
            let begin = Instant::now();
            answer(make(person, turn, post)).await?;
            took.push(begin.elapsed());
        }
        Ok(took)
    }
}

impl Measured {
    /// The time that so many of 100 requests stayed under, in milliseconds.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let position = (self.took.len() * percent / 100).min(self.took.len().saturating_sub(1));
        self.took.get(position).map_or(0.0, |it| it.as_secs_f64() * 1000.0)
    }
}
