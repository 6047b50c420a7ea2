//! Checks the AWS price of a million requests, with the work that they cause, against `shared/keys.toml`.
//! [`local::bill`] has the prices.

mod hour;

use std::collections::BTreeMap;

use local::{
    bill::{BATCH_ITEMS, Compute, Usage},
    keys::KEYS,
};
use serde_json::json;
use tests::{Answer, Cost, PASSWORD, Person, Post, World};

use crate::setup::crowd;

/// Seconds after a write until the writer gets cached feed pages again.
const CACHED_AGAIN_SECONDS: u64 = 4;

/// Window of the write limit, in seconds.
const WRITE_WINDOW_SECONDS: u64 = 300;

/// AWS usage of ten requests, and of the messages and notifications that they cause.
#[derive(Default)]
struct Bill {
    requests: Cost,
    bytes: usize,
    follow_up: Cost,
    messages: usize,
    records: usize,
    compute: Compute,
    emails: usize,
}

impl Bill {
    fn of_requests(answers: &[Answer], requests: Cost) -> Self {
        Self {
            requests,
            bytes: answers.iter().map(|answer| answer.body.to_string().len()).sum(),
            ..Self::default()
        }
    }

    /// Delivers messages and notifications, and adds their cost. Subtracts the cost of an idle notification tick.
    async fn with_follow_ups(self, world: &World) -> Self {
        let deliver = async || world.stack.settle(None).await.unwrap();
        let mails = world.stack.mail().len();
        let (first, follow_up) = world.cost_of(deliver()).await;
        world.advance(40).await;
        let (second, flushed) = world.cost_of(deliver()).await;
        world.advance(40).await;
        let (third, idle) = world.cost_of(deliver()).await;
        let rru = follow_up.rru + (flushed.rru - idle.rru).max(0.0);
        let messages = first.delivered + second.delivered - third.delivered;
        let records = first.stream.delivered + second.stream.delivered;
        let events = follow_up.events + flushed.events;
        let wru = follow_up.wru + flushed.wru;
        let emails = world.stack.mail().len() - mails;
        Self { follow_up: Cost { rru, wru, events, ..follow_up }, messages, records, emails, ..self }
    }

    fn dollars(&self) -> f64 {
        let usage = Usage {
            requests: 1.0,
            compute: self.compute,
            emails: self.emails as f64 / BATCH_ITEMS,
            response_kb: self.bytes as f64 / 1000.0 / BATCH_ITEMS,
            read_units: (self.requests.rru + self.follow_up.rru) / BATCH_ITEMS,
            write_units: (self.requests.wru + self.follow_up.wru) / BATCH_ITEMS,
            messages: self.messages as f64 / BATCH_ITEMS,
            records: self.records as f64 / BATCH_ITEMS,
            events: f64::from(self.follow_up.events) / BATCH_ITEMS,
        };
        usage.dollars_per_million()
    }
}

