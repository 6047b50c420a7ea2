//! Attacks of some users while the others act: taken names and addresses, blocks, hidden posts and floods.

use futures::future::join_all;
use rand::{RngExt, rngs::StdRng};
use serde_json::json;
use tests::{PASSWORD, Person, Post};

use super::{
    Network,
    actions::{Outcome, wrote},
};

/// Number of posts of one flood.
const FLOOD_POSTS: usize = 10;

/// An attack. `target` is from 0 to 1, and selects a relative position in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attack {
    target: f64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Registers an account with the email address and the username of another user.
    Occupy(u32),
    /// Blocks or unblocks another user.
    Block(bool),
    /// Hides a post of another user, or shows it again.
    Hide(bool),
    /// Writes many posts, and likes one post many times.
    Flood,
}

impl Attack {
    pub(super) fn any(random: &mut StdRng) -> Self {
        let kind = match random.random_range(0..10) {
            0..2 => Kind::Occupy(random.random()),
            2..5 => Kind::Block(random.random_bool(0.7)),
            5..8 => Kind::Hide(random.random_bool(0.7)),
            _ => Kind::Flood,
        };
        Self { target: random.random::<f64>().powi(3), kind }
    }

    /// Runs the attack as the user who is at the end of the list of users.
    pub(super) async fn run(&self, network: &Network, posts: &[(String, Post)]) -> Vec<Outcome> {
        let Some(attacker) = network.people.last() else { return Vec::new() };
        let target = &network.people[(self.target * network.people.len() as f64) as usize];
        let post = posts.iter().rev().nth((self.target * posts.len() as f64) as usize);
        match (self.kind, post) {
            (Kind::Occupy(number), _) => occupies(network, target, number).await,
            (Kind::Block(on), _) => {
                attacker.post(&target.path("/block"), json!({ "isBlocked": on })).await;
                vec![Outcome::Blocked(attacker.id.clone(), target.id.clone())]
            }
            (Kind::Hide(on), Some((_, post))) => hides(attacker, post, on).await,
            (Kind::Flood, Some((_, post))) => floods(attacker, post).await,
            (_, None) => Vec::new(),
        }
    }
}

/// Tries to take the address and the username of a user. Neither is free, so no account is created.
async fn occupies(network: &Network, target: &Person, number: u32) -> Vec<Outcome> {
    let free = format!("x{number:08x}");
    let own_address = format!("{free}@example.com");
    for (username, email) in [(&target.name, &own_address), (&free, &target.email)] {
        let account = json!({ "name": "x", "username": username, "email": email, "password": PASSWORD });
        let status = network.world.anyone.post("/auth/register", account).await.status;
        assert!([400, 429, 500].contains(&status), "{username} and {email} are taken: {status}");
    }
    Vec::new()
}

async fn hides(attacker: &Person, post: &Post, on: bool) -> Vec<Outcome> {
    let answer = attacker.post(&post.path("/hide"), json!({ "isGhost": on })).await;
    let may_have_hidden = on && matches!(answer.status, 200 | 500);
    if may_have_hidden { vec![Outcome::Hid(attacker.id.clone())] } else { Vec::new() }
}

/// Writes posts and likes concurrently. Some are refused, because the user exceeds a limit or other writes win.
async fn floods(attacker: &Person, post: &Post) -> Vec<Outcome> {
    let writes = (0..FLOOD_POSTS).map(|_| attacker.post("/posts", json!({ "content": "buy now" })));
    let path = post.path("/like");
    let likes = (0..FLOOD_POSTS).map(|number| attacker.post(&path, json!({ "isLiked": number % 2 == 0 })));
    let (written, _) = futures::join!(join_all(writes), join_all(likes));
    written.iter().filter_map(|answer| wrote(attacker, answer)).collect()
}
