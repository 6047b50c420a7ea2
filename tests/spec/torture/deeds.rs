//! What somebody does, and what came of it.

use rand::{RngExt, rngs::StdRng};
use serde_json::{Value, json};
use tests::{Answer, Person, Post};

use super::Network;

/// Somebody does something to somebody or something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deed {
    user: f64,
    target: f64,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
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

/// What came of a deed.
pub(super) enum Done {
    /// A post or a quote was written, by this author.
    Wrote(String, Post),
    /// One blocked another, as far as is known.
    Blocked(String, String),
    /// Somebody replied to a post; whether they did is unknown where the answer was lost.
    Replied { author: String, post: String, user: String, known: bool },
    /// A quest was claimed.
    Claimed { user: String, karma: i64, known: bool },
    /// Something else.
    Other,
}

impl Deed {
    pub(super) fn any(random: &mut StdRng) -> Self {
        let what = match random.random_range(0..100) {
            0..10 => What::Write,
            10..25 => What::Reply,
            25..28 => What::Quote,
            28..32 => What::Repost,
            32..50 => What::Like(true),
            50..56 => What::Like(false),
            56..58 => What::Delete,
            58..64 => What::Follow(true),
            64..67 => What::Follow(false),
            67..68 => What::Block(true),
            68..69 => What::Block(false),
            69..73 => What::Ask,
            73..75 => What::Accept,
            75..77 => What::Cancel,
            77..87 => What::Say,
            87..91 => What::Read,
            91..93 => What::Join,
            93..98 => What::Claim,
            _ => What::Give,
        };
        // A few people and the newest posts get the most, so that much happens to them at once.
        let crowded = random.random::<f64>().powi(3);
        Self { user: random.random(), target: crowded, what }
    }

    pub(super) async fn happens(&self, network: &Network, posts: &[(String, Post)]) -> Done {
        let place = place_of(self.user, network.people.len());
        let (user, group) = (&network.people[place], &network.groups[place / 2]);
        let other = &network.people[place_of(self.target, network.people.len())];
        let post = posts.iter().rev().nth(place_of(self.target, posts.len()));
        let circle = &network.circles[place_of(self.target, network.circles.len())];
        match (self.what, post) {
            (What::Write, _) | (_, None) => {
                wrote(user, &user.post("/posts", json!({ "content": "hello" })).await)
            }
            (What::Reply, Some((author, post))) => replies(user, author, post).await,
            (What::Quote, Some((_, post))) => {
                wrote(user, &user.post(&post.path("/quote"), json!({ "content": "look" })).await)
            }
            (What::Repost, Some((_, post))) => {
                other_than(user.post(&post.path("/repost"), Value::Null).await)
            }
            (What::Like(on), Some((_, post))) => {
                other_than(user.post(&post.path("/like"), json!({ "isLiked": on })).await)
            }
            (What::Delete, Some((_, post))) => other_than(user.delete(&post.path("")).await),
            (What::Follow(on), _) => {
                other_than(user.post(&other.path("/follower"), json!({ "isFollowing": on })).await)
            }
            (What::Block(on), _) => {
                came_of(&user.post(&other.path("/block"), json!({ "isBlocked": on })).await);
                Done::Blocked(user.id.clone(), other.id.clone())
            }
            (What::Ask, _) => other_than(user.post(&other.path("/friend-request"), Value::Null).await),
            (What::Accept, _) => other_than(user.patch(&request(other, "accept"), Value::Null).await),
            (What::Cancel, _) => other_than(user.patch(&request(other, "cancel"), Value::Null).await),
            (What::Say, _) => {
                let path = format!("/message-group/{group}/messages");
                other_than(user.post(&path, json!({ "content": "hi" })).await)
            }
            (What::Read, _) => {
                other_than(user.patch(&format!("/message-group/{group}/read"), Value::Null).await)
            }
            (What::Join, _) => other_than(user.post(&circle.path("/join-request"), Value::Null).await),
            (What::Claim, _) => claims(user).await,
            (What::Give, _) => {
                other_than(user.post(&circle.path("/sacrifice"), json!({ "karmaAmount": 1 })).await)
            }
        }
    }
}

/// The place of a share of 1 among so many.
fn place_of(share: f64, length: usize) -> usize {
    (share * length as f64) as usize
}

fn request(other: &Person, how: &str) -> String {
    format!("/me/friend-requests/{}/{how}", other.name)
}

async fn replies(user: &Person, author: &str, post: &Post) -> Done {
    let answer = user.post(&post.path("/reply"), json!({ "content": "well said" })).await;
    match came_of(&answer) {
        Some(false) => Done::Other,
        known => Done::Replied {
            author: author.to_owned(),
            post: post.id.clone(),
            user: user.id.clone(),
            known: known.is_some(),
        },
    }
}

async fn claims(user: &Person) -> Done {
    let answer = user.post("/quests/LIKE_CREATED_1/claim", Value::Null).await;
    match came_of(&answer) {
        Some(false) => Done::Other,
        Some(true) => {
            let karma = answer.data()["karmaEarned"].as_i64().unwrap();
            Done::Claimed { user: user.id.clone(), karma, known: true }
        }
        None => Done::Claimed { user: user.id.clone(), karma: 1, known: false },
    }
}

fn wrote(user: &Person, answer: &Answer) -> Done {
    match came_of(answer) {
        Some(true) => Done::Wrote(user.id.clone(), Post::of(answer)),
        _ => Done::Other,
    }
}

fn other_than(answer: Answer) -> Done {
    came_of(&answer);
    Done::Other
}

/// Whether it was done; unknown where a fault may have struck after the write.
fn came_of(answer: &Answer) -> Option<bool> {
    match answer.status {
        200..300 => Some(true),
        429 | 500 => None,
        _ => Some(false),
    }
}
