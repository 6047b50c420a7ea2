//! Protection of the console against requests for other host names and from other sites.

use reqwest::Method;
use tests::{World, send};

use super::opens;
use crate::uploads::{begins, put};

const ACTIONS: [&str; 5] = [
    "/_local/settle",
    "/_local/console/settle",
    "/_local/console/clock",
    "/_local/console/schedules/drain-hourly/fire",
    "/_local/console/people/01KGB5T9G0A1B2C3D4E5F6G7H8/sign-in",
];

#[tokio::test]
async fn console_pages_are_served_only_for_local_host_names() {
    let world = World::new().await;
    for page in ["/_local/", "/_local/console/people", "/_local/console/mail"] {
        let request = world.anyone.request(Method::GET, page).header("host", "evil.example");
        send(request).await.refused(403, "FORBIDDEN");
    }
}

#[tokio::test]
async fn the_console_refuses_requests_from_other_sites() {
    let world = World::new().await;
    let elsewhere = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "http://evil.example"),
        ("origin", "http://127.0.0.1:1"),
        ("origin", "null"),
    ];
    for act in ACTIONS {
        for (name, value) in elsewhere {
            let request = world.anyone.request(Method::POST, act).header(name, value);
            send(request).await.refused(403, "FORBIDDEN");
        }
    }
    let own = world.anyone.request(Method::POST, ACTIONS[0]).header("origin", world.stack.url());
    send(own.header("sec-fetch-site", "same-origin")).await.ok();
    send(world.anyone.request(Method::POST, ACTIONS[0])).await.ok();
}

#[tokio::test]
async fn the_console_serves_an_upload_with_a_sandbox_policy() {
    let (world, [ann]) = World::with(["ann"]).await;
    let ticket = begins(&ann, "image/png", 5).await;
    assert_eq!(put(&ticket, "image/png", b"hello").await, 200);
    let page = opens(&world.anyone, "/uploads").await.text;
    let path = page.split("object?path=").nth(1).unwrap_or_else(|| panic!("an object: {page}"));
    let object =
        opens(&world.anyone, &format!("/uploads/object?path={}", path.split('"').next().unwrap())).await;
    assert_eq!(object.bytes, b"hello");
    assert!(object.header("content-security-policy").unwrap().contains("sandbox"));
    assert_eq!(object.header("x-content-type-options"), Some("nosniff"));
    let gone = world.anyone.get("/_local/console/uploads/object?path=/nothing").await;
    assert_eq!(gone.status, 404);
}
