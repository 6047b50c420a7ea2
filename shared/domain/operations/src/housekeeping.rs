//! Chores: background jobs for maintenance. A chore processes data page by page. At the deadline of an invocation, a
//! queue message continues the chore.

use accounts::factor_reset;
use base::Chore;
use circles::{posts::waiting, purge};
use media::sweep;
use moderation::{
    cases::{self, expiry},
    reports,
};
use platform::{
    App, Deadline, Result,
    paged::{
        Bound,
        Remainder::{DeadLetters, NextRun},
    },
};
use posts::{drafts, polls};

use crate::rename;

/// The number of accounts per page.
const PAGE_ROWS: usize = 25;

/// Limit of a run. 1,000 messages lift at least 25,000 bans.
const LIFT_BANS: Bound = Bound { job: "lifting of bans", messages_max: 1_000, remainder: NextRun };
/// Limit of a run. 1,000 messages process at least 100,000 reports or uploads.
const RESEND: Bound = Bound { job: "resending of lost jobs", messages_max: 1_000, remainder: NextRun };
/// Limit per decision or ban. 1,000 messages settle at least 25,000 reports or cases.
const SETTLE: Bound = Bound { job: "settling of reports", messages_max: 1_000, remainder: DeadLetters };
/// Limit per circle. 1,000 messages delete at least 200,000 posts.
const PURGE: Bound = Bound { job: "purge of a circle", messages_max: 1_000, remainder: NextRun };
/// Limit per banned user. 1,000 messages replace the owner of at least 1,000 circles.
const REPLACE_OWNER: Bound =
    Bound { job: "replacement of a banned owner", messages_max: 1_000, remainder: DeadLetters };
/// Limit per renamed user. 1,000 messages update the username on at least 25,000 museum items.
const RENAME_IN_MUSEUM: Bound =
    Bound { job: "rename in the museum", messages_max: 1_000, remainder: DeadLetters };
/// Limit per message group. 10,000 job messages delete at least 2,000,000 messages of the group.
const PURGE_GROUP: Bound =
    Bound { job: "purge of a message group", messages_max: 10_000, remainder: DeadLetters };
/// Limit per change of a username. 20,000 messages update at least 1,000,000 posts.
const RENAME_AUTHOR: Bound =
    Bound { job: "update of an author's posts", messages_max: 20_000, remainder: DeadLetters };

/// Runs a chore page by page. At the deadline, sends a message for the remaining pages. Repeating a chore has no
/// effect.
pub async fn tidy_up(app: &App, deadline: &Deadline, chore: Chore) -> Result<()> {
    match chore {
        Chore::LiftBans(page) => {
            let lift = async |_| Ok(accounts::lift_due(app, PAGE_ROWS).await?.then_some(()));
            LIFT_BANS.pages(app, deadline, page, lift, Chore::LiftBans).await.map(drop)
        }
        Chore::Minute => futures::try_join!(
            drafts::begin(app),
            polls::begin(app),
            webhooks::begin(app),
            waiting::begin(app),
            factor_reset::begin(app),
            expiry::begin(app)
        )
        .map(drop),
        Chore::PublishDrafts(page) => drafts::publish_pages(app, deadline, page).await,
        Chore::EndPolls(page) => polls::end_pages(app, deadline, page).await,
        Chore::NotifyPollEnded { post, page } => polls::notify_voters(app, deadline, post, page).await,
        Chore::EndVerdictWaits(page) => waiting::end_pages(app, deadline, page).await,
        Chore::ResetFactors(page) => factor_reset::pages(app, deadline, page).await,
        Chore::WithdrawFollow { follower, followed, event, at } => {
            notifications::withdraw_follow(app, [follower, followed], event, at).await
        }
        Chore::WithdrawFriendRequest { sender, receiver, sent_at, at } => {
            notifications::withdraw_friend_request(app, [sender, receiver], sent_at, at).await
        }
        Chore::WithdrawPost { post } => posts::withdraw_events(app, post).await,
        Chore::WithdrawComment { comment } => circles::withdraw_comment(app, comment).await,
        Chore::RetryWebhooks(page) => webhooks::send_pages(app, deadline, page).await,
        Chore::ResendReports(page) => {
            let resend = |after| reports::resend(app, after);
            RESEND.pages(app, deadline, page, resend, Chore::ResendReports).await.map(drop)
        }
        Chore::EraseEvidence(page) => expiry::pages(app, deadline, page).await,
        Chore::CloseCases { user, page } => {
            let close = |after| cases::close_page(app, user, after);
            let next = |page| Chore::CloseCases { user, page };
            SETTLE.pages(app, deadline, page, close, next).await.map(drop)
        }
        Chore::SettleReports { case, page } => {
            let settle = |after| cases::settle_page(app, case, after);
            let next = |page| Chore::SettleReports { case, page };
            SETTLE.pages(app, deadline, page, settle, next).await.map(drop)
        }
        Chore::SweepUploads(page) => {
            let send = |after| sweep::send_due(app, after);
            RESEND.pages(app, deadline, page, send, Chore::SweepUploads).await.map(drop)
        }
        Chore::PurgeCircles => purge::begin(app).await,
        Chore::PurgePage(page) => purge::purge_pages(app, deadline, page).await,
        Chore::ReplaceOwner { user, page } => {
            let replace = |after| circles::replace_banned_owner_page(app, user, after);
            let next = |page| Chore::ReplaceOwner { user, page };
            REPLACE_OWNER.pages(app, deadline, page, replace, next).await.map(drop)
        }
        Chore::RenameInMuseum { user, page } => {
            let rename = |after| circles::update_author_page(app, user, after);
            let next = |page| Chore::RenameInMuseum { user, page };
            RENAME_IN_MUSEUM.pages(app, deadline, page, rename, next).await.map(drop)
        }
        Chore::PurgeGroup { group, page } => {
            let purge = async |_| Ok(conversations::purge(app, group).await?.then_some(()));
            let next = |page| Chore::PurgeGroup { group, page };
            PURGE_GROUP.pages(app, deadline, page, purge, next).await.map(drop)
        }
        Chore::RenameAuthor { user, page } => {
            let copy = |after| rename::page(app, user, after);
            let next = |page| Chore::RenameAuthor { user, page };
            RENAME_AUTHOR.pages(app, deadline, page, copy, next).await.map(drop)
        }
        Chore::PurgeCircle { circle, page } => {
            let purge = async |_| Ok(purge::purge(app, circle).await?.then_some(()));
            let next = |page| Chore::PurgeCircle { circle, page };
            PURGE.pages(app, deadline, page, purge, next).await.map(drop)
        }
    }
}
