//! Large responses are compressed if the client accepts gzip.

use std::io::Read;

use flate2::read::GzDecoder;
use reqwest::Method;
use tests::{Answer, Client, World, send};

const FEED: &str = "/posts/news-feed?take=20";
const GZIP: &str = "gzip, deflate";

#[tokio::test]
async fn a_compressed_feed_has_the_same_content() {
    let world = World::new().await;
    let plain = fill_feed(&world).await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), (None, Some("accept-encoding")));
    let compressed = accepting(&world.anyone, Method::GET, FEED, GZIP).await;
    assert_eq!(compressed.header("content-encoding"), Some("gzip"));
    assert_eq!(compressed.header("vary"), Some("accept-encoding"));
    assert!(
        compressed.bytes.len() * 3 < plain.text.len(),
        "{} of {}",
        compressed.bytes.len(),
        plain.text.len()
    );
    assert_eq!(unpacked(&compressed.bytes), plain.text);
}

#[tokio::test]
async fn the_api_reference_is_compressed() {
    let world = World::new().await;
    for path in ["/openapi.json", "/docs/openapi-explorer.min.js"] {
        let plain = world.anyone.get(path).await;
        let compressed = accepting(&world.anyone, Method::GET, path, GZIP).await;
        assert_eq!(compressed.header("content-encoding"), Some("gzip"), "{path}");
        assert!(unpacked(&compressed.bytes) == plain.text, "{path} differs from the uncompressed response");
    }
}

#[tokio::test]
async fn a_client_without_gzip_gets_an_uncompressed_response() {
    let world = World::new().await;
    let plain = fill_feed(&world).await;
    for accepted in ["identity", "gzip;q=0", "br", ""] {
        let answer = accepting(&world.anyone, Method::GET, FEED, accepted).await;
        assert_eq!(answer.header("content-encoding"), None, "{accepted}");
        assert_eq!(answer.text, plain.text, "{accepted}");
    }
}

#[tokio::test]
async fn a_small_response_is_not_compressed() {
    let world = World::new().await;
    for (path, status) in [("/posts/news-feed", 200), ("/nothing", 404)] {
        let answer = accepting(&world.anyone, Method::GET, path, GZIP).await;
        assert_eq!((answer.status, answer.header("content-encoding")), (status, None));
        assert!(answer.body["success"].is_boolean(), "{answer}");
    }
}

#[tokio::test]
async fn a_head_request_returns_the_headers_of_get_and_no_body() {
    let world = World::new().await;
    fill_feed(&world).await;
    for (accepted, encoding) in [("identity", None), (GZIP, Some("gzip"))] {
        let answer = accepting(&world.anyone, Method::HEAD, FEED, accepted).await;
        assert_eq!(
            (answer.status, answer.header("content-encoding"), answer.bytes.len()),
            (200, encoding, 0)
        );
    }
}

#[tokio::test]
async fn an_empty_response_is_not_compressed() {
    let world = World::new().await;
    let answer = accepting(&world.anyone, Method::GET, "/", GZIP).await;
    assert_eq!((answer.status, answer.header("location")), (307, Some("/docs")));
    assert_eq!((answer.header("content-encoding"), answer.bytes.len()), (None, 0));
}

/// Writes posts for a full feed page, and returns the page without compression.
async fn fill_feed(world: &World) -> Answer {
    let ann = world.person("ann").await;
    for number in 0..20 {
        ann.writes(&format!("the {number}th post of the day")).await;
    }
    world.anyone.get(FEED).await.ok()
}

async fn accepting(client: &Client, method: Method, path: &str, accepted: &str) -> Answer {
    send(client.request(method, path).header("accept-encoding", accepted)).await
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}
