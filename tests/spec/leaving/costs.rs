//! What taking away and erasing what somebody left costs.

use domain::leaving::{LeavingJob, work};
use platform::deadline::Deadline;
use serde_json::json;
use tests::{Cost, Person, Post, World};

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
        let world = World::of_days(&[]).await;
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
        let job: LeavingJob = serde_json::from_value(job).unwrap();
        let (done, cost) = self.world.cost_of(Box::pin(work(&app, &Deadline::after_pages(1_000), job))).await;
        done.unwrap();
        cost
    }

    /// Calls, RRU and WRU that both passes cost more for each of many things than for somebody who left nothing.
    async fn costs_of_each(&self, name: &str, lives: impl AsyncFn(&Person)) -> [[f64; 3]; 2] {
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
        passes
    }
}

#[tokio::test]
async fn each_post_and_reply_that_somebody_left_costs_what_the_chart_says() {
    let life = Life::begins().await;
    let posts = life.costs_of_each("poster", async |who| {
        for number in 0..MANY {
            who.writes(&format!("number {number}")).await;
        }
    });
    assert_eq!(Box::pin(posts).await, [[2.0, 1.0625, 7.0], [10.125, 7.3125, 5.0]]);
    let replies = life.costs_of_each("replier", async |who| {
        for post in &life.posts {
            who.replies(post, "well").await;
        }
    });
    assert_eq!(Box::pin(replies).await, [[2.0, 1.0625, 10.0], [9.0, 6.0625, 2.0]]);
}

#[tokio::test]
async fn each_like_and_follow_that_somebody_left_costs_what_the_chart_says() {
    let life = Life::begins().await;
    let likes = life.costs_of_each("liker", async |who| {
        for post in &life.posts {
            who.likes(post).await;
        }
    });
    assert_eq!(Box::pin(likes).await, [[1.0, 0.0, 1.0], [3.25, 4.0, 2.0]]);
    let follows = life.costs_of_each("follower", async |who| {
        for person in &life.people {
            who.follows(person).await;
        }
    });
    assert_eq!(Box::pin(follows).await, [[3.0, 2.0, 7.0], [2.0, 1.25, 4.0]]);
}
