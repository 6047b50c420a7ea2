//! Chores of the person who runs the service, on the local stack or on a deployed table.

mod admin;
mod judge;
mod place;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use place::Place;

/// Chores of the person who runs the service.
#[derive(Parser)]
#[command(name = "tools")]
struct Arguments {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Makes somebody a SUPER_ADMIN; they sign in again.
    Admin {
        /// The e-mail of their account.
        email: String,
    },
    /// Trains the embedded judge from its examples; build again to use what it learned.
    TrainJudge,
    /// Shows what the embedded judge makes of examples it did not learn from.
    TestJudge,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(Arguments { place, chore }: Arguments) -> Result<()> {
    match chore {
        Chore::Admin { email } => admin::appoint(&place.app().await?, email).await,
        Chore::TrainJudge => judge::train(),
        Chore::TestJudge => judge::test(),
    }
}
