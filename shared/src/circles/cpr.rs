//! CPR: a dying circle is saved by comments of depth, so many within a day.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Change, Circle, CircleName, Due, Energy, NO_CIRCLE, Permission, Stage, circle, due, energy_key,
    permissions::{self, Granted},
    posts::{CirclePost, CirclePostKind},
};
use crate::{
    App,
    domain_events::{CprResolved, CprStarted},
    error::{Error, Result},
    id::{CircleId, CprId, PostId, UserId},
    idempotency::Once,
    posts::Content,
    queues::Job,
    settings::QueueUrls,
    table::{Index, Key, Row, Write},
    time::{HOUR_SECONDS, Time},
    users,
};

const TRIES: usize = 8;
const WINDOW_SECONDS: i64 = 24 * HOUR_SECONDS;
const SURVIVAL_EXP: i64 = 50;
const TARGET_MAX: u16 = 100;
const ACTIVE: Error = Error::Conflict("a CPR is under way already");
const MEANWHILE: Error = Error::Conflict("the CPR changed meanwhile");

/// How many comments of depth a CPR takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u16")]
#[schema(value_type = u16, minimum = 1, maximum = 100, example = 5)]
pub struct TargetComments(u16);

impl TryFrom<u16> for TargetComments {
    type Error = &'static str;

    fn try_from(comments: u16) -> Result<Self, Self::Error> {
        (1..=TARGET_MAX).contains(&comments).then_some(Self(comments)).ok_or("must be 1 to 100")
    }
}

/// A CPR to be begun.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CprDraft {
    /// Comments judged 6 or more that are to save the circle.
    pub target_comments: TargetComments,
}

/// A circle's last CPR, and how many it had in a week.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cpr {
    /// Of which circle.
    pub circle: CircleId,
    /// Which one.
    pub id: CprId,
    /// The post whose comments count.
    pub post: PostId,
    /// How many it takes.
    pub target: i64,
    /// How many there are.
    pub comments: i64,
    /// Until when they may be written.
    pub expires_at: Time,
    /// When it was over.
    pub resolved_at: Option<Time>,
    /// Whether it saved the circle.
    pub success: Option<bool>,
    /// The ISO week in which it began.
    pub week: String,
    /// The circle's CPRs in that week.
    pub in_week: i64,
    /// Whether it is over without success, and the members were not told yet.
    #[serde(default)]
    pub untold: bool,
}

/// A CPR that began.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CprBegun {
    /// Which one.
    pub session_id: CprId,
    /// Until when comments count: 24 hours later.
    pub expires_at: Time,
    /// The post that was made for it; comments on it count.
    pub post_id: PostId,
}

/// How a circle's CPR stands.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CprStatus {
    /// Whether one is under way. The other fields are then its own, else those of the last one.
    pub active: bool,
    /// Comments judged 6 or more so far.
    #[schema(example = 3)]
    pub current_comments: i64,
    /// Comments that it takes.
    #[schema(example = 5)]
    pub target_comments: i64,
    /// Seconds that are left; 0 when none is under way.
    #[schema(example = 86400)]
    pub time_left: i64,
    /// When it ends, or ended at the latest; null when there never was one.
    pub expires_at: Option<Time>,
    /// The post whose comments count.
    pub post_id: Option<PostId>,
    /// Whether the last one saved the circle; null while one is under way.
    pub success: Option<bool>,
}

/// A message to the CPR check.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum CprJob {
    /// It is time to look.
    Check,
    /// Some of those that are over.
    Page {
        /// Of which shard.
        shard: u8,
        /// The last one of the page before; none at first.
        after: Option<String>,
    },
}

