//! `make crash`: kills the local stack repeatedly while users write, and checks its data at the end.

mod api;
mod check;
mod crowd;
mod journal;
mod report;
mod server;
mod writer;

use std::{path::PathBuf, time::Duration};

use anyhow::{Result, ensure};
use clap::Parser;
use crowd::Crowd;
use futures::future::join_all;
use journal::Journal;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use report::Finding;
use server::Server;

/// Range of the time until a kill, in milliseconds.
const LIFETIME_MILLIS: std::ops::Range<u64> = 50..3000;

/// Number of kills after which the stack is allowed to finish all work. With more kills, an interrupted job could
/// become a dead letter.
const KILLS_PER_REST: u64 = 3;

/// Kills the local stack while users write, and checks that all acknowledged writes survive.
#[derive(Parser)]
struct Arguments {
    /// Number of kills.
    #[arg(long, env = "ROUNDS", default_value_t = 10)]
    rounds: u64,
    /// Seed for the requests and for the times of the kills. Random by default.
    #[arg(long, env = "SEED")]
    seed: Option<u64>,
    /// Path of the stack's executable.
    #[arg(long, default_value = "target/debug/local")]
    binary: PathBuf,
}

#[expect(clippy::disallowed_methods, reason = "a run without a seed chooses one")]
#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { rounds, seed, binary } = Arguments::parse();
    let seed = seed.unwrap_or_else(|| rand::random_range(0..1_000_000));
    let directory = std::env::temp_dir().join(format!("social-crash-{}", std::process::id()));
    println!("SEED={seed} ROUNDS={rounds}, in {}", directory.display());
    let mut server = Server::start(binary, directory.clone()).await?;
    let crowd = Crowd::create(&server.api()).await?;
    let mut journals: Vec<Journal> = crowd.writers.iter().map(|_| Journal::default()).collect();
    for round in 0..rounds {
        let random = |index: u64| StdRng::seed_from_u64(seed ^ (round << 32) ^ (index << 20));
        let lifetime = Duration::from_millis(random(0).random_range(LIFETIME_MILLIS));
        journals =
            work_until_killed(&mut server, &crowd, journals, lifetime, |writer| random(1 + writer)).await?;
        server.restart().await?;
        if (round + 1).is_multiple_of(KILLS_PER_REST) {
            server.finish_work().await?;
        }
        eprintln!(
            "round {}: killed after {lifetime:?}, {} requests acknowledged",
            round + 1,
            acknowledged(&journals)
        );
    }
    server.advance_clock().await?;
    server.finish_work().await?;
    let findings = check::all(&server.api(), &crowd, &journals).await?;
    println!("{}", report::table(&findings, &journals));
    ensure!(findings.iter().all(Finding::is_good), "the data is wrong: {}", directory.display());
    drop(server);
    Ok(std::fs::remove_dir_all(directory)?)
}

/// Runs all writers, and kills the stack after `lifetime`. Returns the updated journals.
async fn work_until_killed(
    server: &mut Server,
    crowd: &Crowd,
    journals: Vec<Journal>,
    lifetime: Duration,
    random: impl Fn(u64) -> StdRng,
) -> Result<Vec<Journal>> {
    let posts: Vec<_> =
        journals.iter().flat_map(|journal| &journal.posts).map(|post| post.id.clone()).collect();
    let api = server.api();
    let work = (0..).zip(journals).map(|(number, journal)| {
        let writer = writer::Writer { api: &api, crowd, posts: &posts, number, journal };
        writer.work(random(number as u64))
    });
    let kill = async {
        tokio::time::sleep(lifetime).await;
        server.kill()
    };
    let (journals, killed) = tokio::join!(join_all(work), kill);
    killed.map(|()| journals)
}

fn acknowledged(journals: &[Journal]) -> usize {
    journals.iter().map(|journal| journal.acknowledged).sum()
}
