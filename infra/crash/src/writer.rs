//! A writer: one request after the other, chosen by chance, until there is no answer.

use std::ops::ControlFlow::{self, Break, Continue};

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};

use crate::{
    api::{Answer, Api},
    books::{Books, Stands, Text},
    crowd::{Crowd, Person},
};

/// Likes and replies crowd on so many of the newest posts.
const NEWEST: usize = 30;
/// Of 100 requests, so many do this. The rest are messages.
const POSTS: u32 = 30;
const REPLIES: u32 = 15;
const LIKES: u32 = 35;
const FOLLOWS: u32 = 10;

/// Whether the stack still answers.
type Goes = ControlFlow<()>;

pub(crate) struct Writer<'a> {
    pub(crate) api: &'a Api,
    pub(crate) crowd: &'a Crowd,
    /// The ids of the posts that were there at the beginning.
    pub(crate) posts: &'a [String],
    pub(crate) number: usize,
    pub(crate) books: Books,
}

impl Writer<'_> {
    /// Writes until there is no answer.
    pub(crate) async fn work(mut self, mut random: StdRng) -> Books {
        let mut goes = self.repeat().await;
        while goes.is_continue() {
            goes = self.act(&mut random).await;
        }
        self.books
    }

    async fn act(&mut self, random: &mut StdRng) -> Goes {
        let newest = &self.posts[self.posts.len().saturating_sub(NEWEST)..];
        let (kind, yes, keyed) = (random.random_range(0..100), random.random_ratio(2, 3), random.random());
        let idol = random.random_range(0..self.crowd.idols.len());
        let post = newest.choose(random).cloned();
        match (kind, post) {
            (0..POSTS, _) | (_, None) => self.posts(keyed).await,
            (kind, Some(post)) if kind < POSTS + REPLIES => self.replies(&post).await,
            (kind, Some(post)) if kind < POSTS + REPLIES + LIKES => self.likes(post, yes).await,
            (kind, _) if kind < POSTS + REPLIES + LIKES + FOLLOWS => self.follows(idol, yes).await,
            _ => self.says().await,
        }
    }

    async fn posts(&mut self, keyed: bool) -> Goes {
        let word = self.word();
        if keyed {
            self.books.to_repeat = Some(word);
            return self.ask_keyed().await;
        }
        let answer = self.ask("/posts", &content(&word), None).await;
        self.books.posts.extend(text(&answer, word));
        goes(&answer)
    }

    /// Asks again for what had no answer when the stack was killed.
    async fn repeat(&mut self) -> Goes {
        let repeats = self.books.to_repeat.is_some();
        let goes = self.ask_keyed().await;
        if repeats && self.books.to_repeat.is_none() {
            self.books.repeated += 1;
        }
        goes
    }

    /// The word is its own key.
    async fn ask_keyed(&mut self) -> Goes {
        let Some(word) = self.books.to_repeat.clone() else { return Continue(()) };
        let answer = self.ask("/posts", &content(&word), Some(&word)).await;
        if let Some(post) = text(&answer, word) {
            self.books.posts.push(post);
            self.books.to_repeat = None;
        }
        goes(&answer)
    }

    async fn replies(&mut self, post: &str) -> Goes {
        let word = self.word();
        let answer = self.ask(&format!("/posts/{post}/reply"), &content(&word), None).await;
        self.books.replies.extend(text(&answer, word));
        goes(&answer)
    }

    async fn says(&mut self) -> Goes {
        let word = self.word();
        let path = format!("/message-group/{}/messages", self.crowd.group);
        let answer = self.ask(&path, &content(&word), None).await;
        self.books.messages.extend(text(&answer, word));
        goes(&answer)
    }

    async fn likes(&mut self, post: String, yes: bool) -> Goes {
        let answer = self.ask(&format!("/posts/{post}/like"), &json!({ "isLiked": yes }), None).await;
        self.books.likes.insert(post, stands(&answer, yes));
        goes(&answer)
    }

    async fn follows(&mut self, idol: usize, yes: bool) -> Goes {
        let path = format!("/user/{}/follower", self.crowd.idols[idol].name);
        let answer = self.ask(&path, &json!({ "isFollowing": yes }), None).await;
        self.books.follows.insert(idol, stands(&answer, yes));
        goes(&answer)
    }

    async fn ask(&mut self, path: &str, body: &Value, key: Option<&str>) -> Answer {
        let Person { token, .. } = &self.crowd.writers[self.number];
        let answer = self.api.post(token, path, body, key).await;
        match answer {
            Answer::Done(_) => self.books.answered += 1,
            Answer::Failed => self.books.failed += 1,
            Answer::Nothing => self.books.unanswered += 1,
        }
        answer
    }

    /// A word that no other text has.
    fn word(&mut self) -> String {
        self.books.words += 1;
        format!("{}x{}", self.crowd.writers[self.number].name, self.books.words)
    }
}

/// All that a writer writes has one word, and each text another.
fn content(word: &str) -> Value {
    let writer = word.split('x').next().unwrap_or_default();
    json!({ "content": format!("{writer} {word}") })
}

fn text(answer: &Answer, word: String) -> Option<Text> {
    let Answer::Done(data) = answer else { return None };
    Some(Text { id: data["publicId"].as_str()?.to_owned(), word })
}

fn stands(answer: &Answer, yes: bool) -> Stands {
    match answer {
        Answer::Done(_) => yes.into(),
        Answer::Failed | Answer::Nothing => Stands::Unknown,
    }
}

fn goes(answer: &Answer) -> Goes {
    match answer {
        Answer::Done(_) | Answer::Failed => Continue(()),
        Answer::Nothing => Break(()),
    }
}
