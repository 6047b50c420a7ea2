//! Judging what was written: a verdict once, and all that follows from it in the same transaction.

use platform::decode::decode;
use platform::{
    App,
    error::{Error, Result},
    queues::Job,
    settings::{QueueUrls, required},
    signatures,
    table::Write,
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CirclePost, Judged, Thread, checks, find, row::worth, verdicts};
use crate::{
    circles::{
        Change, Changed, CprResolved, Energy,
        cpr::{self, Cpr},
        energy_key,
    },
    ids::PostId,
    moderation::judge::{Category, Flag, Grade, Remark, Score},
    quests::{self, FirstPost, JudgedGoal},
};

const TRIES: usize = 16;
const JUDGED: Error = Error::Conflict("this post was judged meanwhile");
const DEEP_FROM: u8 = 6;
const QUALITY_FROM: u8 = 7;
const HELPFUL_FROM: u8 = 5;
/// The header of the signature of an external judge.
const SIGNATURE_HEADER: &str = "x-internal-signature";

/// A message to the circles' judge.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum JudgeJob {
    /// Something was written.
    Judge {
        /// Which post.
        post: PostId,
    },
}

/// What a judge elsewhere found.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExternalVerdict {
    /// Of which post.
    pub post_id: PostId,
    /// How good it is.
    pub score: Score,
    /// What kind of text it is.
    pub category: Category,
    /// Why.
    pub reason: Remark,
    /// What else is to be said.
    #[serde(default)]
    #[schema(required = false)]
    pub flags: Vec<Flag>,
}

/// What became of a verdict.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Applied {
    /// Whether it is the post's verdict now: not when there was one before.
    pub applied: bool,
}

/// Judges a post; again changes nothing. 6 calls and one to the judge, 6 RRU, 20 WRU; without the judge 4 calls.
///
/// # Errors
/// Internal only: the judge did not answer, or not in its form; the queue tries again.
pub async fn judge(app: &App, JudgeJob::Judge { post }: JudgeJob) -> Result<()> {
    let post = match find(app, post).await {
        // Purged with its circle.
        Err(Error::NotFound(_)) => return Ok(()),
        post => post?,
    };
    if post.is_done() {
        return republish(app, &post).await;
    }
    let grade = match checks::grade(&post.content) {
        Some(grade) => grade,
        None => verdicts::grade(app, &post.content).await?,
    };
    apply(app, post.id, grade).await.map(drop)
}

/// Takes the verdict of a judge elsewhere, signed in `x-internal-signature`. 3 calls, 5 RRU, 19 WRU.
///
/// # Errors
/// [`Error::Unauthenticated`] without a fresh and valid signature, before the body is even looked at;
/// [`Error::Invalid`]; [`Error::NotFound`] for no such post of a circle.
pub async fn receive(app: &App, headers: &http::HeaderMap, body: &[u8]) -> Result<Applied> {
    let secret = required(&app.settings.internal_secret, "INTERNAL_SECRET")?;
    signatures::verify(app, secret, headers.get(SIGNATURE_HEADER), body).await?;
    let json = serde_json::from_slice(body).map_err(|_| Error::invalid("body", "must be JSON"))?;
    let ExternalVerdict { post_id, score, category, reason, flags } = decode(json)?;
    apply(app, post_id, Grade { score, category, reason, flags }).await
}

/// Gives a post its verdict, unless it has one.
async fn apply(app: &App, id: PostId, grade: Grade) -> Result<Applied> {
    for _ in 0..TRIES {
        let case = Case::of(app, id).await?;
        if case.post.is_done() {
            republish(app, &case.post).await?;
            return Ok(Applied { applied: false });
        }
        let outcome = case.outcome(grade.clone(), app.now())?;
        match app.table.transact(outcome.steps(app, &case).await?).await {
            Err(Error::Conflict(_)) => continue,
            done => done?,
        }
        outcome.publish(app).await?;
        return Ok(Applied { applied: true });
    }
    Err(Error::internal(anyhow::anyhow!("a circle kept changing while a post was judged")))
}

/// What a verdict depends on beside itself.
struct Case {
    post: CirclePost,
    /// None once the circle died.
    energy: Option<Energy>,
    cpr: Option<Cpr>,
    first_of_day: bool,
}

/// What a verdict comes to.
struct Outcome {
    post: CirclePost,
    changed: Option<Changed>,
    /// The CPR that a comment counts for, as it is with it.
    cpr: Option<Cpr>,
    goals: Vec<(JudgedGoal, PostId)>,
}

impl Case {
    /// 2 calls, 1 RRU for each row.
    async fn of(app: &App, id: PostId) -> Result<Self> {
        let post = find(app, id).await?;
        let first = quests::first_post_key(post.author, post.created_at);
        let (energy, cpr) = (energy_key(post.circle), cpr::key(post.circle));
        let mut found = app.table.get_together(&[energy.clone(), cpr.clone(), first.clone()]).await?;
        Ok(Self {
            energy: found.take::<Energy>(&energy)?.filter(|it| it.died_at.is_none()),
            cpr: found.take(&cpr)?,
            first_of_day: found.take::<FirstPost>(&first)?.is_some_and(|it| it.post == post.id),
            post,
        })
    }

