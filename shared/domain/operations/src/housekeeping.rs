//! The chores of the hour and the minute. Each runs in pages, through a queue, so that no run takes too long.

use base::jobs::Chore;
use circles::purge;
use media::sweep;
use moderation::reports;
use platform::{
    App, Result,
    deadline::Deadline,
    rounds::{Bound, Rest},
};
use posts::{drafts, polls};

/// The number of accounts in a page.
const PAGE_ROWS: usize = 25;

/// Where a message that does one page comes to 25,000 bans in the hour.
const LIFT_BANS: Bound = Bound { job: "lifting of bans", rounds_max: 1_000, rest: Rest::NextRun };
/// Where a message that does one page comes to 100,000 reports and to a million uploads.
const RESEND: Bound = Bound { job: "sending again", rounds_max: 1_000, rest: Rest::NextRun };
/// Where a message that does one page comes to 200,000 posts of the circle.
const PURGE: Bound = Bound { job: "purge of a circle", rounds_max: 1_000, rest: Rest::NextRun };
/// Where a message that does one page comes to 2 million messages of the group.
const PURGE_GROUP: Bound =
    Bound { job: "purge of a message group", rounds_max: 10_000, rest: Rest::DeadLetters };

/// Does a chore page by page while there is time, and sends the message for the rest. Repeating changes nothing;
/// after a failure the message comes again.
pub async fn tidy_up(app: &App, deadline: &Deadline, chore: Chore) -> Result<()> {
    match chore {
        Chore::LiftBans { rounds } => {
            let page = async |()| Ok(accounts::lift_due(app, PAGE_ROWS).await?.then_some(()));
            let next = |(), rounds| Chore::LiftBans { rounds };
            LIFT_BANS.pages(app, deadline, ((), rounds), page, next).await.map(drop)
        }
        Chore::Minute => {
            futures::try_join!(drafts::begin(app), polls::begin(app), webhooks::begin(app)).map(drop)
        }
        Chore::PublishDrafts { shard, after, rounds } => {
            drafts::publish_pages(app, deadline, shard, (after, rounds)).await
        }
        Chore::EndPolls { shard, after, rounds } => {
            polls::end_pages(app, deadline, shard, (after, rounds)).await
        }
        Chore::TellOfPoll { post, after, rounds } => {
            polls::tell_voters(app, deadline, post, (after, rounds)).await
        }
        Chore::TellWebhooks { shard, after, rounds } => {
            webhooks::send_pages(app, deadline, shard, (after, rounds)).await
        }
        Chore::ResendReports { after, rounds } => {
            let page = async |after| Ok(reports::resend(app, after).await?.map(Some));
            let next = |after, rounds| Chore::ResendReports { after, rounds };
            RESEND.pages(app, deadline, (after, rounds), page, next).await.map(drop)
        }
        Chore::SweepUploads { after, rounds } => {
            let page = async |after| Ok(sweep::send_due(app, after).await?.map(Some));
            let next = |after, rounds| Chore::SweepUploads { after, rounds };
            RESEND.pages(app, deadline, (after, rounds), page, next).await.map(drop)
        }
        Chore::PurgeCircles => purge::begin(app).await,
        Chore::ResendLikes => Ok(()),
        Chore::PurgePage { shard, after, rounds } => {
            purge::purge_pages(app, deadline, shard, (after, rounds)).await
        }
        Chore::PurgeGroup { group, rounds } => {
            let page = async |()| Ok(conversations::purge(app, group).await?.then_some(()));
            let next = |(), rounds| Chore::PurgeGroup { group, rounds };
            PURGE_GROUP.pages(app, deadline, ((), rounds), page, next).await.map(drop)
        }
        Chore::PurgeCircle { circle, rounds } => {
            let page = async |()| Ok(purge::purge(app, circle).await?.then_some(()));
            let next = |(), rounds| Chore::PurgeCircle { circle, rounds };
            PURGE.pages(app, deadline, ((), rounds), page, next).await.map(drop)
        }
    }
}
