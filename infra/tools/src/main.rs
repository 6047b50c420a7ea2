//! Tasks for operators, on the local stack or a deployed stack.

mod admin;
mod judge;
mod pages;
mod recount;
mod redrive;
mod repeat_deletions;
mod republish;
mod seed;
mod target;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};
use target::Target;

/// Runs tasks for operators on the local stack or a deployed stack.
#[derive(Parser)]
#[command(name = "tools")]
struct Arguments {
    #[command(flatten)]
    target: Target,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Makes a user a SUPER_ADMIN. The role applies after their next sign-in.
    Admin {
        /// Email address of the account.
        email: String,
        /// Also confirms the address. Use this option only if you know that the address belongs to the user.
        #[arg(long)]
        confirm: bool,
    },
    /// Removes the second factor of a user, and ends the user's sessions. Adds an entry to the audit log.
    RemoveSecondFactor {
        /// Email address of the account.
        email: String,
    },
    /// Compares counters with the rows that they count, and corrects wrong counters.
    Recount {
        /// IDs of posts and users. By default, all posts and users.
        ids: Vec<String>,
    },
    /// Rebuilds the search index of all posts and users.
    Reindex,
    /// Moves the dead letters of a queue back to the queue.
    Redrive {
        /// URL or name of the queue: `liked-add` (local) or `social-prod-LikedAddQueue` (deployed).
        queue: String,
    },
    /// Redelivers the outboxes of a period. Needed if the stream lost records.
    Republish(republish::When),
    /// Repeats the account deletions since a backup. Needed after a restore of the table.
    RepeatDeletions(repeat_deletions::Since),
    /// Fills the network with users, posts, follows and likes.
    Seed(seed::Size),
    /// Trains the embedded judge. Rebuild the project to use the new weights.
    TrainJudge,
    /// Measures the embedded judge on examples outside its training data.
    TestJudge {
        /// File of comments, used instead of the examples. Each line has a label, a tab and a text.
        #[arg(long)]
        comments: Option<PathBuf>,
        /// The labels of harmless comments, separated by commas.
        #[arg(long, value_delimiter = ',', default_value = "0,clean,normal")]
        clean: Vec<String>,
    },
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { target, task } = Arguments::parse();
    match task {
        Task::Admin { email, confirm } => admin::appoint(&target.app().await?, email, confirm).await,
        Task::RemoveSecondFactor { email } => admin::remove_second_factor(&target.app().await?, email).await,
        Task::Recount { ids } => recount::recount(&target.app().await?, &ids).await,
        Task::Reindex => recount::reindex(&target.app().await?).await,
        Task::Redrive { queue } => redrive::redrive(&target.queues().await?, &queue).await,
        Task::Republish(when) => republish::run(&target.app().await?, when).await,
        Task::RepeatDeletions(since) => repeat_deletions::run(&target.app().await?, since).await,
        Task::Seed(size) => seed::seed(target.api(), size).await,
        Task::TrainJudge => judge::train(),
        Task::TestJudge { comments: None, .. } => judge::test(),
        Task::TestJudge { comments: Some(path), clean } => judge::test_comments(&path, &clean),
    }
}