    fn outcome(&self, grade: Grade, now: Time) -> Result<Outcome> {
        let Some(energy) = &self.energy else {
            let post = CirclePost { judged: Some(Judged::in_vain(grade, now)), ..self.post.clone() };
            return Ok(Outcome { post, changed: None, cpr: None, goals: Vec::new() });
        };
        let whole = grade.score.whole();
        let cpr = self.cpr.as_ref().filter(|it| whole >= DEEP_FROM && it.counts(&self.post));
        let cpr = cpr.map(|it| it.with_one_more(now));
        let changed = self.change(energy, &grade, cpr.as_ref(), now)?;
        let judged = Judged {
            hp_delta: changed.as_ref().map_or(0, |it| it.delta(self.post.id).0),
            exp_delta: changed.as_ref().map_or(0, |it| it.delta(self.post.id).1),
            turned: changed.as_ref().is_some_and(Changed::turns),
            saved: cpr.as_ref().filter(|it| it.resolved_at.is_some()).map(|it| it.id),
            grade,
            judged_at: now,
        };
        let post = CirclePost { judged: Some(judged), ..self.post.clone() };
        Ok(Outcome { post, changed, cpr, goals: self.goals(whole) })
    }

    /// What the score gives or takes, and what a CPR that succeeds by it gives.
    fn change(
        &self,
        energy: &Energy,
        grade: &Grade,
        cpr: Option<&Cpr>,
        now: Time,
    ) -> Result<Option<Changed>> {
        let (hp, exp) = worth(grade.score);
        if (hp, exp) == (0, 0) {
            return Ok(None);
        }
        let changed = energy.changed(&Change::judged(self.post.author, self.post.id, hp, exp), now)?;
        match cpr.filter(|it| it.success == Some(true)) {
            Some(cpr) => {
                let survival = cpr.survival(&changed.after);
                changed.and(&survival, now).map(Some)
            }
            None => Ok(Some(changed)),
        }
    }

    /// What it counts for on the day on which it was written.
    fn goals(&self, whole: u8) -> Vec<(JudgedGoal, PostId)> {
        let others = self.post.thread.filter(|it| it.author != self.post.author);
        let deep = (whole >= DEEP_FROM && self.post.thread.is_some())
            .then_some((JudgedGoal::DeepComment, self.post.id));
        let quality =
            (whole >= QUALITY_FROM && self.first_of_day).then_some((JudgedGoal::QualityPost, self.post.id));
        let helpful = others.filter(|_| whole >= HELPFUL_FROM);
        let helpful = helpful.map(|Thread { post, .. }| (JudgedGoal::HelpOthers, post));
        [deep, quality, helpful].into_iter().flatten().collect()
    }
}

impl Outcome {
    /// The verdict, the circle's energy with its log, the CPR, the quests: together or not at all.
    async fn steps(&self, app: &App, case: &Case) -> Result<Vec<Write>> {
        let mut steps = vec![self.post.verdict().or(JUDGED)];
        match &self.changed {
            Some(changed) => steps.extend(changed.with_stone(app).await?),
            // A circle that died meanwhile, or came to have a CPR, is another case.
            None => steps.extend(case.energy.as_ref().map(Energy::still)),
        }
        if let (Some(before), Some(after)) = (&case.cpr, &self.cpr) {
            steps.push(after.step(before));
        }
        let achieved = |(goal, target): &(JudgedGoal, PostId)| {
            quests::achievement_write(self.post.author, *goal, *target, self.post.created_at)
        };
        steps.extend(self.goals.iter().map(achieved));
        Ok(steps)
    }

    async fn publish(&self, app: &App) -> Result<()> {
        if let Some(changed) = &self.changed {
            changed.publish(app).await?;
        }
        saved(app, &self.post).await
    }
}

/// What may not have been published, because the work ended after the verdict.
async fn republish(app: &App, post: &CirclePost) -> Result<()> {
    if !post.judged.as_ref().is_some_and(|it| it.turned) {
        return Ok(());
    }
    if let Some(energy) = app.table.get::<Energy>(&energy_key(post.circle)).await? {
        energy.publish(app, energy.condition()).await?;
    }
    saved(app, post).await
}

/// Tells that a CPR succeeded by this post, if one did.
async fn saved(app: &App, post: &CirclePost) -> Result<()> {
    let judged = post.judged.as_ref().and_then(|it| Some((it.saved?, it.judged_at)));
    let Some((session_id, created_at)) = judged else { return Ok(()) };
    let resolved = CprResolved { circle_id: post.circle, session_id, success: true, created_at };
    app.events.publish(&resolved).await
}

impl Job for JudgeJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.circle_judge, "CIRCLE_JUDGE_QUEUE_URL")
    }
}
