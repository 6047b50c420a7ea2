//! Limits on sign-ins and other public routes.

use serde_json::{Value, json};
use tests::{Answer, PASSWORD, World};

use super::{form, login};
use crate::{
    front::{behind_a_front, registers, signs_in},
    scale::all_rows,
};

const DAY: u64 = 24 * 60 * 60;

pub(crate) fn limit_headers(answer: &Answer) -> [Option<&str>; 3] {
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map(|name| answer.header(name))
}

/// Starts a world where an account has four attempts in 5 minutes, and registers `ann` from a known IP address.
async fn world_with_ann() -> World {
    let world = behind_a_front(&[("AUTH_LIMIT_PER_5_MIN", "4")]).await;
    registers(&world, "203.0.113.1", "ann").await.ok();
    world
}

/// Sends wrong passwords for a user from different IP addresses.
async fn attacks(world: &World, name: &str) {
    for number in 0..5 {
        signs_in(world, &format!("198.51.100.{number}"), name, "not this").await;
    }
}

#[tokio::test]
async fn an_account_has_30_sign_in_attempts_in_5_minutes() {
    let world = World::new().await;
    for used in 1..=30 {
        let answer = world.anyone.post("/auth/login", login("ann", "not this")).await;
        answer.refused(401, "UNAUTHORIZED");
        let remaining = (30 - used).to_string();
        assert_eq!(limit_headers(&answer), [Some("30"), Some(remaining.as_str()), Some("300")]);
    }
    world.advance(100).await;
    let answer = world.anyone.post("/auth/login", login("ANN", "not this")).await;
    answer.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(answer.header("retry-after"), Some("200"));
    assert_eq!(limit_headers(&answer), [Some("30"), Some("0"), Some("200")]);
    world.anyone.post("/auth/login", login("bob", "not this")).await.refused(401, "UNAUTHORIZED");
    world.advance(200).await;
    world.anyone.post("/auth/login", login("ann", "not this")).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn failed_attempts_from_all_ip_addresses_count_together() {
    let world = world_with_ann().await;
    for (number, name) in ["ann", "ANN@example.com", "Ann", "ann@example.com"].iter().enumerate() {
        let viewer = format!("198.51.100.{number}");
        signs_in(&world, &viewer, name, "not this").await.refused(401, "UNAUTHORIZED");
    }
    // The response does not reveal that the username and the address belong to one account.
    for (name, left) in [("ann", "3"), ("ann@example.com", "3"), ("ann", "2")] {
        let answer = signs_in(&world, "192.0.2.1", name, PASSWORD).await;
        let wrong = signs_in(&world, "192.0.2.2", &format!("{name}x"), PASSWORD).await;
        let [message, of_wrong] = [&answer, &wrong].map(|answer| answer.refused(401, "UNAUTHORIZED"));
        assert_eq!(message, of_wrong, "{name}: {answer}");
        assert_eq!(limit_headers(&answer), [Some("4"), Some(left), Some("300")]);
    }
    signs_in(&world, "192.0.2.1", "bob", "not this").await.refused(401, "UNAUTHORIZED");
    world.advance(300).await;
    signs_in(&world, "192.0.2.1", "ann", PASSWORD).await.ok();
}

#[tokio::test]
async fn concurrent_attempts_do_not_exceed_the_limit() {
    let world = world_with_ann().await;
    let viewers: Vec<_> = (0..20).map(|number| format!("198.51.100.{number}")).collect();
    let tries = viewers.iter().map(|viewer| signs_in(&world, viewer, "ann", "not this"));
    let answers = futures::future::join_all(tries).await;
    assert!(answers.iter().all(|answer| answer.status == 401));
    signs_in(&world, "192.0.2.1", "ann", PASSWORD).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn users_can_sign_in_from_known_ip_addresses_during_attacks() {
    let world = world_with_ann().await;
    signs_in(&world, "2001:db8:0:1::1", "ann", PASSWORD).await.ok();
    world.advance(29 * DAY).await;
    attacks(&world, "ann").await;
    signs_in(&world, "192.0.2.1", "ann", PASSWORD).await.refused(401, "UNAUTHORIZED");
    for known in ["203.0.113.1", "2001:db8:0:1::2"] {
        signs_in(&world, known, "ann", PASSWORD).await.ok();
    }
    // A sign-in restarts the 30 days for which an address is known.
    world.advance(29 * DAY).await;
    attacks(&world, "ann").await;
    signs_in(&world, "203.0.113.1", "ann", PASSWORD).await.ok();
    world.advance(31 * DAY).await;
    attacks(&world, "ann").await;
    signs_in(&world, "203.0.113.1", "ann", PASSWORD).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_known_ip_address_exempts_one_account_and_is_hashed() {
    let world = world_with_ann().await;
    registers(&world, "203.0.113.2", "bob").await.ok();
    attacks(&world, "bob").await;
    signs_in(&world, "203.0.113.1", "bob", PASSWORD).await.refused(401, "UNAUTHORIZED");
    let stored = format!("{:?}", all_rows(&world).await);
    assert!(stored.contains("ADDRESS#") && !stored.contains("203.0.113"), "addresses are stored");
}

#[tokio::test]
async fn successful_sign_ins_do_not_count_as_failed() {
    let world = world_with_ann().await;
    for number in 0..8 {
        signs_in(&world, &format!("198.51.100.{number}"), "ann", PASSWORD).await.ok();
    }
}

#[tokio::test]
async fn registrations_have_a_limit_per_ip_address_or_network() {
    let world = behind_a_front(&[("REGISTER_LIMIT_PER_HOUR", "2")]).await;
    for (viewer, name) in [("2001:db8::1", "ann"), ("2001:db8::2", "bob")] {
        registers(&world, viewer, name).await.ok();
    }
    registers(&world, "2001:db8::3", "cid").await.refused(429, "TOO_MANY_REQUESTS");
    registers(&world, "2001:db8:0:1::3", "cid").await.ok();
    world.advance(3600).await;
    registers(&world, "2001:db8::3", "dan").await.ok();
}

#[tokio::test]
async fn public_routes_share_a_limit_per_ip_address_or_network() {
    let world = behind_a_front(&[("AUTH_ADDRESS_LIMIT_PER_5_MIN", "4")]).await;
    for (number, viewer) in
        ["2001:db8::1", "2001:db8::2", "2001:db8::3:1", "2001:db8:0:0:ffff::"].iter().enumerate()
    {
        let answer = signs_in(&world, viewer, &format!("ann{number}"), "not this").await;
        assert_eq!(limit_headers(&answer)[1], Some((3 - number).to_string().as_str()), "{answer}");
    }
    let answer = registers(&world, "2001:db8::9", "ann").await;
    answer.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(limit_headers(&answer), [Some("4"), Some("0"), Some("300")]);
    registers(&world, "2001:db8:0:1::9", "ann").await.ok();
    for viewer in ["::ffff:203.0.113.9", "203.0.113.9", "203.0.113.9", "203.0.113.9"] {
        signs_in(&world, viewer, "bob", "not this").await.refused(401, "UNAUTHORIZED");
    }
    signs_in(&world, "203.0.113.9", "cid", "not this").await.refused(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn each_public_route_is_limited() {
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
