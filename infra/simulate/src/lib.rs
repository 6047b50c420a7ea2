//! Simulates circles on the local stack, while some calls to AWS fail. Members differ in how often and how well they
//! write. The simulation collects statistics and checks invariants.

mod days;
mod invariants;
mod life;
mod population;
mod replies;
mod texts;
pub mod viral;

use std::{panic, sync::Arc, time::Duration};

use anyhow::Result;
use clap::Parser;
pub use days::{Day, shares, table};
use local::{Delivery, Options, Stack, Start};
use platform::app::Clients;
use population::Population;
use wire::{Fault, Wire};

const START: &str = "2026-01-01T00:00:00Z";
const TEMPLATE: &str = include_str!("../../../template.yaml");
const DAY_HOURS: usize = 24;
const FAULTS: [Fault; 6] = [
    Fault::Conflict,
    Fault::Throttle,
    Fault::Unprocessed,
    Fault::LostAnswer,
    Fault::Crash,
    Fault::CrashAfter,
];

/// Simulates circles and checks the invariants after each day.
#[derive(Clone, Debug, Parser)]
pub struct Scale {
    /// Seed of the random numbers. The same seed results in the same days.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of circles of each size.
    #[arg(long, default_value_t = 40)]
    pub circles: usize,
    /// Initial sizes of circles in members, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = [5, 20, 100])]
    pub sizes: Vec<usize>,
    /// Number of days.
    #[arg(long, default_value_t = 30)]
    pub days: usize,
    /// Number of failing calls to AWS per 1,000 calls.
    #[arg(long, default_value_t = 2)]
    pub faults: u32,
}

/// Simulates days in steps of an hour. Checks invariants and calls `report` after each day.
///
/// # Errors
/// Fails if an invariant is violated or the stack does not respond.
pub async fn run(scale: &Scale, report: impl Fn(&Day)) -> Result<Vec<Day>> {
    let wire = Wire::default();
    let stack = start(&wire).await?;
    let mut population = Population::create(&stack, scale).await?;
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
        report(&day);
        days.push(day);
    }
    Ok(days)
}

/// Starts a stack that delivers messages only on demand. Schedules that run every 1 or 2 minutes are off.
async fn start(wire: &Wire) -> Result<Stack> {
    let (wire, rare) = (wire.clone(), "rate(365 days)");
    Stack::start(Options {
        template: Some(TEMPLATE.replace("rate(1 minute)", rare).replace("rate(2 minutes)", rare)),
        delivery: Delivery::Manual,
        clients: Some(Arc::new(move |config| Clients::new(&wire.watch(config)))),
        pages: Some(1),
        clock: Start::At(START.parse()?),
        ..Options::default()
    })
    .await
}

/// Hides the panic messages of injected crashes.
fn silence_planned_crashes() {
    let default_hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let planned = info.payload_as_str().is_some_and(|message| message.starts_with("crashed "));
        if !planned {
            default_hook(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn faults_do_not_change_the_simulated_days() {
        let scale = Scale { seed: 3, circles: 2, sizes: vec![2, 4, 8], days: 3, faults: 3 };
        let days = run(&scale, |_| {}).await.unwrap();
        assert_eq!(days.len(), 3);
        assert_eq!(
            days[2].sizes.iter().map(|size| (size.members, size.circles)).collect::<Vec<_>>(),
            [(2, 2), (4, 2), (8, 2)]
        );
        assert_eq!(days[2].sizes.iter().map(|size| size.alive).sum::<usize>(), days[2].alive);
        assert!(days[2].sizes.iter().any(|size| size.people > size.alive * size.members), "no circle grew");
        assert!(shares(&days).to_string().contains('%'));
        assert!(
            days.iter().map(|day| day.faults).sum::<u32>() > 0 && days[2].stones > 0 && days[2].alive > 0
        );
        let calm = run(&Scale { faults: 0, ..scale }, |_| {}).await.unwrap();
        let without_faults =
            |days: &[Day]| days.iter().map(|day| Day { faults: 0, ..day.clone() }).collect::<Vec<_>>();
        assert_eq!(without_faults(&days), without_faults(&calm));
    }
}
