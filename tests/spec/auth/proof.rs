//! Sensitive requests require the password or a code, and a confirmed address.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Answer, PASSWORD, Person, World};

use super::{
    mailed::verifies,
    mailed_token,
    password::{self, subjects},
    resets_password,
    second_factor::{Authenticator, enrolled, opens, session_with},
};
use crate::deletion::export::status;

const NEW: &str = "another horse battery";

/// Returns the paths and bodies of sensitive requests, without the password or a code.
fn requests() -> [(&'static str, Value); 4] {
    [
        ("/auth/export", json!({})),
        ("/auth/tokens", json!({ "name": "bot", "scopes": ["read"] })),
        ("/auth/email", json!({ "email": "anna@example.com" })),
        ("/auth/sessions/end-others", json!({})),
    ]
}

async fn asks(user: &Person, path: &str, mut body: Value, proof: &Value) -> Answer {
    body.as_object_mut().unwrap().extend(proof.as_object().unwrap().clone());
    user.post(path, body).await
}

#[tokio::test]
async fn sensitive_requests_require_the_password_or_a_code() {
    let (world, ann, authenticator, codes) = enrolled(World::builder()).await;
    // In a session without a second factor, a code does not replace the password.
    let refused = asks(&ann, "/auth/export", json!({}), &json!({ "code": codes[4] })).await;
    let reason = "password: is required, because the session was opened without a second factor";
    assert_eq!(refused.refused(400, "VALIDATION_FAILED"), reason);
    let ann = session_with(&world, &codes[5]).await;
    for (number, (path, body)) in requests().into_iter().enumerate() {
        for (proof, message) in [
            (json!({}), "password: is required"),
            (json!({ "password": "not this" }), "password: is wrong"),
            (json!({ "code": "000000" }), "code: is wrong or was already used"),
        ] {
            let refused = asks(&ann, path, body.clone(), &proof).await;
            assert_eq!(refused.refused(400, "VALIDATION_FAILED"), message, "{path}");
        }
        asks(&ann, path, body.clone(), &json!({ "code": codes[number] })).await.ok();
        world.settle().await;
        asks(&ann, path, body, &json!({ "password": PASSWORD })).await.ok();
    }
    world.settle().await;
    let subjects = subjects(&world, "ann");
    for subject in [
        "An export of your data was requested",
        "An application token was issued",
        "A new email address was requested",
        "Your other devices were signed out",
    ] {
        assert!(subjects.iter().any(|sent| sent == subject), "{subject}: {subjects:?}");
    }
    // A code that confirmed a request cannot be used to sign in.
    let code = authenticator.code(&world);
    let token = json!({ "name": "b", "scopes": ["read"] });
    asks(&ann, "/auth/tokens", token, &json!({ "code": code })).await.ok();
    opens(&world.anyone, "ann", PASSWORD, Some(&code)).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn ending_other_sessions_also_revokes_tokens() {
    let (world, [ann]) = World::with(["ann"]).await;
    let other = ann.signs_in().await;
    let token = json!({ "name": "bot", "scopes": ["read"], "password": PASSWORD });
    ann.post("/auth/tokens", token).await.ok();
    let request = json!({ "password": PASSWORD });
    let answers =
        join_all((0..3).map(|_| ann.post_once("key", "/auth/sessions/end-others", request.clone())));
    for answer in answers.await {
        assert_eq!(*answer.ok().data(), json!({ "ended": true }));
    }
    assert_eq!(ann.get("/auth/sessions").await.ok().column("isCurrent"), [true]);
    other.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    world.settle().await;
    let notices =
        subjects(&world, "ann").into_iter().filter(|sent| sent == "Your other devices were signed out");
    assert_eq!(notices.count(), 1);
}

#[tokio::test]
async fn a_code_is_refused_if_the_account_has_no_second_factor() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for (path, body) in requests() {
        let proof = json!({ "password": PASSWORD, "code": "000000" });
        asks(&ann, path, body, &proof).await.invalid("code: must be omitted");
    }
}

#[tokio::test]
async fn exports_tokens_and_second_factors_need_a_confirmed_address() {
    let world = World::new().await;
    let ann = world.registers("ann").await;
    let [export, token, ..] = requests();
    let requests = [export, token, ("/auth/totp", json!({}))];
    for (path, body) in requests.clone() {
        let refused = asks(&ann, path, body, &json!({ "password": PASSWORD })).await;
        assert_eq!(refused.refused(403, "FORBIDDEN"), "confirm your email address first", "{path}");
    }
    world.settle().await;
    verifies(&world, &mailed_token(&world, "ann")).await.ok();
    for (path, body) in requests {
        asks(&ann, path, body, &json!({ "password": PASSWORD })).await.ok();
    }
}

#[tokio::test]
async fn an_old_session_needs_the_password_to_set_up_a_second_factor() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.advance(299).await;
    ann.post("/auth/totp", Value::Null).await.ok();
    world.advance(1).await;
    let refused = ann.post("/auth/totp", Value::Null).await;
    let message = "password: is required, because the sign-in was more than 5 minutes ago";
    assert_eq!(refused.refused(400, "VALIDATION_FAILED"), message);
    let wrong = ann.post("/auth/totp", json!({ "password": "not this" })).await;
    assert_eq!(wrong.refused(400, "VALIDATION_FAILED"), "password: is wrong");
    // A refresh does not count as a sign-in.
    let refreshed = ann.refreshes().await;
    refreshed.post("/auth/totp", Value::Null).await.refused(400, "VALIDATION_FAILED");
    let begun = refreshed.post("/auth/totp", json!({ "password": PASSWORD })).await.ok();
    let code = json!({ "code": Authenticator::of(&begun).code(&world) });
    refreshed.post("/auth/totp/confirm", code).await.ok();
}

#[tokio::test]
async fn a_new_password_invalidates_the_links_of_an_export() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let exports = async |password: &str| {
        ann.post("/auth/export", json!({ "password": password })).await.ok();
        world.settle().await;
        let link = status(&ann).await["url"].as_str().unwrap().to_owned();
        assert!(reqwest::get(&link).await.unwrap().status().is_success());
        world.advance(1).await;
        link
    };
    let link = exports(PASSWORD).await;
    password::changes(&ann, PASSWORD, NEW).await.ok();
    assert_eq!(reqwest::get(&link).await.unwrap().status(), 404);
    assert_eq!(status(&ann).await, json!({ "status": "NONE" }));
    let link = exports(NEW).await;
    resets_password(&world, "ann", "a third battery").await.ok();
    assert_eq!(reqwest::get(&link).await.unwrap().status(), 404);
}
