//! A network to look at: people who follow, write, reply and like, as a few do much and most do little, and who
//! meet in groups and circles.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures::{StreamExt, TryStreamExt, stream};
use indicatif::{ProgressBar, ProgressStyle};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse battery";
const AT_ONCE: usize = 8;
const ATTEMPTS: u32 = 6;
/// What the judge here hides without doubt.
const HARMFUL: &str = "Tao sẽ giết mày";
/// How long the judge takes, about.
const JUDGED_AFTER: Duration = Duration::from_millis(500);
/// As many meet in a group and in a circle.
const TABLE_SEATS: usize = 5;
const FIRST: [&str; 12] =
    ["Ann", "Bob", "Chi", "Dana", "Emil", "Farah", "Giang", "Hugo", "Ines", "Jun", "Khanh", "Lena"];
const TOPICS: [&str; 6] = ["coffee", "running", "rust", "music", "hanoi", "books"];
const OPENINGS: [&str; 6] = [
    "Today I learned something about",
    "Does anybody else think so much of",
    "My weekend in three words:",
    "Unpopular opinion about",
    "A small note on",
    "Looking for people who like",
];
const REPLIES: [&str; 5] =
    ["So true.", "I would not have thought that!", "Tell us more.", "Same here.", "Thank you for this."];

const ANSWERS: [&str; 3] = ["Yes", "No", "Ask me tomorrow"];
/// One post in so many has a poll, and one a warning.
const SELDOM: u32 = 12;

/// How much there is to be.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Size {
    /// How many people sign up.
    #[arg(long, default_value_t = 50)]
    people: usize,
    /// How many posts they write.
    #[arg(long, default_value_t = 300)]
    posts: usize,
    /// How many likes, follows and replies follow, each.
    #[arg(long, default_value_t = 600)]
    ties: usize,
    /// Another seed is another network.
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

/// Fills a network over its API, with everybody's password the same.
pub(crate) async fn seed(url: String, size: Size) -> Result<()> {
    let network = Network { http: Client::builder().no_proxy().build()?, url };
    let mut random = StdRng::seed_from_u64(size.seed);
    let names = (0..size.people).map(|number| (number, size.seed));
    let people = all("people", size.people, names.map(|it| network.signs_up(it))).await?;
    let drafts: Vec<_> = (0..size.posts).map(|_| draft(&people, &mut random)).collect();
    let posts = all("posts", size.posts, drafts.into_iter().map(|it| network.writes(it))).await?;
    let ties: Vec<_> = (0..size.ties).flat_map(|_| ties(&people, &posts, &mut random)).collect();
    all("ties", ties.len(), ties.iter().map(|it| network.ties(it))).await?;
    let tables: Vec<_> = people.chunks_exact(TABLE_SEATS).collect();
    let tags: Vec<_> = people.iter().zip(TOPICS.iter().cycle()).collect();
    all("hashtags", tags.len(), tags.iter().map(|it| network.follows_tag(*it))).await?;
    all("circles", tables.len(), tables.iter().map(|it| network.meets(it))).await?;
    if let [author, reporter, ..] = people.as_slice() {
        network.moderates(author, reporter).await?;
    }
    println!("{} people, for example {:?}, with the password {PASSWORD:?}", people.len(), people[0].username);
    Ok(())
}

/// Does all of it, a few at a time, and shows how far it is.
async fn all<T>(
    what: &'static str,
    count: usize,
    work: impl Iterator<Item = impl Future<Output = Result<T>>>,
) -> Result<Vec<T>> {
    let style = ProgressStyle::with_template("{msg:8} {wide_bar} {pos}/{len} {eta}")?;
    let bar = ProgressBar::new(count as u64).with_style(style).with_message(what);
    let done = stream::iter(work).buffered(AT_ONCE).inspect_ok(|_| bar.inc(1)).try_collect().await;
    bar.finish();
    done
}

/// A few are everywhere: the square of an even chance.
fn often<'a, T>(of: &'a [T], random: &mut StdRng) -> &'a T {
    let chance: f64 = random.random();
    &of[((chance * chance) * of.len() as f64) as usize]
}

fn draft<'a>(people: &'a [Person], random: &mut StdRng) -> (&'a Person, Value) {
    let topic = TOPICS.choose(random).unwrap_or(&"coffee");
    let opening = OPENINGS.choose(random).unwrap_or(&"On");
    let mut body = json!({ "content": format!("{opening} #{topic}") });
    match random.random_range(0..SELDOM) {
        0 => body["poll"] = json!({ "options": ANSWERS, "durationMinutes": 24 * 60 }),
        1 => (body["sensitive"], body["spoiler"]) = (json!(true), json!(format!("About {topic}"))),
        _ => {}
    }
    (often(people, random), body)
}

