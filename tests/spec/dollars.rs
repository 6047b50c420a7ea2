//! What a million of each request cost, with all that follows, in dollars: computed from the units that the embedded
//! stack measures, and held to the table of KEYS.md.
//!
//! Prices are those of us-east-1 of November 2026, from the pages of the services, without any free tier. What happens
//! comes in company, as on a busy network: what follows is delivered and worked on by tens.

use std::collections::BTreeMap;

use serde_json::json;
use tests::{Answer, Cost, Person, Post, World};

const KEYS: &str = include_str!("../../shared/KEYS.md");

// https://aws.amazon.com/dynamodb/pricing/on-demand/
const READ_UNIT: f64 = 0.125;
const WRITE_UNIT: f64 = 0.625;
// https://aws.amazon.com/api-gateway/pricing/, https://aws.amazon.com/lambda/pricing/ (arm64)
const GATEWAY: f64 = 1.00;
const INVOCATION: f64 = 0.20;
const GB_SECOND: f64 = 13.3334;
// https://aws.amazon.com/sqs/pricing/, https://aws.amazon.com/eventbridge/pricing/
const QUEUE_CALL: f64 = 0.40;
const EVENT: f64 = 1.00;
// https://aws.amazon.com/cloudwatch/pricing/, https://aws.amazon.com/ec2/pricing/on-demand/: a million times a KB
const LOGS_KB: f64 = 0.50;
const TRANSFER_KB: f64 = 0.09;

/// How many come together.
const COMPANY: f64 = 10.0;
/// A request: half a GB for 12 ms. A line of its own, and one of the gateway.
const REQUEST_GB_SECONDS: f64 = 0.5 * 0.012;
const REQUEST_LOG_KB: f64 = 0.6;
/// A batch of a worker: a quarter of a GB for 60 ms, and its line.
const BATCH_GB_SECONDS: f64 = 0.25 * 0.060;
const BATCH_LOG_KB: f64 = 0.3;

/// What ten requests were measured to take, and what followed from them.
#[derive(Default)]
struct Bill {
    requests: Cost,
    bytes: usize,
    follows: Cost,
    messages: usize,
    records: usize,
}

impl Bill {
    fn of_requests(answers: &[Answer], requests: Cost) -> Self {
        Self { requests, bytes: answers.iter().map(|it| it.body.to_string().len()).sum(), ..Self::default() }
    }

    /// Delivers what follows, and has the notifications of it flushed; a tick that finds nothing is not part of it.
    async fn with_what_follows(self, world: &World) -> Self {
        let deliver = async || world.stack.settle(None).await.unwrap();
        let (first, follows) = world.cost_of(deliver()).await;
        world.advance(40).await;
        let (second, flushed) = world.cost_of(deliver()).await;
        world.advance(40).await;
        let (third, idle) = world.cost_of(deliver()).await;
        let rru = follows.rru + (flushed.rru - idle.rru).max(0.0);
        let messages = first.delivered + second.delivered - third.delivered;
        let records = first.stream.delivered + second.stream.delivered;
        let events = follows.events + flushed.events;
        let wru = follows.wru + flushed.wru;
        Self { follows: Cost { rru, wru, events, ..follows }, messages, records, ..self }
    }

    fn table(&self) -> f64 {
        let units = |it: &Cost| it.rru * READ_UNIT + it.wru * WRITE_UNIT;
        (units(&self.requests) + units(&self.follows)) / COMPANY
    }

    /// The gateway, the function, its logs, and what goes over the network, compressed to a third.
    fn request(&self) -> f64 {
        let kilobytes = self.bytes as f64 / 1000.0 / COMPANY / 3.0;
        let function = INVOCATION + REQUEST_GB_SECONDS * GB_SECOND;
        GATEWAY + function + REQUEST_LOG_KB * LOGS_KB + kilobytes * TRANSFER_KB
    }

    /// Sends, receives and deletions by tens, the sends of the bus one by one, and the functions that take them.
    fn delivery(&self) -> f64 {
        let (messages, records) = (self.messages as f64 / COMPANY, self.records as f64 / COMPANY);
        let events = f64::from(self.follows.events) / COMPANY;
        let batch = INVOCATION + BATCH_GB_SECONDS * GB_SECOND + BATCH_LOG_KB * LOGS_KB;
        let queues = (messages - events).max(0.0) * QUEUE_CALL * 0.3 + events * QUEUE_CALL * 1.2;
        (messages + records) * batch / COMPANY + queues + events * EVENT
    }

    fn dollars(&self) -> f64 {
        self.request() + self.table() + self.delivery()
    }
}

/// A text of 300 characters with so many words to index.
fn text(number: usize, words: usize) -> String {
    let mut text = format!("{number}x");
    (1..words).for_each(|word| text += &format!(" word{word}"));
    let filler = 300_usize.saturating_sub(text.len() + 1);
    text + " " + &"x".repeat(filler)
}

