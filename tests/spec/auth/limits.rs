//! How often one may try.

use serde_json::{Value, json};
use tests::{Answer, PASSWORD, World};

use super::{form, login};
use crate::front::{behind_a_front, registers, signs_in};

const DAY: u64 = 24 * 60 * 60;

pub(crate) fn standing(answer: &Answer) -> [Option<&str>; 3] {
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map(|it| answer.header(it))
}

#[tokio::test]
async fn after_30_tries_in_5_minutes_an_identifier_must_wait() {
    let world = World::new().await;
    for used in 1..=30 {
        let answer = world.anyone.post("/auth/login", login("ann", "not this")).await;
        answer.refused(401, "UNAUTHORIZED");
        let remaining = (30 - used).to_string();
        assert_eq!(standing(&answer), [Some("30"), Some(remaining.as_str()), Some("300")]);
    }
    world.advance(100).await;
    let answer = world.anyone.post("/auth/login", login("ANN", "not this")).await;
    answer.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(answer.header("retry-after"), Some("200"));
    assert_eq!(standing(&answer), [Some("30"), Some("0"), Some("200")]);
    world.anyone.post("/auth/login", login("bob", "not this")).await.refused(401, "UNAUTHORIZED");
    world.advance(200).await;
    world.anyone.post("/auth/login", login("ann", "not this")).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn failed_tries_count_for_the_account_from_everywhere_and_by_both_its_names() {
    let world = behind_a_front(&[("AUTH_LIMIT_PER_5_MIN", "4")]).await;
    registers(&world, "203.0.113.1", "ann").await.ok();
    for (number, name) in ["ann", "ANN@example.com", "Ann", "ann@example.com"].iter().enumerate() {
        let viewer = format!("198.51.100.{number}");
        signs_in(&world, &viewer, name, "not this").await.refused(401, "UNAUTHORIZED");
    }
    for name in ["ann", "ann@example.com"] {
        let answer = signs_in(&world, "192.0.2.1", name, PASSWORD).await;
        answer.refused(429, "TOO_MANY_REQUESTS");
        assert_eq!(standing(&answer), [Some("4"), Some("0"), Some("300")]);
    }
    signs_in(&world, "192.0.2.1", "bob", "not this").await.refused(401, "UNAUTHORIZED");
    world.advance(300).await;
    signs_in(&world, "192.0.2.1", "ann", PASSWORD).await.ok();
}

#[tokio::test]
async fn tries_at_the_same_moment_are_not_more() {
    let world = behind_a_front(&[("AUTH_LIMIT_PER_5_MIN", "4")]).await;
    registers(&world, "203.0.113.1", "ann").await.ok();
    let viewers: Vec<_> = (0..20).map(|it| format!("198.51.100.{it}")).collect();
    let tries = viewers.iter().map(|it| signs_in(&world, it, "ann", "not this"));
    let answers = futures::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|it| it.status == 401).count(), 4);
}

#[tokio::test]
async fn nobody_is_kept_from_an_account_at_an_address_that_they_signed_in_from_within_30_days() {
    let world = behind_a_front(&[("AUTH_LIMIT_PER_5_MIN", "4")]).await;
    registers(&world, "203.0.113.1", "ann").await.ok();
    signs_in(&world, "2001:db8:0:1::1", "ann", PASSWORD).await.ok();
    let attack = async || {
        for number in 0..5 {
            signs_in(&world, &format!("198.51.100.{number}"), "ann", "not this").await;
        }
    };
    world.advance(29 * DAY).await;
    attack().await;
    signs_in(&world, "192.0.2.1", "ann", PASSWORD).await.refused(429, "TOO_MANY_REQUESTS");
    for known in ["203.0.113.1", "2001:db8:0:1::2"] {
        signs_in(&world, known, "ann", PASSWORD).await.ok();
    }
    // The sign-ins of now are remembered too.
    world.advance(29 * DAY).await;
    attack().await;
    signs_in(&world, "203.0.113.1", "ann", PASSWORD).await.ok();
    world.advance(31 * DAY).await;
    attack().await;
    signs_in(&world, "203.0.113.1", "ann", PASSWORD).await.refused(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn a_known_address_is_known_for_one_account_and_kept_as_no_address() {
    let world = behind_a_front(&[("AUTH_LIMIT_PER_5_MIN", "4")]).await;
    registers(&world, "203.0.113.1", "ann").await.ok();
    registers(&world, "203.0.113.2", "bob").await.ok();
    for number in 0..5 {
        signs_in(&world, &format!("198.51.100.{number}"), "bob", "not this").await;
    }
    signs_in(&world, "203.0.113.1", "bob", PASSWORD).await.refused(429, "TOO_MANY_REQUESTS");
    let rows = world.clients().dynamodb.scan().table_name(world.stack.table_name()).send().await.unwrap();
    let kept = format!("{:?}", rows.items);
    assert!(kept.contains("ADDRESS#") && !kept.contains("203.0.113"), "addresses are kept");
}

#[tokio::test]
async fn tries_that_succeed_are_not_counted_as_failed() {
    let world = behind_a_front(&[("AUTH_LIMIT_PER_5_MIN", "4")]).await;
    registers(&world, "203.0.113.1", "ann").await.ok();
    for number in 0..8 {
        signs_in(&world, &format!("198.51.100.{number}"), "ann", PASSWORD).await.ok();
    }
}

#[tokio::test]
async fn an_address_has_a_limit_for_all_public_routes_and_ipv6_counts_by_its_network() {
    let world = behind_a_front(&[("AUTH_ADDRESS_LIMIT_PER_5_MIN", "4")]).await;
    for (number, viewer) in
        ["2001:db8::1", "2001:db8::2", "2001:db8::3:1", "2001:db8:0:0:ffff::"].iter().enumerate()
    {
        let answer = signs_in(&world, viewer, &format!("ann{number}"), "not this").await;
        assert_eq!(standing(&answer)[1], Some((3 - number).to_string().as_str()), "{answer}");
    }
    let answer = registers(&world, "2001:db8::9", "ann").await;
    answer.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(standing(&answer), [Some("4"), Some("0"), Some("300")]);
    registers(&world, "2001:db8:0:1::9", "ann").await.ok();
    for viewer in ["::ffff:203.0.113.9", "203.0.113.9", "203.0.113.9", "203.0.113.9"] {
        signs_in(&world, viewer, "bob", "not this").await.refused(401, "UNAUTHORIZED");
    }
    signs_in(&world, "203.0.113.9", "cid", "not this").await.refused(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn each_public_route_has_the_limit() {
    let world = World::builder().settings(&[("AUTH_LIMIT_PER_5_MIN", "2")]).start().await;
    let taken = json!({ "token": "x", "password": "another battery" });
    let routes: [(&str, Value); 7] = [
        ("register", form("ann")),
        ("login", login("ann", "x")),
        ("forgot-password", json!({ "email": "ann@example.com" })),
        ("verify-email", json!({ "token": "x" })),
        ("reset-password", taken),
        ("validate/email", json!({ "email": "ann@example.com" })),
        ("validate/username", json!({ "username": "ann" })),
    ];
    for (route, body) in routes {
        let path = format!("/auth/{route}");
        for _ in 0..2 {
            let answer = world.anyone.post(&path, body.clone()).await;
            assert!(answer.status < 429, "{answer}");
        }
        world.anyone.post(&path, body).await.refused(429, "TOO_MANY_REQUESTS");
    }
}
