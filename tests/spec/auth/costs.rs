//! What the requests of accounts ask of AWS: the chart of `shared/KEYS.md`, with the limit's call.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Cost, PASSWORD, World, send};

use super::{
    form, login, mailed_token,
    second_factor::{Authenticator, enrols},
};

#[track_caller]
fn costs(cost: Cost, calls: u32, rru: f64, wru: f64, messages: u32) {
    let asked = (cost.calls, cost.rru, cost.wru, cost.messages, cost.sends + cost.announcements);
    assert_eq!(asked, (calls, rru, wru, messages, 0), "{cost:?}");
}

/// The same for what is announced, once.
#[track_caller]
fn tells(cost: Cost, calls: u32, rru: f64, wru: f64) {
    assert_eq!(cost.announcements, 1, "{cost:?}");
    costs(Cost { announcements: 0, ..cost }, calls, rru, wru, 0);
}

#[tokio::test]
async fn accounts_cost_what_their_chart_says() {
    let world = World::new().await;
    let register = world.anyone.post_once("key", "/auth/register", form("bob"));
    costs(world.cost_of(register).await.1, 4, 1.0, 19.0, 2);
    let (ann, cost) = world.cost_of(world.registers("ann")).await;
    costs(cost, 3, 0.0, 17.0, 2);
    world.settle().await;
    costs(world.cost_of(world.anyone.post("/auth/login", login("ann", PASSWORD))).await.1, 9, 4.0, 9.0, 0);
    costs(world.cost_of(ann.with_refresh("/auth/refresh-token")).await.1, 3, 2.0, 1.0, 0);
    costs(world.cost_of(ann.get("/auth/me")).await.1, 2, 2.0, 0.0, 0);
    costs(world.cost_of(ann.get("/auth/sessions")).await.1, 2, 2.0, 0.0, 0);
    costs(world.cost_of(ann.post("/auth/profile", json!({ "bio": "x" }))).await.1, 2, 0.0, 3.0, 0);
    costs(world.cost_of(ann.post("/auth/profile", json!({ "username": "anna" }))).await.1, 3, 1.0, 8.0, 1);
    costs(world.cost_of(ann.post("/auth/resend-verify-email", Value::Null)).await.1, 3, 1.0, 2.0, 1);
    let verify = json!({ "token": mailed_token(&world, "ann") });
    costs(world.cost_of(world.anyone.post("/auth/verify-email", verify)).await.1, 4, 1.0, 7.0, 0);
    world.settle().await;
    let forgot = json!({ "email": "ann@example.com" });
    costs(world.cost_of(world.anyone.post("/auth/forgot-password", forgot)).await.1, 4, 1.0, 3.0, 1);
    world.settle().await;
    let logout = ann.request(Method::POST, "/auth/logout").header("x-refresh-token", &ann.refresh_token);
    tells(world.cost_of(send(logout)).await.1, 1, 0.0, 4.0);
    let reset = json!({ "token": mailed_token(&world, "ann"), "password": "another battery" });
    tells(world.cost_of(world.anyone.post("/auth/reset-password", reset)).await.1, 7, 3.0, 10.0);
    let [bea] = world.people(["bea"]).await;
    costs(world.cost_of(bea.post("/auth/export", Value::Null)).await.1, 4, 1.0, 3.0, 1);
    costs(world.cost_of(bea.get("/auth/export")).await.1, 2, 2.0, 0.0, 0);
    let (_, cost) = world.cost_of(bea.leaves()).await;
    assert_eq!(cost.announcements, 1, "{cost:?}");
    costs(Cost { announcements: 0, ..cost }, 8, 4.0, 20.0, 2);
}

#[tokio::test]
async fn changes_of_an_account_cost_what_their_chart_says() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    world.settle().await;
    let change = json!({ "currentPassword": PASSWORD, "password": "another battery" });
    let (answer, cost) = world.cost_of(ann.post("/auth/password", change)).await;
    answer.ok();
    assert_eq!(cost.announcements, 1, "{cost:?}");
    costs(Cost { announcements: 0, ..cost }, 8, 4.0, 9.0, 1);
    world.advance(1).await;
    let change = json!({ "password": "another battery", "email": "anna@example.com" });
    costs(world.cost_of(ann.post("/auth/email", change)).await.1, 7, 3.0, 8.0, 2);
    world.settle().await;
    world.advance(1).await;
    let token = json!({ "token": mailed_token(&world, "anna") });
    costs(world.cost_of(world.anyone.post("/auth/email/confirm", token)).await.1, 5, 2.0, 13.0, 2);
}

#[tokio::test]
async fn a_second_factor_costs_what_its_chart_says() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    world.settle().await;
    costs(world.cost_of(ann.post("/auth/totp", Value::Null)).await.1, 3, 1.0, 2.0, 0);
    let (authenticator, codes) = enrols(&world, &ann).await;
    world.settle().await;
    let with_code = |code: String| opens_with(&world, code);
    let (answer, cost) = world.cost_of(with_code(authenticator.code(&world))).await;
    answer.ok();
    costs(cost, 12, 5.0, 13.0, 0);
    let (answer, cost) = world.cost_of(with_code(codes[0].clone())).await;
    answer.ok();
    costs(cost, 12, 5.0, 13.0, 0);
    let (answer, cost) = world.cost_of(with_code("000000".to_owned())).await;
    answer.refused(401, "UNAUTHORIZED");
    costs(cost, 7, 4.0, 4.0, 0);
    let ann =
        tests::Person::of_tokens(&world.anyone, "ann", opens_with(&world, codes[1].clone()).await.data());
    let body = json!({ "password": PASSWORD, "code": codes[2] });
    let removal = ann.request(Method::DELETE, "/auth/totp").json(&body);
    let (answer, cost) = world.cost_of(send(removal)).await;
    answer.ok();
    assert_eq!(cost.announcements, 1, "{cost:?}");
    costs(Cost { announcements: 0, ..cost }, 13, 5.0, 19.0, 1);
    let begun = ann.post("/auth/totp", Value::Null).await.ok();
    let code = Authenticator::of(&begun).code(&world);
    let confirmed = world.cost_of(ann.post("/auth/totp/confirm", json!({ "code": code }))).await;
    confirmed.0.ok();
    costs(confirmed.1, 3, 1.0, 8.0, 1);
}

#[tokio::test]
async fn an_application_token_costs_what_a_session_does() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    world.settle().await;
    let request = json!({ "name": "bot", "scopes": ["read", "write:posts"] });
    let (issued, cost) = world.cost_of(ann.post("/auth/tokens", request)).await;
    costs(cost, 5, 3.0, 8.0, 0);
    let bot = ann.with_token(issued.ok().data()["token"].as_str().unwrap());
    costs(world.cost_of(ann.get("/auth/tokens")).await.1, 2, 2.0, 0.0, 0);
    let of_session = world.cost_of(ann.get("/notification")).await.1;
    assert_eq!(world.cost_of(bot.get("/notification")).await.1, of_session);
    let of_session = world.cost_of(ann.post("/posts", json!({ "content": "hello" }))).await.1;
    assert_eq!(world.cost_of(bot.post("/posts", json!({ "content": "hello" }))).await.1, of_session);
    let path = format!("/auth/tokens/{}", ann.get("/auth/tokens").await.rows()[0]["id"].as_str().unwrap());
    tells(world.cost_of(ann.delete(&path)).await.1, 2, 0.0, 5.0);
}

async fn opens_with(world: &World, code: String) -> tests::Answer {
    let mut body = login("ann", PASSWORD);
    body["code"] = json!(code);
    world.anyone.post("/auth/login", body).await
}
