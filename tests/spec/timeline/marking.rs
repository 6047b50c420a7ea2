//! The marking of a popular author's follows: several lanes, each of which may crash, come twice or come late.

use std::panic::AssertUnwindSafe;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{
    feeds::timelines,
    ids::UserId,
    jobs::TimelineJob,
    people::follows::{Follow, find_all},
};
use futures::{FutureExt, future::join_all};
use platform::{
    App,
    deadline::Deadline,
    settings::Settings,
    table::{Key, Query, Row, Write},
};
use serde_json::{Value, json};
use tests::{Fault, Person, World};

const SMALL: tests::Settings<'_> = &[("FANOUT_PAGE_SIZE", "2"), ("FANOUT_MAX_FOLLOWERS", "3")];
const LANES: u8 = 4;
const FOLLOWS: i64 = 11;

#[tokio::test]
async fn lanes_that_run_at_once_mark_each_follow_once_and_the_author_is_merged() {
    let world = World::with(SMALL).await;
    let model = world.person("model").await;
    let author = Author::popular(&world, &model, FOLLOWS).await;
    let app = worker(&world);
    let lanes = (0..LANES).map(async |lane| work(&app, author.job(lane), 100).await);
    let (_, cost) = world.cost_of(join_all(lanes)).await;
    assert!(author.is_done(&world).await);
    let updates = i64::from(cost.operations["UpdateItem"]);
    // A lane that finds no page left also has all look again.
    assert!((FOLLOWS + 1..=FOLLOWS + i64::from(LANES)).contains(&updates), "{cost:?}");
}

#[tokio::test]
async fn a_lane_that_others_overtake_claims_no_page_of_theirs() {
    let world = World::with(SMALL).await;
    let model = world.person("model").await;
    let author = Author::popular(&world, &model, FOLLOWS).await;
    let app = worker(&world);
    world.faults.next("TransactWriteItems", Fault::Conflict);
    let lanes = (0..2).map(async |lane| work(&app, author.job(lane), 100).await);
    let (_, cost) = world.cost_of(join_all(lanes)).await;
    assert_eq!(world.faults.calm(), 1);
    assert!(author.is_done(&world).await);
    assert!(i64::from(cost.operations["UpdateItem"]) <= FOLLOWS + 2, "{cost:?}");
}

#[tokio::test]
async fn a_lane_that_ends_between_any_two_calls_leaves_nothing_unmarked() {
    let calls = ["GetItem", "Query", "TransactWriteItems", "UpdateItem", "DeleteItem", "SendMessage"];
    for pages in [1, 3] {
        let world = World::of_pages(pages, SMALL).await;
        let model = world.person("model").await;
        let faults = [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer].iter();
        let cases =
            faults.flat_map(|fault| calls.iter().flat_map(move |it| (0..4).map(move |at| (fault, it, at))));
        let mut struck = 0;
        for (seed, (fault, call, pass)) in cases.enumerate() {
            let author = Author::popular(&world, &model, 7).await;
            author.is_sent(&world, 0..LANES).await;
            world.faults.plan(call, *fault, pass, 1);
            world.settle_as(seed as u64).await;
            struck += world.faults.calm();
            assert!(author.is_done(&world).await, "{pages} pages, {fault:?} at {call} {pass}");
        }
        assert!(struck > 50, "{struck}");
    }
}

#[tokio::test]
async fn a_page_that_a_crash_left_is_marked_before_the_author_is_merged() {
    let world = World::with(SMALL).await;
    let model = world.person("model").await;
    let author = Author::popular(&world, &model, FOLLOWS).await;
    let app = worker(&world);
    world.faults.plan("TransactWriteItems", Fault::CrashAfter, 1, 1);
    let crashed = AssertUnwindSafe(work(&app, author.job(0), 100)).catch_unwind().await;
    assert!(crashed.is_err() && world.faults.calm() == 1);
    for lane in 1..LANES {
        work(&app, author.job(lane), 100).await;
    }
    assert_eq!(author.unmarked(&world).await, 2, "the page that was claimed and not marked");
    assert!(!author.is_merged(&world).await);
    work(&app, author.job(0), 100).await;
    assert!(author.is_done(&world).await);
}

