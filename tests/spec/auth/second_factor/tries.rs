//! What a second factor keeps off: wrong codes, a stolen table.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{PASSWORD, Person, World};
use totp_rs::Secret;

use super::{Authenticator, STEP, enrols, opens};
use crate::auth::{login, mailed_token, rotation};

#[tokio::test]
async fn after_10_wrong_codes_in_an_hour_no_code_is_looked_at() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let (authenticator, _) = enrols(&world, &ann).await;
    for _ in 0..10 {
        opens(&world.anyone, "ann", PASSWORD, Some("000000")).await.refused(401, "UNAUTHORIZED");
    }
    let code = authenticator.code(&world);
    opens(&world.anyone, "ann", PASSWORD, Some(&code)).await.refused(429, "TOO_MANY_REQUESTS");
    opens(&world.anyone, "ann", PASSWORD, None).await.refused(401, "SECOND_FACTOR_REQUIRED");
    world.advance(60 * 60).await;
    for _ in 0..12 {
        world.advance(STEP).await;
        opens(&world.anyone, "ann", PASSWORD, Some(&authenticator.code(&world))).await.ok();
    }
}

#[tokio::test]
async fn wrong_codes_count_as_failed_tries_and_a_missing_code_does_not() {
    let world = crate::front::behind_a_front(&[("AUTH_LIMIT_PER_5_MIN", "4")]).await;
    let registered = crate::front::registers(&world, "203.0.113.1", "ann").await.ok();
    let ann = Person::of_tokens(&world.anyone, "ann", registered.data());
    let asks = async |viewer: &str, path: &str, body: Value| {
        crate::front::at(viewer, ann.request(Method::POST, path).json(&body)).await
    };
    let begun = asks("203.0.113.1", "/auth/totp", json!({})).await.ok();
    let authenticator = Authenticator::of(&begun);
    asks("203.0.113.1", "/auth/totp/confirm", json!({ "code": authenticator.code(&world) })).await.ok();
    for number in 0..8 {
        let answer = asks(&format!("198.51.100.{number}"), "/auth/login", login("ann", PASSWORD)).await;
        answer.refused(401, "SECOND_FACTOR_REQUIRED");
    }
    let mut wrong = login("ann", PASSWORD);
    wrong["code"] = json!("000000");
    for number in 0..4 {
        let answer = asks(&format!("198.51.100.{number}"), "/auth/login", wrong.clone()).await;
        answer.refused(401, "UNAUTHORIZED");
    }
    asks("198.51.100.9", "/auth/login", wrong).await.refused(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn a_password_reset_leaves_the_second_factor_on() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let (authenticator, _) = enrols(&world, &ann).await;
    world.settle().await;
    world.anyone.post("/auth/forgot-password", json!({ "email": ann.email })).await.ok();
    world.settle().await;
    let reset = json!({ "token": mailed_token(&world, "ann"), "password": "another battery" });
    world.anyone.post("/auth/reset-password", reset).await.ok();
    let without = opens(&world.anyone, "ann", "another battery", None).await;
    without.refused(401, "SECOND_FACTOR_REQUIRED");
    opens(&world.anyone, "ann", "another battery", Some(&authenticator.code(&world))).await.ok();
}

#[tokio::test]
async fn neither_the_seed_nor_a_recovery_code_is_kept_in_the_clear() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let (authenticator, codes) = enrols(&world, &ann).await;
    let rows = world.clients().dynamodb.scan().table_name(world.table_name()).send().await.unwrap().items;
    let kept = format!("{rows:?}").to_lowercase();
    assert!(kept.contains("\"totp\""), "the row is read");
    let seed = Secret::try_from_base32(&authenticator.0).unwrap();
    let seed = [authenticator.0.to_lowercase(), hex::encode(seed.as_bytes())];
    for secret in codes.iter().flat_map(|it| [it.clone(), it.replace('-', "")]).chain(seed) {
        assert!(!kept.contains(&secret), "{secret} is kept");
    }
}

#[tokio::test]
async fn a_seed_outlives_each_rotation_of_the_secret_that_a_sign_in_lies_before() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let (authenticator, _) = enrols(&world, &ann).await;
    for secret in ["the second secret, which has 32 bytes", "the third secret, which has 32 bytes!"] {
        rotation::rotate(&world, "jwt-key", secret).await;
        world.advance(400).await;
        opens(&world.anyone, "ann", PASSWORD, Some(&authenticator.code(&world))).await.ok();
    }
}
