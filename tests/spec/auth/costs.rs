//! Checks the costs of account requests against `shared/keys.toml`.

use serde_json::{Value, json};
use tests::{Cost, PASSWORD, Person, World};

use super::{
    form, login,
    mailed::{requests_reset, verifies},
    mailed_token,
    second_factor::{Authenticator, enrolls, opens, turns_off},
};

#[tokio::test]
async fn account_requests_match_their_cost_budgets() {
    let world = World::new().await;
    let register = world.anyone.post_once("key", "/auth/register", form("bob"));
    world.budget("register with an `Idempotency-Key`", register).await;
    let ann = world.budget("register", world.registers("ann")).await;
    world.settle().await;
    world.budget("sign in", world.anyone.post("/auth/login", login("ann", PASSWORD))).await;
    world.budget("refresh", ann.with_refresh("/auth/refresh-token")).await;
    world.budget("own account", ann.get("/auth/me")).await;
    world.budget("sessions", ann.get("/auth/sessions")).await;
    world.budget("change the profile", ann.post("/auth/profile", json!({ "bio": "x" }))).await;
    world.budget("change the username", ann.post("/auth/profile", json!({ "username": "anna" }))).await;
    world.budget("resend the confirmation email", ann.post("/auth/resend-verify-email", Value::Null)).await;
    let token = mailed_token(&world, "ann");
    world.budget("confirm the email address", verifies(&world, &token)).await;
    world.settle().await;
    world.budget("request a new password", requests_reset(&world, "ann")).await;
    world.settle().await;
    world.budget("sign out", ann.with_refresh("/auth/logout")).await;
    let reset = json!({ "token": mailed_token(&world, "ann"), "password": "another battery" });
    world.budget("reset the password", world.anyone.post("/auth/reset-password", reset)).await;
    let [bea] = world.people(["bea"]).await;
    world.budget("request an export", bea.post("/auth/export", json!({ "password": PASSWORD }))).await;
    world.budget("status of an export", bea.get("/auth/export")).await;
    world.budget("delete the account", bea.leaves()).await;
}

/// The benchmark once charged refreshes for the follow-up work of earlier requests.
#[tokio::test]
async fn a_refresh_causes_no_follow_up_work() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    world.settle().await;
    ann.with_refresh("/auth/refresh-token").await.ok();
    let (report, cost) = world.cost_of(world.stack.settle(None)).await;
    let report = report.unwrap();
    assert_eq!((report.delivered, report.stream.delivered, cost), (0, 0, Cost::default()));
}

#[tokio::test]
async fn password_and_email_changes_match_their_cost_budgets() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.settle().await;
    let change = json!({ "currentPassword": PASSWORD, "password": "another battery" });
    world.budget("change the password", ann.post("/auth/password", change)).await.ok();
    world.advance(1).await;
    let change = json!({ "password": "another battery", "email": "anna@example.com" });
    world.budget("request a new email address", ann.post("/auth/email", change)).await;
    world.settle().await;
    world.advance(1).await;
    let token = json!({ "token": mailed_token(&world, "anna") });
    world.budget("confirm a new email address", world.anyone.post("/auth/email/confirm", token)).await;
}

#[tokio::test]
async fn second_factor_requests_match_their_cost_budgets() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.settle().await;
    world.budget("begin the setup of a second factor", ann.post("/auth/totp", Value::Null)).await;
    let (authenticator, codes) = enrolls(&world, &ann).await;
    world.settle().await;
    let with_code = async |code: &str| opens(&world.anyone, "ann", PASSWORD, Some(code)).await;
    for code in [&authenticator.code(&world), &codes[0]] {
        world.budget("sign in with a second factor", with_code(code)).await.ok();
    }
    world.budget("sign in with a wrong code", with_code("000000")).await.refused(401, "UNAUTHORIZED");
    let ann = Person::of_tokens(&world.anyone, "ann", with_code(&codes[1]).await.data());
    world.budget("turn the second factor off", turns_off(&ann, PASSWORD, &codes[2])).await.ok();
    let begun = ann.post("/auth/totp", Value::Null).await.ok();
    let code = Authenticator::of(&begun).code(&world);
    let confirm = ann.post("/auth/totp/confirm", json!({ "code": code }));
    world.budget("confirm the second factor", confirm).await.ok();
}

#[tokio::test]
async fn requests_cost_the_same_with_a_token_as_with_a_session() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.settle().await;
    let request = json!({ "name": "bot", "scopes": ["read", "write:posts"], "password": PASSWORD });
    let issued = world.budget("issue an application token", ann.post("/auth/tokens", request)).await;
    let bot = ann.with_token(issued.ok().data()["token"].as_str().unwrap());
    world.budget("application tokens", ann.get("/auth/tokens")).await;
    let of_session = world.cost_of(ann.get("/notification")).await.1;
    assert_eq!(world.cost_of(bot.get("/notification")).await.1, of_session);
    let of_session = world.cost_of(ann.post("/posts", json!({ "content": "hello" }))).await.1;
    assert_eq!(world.cost_of(bot.post("/posts", json!({ "content": "hello" }))).await.1, of_session);
    let path = format!("/auth/tokens/{}", ann.get("/auth/tokens").await.rows()[0]["id"].as_str().unwrap());
    world.budget("revoke an application token", ann.delete(&path)).await;
}
