//! `/admin`: accounts, reports, quests, counts.

mod accounts;
mod insight;
mod login;
mod quests;
mod reports;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(login::login))
        .routes(routes!(accounts::list))
        .routes(routes!(accounts::ban))
        .routes(routes!(accounts::temp_ban))
        .routes(routes!(accounts::lock))
        .routes(routes!(accounts::unlock))
        .routes(routes!(accounts::roles))
        .routes(routes!(reports::list))
        .routes(routes!(reports::decide))
        .routes(routes!(insight::trending))
        .routes(routes!(insight::stats))
        .routes(routes!(insight::audit))
        .routes(routes!(quests::create, quests::list))
        .routes(routes!(quests::actions))
        .routes(routes!(quests::disable))
}
