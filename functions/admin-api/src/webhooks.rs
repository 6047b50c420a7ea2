//! Webhooks: URLs of administrators' services to which events are sent.

use axum::extract::State;
use domain::{
    WebhookId,
    webhooks::{self, NewWebhook, WebhookChange, WebhookDraft, WebhookTest, WebhookView},
};
use platform::App;
use runtime::{
    Admin, Empty, Envelope, Filters, Input, List, ListEnvelope, NoFilters, Path, Reply, Respond, RespondList,
};
use serde::Serialize;
use utoipa::ToSchema;

/// The webhook was deleted.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookDeletion)]
pub(crate) struct WebhookDeleted {
    /// Always true.
    deleted: bool,
}

/// Create a webhook
///
/// The service sends the chosen events to the URL. Messages have the form `{type, timestamp, data: {id}}`, and are
/// signed according to Standard Webhooks (standardwebhooks.com). The headers are `webhook-id`, `webhook-timestamp` and
/// `webhook-signature`. The secret is returned only once.
///
/// If a message gets no 2xx response within 8 seconds, it is sent again. A message is sent at most eight times, within
/// a day. If all attempts fail, the webhook is disabled, unless it accepted a later message. If the receiver returns
/// 410, the webhook is disabled immediately. `PATCH /admin/webhooks/{webhookId}` switches it on again. Redirects are
/// not followed. Messages can arrive out of order. A message can also arrive twice, with the same `webhook-id`. At most
/// 10 webhooks can exist. Requires ADMIN.
#[utoipa::path(post, path = "/admin/webhooks", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    request_body(content = WebhookDraft,
        example = json!({"url": "https://service.example/hook", "events": ["circle.died"]})),
    responses((status = 201, body = Envelope<NewWebhook>)))]
pub(crate) async fn create_webhook(
    State(app): State<App>,
    Admin(admin): Admin,
    Input { body, once }: Input<WebhookDraft>,
) -> Respond<NewWebhook> {
    Ok(Reply::created(webhooks::create(&app, admin.id, body, &once).await?))
}

/// List webhooks
///
/// Returns webhooks without their secrets, oldest first. `lastError` is the reason for the last failure. A webhook with
/// `disabledAt` is disabled and gets no messages. Requires ADMIN.
#[utoipa::path(get, path = "/admin/webhooks", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    responses((status = 200, body = ListEnvelope<WebhookView>)))]
pub(crate) async fn list_webhooks(
    State(app): State<App>,
    _: Admin,
    _: Filters<NoFilters>,
) -> RespondList<WebhookView> {
    Ok(List(webhooks::list(&app).await?))
}

/// Switch a webhook on or off
///
/// A webhook that was disabled after failed messages can be switched on again. While a webhook is off, it gets no
/// messages, and retries that become due are dropped. Repeating the request has no effect. Requires ADMIN.
#[utoipa::path(patch, path = "/admin/webhooks/{webhookId}", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    params(("webhookId" = WebhookId, Path,)),
    request_body(content = WebhookChange, example = json!({"enabled": true})),
    responses((status = 200, body = Envelope<WebhookView>)))]
pub(crate) async fn change_webhook(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(webhook): Path<WebhookId>,
    Input { body: change, .. }: Input<WebhookChange>,
) -> Respond<WebhookView> {
    Ok(Reply::ok(webhooks::change(&app, admin.id, webhook, change).await?))
}

/// Delete a webhook
///
/// The webhook gets no more messages. Pending retries are dropped too. Requires ADMIN.
#[utoipa::path(delete, path = "/admin/webhooks/{webhookId}", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    params(("webhookId" = WebhookId, Path,)), responses((status = 200, body = Envelope<WebhookDeleted>)))]
pub(crate) async fn delete_webhook(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(webhook): Path<WebhookId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<WebhookDeleted> {
    webhooks::delete(&app, admin.id, webhook, &once).await?;
    Ok(Reply::ok(WebhookDeleted { deleted: true }))
}

/// Test a webhook
///
/// Sends a message of type `webhook.test` to the webhook, with the webhook's ID in `data.id`. `GET /admin/webhooks`
/// then shows the result. Requires ADMIN.
#[utoipa::path(post, path = "/admin/webhooks/{webhookId}/test", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    params(("webhookId" = WebhookId, Path,)), responses((status = 202, body = Envelope<WebhookTest>)))]
pub(crate) async fn test_webhook(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(webhook): Path<WebhookId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<WebhookTest> {
    Ok(Reply::accepted(webhooks::test(&app, admin.id, webhook, &once).await?))
}
