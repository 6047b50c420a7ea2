//! Limits on wrong second-factor codes, and encryption of the stored seed.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{PASSWORD, Person, World};
use totp_rs::Secret;

use super::{Authenticator, STEP, enrolled, opens};
use crate::{
    auth::{login, resets_password},
    front::{at, behind_a_front, registers},
    scale::all_rows,
};

#[tokio::test]
async fn ten_wrong_codes_in_an_hour_lock_the_second_factor() {
    let (world, _, authenticator, _) = enrolled(World::builder()).await;
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
async fn wrong_codes_count_as_failed_sign_ins() {
    let world = behind_a_front(&[("AUTH_LIMIT_PER_5_MIN", "4")]).await;
    let registered = registers(&world, "203.0.113.1", "ann").await.ok();
    let ann = Person::of_tokens(&world.anyone, "ann", registered.data());
    world.confirms(&ann).await;
    let asks = async |viewer: &str, path: &str, body: Value| {
        at(viewer, ann.request(Method::POST, path).json(&body)).await
    };
    let begun = asks("203.0.113.1", "/auth/totp", json!({})).await.ok();
    let authenticator = Authenticator::of(&begun);
    asks("203.0.113.1", "/auth/totp/confirm", json!({ "code": authenticator.code(&world) })).await.ok();
    for number in 0..8 {
        let answer = asks(&format!("198.51.100.{number}"), "/auth/login", login("ann", PASSWORD)).await;
        answer.refused(401, "SECOND_FACTOR_REQUIRED");
    }
    let opens = async |viewer: &str, code: &str| {
        asks(viewer, "/auth/login", json!({ "identifier": "ann", "password": PASSWORD, "code": code })).await
    };
    for number in 0..4 {
        opens(&format!("198.51.100.{number}"), "000000").await.refused(401, "UNAUTHORIZED");
    }
    opens("198.51.100.9", &authenticator.code(&world)).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_password_reset_keeps_the_second_factor() {
    let (world, _, authenticator, _) = enrolled(World::builder()).await;
    world.settle().await;
    resets_password(&world, "ann", "another battery").await.ok();
    opens(&world.anyone, "ann", "another battery", None).await.refused(401, "SECOND_FACTOR_REQUIRED");
    opens(&world.anyone, "ann", "another battery", Some(&authenticator.code(&world))).await.ok();
}

#[tokio::test]
async fn seeds_and_recovery_codes_are_not_stored_in_plain_text() {
    let (world, _, authenticator, codes) = enrolled(World::builder()).await;
    let stored = format!("{:?}", all_rows(&world).await).to_lowercase();
    assert!(stored.contains("\"totp\""), "the scan returns the row");
    let seed = Secret::try_from_base32(&authenticator.0).unwrap();
    let seed = [authenticator.0.to_lowercase(), hex::encode(seed.as_bytes())];
    for secret in codes.iter().flat_map(|code| [code.clone(), code.replace('-', "")]).chain(seed) {
        assert!(!stored.contains(&secret), "{secret} is stored");
    }
}
