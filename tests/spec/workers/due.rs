//! Due rows that a run leaves unprocessed. The next run processes them.

use domain::{
    circles::{Energy, cpr::Cpr},
    due::Due,
    ids::{PostId, UserId},
    posts::{drafts::SavedDraft, polls::Poll},
};
use platform::{
    table::{Index, JsonRow, Key, KeyOnly, Query, Write},
    time::Time,
};
use serde_json::json;
use tests::{Fault, Person, World};
use ulid::Ulid;

use super::put;

/// Number of due rows: more than one page, which has 25.
const ROWS: u64 = 26;
const DAY: i64 = 24 * 3600;

/// A kind of due rows.
struct Kind {
    due: Due,
    queue: &'static str,
    /// Job that processes a page of due rows.
    page: &'static str,
    /// Job that starts a run.
    begin: &'static str,
    /// AWS call in which a test injects a fault.
    call: &'static str,
    row: NewRow,
}

/// Returns the write of a due row.
type NewRow = fn(Ulid, Time) -> Write;

/// Returns all kinds of due rows, except drafts.
fn kinds() -> impl Iterator<Item = Kind> {
    let table: [(_, _, _, _, _, NewRow); 7] = [
        (Due::Poll, "housekeeping", "endPolls", "minute", "SendMessage", poll),
        (Due::Webhook, "housekeeping", "retryWebhooks", "minute", "SendMessage", delivery),
        (Due::Verdict, "housekeeping", "endVerdictWaits", "minute", "TransactWriteItems", wait),
        (Due::FactorReset, "housekeeping", "resetFactors", "minute", "DeleteItem", factor_reset),
        (Due::Evidence, "housekeeping", "eraseEvidence", "minute", "TransactWriteItems", evidence_end),
        (Due::Purge, "housekeeping", "purgePage", "purgeCircles", "SendMessage", dead_circle),
        (Due::Cpr, "cpr-check", "page", "check", "UpdateItem", cpr),
    ];
    table.into_iter().map(|(due, queue, page, begin, call, row)| Kind { due, queue, page, begin, call, row })
}

#[tokio::test]
async fn the_next_run_processes_due_rows_beyond_the_limit() {
    for kind in kinds() {
        let (world, list) = kind.start().await;
        kind.process(&world, &list, 999).await;
        let left = rows(&world, &list).await;
        assert!((1..ROWS as usize).contains(&left), "{}: {left} rows are left after one page", kind.page);
        kind.run(&world).await;
        assert_eq!(rows(&world, &list).await, 0, "{}", kind.page);
    }
}

#[tokio::test]
async fn the_next_run_processes_due_rows_that_failed() {
    for kind in kinds() {
        let (world, list) = kind.start().await;
        // The test itself makes the first `SendMessage` call, in which no fault is injected.
        let passed = u32::from(kind.call == "SendMessage");
        world.faults.plan(kind.call, Fault::Refused, passed, 1);
        kind.process(&world, &list, 0).await;
        assert_eq!(world.faults.calm(), 1, "{}", kind.page);
        assert_eq!(rows(&world, &list).await, 1, "{}: only the row that failed is left", kind.page);
        kind.run(&world).await;
        assert_eq!(rows(&world, &list).await, 0, "{}", kind.page);
    }
}

