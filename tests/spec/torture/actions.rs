//! Random user actions, and their outcomes.

use rand::{RngExt, rngs::StdRng};
use serde_json::{Value, json};
use tests::{Answer, Person, Post};

use super::Network;
use crate::friends::request_path;

/// A user action. `user` and `target` are from 0 to 1, and select a relative position in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Action {
    user: f64,
    target: f64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Write,
    Reply,
    Quote,
    Repost,
    Like(bool),
    Delete,
    Follow(bool),
    Block(bool),
    Ask,
    Accept,
    Cancel,
    Say,
    Read,
    Join,
    Claim,
    Give,
}

/// Outcome of an action.
pub(super) enum Outcome {
    /// The author wrote a post or a quote.
    Wrote(String, Post),
    /// A user sent a request to block another user, which may have failed.
    Blocked(String, String),
    /// A user replied to a post. If the response was lost, `certain` is false.
    Replied { author: String, post: String, user: String, certain: bool },
    /// A user may have hidden a post.
    Hid(String),
    /// A user claimed a quest.
    Claimed { user: String, karma: i64, certain: bool },
}

impl Action {
    pub(super) fn any(random: &mut StdRng) -> Self {
        let kind = match random.random_range(0..100) {
            0..10 => Kind::Write,
            10..25 => Kind::Reply,
            25..28 => Kind::Quote,
            28..32 => Kind::Repost,
            32..50 => Kind::Like(true),
            50..56 => Kind::Like(false),
            56..58 => Kind::Delete,
            58..64 => Kind::Follow(true),
            64..67 => Kind::Follow(false),
            67..68 => Kind::Block(true),
            68..69 => Kind::Block(false),
            69..73 => Kind::Ask,
            73..75 => Kind::Accept,
            75..77 => Kind::Cancel,
            77..87 => Kind::Say,
            87..91 => Kind::Read,
            91..93 => Kind::Join,
            93..98 => Kind::Claim,
            _ => Kind::Give,
        };
        // Prefers a few users and the newest posts, so that many actions conflict.
        let target = random.random::<f64>().powi(3);
        Self { user: random.random(), target, kind }
    }

    /// Runs the action. Returns its outcome, or `None` if the outcome is not checked.
    pub(super) async fn run(&self, network: &Network, posts: &[(String, Post)]) -> Option<Outcome> {
        let index = index_of(self.user, network.people.len());
        let (user, group) = (&network.people[index], &network.groups[index / 2]);
        let other = &network.people[index_of(self.target, network.people.len())];
        let post = posts.iter().rev().nth(index_of(self.target, posts.len()));
        let circle = &network.circles[index_of(self.target, network.circles.len())];
        match (self.kind, post) {
            (Kind::Write, _) | (_, None) => {
                return wrote(user, &user.post("/posts", json!({ "content": "hello" })).await);
            }
            (Kind::Reply, Some((author, post))) => return replies(user, author, post).await,
            (Kind::Quote, Some((_, post))) => {
                return wrote(user, &user.post(&post.path("/quote"), json!({ "content": "look" })).await);
            }
            (Kind::Claim, _) => return claims(user).await,
            (Kind::Block(on), _) => {
                user.post(&other.path("/block"), json!({ "isBlocked": on })).await;
                return Some(Outcome::Blocked(user.id.clone(), other.id.clone()));
            }
            (Kind::Repost, Some((_, post))) => user.post(&post.path("/repost"), Value::Null).await,
            (Kind::Like(on), Some((_, post))) => {
                user.post(&post.path("/like"), json!({ "isLiked": on })).await
            }
            (Kind::Delete, Some((_, post))) => user.delete(&post.path("")).await,
            (Kind::Follow(on), _) => user.post(&other.path("/follower"), json!({ "isFollowing": on })).await,
            (Kind::Ask, _) => user.post(&other.path("/friend-request"), Value::Null).await,
            (Kind::Accept, _) => user.patch(&request_path(other, "accept"), Value::Null).await,
            (Kind::Cancel, _) => user.patch(&request_path(other, "cancel"), Value::Null).await,
            (Kind::Say, _) => {
                user.post(&format!("/message-group/{group}/messages"), json!({ "content": "hi" })).await
            }
            (Kind::Read, _) => user.patch(&format!("/message-group/{group}/read"), Value::Null).await,
            (Kind::Join, _) => user.post(&circle.path("/join-request"), Value::Null).await,
            (Kind::Give, _) => user.post(&circle.path("/sacrifice"), json!({ "karmaAmount": 1 })).await,
        };
        None
    }
}

/// Returns the index at this fraction of `length`.
fn index_of(fraction: f64, length: usize) -> usize {
    (fraction * length as f64) as usize
}

async fn replies(user: &Person, author: &str, post: &Post) -> Option<Outcome> {
    let answer = user.post(&post.path("/reply"), json!({ "content": "well said" })).await;
    let (author, post, user) = (author.to_owned(), post.id.clone(), user.id.clone());
    may_be_done(&answer).then(|| Outcome::Replied { author, post, user, certain: is_done(&answer) })
}

async fn claims(user: &Person) -> Option<Outcome> {
    let answer = user.post("/quests/LIKE_CREATED_1/claim", Value::Null).await;
    let (user, certain) = (user.id.clone(), is_done(&answer));
    let karma = if certain { answer.data()["karmaEarned"].as_i64().unwrap() } else { 1 };
    may_be_done(&answer).then_some(Outcome::Claimed { user, karma, certain })
}

pub(super) fn wrote(user: &Person, answer: &Answer) -> Option<Outcome> {
    is_done(answer).then(|| Outcome::Wrote(user.id.clone(), Post::of(answer)))
}

fn is_done(answer: &Answer) -> bool {
    (200..300).contains(&answer.status)
}

/// Returns whether the action took effect, or may have taken effect because of a fault.
fn may_be_done(answer: &Answer) -> bool {
    is_done(answer) || matches!(answer.status, 429 | 500)
}
