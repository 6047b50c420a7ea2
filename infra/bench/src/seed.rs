//! A network like a real one, the same each time: a few people and posts are popular, most are not, and a year lies
//! behind it. Its rows are stamped with [`crate::molds`].

use std::collections::{HashMap, HashSet};

use anyhow::Result;
use local::Stack;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::{
    mold::{Stamp, other_id},
    molds::{self, Between, Molds, NAMES, PostMold},
    writer::Writer,
};

const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * 60 * MINUTE;
const YEAR: i64 = 365 * DAY;
/// Timelines have the posts of a month.
const MONTH: i64 = 30 * DAY;
/// One in so many posts is a reply.
const ONE_REPLY_IN: u32 = 5;
/// How many of a kind operations choose among.
const CHOICE: usize = 3_000;

/// How much there is to be.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, clap::Args)]
pub(crate) struct Size {
    /// People who write, follow and like.
    #[arg(long, default_value_t = 1_000)]
    pub(crate) people: usize,
    /// Posts and replies that they wrote within a year.
    #[arg(long, default_value_t = 50_000)]
    pub(crate) posts: usize,
    /// Likes.
    #[arg(long, default_value_t = 200_000)]
    pub(crate) likes: usize,
    /// Whom each follows, on average.
    #[arg(long, default_value_t = 20)]
    pub(crate) follows: usize,
    /// Followers of one author, who do nothing else.
    #[arg(long, default_value_t = 20_000)]
    pub(crate) followers: usize,
    /// Followers of another.
    #[arg(long, default_value_t = 0)]
    pub(crate) few_followers: usize,
}

/// What is there, as clients need to know it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Network {
    /// Usernames; the first two have the many followers.
    pub(crate) people: Vec<String>,
    /// Usernames of those who only follow the first.
    pub(crate) followers: Vec<String>,
    /// Usernames of those who only follow the second.
    pub(crate) few_followers: Vec<String>,
    /// Some posts of all ages.
    pub(crate) posts: Vec<String>,
    /// Posts of the last weeks that nobody likes yet.
    pub(crate) quiet: Vec<String>,
    /// The posts with most likes and most replies.
    pub(crate) liked: String,
    pub(crate) answered: String,
    pub(crate) rows: usize,
}

#[derive(Clone)]
struct Member {
    id: Ulid,
    name: String,
}

#[derive(Clone, Copy)]
struct Written {
    id: Ulid,
    author: usize,
    at: i64,
}

struct Seeding<'a> {
    molds: Molds,
    writer: Writer<'a>,
    random: StdRng,
    now: i64,
}

/// Fills an empty stack.
pub(crate) async fn seed(stack: &Stack, size: &Size) -> Result<Network> {
    let molds = molds::cast().await?;
    let now = stack.clock().now().as_millisecond();
    let writer = Writer::new(stack.database(), stack.table_name(), now / 1000);
    let mut seeding = Seeding { molds, writer, random: StdRng::seed_from_u64(1), now };
    let people = seeding.people(0, size.people)?;
    let followers = seeding.people(size.people, size.followers)?;
    let few_followers = seeding.people(size.people + size.followers, size.few_followers)?;
    let follows = seeding.follows(&people, size.follows)?;
    for (fans, position) in [(&followers, 0), (&few_followers, 1)] {
        for fan in fans {
            seeding.follow(&people[position], fan)?;
        }
    }
    let (posts, answers) = seeding.posts(&people, &follows, size.posts)?;
    let everybody: Vec<_> = people.iter().chain(&followers).cloned().collect();
    let likes = seeding.likes(&people, &everybody, &posts, size.likes)?;
    let names = |all: &[Member]| all.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    let most = |counts: &HashMap<usize, usize>| {
        let most = counts.iter().max_by_key(|(post, count)| (**count, **post)).map_or(0, |(post, _)| *post);
        posts[most].id.to_string()
    };
    let quiet = posts.iter().enumerate().rev().filter(|(post, _)| !likes.contains_key(post));
    Ok(Network {
        people: names(&people),
        followers: names(&followers),
        few_followers: names(&few_followers),
        posts: posts.iter().step_by((posts.len() / CHOICE).max(1)).map(|it| it.id.to_string()).collect(),
        quiet: quiet.take(CHOICE).map(|(_, it)| it.id.to_string()).collect(),
        liked: most(&likes),
        answered: most(&answers),
        rows: seeding.writer.end()?,
    })
}

