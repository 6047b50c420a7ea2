//! The cost of a list does not depend on the number of stored rows.

mod crowds;

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use domain::{
    ids::{PostId, UserId},
    people::users::Role,
};
use futures::{StreamExt, TryStreamExt, stream};
use platform::App;
use serde_json::{Value, json};
use tests::{Cost, Person, World, check_cost};

use crate::{
    admin::administrator,
    messages::{id, says},
};

pub(crate) type Item = HashMap<String, AttributeValue>;

const FEW: usize = 100;
const BATCH: usize = 25;

#[tokio::test]
async fn lists_cost_the_same_with_2000_rows() {
    check_costs_with(2_000).await;
}

#[tokio::test]
#[ignore = "full size: takes some minutes"]
async fn lists_cost_the_same_with_100000_rows() {
    check_costs_with(100_000).await;
}

async fn check_costs_with(many: usize) {
    let few = costs(FEW).await;
    let many = costs(many).await;
    for ((list, few), (_, many)) in few.iter().zip(&many) {
        assert_eq!(few, many, "{list}");
    }
}

/// Creates `rows` rows of each kind. Returns the costs of the first two pages of each list.
async fn costs(rows: usize) -> Vec<(String, Cost)> {
    let crowd = Population::of(rows).await;
    let mut costs = Vec::new();
    for (list, budget, reader, path) in crowd.lists() {
        let (first, cost) = crowd.world.cost_of(reader.get(&path)).await;
        assert_eq!(first.rows().len(), 20, "{list}");
        check_cost(budget, &cost);
        let next = if path.contains('?') { '&' } else { '?' };
        let path = format!("{path}{next}after={}", first.after().unwrap());
        let (second, next) = crowd.world.cost_of(reader.get(&path)).await;
        assert_eq!(second.rows().len(), 20, "{list}");
        costs.extend([(list.to_owned(), cost), (format!("{list}, next page"), next)]);
    }
    costs
}

/// A world with many rows of each kind, and the users who read them.
struct Population {
    world: World,
    ann: Person,
    root: Person,
    group: String,
}

impl Population {
    /// Creates one row of each kind with a request, then copies the row until there are `rows` rows.
    async fn of(rows: usize) -> Self {
        let world = World::new().await;
        let root = administrator(&world, "root", Role::Admin).await;
        let [ann, bob] = world.people(["ann", "bob"]).await;
        let group = ann.chats_with("bob").await;
        let crowd = Self { world, ann, root, group };
        crowd.fill_posts(&bob, rows).await;
        crowd.fill_followers(&bob, rows).await;
        crowd.fill_messages(&bob, rows).await;
        crowd.fill_notifications(&bob, rows).await;
        crowd
    }

    /// Returns the lists, each with the cost budget of its first page, its reader and its path.
    fn lists(&self) -> [(&'static str, &'static str, &Person, String); 6] {
        let (followers, messages) =
            (self.ann.path("/followers"), format!("/message-group/{}/messages", self.group));
        let search = "/search?q=common&type=post".to_owned();
        [
            ("feed", "FOR_YOU, short posts", &self.ann, "/posts/news-feed".to_owned()),
            ("followers", "followers", &self.ann, followers),
            ("messages", "messages, many", &self.ann, messages),
            ("notifications", "notifications, many", &self.ann, "/notification".to_owned()),
            ("reports", "reports, many", &self.root, "/admin/reports".to_owned()),
            ("search", "search posts of others, many", &self.ann, search),
        ]
    }

    /// Creates posts that contain the same word, and a report on each post.
    async fn fill_posts(&self, author: &Person, rows: usize) {
        let post = author.writes("common").await;
        let report = json!({ "reason": "spam", "type": "post" });
        let report = text(&self.ann.post(&post.path("/report"), report).await.ok().data()["id"]);
        self.world.settle().await;
        let stored = row(&self.world, &format!("POST#{}", post.id), "POST").await;
        let word = row(&self.world, "WORD#common", &post.id).await;
        let reported = row(&self.world, &format!("REPORT#{report}"), "REPORT").await;
        let ids = ids(&self.world, rows);
        let copies = ids.iter().enumerate().flat_map(|(number, id)| {
            let shard = number % 4;
            let mut post_row = renamed(&stored, &[(&post.id, id)]);
            post_row.insert("gsi2pk".to_owned(), AttributeValue::S(format!("FEED#{shard}")));
            post_row.insert("shard".to_owned(), AttributeValue::N(shard.to_string()));
            let reported = renamed(&reported, &[(&report, id), (&post.id, id)]);
            [post_row, renamed(&word, &[(&post.id, id)]), reported]
        });
        put(&self.world, copies).await;
    }

