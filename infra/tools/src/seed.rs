//! Creates a sample network over the API: users, posts, replies, likes, follows, groups and circles. A few users get most
//! of the likes and follows.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures::{StreamExt, TryStreamExt, stream};
use indicatif::{ProgressBar, ProgressStyle};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse battery";
const CONCURRENCY: usize = 8;
const ATTEMPTS: u32 = 6;
/// A text that the embedded judge hides.
const HARMFUL: &str = "Tao sẽ giết mày";
/// Time to wait for the judge's verdict.
const VERDICT_TIME: Duration = Duration::from_millis(500);
/// Number of members of each group and circle.
const GROUP_MEMBERS: usize = 5;
const FIRST: [&str; 12] =
    ["Ann", "Bob", "Chi", "Dana", "Emil", "Farah", "Giang", "Hugo", "Ines", "Jun", "Khanh", "Lena"];
const TOPICS: [&str; 6] = ["coffee", "running", "rust", "music", "hanoi", "books"];
const OPENINGS: [&str; 6] = [
    "Today I learned something about",
    "Who else likes to talk about",
    "My weekend in three words:",
    "Unpopular opinion about",
    "A small note on",
    "Looking for people who like",
];
const REPLIES: [&str; 5] = [
    "So true.",
    "I would not have thought that!",
    "I would love to read more.",
    "Same here.",
    "Thank you for this.",
];

const ANSWERS: [&str; 3] = ["Yes", "No", "Ask me tomorrow"];
/// One in this many posts has a poll, and one in this many has a content warning.
const POSTS_PER_SPECIAL: u32 = 12;

/// Size of the sample network.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Size {
    /// Number of users.
    #[arg(long, default_value_t = 50)]
    people: usize,
    /// Number of posts.
    #[arg(long, default_value_t = 300)]
    posts: usize,
    /// Number of likes. The numbers of votes, follows and replies are the same.
    #[arg(long, default_value_t = 600)]
    ties: usize,
    /// Seed of the random numbers. Each seed results in a different network.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

struct Network {
    http: Client,
    url: String,
}

struct Person {
    username: String,
    token: String,
}

/// Creates a sample network over the API at `url`. All users have the same password.
pub(crate) async fn seed(url: String, size: Size) -> Result<()> {
    let network = Network { http: Client::builder().no_proxy().build()?, url };
    let mut random = StdRng::seed_from_u64(size.seed);
    let names = (0..size.people).map(|number| (number, size.seed));
    let people = all("people", size.people, names.map(|name| network.sign_up(name))).await?;
    let drafts: Vec<_> = (0..size.posts).map(|_| draft(&people, &mut random)).collect();
    let posts = all("posts", size.posts, drafts.into_iter().map(|draft| network.write(draft))).await?;
    let actions: Vec<_> = (0..size.ties).flat_map(|_| actions(&people, &posts, &mut random)).collect();
    all("actions", actions.len(), actions.iter().map(|action| network.act(action))).await?;
    let groups: Vec<_> = people.chunks_exact(GROUP_MEMBERS).collect();
    let tags: Vec<_> = people.iter().zip(TOPICS.iter().cycle()).collect();
    all("hashtags", tags.len(), tags.iter().map(|tag| network.follow_tag(*tag))).await?;
    all("circles", groups.len(), groups.iter().map(|people| network.create_group(people))).await?;
    if let [author, reporter, ..] = people.as_slice() {
        network.moderate(author, reporter).await?;
    }
    println!("{} users, for example {:?}, with the password {PASSWORD:?}", people.len(), people[0].username);
    Ok(())
}

/// Runs all futures in `work`, a few at a time, and shows the progress on the terminal.
async fn all<T>(
    label: &'static str,
    count: usize,
    work: impl Iterator<Item = impl Future<Output = Result<T>>>,
) -> Result<Vec<T>> {
    let style = ProgressStyle::with_template("{msg:8} {wide_bar} {pos}/{len} {eta}")?;
    let bar = ProgressBar::new(count as u64).with_style(style).with_message(label);
    let done = stream::iter(work).buffered(CONCURRENCY).inspect_ok(|_| bar.inc(1)).try_collect().await;
    bar.finish();
    done
}

/// Returns a random item. The first items are more likely.
fn pick<'a, T>(items: &'a [T], random: &mut StdRng) -> &'a T {
    let chance: f64 = random.random();
    &items[((chance * chance) * items.len() as f64) as usize]
}

fn draft<'a>(people: &'a [Person], random: &mut StdRng) -> (&'a Person, Value) {
    let topic = TOPICS.choose(random).unwrap_or(&"coffee");
    let opening = OPENINGS.choose(random).unwrap_or(&"On");
    let mut body = json!({ "content": format!("{opening} #{topic}") });
    match random.random_range(0..POSTS_PER_SPECIAL) {
        0 => body["poll"] = json!({ "options": ANSWERS, "durationMinutes": 24 * 60 }),
        1 => (body["sensitive"], body["spoiler"]) = (json!(true), json!(format!("About {topic}"))),
        _ => {}
    }
    (pick(people, random), body)
}

/// Returns a random like, vote, follow and reply. Each has a user's token, a path and a body.
fn actions<'a>(people: &'a [Person], posts: &[String], random: &mut StdRng) -> Vec<(&'a str, String, Value)> {
    let mut token = || people[random.random_range(0..people.len())].token.as_str();
    let (liker, follower, replier) = (token(), token(), token());
    let post = |random: &mut StdRng| pick(posts, random).clone();
    let followed = &pick(people, random).username;
    vec![
        (liker, format!("/posts/{}/like", post(random)), json!({ "isLiked": true })),
        (
            liker,
            format!("/posts/{}/vote", post(random)),
            json!({ "options": [random.random_range(0..ANSWERS.len())] }),
        ),
        (follower, format!("/user/{followed}/follower"), json!({ "isFollowing": true })),
        (replier, format!("/posts/{}/reply", post(random)), json!({ "content": REPLIES.choose(random) })),
    ]
}

