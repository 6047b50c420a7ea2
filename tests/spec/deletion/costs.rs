//! Checks the costs of account deletion against `shared/keys.toml`.

use domain::deletion::{DeletionJob, work};
use platform::deadline::Deadline;
use serde_json::json;
use tests::{Budget, Cost, Person, Post, World, check_budget};

/// Number of posts, replies, likes or follows of the deleted user.
const MANY: usize = 8;

/// Other users with one post each, which the deleted user likes and follows.
struct Surroundings {
    world: World,
    posts: Vec<Post>,
    people: Vec<Person>,
}

impl Surroundings {
    async fn new() -> Self {
        let world = World::builder().without_ticks().start().await;
        let (mut posts, mut people) = (Vec::new(), Vec::new());
        for number in 0..MANY {
            let person = world.person(&format!("other{number}")).await;
            posts.push(person.writes("hello").await);
            people.push(person);
        }
        Self { world, posts, people }
    }

    /// Runs a deletion job for a user, and returns its cost.
    async fn run_job(&self, user: &Person, job: &str) -> Cost {
        let app = self.world.app();
        let job = json!({ "job": job, "user": user.id, "run": app.now().millis(), "after": null });
        let job: DeletionJob = serde_json::from_value(job).unwrap();
        let (done, cost) = self.world.cost_of(Box::pin(work(&app, &Deadline::after_pages(1_000), job))).await;
        done.unwrap();
        cost
    }

    /// Checks the deletion cost per row that `fill` creates. Subtracts the cost for a user without such rows.
    async fn check_cost_per_row(&self, name: &str, budgets: [&str; 2], fill: impl AsyncFn(&Person)) {
        let [empty, full] = [format!("{name}0"), format!("{name}1")];
        let people = [self.world.person(&empty).await, self.world.person(&full).await];
        Box::pin(fill(&people[1])).await;
        self.world.settle().await;
        let mut totals = [[0.0; 3]; 2];
        for (person, sign) in people.iter().zip([-1.0, 1.0]) {
            person.leaves().await;
            for (total, job) in totals.iter_mut().zip(["withdraw", "erase"]) {
                self.world.advance(1).await;
                let cost = self.run_job(person, job).await;
                self.world.settle().await;
                for (sum, part) in total.iter_mut().zip([cost.calls as f64, cost.rru, cost.wru]) {
                    *sum += sign * part / MANY as f64;
                }
            }
        }
        for (budget, [calls, rru, wru]) in budgets.into_iter().zip(totals) {
            check_budget(budget, &Budget { calls, rru, wru, ..Budget::default() });
        }
    }
}

#[tokio::test]
async fn account_deletion_of_posts_and_replies_matches_budgets() {
    let surroundings = Surroundings::new().await;
    let write = async |user: &Person| {
        for number in 0..MANY {
            user.writes(&format!("number {number}")).await;
        }
    };
    let budgets = ["remove each post (job)", "erase each post (job)"];
    Box::pin(surroundings.check_cost_per_row("poster", budgets, write)).await;
    let reply = async |user: &Person| {
        for post in &surroundings.posts {
            user.replies(post, "well").await;
        }
    };
    let budgets = ["remove each reply (job)", "erase each reply (job)"];
    Box::pin(surroundings.check_cost_per_row("replier", budgets, reply)).await;
}

#[tokio::test]
async fn account_deletion_of_likes_and_follows_matches_budgets() {
    let surroundings = Surroundings::new().await;
    let like = async |user: &Person| {
        for post in &surroundings.posts {
            user.likes(post).await;
        }
    };
    let budgets = ["remove each like (job)", "erase each like (job)"];
    Box::pin(surroundings.check_cost_per_row("liker", budgets, like)).await;
    let follow = async |user: &Person| {
        for person in &surroundings.people {
            user.follows(person).await;
        }
    };
    let budgets = ["remove each follow (job)", "erase each follow (job)"];
    Box::pin(surroundings.check_cost_per_row("follower", budgets, follow)).await;
}
