//! The simulated users and their circles.

use anyhow::Result;
use domain::{
    circles::{self, CircleDraft},
    ids::{CircleId, UserId},
    people::users::User,
};
use futures::{StreamExt, TryStreamExt, stream};
use local::Stack;
use platform::{App, app::Clients, idempotency::Once, settings::Settings, table::Write};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;

use crate::{Scale, life::Life};

/// Number of circles that are created or write concurrently.
const CONCURRENCY: usize = 8;

pub(crate) struct Population {
    pub(crate) app: App,
    pub(crate) circles: Vec<Life>,
}

impl Population {
    /// Creates the circles and their members.
    pub(crate) async fn create(stack: &Stack, scale: &Scale) -> Result<Self> {
        let app = app(stack)?;
        let sizes = scale.sizes.iter().flat_map(|size| std::iter::repeat_n((*size).max(1), scale.circles));
        let circles = stream::iter(sizes.enumerate()).map(|(number, size)| create_circle(&app, number, size));
        let circles: Vec<_> = circles.buffered(CONCURRENCY).try_collect().await?;
        let mut seeds = StdRng::seed_from_u64(scale.seed);
        let mut seed = || StdRng::seed_from_u64(seeds.random());
        let circles = circles.into_iter().map(|(id, people)| Life::new(id, people, seed())).collect();
        Ok(Self { app, circles })
    }

    /// Simulates an hour. A circle's members write one post at a time, so that verdicts arrive in order.
    pub(crate) async fn live(&mut self, stack: &Stack) -> Result<()> {
        for life in &mut self.circles {
            life.plan_posts();
        }
        while self.circles.iter().any(|life| life.pending_posts > 0) {
            self.write().await?;
            stack.settle(None).await?;
        }
        for life in &mut self.circles {
            life.care(stack, &self.app).await?;
        }
        Ok(())
    }

    /// Adds members to healthy circles.
    pub(crate) async fn grow(&mut self) -> Result<()> {
        for life in &mut self.circles {
            life.grow(&self.app).await?;
        }
        Ok(())
    }

    /// Writes the next pending post of each circle. The circles run concurrently.
    async fn write(&mut self) -> Result<()> {
        let circles = std::mem::take(&mut self.circles).into_iter();
        let writing = circles.map(|life| tokio::spawn(life.write_next(self.app.clone())));
        let writing = stream::iter(writing).buffered(CONCURRENCY).map(|life| life?);
        self.circles = writing.try_collect().await?;
        Ok(())
    }
}

/// Returns an [`App`] for requests of users, without injected faults.
pub(crate) fn app(stack: &Stack) -> Result<App> {
    let queue = stack.queue_url("circle-judge");
    let settings = Settings::read(|name| match name {
        "TABLE_NAME" => Some(stack.table_name().to_owned()),
        "CIRCLE_JUDGE_QUEUE_URL" => Some(queue.clone()),
        // Events on this bus have no subscriber.
        "EVENT_BUS_NAME" => Some("simulation".to_owned()),
        _ => None,
    })?;
    let clock = stack.clock().clone();
    Ok(App::new(Clients::new(stack.sdk_config()), settings, std::sync::Arc::new(move || clock.now())))
}

async fn create_circle(app: &App, number: usize, people: usize) -> Result<(CircleId, Vec<UserId>)> {
    let owner = create_user(app).await?;
    let draft: CircleDraft = serde_json::from_value(json!({ "name": format!("Circle {number}") }))?;
    let circle = circles::create(app, owner, draft, &Once::unkeyed()).await?.public_id;
    let mut members = vec![owner];
    for _ in 1..people {
        members.push(join(app, owner, circle).await?);
    }
    Ok((circle, members))
}

/// Creates a user, who joins the circle of `owner`.
pub(crate) async fn join(app: &App, owner: UserId, circle: CircleId) -> Result<UserId> {
    let member = create_user(app).await?;
    circles::request_join(app, member, circle, &Once::unkeyed()).await?;
    let accept = json!({ "userId": member, "action": "ACCEPT" });
    circles::respond(app, owner, circle, serde_json::from_value(accept)?, &Once::unkeyed()).await?;
    Ok(member)
}

/// Creates a user without a password, who cannot sign in.
pub(crate) async fn create_user(app: &App) -> Result<UserId> {
    let id = UserId::random_at(app, app.now());
    let name = id.to_string().to_lowercase();
    let user: User = serde_json::from_value(json!({
        "id": id, "name": name, "username": name, "email": format!("{name}@example.com"),
        "passwordHash": "", "status": "ACTIVE",
        "roles": ["USER"], "followersCount": 0, "followingCount": 0, "friendRequestsPending": 0,
        "isPopular": false, "isMerged": false, "createdAt": app.now(),
    }))?;
    app.table.write(Write::create(&user)).await?;
    Ok(id)
}