impl Seeding<'_> {
    /// They signed up more than a month ago.
    fn people(&mut self, first: usize, count: usize) -> Result<Vec<Member>> {
        (first..first + count).map(|number| self.person(number)).collect()
    }

    fn person(&mut self, number: usize) -> Result<Member> {
        let mold = &self.molds.people[number % self.molds.people.len()];
        let at = self.now - YEAR - self.random.random_range(0..YEAR);
        let id = other_id(mold.id, at - mold.id.timestamp_ms() as i64, &mut self.random);
        let name = format!("{}{number:06}", &mold.name[..1]);
        let stamp = Stamp { at, ids: &[(mold.id, id)], names: &[(&mold.name, &name)] };
        self.writer.write(mold.mold.stamp(&stamp, &mut self.random)?)?;
        Ok(Member { id, name })
    }

    /// Returns who follows whom, by the followed.
    fn follows(&mut self, people: &[Member], each: usize) -> Result<HashMap<usize, Vec<usize>>> {
        let mut follows: HashMap<usize, Vec<usize>> = HashMap::new();
        for fan in 0..people.len() {
            // Nobody follows the second of the two by chance: how many follow them is what they are there for.
            let mut followed: HashSet<_> = [fan, 0, 1].into();
            for _ in 0..each {
                let author = self.often(people.len());
                if followed.insert(author) {
                    self.follow(&people[author], &people[fan])?;
                    follows.entry(author).or_default().push(fan);
                }
            }
        }
        Ok(follows)
    }

    fn follow(&mut self, author: &Member, fan: &Member) -> Result<()> {
        let at = self.now - MONTH - DAY - self.random.random_range(0..YEAR);
        let Between { mold, author: was_author, fan: was_fan, .. } = &self.molds.follow;
        let ids = [(*was_author, author.id), (*was_fan, fan.id)];
        let stamp = Stamp { at, ids: &ids, names: &names(author, fan) };
        self.writer.write(mold.stamp(&stamp, &mut self.random)?)
    }

    /// Returns the posts, the oldest first, and how many replies which has.
    fn posts(
        &mut self,
        people: &[Member],
        follows: &HashMap<usize, Vec<usize>>,
        count: usize,
    ) -> Result<(Vec<Written>, HashMap<usize, usize>)> {
        let (mut posts, mut answers): (Vec<Written>, HashMap<_, _>) = (Vec::new(), HashMap::new());
        for number in 0..count {
            let at = self.now - YEAR + (YEAR - MINUTE) / count as i64 * number as i64;
            if !posts.is_empty() && self.random.random_ratio(1, ONE_REPLY_IN) {
                let parent = self.often(posts.len());
                self.reply(people, posts[parent], at)?;
                *answers.entry(parent).or_default() += 1;
            } else {
                posts.push(self.post(people, follows, at)?);
            }
        }
        Ok((posts, answers))
    }

    fn post(&mut self, people: &[Member], follows: &HashMap<usize, Vec<usize>>, at: i64) -> Result<Written> {
        // The two with many followers write while it is measured.
        let author = 2 + self.often(people.len() - 2);
        let chosen = self.random.random_range(0..self.molds.posts.len());
        let PostMold { mold, timeline, author: was, fan: was_fan, post } = &self.molds.posts[chosen];
        let id = other_id(*post, at - post.timestamp_ms() as i64, &mut self.random);
        let ids = [(*was, people[author].id), (*post, id)];
        let stamp = Stamp { at, ids: &ids, names: &[(NAMES[0], &people[author].name)] };
        self.writer.write(mold.stamp(&stamp, &mut self.random)?)?;
        let fans = follows.get(&author).filter(|_| at > self.now - MONTH);
        for fan in fans.into_iter().flatten() {
            let ids = [(*was, people[author].id), (*was_fan, people[*fan].id), (*post, id)];
            let stamp = Stamp { at, ids: &ids, names: &[] };
            self.writer.write(timeline.stamp(&stamp, &mut self.random)?)?;
        }
        Ok(Written { id, author, at })
    }

    fn reply(&mut self, people: &[Member], parent: Written, at: i64) -> Result<()> {
        let fan = 2 + self.often(people.len() - 2);
        if fan == parent.author {
            return Ok(());
        }
        let chosen = self.random.random_range(0..self.molds.replies.len());
        let Between { mold, author, fan: was_fan, post, made } = &self.molds.replies[chosen];
        let id = other_id(*made, at - made.timestamp_ms() as i64, &mut self.random);
        let (author_now, fan) = (&people[parent.author], &people[fan]);
        let ids = [(*author, author_now.id), (*was_fan, fan.id), (*post, parent.id), (*made, id)];
        let stamp = Stamp { at, ids: &ids, names: &names(author_now, fan) };
        self.writer.write(mold.stamp(&stamp, &mut self.random)?)
    }

    /// Returns how many likes which post has.
    fn likes(
        &mut self,
        people: &[Member],
        everybody: &[Member],
        posts: &[Written],
        count: usize,
    ) -> Result<HashMap<usize, usize>> {
        let (mut likes, mut given): (HashMap<_, _>, HashSet<_>) = (HashMap::new(), HashSet::new());
        // The older half has most of them: it had the time.
        for _ in 0..count {
            let (post, fan) = (self.seldom(posts.len()), self.random.random_range(0..everybody.len()));
            if fan != posts[post].author && given.insert((fan, post)) {
                self.like(&people[posts[post].author], &everybody[fan], posts[post])?;
                *likes.entry(post).or_default() += 1;
            }
        }
        Ok(likes)
    }

    fn like(&mut self, author: &Member, fan: &Member, post: Written) -> Result<()> {
        let at = post.at + self.random.random_range(0..=(self.now - post.at).clamp(0, 2 * DAY));
        let Between { mold, author: was, fan: was_fan, post: was_post, .. } = &self.molds.like;
        let ids = [(*was, author.id), (*was_fan, fan.id), (*was_post, post.id)];
        let stamp = Stamp { at, ids: &ids, names: &names(author, fan) };
        self.writer.write(mold.stamp(&stamp, &mut self.random)?)
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

fn names<'a>(author: &'a Member, fan: &'a Member) -> [(&'static str, &'a str); 2] {
    [(NAMES[0], &author.name), (NAMES[1], &fan.name)]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::operations::recount::Recount;
    use local::{Delivery, Options};
    use platform::{App, app::Clients, settings::Settings};

    use super::*;
    use crate::mold::rows;

    #[tokio::test]
    async fn every_counter_of_a_seeded_network_says_what_is_there() {
        let options = Options { delivery: Delivery::Manual, ..Options::default() };
        let stack = Stack::start(options).await.unwrap();
        let size = Size { people: 12, posts: 60, likes: 90, follows: 4, followers: 10, few_followers: 5 };
        let network = seed(&stack, &size).await.unwrap();
        assert!(network.rows > 500, "{network:?}");
        let settings = Settings::read(|name| (name == "TABLE_NAME").then(|| stack.table_name().to_owned()));
        let clock = stack.clock().clone();
        let clients = Clients::new(stack.sdk_config());
        let app = App::new(clients, settings.unwrap(), Arc::new(move || clock.now()));
        let (mut recount, mut from) = (Recount::default(), None);
        loop {
            (_, from) = recount.read(&app, from).await.unwrap();
            if from.is_none() {
                break;
            }
        }
        let rows = rows(stack.database(), stack.table_name()).unwrap().len();
        assert!(rows >= network.rows, "{rows} of {}", network.rows);
        assert_eq!(recount.drifts(), Vec::new());
    }
}
