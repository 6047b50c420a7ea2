//! `/webhooks`: events from other services.

use axum::extract::State;
use domain::media::video_webhook::{self, HlsEvent, Received};
use platform::App;
use runtime::{Envelope, Raw, Reply, Respond, Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![receive_hls_event,]
}

/// Receive an event from the video provider
///
/// The header `x-hls-signature` (its name is configurable) is `t=<unix seconds>,v1=<hex>`. `v1` is the HMAC-SHA256 of
/// `t.body` with the shared secret. During a rotation of the secret, the header can have several `v1` values. A
/// signature is valid for 300 seconds. Events with the same `id` are handled once. Types other than `video.processing`,
/// `video.ready` and `video.failed` are accepted and ignored.
#[utoipa::path(post, path = "/webhooks/hls", tag = "uploads", extensions(("x-status" = json!("live"))),
    params(("x-hls-signature" = String, Header, description = "`t=1767225600,v1=5257a869…`")),
    request_body(content = HlsEvent, example = json!({
        "id": "evt_1", "type": "video.ready",
        "data": {
            "key": "uploads/01KGB5T9G0A1B2C3D4E5F6G7H9/01KGB5T9G0A1B2C3D4E5F6G7H8.mp4", "status": "READY",
            "playbackUrl": "https://video.example.com/1.m3u8", "duration": 12.5
        }
    })),
    responses(
        (status = 200, body = Envelope<Received>),
        (status = 401, description = "`UNAUTHORIZED`: the signature is missing, invalid or expired"),
        (status = 404, description = "`NOT_FOUND`: no upload has the key in `data`")))]
async fn receive_hls_event(State(app): State<App>, Raw { headers, body }: Raw) -> Respond<Received> {
    Ok(Reply::ok(video_webhook::receive(&app, &headers, &body).await?))
}
