//! What each request may cost, in calls and capacity: the same on every machine, so it is a promise.

mod apart;
mod lists;

use serde_json::{Value, json};
use tests::{Cost, World};

/// As much as a request may ask for.
struct Budget {
    calls: u32,
    rru: f64,
    wru: f64,
    sends: u32,
}

impl Budget {
    #[track_caller]
    fn holds(&self, request: &str, cost: &Cost) {
        let within = cost.calls <= self.calls
            && cost.rru <= self.rru
            && cost.wru <= self.wru
            && cost.sends <= self.sends;
        let Self { calls, rru, wru, sends } = self;
        assert!(
            within,
            "{request} may take {calls} calls, {rru} RRU, {wru} WRU, {sends} sends, but took {cost:?}"
        );
    }
}

const SIGNED_IN_READ: Budget = Budget { calls: 2, rru: 2.0, wru: 0.0, sends: 0 };
const CREATE_POST: Budget = Budget { calls: 3, rru: 1.0, wru: 13.0, sends: 0 };
const LIKE: Budget = Budget { calls: 3, rru: 0.5, wru: 2.0, sends: 0 };
const FEED_COLD: Budget = Budget { calls: 9, rru: 14.0, wru: 0.0, sends: 0 };
const FEED_WARM: Budget = Budget { calls: 4, rru: 3.0, wru: 0.0, sends: 0 };
const FOLLOWING: Budget = Budget { calls: 6, rru: 16.0, wru: 0.0, sends: 0 };
const DETAIL: Budget = Budget { calls: 4, rru: 3.0, wru: 0.0, sends: 0 };
const SEND_MESSAGE: Budget = Budget { calls: 3, rru: 1.5, wru: 5.0, sends: 0 };
const HISTORY: Budget = Budget { calls: 4, rru: 5.0, wru: 0.0, sends: 0 };
const GROUPS: Budget = Budget { calls: 4, rru: 3.0, wru: 0.0, sends: 0 };
const MARK_READ: Budget = Budget { calls: 3, rru: 2.0, wru: 6.0, sends: 0 };
const REPLY: Budget = Budget { calls: 7, rru: 4.0, wru: 19.0, sends: 0 };
const NOTIFICATIONS: Budget = Budget { calls: 4, rru: 6.0, wru: 0.0, sends: 0 };

const FOLLOW: Budget = Budget { calls: 7, rru: 4.0, wru: 18.0, sends: 0 };
const ASK: Budget = Budget { calls: 4, rru: 3.0, wru: 14.0, sends: 0 };
const ANSWER: Budget = Budget { calls: 4, rru: 2.0, wru: 10.0, sends: 0 };
const BLOCK: Budget = Budget { calls: 7, rru: 7.0, wru: 28.0, sends: 0 };
const MUTE: Budget = Budget { calls: 4, rru: 2.0, wru: 4.0, sends: 0 };
const PROFILE: Budget = Budget { calls: 5, rru: 6.0, wru: 0.0, sends: 0 };
const PEOPLE: Budget = Budget { calls: 5, rru: 33.5, wru: 0.0, sends: 0 };
const REQUESTS: Budget = Budget { calls: 3, rru: 12.0, wru: 0.0, sends: 0 };

/// A kilobyte, as the table of budgets counts posts.
fn kilobyte() -> String {
    "x".repeat(1000)
}

#[tokio::test]
async fn a_signed_in_check_costs_one_read() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let (answer, cost) = world.cost_of(ann.get("/auth/me")).await;
    answer.ok();
    SIGNED_IN_READ.holds("GET /auth/me", &cost);
}

#[tokio::test]
async fn creating_a_post_stays_within_its_budget() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let (_, cost) = world.cost_of(ann.writes(&kilobyte())).await;
    CREATE_POST.holds("POST /posts", &cost);
}

#[tokio::test]
async fn a_like_stays_within_its_budget() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes(&kilobyte()).await;
    for again in ["first", "again"] {
        let (_, cost) = world.cost_of(ann.likes(&post)).await;
        LIKE.holds(again, &cost);
    }
}

