//! The people: who is in which circle, how often they write, how well, and what they do when it dies.

use anyhow::{Context, Result};
use domain::{
    circles::{
        self, CircleDraft, Stage,
        cpr::{self, CprDraft},
        posts::{self, CirclePostDraft},
    },
    ids::{CircleId, PostId, UserId},
    people::users::User,
    quests,
};
use futures::{StreamExt, TryStreamExt, stream};
use platform::{App, Error, app::Clients, idempotency::Once, settings::Settings, table::Write};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use tests::World;

use crate::{Scale, invariants::Account, texts};

/// Requests at the same time while everybody arrives.
const TOGETHER: usize = 8;
const KARMA_QUESTS: [&str; 3] = ["DEEP_COMMENT", "QUALITY_POST", "HELP_OTHERS"];
/// Comments that a CPR is to take.
const TARGET: u16 = 4;

/// Everybody.
pub(crate) struct Population {
    pub(crate) app: App,
    pub(crate) circles: Vec<Life>,
}

/// A circle, and how those in it are.
pub(crate) struct Life {
    pub(crate) id: CircleId,
    pub(crate) people: Vec<UserId>,
    pub(crate) account: Account,
    random: StdRng,
    /// Posts that a member writes in a day.
    eagerness: f64,
    /// How fast that wanes: a part of it a day.
    boredom: f64,
    /// How well they write.
    skill: f64,
    /// Posts that they want to write now.
    wishes: usize,
    last_post: Option<PostId>,
}

impl Population {
    /// Has everybody sign up and come into a circle.
    pub(crate) async fn assemble(world: &World, scale: &Scale) -> Result<Self> {
        let app = actors(world)?;
        let each = (scale.members / scale.circles.max(1)).max(1);
        let circles = stream::iter(0..scale.circles).map(|number| found(&app, number, each));
        let circles: Vec<_> = circles.buffered(TOGETHER).try_collect().await?;
        let mut seeds = StdRng::seed_from_u64(scale.seed);
        let mut seed = || StdRng::seed_from_u64(seeds.random());
        let circles = circles.into_iter().map(|(id, people)| Life::new(id, people, seed())).collect();
        Ok(Self { app, circles })
    }

    /// What people do within a step: they write, in waves, so that of a circle one verdict comes after the other.
    pub(crate) async fn live(&mut self, world: &World, scale: &Scale) -> Result<()> {
        let days = scale.step as f64 / 24.0;
        for life in &mut self.circles {
            life.request(days);
        }
        while self.circles.iter().any(|it| it.wishes > 0) {
            self.write().await?;
            world.stack.settle(None).await?;
        }
        for life in &mut self.circles {
            life.care(world, &self.app).await?;
        }
        Ok(())
    }

    /// Somebody of each circle writes, where they request to; what happens in one is nothing to the others.
    async fn write(&mut self) -> Result<()> {
        let circles = std::mem::take(&mut self.circles).into_iter();
        let writing = circles.map(|life| tokio::spawn(life.written(self.app.clone())));
        let writing = stream::iter(writing).buffered(TOGETHER).map(|life| life?);
        self.circles = writing.try_collect().await?;
        Ok(())
    }
}

/// The product as people use it: nothing goes wrong between them and it.
fn actors(world: &World) -> Result<App> {
    let queue = world.stack.queue_url("circle-judge");
    let settings = Settings::read(|name| match name {
        "TABLE_NAME" => Some(world.stack.table_name().to_owned()),
        "CIRCLE_JUDGE_QUEUE_URL" => Some(queue.clone()),
        // Nobody listens.
        "EVENT_BUS_NAME" => Some("simulation".to_owned()),
        _ => None,
    })?;
    let clock = world.stack.clock().clone();
    Ok(App::new(Clients::new(world.stack.sdk_config()), settings, std::sync::Arc::new(move || clock.now())))
}

