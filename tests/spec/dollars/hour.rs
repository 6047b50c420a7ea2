//! The most dollars that one account can cost in an hour, within its limits.

use std::collections::BTreeMap;

use local::keys::KEYS;
use serde_json::json;

use super::{Bill, Evening};
use crate::{
    messages::{id, makes},
    setup::crowd,
};

const WINDOWS_AN_HOUR: f64 = 12.0;
const SEARCHES_AN_HOUR: f64 = 30.0 * 60.0;
/// Maximum dollars in an hour for an account that is less than 7 days old or has fewer than 1,000 followers.
const SMALL_MAX: f64 = 2.0;
/// Maximum dollars in an hour for any other account.
const OTHERS_MAX: f64 = 10.0;
/// Bytes of a response that count as one read.
const READ_BYTES: f64 = 64.0 * 1024.0;

/// Returns a text with as many indexed words as possible: 100 words, and 200 parts of a text without spaces. The words of
/// texts with different numbers differ.
fn longest(number: usize) -> String {
    let words: String = (0..100).map(|word| format!("w{number}x{word} ")).collect();
    let first = 0x4E00 + 300 * number as u32;
    words + &(first..first + 250).filter_map(char::from_u32).collect::<String>()
}

struct Prices {
    evening: Evening,
    dollars: BTreeMap<&'static str, f64>,
}

impl Prices {
    /// Adds the price of `times` requests, from the price of a million.
    fn add(&mut self, what: &'static str, a_million: f64, times: f64) {
        self.dollars.insert(what, a_million * times / 1e6);
    }

    fn setting(&self, name: &str) -> f64 {
        let app = self.evening.world.app();
        let settings = &app.settings;
        let value = match name {
            "posts" => *settings.post_limit_per_5_min,
            "posts of a day" => *settings.post_limit_per_day,
            "reads" => *settings.read_limit_per_5_min,
            _ => panic!("{name}"),
        };
        value as f64
    }

    /// Returns the price of a million posts without followers, and of copying them to one follower.
    async fn of_posts(&self) -> (f64, f64) {
        let write = async |from: usize| {
            let write = async |number| {
                self.evening.ann.post("/posts", json!({ "content": longest(from + number) })).await
            };
            self.evening.bill(write).await.dollars()
        };
        let alone = write(0).await;
        for fan in &self.evening.fans {
            fan.follows(&self.evening.ann).await;
        }
        self.evening.world.settle().await;
        let followed = write(10).await;
        for fan in &self.evening.fans {
            fan.unfollows(&self.evening.ann).await;
        }
        (alone, (followed - alone) / self.evening.fans.len() as f64)
    }

    async fn of_edits(&self) -> f64 {
        let mut posts = Vec::new();
        for number in 0..10 {
            posts.push(self.evening.ann.writes(&longest(20 + number)).await);
        }
        self.evening.world.settle().await;
        let edit = async |number: usize| {
            let body = json!({ "content": longest(30 + number) });
            self.evening.ann.patch(&posts[number].path(""), body).await
        };
        self.evening.bill(edit).await.dollars()
    }

    async fn of_messages(&self) -> f64 {
        let members = crowd(&self.evening.world, "member", 0..97).await;
        let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
        let group = id(&makes(&self.evening.ann, "crowd", &names).await);
        let path = format!("/message-group/{group}/messages");
        let send = async |number: usize| {
            self.evening.ann.post(&path, json!({ "content": "x".repeat(1000 - number) })).await
        };
        self.evening.bill(send).await.dollars()
    }

    async fn of_searches(&self) -> f64 {
        let searches = async |_| self.evening.fans[0].get("/search?type=post&q=word1&take=100").await;
        self.evening.bill(searches).await.dollars()
    }

    /// Returns the price of a million pages with 100 of the longest posts, and the bytes of a page.
    async fn of_pages(&self) -> (f64, f64) {
        for number in 0..100_u32 {
            let letter = char::from_u32(0x1F400 + number).unwrap();
            self.evening.ann.writes(&letter.to_string().repeat(5000)).await;
            self.evening.world.advance(6).await;
        }
        self.evening.world.settle().await;
        let path = "/user/ann/posts?take=100";
        let bill = self.evening.bill(async |_| self.evening.ann.get(path).await).await;
        let bytes = bill.bytes;
        // A client can refuse compression.
        let uncompressed = Bill { bytes: 3 * bytes, ..bill };
        (uncompressed.dollars(), bytes as f64 / 10.0)
    }
}

#[tokio::test]
async fn an_account_costs_at_most_the_documented_dollars_an_hour() {
    let mut prices = Prices { evening: Evening::new().await, dollars: BTreeMap::new() };
    let (alone, follower) = prices.of_posts().await;
    let posts = WINDOWS_AN_HOUR * prices.setting("posts");
    prices.add("posts of an author with 999 followers", alone + 999.0 * follower, posts);
    let young = posts.min(prices.setting("posts of a day"));
    prices.add("posts of a new author with 5,000 followers", alone + 5_000.0 * follower, young);
    prices.add("posts of another author with 5,000 followers", alone + 5_000.0 * follower, posts);
    // The network of the test has a higher limit on writes, so this is the default for a user.
    let writes = WINDOWS_AN_HOUR * 400.0;
    let edits = prices.of_edits().await;
    prices.add("edits of posts", edits, writes);
    let messages = prices.of_messages().await;
    prices.add("messages to 97 members of a crowd", messages, writes);
    let searches = prices.of_searches().await;
    prices.add("searches", searches, SEARCHES_AN_HOUR);
    let (page, bytes) = prices.of_pages().await;
    let reads = WINDOWS_AN_HOUR * 2.0 * prices.setting("reads");
    prices.add("pages of 100 long posts", page, reads / (1.0 + bytes / READ_BYTES).floor());
    println!("a page has {bytes} bytes and costs {page:.1} dollars a million");
    check(&prices.dollars);
}

/// Checks the prices against the maximums, and against the documented prices.
fn check(dollars: &BTreeMap<&str, f64>) {
    for (what, dollars) in dollars {
        println!("{what}: {dollars:.2} dollars an hour");
    }
    for (what, dollars) in dollars {
        let most = if what.starts_with("posts of another") { OTHERS_MAX } else { SMALL_MAX };
        assert!(*dollars <= most, "{what}: {dollars:.2} dollars an hour, more than {most}");
        let stated = KEYS.dollars_an_hour(what).unwrap_or_else(|| panic!("keys.toml has no {what}"));
        let tolerance = f64::max(0.02, stated * 0.05);
        assert!(
            (stated - dollars).abs() <= tolerance,
            "{what}: {dollars:.2} dollars, keys.toml says {stated}"
        );
    }
}