#[tokio::test]
async fn the_feed_stays_within_its_budget_cold_and_warm() {
    let world = World::with(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    for _ in 0..20 {
        bob.writes(&kilobyte()).await;
        cleo.writes(&kilobyte()).await;
    }
    world.settle().await;
    for (state, budget) in [("cold", FEED_COLD), ("warm", FEED_WARM)] {
        let (answer, cost) = world.cost_of(ann.get("/posts/news-feed")).await;
        assert_eq!(answer.ok().rows().len(), 20);
        budget.holds(state, &cost);
    }
}

#[tokio::test]
async fn the_feed_of_whom_one_follows_stays_within_its_budget() {
    let world = World::with(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    for followed in [&bob, &cleo] {
        ann.follows(followed).await;
    }
    for _ in 0..20 {
        for author in [&bob, &cleo, &ann] {
            author.writes(&kilobyte()).await;
        }
    }
    world.settle().await;
    let mut path = "/posts/news-feed?type=FOLLOWING".to_owned();
    for page in ["first", "next"] {
        let (answer, cost) = world.cost_of(ann.get(&path)).await;
        assert_eq!(answer.rows().len(), 20);
        FOLLOWING.holds(page, &cost);
        path = format!("/posts/news-feed?type=FOLLOWING&after={}", answer.after().unwrap());
    }
}

#[tokio::test]
async fn post_detail_stays_within_its_budget() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes(&kilobyte()).await;
    let (_, cost) = world.cost_of(ann.sees(&post)).await;
    DETAIL.holds("GET /posts/{publicId}", &cost);
}

#[tokio::test]
async fn sending_a_message_costs_the_same_after_many() {
    let world = World::with(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = ann.chats_with("bob").await;
    let path = format!("/message-group/{group}/messages");
    let read = path.replace("/messages", "/read");
    let body = json!({ "content": "x".repeat(700) });
    for round in ["first", "after 100"] {
        let (answer, cost) = world.cost_of(ann.post(&path, body.clone())).await;
        answer.ok();
        SEND_MESSAGE.holds(round, &cost);
        assert_eq!(cost.announcements, 1);
        let (answer, cost) = world.cost_of(ann.get(&path)).await;
        answer.ok();
        HISTORY.holds(round, &cost);
        let (answer, cost) = world.cost_of(bob.get("/message-group")).await;
        answer.ok();
        GROUPS.holds(round, &cost);
        let (answer, cost) = world.cost_of(bob.patch(&read, json!({}))).await;
        answer.ok();
        MARK_READ.holds(round, &cost);
        for _ in 0..100 {
            ann.post(&path, body.clone()).await.ok();
        }
    }
}

#[tokio::test]
async fn a_reply_stays_within_its_budget() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let (_, cost) = world.cost_of(bob.replies(&post, &"x".repeat(300))).await;
    REPLY.holds("POST /posts/{publicId}/reply", &cost);
}

#[tokio::test]
async fn the_notification_list_stays_within_its_budget() {
    let world = World::with(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    for _ in 0..40 {
        let post = ann.writes("hello").await;
        bob.replies(&post, "one").await;
        cleo.replies(&post, "two").await;
    }
    world.advance(40).await;
    world.settle().await;
    for page in ["/notification", "/notification/unread"] {
        let (answer, cost) = world.cost_of(ann.get(page)).await;
        answer.ok();
        NOTIFICATIONS.holds(page, &cost);
    }
    assert_eq!(ann.get("/notification").await.ok().rows().len(), 20);
}

#[tokio::test]
async fn what_people_do_to_one_another_stays_within_its_budget() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let toggle = |path: &str| (path.to_owned(), Value::Null);
    for (name, (path, body), budget) in [
        ("follow", toggle("/follower"), FOLLOW),
        ("unfollow", toggle("/follower"), FOLLOW),
        ("follow again", toggle("/follower"), FOLLOW),
        ("friend request", toggle("/friend-request"), ASK),
        ("mute", toggle("/mute"), MUTE),
        ("block", toggle("/block"), BLOCK),
        ("unblock", toggle("/block"), BLOCK),
    ] {
        let (answer, cost) = world.cost_of(ann.post(&bob.path(&path), body)).await;
        answer.ok();
        budget.holds(name, &cost);
    }
    ann.befriends(&bob).await;
    let (answer, cost) = world.cost_of(bob.patch("/me/friend-requests/ann/accept", Value::Null)).await;
    answer.ok();
    ANSWER.holds("accept", &cost);
}

#[tokio::test]
async fn lists_of_people_cost_the_same_however_many_there_are() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let mut first = None;
    for many in [25, 50] {
        let names: Vec<_> = (many - 25..many).map(|it| format!("fan{it}")).collect();
        let fans = futures::future::join_all(names.iter().map(|it| world.person(it))).await;
        for fan in &fans {
            fan.follows(&ann).await;
            fan.befriends(&ann).await;
        }
        let mut costs = Vec::new();
        for (path, budget) in [
            ("/user/ann", PROFILE),
            ("/user/ann/followers", PEOPLE),
            ("/me/friend-requests/received", REQUESTS),
        ] {
            let reader = if path.starts_with("/me") { &ann } else { &bob };
            let (answer, cost) = world.cost_of(reader.get(path)).await;
            answer.ok();
            budget.holds(path, &cost);
            costs.push(cost);
        }
        assert_eq!(first.get_or_insert(costs.clone()), &costs, "at {many}");
    }
}