impl Network {
    async fn sign_up(&self, (number, seed): (usize, u64)) -> Result<Person> {
        let first = FIRST[number % FIRST.len()];
        let username = format!("{}{seed}_{number}", first.to_lowercase());
        let email = format!("{username}@example.com");
        let body = json!({ "name": first, "username": username, "email": email, "password": PASSWORD });
        let pair = match self.post(None, "/auth/register", &body).await? {
            Some(pair) => pair,
            // The user exists, because an earlier run created it.
            None => {
                let body = json!({ "identifier": username, "password": PASSWORD });
                self.post(None, "/auth/login", &body).await?.context("a different user has the username")?
            }
        };
        Ok(Person { username, token: pair["accessToken"].as_str().context("no token")?.to_owned() })
    }

    /// Sends an action. Ignores client errors, for example of users who follow themselves.
    async fn act(&self, (token, path, body): &(&str, String, Value)) -> Result<()> {
        self.post(Some(token), path, body).await.map(drop)
    }

    async fn follow_tag(&self, (user, tag): (&Person, &&str)) -> Result<()> {
        let body = json!({ "isFollowing": true });
        self.post(Some(&user.token), &format!("/hashtags/{tag}/follow"), &body).await.map(drop)
    }

    /// Creates a message group and a circle of these users, who then write in both.
    async fn create_group(&self, people: &[Person]) -> Result<()> {
        let Some((host, guests)) = people.split_first() else { return Ok(()) };
        let names: Vec<_> = guests.iter().map(|guest| &guest.username).collect();
        let group =
            self.create(host, "/message-group", &json!({ "type": "CROWD", "members": names })).await?;
        let name = format!("Friends of {}", host.username);
        let circle = self.create(host, "/circles", &json!({ "name": name })).await?;
        for (guest, text) in guests.iter().zip(OPENINGS) {
            let body = json!({ "content": format!("{text} {}", host.username) });
            let invitation = json!({ "username": guest.username });
            self.post(Some(&host.token), &format!("/circles/{circle}/invitations"), &invitation).await?;
            let accept = format!("/circles/{circle}/invitations/accept");
            self.post(Some(&guest.token), &accept, &json!({})).await?;
            self.post(Some(&guest.token), &format!("/circles/{circle}/posts"), &body).await?;
            self.post(Some(&guest.token), &format!("/message-group/{group}/messages"), &body).await?;
        }
        Ok(())
    }

    /// Creates a harmful post and reports it. After the judge has hidden the post, the author appeals.
    async fn moderate(&self, author: &Person, reporter: &Person) -> Result<()> {
        let post = self.create(author, "/posts", &json!({ "content": HARMFUL })).await?;
        let report = json!({ "reason": "A threat.", "type": "post", "category": "VIOLENCE" });
        self.post(Some(&reporter.token), &format!("/posts/{post}/report"), &report).await?;
        let path = format!("/me/moderation/{post}/appeal");
        let appeal = json!({ "text": "It is a quotation." });
        for _ in 0..ATTEMPTS {
            // The appeal fails until the judge has hidden the post.
            if self.post(Some(&author.token), &path, &appeal).await?.is_some() {
                return Ok(());
            }
            tokio::time::sleep(VERDICT_TIME).await;
        }
        println!("the judge has not hidden {post}, so its author cannot appeal");
        Ok(())
    }

    async fn write(&self, (author, body): (&Person, Value)) -> Result<String> {
        let post = self.create(author, "/posts", &body).await?;
        // Authors pin posts with a content warning.
        if body["sensitive"] == true {
            self.post(Some(&author.token), &format!("/posts/{post}/pin"), &json!({ "isPinned": true }))
                .await?;
        }
        Ok(post)
    }

    /// Sends a request that must succeed. Returns the ID of the created object.
    async fn create(&self, user: &Person, path: &str, body: &Value) -> Result<String> {
        let created = self.post(Some(&user.token), path, body).await?;
        let created = created.with_context(|| format!("{path} failed"))?;
        Ok(created["publicId"].as_str().context("no ID")?.to_owned())
    }

    /// Sends a request, and returns the data of the response, or `None` after a client error. Waits and retries after a
    /// 429.
    async fn post(&self, token: Option<&str>, path: &str, body: &Value) -> Result<Option<Value>> {
        for attempt in 0..ATTEMPTS {
            let request = self.http.post(format!("{}{path}", self.url)).json(body);
            let request = token.into_iter().fold(request, |request, token| request.bearer_auth(token));
            let response =
                request.send().await.with_context(|| format!("failed to reach the API at {}", self.url))?;
            match response.status() {
                status if status.is_success() => {
                    return Ok(Some(response.json::<Value>().await?["data"].take()));
                }
                StatusCode::TOO_MANY_REQUESTS => {
                    let after = response
                        .headers()
                        .get("retry-after")
                        .and_then(|value| value.to_str().ok()?.parse().ok());
                    tokio::time::sleep(Duration::from_secs(after.unwrap_or(1 << attempt))).await;
                }
                status if status.is_client_error() => return Ok(None),
                status => bail!("{path} returned {status}"),
            }
        }
        bail!("{path} exceeds a rate limit. Raise the limits before you seed: see infra/SETTINGS.md")
    }
}
