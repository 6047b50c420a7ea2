//! A simulated circle: how often and how well its members write, and how they save the circle.

use anyhow::{Context, Result};
use domain::{
    circles::{
        self, Stage,
        cpr::{self, CprDraft},
        posts::{self, CirclePostDraft},
    },
    ids::{CircleId, PostId, UserId},
    quests,
};
use local::Stack;
use platform::{App, Error, idempotency::Once};
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;

use crate::{invariants::Account, population::join, texts};

const KARMA_QUESTS: [&str; 3] = ["DEEP_COMMENT", "QUALITY_POST", "HELP_OTHERS"];
const CLAIM_INTERVAL_HOURS: usize = 6;
/// Number of comments that each CPR requires, which is the API's minimum.
const CPR_COMMENTS: u16 = 5;
/// Maximum of [`Life::growth`].
const GROWTH_MAX: f64 = 0.06;

/// A simulated circle, with the habits of its members.
pub(crate) struct Life {
    pub(crate) id: CircleId,
    pub(crate) people: Vec<UserId>,
    pub(crate) account: Account,
    /// Initial number of members.
    pub(crate) size: usize,
    random: StdRng,
    /// Posts per member and day.
    eagerness: f64,
    /// Daily decrease of `eagerness`, as a fraction.
    boredom: f64,
    /// Quality of the texts, from 0 to 1.
    skill: f64,
    /// New members per day while the circle is healthy, as a fraction of its members.
    growth: f64,
    /// Age in hours.
    hours: usize,
    /// Number of posts that members will still write in this hour.
    pub(crate) pending_posts: usize,
    /// Number of texts so far. Each text contains its number, and is therefore unique.
    texts: usize,
    last_post: Option<PostId>,
    /// Post of the latest CPR.
    cpr: Option<PostId>,
}

impl Life {
    /// Creates a circle with random habits. On average, a third of circles is hardly active, a third loses interest,
    /// and a third stays active.
    pub(crate) fn new(id: CircleId, people: Vec<UserId>, mut random: StdRng) -> Self {
        let (eagerness, boredom) = match random.random_range(0..3) {
            0 => (random.random_range(0.0..0.4), 0.1),
            1 => (random.random_range(0.5..4.0), random.random_range(0.05..0.2)),
            _ => (random.random_range(0.5..5.0), 0.0),
        };
        let (skill, growth) = (random.random_range(0.3..0.9), random.random_range(0.0..GROWTH_MAX));
        Self {
            id,
            size: people.len(),
            people,
            account: Account::default(),
            random,
            eagerness,
            boredom,
            skill,
            growth,
            hours: 0,
            pending_posts: 0,
            texts: 0,
            last_post: None,
            cpr: None,
        }
    }

    /// Chooses how many posts the members write in this hour.
    pub(crate) fn plan_posts(&mut self) {
        let posts = self.eagerness * self.people.len() as f64 / 24.0;
        self.pending_posts = if self.account.died { 0 } else { self.round_randomly(posts) };
    }

    /// Rounds `number` up or down at random. The average result is `number`.
    fn round_randomly(&mut self, number: f64) -> usize {
        let up = self.random.random_range(0.0..1.0) < number.fract();
        number.floor() as usize + usize::from(up)
    }

    /// Adds members if the circle is healthy.
    pub(crate) async fn grow(&mut self, app: &App) -> Result<()> {
        let newcomers = self.round_randomly(self.growth * self.people.len() as f64);
        if self.account.died || self.stage(app).await? != Stage::Healthy {
            return Ok(());
        }
        for _ in 0..newcomers {
            self.people.push(join(app, self.people[0], self.id).await?);
        }
        Ok(())
    }

    async fn stage(&self, app: &App) -> Result<Stage> {
        match circles::energy(app, self.id).await {
            Err(Error::NotFound(_)) => Ok(Stage::Dead),
            energy => Ok(energy?.stage()),
        }
    }

