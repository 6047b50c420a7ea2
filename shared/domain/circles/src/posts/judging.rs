//! Judges posts. Each post gets one verdict. One transaction writes the verdict and all its effects.

use base::ids::PostId;
use judge::{Category, Flag, Grade, Remark, Score};
use platform::{
    App,
    decode::decode,
    error::{Error, Result},
    outcomes::{self, note},
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
    row::hp_and_exp,
    verdicts,
};
use crate::{
    Change, Energy, EnergyReason, Transition,
    cpr::{self, Cpr},
    energy_key, transition_writes,
};

/// Minimum score for a comment to count for a CPR and for the quest `DeepComment`.
const DEEP_SCORE_MIN: u8 = 6;
/// Minimum score for a post to count for the quest `QualityPost`.
const QUALITY_SCORE_MIN: u8 = 7;
/// Minimum score for a comment to count for the quest `HelpOthers`.
const HELPFUL_SCORE_MIN: u8 = 5;
/// The HTTP header with an external judge's signature.
const SIGNATURE_HEADER: &str = "x-internal-signature";

/// A message to the worker that judges posts in circles.
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
    /// The judged post.
    pub post_id: PostId,
    /// The score.
    pub score: Score,
    /// The category of the text.
    pub category: Category,
    /// The reason for the score, in one sentence.
    pub reason: Remark,
    /// The problems of the text. Default: none.
    #[serde(default)]
    #[schema(required = false)]
    pub flags: Vec<Flag>,
}

/// The response to a verdict.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Applied {
    /// Whether the verdict was applied. False if the post already had a verdict.
    pub applied: bool,
}

/// Judges a post. Repeating a job has no effect.
pub async fn judge(app: &App, JudgeJob::Judge { post }: JudgeJob) -> Result<()> {
    let post = match find(app, post).await {
        // The post was deleted, or was purged with its circle.
        Err(Error::NotFound(_)) => return outcomes::end("the post is gone"),
        post => post?,
    };
    if post.is_done() {
        return outcomes::end("repeated");
    }
    let grade = match checks::grade(&post.content) {
        Some(grade) => grade,
        None => verdicts::grade(app, &post.content).await?,
    };
    apply(app, post.id, grade, Some(&post.content)).await.map(drop)
}

/// Applies the verdict of an external judge. The header `x-internal-signature` contains the signature.
///
/// # Errors
/// - [`Error::Unauthenticated`] without a recent and valid signature. This is checked before the body is parsed.
/// - [`Error::Invalid`] if the body is not a verdict.
/// - [`Error::NotFound`] if the post does not exist in any circle.
pub async fn receive(app: &App, headers: &http::HeaderMap, body: &[u8]) -> Result<Applied> {
    let secret = required(&app.settings.internal_secret, "INTERNAL_SECRET")?;
    signatures::verify(app, secret, headers.get(SIGNATURE_HEADER), body).await?;
    let json = serde_json::from_slice(body).map_err(|_| Error::invalid("body", "must be JSON"))?;
    let ExternalVerdict { post_id, score, category, reason, flags } = decode(json)?;
    apply(app, post_id, Grade { score, category, reason, flags }, None).await
}

/// Applies a verdict, unless the post has a verdict or its text is no longer `text`. An edit of the text sends a new
/// job.
async fn apply(app: &App, id: PostId, grade: Grade, text: Option<&Content>) -> Result<Applied> {
    retry_on_conflict(async || {
        let context = JudgeContext::of(app, id).await?;
        if context.post.is_done() || text.is_some_and(|text| *text != context.post.content) {
            note("the post changed");
            return Ok(Applied { applied: false });
        }
        let effects = context.effects(app, grade.clone())?;
        app.table.transact(effects.effect_writes(app, &context).await?).await?;
        Ok(Applied { applied: true })
    })
    .await
}

/// The rows that the effects of a verdict depend on.
struct JudgeContext {
    post: CirclePost,
    /// The circle's energy, or `None` if the circle is dead.
    energy: Option<Energy>,
    cpr: Option<Cpr>,
    is_first_of_day: bool,
    /// Whether the circle rewarded the same text within the last hour.
    is_repeated: bool,
}

/// The effects of a verdict.
struct Effects {
    post: CirclePost,
    transition: Option<Transition>,
    /// The CPR after it counted this comment, or `None` if the comment does not count.
    cpr: Option<Cpr>,
    goals: Vec<(JudgedGoal, PostId)>,
    /// Whether the score adds HP, and the circle has not rewarded the same text within the last hour.
    is_rewarded: bool,
}