/// Begins a CPR. 4 calls and an event: 6 RRU, 12 WRU.
///
/// # Errors
/// [`Error::NotFound`] for no such circle; [`Error::Forbidden`] for who is not its owner or administrator;
/// [`Error::Conflict`] while one is under way; [`Error::Invalid`] from 10 % of the HP on, and where the
/// week's are used up.
pub async fn begin(
    app: &App,
    caller: UserId,
    circle: CircleId,
    draft: CprDraft,
    once: &Once,
) -> Result<CprBegun> {
    if let Some(earlier) = once.earlier(app, &caller.to_string()).await? {
        return Ok(earlier);
    }
    let granted = permissions::require(app, circle, caller, Permission::StartCpr).await?;
    for _ in 0..TRIES {
        let patient = Patient::of(app, circle).await?;
        let cpr = patient.cpr(app, draft)?;
        let writes = patient.steps(app, granted, &cpr).await?;
        let begun = CprBegun { session_id: cpr.id, expires_at: cpr.expires_at, post_id: cpr.post };
        match once.commit(app, &caller.to_string(), writes, begun).await {
            Err(Error::Conflict(_)) => continue,
            begun => {
                let begun = begun?;
                cpr.tell_begun(app).await?;
                return Ok(begun);
            }
        }
    }
    Err(MEANWHILE)
}

/// How a circle's CPR stands. 1 call, 3 RRU.
///
/// # Errors
/// [`Error::NotFound`] for no such circle, or one that died.
pub async fn status(app: &App, circle: CircleId) -> Result<CprStatus> {
    let Patient { before, .. } = Patient::of(app, circle).await?;
    Ok(before.map(|it| it.status(app.now())).unwrap_or_default())
}

/// Ends what is over and did not succeed, and tells; again changes nothing. A page: 25 of them, 2 calls, 4 WRU
/// and an event each.
///
/// # Errors
/// Internal: the message comes again.
pub async fn check(app: &App, job: CprJob) -> Result<()> {
    match job {
        CprJob::Check => {
            due::begin::<Cpr, _>(app, Due::Cpr, |shard| CprJob::Page { shard, after: None }).await
        }
        CprJob::Page { shard, after } => {
            let next = |after| CprJob::Page { shard, after: Some(after) };
            due::page(app, (Due::Cpr, shard), after, next, |it| fail(app, it)).await
        }
    }
}

async fn fail(app: &App, cpr: Cpr) -> Result<()> {
    let now = app.now();
    let failed = Cpr { resolved_at: Some(now), success: Some(false), untold: true, ..cpr.clone() };
    if !cpr.untold {
        match app.table.write(failed.step(&cpr)).await {
            // It succeeded, or another began.
            Err(Error::Conflict(_)) => return Ok(()),
            done => done?,
        }
    }
    let (circle_id, session_id) = (cpr.circle, cpr.id);
    app.events.publish(&CprResolved { circle_id, session_id, success: false, created_at: now }).await?;
    match app.table.write(Cpr { untold: false, ..failed }.told()).await {
        Err(Error::Conflict(_)) => Ok(()),
        done => done,
    }
}

/// A living circle, as it is when a CPR is asked for.
struct Patient {
    name: CircleName,
    energy: Energy,
    before: Option<Cpr>,
}

impl Patient {
    /// 1 call, 3 RRU.
    async fn of(app: &App, id: CircleId) -> Result<Self> {
        let keys = [circle::key(id), energy_key(id), key(id)];
        let mut found = app.table.get_together(&keys).await?;
        let [circle, energy, cpr] = keys;
        Ok(Self {
            name: found.take::<Circle>(&circle)?.filter(Circle::lives).ok_or(NO_CIRCLE)?.name,
            energy: found.take(&energy)?.ok_or(NO_CIRCLE)?,
            before: found.take(&cpr)?,
        })
    }

    /// The CPR that it may have now.
    fn cpr(&self, app: &App, draft: CprDraft) -> Result<Cpr> {
        let (now, week) = (app.now(), app.now().week());
        if self.before.as_ref().is_some_and(|it| it.is_active(now)) {
            return Err(ACTIVE);
        }
        if self.energy.stage() != Stage::Dying {
            return Err(Error::Invalid("CPR is for circles below 10 % of their HP".into()));
        }
        let had = self.before.as_ref().filter(|it| it.week == week).map_or(0, |it| it.in_week);
        if had >= self.energy.level().cprs_per_week() {
            return Err(Error::Invalid("this circle has had all the CPR of its week".into()));
        }
        Ok(Cpr {
            circle: self.energy.circle,
            id: app.ids.next(now),
            post: app.ids.next(now),
            target: draft.target_comments.0.into(),
            comments: 0,
            expires_at: now.plus_seconds(WINDOW_SECONDS),
            resolved_at: None,
            success: None,
            week,
            in_week: had + 1,
            untold: false,
        })
    }

