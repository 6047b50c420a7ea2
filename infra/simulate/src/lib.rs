//! Circles for a month: people who write well or badly, often or hardly ever, on the embedded stack and its
//! clock, while calls to AWS go wrong. To look at the game's numbers, and to check its invariants.

mod days;
mod invariants;
mod life;
mod population;
mod replies;
mod texts;
pub mod viral;

use std::{panic, sync::Arc, time::Duration};

use anyhow::Result;
pub use days::{Day, shares, table};
use local::{Delivery, Options, Stack, Start};
use platform::app::Clients;
use population::Population;
use wire::{Fault, Wire};

const BEGINS: &str = "2026-01-01T00:00:00Z";
const TEMPLATE: &str = include_str!("../../../template.yaml");
/// The hours of a day.
const DAY_HOURS: usize = 24;
const FAULTS: [Fault; 6] = [
    Fault::Conflict,
    Fault::Throttle,
    Fault::Unprocessed,
    Fault::LostAnswer,
    Fault::Crash,
    Fault::CrashAfter,
];

/// How much of it.
#[derive(Clone, Debug)]
pub struct Scale {
    /// What it is seeded with.
    pub seed: u64,
    /// Circles of each size.
    pub circles: usize,
    /// The sizes: members that a circle begins with.
    pub sizes: Vec<usize>,
    /// Days.
    pub days: usize,
    /// Of 1,000 calls to AWS, so many go wrong.
    pub faults: u32,
}

/// Lets the days go by hour by hour, and checks the invariants at the end of each.
///
/// # Errors
/// The invariants are wrong, or the stack does not answer.
pub async fn run(scale: &Scale, tell: impl Fn(&Day)) -> Result<Vec<Day>> {
    let wire = Wire::default();
    let stack = start(&wire).await?;
    let mut population = Population::assemble(&stack, scale).await?;
    silence_planned_crashes();
    let mut days = Vec::new();
    for number in 1..=scale.days {
        wire.faults.storm_per_mille(scale.seed + number as u64, scale.faults, &FAULTS);
        for _ in 0..DAY_HOURS {
            stack.advance(Duration::from_secs(3600)).await?;
            stack.settle(None).await?;
            population.live(&stack).await?;
        }
        population.grow().await?;
        let faults = wire.faults.calm();
        let day = invariants::close(&stack, &mut population, number, faults).await?;
        tell(&day);
        days.push(day);
    }
    Ok(days)
}

/// Starts a stack where only what the clock brings happens. Its schedules of minutes do not run, so that days go by quickly.
async fn start(wire: &Wire) -> Result<Stack> {
    let (wire, seldom) = (wire.clone(), "rate(365 days)");
    Stack::start(Options {
        template: Some(TEMPLATE.replace("rate(1 minute)", seldom).replace("rate(2 minutes)", seldom)),
        delivery: Delivery::Manual,
        clients: Some(Arc::new(move |config| Clients::new(&wire.watch(config)))),
        pages: Some(1),
        clock: Start::At(BEGINS.parse()?),
        ..Options::default()
    })
    .await
}

/// A function that ends where the simulation says so is no news.
fn silence_planned_crashes() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let planned = info.payload_as_str().is_some_and(|it| it.starts_with("crashed "));
        if !planned {
            usual(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_books_of_a_few_days_add_up_and_the_same_seed_makes_the_same_days() {
        let scale = Scale { seed: 3, circles: 2, sizes: vec![2, 4, 8], days: 3, faults: 3 };
        let days = run(&scale, |_| {}).await.unwrap();
        assert_eq!(days.len(), 3);
        assert_eq!(
            days[2].sizes.iter().map(|it| (it.members, it.circles)).collect::<Vec<_>>(),
            [(2, 2), (4, 2), (8, 2)]
        );
        assert_eq!(days[2].sizes.iter().map(|it| it.alive).sum::<usize>(), days[2].alive);
        assert!(days[2].sizes.iter().any(|it| it.people > it.alive * it.members), "some grow");
        assert!(shares(&days).to_string().contains('%'));
        assert!(days.iter().map(|it| it.faults).sum::<u32>() > 0 && days[2].stones > 0 && days[2].alive > 0);
        let calm = run(&Scale { faults: 0, ..scale }, |_| {}).await.unwrap();
        let same = |days: &[Day]| days.iter().map(|it| Day { faults: 0, ..it.clone() }).collect::<Vec<_>>();
        assert_eq!(same(&days), same(&calm), "what goes wrong changes nothing");
    }
}
