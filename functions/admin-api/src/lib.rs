//! `/admin`: accounts, reports, cases, appeals, quests, statistics and webhooks.

mod accounts;
mod appeals;
mod cases;
mod insight;
mod login;
mod quests;
mod reports;
mod webhooks;

use runtime::{Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![
        login::sign_in_admin,
        accounts::list_accounts,
        accounts::ban_user,
        accounts::temp_ban_user,
        accounts::lock_user,
        accounts::unlock_user,
        accounts::change_user_roles,
        reports::list_reports,
        reports::decide_report,
        cases::list_cases,
        cases::decide_cases,
        cases::get_case,
        cases::decide_case,
        cases::undo_case,
        cases::assign_case,
        cases::note_case,
        cases::escalate_case,
        cases::get_moderation_statistics,
        appeals::list_appeals,
        appeals::decide_appeal,
        insight::list_trending_hashtags,
        insight::get_stats,
        insight::list_audit_entries,
        quests::create_quest,
        quests::list_quests,
        quests::list_quest_actions,
        quests::edit_quest,
        quests::disable_quest,
        webhooks::create_webhook,
        webhooks::list_webhooks,
        webhooks::change_webhook,
        webhooks::delete_webhook,
        webhooks::test_webhook,
    ]
}
