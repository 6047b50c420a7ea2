//! Time until the effects of a request are visible. `make latency` prints the times.

use std::time::Duration;

use serde_json::json;
use tests::World;
use tokio::time::{Instant, sleep};

use crate::{
    messages::says,
    realtime::listener::{Listener, user_channel},
    timeline::feed,
};

const SAMPLES: usize = 20;
const POLL_INTERVAL: Duration = Duration::from_millis(5);
const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_post_and_a_like_take_effect_within_seconds() {
    let (_world, [ann, bob]) = World::builder().real_time().start_with(["ann", "bob"]).await;
    bob.follows(&ann).await;
    let mut times = [Vec::new(), Vec::new()];
    for number in 0..SAMPLES {
        let word = format!("post {number}");
        let post = ann.writes(&word).await;
        let is_in_feed = async || feed(&bob).await.first() == Some(&json!(word));
        times[0].push(until(is_in_feed).await);
        bob.likes(&post).await;
        let is_counted = async || ann.sees(&post).await["likesCount"] == 1;
        times[1].push(until(is_counted).await);
    }
    show("a follower's feed", &mut times[0]);
    show("a like is counted", &mut times[1]);
}

#[tokio::test]
async fn a_message_is_pushed_within_seconds() {
    let (world, [ann, bob]) = World::builder().real_time().start_with(["ann", "bob"]).await;
    let group = ann.chats_with("bob").await;
    let channel = user_channel(&bob);
    let mut listener = Listener::of(&world, &bob, &channel).await;
    let mut times = Vec::new();
    for number in 0..SAMPLES {
        says(&ann, &group, &number.to_string()).await;
        let start = Instant::now();
        assert_eq!(listener.received_with_id(&channel, "message:new").await["content"], number.to_string());
        times.push(start.elapsed());
    }
    show("message:new", &mut times);
}

/// Waits until the condition is true, and returns the elapsed time.
async fn until(condition: impl AsyncFn() -> bool) -> Duration {
    let start = Instant::now();
    while !condition().await {
        assert!(start.elapsed() < TIMEOUT, "the effect is not visible within the time limit");
        sleep(POLL_INTERVAL).await;
    }
    start.elapsed()
}

fn show(effect: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let [median, p95] = [times[times.len() / 2], times[times.len() * 95 / 100]];
    println!("{effect}: median {median:?} after the response, 95th percentile {p95:?}");
}