    /// Writes the next pending post, if any: a new post, or a comment on the last post. Returns the circle.
    pub(crate) async fn write_next(mut self, app: App) -> Result<Self> {
        if self.pending_posts == 0 {
            return Ok(self);
        }
        self.pending_posts -= 1;
        let author = *self.people.choose(&mut self.random).context("the circle has no members")?;
        let is_post = self.random.random_range(0..2) == 0;
        let parent = self.last_post.filter(|_| !is_post);
        self.texts += 1;
        let content = texts::text(&mut self.random, self.skill, self.texts);
        let written = self.write(&app, author, parent, &content).await?;
        self.last_post = written.filter(|_| parent.is_none()).or(self.last_post);
        Ok(self)
    }

    /// Writes a post or comment. Returns `None` if the circle is dead or a limit forbids it.
    async fn write(
        &mut self,
        app: &App,
        author: UserId,
        parent: Option<PostId>,
        text: &str,
    ) -> Result<Option<PostId>> {
        let draft: CirclePostDraft = serde_json::from_value(json!({ "content": text, "parentId": parent }))?;
        match posts::create(app, author, self.id, draft, &Once::unkeyed()).await {
            Ok(post) => Ok(Some(post.public_id)),
            Err(Error::LimitReached { .. } | Error::Forbidden(_)) => Ok(None),
            Err(Error::NotFound(_)) => {
                self.account.died = true;
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Claims quests and helps a dying circle. Members give karma only if no CPR is active.
    pub(crate) async fn care(&mut self, stack: &Stack, app: &App) -> Result<()> {
        self.hours += 1;
        self.eagerness *= 1.0 - self.boredom / 24.0;
        if self.account.died || self.eagerness < 0.3 {
            return Ok(());
        }
        let stage = self.stage(app).await?;
        if stage == Stage::Dead {
            return Ok(());
        }
        let member = *self.people.choose(&mut self.random).context("the circle has no members")?;
        if self.hours.is_multiple_of(CLAIM_INTERVAL_HOURS) {
            self.claim(app, member).await?;
        }
        if stage == Stage::Dying && !self.rescue(stack, app).await? {
            self.give(app, member).await?;
        }
        Ok(())
    }

    async fn claim(&mut self, app: &App, member: UserId) -> Result<()> {
        for code in KARMA_QUESTS {
            match quests::claim(app, member, code.parse().map_err(anyhow::Error::msg)?, &Once::unkeyed())
                .await
            {
                Ok(claimed) => self.account.earned += claimed.karma_earned,
                Err(Error::Internal(cause)) => return Err(cause),
                // The quest is not complete, or was already claimed.
                Err(_) => {}
            }
        }
        Ok(())
    }

    async fn give(&mut self, app: &App, member: UserId) -> Result<()> {
        let balance = quests::karma(app, member).await?.balance;
        if balance == 0 {
            return Ok(());
        }
        let draft = serde_json::from_value(json!({ "karmaAmount": balance }))?;
        let given = circles::sacrifice(app, member, self.id, draft, &Once::unkeyed()).await?;
        self.account.spent += balance - given.new_karma;
        Ok(())
    }

    /// Starts a CPR, or continues the active CPR, with comments of high quality. Returns whether a CPR is active.
    async fn rescue(&mut self, stack: &Stack, app: &App) -> Result<bool> {
        let draft: CprDraft = serde_json::from_value(json!({ "targetComments": CPR_COMMENTS }))?;
        self.cpr = match cpr::begin(app, self.people[0], self.id, draft, &Once::unkeyed()).await {
            Ok(begun) => Some(begun.post_id),
            Err(Error::Conflict(_)) => self.cpr,
            Err(Error::Internal(cause)) => return Err(cause),
            Err(_) => None,
        };
        for member in self.people.sample(&mut self.random, CPR_COMMENTS.into()).copied().collect::<Vec<_>>() {
            let Some(post) = self.cpr else { break };
            self.texts += 1;
            let deep = texts::deep(&mut self.random, self.texts);
            self.write(app, member, Some(post), &deep).await?;
            stack.settle(None).await?;
        }
        Ok(self.cpr.is_some())
    }
}
