//! Simulates days of many users while AWS calls fail, then checks the final state.
//!
//! `make torture` runs several seeds. `make torture SEED=17` repeats the actions and faults of seed 17.

mod actions;
mod attacks;
mod records;

use std::ops::RangeInclusive;

use actions::Action;
use attacks::Attack;
use domain::people::users::Role;
use futures::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use records::Records;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use crate::{admin::administrator, circles::creates_circle, setup::crowd, workers::put};

/// Size of a simulation.
#[derive(Clone, Copy)]
struct Size {
    people: usize,
    days: usize,
    rounds_a_day: usize,
}

/// Maximum number of concurrent actions.
const CONCURRENCY: usize = 6;
const FAULTS: [Fault; 7] = [
    Fault::Conflict,
    Fault::Throttle,
    Fault::LostAnswer,
    Fault::Unprocessed,
    Fault::Refused,
    Fault::Crash,
    Fault::CrashAfter,
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_of_ten_users_leaves_counters_consistent() {
    history(Size { people: 10, days: 1, rounds_a_day: 30 }, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make torture"]
async fn days_of_fifty_users_leave_counters_consistent() {
    for seed in seeds() {
        println!("seed {seed}: repeat with make torture SEED={seed}");
        history(Size { people: 50, days: 3, rounds_a_day: 60 }, seed).await;
    }
}

/// Returns the seed in the environment variable `SEED`. Without it, returns the seeds 1 to `ROUNDS`.
fn seeds() -> RangeInclusive<u64> {
    let number = |name| std::env::var_os(name).and_then(|value| value.to_str()?.parse::<u64>().ok());
    match number("SEED") {
        Some(seed) => seed..=seed,
        None => 1..=number("ROUNDS").unwrap_or(5),
    }
}

async fn history(size: Size, seed: u64) {
    let network = Network::new(size).await;
    let mut random = StdRng::seed_from_u64(seed);
    let mut records = Records::default();
    for day in 0..size.days {
        for round in 0..size.rounds_a_day {
            network.round(&mut random, &mut records, seed + round as u64).await;
            if random.random_bool(0.1) {
                network.world.settle_as(seed + round as u64).await;
            }
        }
        network.ends_day(seed + day as u64).await;
    }
    records.check(&network).await;
}

/// The users of the simulation, and their groups and circles. The last user attacks the others.
struct Network {
    world: World,
    root: Person,
    people: Vec<Person>,
    groups: Vec<String>,
    circles: Vec<crate::circles::Circle>,
}

impl Network {
    async fn new(size: Size) -> Self {
        let settings = [("WRITE_LIMIT_PER_5_MIN", "1000000"), ("ACCESS_TOKEN_MINUTES", "100000")];
        let world = World::builder().without_ticks().settings(&settings).start().await;
        let root = administrator(&world, "root", Role::Admin).await;
        let quest = json!({ "action": "LIKE_CREATED", "requirement": 1 });
        root.post("/admin/daily-quests", quest).await.ok();
        for seeded in ["DEEP_COMMENT", "QUALITY_POST", "HELP_OTHERS"] {
            root.patch(&format!("/admin/daily-quests/{seeded}/disable"), Value::Null).await.ok();
        }
        let people = crowd(&world, "person", 0..size.people).await;
        let mut groups = Vec::new();
        for pair in people.chunks_exact(2) {
            groups.push(pair[0].chats_with(&pair[1].name).await);
        }
        let circles = vec![
            creates_circle(&people[0], "Night readers").await,
            creates_circle(&people[1], "Runners").await,
        ];
        world.settle().await;
        Self { world, root, people, groups, circles }
    }

    /// Runs concurrent actions and an attack while AWS calls fail.
    async fn round(&self, random: &mut StdRng, records: &mut Records, seed: u64) {
        let actions: Vec<_> = (0..CONCURRENCY).map(|_| Action::any(random)).collect();
        let attack = Attack::any(random);
        self.world.faults.storm(seed, 3, &FAULTS);
        let acts = join_all(actions.iter().map(|action| action.run(self, records.posts())));
        let (done, attacked) = futures::join!(acts, attack.run(self, records.posts()));
        self.world.faults.calm();
        done.into_iter().flatten().chain(attacked).for_each(|outcome| records.note(outcome));
    }

    /// Advances the clock by a day in steps of six hours, while a few calls fail. Then flushes notifications.
    async fn ends_day(&self, seed: u64) {
        for quarter in 0..4 {
            self.world.faults.storm_per_mille(seed + quarter, 3, &FAULTS);
            self.world.settle_as(seed + quarter).await;
            self.world.faults.calm();
            self.world.advance(6 * 60 * 60).await;
            self.world.settle_as(seed + quarter).await;
        }
        put(&self.world, "notification-tick", "{}").await;
        self.world.settle().await;
    }
}
