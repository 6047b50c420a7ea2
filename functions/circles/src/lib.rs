//! `/circles`: groups that live on what their members write; `/circle`: their join requests.

mod circles;
mod energy;
mod invitations;
mod members;
mod membership;
mod posts;
mod rescue;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(circles::create, circles::list))
        .routes(routes!(circles::read))
        .routes(routes!(energy::energy))
        .routes(routes!(energy::exp_log))
        .routes(routes!(posts::create, posts::list))
        .routes(routes!(posts::judge_complete))
        .routes(routes!(rescue::begin))
        .routes(routes!(rescue::status))
        .routes(routes!(rescue::sacrifice))
        .routes(routes!(members::list, members::appoint))
        .routes(routes!(membership::request_join))
        .routes(routes!(membership::pending_requests))
        .routes(routes!(membership::respond))
        .routes(routes!(membership::leave))
        .routes(routes!(invitations::list))
        .routes(routes!(invitations::invite))
        .routes(routes!(invitations::accept))
}
