//! A tour through the console and the API reference, from a registration to the death of a circle.

use local::Recorder;
use serde_json::json;
use tests::World;
use tracing_subscriber::layer::SubscriberExt;

use crate::{driver::Browser, reference};

/// Hours until a new circle without posts dies: 500 HP, minus 10 HP an hour.
const HOURS_TO_LIVE: i64 = 50;

#[tokio::test]
#[ignore = "needs Chromium: make browser-test"]
async fn a_browser_registers_writes_a_post_and_loses_a_circle() {
    let _ = tracing::subscriber::set_global_default(
        tracing_subscriber::registry().with(Recorder::default().layer()),
    );
    let world = World::builder().real_time().without_ticks().console_links().start().await;
    let url = world.stack.url().to_owned();
    let console = format!("{url}/_local/console");
    let browser = Browser::start().await;

    let form =
        json!({ "name": "Ann", "username": "ann", "email": "ann@example.com", "password": tests::PASSWORD });
    reference::creates(&browser, &url, "registerAccount", &form).await;
    confirms_the_address(&browser, &console).await;
    let token = signs_in_by_a_click(&browser, &console).await;
    reference::creates(&browser, &url, "createPost", &json!({ "content": "Hello from a browser" })).await;

    // The page stays open, and must show new requests without a reload.
    browser.opens(&format!("{console}/requests?q=circles")).await;
    browser.sees("No matching requests among the last 500.").await;
    let body = json!({ "name": "Night readers", "description": "Books after dark" });
    let circle = world.anyone.with_token(&token).post("/circles", body).await.ok();
    browser.sees("POST /circles").await;
    let id = circle.data()["publicId"].as_str().expect("an id").to_owned();

    loses_energy_by_the_hour(&world, &browser, &console, &id).await;
    signs_in_by_a_click(&browser, &console).await;
    reference::asks(&browser, &url, "listMuseumItems", "Night readers").await;
}

#[tokio::test]
#[ignore = "needs Chromium: make browser-test"]
async fn expanded_rows_stay_expanded_during_updates() {
    let world = World::builder().real_time().without_ticks().console_links().start().await;
    let browser = Browser::start().await;
    happens(&world, "First").await;
    browser.opens(&format!("{}/_local/console/events", world.stack.url())).await;
    browser.clicks("#event-1 summary").await;
    browser.waits_for("#event-1 pre", "\"of\": \"First\"").await;
    happens(&world, "Second").await;
    browser.waits_for("#event-2 summary", "Second").await;
    browser.waits_for("#event-1 pre", "\"of\": \"First\"").await;
}

/// Publishes an event that no rule of the bus matches.
async fn happens(world: &World, name: &str) {
    let entry = aws_sdk_eventbridge::types::PutEventsRequestEntry::builder().event_bus_name("unknown");
    let entry = entry.source("tests").detail_type(name).detail(json!({ "of": name }).to_string()).build();
    world.clients().bus.put_events().entries(entry).send().await.expect("an event");
}

async fn confirms_the_address(browser: &Browser, console: &str) {
    browser.opens(&format!("{console}/people")).await;
    browser.sees("not confirmed").await;
    browser.opens(&format!("{console}/mail")).await;
    browser.sees("Confirm your email address").await;
    browser.clicks(".mail-text a").await;
    browser.turns_to_the_new_tab().await;
    browser.presses("Confirm the address").await;
    browser.sees("The address is confirmed.").await;
    browser.opens(&format!("{console}/people")).await;
    browser.sees("ann@example.com").await;
    browser.misses("not confirmed").await;
}

async fn signs_in_by_a_click(browser: &Browser, console: &str) -> String {
    browser.opens(&format!("{console}/people")).await;
    browser.presses("Sign in").await;
    browser.presses("Use it in the API reference").await;
    browser.sees("The API reference now uses this token.").await;
    browser.reads("#access-token").await
}

async fn loses_energy_by_the_hour(world: &World, browser: &Browser, console: &str, circle: &str) {
    let energy = format!("/circles/{circle}/energy");
    let born = world.anyone.get(&energy).await.ok().data()["current"].as_i64().expect("HP");
    browser.opens(&format!("{console}/clock")).await;
    browser.presses("+ 1 day").await;
    browser.sees("The clock moved by 86400 seconds").await;
    let later = world.anyone.get(&energy).await.ok().data()["current"].as_i64().expect("HP");
    // The clock also advances in real time during the test, so the circle can lose the HP of one more hour.
    assert!(born == 10 * HOURS_TO_LIVE && [240, 250].contains(&(born - later)), "{born}, then {later}");
    browser.opens(&format!("{console}/table?key=CIRCLE%23{circle}")).await;
    browser.sees("energy ENERGY").await;
    browser.unfolds("ENERGY").await;
    browser.sees(&later.to_string()).await;

    browser.opens(&format!("{console}/clock")).await;
    for _ in 0..5 {
        browser.presses("+ 6 hours").await;
        browser.sees("The clock moved by 21600 seconds").await;
        browser.opens(&format!("{console}/clock")).await;
    }
    world.anyone.get(&energy).await.refused(404, "NOT_FOUND");
    browser.opens(&format!("{console}/table?key=STONE%23{circle}")).await;
    browser.sees("stone").await;
}
