//! `/circles`: groups that live on what their members write; `/circle`: their join requests.

mod bans;
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
        .routes(routes!(circles::create_circle, circles::list_circles))
        .routes(routes!(circles::discover_circles))
        .routes(routes!(circles::get_circle, circles::edit_circle, circles::delete_circle))
        .routes(routes!(circles::hand_circle_over))
        .routes(routes!(energy::get_circle_energy))
        .routes(routes!(energy::get_circle_energy_history))
        .routes(routes!(energy::get_circle_exp_log))
        .routes(routes!(posts::create_circle_post, posts::list_circle_posts))
        .routes(routes!(posts::apply_verdict))
        .routes(routes!(rescue::begin_cpr))
        .routes(routes!(rescue::get_cpr_status))
        .routes(routes!(rescue::sacrifice_karma))
        .routes(routes!(members::list_circle_members, members::appoint_circle_member))
        .routes(routes!(members::remove_circle_member))
        .routes(routes!(bans::list_circle_bans))
        .routes(routes!(bans::ban_from_circle, bans::lift_circle_ban))
        .routes(routes!(membership::create_join_request, membership::withdraw_join_request))
        .routes(routes!(membership::list_join_requests))
        .routes(routes!(membership::answer_join_request))
        .routes(routes!(membership::leave_circle))
        .routes(routes!(invitations::list_circle_invitations))
        .routes(routes!(invitations::create_circle_invitation))
        .routes(routes!(invitations::accept_circle_invitation))
        .routes(routes!(invitations::decline_circle_invitation))
        .routes(routes!(invitations::revoke_circle_invitation))
}