impl JudgeContext {
    async fn of(app: &App, id: PostId) -> Result<Self> {
        let post = find(app, id).await?;
        let first = quests::first_post_key(post.author, post.created_at);
        let (energy, cpr) = (energy_key(post.circle), cpr::key(post.circle));
        let reward = reward::key(post.circle, &post.content);
        let keys = [energy.clone(), cpr.clone(), first.clone(), reward.clone()];
        let mut found = app.table.get_together(&keys).await?;
        Ok(Self {
            energy: found.take::<Energy>(&energy)?.filter(|energy| energy.died_at.is_none()),
            cpr: found.take(&cpr)?,
            is_first_of_day: found.take::<FirstPost>(&first)?.is_some_and(|first| first.post == post.id),
            is_repeated: found.take::<Reward>(&reward)?.is_some_and(|reward| reward.is_active(app.now())),
            post,
        })
    }

    fn effects(&self, app: &App, grade: Grade) -> Result<Effects> {
        let (now, score) = (app.now(), grade.score.whole());
        let is_rewarded = hp_and_exp(grade.score).0 > 0 && !self.is_repeated;
        let cpr = self.cpr.as_ref().filter(|cpr| {
            is_rewarded && self.energy.is_some() && score >= DEEP_SCORE_MIN && cpr.counts(&self.post)
        });
        let cpr = cpr.map(|it| it.with_comment(now));
        let transition = self.transition(app, &grade, cpr.as_ref())?;
        let (hp_delta, exp_delta) = transition.as_ref().map_or((0, 0), Transition::first_delta);
        let judged = Judged {
            hp_delta,
            exp_delta,
            condition_changed: transition.as_ref().is_some_and(Transition::changes_condition),
            saved: cpr.as_ref().filter(|cpr| cpr.resolved_at.is_some()).map(|cpr| cpr.id),
            grade,
            judged_at: now,
        };
        let post = CirclePost { judged: Some(judged), ..self.post.clone() };
        let goals = if is_rewarded { self.goals(score) } else { Vec::new() };
        Ok(Effects { post, transition, cpr, goals, is_rewarded })
    }

    /// Returns the changes for the score, and for a CPR that succeeds with this comment. Returns `None` if the score
    /// does not affect HP, if the text was already rewarded, or if the circle is dead.
    fn transition(&self, app: &App, grade: &Grade, cpr: Option<&Cpr>) -> Result<Option<Transition>> {
        let (now, (hp, exp)) = (app.now(), hp_and_exp(grade.score));
        let Some(energy) = self.energy.as_ref() else {
            note("the circle is dead");
            return Ok(None);
        };
        if hp == 0 || hp > 0 && self.is_repeated {
            note("the energy stays the same");
            return Ok(None);
        }
        let change = Change::by(self.post.author, app.ids.next(now), EnergyReason::PostQuality, hp, exp);
        let transition = change.apply(energy, now)?;
        match cpr.filter(|cpr| cpr.success == Some(true)) {
            Some(_) => {
                note("a CPR succeeded");
                let survival = Cpr::survival(&transition.after, app.ids.next(now));
                transition.and(&survival, now).map(Some)
            }
            None => Ok(Some(transition)),
        }
    }

    /// Returns the quest goals that the author achieves, each with the post that counts as its target.
    fn goals(&self, score: u8) -> Vec<(JudgedGoal, PostId)> {
        let deep = score >= DEEP_SCORE_MIN && self.post.thread.is_some();
        let deep = deep.then_some((JudgedGoal::DeepComment, self.post.id));
        let quality = score >= QUALITY_SCORE_MIN && self.is_first_of_day;
        let quality = quality.then_some((JudgedGoal::QualityPost, self.post.id));
        let is_helpful = |thread: &Thread| score >= HELPFUL_SCORE_MIN && thread.author != self.post.author;
        let helpful = self.post.thread.filter(is_helpful).map(|thread| (JudgedGoal::HelpOthers, thread.post));
        [deep, quality, helpful].into_iter().flatten().collect()
    }
}

impl Effects {
    /// Returns the writes of the verdict, the circle's energy and log, the CPR, the quests and the reward. The
    /// transaction fails if one of these rows changed after it was read.
    async fn effect_writes(&self, app: &App, context: &JudgeContext) -> Result<Vec<Write>> {
        let mut writes = vec![self.post.verdict_write()];
        match &self.transition {
            Some(transition) => writes.extend(transition_writes(app, transition).await?),
            // Fails if the circle died or started a CPR after the read.
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
