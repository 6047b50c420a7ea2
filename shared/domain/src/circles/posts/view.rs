//! A circle's post as everybody sees it, and how it stands with the judge.

use platform::{App, Result, time::Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{CirclePost, CirclePostKind, find};
use crate::{
    ids::{CircleId, PostId},
    moderation::judge::{Category, Flag, Score},
    people::users::UserCard,
};

/// Whether the judge is done with a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JudgeStatus {
    /// Not yet.
    Pending,
    /// Yes.
    Done,
}

/// A post of a circle.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CirclePostView {
    /// Its id, and its cursor.
    pub public_id: PostId,
    /// In which circle.
    pub circle_id: CircleId,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: CirclePostKind,
    /// The text.
    pub content: String,
    /// What a comment is about; null for what begins a thread.
    pub parent_id: Option<PostId>,
    /// The author as they were when it was written.
    pub user: UserCard,
    /// How good the judge found it; null until then.
    pub quality_score: Option<Score>,
    /// Whether it is judged.
    pub judge_status: JudgeStatus,
    /// When it was written.
    pub created_at: Time,
}

/// How a post stands with the judge; all but `status` only once it is done.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeStanding {
    /// Whether it is judged.
    pub status: JudgeStatus,
    /// How good it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// What kind of text it was found to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Why, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What else there was to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<Vec<Flag>>,
    /// HP that the circle gained or lost by it, as far as there was room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hp_delta: Option<i64>,
    /// EXP that it gained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exp_delta: Option<i64>,
}

/// How a post stands with the judge. 1 call, 1 RRU.
///
/// # Errors
/// [`platform::Error::NotFound`] for no such post of a circle.
pub async fn judge_standing(app: &App, post: PostId) -> Result<JudgeStanding> {
    Ok(find(app, post).await?.standing())
}

impl CirclePost {
    /// As everybody sees it.
    pub fn view(self) -> CirclePostView {
        CirclePostView {
            public_id: self.id,
            circle_id: self.circle,
            kind: self.kind,
            judge_status: self.status(),
            quality_score: self.judged.map(|it| it.grade.score),
            content: self.content.as_str().to_owned(),
            parent_id: self.parent,
            user: self.user,
            created_at: self.created_at,
        }
    }

    fn status(&self) -> JudgeStatus {
        if self.is_done() { JudgeStatus::Done } else { JudgeStatus::Pending }
    }

    fn standing(self) -> JudgeStanding {
        let (status, judged) = (self.status(), self.judged.as_ref());
        JudgeStanding {
            status,
            score: judged.map(|it| it.grade.score),
            category: judged.map(|it| it.grade.category),
            reason: judged.map(|it| it.grade.reason.to_string()),
            flags: judged.map(|it| it.grade.flags.clone()),
            hp_delta: judged.map(|it| it.hp_delta),
            exp_delta: judged.map(|it| it.exp_delta),
        }
    }
}
