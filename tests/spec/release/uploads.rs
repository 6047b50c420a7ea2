//! Stored uploads, and events of the video provider about these uploads.

use serde_json::json;

use super::Past;
use crate::uploads::{calls_back, event};

#[tokio::test]
async fn stored_uploads_can_be_completed() {
    let past = Past::stored().await;
    a_stored_upload_handles_each_event_once(&past).await;
    a_stored_post_shows_its_video(&past).await;
}

async fn a_stored_upload_handles_each_event_once(past: &Past) {
    let again = calls_back(&past.world, past.known("handledEvent")).await.ok();
    assert_eq!(again.data(), &json!({ "handled": false }));
    let ready = event("e2", "video.ready", past.known("ticket"), "ready");
    for handled in [true, false] {
        assert_eq!(calls_back(&past.world, &ready).await.ok().data(), &json!({ "handled": handled }));
    }
}

async fn a_stored_post_shows_its_video(past: &Past) {
    let film = past.user("ann").sees(&past.post("film")).await;
    assert_eq!(film["media"][0]["key"], past.known("ticket")["key"]);
}
