//! Writing in a circle: kept at once, judged afterwards.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
    time::Time,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    CirclePost, CirclePostKind, CirclePostView, JudgeJob, key,
    pace::{self, Pace},
};
use crate::{
    circles::{self, Circle, Member, NO_CIRCLE, energy_key, member_key},
    ids::{CircleId, PostId, UserId},
    ledger::action_log::{Action, ActionType},
    people::{
        relationships,
        users::{self, User},
    },
    posts::Content,
    quests,
};

const TRIES: usize = 8;
const MEANWHILE: Error = Error::Conflict("you wrote something else meanwhile");
const NOT_IN: &str = "only members write in a circle";

/// Something to be written in a circle.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CirclePostDraft {
    /// The text.
    pub content: Content,
    /// What it is a comment on: a post of the same circle.
    pub parent_id: Option<PostId>,
}

/// What is known of circle, author and parent before something is written.
struct Desk {
    author: User,
    member: Member,
    pace: Pace,
    parent: Option<CirclePost>,
}

/// Writes a post or a comment, and leaves it to the judge. 2 calls and a message: 4 RRU, 19 WRU for 1 KB; a
/// comment 5 RRU, 16 WRU, and 1 call more to somebody else's.
///
/// # Errors
/// [`Error::NotFound`] for no such circle; [`Error::Forbidden`] for who is not in it, gave karma to it within
/// 48 hours, or is blocked by whom they answer; [`Error::Invalid`] for a parent that is elsewhere;
/// [`Error::LimitReached`] for the sixth within an hour.
pub async fn create(
    app: &App,
    author: UserId,
    circle: CircleId,
    draft: CirclePostDraft,
    once: &Once,
) -> Result<CirclePostView> {
    let post = match once.earlier::<CirclePost>(app, &author.to_string()).await? {
        Some(earlier) => earlier,
        None => write(app, author, circle, draft, once).await?,
    };
    app.queues.send(&JudgeJob::Judge { post: post.id }).await?;
    Ok(post.view())
}

async fn write(
    app: &App,
    author: UserId,
    circle: CircleId,
    draft: CirclePostDraft,
    once: &Once,
) -> Result<CirclePost> {
    for _ in 0..TRIES {
        let desk = Desk::of(app, author, circle, draft.parent_id).await?;
        let now = app.now();
        desk.may_write(now)?;
        if let Some(parent) = desk.parent.as_ref().filter(|it| it.author != author) {
            relationships::check_unblocked(app, author, parent.author).await?;
        }
        let post = desk.post(app, draft.content.clone(), now);
        let writes = post.steps(desk.pace.step(now, MEANWHILE)?);
        match once.commit(app, &author.to_string(), writes, post).await {
            Err(Error::Conflict(_)) => continue,
            done => return done,
        }
    }
    Err(MEANWHILE)
}

impl Desk {
    /// 1 call, 1 RRU for each that there is: 5 at most.
    async fn of(app: &App, author: UserId, circle: CircleId, parent: Option<PostId>) -> Result<Self> {
        let parent_key = parent.map(key);
        let (circle_key, member_key) = (circles::key(circle), member_key(circle, author));
        let (pace_key, author_key) = (pace::key(circle, author), users::key(author));
        let mut keys = vec![circle_key.clone(), member_key.clone(), pace_key.clone(), author_key.clone()];
        keys.extend(parent_key.clone());
        let mut found = app.table.get_together(&keys).await?;
        found.take::<Circle>(&circle_key)?.filter(Circle::lives).ok_or(NO_CIRCLE)?;
        let member = found.take::<Member>(&member_key)?.filter(Member::is_in);
        let parent = match parent_key {
            Some(key) => Some(
                found
                    .take(&key)?
                    .filter(|it: &CirclePost| it.circle == circle)
                    .ok_or(Error::invalid("parentId", "must be a post of this circle"))?,
            ),
            None => None,
        };
        Ok(Self {
            member: member.ok_or(Error::Forbidden(NOT_IN.into()))?,
            author: found.take(&author_key)?.ok_or(Error::NotFound("user"))?,
            pace: found.take(&pace_key)?.unwrap_or(Pace::new(circle, author)),
            parent,
        })
    }

    fn may_write(&self, now: Time) -> Result<()> {
        match self.member.restricted_until.filter(|it| now < *it) {
            Some(until) => {
                Err(Error::Forbidden(format!("you gave karma here: you may write again at {until}").into()))
            }
            None => Ok(()),
        }
    }

    fn post(&self, app: &App, content: Content, now: Time) -> CirclePost {
        CirclePost {
            id: app.ids.next(now),
            circle: self.member.circle,
            kind: if self.parent.is_some() { CirclePostKind::Comment } else { CirclePostKind::Post },
            author: self.author.id,
            user: self.author.card(),
            content,
            parent: self.parent.as_ref().map(|it| it.id),
            thread: self.parent.as_ref().map(CirclePost::thread_below),
            judged: None,
            created_at: now,
        }
    }
}

impl CirclePost {
    /// The steps of writing it.
    fn steps(&self, pace: Write) -> Vec<Write> {
        let log = Action::on_post(self.author, ActionType::PostCreated, self.id, self.created_at).log_write();
        let mut steps = vec![Write::create(self), pace, log, self.enlivening()];
        if self.kind == CirclePostKind::Post {
            steps.push(quests::first_post_write(self.author, self.id, self.created_at));
        }
        steps
    }

    /// Notes that somebody wrote, while the circle lives.
    pub(in crate::circles) fn enlivening(&self) -> Write {
        let write = Write::update(energy_key(self.circle)).set("lastPostAt", self.created_at);
        write.exists().lacks("diedAt").or(NO_CIRCLE)
    }
}
