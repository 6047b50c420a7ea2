//! Writes the rows of a network that [`crate::plan`] planned. The network has a year of posts, and is the same in each
//! run. A few users and posts get most of the follows and likes.

use anyhow::Result;
use domain::{
    ids::{Position, PostId, UserId},
    ledger::statistics::{self, Count},
    people::{addresses::Address, follows::Follow, unique::UniqueName, users::User},
    posts::{
        Post, PostType,
        engagements::Engagement,
        likes::{self, Likers},
        timeline::TimelineEntry,
    },
    search,
};
use local::Stack;
use serde::{Deserialize, Serialize};
use serde_json::json;
use ulid::Ulid;

use crate::{
    plan::{MONTH, Member, Plan, Written},
    rows::{Originals, time_of},
    texts,
};

/// Approximate number of posts that the measured requests use.
const CHOICES: usize = 3_000;
/// Number of distinct words in a post. The post also contains its own number.
const DISTINCT_WORDS: usize = 6;
/// Number of users in a row that lists a post's likers.
const LIKERS: usize = 97;
const MONTH_SECONDS: i64 = MONTH / 1000;

/// Size of the network.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, clap::Args)]
pub(crate) struct Size {
    /// Number of users who write, follow and like.
    #[arg(long, default_value_t = 1_000)]
    pub(crate) people: usize,
    /// Number of posts and replies in a year.
    #[arg(long, default_value_t = 50_000)]
    pub(crate) posts: usize,
    /// Number of likes.
    #[arg(long, default_value_t = 200_000)]
    pub(crate) likes: usize,
    /// Average number of users that a user follows.
    #[arg(long, default_value_t = 20)]
    pub(crate) follows: usize,
    /// Number of followers of one popular author. These followers write no posts and follow no other user.
    #[arg(long, default_value_t = 20_000)]
    pub(crate) followers: usize,
}

/// Usernames and post IDs that the measured requests use.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Network {
    /// Usernames of regular users. The first user has many followers.
    pub(crate) people: Vec<String>,
    /// Usernames of users who follow only the first user.
    pub(crate) followers: Vec<String>,
    /// IDs of posts of all ages.
    pub(crate) posts: Vec<String>,
    /// IDs of the newest posts without likes.
    pub(crate) unliked: Vec<String>,
    /// ID of the post with the most likes.
    pub(crate) liked: String,
    /// ID of the post with the most replies.
    pub(crate) replied: String,
    pub(crate) rows: usize,
}

struct Seeding {
    originals: Originals,
    plan: Plan,
    users: Vec<User>,
    /// Unix time in milliseconds up to which the network has data.
    now: i64,
}

/// Writes the network to an empty stack.
pub(crate) async fn seed(stack: &Stack, size: &Size) -> Result<Network> {
    let originals = Originals::of(stack).await?;
    let now = stack.clock().now().as_millisecond();
    let plan = Plan::of(size, now);
    let users = users(&originals, &plan)?;
    let seeding = Seeding { originals, plan, users, now };
    let rows =
        seeding.people().await? + seeding.follows().await? + seeding.posts().await? + seeding.likes().await?;
    seeding.totals().await?;
    Ok(seeding.network(size, rows))
}

fn users(originals: &Originals, plan: &Plan) -> Result<Vec<User>> {
    let user = |member: &Member| {
        let user = originals.user(member.id, &member.name)?;
        Ok(User { followers_count: member.followers.len() as i64, following_count: member.following, ..user })
    };
    plan.people.iter().map(user).collect()
}

impl Seeding {
    async fn people(&self) -> Result<usize> {
        let names = self.users.iter().map(|user| UniqueName::of_username(user.id, &user.username));
        let (names, addresses): (Vec<_>, Vec<_>) = names.zip(self.users.iter().map(Address::of)).unzip();
        let terms: Vec<_> = self.users.iter().flat_map(search::terms_of).collect();
        let rows = &self.originals;
        Ok(rows.write(&self.users).await?
            + rows.write(&names).await?
            + rows.write(&addresses).await?
            + rows.write(&terms).await?)
    }

    async fn follows(&self) -> Result<usize> {
        let follow = |(fan, author, id): &(usize, usize, Ulid)| {
            follow(self.users[*fan].id, self.users[*author].id, *id)
        };
        self.originals.write(&self.plan.follows.iter().map(follow).collect::<Result<Vec<_>>>()?).await
    }

    async fn posts(&self) -> Result<usize> {
        let posts = self.plan.posts.iter().zip(0..).map(|(written, number)| self.post(written, number));
        let posts = posts.collect::<Result<Vec<_>>>()?;
        let words: Vec<_> =
            posts.iter().filter(|post| post.kind == PostType::Post).flat_map(search::words_of).collect();
        let timelines = self.plan.posts.iter().flat_map(|post| self.timelines(post)).collect::<Vec<_>>();
        let rows = &self.originals;
        Ok(rows.write(&posts).await? + rows.write(&words).await? + rows.write(&timelines).await?)
    }