#[tokio::test]
async fn lanes_that_are_throttled_go_on_more_slowly() {
    let world = World::of_pages(3, SMALL).await;
    let model = world.person("model").await;
    // The mail is counted too.
    world.settle().await;
    let author = Author::popular(&world, &model, 7).await;
    author.is_sent(&world, 0..LANES).await;
    world.faults.plan("UpdateItem", Fault::Throttle, 2, 12);
    let report = world.settle().await;
    assert_eq!((world.faults.calm(), report.failed), (12, 0));
    assert!(author.is_done(&world).await);
}

#[tokio::test]
async fn messages_that_come_twice_in_any_order_mark_all() {
    let world = World::of_pages(2, SMALL).await;
    let model = world.person("model").await;
    for seed in 0..8 {
        let author = Author::popular(&world, &model, 9).await;
        author.is_sent(&world, (0..LANES).chain(0..LANES).rev()).await;
        world.settle_as(seed).await;
        assert!(author.is_done(&world).await, "{seed}");
        author.is_sent(&world, 0..LANES).await;
        let (_, cost) = world.cost_of(world.settle_as(seed)).await;
        assert_eq!(cost.operations.get("UpdateItem"), None, "late messages find that it is over: {cost:?}");
    }
}

#[tokio::test]
async fn a_marking_that_an_earlier_release_began_goes_on_where_that_came() {
    let world = World::with(SMALL).await;
    let model = world.person("model").await;
    let author = Author::popular(&world, &model, FOLLOWS).await;
    let app = worker(&world);
    for follow in &author.follows[..6] {
        app.table.batch_write(&[Follow { merges: true, ..follow.clone() }], &[]).await.unwrap();
    }
    let after = author.follows[5].position;
    let left = Write::update(Key::new(author.id.partition(), "GATHER")).set("after", after);
    app.table.write(left.set("movedAt", app.now()).set("ttl", app.now().seconds())).await.unwrap();
    let body = json!({ "job": "gather", "author": author.id, "after": after, "rounds": 7 });
    world.settle().await;
    send(&world, &body).await;
    let (_, cost) = world.cost_of(world.stack.settle(None)).await;
    assert!(author.is_done(&world).await);
    assert_eq!(cost.operations["UpdateItem"], 5 + 1, "{cost:?}");
}

#[tokio::test]
async fn a_follow_that_comes_into_the_index_behind_the_cursor_is_marked() {
    let world = World::with(SMALL).await;
    let model = world.person("model").await;
    let author = Author::popular(&world, &model, FOLLOWS).await;
    let app = worker(&world);
    work(&app, author.job(0), 5).await;
    let late = author.follow(&world, 200);
    app.table.batch_write(std::slice::from_ref(&late), &[]).await.unwrap();
    world.settle().await;
    let author = Author { follows: [author.follows, vec![late]].concat(), ..author };
    assert!(author.is_done(&world).await);
}

#[tokio::test]
async fn who_follows_while_the_others_are_marked_is_marked_too() {
    let world = World::with(SMALL).await;
    let ann = world.person("ann").await;
    for number in 0..5 {
        world.person(&format!("fan{number}")).await.follows(&ann).await;
    }
    world.settle().await;
    ann.writes("post").await;
    let app = worker(&world);
    let author: UserId = ann.id.parse().unwrap();
    let popular = Write::update(Key::new(author.partition(), "PROFILE")).set("isPopular", true);
    app.table.write(popular.exists()).await.unwrap();
    work(&app, TimelineJob::MarkFollows { author, lane: 0, rounds: Default::default() }, 1).await;
    let late = world.person("late").await;
    late.follows(&ann).await;
    world.settle().await;
    let pair = [(late.id.parse().unwrap(), author)];
    assert!(find_all(&app, &pair).await.unwrap()[0].merges);
    assert!(is_merged(&world, author).await);
}

/// Somebody whom many follow, none of whom is marked.
struct Author {
    id: UserId,
    follows: Vec<Follow>,
}

