//! A circle's post and its judge status in responses.

use base::{CircleId, PostId};
use judge::{Category, Flag, Score};
use people::UserCard;
use platform::{App, Result, Time};
use posts::previews::PreviewView;
use serde::Serialize;
use utoipa::ToSchema;

use super::{CirclePost, CirclePostKind, find};

/// Whether a post has been judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JudgeStatus {
    /// The post has not been judged yet.
    Pending,
    /// The post was judged, or will never be judged.
    Done,
}

/// A circle's post in responses.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CirclePost)]
#[serde(rename_all = "camelCase", tag = "kind", rename = "CIRCLE_POST")]
pub struct CirclePostView {
    /// The post's ID, which is also the cursor.
    pub public_id: PostId,
    /// The circle in which the post was written.
    pub circle_id: CircleId,
    /// Whether this is a post, a comment, or the post of a CPR.
    #[serde(rename = "type")]
    pub kind: CirclePostKind,
    /// The text.
    pub content: String,
    /// The preview of the first link. Null if there is no link, or until the preview is fetched.
    pub preview: Option<PreviewView>,
    /// The parent of a comment. Null for a post that begins a thread.
    pub parent_id: Option<PostId>,
    /// A copy of the author's public data, made when the post was written.
    pub user: UserCard,
    /// The judge's score. Null until the post is judged. After an edit, this is the earlier score until the new text is
    /// judged.
    pub quality_score: Option<Score>,
    /// Whether the post has been judged. After an edit, it is `pending` until the new text is judged.
    pub judge_status: JudgeStatus,
    /// Whether moderation hid the post from lists.
    pub is_hidden: bool,
    /// RFC 3339 time at which the post was written.
    pub created_at: Time,
    /// RFC 3339 time of the last edit, or of creation if the post was never edited.
    pub updated_at: Time,
}

/// The judge status of a post. All fields except `status` are omitted if the post has no verdict. After an edit,
/// `status` is `pending`, and the other fields describe the earlier verdict.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeStanding {
    /// Whether the post has been judged.
    pub status: JudgeStatus,
    /// The judge's score.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub score: Option<Score>,
    /// The judge's category.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub category: Option<Category>,
    /// The judge's reason, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<String>,
    /// The judge's flags.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub flags: Option<Vec<Flag>>,
    /// Number of HP that the circle actually gained. Negative for a loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hp_delta: Option<i64>,
    /// Number of EXP that the circle gained.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub exp_delta: Option<i64>,
}

/// Returns the judge status of a post.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist in any circle.
pub async fn judge_standing(app: &App, post: PostId) -> Result<JudgeStanding> {
    Ok(find(app, post).await?.into())
}

impl From<CirclePost> for CirclePostView {
    fn from(post: CirclePost) -> Self {
        Self {
            public_id: post.id,
            circle_id: post.circle,
            kind: post.kind,
            judge_status: JudgeStatus::of(&post),
            quality_score: post.judged.map(|judged| judged.grade.score),
            content: post.content.as_str().to_owned(),
            preview: post.preview.map(PreviewView::from),
            parent_id: post.parent,
            user: post.user,
            is_hidden: post.is_hidden,
            created_at: post.created_at,
            updated_at: post.updated_at.unwrap_or(post.created_at),
        }
    }
}

impl From<CirclePost> for JudgeStanding {
    fn from(post: CirclePost) -> Self {
        let judged = post.judged.as_ref();
        Self {
            status: JudgeStatus::of(&post),
            score: judged.map(|judged| judged.grade.score),
            category: judged.map(|judged| judged.grade.category),
            reason: judged.map(|judged| judged.grade.reason.to_string()),
            flags: judged.map(|judged| judged.grade.flags.clone()),
            hp_delta: judged.map(|judged| judged.hp_delta),
            exp_delta: judged.map(|judged| judged.exp_delta),
        }
    }
}

impl JudgeStatus {
    fn of(post: &CirclePost) -> Self {
        if post.is_done() { Self::Done } else { Self::Pending }
    }
}
