//! What the requests of accounts ask of AWS: the chart of `shared/KEYS.md`, with the limit's call.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Cost, PASSWORD, World, send};

use super::{form, login, mailed_token};

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
    let (ann, cost) = world.cost_of(world.person("ann")).await;
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
