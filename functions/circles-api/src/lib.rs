//! `/circles`: circles, their members and their posts. `/circle`: join requests.

mod bans;
mod circles;
mod energy;
mod invitations;
mod members;
mod membership;
mod posts;
mod rescue;

use runtime::{Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![
        circles::create_circle,
        circles::list_circles,
        circles::discover_circles,
        circles::get_circle,
        circles::edit_circle,
        circles::delete_circle,
        circles::hand_circle_over,
        energy::get_circle_energy,
        energy::get_circle_energy_history,
        energy::get_circle_exp_log,
        posts::create_circle_post,
        posts::list_circle_posts,
        posts::apply_verdict,
        rescue::begin_cpr,
        rescue::get_cpr_status,
        rescue::sacrifice_karma,
        members::list_circle_members,
        members::appoint_circle_member,
        members::remove_circle_member,
        bans::list_circle_bans,
        bans::ban_from_circle,
        bans::lift_circle_ban,
        membership::create_join_request,
        membership::withdraw_join_request,
        membership::list_join_requests,
        membership::answer_join_request,
        membership::leave_circle,
        invitations::list_circle_invitations,
        invitations::create_circle_invitation,
        invitations::accept_circle_invitation,
        invitations::decline_circle_invitation,
        invitations::revoke_circle_invitation,
    ]
}
