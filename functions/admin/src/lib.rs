//! `/admin`: accounts, reports, quests, counts, webhooks.

mod accounts;
mod appeals;
mod insight;
mod login;
mod quests;
mod reports;
mod webhooks;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(login::sign_in_admin))
        .routes(routes!(accounts::list_accounts))
        .routes(routes!(accounts::ban_user))
        .routes(routes!(accounts::temp_ban_user))
        .routes(routes!(accounts::lock_user))
        .routes(routes!(accounts::unlock_user))
        .routes(routes!(accounts::change_user_roles))
        .routes(routes!(reports::list_reports))
        .routes(routes!(reports::decide_report))
        .routes(routes!(appeals::list_appeals))
        .routes(routes!(appeals::decide_appeal))
        .routes(routes!(insight::list_trending_hashtags))
        .routes(routes!(insight::get_stats))
        .routes(routes!(insight::list_audit_entries))
        .routes(routes!(quests::create_quest, quests::list_quests))
        .routes(routes!(quests::list_quest_actions))
        .routes(routes!(quests::disable_quest))
        .routes(routes!(webhooks::create_webhook, webhooks::list_webhooks))
        .routes(routes!(webhooks::delete_webhook))
        .routes(routes!(webhooks::test_webhook))
}
