//! Who is in a network, who follows whom, and which posts are answered and liked: decided before any row is written, so
//! that each row has its counts.

use std::collections::HashSet;

use domain::ids::{PostId, UserId};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use ulid::Ulid;

use crate::seed::Size;

const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * 60 * MINUTE;
const YEAR: i64 = 365 * DAY;
/// Timelines have the posts of a month.
pub(crate) const MONTH: i64 = 30 * DAY;
/// One in so many posts is a reply.
const ONE_REPLY_IN: u32 = 5;
/// Those whose followers are counted by the size, and who write while it is measured.
const STARS: usize = 1;

/// All of a network. People are known by their positions.
pub(crate) struct Plan {
    pub(crate) people: Vec<Member>,
    /// The follower, the followed, and the id of the follow.
    pub(crate) follows: Vec<(usize, usize, Ulid)>,
    /// The oldest first.
    pub(crate) posts: Vec<Written>,
}

pub(crate) struct Member {
    pub(crate) id: UserId,
    pub(crate) name: String,
    pub(crate) followers: Vec<usize>,
    pub(crate) following: i64,
}

/// A post, or a reply to one.
pub(crate) struct Written {
    pub(crate) id: PostId,
    pub(crate) author: usize,
    pub(crate) parent: Option<usize>,
    /// Who likes it, the first like first.
    pub(crate) likes: Vec<usize>,
    pub(crate) replies: i64,
}

struct Planner {
    plan: Plan,
    random: StdRng,
    now: i64,
}

impl Plan {
    /// Returns the network of a size, at a time in milliseconds.
    pub(crate) fn of(size: &Size, now: i64) -> Self {
        let plan = Self { people: Vec::new(), follows: Vec::new(), posts: Vec::new() };
        let mut planner = Planner { plan, random: StdRng::seed_from_u64(1), now };
        let everybody = size.people + size.followers;
        (0..everybody).for_each(|number| planner.person(number));
        planner.follows(size.people, size.follows);
        (size.people..everybody).for_each(|fan| planner.follow(fan, 0));
        planner.posts(size.people, size.posts);
        planner.likes(everybody, size.likes);
        planner.plan
    }

    /// Returns the posts that are no replies, the oldest first.
    pub(crate) fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.posts.len()).filter(|post| self.posts[*post].parent.is_none())
    }
}

impl Planner {
    /// They signed up more than a year ago.
    fn person(&mut self, number: usize) {
        let at = self.now - YEAR - self.random.random_range(0..YEAR);
        // The lowest bit of a user's id is that of its public form.
        let id = UserId::from(Ulid(self.id(at).0 & !1));
        let name = format!("{}{number:06}", char::from(b'a' + (number % 8) as u8));
        self.plan.people.push(Member { id, name, followers: Vec::new(), following: 0 });
    }

    fn follows(&mut self, people: usize, each: usize) {
        for fan in 0..people {
            let mut followed: HashSet<_> = [fan, 0].into();
            for _ in 0..each {
                let author = self.often(people);
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
            let author = STARS + self.often(people - STARS);
            let is_reply = !roots.is_empty() && self.random.random_ratio(1, ONE_REPLY_IN);
            let parent = is_reply.then(|| roots[self.often(roots.len())]);
            match parent {
                Some(parent) => self.plan.posts[parent].replies += 1,
                None => roots.push(number),
            }
            let id = PostId::from(self.id(at));
            self.plan.posts.push(Written { id, author, parent, likes: Vec::new(), replies: 0 });
        }
    }

    /// The older half has most of them: it had the time.
    fn likes(&mut self, everybody: usize, count: usize) {
        let mut given = HashSet::new();
        let roots: Vec<_> = self.plan.roots().collect();
        for _ in 0..count {
            let (post, fan) = (roots[self.seldom(roots.len())], self.random.random_range(0..everybody));
            if fan != self.plan.posts[post].author && given.insert((fan, post)) {
                self.plan.posts[post].likes.push(fan);
            }
        }
    }

    fn id(&mut self, at: i64) -> Ulid {
        Ulid::from_parts(at.max(0) as u64, self.random.random())
    }

    /// A few are everywhere: the square of an even chance.
    fn often(&mut self, of: usize) -> usize {
        let chance: f64 = self.random.random();
        ((chance * chance * of as f64) as usize).min(of.saturating_sub(1))
    }

    /// Fewer still: its fourth power.
    fn seldom(&mut self, of: usize) -> usize {
        let chance = self.random.random::<f64>().powi(4);
        ((chance * of as f64) as usize).min(of.saturating_sub(1))
    }
}
