//! A circle: how often its people write, how well, and what they do when it dies.

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
const CLAIMED_EVERY_HOURS: usize = 6;
/// Comments that a CPR is to take: as few as it can.
const TARGET: u16 = 5;
/// The part of its members by which a healthy circle grows in a day, at most.
const GROWTH_MAX: f64 = 0.06;

/// A circle, and how those in it are.
pub(crate) struct Life {
    pub(crate) id: CircleId,
    pub(crate) people: Vec<UserId>,
    pub(crate) account: Account,
    /// Members that it began with.
    pub(crate) size: usize,
    random: StdRng,
    /// Posts that a member writes in a day.
    eagerness: f64,
    /// How fast that wanes: a part of it a day.
    boredom: f64,
    /// How well they write.
    skill: f64,
    /// How fast it grows while it is healthy: by a part of its members a day.
    growth: f64,
    /// Hours since it began.
    hours: usize,
    /// Posts that they want to write now.
    pub(crate) wishes: usize,
    /// Texts that they wrote: no two are the same.
    texts: usize,
    last_post: Option<PostId>,
    /// The post of the CPR that began last.
    cpr: Option<PostId>,
}

impl Life {
    /// A third hardly begins, a third loses interest, a third stays.
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
            wishes: 0,
            texts: 0,
            last_post: None,
            cpr: None,
        }
    }

    /// How many posts they want to write in an hour: whole ones, and with luck one more.
    pub(crate) fn request(&mut self) {
        let posts = self.eagerness * self.people.len() as f64 / 24.0;
        self.wishes = if self.account.died { 0 } else { self.with_luck(posts) };
    }

    fn with_luck(&mut self, number: f64) -> usize {
        let more = self.random.random_range(0.0..1.0) < number.fract();
        number.floor() as usize + usize::from(more)
    }

    /// Whoever comes does because the circle is well.
    pub(crate) async fn grow(&mut self, app: &App) -> Result<()> {
        let newcomers = self.with_luck(self.growth * self.people.len() as f64);
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

    /// Somebody begins a thread, or comments on the last one, if there is a request left.
    pub(crate) async fn written(mut self, app: App) -> Result<Self> {
        if self.wishes == 0 {
            return Ok(self);
        }
        self.wishes -= 1;
        let author = *self.people.choose(&mut self.random).context("nobody is in it")?;
        let begins = self.random.random_range(0..2) == 0;
        let parent = self.last_post.filter(|_| !begins);
        self.texts += 1;
        let content = texts::text(&mut self.random, self.skill, self.texts);
        let written = self.say(&app, author, parent, &content).await?;
        self.last_post = written.filter(|_| parent.is_none()).or(self.last_post);
        Ok(self)
    }

    /// Says it, unless the circle is dead, or they have said much or given karma lately.
    async fn say(
        &mut self,
        app: &App,
        who: UserId,
        parent: Option<PostId>,
        text: &str,
    ) -> Result<Option<PostId>> {
        let draft: CirclePostDraft = serde_json::from_value(json!({ "content": text, "parentId": parent }))?;
        match posts::create(app, who, self.id, draft, &Once::unkeyed()).await {
            Ok(post) => Ok(Some(post.public_id)),
            Err(Error::LimitReached { .. } | Error::Forbidden(_)) => Ok(None),
            Err(Error::NotFound(_)) => {
                self.account.died = true;
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What they do beside writing: quests, and what a dying circle needs. They give karma only where no CPR can begin
    /// and none is under way.
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
        let who = *self.people.choose(&mut self.random).context("nobody is in it")?;
        if self.hours.is_multiple_of(CLAIMED_EVERY_HOURS) {
            self.claim(app, who).await?;
        }
        if stage == Stage::Dying && !self.rescue(stack, app).await? {
            self.give(app, who).await?;
        }
        Ok(())
    }

    async fn claim(&mut self, app: &App, who: UserId) -> Result<()> {
        for code in KARMA_QUESTS {
            match quests::claim(app, who, code.parse().map_err(anyhow::Error::msg)?).await {
                Ok(claimed) => self.account.earned += claimed.karma_earned,
                Err(Error::Internal(cause)) => return Err(cause),
                // Not complete, or claimed.
                Err(_) => {}
            }
        }
        Ok(())
    }

    async fn give(&mut self, app: &App, who: UserId) -> Result<()> {
        let all = quests::karma(app, who).await?.balance;
        if all == 0 {
            return Ok(());
        }
        let draft = serde_json::from_value(json!({ "karmaAmount": all }))?;
        let given = circles::sacrifice(app, who, self.id, draft, &Once::unkeyed()).await?;
        self.account.spent += all - given.new_karma;
        Ok(())
    }

    /// As many as it takes say something deep, if a CPR can begin or is under way. Returns whether one is.
    async fn rescue(&mut self, stack: &Stack, app: &App) -> Result<bool> {
        let draft: CprDraft = serde_json::from_value(json!({ "targetComments": TARGET }))?;
        self.cpr = match cpr::begin(app, self.people[0], self.id, draft, &Once::unkeyed()).await {
            Ok(begun) => Some(begun.post_id),
            Err(Error::Conflict(_)) => self.cpr,
            Err(Error::Internal(cause)) => return Err(cause),
            Err(_) => None,
        };
        for who in self.people.sample(&mut self.random, TARGET.into()).copied().collect::<Vec<_>>() {
            let Some(post) = self.cpr else { break };
            self.texts += 1;
            let deep = texts::deep(&mut self.random, self.texts);
            self.say(app, who, Some(post), &deep).await?;
            stack.settle(None).await?;
        }
        Ok(self.cpr.is_some())
    }
}
