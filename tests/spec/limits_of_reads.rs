//! Limits on reads. An instance counts the first 100 reads of a client in memory, and later reads in the table.

use tests::{Client, World};

const LIMITED: tests::Settings<'_> = &[("READ_LIMIT_PER_5_MIN", "150")];

/// Reads a path, and returns the number of successful reads before the first refusal.
async fn reads_until_refused(client: &Client, path: &str) -> usize {
    for number in 0..1000 {
        let answer = client.get(path).await;
        if answer.status != 200 {
            answer.refused(429, "TOO_MANY_REQUESTS");
            assert_eq!(answer.header("ratelimit-remaining"), Some("0"));
            assert!(answer.header("retry-after").is_some());
            return number;
        }
    }
    panic!("{path} has no limit");
}

#[tokio::test]
async fn reads_are_limited_per_session_and_ip_address() {
    let (world, [ann]) = World::builder().without_ticks().settings(LIMITED).start_with(["ann"]).await;
    assert_eq!(reads_until_refused(&ann, "/museum").await, 150);
    ann.signs_in().await.get("/museum").await.ok();
    assert_eq!(reads_until_refused(&world.anyone, "/posts/news-feed").await, 300);
    world.advance(300).await;
    ann.get("/museum").await.ok();
    world.anyone.get("/posts/news-feed").await.ok();
}

#[tokio::test]
async fn the_first_100_reads_are_counted_without_a_table_write() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let reads = async {
        for _ in 0..100 {
            ann.get("/museum").await.ok();
        }
    };
    let ((), cost) = world.cost_of(reads).await;
    assert_eq!(cost.operations.get("UpdateItem"), None, "{cost:?}");
    let (_, cost) = world.cost_of(ann.get("/museum")).await;
    assert_eq!(cost.operations.get("UpdateItem"), Some(&1), "{cost:?}");
}

#[tokio::test]
async fn all_sessions_of_a_user_share_twice_the_limit_of_a_session() {
    let (_world, [ann]) = World::builder().without_ticks().settings(LIMITED).start_with(["ann"]).await;
    let (second, third) = (ann.signs_in().await, ann.signs_in().await);
    assert_eq!(reads_until_refused(&ann, "/museum").await, 150);
    assert_eq!(reads_until_refused(&second, "/museum").await, 150);
    assert_eq!(reads_until_refused(&third, "/museum").await, 0);
}

#[tokio::test]
async fn a_large_response_counts_as_several_reads() {
    let (_world, [ann]) = World::builder().without_ticks().settings(LIMITED).start_with(["ann"]).await;
    for number in 0..20 {
        ann.writes(&number.to_string().repeat(5000 / (1 + number / 10))).await;
    }
    let path = "/user/ann/posts?take=20";
    let bytes = ann.get(path).await.ok().body.to_string().len();
    let reads = 1 + bytes / (64 * 1024);
    assert!(reads > 1, "{bytes}");
    assert_eq!(reads_until_refused(&ann, path).await, 150_usize.div_ceil(reads) - 1);
}
