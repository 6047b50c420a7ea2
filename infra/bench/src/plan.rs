//! Plans the users, follows, posts and likes of a network. The plan is complete before rows are written, because rows
//! contain counters, such as the number of likes.

use std::collections::HashSet;

use domain::ids::{PostId, UserId};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use ulid::Ulid;

use crate::seed::Size;

const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * 60 * MINUTE;
const YEAR: i64 = 365 * DAY;
/// Maximum age of posts in timelines, in milliseconds.
pub(crate) const MONTH: i64 = 30 * DAY;
/// One in this many posts is a reply.
const POSTS_PER_REPLY: u32 = 5;
/// Number of users who have [`Size::followers`] followers and no planned posts.
const STARS: usize = 1;

/// A planned network. Users and posts are identified by their indexes.
pub(crate) struct Plan {
    pub(crate) people: Vec<Member>,
    /// Follower, followed user, and ID of the follow.
    pub(crate) follows: Vec<(usize, usize, Ulid)>,
    /// Posts and replies, oldest first.
    pub(crate) posts: Vec<Written>,
}

pub(crate) struct Member {
    pub(crate) id: UserId,
    pub(crate) name: String,
    pub(crate) followers: Vec<usize>,
    pub(crate) following: i64,
}

/// A post or a reply.
pub(crate) struct Written {
    pub(crate) id: PostId,
    pub(crate) author: usize,
    pub(crate) parent: Option<usize>,
    /// Users who like the post, in the order of their likes.
    pub(crate) likes: Vec<usize>,
    pub(crate) replies: i64,
}

struct Planner {
    plan: Plan,
    random: StdRng,
    now: i64,
}

impl Plan {
    /// Plans a network with data up to the Unix time `now` in milliseconds.
    pub(crate) fn of(size: &Size, now: i64) -> Self {
        let plan = Self { people: Vec::new(), follows: Vec::new(), posts: Vec::new() };
        let mut planner = Planner { plan, random: StdRng::seed_from_u64(1), now };
        let all = size.people + size.followers;
        (0..all).for_each(|number| planner.person(number));
        planner.follows(size.people, size.follows);
        (size.people..all).for_each(|fan| planner.follow(fan, 0));
        planner.posts(size.people, size.posts);
        planner.likes(all, size.likes);
        planner.plan
    }

    /// Returns the posts that are not replies, oldest first.
    pub(crate) fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.posts.len()).filter(|post| self.posts[*post].parent.is_none())
    }
}

impl Planner {
    /// Adds a user who signed up between one and two years ago.
    fn person(&mut self, number: usize) {
        let at = self.now - YEAR - self.random.random_range(0..YEAR);
        // The lowest bit is 0 in the ID of a user, and 1 in the public ID.
        let id = UserId::from(Ulid(self.id(at).0 & !1));
        let name = format!("{}{number:06}", char::from(b'a' + (number % 8) as u8));
        self.plan.people.push(Member { id, name, followers: Vec::new(), following: 0 });
    }

    fn follows(&mut self, people: usize, each: usize) {
        for fan in 0..people {
            let mut followed: HashSet<_> = [fan, 0].into();
            for _ in 0..each {
                let author = self.skewed(people, 2);
                if followed.insert(author) {
                    self.follow(fan, author);
                }
            }
        }
    }

    fn follow(&mut self, fan: usize, author: usize) {
        let at = self.now - MONTH - DAY - self.random.random_range(0..YEAR);
        let id = self.id(at);
        self.plan.follows.push((fan, author, id));
        self.plan.people[author].followers.push(fan);
        self.plan.people[fan].following += 1;
    }

    fn posts(&mut self, people: usize, count: usize) {
        let mut roots: Vec<usize> = Vec::new();
        for number in 0..count {
            let at = self.now - YEAR + (YEAR - MINUTE) / count as i64 * number as i64;
            let author = STARS + self.skewed(people - STARS, 2);
            let is_reply = !roots.is_empty() && self.random.random_ratio(1, POSTS_PER_REPLY);
            let parent = is_reply.then(|| roots[self.skewed(roots.len(), 2)]);
            match parent {
                Some(parent) => self.plan.posts[parent].replies += 1,
                None => roots.push(number),
            }
            let id = PostId::from(self.id(at));
            self.plan.posts.push(Written { id, author, parent, likes: Vec::new(), replies: 0 });
        }
    }

    /// Adds likes, most of them to old posts.
    fn likes(&mut self, users: usize, count: usize) {
        let mut liked = HashSet::new();
        let roots: Vec<_> = self.plan.roots().collect();
        for _ in 0..count {
            let (post, fan) = (roots[self.skewed(roots.len(), 4)], self.random.random_range(0..users));
            if fan != self.plan.posts[post].author && liked.insert((fan, post)) {
                self.plan.posts[post].likes.push(fan);
            }
        }
    }

    fn id(&mut self, at: i64) -> Ulid {
        Ulid::from_parts(at.max(0) as u64, self.random.random())
    }

    /// Returns a random index below `len`. Low indexes are more likely, and more so with a higher `exponent`.
    fn skewed(&mut self, len: usize, exponent: i32) -> usize {
        let chance = self.random.random::<f64>().powi(exponent);
        ((chance * len as f64) as usize).min(len.saturating_sub(1))
    }
}
