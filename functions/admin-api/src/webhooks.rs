//! Webhooks: addresses of administrators' services, which are told what happens.

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

/// The answer to deleting a webhook.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebhookDeleted {
    /// Always true.
    deleted: bool,
}

/// Have an address told what happens
///
/// Messages are `{type, timestamp, data: {id}}`, signed as Standard Webhooks (standardwebhooks.com) says: with the headers
/// `webhook-id`, `webhook-timestamp` and `webhook-signature`, under the secret, which is shown this once. A message that is
/// not answered with 2xx within 8 seconds is sent again, eight times in a day; then the webhook is switched off, unless it
/// took another. A service that answers 410 is switched off at once. No redirect is followed. A message may come twice, with
/// the same `webhook-id`, and later than another. There are 10 webhooks at most.
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
/// The oldest first, without their secrets. `lastError` says why the last message that failed was not taken; `disabledAt`,
/// that the webhook is switched off and is told of nothing more.
#[utoipa::path(get, path = "/admin/webhooks", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    responses((status = 200, body = ListEnvelope<WebhookView>)))]
pub(crate) async fn list_webhooks(State(app): State<App>, _: Admin) -> RespondList<WebhookView> {
    Ok(List(webhooks::list(&app).await?))
}

/// Delete a webhook
///
/// It is told of nothing more, not even of what waits to be sent again.
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
/// Sends it a message of the type `webhook.test`, whose `data.id` is the webhook's own. The list shows what became of it.
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
