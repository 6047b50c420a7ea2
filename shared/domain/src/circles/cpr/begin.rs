//! A CPR begins.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    super::{
        Circle, CircleName, Energy, NO_CIRCLE, Permission, Stage, circle, energy_key,
        permissions::{self, Granted},
        posts::{CirclePost, CirclePostKind},
    },
    Cpr, MEANWHILE, key,
};
use crate::{
    circles::CprStarted,
    ids::{CircleId, CprId, PostId, UserId},
    people::users,
    posts::Content,
};

const TRIES: usize = 8;
const WINDOW_SECONDS: i64 = 24 * HOUR_SECONDS;
const TARGET_MAX: u16 = 100;
const ACTIVE: Error = Error::Conflict("a CPR is under way already");

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

/// A living circle, as it is when a CPR is asked for.
pub(super) struct Patient {
    name: CircleName,
    energy: Energy,
    pub(super) before: Option<Cpr>,
}

impl Patient {
    /// 1 call, 3 RRU.
    pub(super) async fn of(app: &App, id: CircleId) -> Result<Self> {
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
            unpublished: false,
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
            None => write.not_exists(),
        };
        Ok(vec![write, Write::create(&post), self.energy.still(), granted.still()])
    }
}

impl Cpr {
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
