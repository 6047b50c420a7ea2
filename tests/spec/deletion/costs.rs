//! Checks what account deletion asks of AWS against `shared/keys.toml`.

use domain::deletion::{DeletionJob, work};
use platform::deadline::Deadline;
use serde_json::json;
use tests::{Budget, Cost, Person, Post, World, check_budget};

/// As many of a kind as somebody leaves.
const MANY: usize = 8;

/// Whoever writes the posts that are liked and is followed.
struct Life {
    world: World,
    posts: Vec<Post>,
    people: Vec<Person>,
}

impl Life {
    async fn begins() -> Self {
        let world = World::builder().without_ticks().start().await;
        let (mut posts, mut people) = (Vec::new(), Vec::new());
        for number in 0..MANY {
            let person = world.person(&format!("other{number}")).await;
            posts.push(person.writes("hello").await);
            people.push(person);
        }
        Self { world, posts, people }
    }

    /// What the worker does in a pass over all that somebody left.
    async fn pass(&self, who: &Person, job: &str) -> Cost {
        let app = self.world.app();
        let job = json!({ "job": job, "user": who.id, "run": app.now().millis(), "after": null });
        let job: DeletionJob = serde_json::from_value(job).unwrap();
        let (done, cost) = self.world.cost_of(Box::pin(work(&app, &Deadline::after_pages(1_000), job))).await;
        done.unwrap();
        cost
    }

    /// Checks what both passes cost more for each of many things than for a user who left nothing.
    async fn each_costs(&self, name: &str, budgets: [&str; 2], lives: impl AsyncFn(&Person)) {
        let [nobody, somebody] = [format!("{name}0"), format!("{name}1")];
        let people = [self.world.person(&nobody).await, self.world.person(&somebody).await];
        Box::pin(lives(&people[1])).await;
        self.world.settle().await;
        let mut passes = [[0.0; 3]; 2];
        for (person, sign) in people.iter().zip([-1.0, 1.0]) {
            person.leaves().await;
            for (pass, job) in passes.iter_mut().zip(["withdraw", "erase"]) {
                self.world.advance(1).await;
                let cost = self.pass(person, job).await;
                self.world.settle().await;
                for (sum, part) in pass.iter_mut().zip([cost.calls as f64, cost.rru, cost.wru]) {
                    *sum += sign * part / MANY as f64;
                }
            }
        }
        for (budget, [calls, rru, wru]) in budgets.into_iter().zip(passes) {
            check_budget(budget, &Budget { calls, rru, wru, ..Budget::default() });
        }
    }
}

#[tokio::test]
async fn each_post_and_reply_that_somebody_left_costs_what_the_chart_says() {
    let life = Life::begins().await;
    let posts = life.each_costs("poster", ["remove each post (job)", "erase each post (job)"], async |who| {
        for number in 0..MANY {
            who.writes(&format!("number {number}")).await;
        }
    });
    Box::pin(posts).await;
    let replies =
        life.each_costs("replier", ["remove each reply (job)", "erase each reply (job)"], async |who| {
            for post in &life.posts {
                who.replies(post, "well").await;
            }
        });
    Box::pin(replies).await;
}

#[tokio::test]
async fn each_like_and_follow_that_somebody_left_costs_what_the_chart_says() {
    let life = Life::begins().await;
    let likes = life.each_costs("liker", ["remove each like (job)", "erase each like (job)"], async |who| {
        for post in &life.posts {
            who.likes(post).await;
        }
    });
    Box::pin(likes).await;
    let follows =
        life.each_costs("follower", ["remove each follow (job)", "erase each follow (job)"], async |who| {
            for person in &life.people {
                who.follows(person).await;
            }
        });
    Box::pin(follows).await;
}
