//! Blocking: two people lose sight of each other, and what tied them ends.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    conversations,
    ids::UserId,
    people::{
        follows::{self, Follow},
        friendships::{self, FriendRequest},
        profiles, relationships,
        users::{self, Username},
    },
};

const TRIES: usize = 4;
const CHANGED: Error = Error::Conflict("this was changed meanwhile");

/// What a person asks for; nothing said is the other way round than it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct BlockRequest {
    /// True to block, false to end the block; repeating changes nothing.
    #[schema(example = true)]
    pub is_blocked: Option<bool>,
}

/// How it is now.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Blocked {
    /// Whether the caller blocks that person.
    pub is_blocked: bool,
}

/// Blocks somebody, or ends the block. 5 calls: 6 RRU, and 12 to 25 WRU by what ends with it.
///
/// # Errors
/// [`Error::NotFound`] for nobody, [`Error::Invalid`] for oneself.
pub async fn block(app: &App, caller: UserId, other: &Username, wish: BlockRequest) -> Result<Blocked> {
    let other = profiles::someone_else(app, caller, other).await?;
    for _ in 0..TRIES {
        let now = relationships::find(app, caller, other).await?.blocks;
        let wanted = wish.is_blocked.unwrap_or(!now);
        let writes = match (now, wanted) {
            (false, true) => raise(app, caller, other).await?,
            (true, false) => lower(app, caller, other).await?,
            _ => return Ok(Blocked { is_blocked: wanted }),
        };
        match app.table.transact(writes).await {
            Err(Error::Conflict(_)) => continue,
            done => return done.map(|()| Blocked { is_blocked: wanted }),
        }
    }
    Err(Error::internal(anyhow::anyhow!("what ties two people kept changing while one blocked the other")))
}

async fn lower(app: &App, caller: UserId, other: UserId) -> Result<Vec<Write>> {
    let mine = relationships::update(caller, other).set("blocks", false).equals("blocks", true).or(CHANGED);
    let theirs = relationships::update(other, caller).set("blockedBy", false);
    Ok(vec![mine, theirs, conversations::opening(app, caller, other).await?])
}

/// Both relationships, and the end of what is there; what is not there must not come meanwhile.
async fn raise(app: &App, caller: UserId, other: UserId) -> Result<Vec<Write>> {
    let ways = [(caller, other), (other, caller)];
    let (follows, requests) = (follows::find_all(app, &ways), friendships::find_all(app, &ways));
    let closing = conversations::closing(app, caller, other);
    let (follows, requests, closing) = futures::try_join!(follows, requests, closing)?;
    let ends = |from, to| Ending {
        from,
        to,
        follow: follows.iter().find(|it| it.is_following && it.follower_id == from),
        request: requests.iter().find(|it| it.is_pending() && it.sender_id == from),
    };
    let [out, back] = [ends(caller, other), ends(other, caller)];
    let mine = out.relationship().set("blocks", true).equals_or_lacks("blocks", false).or(CHANGED);
    let theirs = back.relationship().set("blockedBy", true);
    let writes = [mine, theirs].into_iter().chain(out.writes(app)).chain(back.writes(app));
    let counts = counts(&out, &back).into_iter().chain(counts(&back, &out));
    Ok(writes.chain(counts).chain([closing]).collect())
}

/// What ends in one direction.
struct Ending<'a> {
    from: UserId,
    to: UserId,
    follow: Option<&'a Follow>,
    request: Option<&'a FriendRequest>,
}

impl Ending<'_> {
    fn relationship(&self) -> Write {
        let relationship = relationships::update(self.from, self.to);
        match self.follow {
            Some(_) => relationship.set("left", true),
            None => relationship,
        }
    }

    fn writes(&self, app: &App) -> [Write; 2] {
        let follow = match self.follow {
            Some(follow) => follow.ended(),
            None => follows::none(self.from, self.to),
        };
        let request = match self.request {
            Some(request) => request.cancelled(app.now()),
            None => friendships::none_pending(self.from, self.to),
        };
        [follow, request]
    }
}

/// What is counted on the person from whom `out` goes and to whom `back` comes.
fn counts(out: &Ending<'_>, back: &Ending<'_>) -> Option<Write> {
    let fewer = [
        ("followingCount", out.follow.is_some()),
        ("followersCount", back.follow.is_some()),
        ("friendRequestsPending", back.request.is_some()),
    ];
    let mut fewer = fewer.into_iter().filter(|(_, ends)| *ends).peekable();
    fewer.peek()?;
    Some(fewer.fold(Write::update(users::key(out.from)).exists(), |it, (count, _)| it.add(count, -1)))
}
