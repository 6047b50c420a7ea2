//! The verdict on an edited post. The new verdict can only lower the earlier score.

use judge::Grade;
use platform::{App, Result, Write};

use super::{
    CirclePost, Judged,
    bands::hp_and_exp,
    effects::{DEEP_SCORE_MIN, JudgeContext},
};
use crate::{Change, EnergyReason, Transition, cpr::Cpr, transition_writes};

/// Returns the writes of a verdict on a post that was edited after the verdict `earlier`.
///
/// If the new score is lower, the post gets the new grade. The circle then loses the difference of HP and EXP. A
/// comment that is no longer good does not count for an active CPR. Otherwise, the earlier grade stays. The transaction
/// fails if a row changed after it was read, so each edit is applied once.
pub(super) async fn verdict_writes(
    app: &App,
    context: &JudgeContext,
    earlier: &Judged,
    grade: Grade,
) -> Result<Vec<Write>> {
    if grade.score >= earlier.grade.score {
        return Ok(vec![context.post.verdict_write()]);
    }
    let transition = loss(app, context, earlier, &grade)?;
    let cpr = context.cpr.as_ref().filter(|cpr| loses_comment(app, cpr, earlier, &grade));
    let (hp, exp) = transition.as_ref().map_or((0, 0), Transition::first_delta);
    let judged = Judged {
        grade,
        hp_delta: earlier.hp_delta + hp,
        exp_delta: earlier.exp_delta + exp,
        condition_changed: transition.as_ref().is_some_and(Transition::changes_condition),
        counted_for: earlier.counted_for.filter(|_| cpr.is_none()),
        judged_at: app.now(),
        ..earlier.clone()
    };
    let post = CirclePost { judged: Some(judged), ..context.post.clone() };
    let mut writes = vec![post.verdict_write()];
    if let Some(transition) = &transition {
        writes.extend(transition_writes(app, transition).await?);
    }
    writes.extend(cpr.map(|cpr| cpr.without_comment().progress_write(cpr)));
    Ok(writes)
}

/// Returns the loss of HP and EXP: the difference between the earlier gain and the gain for the new grade. Returns
/// `None` if the circle loses nothing or is dead.
fn loss(app: &App, context: &JudgeContext, earlier: &Judged, grade: &Grade) -> Result<Option<Transition>> {
    let (hp, exp) = hp_and_exp(grade.score);
    let (hp, exp) = ((hp - earlier.hp_delta).min(0), (exp - earlier.exp_delta).min(0));
    let Some(energy) = context.energy.as_ref().filter(|_| (hp, exp) != (0, 0)) else { return Ok(None) };
    let (author, id) = (context.post.author, app.ids.next(app.now()));
    Change::by(author, id, EnergyReason::PostQuality, hp, exp).apply(energy, app.now()).map(Some)
}

fn loses_comment(app: &App, cpr: &Cpr, earlier: &Judged, grade: &Grade) -> bool {
    earlier.counted_for == Some(cpr.id) && grade.score.whole() < DEEP_SCORE_MIN && cpr.is_active(app.now())
}