    async fn fill_followers(&self, bob: &Person, rows: usize) {
        bob.follows(&self.ann).await;
        let person = row(&self.world, &format!("USER#{}", bob.id), "PROFILE").await;
        let follow = row(&self.world, &format!("USER#{}", bob.id), &format!("FOLLOW#{}", self.ann.id)).await;
        let position = follow["gsi2sk"].as_s().unwrap().clone();
        let app = self.world.app();
        let copies = ids(&self.world, rows).into_iter().flat_map(|id| {
            let user = UserId::random_at(&app, app.now()).to_string();
            let follow = renamed(&follow, &[(&bob.id, &user), (&position, &id)]);
            [renamed(&person, &[(&bob.id, &user)]), follow]
        });
        put(&self.world, copies.collect::<Vec<_>>().into_iter()).await;
    }

    async fn fill_messages(&self, sender: &Person, rows: usize) {
        let id = id(&says(sender, &self.group, &"x".repeat(700)).await);
        let row = row(&self.world, &format!("GROUP#{}", self.group), &format!("MSG#{id}")).await;
        put(&self.world, ids(&self.world, rows).iter().map(|copy| renamed(&row, &[(&id, copy)]))).await;
    }

    async fn fill_notifications(&self, bob: &Person, rows: usize) {
        let post = self.ann.writes("mine").await;
        bob.replies(&post, "hi").await;
        self.world.advance_and_settle(40).await;
        let groups = self.ann.get("/notification").await.ok();
        let group = groups.rows().iter().find(|group| group["targetId"] == post.id.as_str()).unwrap();
        let id = text(&group["publicId"]);
        self.ann.patch("/notification/read-all", Value::Null).await.ok();
        let row = row(&self.world, &format!("USER#{}", self.ann.id), &format!("NOTIF#{id}")).await;
        let event = row["gsi1sk"].as_s().unwrap().clone();
        let copies = ids(&self.world, rows);
        let copies =
            copies.iter().map(|copy| renamed(&row, &[(&id, copy), (&post.id, copy), (&event, copy)]));
        put(&self.world, copies).await;
    }
}

/// Returns all rows of the table.
pub(crate) async fn all_rows(world: &World) -> Vec<Item> {
    let scan = world.unwatched_dynamodb().scan().table_name(world.table_name());
    scan.into_paginator().items().send().try_collect().await.unwrap()
}

/// Returns the row at a key. Panics if it does not exist.
pub(crate) async fn row(world: &World, pk: &str, sk: &str) -> Item {
    find_row(world, pk, sk).await.expect("a row of the kind to copy")
}

/// Returns the row at a key, or `None` if it does not exist.
pub(crate) async fn find_row(world: &World, pk: &str, sk: &str) -> Option<Item> {
    let get = world.clients().dynamodb.get_item().table_name(world.table_name());
    let get = get.key("pk", AttributeValue::S(pk.to_owned())).key("sk", AttributeValue::S(sk.to_owned()));
    get.send().await.unwrap().item
}

pub(crate) async fn put(world: &World, rows: impl Iterator<Item = Item>) {
    let dynamodb = world.unwatched_dynamodb();
    let put = |item| PutRequest::builder().set_item(Some(item)).build().unwrap();
    let put = |item| WriteRequest::builder().put_request(put(item)).build();
    let requests: Vec<_> = rows.map(put).collect();
    let batches = requests.chunks(BATCH).map(|batch| {
        let write = dynamodb.batch_write_item();
        write.request_items(world.table_name(), batch.to_vec()).send()
    });
    stream::iter(batches).buffer_unordered(8).try_for_each(async |_| Ok(())).await.unwrap();
}

/// Returns `count` IDs in ascending order.
pub(crate) fn ids(world: &World, count: usize) -> Vec<String> {
    let app: App = world.app();
    (0..count).map(|_| app.ids.next::<PostId>(app.now()).to_string()).collect()
}

/// Returns a copy of the row with replaced IDs: `names` has pairs of an old and a new ID of the same length.
pub(crate) fn renamed(row: &Item, names: &[(&str, &str)]) -> Item {
    row.iter().map(|(name, value)| (name.clone(), rename(value, names))).collect()
}

fn rename(value: &AttributeValue, names: &[(&str, &str)]) -> AttributeValue {
    match value {
        AttributeValue::S(text) => {
            let text = names.iter().fold(text.clone(), |text, (from, to)| text.replace(from, to));
            AttributeValue::S(text)
        }
        AttributeValue::L(values) => {
            AttributeValue::L(values.iter().map(|value| rename(value, names)).collect())
        }
        AttributeValue::M(fields) => AttributeValue::M(renamed(fields, names)),
        other => other.clone(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
