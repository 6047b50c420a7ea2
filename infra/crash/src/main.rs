//! `make crash`: kills the local stack in the middle of its work, again and again, and checks the books at the end.

mod api;
mod books;
mod check;
mod crowd;
mod report;
mod server;
mod writer;

use std::{path::PathBuf, time::Duration};

use anyhow::{Result, ensure};
use books::Books;
use clap::Parser;
use crowd::Crowd;
use futures::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use report::Finding;
use server::Server;

/// How long a stack works before it is killed, in milliseconds.
const LIVES: std::ops::Range<u64> = 50..3000;

/// A job that is cut off four times is given up at the fifth, as one of a worker that keeps crashing: so the stack comes
/// to rest before that.
const RESTS_EVERY: u64 = 3;

/// Kills the local stack while people write, and checks that all that was answered is there.
#[derive(Parser)]
struct Arguments {
    /// How often the stack is killed.
    #[arg(long, env = "ROUNDS", default_value_t = 10)]
    rounds: u64,
    /// Chooses what is done, and when the stack is killed; any, when there is none.
    #[arg(long, env = "SEED")]
    seed: Option<u64>,
    /// The stack.
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
    let crowd = Crowd::gather(&server.api()).await?;
    let mut books: Vec<Books> = crowd.writers.iter().map(|_| Books::default()).collect();
    for round in 0..rounds {
        let random = |place: u64| StdRng::seed_from_u64(seed ^ (round << 32) ^ (place << 20));
        let lives = Duration::from_millis(random(0).random_range(LIVES));
        books = work_until_killed(&mut server, &crowd, books, lives, |writer| random(1 + writer)).await?;
        server.start_again().await?;
        if (round + 1).is_multiple_of(RESTS_EVERY) {
            server.rest().await?;
        }
        eprintln!("round {}: killed after {lives:?}, {} requests answered", round + 1, answered(&books));
    }
    server.let_time_pass().await?;
    server.rest().await?;
    let findings = check::all(&server.api(), &crowd, &books).await?;
    println!("{}", report::table(&findings, &books));
    ensure!(findings.iter().all(Finding::is_good), "not all is as it was answered: {}", directory.display());
    drop(server);
    Ok(std::fs::remove_dir_all(directory)?)
}

/// Everybody writes at once, until the stack is killed; what each was answered.
async fn work_until_killed(
    server: &mut Server,
    crowd: &Crowd,
    books: Vec<Books>,
    lives: Duration,
    random: impl Fn(u64) -> StdRng,
) -> Result<Vec<Books>> {
    let posts: Vec<_> = books.iter().flat_map(|it| &it.posts).map(|post| post.id.clone()).collect();
    let api = server.api();
    let work = (0..).zip(books).map(|(number, books)| {
        let writer = writer::Writer { api: &api, crowd, posts: &posts, number, books };
        writer.work(random(number as u64))
    });
    let kill = async {
        tokio::time::sleep(lives).await;
        server.kill()
    };
    let (books, killed) = tokio::join!(join_all(work), kill);
    killed.map(|()| books)
}

fn answered(books: &[Books]) -> usize {
    books.iter().map(|it| it.answered).sum()
}