    fn post(&self, written: &Written, number: usize) -> Result<Post> {
        let content = texts::of(number, DISTINCT_WORDS);
        let post = self.originals.post(written.id, &self.users[written.author], &content)?;
        // A third of the posts have a hashtag.
        let topic = texts::TAGS.get(number % 18).filter(|_| written.parent.is_none());
        let parent = written.parent.map(|parent| self.plan.posts[parent].id);
        Ok(Post {
            kind: if parent.is_some() { PostType::Reply } else { PostType::Post },
            parent,
            head: parent,
            topic: topic.map(|tag| tag.parse()).transpose().map_err(anyhow::Error::msg)?,
            likes_count: written.likes.len() as i64,
            replies_count: written.replies,
            ..post
        })
    }

    /// Returns the timeline entries of a post, one for the author and each follower. Replies and posts older than a
    /// month have none.
    fn timelines(&self, written: &Written) -> Vec<TimelineEntry> {
        let Ok(at) = time_of(written.id) else { return Vec::new() };
        let is_kept = written.parent.is_none() && at.millis() > self.now - MONTH;
        let fans = &self.plan.people[written.author].followers;
        let readers = fans.iter().chain([&written.author]).filter(|_| is_kept);
        let expires = at.plus_seconds(MONTH_SECONDS);
        let entry =
            |reader: &usize| TimelineEntry { reader: self.users[*reader].id, post: written.id, expires };
        readers.map(entry).collect()
    }

    async fn likes(&self) -> Result<usize> {
        let (mut likers, mut engagements) = (Vec::new(), Vec::new());
        for post in &self.plan.posts {
            for (fans, second) in post.likes.chunks(LIKERS).zip(1..) {
                let fans = fans.iter().map(|fan| self.users[*fan].id).collect();
                let millis = Ulid::from(post.id).timestamp_ms() + 1000 * second;
                let (row, likes) = likes_of(post.id, Ulid::from_parts(millis, post.id.random()), fans)?;
                likers.push(row);
                engagements.extend(likes);
            }
        }
        Ok(self.originals.write(&likers).await? + self.originals.write(&engagements).await?)
    }

    async fn totals(&self) -> Result<()> {
        let posts = self.plan.roots().count();
        let all = [
            (Count::Users, self.users.len()),
            (Count::Posts, posts),
            (Count::Replies, self.plan.posts.len() - posts),
        ];
        for (counter, count) in all {
            self.originals.app.table.write(statistics::count_write(0, counter, count as i64)).await?;
        }
        Ok(())
    }

    fn network(&self, size: &Size, rows: usize) -> Network {
        let (people, followers) = self.plan.people.split_at(size.people);
        let names = |all: &[Member]| all.iter().map(|member| member.name.clone()).collect::<Vec<_>>();
        let roots: Vec<_> = self.plan.roots().map(|root| &self.plan.posts[root]).collect();
        let most = |count: fn(&Written) -> i64| {
            let post = roots.iter().max_by_key(|post| (count(post), post.id));
            post.map_or_else(String::new, |post| post.id.to_string())
        };
        let unliked = roots.iter().rev().filter(|post| post.likes.is_empty());
        Network {
            people: names(people),
            followers: names(followers),
            posts: roots
                .iter()
                .step_by((roots.len() / CHOICES).max(1))
                .map(|post| post.id.to_string())
                .collect(),
            unliked: unliked.take(CHOICES).map(|post| post.id.to_string()).collect(),
            liked: most(|post| post.likes.len() as i64),
            replied: most(|post| post.replies),
            rows,
        }
    }
}

/// Returns the row of an active follow that was created at the timestamp in `id`.
fn follow(follower: UserId, followed: UserId, id: Ulid) -> Result<Follow> {
    let (at, position) = (time_of(id)?, Position::from(id));
    Ok(Follow {
        follower_id: follower,
        following_id: followed,
        is_following: true,
        merges: false,
        position,
        created_at: at,
        ended_at: None,
        notified_at: at,
        notified_as: None,
    })
}

/// Returns the row that lists `fans` as likers of a post, and one row for each like. The likes have the
/// timestamp in `id`.
fn likes_of(post: PostId, id: Ulid, fans: Vec<UserId>) -> Result<(Likers, Vec<Engagement>)> {
    let at = time_of(id)?;
    let (likers, places) = likes::liked_by(post, id, fans.clone());
    let like = |(user, place)| {
        serde_json::from_value(json!({
            "user": user, "post": post, "liked": true, "likedAt": at, "counted": true, "place": place,
        }))
    };
    Ok((likers, fans.into_iter().zip(places).map(like).collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use domain::operations::recount::Recount;
    use local::{Delivery, Options};

    use super::*;

    #[tokio::test]
    async fn counters_of_a_seeded_network_match_its_rows() {
        let options = Options { delivery: Delivery::Manual, ..Options::default() };
        let stack = Stack::start(options).await.unwrap();
        let size = Size { people: 12, posts: 60, likes: 90, follows: 4, followers: 10 };
        let network = seed(&stack, &size).await.unwrap();
        assert!(network.rows > 500, "{network:?}");
        let app = stack.accounts().unwrap();
        let (mut recount, mut rows, mut from) = (Recount::default(), 0, None);
        loop {
            let (read, next) = recount.read(&app, from).await.unwrap();
            rows += read;
            from = next;
            if from.is_none() {
                break;
            }
        }
        assert!(rows >= network.rows, "{rows} of {}", network.rows);
        assert_eq!(recount.drifts(), Vec::new());
    }
}
