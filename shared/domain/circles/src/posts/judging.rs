//! Judging posts: a post gets one verdict, and all its effects are in the same transaction.

use base::ids::PostId;
use judge::{Category, Flag, Grade, Remark, Score};
use platform::{
    App,
    decode::decode,
    error::{Error, Result},
    queues::{Job, QueueName},
    retry_on_conflict,
    settings::required,
    signatures,
    table::Write,
};
use posts::Content;
use quests::{FirstPost, JudgedGoal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    CirclePost, Judged, Thread, checks, find,
    reward::{self, Reward},
    row::worth,
    verdicts,
};
use crate::{
    Change, Energy, EnergyReason, Transition,
    cpr::{self, Cpr},
    energy_key, transition_writes,
};

/// The least score of a comment that counts for a CPR and for the quest `DeepComment`.
const DEEP_FROM: u8 = 6;
/// The least score of a post that counts for the quest `QualityPost`.
const QUALITY_FROM: u8 = 7;
/// The least score of a comment that counts for the quest `HelpOthers`.
const HELPFUL_FROM: u8 = 5;
/// The header with the signature of an external judge.
const SIGNATURE_HEADER: &str = "x-internal-signature";

/// A message to the circles' judge.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum JudgeJob {
    /// Judge a post or a comment.
    Judge {
        /// The post.
        post: PostId,
    },
}

/// The verdict of an external judge.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExternalVerdict {
    /// The post that was judged.
    pub post_id: PostId,
    /// How good it is.
    pub score: Score,
    /// What kind of text it is.
    pub category: Category,
    /// The reason for the score, in a sentence.
    pub reason: Remark,
    /// What else there is to remark; nothing by default.
    #[serde(default)]
    #[schema(required = false)]
    pub flags: Vec<Flag>,
}

/// The answer to a verdict.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Applied {
    /// Whether the verdict was applied; false when the post already had one.
    pub applied: bool,
}

/// Judges a post; the same job again changes nothing.
pub async fn judge(app: &App, JudgeJob::Judge { post }: JudgeJob) -> Result<()> {
    let post = match find(app, post).await {
        // The post was deleted, or purged with its circle.
        Err(Error::NotFound(_)) => return Ok(()),
        post => post?,
    };
    if post.is_done() {
        return Ok(());
    }
    let grade = match checks::grade(&post.content) {
        Some(grade) => grade,
        None => verdicts::grade(app, &post.content).await?,
    };
    apply(app, post.id, grade, Some(&post.content)).await.map(drop)
}

/// Applies the verdict of an external judge, signed in `x-internal-signature`.
///
/// # Errors
/// [`Error::Unauthenticated`] without a fresh and valid signature, before the body is parsed;
/// [`Error::Invalid`] for a body that is no verdict; [`Error::NotFound`] when no circle has such a post.
pub async fn receive(app: &App, headers: &http::HeaderMap, body: &[u8]) -> Result<Applied> {
    let secret = required(&app.settings.internal_secret, "INTERNAL_SECRET")?;
    signatures::verify(app, secret, headers.get(SIGNATURE_HEADER), body).await?;
    let json = serde_json::from_slice(body).map_err(|_| Error::invalid("body", "must be JSON"))?;
    let ExternalVerdict { post_id, score, category, reason, flags } = decode(json)?;
    apply(app, post_id, Grade { score, category, reason, flags }, None).await
}

/// Gives a post its verdict, unless it has one, or has another text than the one that was judged: then a job for that
/// one is under way.
async fn apply(app: &App, id: PostId, grade: Grade, text: Option<&Content>) -> Result<Applied> {
    retry_on_conflict(async || {
        let context = JudgeContext::of(app, id).await?;
        if context.post.is_done() || text.is_some_and(|it| *it != context.post.content) {
            return Ok(Applied { applied: false });
        }
        let effects = context.effects(app, grade.clone())?;
        app.table.transact(effects.effect_writes(app, &context).await?).await?;
        Ok(Applied { applied: true })
    })
    .await
}

/// What the effects of a verdict depend on.
struct JudgeContext {
    post: CirclePost,
    /// None once the circle died.
    energy: Option<Energy>,
    cpr: Option<Cpr>,
    is_first_of_day: bool,
    /// Whether the circle rewarded this text within the last hour.
    is_repeated: bool,
}

/// The effects of a verdict.
struct Effects {
    post: CirclePost,
    transition: Option<Transition>,
    /// The CPR with this comment, when the comment counts.
    cpr: Option<Cpr>,
    goals: Vec<(JudgedGoal, PostId)>,
    /// Whether the text is worth something for the first time within the hour.
    is_rewarded: bool,
}

