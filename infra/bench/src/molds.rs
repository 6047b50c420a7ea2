//! The molds of a network: a small stack of its own, in which everything is done once.

use anyhow::{Context, Result, bail, ensure};
use local::{Delivery, Options, Stack, Start};
use reqwest::Client;
use serde_json::{Value, json};
use ulid::Ulid;

use crate::{
    mold::{Mold, inner, rows},
    people::{Person, answer, http, id_of},
    serve::without_limits,
    texts,
};

/// When everything is done in it.
const AT: &str = "2026-01-15T12:00:00Z";
const AUTHOR: &str = "authorspecimen";
const FAN: &str = "fanspecimen";
/// Different words of a post that is stamped, so that a network has as many rows of words as one of people has.
const DIFFERENT: usize = 6;
const POSTS: usize = 12;
const REPLIES: usize = 4;
/// Where a post ends that is larger by a unit of writing, and a step that no post without room for likers is between.
const LONGEST: usize = 1024;
const STEP: usize = 40;

/// Everything that a network is stamped with.
pub(crate) struct Molds {
    /// By the first letter of the username, which decides where somebody is found.
    pub(crate) people: Vec<PersonMold>,
    /// Somebody follows an author.
    pub(crate) follow: Between,
    /// The author writes, and the fan's timeline gets it.
    pub(crate) posts: Vec<PostMold>,
    /// The fan replies to the author's post.
    pub(crate) replies: Vec<Between>,
    /// The fan likes the author's post.
    pub(crate) like: Between,
}

pub(crate) struct PersonMold {
    pub(crate) mold: Mold,
    pub(crate) id: Ulid,
    pub(crate) name: String,
}

pub(crate) struct PostMold {
    pub(crate) mold: Mold,
    pub(crate) timeline: Mold,
    pub(crate) author: Ulid,
    pub(crate) fan: Ulid,
    pub(crate) post: Ulid,
}

/// Something between two people, about a post where there is one.
pub(crate) struct Between {
    pub(crate) mold: Mold,
    pub(crate) author: Ulid,
    pub(crate) fan: Ulid,
    pub(crate) post: Ulid,
    /// What it made, where that is a post.
    pub(crate) made: Ulid,
}

/// The names in the molds: of an author and of somebody else.
pub(crate) const NAMES: [&str; 2] = [AUTHOR, FAN];

struct Workshop {
    stack: Stack,
    http: Client,
    names: Vec<String>,
    at: i64,
}

/// Does everything once, and looks what the product writes for it.
pub(crate) async fn cast() -> Result<Molds> {
    let clock = Start::At(AT.parse()?);
    let options =
        Options { variables: without_limits(), delivery: Delivery::Manual, clock, ..Options::default() };
    let stack = Stack::start(options).await?;
    let at = stack.clock().now().as_millisecond();
    let mut shop = Workshop { stack, http: http()?, names: NAMES.map(str::to_owned).to_vec(), at };
    let people = shop.people().await?;
    let [author, fan, other] = shop.cast_of_three().await?;
    let follow = shop.follow(&author, &fan, &other).await?;
    let (posts, last) = shop.posts(&author, &fan).await?;
    let replies = shop.replies(&author, &fan, &last).await?;
    let like = shop.like(&author, &fan).await?;
    shop.stack.stop().await;
    Ok(Molds { people, follow, posts, replies, like })
}

impl Workshop {
    async fn people(&mut self) -> Result<Vec<PersonMold>> {
        Person::sign_up(&self.http, self.stack.url(), "somebody").await?;
        let mut molds = Vec::new();
        for letter in 'a'..='h' {
            let name = format!("{letter}specimen");
            self.names.push(name.clone());
            let (mold, person) = self.mold(Person::sign_up(&self.http, self.stack.url(), &name)).await?;
            molds.push(PersonMold { mold, id: id(&person).await?, name });
        }
        Ok(molds)
    }

    async fn cast_of_three(&self) -> Result<[Person; 3]> {
        let person = |name| Person::sign_up(&self.http, self.stack.url(), name);
        Ok([person(AUTHOR).await?, person(FAN).await?, person("other").await?])
    }

    /// The second follow, because a first one also writes what there is once for a person.
    async fn follow(&self, author: &Person, fan: &Person, other: &Person) -> Result<Between> {
        let path = |name: &str| format!("/user/{name}/follower");
        let follows = json!({ "isFollowing": true });
        answer(fan.post(&path("other"), follows.clone())).await?;
        answer(other.post(&path(AUTHOR), follows.clone())).await?;
        let (mold, _) = self.mold(answer(fan.post(&path(AUTHOR), follows))).await?;
        answer(other.post(&path(AUTHOR), json!({ "isFollowing": false }))).await?;
        Ok(Between { mold, author: id(author).await?, fan: id(fan).await?, post: Ulid(0), made: Ulid(0) })
    }

