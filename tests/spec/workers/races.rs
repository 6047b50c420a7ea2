//! Jobs whose work another job finishes while they run.

use domain::{
    circles::{DrainJob, Energy, drain, energy_key},
    due::Due,
    ids::{CircleId, PostId, UserId},
};
use platform::{
    deadline::Deadline,
    table::{JsonRow, Key, Row, Write},
};
use serde_json::json;
use tests::{Fault, World};
use ulid::Ulid;

use super::{due::page, purge, put};

const HOUR: i64 = 3600;

#[tokio::test]
async fn a_deletion_job_ends_if_the_account_is_already_erased() {
    for job in ["withdraw", "erase"] {
        let world = World::builder().pages(100).without_ticks().start().await;
        let app = world.app();
        let user: UserId = app.ids.next(app.now());
        let key = Key::new(format!("USER#{user}"), "LEAVING");
        let row = Write::update(key.clone()).set("user", user).set("beganAt", app.now());
        app.table.write(row.set("erasedFrom", app.now())).await.unwrap();
        put(&world, "leaving", &json!({ "job": job, "user": user, "run": 1 }).to_string()).await;
        let completes = app.table.write(Write::delete(key.clone()));
        let (run, completed) = world.faults.while_held("Query", world.stack.settle(None), completes).await;
        completed.unwrap();
        assert_eq!(run.unwrap().failed, 0, "{job}");
        assert!(app.table.get::<JsonRow>(&key).await.unwrap().is_none(), "{job}");
    }
}

#[tokio::test]
async fn concurrent_jobs_take_the_hourly_hp_of_a_circle_once() {
    let world = World::builder().without_ticks().start().await;
    let app = world.app();
    let circle: CircleId = app.ids.next(app.now());
    app.table.write(Write::put(&Energy::new(circle, app.now()))).await.unwrap();
    world.advance(HOUR as u64).await;
    purge(&world, "circle-drain").await;
    let app = world.app();
    let list = Due::Drain.index_key(circle, app.now()).pk;
    let page = page("page", &list, 0);
    put(&world, "circle-drain", &page).await;
    let job: DrainJob = serde_json::from_str(&page).unwrap();
    let other = async { drain(&app, &Deadline::after_pages(1), job).await };
    let (run, other) = world.faults.while_held("TransactWriteItems", world.stack.settle(None), other).await;
    other.unwrap();
    assert_eq!(run.unwrap().failed, 0);
    let energy: Energy = app.table.get(&energy_key(circle)).await.unwrap().unwrap();
    assert_eq!(energy.hp, 490);
}

#[tokio::test]
async fn the_next_run_takes_the_hp_of_a_circle_that_failed() {
    let world = World::builder().without_ticks().start().await;
    let app = world.app();
    let born_at = app.now();
    let first = Ulid::from(app.ids.next::<PostId>(born_at));
    let ids = (0..26).map(|number| Ulid::from_parts(first.timestamp_ms() + number, first.random()));
    let circles: Vec<Energy> = ids.map(|id| Energy::new(id.into(), born_at)).collect();
    app.table.batch_write(&circles, &[]).await.unwrap();
    world.advance(HOUR as u64).await;
    let hp = async || {
        let keys: Vec<_> = circles.iter().map(Row::key).collect();
        let rows: Vec<Energy> = world.app().table.batch_get(&keys).await.unwrap();
        rows.iter().map(|row| row.hp).sum::<i64>()
    };
    purge(&world, "circle-drain").await;
    let list = Due::Drain.index_key(first, born_at).pk;
    world.faults.next("TransactWriteItems", Fault::Refused);
    put(&world, "circle-drain", &page("page", &list, 0)).await;
    assert_eq!(world.stack.settle(None).await.unwrap().failed, 0);
    assert_eq!((world.faults.calm(), hp().await), (1, 26 * 500 - 25 * 10), "one circle failed");
    put(&world, "circle-drain", r#"{"job":"drain"}"#).await;
    world.settle().await;
    assert_eq!(hp().await, 26 * 490);
}

#[tokio::test]
async fn an_unlike_job_about_an_unknown_post_succeeds_after_a_crash() {
    let world = World::builder().without_ticks().start().await;
    let app = world.app();
    let job = json!({ "job": "removed", "user": app.ids.next::<UserId>(app.now()),
        "post": app.ids.next::<PostId>(app.now()) });
    world.faults.next("BatchGetItem", Fault::Crash);
    put(&world, "liked-remove", &job.to_string()).await;
    let report = world.stack.settle(None).await.unwrap();
    assert_eq!((report.failed, report.dead, world.faults.calm()), (0, 0, 1));
}
