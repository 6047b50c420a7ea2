//! Names and passwords.

use serde_json::json;
use tests::{PASSWORD, World};

use crate::auth::mailed_token;

#[tokio::test]
async fn a_name_accepts_joiners_that_scripts_and_emojis_need() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for name in
        ["علی\u{200C}رضا", "ක්\u{200D}රිෂ්", "Ann 👩🏽‍💻", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Iain", "🇻🇳 Việt", "葛\u{E0100}城", "خانهٔ\u{200C}ما"]
    {
        ann.post("/auth/profile", json!({ "name": name })).await.ok();
        assert_eq!(ann.get("/auth/me").await.ok().data()["name"], name);
    }
    for name in [
        "An\u{202E}n",
        "🙂\u{E0061}\u{E007F}",
        "An\u{200D}n",
        "An\u{A0}n",
        "An\u{3000}n",
        "An\u{2066}n",
        "Ann\u{200C}",
        "An\u{FE0F}n",
        "\u{301}",
        "\u{20DD}Ann",
        "\u{93F}क",
    ] {
        let refused = ann.post("/auth/profile", json!({ "name": name })).await;
        let message = refused.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with("name: must not"), "{name:?}: {message}");
    }
}

#[tokio::test]
async fn a_password_matches_in_each_unicode_normalization_form() {
    let world = World::new().await;
    for (number, (chosen, typed)) in [
        ("mật khẩu dài", "ma\u{323}\u{302}t kha\u{302}\u{309}u da\u{300}i"),
        ("pa\u{301}ssword mới", "pássword mới"),
        ("two\u{A0}words here", "two words here"),
        ("ideo\u{3000}graphic", "ideo graphic"),
    ]
    .into_iter()
    .enumerate()
    {
        let username = format!("user{number}");
        let body = json!({ "name": "A", "username": username, "email": format!("{username}@example.com"),
            "password": chosen });
        world.anyone.post("/auth/register", body).await.ok();
        for password in [chosen, typed] {
            let credentials = json!({ "identifier": format!("@{username}"), "password": password });
            world.anyone.post("/auth/login", credentials).await.ok();
        }
    }
    let short = "a\u{301}".repeat(7);
    let body = json!({ "name": "A", "username": "short", "email": "short@example.com", "password": short });
    let refused = world.anyone.post("/auth/register", body).await;
    assert_eq!(refused.refused(400, "VALIDATION_FAILED"), "password: must have 8 to 128 characters");
}

#[tokio::test]
async fn a_changed_password_matches_in_each_normalization_form() {
    let (world, [ann]) = World::with(["ann"]).await;
    let (composed, decomposed) = ("mật khẩu dài", "ma\u{323}\u{302}t kha\u{302}\u{309}u da\u{300}i");
    let change = async |old: &str, new: &str| {
        ann.post("/auth/password", json!({ "currentPassword": old, "password": new })).await.ok();
    };
    let signs_in = async |password: &str| {
        world.anyone.post("/auth/login", json!({ "identifier": "ann", "password": password })).await.ok();
    };
    change(PASSWORD, decomposed).await;
    signs_in(composed).await;
    change(composed, "two\u{A0}new words").await;
    signs_in("two new words").await;
    world.settle().await;
    world.advance(1).await;
    world.anyone.post("/auth/forgot-password", json!({ "email": ann.email })).await.ok();
    world.settle().await;
    let reset = json!({ "token": mailed_token(&world, "ann"), "password": decomposed });
    world.anyone.post("/auth/reset-password", reset).await.ok();
    signs_in(composed).await;
}
