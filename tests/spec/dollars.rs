//! Checks the AWS price of a million requests, with the work that they cause, against `shared/keys.toml`.
//! [`local::bill`] has the prices.

mod hour;

use local::{
    bill::{BATCH_ITEMS, Compute, Usage},
    keys::KEYS,
};
use serde_json::json;
use tests::{Answer, Cost, Person, Post, World};

use crate::{auth::form, setup::crowd};

/// Seconds after a write until the writer gets cached feed pages again.
const CACHED_AGAIN_SECONDS: u64 = 4;

/// Window of the write limit, in seconds.
const WRITE_WINDOW_SECONDS: u64 = 300;

/// Delivers the messages and notifications that ten requests cause. Returns the AWS usage of one request, with that of
/// its messages and notifications, but without the cost of an idle notification tick. `bytes` is the size of all
/// responses.
async fn usage_of(world: &World, requests: Cost, bytes: usize) -> Usage {
    let deliver = async || world.stack.settle(None).await.unwrap();
    let mails = world.stack.mail().len();
    let (first, follow_up) = world.cost_of(deliver()).await;
    world.advance(40).await;
    let (second, flushed) = world.cost_of(deliver()).await;
    world.advance(40).await;
    let (third, idle) = world.cost_of(deliver()).await;
    let read_units = requests.rru + follow_up.rru + (flushed.rru - idle.rru).max(0.0);
    let write_units = requests.wru + follow_up.wru + flushed.wru;
    let messages = first.delivered + second.delivered - third.delivered;
    let records = first.stream.delivered + second.stream.delivered;
    Usage {
        requests: 1.0,
        compute: Compute::default(),
        emails: (world.stack.mail().len() - mails) as f64 / BATCH_ITEMS,
        response_kb: bytes as f64 / 1000.0 / BATCH_ITEMS,
        read_units: read_units / BATCH_ITEMS,
        write_units: write_units / BATCH_ITEMS,
        messages: messages as f64 / BATCH_ITEMS,
        records: records as f64 / BATCH_ITEMS,
        events: f64::from(follow_up.events + flushed.events) / BATCH_ITEMS,
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
        let settings = [("WRITE_LIMIT_PER_5_MIN", "10000"), ("ACCESS_TOKEN_MINUTES", "1000")];
        let (world, [ann]) = World::builder().pages(1000).settings(&settings).start_with(["ann"]).await;
        let fans = crowd(&world, "fan", 0..10).await;
        let mut posts = Vec::new();
        for number in 0..20 {
            posts.push(ann.writes(&text(number, 20)).await);
        }
        world.settle().await;
        let evening = Self { world, ann, fans, posts };
        evening.add_early_likes().await;
        evening.world.advance_and_settle(60).await;
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

    /// Sends ten requests, and delivers the messages that they cause. Returns the usage of one request.
    async fn usage(&self, ask: impl AsyncFn(usize) -> Answer) -> Usage {
        self.usage_after(0, ask).await
    }

    /// Works as [`Self::usage`] does, but first waits `seconds` seconds after each user's last write.
    async fn usage_after(&self, seconds: u64, ask: impl AsyncFn(usize) -> Answer) -> Usage {
        // Starts a window of each user's write limit, so that none starts or ends while costs are counted.
        self.world.advance(WRITE_WINDOW_SECONDS).await;
        for person in self.fans.iter().chain([&self.ann]) {
            person.post("/auth/profile", json!({ "bio": "here" })).await.ok();
        }
        self.world.advance(seconds).await;
        self.world.stack.settle(None).await.unwrap();
        let ask_all = async {
            let mut bytes = 0;
            for number in 0..BATCH_ITEMS as usize {
                bytes += ask(number).await.ok().body.to_string().len();
            }
            bytes
        };
        let (bytes, requests) = self.world.cost_of(ask_all).await;
        usage_of(&self.world, requests, bytes).await
    }

    /// Works as [`Self::usage`] does, but returns the price of a million requests.
    async fn price(&self, ask: impl AsyncFn(usize) -> Answer) -> f64 {
        self.usage(ask).await.dollars_per_million()
    }

    async fn create(&self, words: usize) -> f64 {
        let body = |number: usize| json!({ "content": text(100 + number, words) });
        self.price(async |number: usize| self.ann.post("/posts", body(number)).await).await
    }

    async fn like(&self, fan: &Person) -> f64 {
        self.price(async |number: usize| fan.likes(&self.posts[number]).await).await
    }

    /// Sets whether the actions of a fan notify the author of the posts.
    async fn set_notified(&self, fan: &Person, is_notified: bool) {
        self.ann.post(&fan.path("/mute"), json!({ "isMuted": !is_notified })).await.ok();
    }

    /// Returns the price of ten feed pages within a second. Only the first page reads the table.
    async fn page(&self) -> f64 {
        self.fans[1].get("/posts/news-feed").await.ok();
        self.ann.writes(&text(50, 20)).await;
        let read = async |_| self.fans[1].get("/posts/news-feed").await;
        self.usage_after(CACHED_AGAIN_SECONDS, read).await.dollars_per_million()
    }

    async fn page_after_own_write(&self) -> f64 {
        self.price(async |_| self.fans[1].get("/posts/news-feed").await).await
    }

    async fn reply(&self) -> f64 {
        let reply = async |number: usize| {
            let body = json!({ "content": text(number, 20) });
            self.fans[2].post(&self.posts[number].path("/reply"), body).await
        };
        self.price(reply).await
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
        self.price(send).await
    }

    async fn register(&self) -> f64 {
        let register =
            async |number| self.world.anyone.post("/auth/register", form(&format!("new{number}"))).await;
        Usage { compute: Compute::Password, ..self.usage(register).await }.dollars_per_million()
    }

    async fn forget(&self) -> f64 {
        let forget = async |number: usize| {
            let body = json!({ "email": self.fans[number].email });
            self.world.anyone.post("/auth/forgot-password", body).await
        };
        Usage { compute: Compute::Auth, ..self.usage(forget).await }.dollars_per_million()
    }

    async fn follow(&self) -> f64 {
        self.price(async |number: usize| self.fans[number].follows(&self.ann).await).await
    }
}

/// Checks a price against the documented price. The cost varies slightly. Events about the same user may share a row,
/// depending on their order.
fn check_price(what: &str, dollars: f64, stated: Option<f64>, [tolerance, share]: [f64; 2]) {
    let stated = stated.unwrap_or_else(|| panic!("keys.toml has no {what}"));
    let message = format!("{what} costs {dollars:.2} dollars, keys.toml says {stated}");
    assert!((stated - dollars).abs() <= f64::max(tolerance, stated * share), "{message}");
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
    let computed = [
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
    ];
    for (request, dollars) in computed {
        println!("{request}: {dollars:.2} dollars a million");
    }
    for (request, dollars) in computed {
        check_price(request, dollars, KEYS.dollars_per_million(request), [0.1, 0.02]);
    }
}
