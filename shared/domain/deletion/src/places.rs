//! The places that can contain data of a deleted user, in the order in which a pass visits them.
//!
//! Each place has a function that processes one page. The function gets the page's cursor, and returns the next cursor,
//! or `None` after the last page.

use ::circles::update_author_page;
use ::posts::{PostList, drafts, mentioned};
use base::UserId;
use people::{follows, friendships, relationships};
use platform::{App, Result};
use serde::{Deserialize, Serialize};

use super::{circles, groups, likes, log, named, pass::Pass, posts, rest, ties, votes};

/// Number of posts or drafts per page of [`Place::Mentioned`] and [`Place::Drafts`].
const MENTIONS_ROWS: usize = 25;

/// A place that can contain data of a user. Queued messages contain the variants' names, so never rename a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Place {
    /// Posts, quotes and reposts that appear in lists.
    Posts,
    /// Replies.
    Answers,
    /// Hidden posts, quotes and reposts.
    Hidden,
    /// Deleted quotes and reposts, and withdrawn posts.
    Unlisted,
    /// Posts that the action log refers to, including posts in circles.
    Written,
    /// Follows of the user by other users.
    Followers,
    /// Follows of other users by the user.
    Followed,
    /// Pending friend requests to the user.
    Received,
    /// Friend requests by the user, including accepted requests, which are friendships.
    Sent,
    /// Friendships that began with a request by the other user.
    Friends,
    /// Message groups.
    Groups,
    /// Message groups that the user left, or from which the deletion removed the user.
    LeftGroups,
    /// Circles that the user is a member of.
    Circles,
    /// Circles that invited the user.
    Invitations,
    /// Circles that the action log refers to.
    LoggedCircles,
    /// Memorial stones with posts of the user.
    Stones,
    /// Likes and saved posts.
    Likes,
    /// Votes in polls.
    Votes,
    /// Other users' posts and drafts that mention the user.
    Mentioned,
    /// The user's drafts. The mention indexes of other users can refer to these drafts.
    Drafts,
    /// Rows in other partitions that refer to the user: mutes, uploads and reports.
    Named,
    /// Rows in other partitions that the user made: reports, appeals and join requests.
    Made,
    /// Blocks, mutes and ended follows, in both directions.
    Relationships,
    /// Badges for karma that the user gave to circles.
    Badges,
    /// References to other users in the action log.
    Log,
    /// The remaining rows of the user's partition.
    Rest,
}

const WITHDRAWN: &[Place] = &[
    Place::Posts,
    Place::Answers,
    Place::Followers,
    Place::Followed,
    Place::Received,
    Place::Sent,
    Place::LeftGroups,
    Place::Groups,
    Place::Circles,
    Place::Stones,
    Place::Likes,
    Place::Votes,
];

/// The places that an erasure visits. The action log comes near the end, because other places use it to find rows.
const ERASED: &[Place] = &[
    Place::Posts,
    Place::Answers,
    Place::Hidden,
    Place::Unlisted,
    Place::Written,
    Place::Followers,
    Place::Followed,
    Place::Received,
    Place::Sent,
    Place::Friends,
    Place::Groups,
    Place::LeftGroups,
    Place::Circles,
    Place::Invitations,
    Place::LoggedCircles,
    Place::Stones,
    Place::Likes,
    Place::Votes,
    Place::Mentioned,
    Place::Drafts,
    Place::Named,
    Place::Made,
    Place::Relationships,
    Place::Badges,
    Place::Log,
    Place::Rest,
];

/// The position at which a page starts: a place, and the cursor of the place's previous page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Position {
    place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
}

pub(super) fn first(pass: Pass) -> Position {
    let places = places(pass);
    Position { place: places.first().copied().unwrap_or(Place::Rest), cursor: None }
}

/// Processes one page of a place, and returns the position of the next page.
pub(super) async fn page(
    app: &App,
    user: UserId,
    pass: Pass,
    position: Position,
) -> Result<Option<Position>> {
    let Position { place, cursor } = position;
    let cursor = match place {
        Place::Posts => posts::page(app, user, (pass, PostList::Listed), cursor).await?,
        Place::Answers => posts::page(app, user, (pass, PostList::Answers), cursor).await?,
        Place::Hidden => posts::page(app, user, (pass, PostList::Hidden), cursor).await?,
        Place::Unlisted => posts::page(app, user, (pass, PostList::Unlisted), cursor).await?,
        Place::Written => posts::written(app, user, cursor).await?,
        Place::Followers => ties::followers(app, user, cursor).await?,
        Place::Followed => follows::end_followed_page(app, user, cursor).await?,
        Place::Received => friendships::delete_received_page(app, user, cursor).await?,
        Place::Sent => ties::sent(app, user, pass, cursor).await?,
        Place::Friends => friendships::delete_friends_page(app, user, cursor).await?,
        Place::Groups => groups::listed(app, user, cursor).await?,
        Place::LeftGroups => groups::left(app, user, cursor).await?,
        Place::Circles => circles::listed(app, user, cursor).await?,
        Place::Invitations => circles::inviting(app, user, cursor).await?,
        Place::LoggedCircles => circles::logged(app, user, cursor).await?,
        Place::Stones => update_author_page(app, user, cursor).await?,
        Place::Likes => likes::page(app, user, pass, cursor).await?,
        Place::Votes => votes::page(app, user, pass, cursor).await?,
        Place::Mentioned => mentioned::erase_page(app, user, cursor, MENTIONS_ROWS).await?,
        Place::Drafts => drafts::erase_mentions_page(app, user, cursor, MENTIONS_ROWS).await?,
        Place::Named => named::page(app, user, cursor).await?,
        Place::Made => named::made(app, user, cursor).await?,
        Place::Relationships => relationships::erase_page(app, user, cursor).await?,
        Place::Badges => circles::badges(app, user, cursor).await?,
        Place::Log => log::page(app, user, cursor).await?,
        Place::Rest => rest::page(app, user, cursor).await?,
    };
    Ok(match cursor {
        Some(cursor) => Some(Position { place, cursor: Some(cursor) }),
        None => next(pass, place).map(|place| Position { place, cursor: None }),
    })
}

fn places(pass: Pass) -> &'static [Place] {
    match pass {
        Pass::Withdrawal => WITHDRAWN,
        Pass::Erasure => ERASED,
    }
}

fn next(pass: Pass, place: Place) -> Option<Place> {
    places(pass).iter().copied().skip_while(|other| *other != place).nth(1)
}