/// Returns a text of 300 characters with `words` indexed words. The text begins with `number`, so texts differ.
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
    async fn new() -> Self {
        let world = World::builder()
            .pages(1000)
            .settings(&[("WRITE_LIMIT_PER_5_MIN", "10000"), ("ACCESS_TOKEN_MINUTES", "1000")])
            .start()
            .await;
        let ann = world.person("ann").await;
        let fans = crowd(&world, "fan", 0..10).await;
        let mut posts = Vec::new();
        for number in 0..20 {
            posts.push(ann.writes(&text(number, 20)).await);
        }
        world.settle().await;
        let evening = Self { world, ann, fans, posts };
        evening.add_early_likes().await;
        evening.world.advance(60).await;
        evening.world.settle().await;
        evening
    }

    /// Gives the first ten posts zero to six likes. Later likes then create liker rows as often as in practice.
    async fn add_early_likes(&self) {
        let early = &self.fans[4..10];
        for fan in early {
            self.set_notified(fan, false).await;
        }
        for (number, post) in self.posts.iter().take(BATCH_ITEMS as usize).enumerate() {
            for fan in &early[..number % (early.len() + 1)] {
                fan.likes(post).await;
                self.world.settle().await;
            }
        }
        for fan in early {
            self.set_notified(fan, true).await;
        }
    }

    /// Sends ten requests, and delivers the messages that they cause.
    async fn bill(&self, ask: impl AsyncFn(usize) -> Answer) -> Bill {
        self.bill_after(0, ask).await
    }

    /// Works as [`Self::bill`] does, but first waits `seconds` seconds after each user's last write.
    async fn bill_after(&self, seconds: u64, ask: impl AsyncFn(usize) -> Answer) -> Bill {
        // Starts a window of each user's write limit, so that none starts or ends while costs are counted.
        self.world.advance(WRITE_WINDOW_SECONDS).await;
        for person in self.fans.iter().chain([&self.ann]) {
            person.post("/auth/profile", json!({ "bio": "here" })).await.ok();
        }
        self.world.advance(seconds).await;
        self.world.stack.settle(None).await.unwrap();
        let ask_all = async {
            let mut answers = Vec::new();
            for number in 0..BATCH_ITEMS as usize {
                answers.push(ask(number).await.ok());
            }
            answers
        };
        let (answers, cost) = self.world.cost_of(ask_all).await;
        Bill::of_requests(&answers, cost).with_follow_ups(&self.world).await
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

    /// Sets whether the actions of a fan notify the author of the posts.
    async fn set_notified(&self, fan: &Person, is_notified: bool) {
        self.ann.post(&fan.path("/mute"), json!({ "isMuted": !is_notified })).await.ok();
    }

    /// Returns the price of ten feed pages within a second. Only the first page reads the table.
    async fn page(&self) -> f64 {
        self.fans[1].get("/posts/news-feed").await.ok();
        self.ann.writes(&text(50, 20)).await;
        self.bill_after(CACHED_AGAIN_SECONDS, async |_| self.fans[1].get("/posts/news-feed").await)
            .await
            .dollars()
    }

    async fn page_after_own_write(&self) -> f64 {
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

    async fn register(&self) -> f64 {
        let register = async |number| {
            let (name, email) = (format!("new{number}"), format!("new{number}@example.com"));
            let body = json!({ "name": name, "username": name, "email": email, "password": PASSWORD });
            self.world.anyone.post("/auth/register", body).await
        };
        Bill { compute: Compute::Password, ..self.bill(register).await }.dollars()
    }

    async fn forget(&self) -> f64 {
        let forget = async |number: usize| {
            let body = json!({ "email": format!("{}@example.com", self.fans[number].name) });
            self.world.anyone.post("/auth/forgot-password", body).await
        };
        Bill { compute: Compute::Auth, ..self.bill(forget).await }.dollars()
    }

    async fn follow(&self) -> f64 {
        let follow = async |number: usize| {
            self.fans[number].post("/user/ann/follower", json!({ "isFollowing": true })).await
        };
        self.bill(follow).await.dollars()
    }
}

#[tokio::test]
async fn request_prices_match_the_documented_prices() {
    let evening = Evening::new().await;
    let (page, own) = (evening.page().await, evening.page_after_own_write().await);
    let notified = evening.like(&evening.fans[0]).await;
    evening.set_notified(&evening.fans[3], false).await;
    let like = evening.like(&evening.fans[3]).await;
    evening.set_notified(&evening.fans[3], true).await;
    let (plain, worded) = (evening.create(1).await, evening.create(21).await);
    let (reply, message, follow) = (evening.reply().await, evening.message().await, evening.follow().await);
    let computed = BTreeMap::from([
        ("a page of FOR_YOU", page),
        ("a page of FOR_YOU within 3 seconds of a write", own),
        ("a like", like),
        ("notifying the author of a like", notified - like),
        ("a post with one indexed word", plain),
        ("each further word of a post", (worded - plain) / 20.0),
        ("a reply", reply),
        ("a message between two users", message),
        ("a follow", follow),
        ("a registration", evening.register().await),
        ("a forgotten password", evening.forget().await),
    ]);
    for (request, dollars) in &computed {
        println!("{request}: {dollars:.2}");
    }
    for (request, dollars) in computed {
        let stated =
            KEYS.dollars_per_million(request).unwrap_or_else(|| panic!("keys.toml has no {request}"));
        let message = format!("{request} costs {dollars:.2} dollars a million, keys.toml says {stated}");
        // The cost varies slightly. Events about the same user may share a row, depending on their order.
        let tolerance = f64::max(0.1, stated * 0.02);
        assert!((stated - dollars).abs() <= tolerance, "{message}");
    }
}