    /// 1 call more, for who begins it.
    async fn steps(&self, app: &App, granted: Granted, cpr: &Cpr) -> Result<Vec<Write>> {
        let user = users::find(app, granted.user()).await?.ok_or(Error::NotFound("user"))?;
        let call = format!(
            "{} is dying. {} comments of depth, here and within 24 hours, will save it.",
            self.name, cpr.target
        );
        let post = CirclePost {
            id: cpr.post,
            circle: cpr.circle,
            kind: CirclePostKind::Cpr,
            author: user.id,
            user: user.card(),
            content: Content::try_from(call).map_err(|why| Error::internal(anyhow::anyhow!(why)))?,
            parent: None,
            thread: None,
            judged: None,
            created_at: app.now(),
        };
        let write = Write::put(cpr).or(MEANWHILE);
        let write = match &self.before {
            Some(before) => write.equals("id", before.id),
            None => write.absent(),
        };
        Ok(vec![write, Write::create(&post), self.energy.still(), granted.still()])
    }
}

impl Cpr {
    /// Whether comments count now.
    pub fn is_active(&self, now: Time) -> bool {
        self.resolved_at.is_none() && now < self.expires_at
    }

    /// Whether a comment counts: written below its post, before the end.
    pub(super) fn counts(&self, post: &CirclePost) -> bool {
        let below = post.thread.is_some_and(|it| it.post == self.post);
        below && self.resolved_at.is_none() && post.created_at < self.expires_at
    }

    /// With a comment more; the last one that it takes is its success.
    pub(super) fn with_one_more(&self, now: Time) -> Self {
        let comments = self.comments + 1;
        let success = (comments >= self.target).then_some(true);
        Self { comments, success, resolved_at: success.map(|_| now), ..self.clone() }
    }

    /// What its success gives: half of the HP, and EXP.
    pub(super) fn survival(&self, energy: &Energy) -> Change {
        let missing = (energy.max_hp() / 2 - energy.hp).max(0);
        Change::survival(self.id, missing, SURVIVAL_EXP)
    }

    /// The step from what was read to this; refused with a conflict when it is no longer so.
    pub(super) fn step(&self, before: &Self) -> Write {
        let write = Write::placing(self).set("comments", self.comments);
        let write =
            write.set_or_remove("resolvedAt", self.resolved_at).set_or_remove("success", self.success);
        let write = write.set("untold", self.untold);
        let write = write.equals("id", before.id).equals("comments", before.comments);
        write.lacks("resolvedAt").or(MEANWHILE)
    }

    /// The step by which its end is told; refused with a conflict when another began.
    fn told(&self) -> Write {
        Write::placing(self).set("untold", false).equals("id", self.id).or(MEANWHILE)
    }

    fn status(&self, now: Time) -> CprStatus {
        let active = self.is_active(now);
        CprStatus {
            active,
            current_comments: self.comments,
            target_comments: self.target,
            time_left: if active { self.expires_at.seconds_since(now) } else { 0 },
            expires_at: Some(self.expires_at),
            post_id: Some(self.post),
            success: if active { None } else { Some(self.success.unwrap_or(false)) },
        }
    }

    async fn tell_begun(&self, app: &App) -> Result<()> {
        let begun = CprStarted {
            circle_id: self.circle,
            session_id: self.id,
            post_id: self.post,
            target_comments: self.target,
            expires_at: self.expires_at,
        };
        app.events.publish(&begun).await
    }
}

/// Where a circle's CPR is.
pub(super) fn key(circle: CircleId) -> Key {
    Key::new(circle::pk(circle), "CPR")
}

/// `CIRCLE#id / CPR`, while it is not over and told gsi3 `DUE#CPR#shard` / its end and circle
impl Row for Cpr {
    fn key(&self) -> Key {
        key(self.circle)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let open = self.resolved_at.is_none() || self.untold;
        open.then(|| (Index::Three, Due::Cpr.place(self.circle, self.expires_at))).into_iter().collect()
    }
}

impl Job for CprJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.cpr_check, "CPR_CHECK_QUEUE_URL")
    }
}
