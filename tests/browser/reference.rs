//! The API reference in a browser: requests, search, links, and the page of realtime events.

use serde_json::Value;
use tests::World;

use crate::driver::Browser;

/// JavaScript that returns the size of everything that the page has loaded, as it was sent.
const LOADED_BYTES: &str = r"
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return entries.reduce((sum, { transferSize }) => sum + transferSize, 0);
";

#[tokio::test]
#[ignore = "needs Chromium: make browser-test"]
async fn a_search_for_photo_finds_the_upload_operation() {
    let (_world, browser) = opens_the_reference().await;
    browser.writes("#nav-bar-search", "photo").await;
    browser.loses("#link-registerAccount").await;
    browser.clicks("#link-beginUpload").await;
    browser.waits_for("#beginUpload", "/upload").await;
    browser.waits_for("#beginUpload", "Scopes: write:posts").await;
}

#[tokio::test]
#[ignore = "needs Chromium: make browser-test"]
async fn a_link_to_an_operation_shows_its_status_and_samples() {
    let (world, browser) = opens_the_reference().await;
    shows(&browser, world.stack.url(), "createPost").await;
    browser.waits_for("#createPost", "Status: live").await;
    for language in ["curl", "JavaScript", "Python", "Kotlin", "Swift"] {
        browser.waits_for("#createPost .tab-buttons", language).await;
    }
    browser.waits_for("#createPost syntax-highlighter", "curl -X POST").await;
}

#[tokio::test]
#[ignore = "needs Chromium: make browser-test"]
async fn the_reference_links_to_the_events_and_the_guides() {
    let (_world, browser) = opens_the_reference().await;
    browser.clicks("[href='/docs/events']").await;
    browser.waits_for("#chat h2", "private-chat-{groupId}").await;
    browser.waits_for("#chat-messageNew table", "eventId").await;
    browser.waits_for("#chat-messageNew pre", "\"eventId\"").await;
    browser.clicks("[href='/docs']").await;
    browser.waits_for("#link-createPost", "Write a post").await;
    browser.clicks("[href='/docs/guides']").await;
    browser.waits_for("#post-with-a-photo", "Post with a photo").await;
    browser.waits_for("#guides pre", "POST /auth/login").await;
    browser.clicks("[href='#receive-webhooks']").await;
    browser.waits_for("#receive-webhooks", "Receive webhooks").await;
}

#[tokio::test]
#[ignore = "needs Chromium: make browser-test"]
async fn the_reference_loads_at_most_a_megabyte() {
    let (_world, browser) = opens_the_reference().await;
    let shown = browser.runs("return performance.now()").await;
    let bytes = browser.runs(LOADED_BYTES).await.as_f64().unwrap();
    println!("The first operation is visible after {shown} ms. The page loaded {bytes} bytes.");
    assert!((100_000.0..1_000_000.0).contains(&bytes), "{bytes}");
}

#[tokio::test]
#[ignore = "needs Chromium: make browser-test"]
async fn the_search_of_the_browser_finds_operations() {
    let (_world, browser) = opens_the_reference().await;
    for (text, is_found) in [("List the posts with a hashtag", true), ("No operation has this title", false)]
    {
        assert_eq!(browser.runs(&format!("return window.find('{text}')")).await, is_found, "{text}");
    }
}

/// Starts a network, and a browser that shows its API reference.
async fn opens_the_reference() -> (World, Browser) {
    let world = World::builder().real_time().without_ticks().start().await;
    let browser = Browser::start().await;
    browser.opens(&format!("{}/docs", world.stack.url())).await;
    browser.waits_for("#link-registerAccount", "Register an account").await;
    (world, browser)
}

/// Sends a request without a body. Waits for status 200 and a response with this text.
pub(crate) async fn asks(browser: &Browser, url: &str, operation: &str, text: &str) {
    shows(browser, url, operation).await;
    browser.clicks(&format!("#{operation} .btn-execute")).await;
    browser.waits_for(&format!("#{operation} .response-message"), "(200)").await;
    browser.waits_for(&format!("#{operation} .request-panel"), text).await;
}

/// Sends a request with a body, and waits for status 201.
pub(crate) async fn creates(browser: &Browser, url: &str, operation: &str, body: &Value) {
    shows(browser, url, operation).await;
    browser.clicks(&format!("#{operation} .request-panel [data-tab='body']")).await;
    browser.writes(&format!("#{operation} .request-body-param-user-input"), &body.to_string()).await;
    browser.clicks(&format!("#{operation} .btn-execute")).await;
    browser.waits_for(&format!("#{operation} .response-message"), "(201)").await;
}

/// Shows an operation in the API reference.
async fn shows(browser: &Browser, url: &str, operation: &str) {
    // Opens a blank page first, because the browser does not reload a page if only the part after `#` changes.
    browser.opens("about:blank").await;
    browser.opens(&format!("{url}/docs#{operation}")).await;
    browser.waits_for(&format!("#{operation}"), "Operation ID").await;
}
