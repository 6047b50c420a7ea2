//! A post's row in a circle: what is kept, and in which lists it is found.

use platform::{
    table::{Index, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{CircleId, CprId, PostId, UserId},
    moderation::judge::{Grade, Score},
    people::users::UserCard,
    posts::Content,
};

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CirclePostKind {
    /// The beginning of a thread.
    Post,
    /// A word on another post.
    Comment,
    /// A call for help, whose comments may save the circle. Never judged.
    Cpr,
}

/// The thread that a comment is in: the post at its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// The post.
    pub post: PostId,
    /// Who wrote it.
    pub author: UserId,
}

/// What became of a post when it was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// What the judge found.
    pub grade: Grade,
    /// HP that the circle gained or lost by it.
    pub hp_delta: i64,
    /// EXP that it gained.
    pub exp_delta: i64,
    /// Whether its stage or level became another.
    pub turned: bool,
    /// The CPR that succeeded by it.
    pub saved: Option<CprId>,
    /// When.
    pub judged_at: Time,
}

/// A post of a circle, as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CirclePost {
    /// Its id.
    pub id: PostId,
    /// In which circle.
    pub circle: CircleId,
    /// What it is.
    pub kind: CirclePostKind,
    /// Who wrote it.
    pub author: UserId,
    /// The author as they were then.
    pub user: UserCard,
    /// The text.
    pub content: Content,
    /// What a comment is about.
    pub parent: Option<PostId>,
    /// The thread of a comment.
    pub thread: Option<Thread>,
    /// The verdict, once there is one.
    pub judged: Option<Judged>,
    /// When it was written.
    pub created_at: Time,
}

/// What a score gives, or takes: HP, EXP.
pub(super) fn worth(score: Score) -> (i64, i64) {
    match score.whole() {
        9.. => (5, 10),
        7 | 8 => (3, 6),
        5 | 6 => (1, 2),
        3 | 4 => (0, 0),
        1 | 2 => (-1, 0),
        0 => (-3, 0),
    }
}

impl CirclePost {
    /// Whether the judge has nothing to do with it any more.
    pub fn is_done(&self) -> bool {
        self.judged.is_some() || self.kind == CirclePostKind::Cpr
    }

    /// The step of a verdict; the post is as it will be. Only while there is none.
    pub(super) fn verdict(&self) -> Write {
        Write::reindex(self).set_or_remove("judged", self.judged.as_ref()).exists().lacks("judged")
    }

    /// The thread that a comment on this one is in.
    pub(super) fn thread_below(&self) -> Thread {
        self.thread.unwrap_or(Thread { post: self.id, author: self.author })
    }

    /// What it is listed below: its circle, or what it is about.
    fn place(&self) -> String {
        self.parent.map_or_else(|| self.circle.to_string(), |it| it.to_string())
    }

    /// Where it stands among others by quality: what is not judged comes last.
    pub(super) fn rank(&self) -> String {
        match &self.judged {
            Some(judged) => format!("{JUDGED}{:05.2}#{}", judged.grade.score.value(), self.id),
            None => format!("0#{}", self.id),
        }
    }
}

/// What the ranks of judged posts begin with.
pub(super) const JUDGED: &str = "1#";

/// The list of what is below a circle or a post, by the order of writing.
pub(super) fn listed(place: &impl ToString) -> String {
    format!("CIRCLEPOSTS#{}", place.to_string())
}

/// The same by quality.
pub(super) fn ranked(place: &impl ToString) -> String {
    format!("CIRCLEBEST#{}", place.to_string())
}

/// The partition of all that was written in a circle.
pub(super) fn all_of(circle: CircleId) -> String {
    format!("CIRCLEALL#{circle}")
}

/// Where a post of a circle is.
pub fn key(id: PostId) -> Key {
    Key::new(crate::posts::partition(id), "CIRCLEPOST")
}

/// `POST#id / CIRCLEPOST`, gsi1 `CIRCLEALL#circle` / id, gsi2 `CIRCLEPOSTS#circle or parent` / id, gsi3
/// `CIRCLEBEST#circle or parent` / score and id
impl Row for CirclePost {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let (place, id) = (self.place(), self.id.to_string());
        vec![
            (Index::Gsi1, Key::new(all_of(self.circle), id.clone())),
            (Index::Gsi2, Key::new(listed(&place), id)),
            (Index::Gsi3, Key::new(ranked(&place), self.rank())),
        ]
    }
}

impl Judged {
    /// Without effect: the circle is not there any more.
    pub(super) fn in_vain(grade: Grade, now: Time) -> Self {
        Self { grade, hp_delta: 0, exp_delta: 0, turned: false, saved: None, judged_at: now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_counts_without_its_decimals() {
        for (score, worth_of_it) in [
            (10.0, (5, 10)),
            (9.0, (5, 10)),
            (8.99, (3, 6)),
            (7.0, (3, 6)),
            (6.9, (1, 2)),
            (5.0, (1, 2)),
            (4.9, (0, 0)),
            (3.0, (0, 0)),
            (2.9, (-1, 0)),
            (1.0, (-1, 0)),
            (0.9, (-3, 0)),
            (0.0, (-3, 0)),
        ] {
            assert_eq!(worth(Score::clamped(score)), worth_of_it, "{score}");
        }
    }
}
