//! The places where something of a person may be, in the order in which they are looked at.

use base::ids::UserId;
use platform::{App, Result};
use serde::{Deserialize, Serialize};

use super::{circles, groups, likes, log, mentions, named, pass::Pass, posts, rest, ties, votes};

/// Where something of a person may be. Names are added and retired, never changed: messages carry them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Place {
    /// Posts, quotes and reposts that lists show.
    Posts,
    /// Replies.
    Answers,
    /// Quotes and reposts that no list shows, and all that was withdrawn.
    Unlisted,
    /// Posts that the action log names, of the network and of circles.
    Written,
    /// Follows of the person.
    Followers,
    /// Follows by the person.
    Followed,
    /// Friend requests that wait for the person.
    Received,
    /// Friend requests of the person, and what became of them.
    Sent,
    /// Friends who had asked the person.
    Friends,
    /// Message groups.
    Groups,
    /// Message groups that the person left before, or in the first pass.
    LeftGroups,
    /// Circles whose member the person is.
    Circles,
    /// Circles that invite the person.
    Invitations,
    /// Circles that the action log names.
    LoggedCircles,
    /// Likes, and saved posts.
    Likes,
    /// Votes in polls.
    Votes,
    /// Posts and drafts of others that mention the person.
    Mentioned,
    /// Drafts, which those know whom they mention.
    Drafts,
    /// Rows elsewhere that name the person: mutes, uploads, reports.
    Named,
    /// Rows elsewhere that an entry of the own partition names: reports, requests to join.
    Made,
    /// Blocks, mutes and ended follows, on both sides.
    Relationships,
    /// Karma that was given to circles.
    Badges,
    /// What the action log says about others.
    Log,
    /// What is left in the person's own partition.
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
    Place::Likes,
    Place::Votes,
];

/// The log comes late: until then it leads to what it names.
const ERASED: &[Place] = &[
    Place::Posts,
    Place::Answers,
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

/// Where a page begins: in a place, behind what the page before ended with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Position {
    place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    behind: Option<String>,
}

/// Returns where a pass begins.
pub(super) fn first(pass: Pass) -> Position {
    let places = places(pass);
    Position { place: places.first().copied().unwrap_or(Place::Rest), behind: None }
}

/// Looks at one page of a place, and returns where the next page begins.
pub(super) async fn page(
    app: &App,
    user: UserId,
    pass: Pass,
    position: Position,
) -> Result<Option<Position>> {
    let Position { place, behind } = position;
    let behind = match place {
        Place::Posts => posts::listed(app, user, pass, behind).await?,
        Place::Answers => posts::answers(app, user, pass, behind).await?,
        Place::Unlisted => posts::unlisted(app, user, pass, behind).await?,
        Place::Written => posts::written(app, user, behind).await?,
        Place::Followers => ties::followers(app, user, behind).await?,
        Place::Followed => ties::followed(app, user, behind).await?,
        Place::Received => ties::received(app, user, behind).await?,
        Place::Sent => ties::sent(app, user, pass, behind).await?,
        Place::Friends => ties::friends(app, user, behind).await?,
        Place::Groups => groups::listed(app, user, behind).await?,
        Place::LeftGroups => groups::left(app, user, behind).await?,
        Place::Circles => circles::listed(app, user, behind).await?,
        Place::Invitations => circles::inviting(app, user, behind).await?,
        Place::LoggedCircles => circles::logged(app, user, behind).await?,
        Place::Likes => likes::page(app, user, pass, behind).await?,
        Place::Votes => votes::page(app, user, pass, behind).await?,
        Place::Mentioned => mentions::of_person(app, user, behind).await?,
        Place::Drafts => mentions::by_drafts(app, user, behind).await?,
        Place::Named => named::page(app, user, behind).await?,
        Place::Made => named::made(app, user, behind).await?,
        Place::Relationships => ties::relationships(app, user, behind).await?,
        Place::Badges => circles::badges(app, user, behind).await?,
        Place::Log => log::page(app, user, behind).await?,
        Place::Rest => rest::page(app, user, behind).await?,
    };
    Ok(match behind {
        Some(behind) => Some(Position { place, behind: Some(behind) }),
        None => after(pass, place).map(|place| Position { place, behind: None }),
    })
}

fn places(pass: Pass) -> &'static [Place] {
    match pass {
        Pass::Withdrawal => WITHDRAWN,
        Pass::Erasure => ERASED,
    }
}

fn after(pass: Pass, place: Place) -> Option<Place> {
    places(pass).iter().copied().skip_while(|it| *it != place).nth(1)
}