impl Author {
    /// Made of somebody who signed up. They are followed once a minute since ten minutes ago.
    async fn popular(world: &World, model: &Person, follows: i64) -> Self {
        let mut author = Self { id: UserId::random_at(world.app().now()), follows: Vec::new() };
        author.follows = (0..follows).map(|number| author.follow(world, 600 - 60 * number)).collect();
        world.app().table.batch_write(&author.follows, &[]).await.unwrap();
        author.signs_up_as(world, model).await;
        let popular = Write::update(Key::new(author.id.partition(), "PROFILE")).set("isPopular", true);
        world.app().table.write(popular.exists()).await.unwrap();
        author
    }

    async fn signs_up_as(&self, world: &World, model: &Person) {
        let (dynamodb, table) = (world.unwatched_dynamodb(), world.table_name());
        let pk = AttributeValue::S(format!("USER#{}", model.id));
        let row = dynamodb.get_item().table_name(table).key("pk", pk);
        let row = row.key("sk", AttributeValue::S("PROFILE".to_owned())).send().await.unwrap().item.unwrap();
        let renamed = |value| match value {
            AttributeValue::S(text) => AttributeValue::S(text.replace(&model.id, &self.id.to_string())),
            other => other,
        };
        let row = row.into_iter().map(|(name, value)| (name, renamed(value))).collect();
        dynamodb.put_item().table_name(table).set_item(Some(row)).send().await.unwrap();
    }

    fn follow(&self, world: &World, seconds_ago: i64) -> Follow {
        let app = world.app();
        let began = app.now().plus_seconds(-seconds_ago);
        Follow {
            follower_id: UserId::random_at(began),
            following_id: self.id,
            is_following: true,
            merges: false,
            position: app.ids.next(began),
            created_at: began,
            ended_at: None,
            told_at: None,
        }
    }

    fn job(&self, lane: u8) -> TimelineJob {
        TimelineJob::MarkFollows { author: self.id, lane, rounds: Default::default() }
    }

    async fn is_sent(&self, world: &World, lanes: impl Iterator<Item = u8>) {
        for lane in lanes {
            send(world, &serde_json::to_value(self.job(lane)).unwrap()).await;
        }
    }

    async fn unmarked(&self, world: &World) -> usize {
        let pairs: Vec<_> = self.follows.iter().map(|it| (it.follower_id, it.following_id)).collect();
        let follows = find_all(&world.app(), &pairs).await.unwrap();
        follows.iter().filter(|it| !it.merges).count()
    }

    async fn is_merged(&self, world: &World) -> bool {
        is_merged(world, self.id).await
    }

    /// All are marked, the author is merged, and no lane has left anything.
    async fn is_done(&self, world: &World) -> bool {
        let lanes = Query::partition(self.id.partition()).prefix("GATHER#");
        let left = world.app().table.query::<Left>(&lanes).await.unwrap();
        self.unmarked(world).await == 0 && self.is_merged(world).await && left.is_empty()
    }
}

/// What a lane has left.
#[derive(serde::Serialize, serde::Deserialize)]
struct Left {
    pk: String,
    sk: String,
}

impl Row for Left {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}

async fn is_merged(world: &World, author: UserId) -> bool {
    domain::people::users::find(&world.app(), author).await.unwrap().unwrap().is_merged
}

async fn send(world: &World, body: &Value) {
    let send = world.clients().sqs.send_message().queue_url(world.stack.queue_url("timeline"));
    send.message_body(body.to_string()).send().await.unwrap();
}

/// The timeline worker without a function around it.
fn worker(world: &World) -> App {
    let url = world.stack.queue_url("timeline");
    let settings = Settings::read(|name| match name {
        "TABLE_NAME" => Some(world.table_name().to_owned()),
        "TIMELINE_QUEUE_URL" => Some(url.clone()),
        "FANOUT_PAGE_SIZE" => Some("2".to_owned()),
        _ => None,
    });
    let clock = world.stack.clock().clone();
    App::new(world.clients(), settings.unwrap(), std::sync::Arc::new(move || clock.now()))
}

async fn work(app: &App, job: TimelineJob, pages: usize) {
    timelines::work(app, &Deadline::after_pages(pages), job).await.unwrap();
}