struct Evening {
    world: World,
    ann: Person,
    fans: Vec<Person>,
    posts: Vec<Post>,
}

impl Evening {
    async fn begins() -> Self {
        let world = World::in_time(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).await;
        let ann = world.person("ann").await;
        let names: Vec<_> = (0..10).map(|it| format!("fan{it}")).collect();
        let fans = futures::future::join_all(names.iter().map(|it| world.person(it))).await;
        let mut posts = Vec::new();
        for number in 0..20 {
            posts.push(ann.writes(&text(number, 20)).await);
        }
        world.settle().await;
        world.advance(60).await;
        world.settle().await;
        Self { world, ann, fans, posts }
    }

    /// Asks ten times, and has what follows happen.
    async fn bill(&self, ask: impl AsyncFn(usize) -> Answer) -> Bill {
        // A window of the write limit begins with a person's first request: it is not counted here.
        for person in self.fans.iter().chain([&self.ann]) {
            person.post("/auth/profile", json!({ "bio": "here" })).await.ok();
        }
        self.world.stack.settle(None).await.unwrap();
        let ask_all = async {
            let mut answers = Vec::new();
            for number in 0..COMPANY as usize {
                answers.push(ask(number).await.ok());
            }
            answers
        };
        let (answers, cost) = self.world.cost_of(ask_all).await;
        Bill::of_requests(&answers, cost).with_what_follows(&self.world).await
    }

    async fn create(&self, words: usize) -> f64 {
        let create =
            async |number| self.ann.post("/posts", json!({ "content": text(100 + number, words) })).await;
        self.bill(create).await.dollars()
    }

    async fn like(&self, fan: &Person) -> f64 {
        let like = async |number: usize| {
            fan.post(&self.posts[number].path("/like"), json!({ "isLiked": true })).await
        };
        self.bill(like).await.dollars()
    }

    /// Whether the author of the posts hears of what one of the fans does.
    async fn hears_of(&self, fan: &Person, hears: bool) {
        self.ann.post(&fan.path("/mute"), json!({ "isMuted": !hears })).await.ok();
    }

    async fn page(&self) -> f64 {
        self.fans[1].get("/posts/news-feed").await.ok();
        self.bill(async |_| self.fans[1].get("/posts/news-feed").await).await.dollars()
    }

    async fn reply(&self) -> f64 {
        let reply = async |number: usize| {
            self.fans[2]
                .post(&self.posts[number].path("/reply"), json!({ "content": text(number, 20) }))
                .await
        };
        self.bill(reply).await.dollars()
    }

    async fn message(&self) -> f64 {
        let mut groups = Vec::new();
        for fan in &self.fans {
            groups.push(fan.chats_with("ann").await);
        }
        let send = async |number: usize| {
            let path = format!("/message-group/{}/messages", groups[number]);
            self.fans[number].post(&path, json!({ "content": text(number, 20) })).await
        };
        self.bill(send).await.dollars()
    }

    async fn follow(&self) -> f64 {
        let follow = async |number: usize| {
            self.fans[number].post("/user/ann/follower", json!({ "isFollowing": true })).await
        };
        self.bill(follow).await.dollars()
    }
}

/// The lines of the chapter about dollars.
fn chart() -> impl Iterator<Item = &'static str> {
    KEYS.lines().skip_while(|it| *it != "## Dollars").skip(1).take_while(|it| !it.starts_with("## "))
}

#[tokio::test]
async fn a_million_of_each_request_costs_what_the_chart_says() {
    let evening = Evening::begins().await;
    let page = evening.page().await;
    let told = evening.like(&evening.fans[0]).await;
    evening.hears_of(&evening.fans[3], false).await;
    let like = evening.like(&evening.fans[3]).await;
    evening.hears_of(&evening.fans[3], true).await;
    let (plain, worded) = (evening.create(1).await, evening.create(21).await);
    let (reply, message, follow) = (evening.reply().await, evening.message().await, evening.follow().await);
    let computed = BTreeMap::from([
        ("a FOR_YOU page", page),
        ("a like", like),
        ("its author hears of it, more", told - like),
        ("a post, with one word indexed", plain),
        ("each word more", (worded - plain) / 20.0),
        ("a reply", reply),
        ("a message between two", message),
        ("a follow", follow),
    ]);
    for (request, dollars) in &computed {
        println!("{request}: {dollars:.2}");
    }
    for (request, dollars) in computed {
        let line = chart().find(|it| it.starts_with(&format!("| {request} |")));
        let line = line.unwrap_or_else(|| panic!("KEYS.md has no price of {request}"));
        let said: f64 = line.split('|').nth(2).unwrap().trim().parse().unwrap();
        assert!(
            (said - dollars).abs() <= 0.1,
            "{request} costs {dollars:.2} dollars a million, KEYS.md says {said}"
        );
    }
}
