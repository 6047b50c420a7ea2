//! Large responses are compressed if the client accepts gzip.

use std::io::Read;

use flate2::read::GzDecoder;
use reqwest::Method;
use tests::{Answer, World, send};

const FEED: &str = "/posts/news-feed?take=20";
const GZIP: &str = "gzip, deflate";

#[tokio::test]
async fn a_compressed_feed_has_the_same_content() {
    let world = World::new().await;
    let plain = fill_feed(&world).await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), (None, Some("accept-encoding")));
    let compressed = accepting(&world, Method::GET, FEED, GZIP).await;
    let headers = ["content-encoding", "vary"].map(|name| compressed.header(name));
    assert_eq!(headers, [Some("gzip"), Some("accept-encoding")]);
    let (small, large) = (compressed.bytes.len(), plain.text.len());
    assert!(small * 3 < large, "{small} of {large}");
    assert_eq!(unpacked(&compressed.bytes), plain.text);
}

#[tokio::test]
async fn the_api_reference_is_compressed() {
    let world = World::new().await;
    for path in ["/openapi.json", "/docs/openapi-explorer.min.js"] {
        let plain = world.anyone.get(path).await;
        let compressed = accepting(&world, Method::GET, path, GZIP).await;
        assert_eq!(compressed.header("content-encoding"), Some("gzip"), "{path}");
        assert!(unpacked(&compressed.bytes) == plain.text, "{path} differs from the uncompressed response");
    }
}

#[tokio::test]
async fn a_client_without_gzip_gets_an_uncompressed_response() {
    let world = World::new().await;
    let plain = fill_feed(&world).await;
    for accepted in ["identity", "gzip;q=0", "br", ""] {
        let answer = accepting(&world, Method::GET, FEED, accepted).await;
        assert_eq!(answer.header("content-encoding"), None, "{accepted}");
        assert_eq!(answer.text, plain.text, "{accepted}");
    }
}

#[tokio::test]
async fn small_and_empty_responses_are_not_compressed() {
    let world = World::new().await;
    for (path, status, location) in
        [("/posts/news-feed", 200, None), ("/nothing", 404, None), ("/", 307, Some("/docs"))]
    {
        let answer = accepting(&world, Method::GET, path, GZIP).await;
        let headers = ["location", "content-encoding"].map(|name| answer.header(name));
        assert_eq!((answer.status, headers), (status, [location, None]), "{path}");
        let found = (answer.body["success"].is_boolean(), answer.bytes.is_empty());
        assert_eq!(found, (location.is_none(), location.is_some()), "{path}");
    }
}

#[tokio::test]
async fn a_head_request_returns_the_headers_of_get_and_no_body() {
    let world = World::new().await;
    fill_feed(&world).await;
    for (accepted, encoding) in [("identity", None), (GZIP, Some("gzip"))] {
        let answer = accepting(&world, Method::HEAD, FEED, accepted).await;
        let found = (answer.status, answer.header("content-encoding"), answer.bytes.len());
        assert_eq!(found, (200, encoding, 0), "{accepted}");
    }
}

/// Writes posts for a full feed page, and returns the page without compression.
async fn fill_feed(world: &World) -> Answer {
    let ann = world.person("ann").await;
    for number in 0..20 {
        ann.writes(&format!("the {number}th post of the day")).await;
    }
    world.anyone.get(FEED).await.ok()
}

async fn accepting(world: &World, method: Method, path: &str, accepted: &str) -> Answer {
    send(world.anyone.request(method, path).header("accept-encoding", accepted)).await
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}
