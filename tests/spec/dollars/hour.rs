//! The most dollars that one account can cost in an hour, within its limits.

use local::{bill::Usage, keys::KEYS};
use serde_json::json;

use super::{Evening, check_price};
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

/// Returns the price of a million posts without followers, and of copying them to one follower.
async fn price_of_posts(evening: &Evening) -> (f64, f64) {
    let Evening { world, ann, fans, .. } = evening;
    let write = async |from: usize| {
        let body = |number: usize| json!({ "content": longest(from + number) });
        evening.price(async |number: usize| ann.post("/posts", body(number)).await).await
    };
    let alone = write(0).await;
    for fan in fans {
        fan.follows(ann).await;
    }
    world.settle().await;
    let followed = write(10).await;
    for fan in fans {
        fan.unfollows(ann).await;
    }
    (alone, (followed - alone) / fans.len() as f64)
}

async fn price_of_edits(evening: &Evening) -> f64 {
    let mut posts = Vec::new();
    for number in 0..10 {
        posts.push(evening.ann.writes(&longest(20 + number)).await);
    }
    evening.world.settle().await;
    let edit = async |number: usize| {
        let body = json!({ "content": longest(30 + number) });
        evening.ann.patch(&posts[number].path(""), body).await
    };
    evening.price(edit).await
}

async fn price_of_messages(evening: &Evening) -> f64 {
    let members = crowd(&evening.world, "member", 0..97).await;
    let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
    let group = id(&makes(&evening.ann, "crowd", &names).await);
    let path = format!("/message-group/{group}/messages");
    let body = |number: usize| json!({ "content": "x".repeat(1000 - number) });
    evening.price(async |number: usize| evening.ann.post(&path, body(number)).await).await
}

async fn price_of_searches(evening: &Evening) -> f64 {
    let path = "/search?type=post&q=word1&take=100";
    evening.price(async |_| evening.fans[0].get(path).await).await
}

/// Returns the price of a million pages with 100 of the longest posts, and the bytes of a page.
async fn price_of_pages(evening: &Evening) -> (f64, f64) {
    for number in 0..100_u32 {
        let letter = char::from_u32(0x1F400 + number).unwrap();
        evening.ann.writes(&letter.to_string().repeat(5000)).await;
        evening.world.advance(6).await;
    }
    evening.world.settle().await;
    let path = "/user/ann/posts?take=100";
    let usage = evening.usage(async |_| evening.ann.get(path).await).await;
    let kilobytes = usage.response_kb;
    // A client can refuse compression.
    let uncompressed = Usage { response_kb: 3.0 * kilobytes, ..usage };
    (uncompressed.dollars_per_million(), 1000.0 * kilobytes)
}

#[tokio::test]
async fn an_account_costs_at_most_the_documented_dollars_an_hour() {
    let evening = Evening::new().await;
    let app = evening.world.app();
    let limits = &app.settings;
    let posts = WINDOWS_AN_HOUR * *limits.post_limit_per_5_min as f64;
    let young = posts.min(*limits.post_limit_per_day as f64);
    // The network of the test has a higher limit on writes, so this is the default for a user.
    let writes = WINDOWS_AN_HOUR * 400.0;
    let reads = WINDOWS_AN_HOUR * 2.0 * *limits.read_limit_per_5_min as f64;
    let (alone, follower) = price_of_posts(&evening).await;
    let edits = price_of_edits(&evening).await;
    let messages = price_of_messages(&evening).await;
    let searches = price_of_searches(&evening).await;
    let (page, bytes) = price_of_pages(&evening).await;
    println!("a page has {bytes} bytes and costs {page:.1} dollars a million");
    check(&[
        ("posts of an author with 999 followers", alone + 999.0 * follower, posts),
        ("posts of a new author with 5,000 followers", alone + 5_000.0 * follower, young),
        ("posts of another author with 5,000 followers", alone + 5_000.0 * follower, posts),
        ("edits of posts", edits, writes),
        ("messages to 97 members of a crowd", messages, writes),
        ("searches", searches, SEARCHES_AN_HOUR),
        ("pages of 100 long posts", page, reads / (1.0 + bytes / READ_BYTES).floor()),
    ]);
}

/// Checks the prices of an hour against the maximums, and against the documented prices. Each element has the price of a
/// million requests, and the number of requests in an hour.
fn check(prices: &[(&str, f64, f64)]) {
    let hours = prices.iter().map(|(what, a_million, times)| (what, a_million * times / 1e6));
    for (what, dollars) in hours.clone() {
        println!("{what}: {dollars:.2} dollars an hour");
    }
    for (what, dollars) in hours {
        let most = if what.starts_with("posts of another") { OTHERS_MAX } else { SMALL_MAX };
        assert!(dollars <= most, "{what}: {dollars:.2} dollars an hour, more than {most}");
        check_price(what, dollars, KEYS.dollars_an_hour(what), [0.02, 0.05]);
    }
}