#[tokio::test]
async fn the_next_run_publishes_drafts_that_the_last_run_left() {
    for (messages, fault, published) in [(999, None, 25), (0, Some(Fault::Refused), 25), (0, None, 26)] {
        let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
        let first = scheduled(&world, &ann).await;
        let more = ids(first.id.into()).map(|id| SavedDraft { id: id.into(), ..first.clone() });
        world.app().table.batch_write(&more.skip(1).collect::<Vec<_>>(), &[]).await.unwrap();
        world.advance(600).await;
        if let Some(fault) = fault {
            world.faults.next("TransactWriteItems", fault);
        }
        let list = Due::Draft.index_key(first.id, world.app().now()).pk;
        put(&world, "housekeeping", &page("publishDrafts", &list, messages)).await;
        world.stack.settle(None).await.unwrap();
        let posts = async || ann.get("/user/ann/posts?take=50").await.ok().rows().len();
        assert_eq!((world.faults.calm(), posts().await), (u32::from(fault.is_some()), published));
        put(&world, "housekeeping", r#"{"job":"minute"}"#).await;
        world.settle().await;
        assert_eq!((posts().await, rows(&world, &list).await), (ROWS as usize, 0));
    }
}

#[tokio::test]
async fn a_draft_changed_during_publication_is_not_published() {
    for deletes in [true, false] {
        let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
        let draft = scheduled(&world, &ann).await;
        world.advance(600).await;
        world.settle().await;
        let list = Due::Draft.index_key(draft.id, world.app().now()).pk;
        put(&world, "housekeeping", &page("publishDrafts", &list, 0)).await;
        let path = format!("/me/drafts/{}", draft.id);
        let change = async {
            match deletes {
                true => ann.delete(&path).await.ok(),
                false => ann.patch(&path, json!({ "publishAt": null })).await.ok(),
            }
        };
        world.faults.while_held("GetItem", world.stack.settle(None), change).await.0.unwrap();
        assert_eq!(ann.get("/user/ann/posts").await.ok().rows().len(), 0, "deletes: {deletes}");
    }
}

/// Creates a draft that is due in ten minutes.
async fn scheduled(world: &World, user: &Person) -> SavedDraft {
    let body = json!({ "content": "hello", "publishAt": world.app().now().plus_seconds(600) });
    let id = user.post("/me/drafts", body).await.ok().data()["id"].as_str().unwrap().to_owned();
    let key = Key::new(format!("USER#{}", user.id), format!("DRAFT#{id}"));
    world.app().table.get(&key).await.unwrap().unwrap()
}

#[tokio::test]
async fn the_next_run_completes_a_circle_purge_beyond_its_limit() {
    let world = World::builder().without_ticks().start().await;
    let app = world.app();
    let (circle, at) = (Ulid::from(app.ids.next::<PostId>(app.now())), app.now());
    app.table.write(dead_circle(circle, at.plus_seconds(-DAY))).await.unwrap();
    let pk = format!("CIRCLE#{circle}");
    let more = (0..450).map(|number| KeyOnly { pk: pk.clone(), sk: format!("MEMBER#{number:03}") });
    app.table.batch_write(&more.collect::<Vec<_>>(), &[]).await.unwrap();
    let job = json!({ "job": "purgeCircle", "circle": circle, "messages": 999 });
    put(&world, "housekeeping", &job.to_string()).await;
    world.stack.settle(None).await.unwrap();
    let own = Query::partition(&pk).consistent();
    let left = async || app.table.query::<KeyOnly>(&own).await.unwrap().len();
    assert!((201..450).contains(&left().await), "after one page");
    put(&world, "housekeeping", r#"{"job":"purgeCircles"}"#).await;
    world.settle().await;
    assert_eq!(left().await, 0);
}

impl Kind {
    /// Starts a world with due rows. Returns the world, and the index partition that lists the rows.
    async fn start(&self) -> (World, String) {
        let world = World::builder().without_ticks().start().await;
        let app = world.app();
        let (first, at) = (Ulid::from(app.ids.next::<PostId>(app.now())), app.now());
        for id in ids(first) {
            app.table.write((self.row)(id, at.plus_seconds(-DAY))).await.unwrap();
        }
        (world, self.due.index_key(first, at).pk)
    }

    /// Runs [`page`].
    async fn process(&self, world: &World, list: &str, messages: u32) {
        put(world, self.queue, &page(self.page, list, messages)).await;
        let report = world.stack.settle(None).await.unwrap();
        assert_eq!((report.failed, report.dead), (0, 0), "{}", self.page);
    }

    /// Runs the schedule.
    async fn run(&self, world: &World) {
        put(world, self.queue, &json!({ "job": self.begin }).to_string()).await;
        world.settle().await;
    }
}

/// Returns IDs whose rows are in the same shard as `first`.
fn ids(first: Ulid) -> impl Iterator<Item = Ulid> {
    (0..ROWS).map(move |number| Ulid::from_parts(first.timestamp_ms() + number, first.random()))
}

/// Returns the job that processes a page of a list. `messages` is the number of messages that the run has already sent.
pub(super) fn page(job: &str, list: &str, messages: u32) -> String {
    let shard: u8 = list.rsplit('#').next().unwrap().parse().unwrap();
    json!({ "job": job, "shard": shard, "messages": messages }).to_string()
}

/// Returns the number of rows in a list.
async fn rows(world: &World, list: &str) -> usize {
    world.app().table.query::<JsonRow>(&Query::index(Index::Gsi3, list)).await.unwrap().len()
}

fn poll(id: Ulid, at: Time) -> Write {
    let (votes0, votes1, votes2, votes3) = (0, 0, 0, 0);
    let (post, ends_at) = (id.into(), at);
    Write::put(&Poll { post, ends_at, notified: false, votes0, votes1, votes2, votes3, voters: 0, seq: 0 })
}

/// Returns the write of a due delivery, whose webhook was deleted.
fn delivery(id: Ulid, at: Time) -> Write {
    let announcement = json!({ "id": id, "event": "circle.died", "subject": id, "at": at });
    let write = Write::update(Key::new(format!("WEBHOOK#{id}"), format!("WAITING#{id}"))).set("webhook", id);
    let write = write.set("announcement", announcement).set("attempts", 1).set("dueAt", at);
    write.index_key(Index::Gsi3, Some(Due::Webhook.index_key(id, at)))
}

/// Returns the write of a due wait for a verdict, whose post was deleted.
fn wait(id: Ulid, at: Time) -> Write {
    let write = Write::update(Key::new(format!("POST#{id}"), "WAIT")).set("post", id);
    let write = write.set("revision", 0).set("until", at);
    write.index_key(Index::Gsi3, Some(Due::Verdict.index_key(id, at)))
}

/// Returns the write of a due second-factor reset, whose user was deleted.
fn factor_reset(id: Ulid, at: Time) -> Write {
    let user = UserId::from(id);
    let write = Write::update(Key::new(user.partition(), "FACTORRESET")).set("user", user);
    let write = write.set("askedAt", at).set("nextAt", at);
    write.index_key(Index::Gsi3, Some(Due::FactorReset.index_key(id, at)))
}

/// Returns the write of a due erasure of evidence, whose case was deleted.
fn evidence_end(id: Ulid, at: Time) -> Write {
    let write = Write::update(Key::new(format!("CASE#{id}"), "EVIDENCEEND")).set("case", id).set("at", at);
    write.index_key(Index::Gsi3, Some(Due::Evidence.index_key(id, at)))
}

fn dead_circle(id: Ulid, at: Time) -> Write {
    Write::put(&Energy { hp: 0, died_at: Some(at), version: 1, ..Energy::new(id.into(), at) })
}

fn cpr(id: Ulid, at: Time) -> Write {
    let (circle, post, week) = (id.into(), id.into(), "2026-W01".to_owned());
    let (expires_at, resolved_at, success) = (at, None, None);
    let (target, comments, in_week) = (5, 0, 1);
    let id = id.into();
    Write::put(&Cpr { circle, id, post, target, comments, expires_at, resolved_at, success, week, in_week })
}
