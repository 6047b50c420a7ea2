//! A writer: sends random requests one after the other, until the stack is killed.

use std::ops::ControlFlow::{self, Break, Continue};

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};

use crate::{
    api::{Api, Outcome},
    crowd::{Crowd, Person},
    journal::{Journal, State, Text},
};

/// Number of newest posts that writers like and reply to.
const NEWEST: usize = 30;
/// Average number of posts per 100 requests.
const POSTS: u32 = 30;
const REPLIES: u32 = 15;
const LIKES: u32 = 35;
const FOLLOWS: u32 = 10;

/// Whether a writer continues. `Break` if the stack no longer responds.
type Flow = ControlFlow<()>;

pub(crate) struct Writer<'a> {
    pub(crate) api: &'a Api,
    pub(crate) crowd: &'a Crowd,
    /// IDs of the posts that were acknowledged before the previous kill.
    pub(crate) posts: &'a [String],
    pub(crate) number: usize,
    pub(crate) journal: Journal,
}

impl Writer<'_> {
    /// Sends requests until the stack no longer responds.
    pub(crate) async fn work(mut self, mut random: StdRng) -> Journal {
        let mut flow = self.repeat().await;
        while flow.is_continue() {
            flow = self.act(&mut random).await;
        }
        self.journal
    }

    async fn act(&mut self, random: &mut StdRng) -> Flow {
        let newest = &self.posts[self.posts.len().saturating_sub(NEWEST)..];
        let (kind, is_on, keyed) = (random.random_range(0..100), random.random_ratio(2, 3), random.random());
        let idol = random.random_range(0..self.crowd.idols.len());
        let post = newest.choose(random).cloned();
        match (kind, post) {
            (0..POSTS, _) | (_, None) => self.write_post(keyed).await,
            (kind, Some(post)) if kind < POSTS + REPLIES => self.write_reply(&post).await,
            (kind, Some(post)) if kind < POSTS + REPLIES + LIKES => self.set_like(post, is_on).await,
            (kind, _) if kind < POSTS + REPLIES + LIKES + FOLLOWS => self.set_follow(idol, is_on).await,
            _ => self.write_message().await,
        }
    }

    async fn write_post(&mut self, keyed: bool) -> Flow {
        if keyed {
            self.journal.to_repeat = Some(self.word());
            return self.post_with_key().await;
        }
        self.write_text("/posts", |journal| &mut journal.posts).await
    }

    /// Sends a post again if its request has not succeeded.
    async fn repeat(&mut self) -> Flow {
        let is_repetition = self.journal.to_repeat.is_some();
        let flow = self.post_with_key().await;
        if is_repetition && self.journal.to_repeat.is_none() {
            self.journal.repeated += 1;
        }
        flow
    }

    /// Sends the post in `to_repeat`, if any. The post's unique word is the idempotency key.
    async fn post_with_key(&mut self) -> Flow {
        let Some(word) = self.journal.to_repeat.clone() else { return Continue(()) };
        let outcome = self.send("/posts", &content(&word), Some(&word)).await;
        if let Some(post) = text(&outcome, word) {
            self.journal.posts.push(post);
            self.journal.to_repeat = None;
        }
        flow(&outcome)
    }

    async fn write_reply(&mut self, post: &str) -> Flow {
        self.write_text(&format!("/posts/{post}/reply"), |journal| &mut journal.replies).await
    }

    async fn write_message(&mut self) -> Flow {
        let path = format!("/message-group/{}/messages", self.crowd.group);
        self.write_text(&path, |journal| &mut journal.messages).await
    }

    /// Sends a text with a unique word, and adds it to `acknowledged` if the request succeeds.
    async fn write_text(&mut self, path: &str, acknowledged: fn(&mut Journal) -> &mut Vec<Text>) -> Flow {
        let word = self.word();
        let outcome = self.send(path, &content(&word), None).await;
        acknowledged(&mut self.journal).extend(text(&outcome, word));
        flow(&outcome)
    }

    async fn set_like(&mut self, post: String, is_on: bool) -> Flow {
        let outcome = self.send(&format!("/posts/{post}/like"), &json!({ "isLiked": is_on }), None).await;
        self.journal.likes.insert(post, state(&outcome, is_on));
        flow(&outcome)
    }

    async fn set_follow(&mut self, idol: usize, is_on: bool) -> Flow {
        let path = format!("/user/{}/follower", self.crowd.idols[idol].name);
        let outcome = self.send(&path, &json!({ "isFollowing": is_on }), None).await;
        self.journal.follows.insert(idol, state(&outcome, is_on));
        flow(&outcome)
    }

    async fn send(&mut self, path: &str, body: &Value, key: Option<&str>) -> Outcome {
        let Person { token, .. } = &self.crowd.writers[self.number];
        let outcome = self.api.post(token, path, body, key).await;
        match outcome {
            Outcome::Done(_) => self.journal.acknowledged += 1,
            Outcome::Failed => self.journal.failed += 1,
            Outcome::Lost => self.journal.lost += 1,
        }
        outcome
    }

    /// Returns a word that no other text contains.
    fn word(&mut self) -> String {
        self.journal.words += 1;
        format!("{}x{}", self.crowd.writers[self.number].name, self.journal.words)
    }
}

/// Returns a request body with a text of two words: the writer's name, and `word`.
fn content(word: &str) -> Value {
    let writer = word.split('x').next().unwrap_or_default();
    json!({ "content": format!("{writer} {word}") })
}

fn text(outcome: &Outcome, word: String) -> Option<Text> {
    let Outcome::Done(data) = outcome else { return None };
    Some(Text { id: data["publicId"].as_str()?.to_owned(), word })
}

fn state(outcome: &Outcome, is_on: bool) -> State {
    match outcome {
        Outcome::Done(_) => is_on.into(),
        Outcome::Failed | Outcome::Lost => State::Unknown,
    }
}

fn flow(outcome: &Outcome) -> Flow {
    match outcome {
        Outcome::Done(_) | Outcome::Failed => Continue(()),
        Outcome::Lost => Break(()),
    }
}