    async fn posts(&self, author: &Person, fan: &Person) -> Result<(Vec<PostMold>, String)> {
        for tag in texts::TAGS {
            answer(author.post("/posts", json!({ "content": "warm", "topic": tag }))).await?;
        }
        let (mut molds, mut last) = (Vec::new(), String::new());
        for number in 0..POSTS {
            let (mut mold, made) = self.mold(answer(author.post("/posts", post(number)))).await?;
            let timeline = mold.split_off(&format!("USER#{}", id(fan).await?));
            last = id_of(&made)?;
            let post = Ulid::from_string(&last)?;
            molds.push(PostMold { mold, timeline, author: id(author).await?, fan: id(fan).await?, post });
        }
        Ok((molds, last))
    }

    async fn replies(&self, author: &Person, fan: &Person, post: &str) -> Result<Vec<Between>> {
        let path = format!("/posts/{post}/reply");
        answer(fan.post(&path, json!({ "content": "warm" }))).await?;
        let mut molds = Vec::new();
        for number in 0..REPLIES {
            let body = json!({ "content": texts::of(POSTS + number, DIFFERENT) });
            let (mold, made) = self.mold(answer(fan.post(&path, body))).await?;
            let made = Ulid::from_string(&id_of(&made)?)?;
            let post = Ulid::from_string(post)?;
            molds.push(Between { mold, author: id(author).await?, fan: id(fan).await?, post, made });
        }
        Ok(molds)
    }

    async fn like(&self, author: &Person, fan: &Person) -> Result<Between> {
        let post = cramped_post(&self.stack, author).await?;
        let like = fan.post(&format!("/posts/{post}/like"), json!({ "isLiked": true }));
        let (mold, _) = self.mold(answer(like)).await?;
        let post = Ulid::from_string(&post)?;
        Ok(Between { mold, author: id(author).await?, fan: id(fan).await?, post, made: Ulid(0) })
    }

    /// Does something, with all that follows from it.
    async fn mold<T>(&self, act: impl Future<Output = Result<T>>) -> Result<(Mold, T)> {
        let names: Vec<_> = self.names.iter().map(String::as_str).collect();
        mold(&self.stack, self.at, &names, act).await
    }
}

/// What the product writes while something is done, and when it is settled.
pub(crate) async fn mold<T>(
    stack: &Stack,
    at: i64,
    names: &[&str],
    act: impl Future<Output = Result<T>>,
) -> Result<(Mold, T)> {
    settle(stack).await?;
    let before = rows(stack.database(), stack.table_name())?;
    let done = act.await?;
    settle(stack).await?;
    let after = rows(stack.database(), stack.table_name())?;
    Ok((Mold::of(&before, &after, at, names)?, done))
}

/// Writes a post that has no room for an open page of likers: each like of it has a row of its own at once, so likes can be
/// stamped one by one. The author likes it first, which also writes what there is once.
pub(crate) async fn cramped_post(stack: &Stack, author: &Person) -> Result<String> {
    for length in (1..=LONGEST).step_by(STEP) {
        let post = json!({ "content": "x".repeat(length) });
        let post = id_of(&answer(author.post("/posts", post)).await?)?;
        answer(author.post(&format!("/posts/{post}/like"), json!({ "isLiked": true }))).await?;
        settle(stack).await?;
        let rows = rows(stack.database(), stack.table_name())?;
        if rows.keys().any(|(pk, sk)| *pk == format!("POST#{post}") && sk.starts_with("LIKERS#")) {
            return Ok(post);
        }
    }
    bail!("each post has room for likers")
}

/// Delivers everything, and fails where something is left or given up.
pub(crate) async fn settle(stack: &Stack) -> Result<()> {
    let report = stack.settle(None).await?;
    ensure!((report.dead, report.left, report.stream.given_up) == (0, 0, 0), "not settled: {report:?}");
    Ok(())
}

fn post(number: usize) -> Value {
    let mut body = json!({ "content": texts::of(number, DIFFERENT) });
    // One post in three has none.
    if let Some(tag) = texts::TAGS.get(number % 9) {
        body["topic"] = json!(tag);
    }
    body
}

async fn id(person: &Person) -> Result<Ulid> {
    inner(Ulid::from_string(&person.id().await?).context("an id")?)
}
