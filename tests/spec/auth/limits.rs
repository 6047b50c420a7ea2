//! How often one may try.

use serde_json::{Value, json};
use tests::{Answer, World};

use super::{form, login};

fn standing(answer: &Answer) -> [Option<&str>; 3] {
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
async fn each_public_route_has_the_limit() {
    let world = World::with(&[("AUTH_LIMIT_PER_5_MIN", "2")]).await;
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