/// Somebody does something with somebody or something: their token, the path, the body.
fn ties<'a>(people: &'a [Person], posts: &[String], random: &mut StdRng) -> Vec<(&'a str, String, Value)> {
    let mut anybody = || people[random.random_range(0..people.len())].token.as_str();
    let (liker, follower, replier) = (anybody(), anybody(), anybody());
    let post = |random: &mut StdRng| often(posts, random).clone();
    let followed = &often(people, random).username;
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
    async fn signs_up(&self, (number, seed): (usize, u64)) -> Result<Person> {
        let first = FIRST[number % FIRST.len()];
        let username = format!("{}{seed}_{number}", first.to_lowercase());
        let email = format!("{username}@example.com");
        let body = json!({ "name": first, "username": username, "email": email, "password": PASSWORD });
        let pair = match self.post(None, "/auth/register", &body).await? {
            Some(pair) => pair,
            // Who is there from the last time signs in.
            None => {
                let body = json!({ "identifier": username, "password": PASSWORD });
                self.post(None, "/auth/login", &body)
                    .await?
                    .context("the username belongs to somebody else")?
            }
        };
        Ok(Person { username, token: pair["accessToken"].as_str().context("no token")?.to_owned() })
    }

    /// What is refused was nonsense, as to follow oneself.
    async fn ties(&self, (token, path, body): &(&str, String, Value)) -> Result<()> {
        self.post(Some(token), path, body).await.map(drop)
    }

    async fn follows_tag(&self, (who, tag): (&Person, &&str)) -> Result<()> {
        let body = json!({ "isFollowing": true });
        self.post(Some(&who.token), &format!("/hashtags/{tag}/follow"), &body).await.map(drop)
    }

    /// The first has the others in a group and in a circle, and they write in both.
    async fn meets(&self, people: &[Person]) -> Result<()> {
        let Some((host, guests)) = people.split_first() else { return Ok(()) };
        let names: Vec<_> = guests.iter().map(|it| &it.username).collect();
        let group = self.makes(host, "/message-group", &json!({ "type": "CROWD", "members": names })).await?;
        let name = format!("Friends of {}", host.username);
        let circle = self.makes(host, "/circles", &json!({ "name": name })).await?;
        for (guest, text) in guests.iter().zip(OPENINGS) {
            let said = json!({ "content": format!("{text} {}", host.username) });
            let invited = json!({ "username": guest.username });
            self.post(Some(&host.token), &format!("/circles/{circle}/invitations"), &invited).await?;
            let accepted = format!("/circles/{circle}/invitations/accept");
            self.post(Some(&guest.token), &accepted, &json!({})).await?;
            self.post(Some(&guest.token), &format!("/circles/{circle}/posts"), &said).await?;
            self.post(Some(&guest.token), &format!("/message-group/{group}/messages"), &said).await?;
        }
        Ok(())
    }

    /// One writes what the judge hides once another reports it, and appeals.
    async fn moderates(&self, author: &Person, reporter: &Person) -> Result<()> {
        let post = self.makes(author, "/posts", &json!({ "content": HARMFUL })).await?;
        let report = json!({ "reason": "A threat.", "type": "post", "category": "VIOLENCE" });
        self.post(Some(&reporter.token), &format!("/posts/{post}/report"), &report).await?;
        let (path, appeal) =
            (format!("/me/moderation/{post}/appeal"), json!({ "text": "It is a quotation." }));
        for _ in 0..ATTEMPTS {
            // It is refused until the judge has hidden the post.
            if self.post(Some(&author.token), &path, &appeal).await?.is_some() {
                return Ok(());
            }
            tokio::time::sleep(JUDGED_AFTER).await;
        }
        println!("the judge has not hidden {post}: nobody appealed");
        Ok(())
    }

    async fn writes(&self, (author, body): (&Person, Value)) -> Result<String> {
        let post = self.makes(author, "/posts", &body).await?;
        // What warns its readers stands at the head of its author's list.
        if body["sensitive"] == true {
            self.post(Some(&author.token), &format!("/posts/{post}/pin"), &json!({ "isPinned": true }))
                .await?;
        }
        Ok(post)
    }

    /// The id of what somebody makes.
    async fn makes(&self, who: &Person, path: &str, body: &Value) -> Result<String> {
        let made = self.post(Some(&who.token), path, body).await?;
        let made = made.with_context(|| format!("{path} was refused"))?;
        Ok(made["publicId"].as_str().context("no id")?.to_owned())
    }

    /// The data of the answer; none when it was refused. Waits where there was too much at once.
    async fn post(&self, token: Option<&str>, path: &str, body: &Value) -> Result<Option<Value>> {
        for attempt in 0..ATTEMPTS {
            let request = self.http.post(format!("{}{path}", self.url)).json(body);
            let request = token.into_iter().fold(request, |request, it| request.bearer_auth(it));
            let answer = request.send().await.with_context(|| format!("no network at {}", self.url))?;
            match answer.status() {
                status if status.is_success() => {
                    return Ok(Some(answer.json::<Value>().await?["data"].take()));
                }
                StatusCode::TOO_MANY_REQUESTS => {
                    let after =
                        answer.headers().get("retry-after").and_then(|it| it.to_str().ok()?.parse().ok());
                    tokio::time::sleep(Duration::from_secs(after.unwrap_or(1 << attempt))).await;
                }
                status if status.is_client_error() => return Ok(None),
                status => bail!("{path} answered {status}"),
            }
        }
        bail!("{path} is limited: raise WRITE_LIMIT_PER_5_MIN and AUTH_ADDRESS_LIMIT_PER_5_MIN for seeding")
    }
}