async fn found(app: &App, number: usize, people: usize) -> Result<(CircleId, Vec<UserId>)> {
    let mut all = Vec::new();
    for member in 0..people {
        all.push(arrive(app, number * people + member).await?);
    }
    let draft: CircleDraft = serde_json::from_value(json!({ "name": format!("Circle {number}") }))?;
    let circle = circles::create(app, all[0], draft, &Once::unkeyed()).await?.public_id;
    for member in &all[1..] {
        circles::request_join(app, *member, circle, &Once::unkeyed()).await?;
        let accept = json!({ "userId": member, "action": "ACCEPT" });
        circles::respond(app, all[0], circle, serde_json::from_value(accept)?).await?;
    }
    Ok((circle, all))
}

/// Somebody, without a password: they never sign in.
async fn arrive(app: &App, number: usize) -> Result<UserId> {
    let id = UserId::random_at(app.now());
    let user: User = serde_json::from_value(json!({
        "id": id, "name": format!("Person {number}"), "username": format!("person{number}"),
        "email": format!("person{number}@example.com"), "passwordHash": "", "status": "ACTIVE",
        "roles": ["USER"], "followersCount": 0, "followingCount": 0, "createdAt": app.now(),
    }))?;
    app.table.write(Write::create(&user)).await?;
    Ok(id)
}

impl Life {
    /// A third hardly begins, a third loses interest, a third stays.
    fn new(id: CircleId, people: Vec<UserId>, mut random: StdRng) -> Self {
        let (eagerness, boredom) = match random.random_range(0..3) {
            0 => (random.random_range(0.0..0.4), 0.1),
            1 => (random.random_range(1.0..5.0), random.random_range(0.05..0.2)),
            _ => (random.random_range(1.0..8.0), 0.0),
        };
        let skill = random.random_range(0.3..0.9);
        let account = Account::default();
        Self { id, people, account, random, eagerness, boredom, skill, wishes: 0, last_post: None }
    }

    /// How many posts they want to write: whole ones, and with luck one more.
    fn request(&mut self, days: f64) {
        let posts = self.eagerness * self.people.len() as f64 * days;
        let more = self.random.random_range(0.0..1.0) < posts.fract();
        self.wishes = if self.account.died { 0 } else { posts.floor() as usize + usize::from(more) };
    }

    /// Somebody begins a thread, or comments on the last one, if there is a request left.
    async fn written(mut self, app: App) -> Result<Self> {
        if self.wishes == 0 {
            return Ok(self);
        }
        self.wishes -= 1;
        let author = *self.people.choose(&mut self.random).context("nobody is in it")?;
        let begins = self.random.random_range(0..2) == 0;
        let parent = self.last_post.filter(|_| !begins);
        let content = texts::text(&mut self.random, self.skill);
        let written = self.say(&app, author, parent, content).await?;
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

    /// What they do beside writing: quests, and what a dying circle needs.
    async fn care(&mut self, world: &World, app: &App) -> Result<()> {
        self.eagerness *= 1.0 - self.boredom / 4.0;
        if self.account.died || self.eagerness < 0.3 {
            return Ok(());
        }
        let energy = match circles::energy(app, self.id).await {
            Err(Error::NotFound(_)) => return Ok(()),
            energy => energy?,
        };
        let who = *self.people.choose(&mut self.random).context("nobody is in it")?;
        self.claim(app, who).await?;
        if energy.stage() == Stage::Dying {
            self.give(app, who).await?;
            self.rescue(world, app).await?;
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

    /// Everybody says something deep, if the circle may have a CPR.
    async fn rescue(&mut self, world: &World, app: &App) -> Result<()> {
        let draft: CprDraft = serde_json::from_value(json!({ "targetComments": TARGET }))?;
        let begun = match cpr::begin(app, self.people[0], self.id, draft, &Once::unkeyed()).await {
            Ok(begun) => begun,
            Err(Error::Internal(cause)) => return Err(cause),
            Err(_) => return Ok(()),
        };
        for who in self.people.clone() {
            let deep = texts::deep(&mut self.random);
            self.say(app, who, Some(begun.post_id), deep).await?;
            world.stack.settle(None).await?;
        }
        Ok(())
    }
}
