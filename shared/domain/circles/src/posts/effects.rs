//! The effects of the first verdict on a post: energy, CPR, quests and the reward.

use base::PostId;
use judge::Grade;
use platform::{App, Result, Time, Write, outcomes::note};
use quests::{FirstPost, JudgedGoal};

use super::{
    CirclePost, Judged, Thread,
    bands::hp_and_exp,
    find,
    reward::{self, Reward},
    verdicts,
};
use crate::{
    Change, Energy, EnergyReason, Transition,
    cpr::{self, Cpr},
    energy_key, transition_writes,
};

/// Minimum score for a comment to count for a CPR and for the quest `DeepComment`.
pub(super) const DEEP_SCORE_MIN: u8 = 6;
/// Minimum score for a post to count for the quest `QualityPost`.
const QUALITY_SCORE_MIN: u8 = 7;
/// Minimum score for a comment to count for the quest `HelpOthers`.
const HELPFUL_SCORE_MIN: u8 = 5;

/// The rows that the effects of a verdict depend on.
pub(super) struct JudgeContext {
    pub(super) post: CirclePost,
    /// The circle's energy, or `None` if the circle is dead.
    pub(super) energy: Option<Energy>,
    pub(super) cpr: Option<Cpr>,
    is_first_of_day: bool,
    /// Whether the circle rewarded the same text within the last hour.
    is_repeated: bool,
}

impl JudgeContext {
    pub(super) async fn of(app: &App, id: PostId) -> Result<Self> {
        let post = find(app, id).await?;
        let first = quests::first_post_key(post.author, &post.created_at.day());
        let (energy, cpr) = (energy_key(post.circle), cpr::key(post.circle));
        let reward = reward::key(post.circle, &verdicts::hash(&post.content));
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

    /// Returns the writes that store the first verdict and its effects on energy, CPR, quests and reward. The
    /// transaction fails if one of these rows changed after it was read.
    pub(super) async fn verdict_writes(&self, app: &App, grade: Grade) -> Result<Vec<Write>> {
        let (now, score) = (app.now(), grade.score.whole());
        let is_rewarded = hp_and_exp(grade.score).0 > 0 && !self.is_repeated;
        let cpr = self.cpr.as_ref().filter(|cpr| {
            is_rewarded && self.energy.is_some() && score >= DEEP_SCORE_MIN && cpr.counts(&self.post)
        });
        let counted = cpr.map(|cpr| cpr.with_comment(now));
        let transition = self.transition(app, &grade, counted.as_ref())?;
        let judged = judged(grade, transition.as_ref(), counted.as_ref(), now);
        let mut writes = vec![CirclePost { judged: Some(judged), ..self.post.clone() }.verdict_write()];
        match &transition {
            Some(transition) => writes.extend(transition_writes(app, transition).await?),
            // This check fails if the circle died or started a CPR after the read.
            None => writes.extend(self.energy.as_ref().map(Energy::check_unchanged_write)),
        }
        writes.extend(cpr.zip(counted).map(|(before, after)| after.progress_write(before)));
        if is_rewarded {
            writes.extend(self.achievement_writes(score));
            writes.push(Reward::of(&self.post, now).reward_write());
        }
        Ok(writes)
    }

    /// Returns the transition of HP and EXP for the score. If this comment completes the CPR, includes the change for
    /// the success of the CPR. Returns `None` if the score does not affect HP, the text was already rewarded, or the
    /// circle is dead.
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

    /// Returns the writes that count the post toward its author's quests.
    fn achievement_writes(&self, score: u8) -> Vec<Write> {
        let post = &self.post;
        let deep = score >= DEEP_SCORE_MIN && post.thread.is_some();
        let deep = deep.then_some((JudgedGoal::DeepComment, post.id));
        let quality = score >= QUALITY_SCORE_MIN && self.is_first_of_day;
        let quality = quality.then_some((JudgedGoal::QualityPost, post.id));
        let is_helpful = |thread: &Thread| score >= HELPFUL_SCORE_MIN && thread.author != post.author;
        let helpful = post.thread.filter(is_helpful).map(|thread| (JudgedGoal::HelpOthers, thread.post));
        let write = |(goal, target)| quests::achievement_write(post.author, goal, target, post.created_at);
        [deep, quality, helpful].into_iter().flatten().map(write).collect()
    }
}

/// Returns the verdict and its effects. `cpr` is the CPR after it counted the comment, or `None` if the comment does
/// not count.
fn judged(grade: Grade, transition: Option<&Transition>, cpr: Option<&Cpr>, judged_at: Time) -> Judged {
    let (hp_delta, exp_delta) = transition.map_or((0, 0), Transition::first_delta);
    Judged {
        grade,
        hp_delta,
        exp_delta,
        condition_changed: transition.is_some_and(Transition::changes_condition),
        saved: cpr.filter(|cpr| cpr.resolved_at.is_some()).map(|cpr| cpr.id),
        counted_for: cpr.map(|cpr| cpr.id),
        judged_at,
    }
}