impl JudgeContext {
    /// Reads the rows.
    async fn of(app: &App, id: PostId) -> Result<Self> {
        let post = find(app, id).await?;
        let first = quests::first_post_key(post.author, post.created_at);
        let (energy, cpr) = (energy_key(post.circle), cpr::key(post.circle));
        let reward = reward::key(post.circle, &post.content);
        let keys = [energy.clone(), cpr.clone(), first.clone(), reward.clone()];
        let mut found = app.table.get_together(&keys).await?;
        Ok(Self {
            energy: found.take::<Energy>(&energy)?.filter(|it| it.died_at.is_none()),
            cpr: found.take(&cpr)?,
            is_first_of_day: found.take::<FirstPost>(&first)?.is_some_and(|it| it.post == post.id),
            is_repeated: found.take::<Reward>(&reward)?.is_some_and(|it| it.holds(app.now())),
            post,
        })
    }

    fn effects(&self, app: &App, grade: Grade) -> Result<Effects> {
        let (now, score) = (app.now(), grade.score.whole());
        let is_rewarded = worth(grade.score).0 > 0 && !self.is_repeated;
        let cpr = self
            .cpr
            .as_ref()
            .filter(|it| is_rewarded && self.energy.is_some() && score >= DEEP_FROM && it.counts(&self.post));
        let cpr = cpr.map(|it| it.with_comment(now));
        let transition = self.transition(app, &grade, cpr.as_ref())?;
        let (hp_delta, exp_delta) = transition.as_ref().map_or((0, 0), Transition::first_delta);
        let judged = Judged {
            hp_delta,
            exp_delta,
            condition_changed: transition.as_ref().is_some_and(Transition::changes_condition),
            saved: cpr.as_ref().filter(|it| it.resolved_at.is_some()).map(|it| it.id),
            grade,
            judged_at: now,
        };
        let post = CirclePost { judged: Some(judged), ..self.post.clone() };
        let goals = if is_rewarded { self.goals(score) } else { Vec::new() };
        Ok(Effects { post, transition, cpr, goals, is_rewarded })
    }

    /// The change by the score, and by the CPR that succeeds with this comment. None for a score without worth, for a
    /// text that was rewarded already, and for a circle that died.
    fn transition(&self, app: &App, grade: &Grade, cpr: Option<&Cpr>) -> Result<Option<Transition>> {
        let (now, (hp, exp)) = (app.now(), worth(grade.score));
        let Some(energy) = self.energy.as_ref().filter(|_| hp < 0 || hp > 0 && !self.is_repeated) else {
            return Ok(None);
        };
        let change = Change::by(self.post.author, app.ids.next(now), EnergyReason::PostQuality, hp, exp);
        let transition = change.apply(energy, now)?;
        match cpr.filter(|it| it.success == Some(true)) {
            Some(_) => {
                let survival = Cpr::survival(&transition.after, app.ids.next(now));
                transition.and(&survival, now).map(Some)
            }
            None => Ok(Some(transition)),
        }
    }

    /// The goals of daily quests that the author achieves, each with the post that it counts for.
    fn goals(&self, score: u8) -> Vec<(JudgedGoal, PostId)> {
        let deep = score >= DEEP_FROM && self.post.thread.is_some();
        let deep = deep.then_some((JudgedGoal::DeepComment, self.post.id));
        let quality = score >= QUALITY_FROM && self.is_first_of_day;
        let quality = quality.then_some((JudgedGoal::QualityPost, self.post.id));
        let of_other = |it: &Thread| score >= HELPFUL_FROM && it.author != self.post.author;
        let helpful = self.post.thread.filter(of_other).map(|it| (JudgedGoal::HelpOthers, it.post));
        [deep, quality, helpful].into_iter().flatten().collect()
    }
}

impl Effects {
    /// Writes the verdict, the circle's energy and log, the CPR, the quests and the reward. Fails when one of them
    /// changed since it was read.
    async fn effect_writes(&self, app: &App, context: &JudgeContext) -> Result<Vec<Write>> {
        let mut writes = vec![self.post.verdict_write()];
        match &self.transition {
            Some(transition) => writes.extend(transition_writes(app, transition).await?),
            // The circle must not have died or begun a CPR since it was read.
            None => writes.extend(context.energy.as_ref().map(Energy::check_unchanged_write)),
        }
        if let (Some(before), Some(after)) = (&context.cpr, &self.cpr) {
            writes.push(after.progress_write(before));
        }
        let achieved = |(goal, target): &(JudgedGoal, PostId)| {
            quests::achievement_write(self.post.author, *goal, *target, self.post.created_at)
        };
        writes.extend(self.goals.iter().map(achieved));
        writes.extend(self.is_rewarded.then(|| Reward::of(&self.post, app.now()).reward_write()));
        Ok(writes)
    }
}

impl Job for JudgeJob {
    fn queue(&self) -> QueueName {
        QueueName::CircleJudge
    }
}
