//! Webhooks: addresses of administrators' services that get events.

use axum::extract::State;
use domain::{
    ids::WebhookId,
    webhooks::{self, NewWebhook, WebhookDraft, WebhookTest, WebhookView},
};
use platform::App;
use runtime::{
    caller::Admin,
    http::{Create, Envelope, List, ListEnvelope, Path, Reply, Respond, RespondList},
};
use serde::Serialize;
use utoipa::ToSchema;

/// The webhook was deleted.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookDeleted {
    /// Always true.
    deleted: bool,
}

/// Create a webhook
///
/// Sends the chosen events to an address. Messages are `{type, timestamp, data: {id}}`, signed according to Standard
/// Webhooks (standardwebhooks.com). The headers are `webhook-id`, `webhook-timestamp` and `webhook-signature`. The
/// secret is returned only once.
///
/// A message that gets no 2xx within 8 seconds is retried eight times in a day. The webhook is then disabled, unless it
/// accepted another message. A service that returns 410 is disabled immediately. Redirects are not followed. A message
/// can arrive twice, with the same `webhook-id`, and out of order. The limit is 10 webhooks.
#[utoipa::path(post, path = "/admin/webhooks", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    request_body(content = WebhookDraft,
        example = json!({"url": "https://service.example/hook", "events": ["circle.died"]})),
    responses((status = 201, body = Envelope<NewWebhook>)))]
pub(crate) async fn create_webhook(
    State(app): State<App>,
    Admin(admin): Admin,
    Create { body, once }: Create<WebhookDraft>,
) -> Respond<NewWebhook> {
    Ok(Reply::created(webhooks::create(&app, admin.id, body, &once).await?))
}

/// List webhooks
///
/// Oldest first, without secrets. `lastError` is the reason of the last failed delivery. A webhook with `disabledAt` is
/// disabled and gets no messages.
#[utoipa::path(get, path = "/admin/webhooks", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    responses((status = 200, body = ListEnvelope<WebhookView>)))]
pub(crate) async fn list_webhooks(State(app): State<App>, _: Admin) -> RespondList<WebhookView> {
    Ok(List(webhooks::list(&app).await?))
}

/// Delete a webhook
///
/// It gets no more messages, not even pending retries.
#[utoipa::path(delete, path = "/admin/webhooks/{webhookId}", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    params(("webhookId" = WebhookId, Path,)), responses((status = 200, body = Envelope<WebhookDeleted>)))]
pub(crate) async fn delete_webhook(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(webhook): Path<WebhookId>,
) -> Respond<WebhookDeleted> {
    webhooks::delete(&app, admin.id, webhook).await?;
    Ok(Reply::ok(WebhookDeleted { deleted: true }))
}

/// Test a webhook
///
/// Sends a message of type `webhook.test` with the webhook's ID in `data.id`. The list of webhooks shows the result.
#[utoipa::path(post, path = "/admin/webhooks/{webhookId}/test", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    params(("webhookId" = WebhookId, Path,)), responses((status = 202, body = Envelope<WebhookTest>)))]
pub(crate) async fn test_webhook(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(webhook): Path<WebhookId>,
) -> Respond<WebhookTest> {
    Ok(Reply::accepted(webhooks::test(&app, admin.id, webhook).await?))
}
