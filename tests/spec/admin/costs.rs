//! What administrators' requests ask of AWS: the chart of `shared/KEYS.md`, for few rows and for many.

use domain::{
    ids::UserId,
    moderation::reports::{Category, Report, ReportStatus, ReportTarget},
    people::users::Role,
};
use serde_json::{Value, json};
use tests::{Cost, World};

use super::{admin, administrator};

#[track_caller]
fn within(request: &str, cost: &Cost, calls: u32, rru: f64, wru: f64) {
    let fits = cost.calls <= calls && cost.rru <= rru && cost.wru <= wru;
    assert!(fits, "{request} may take {calls} calls, {rru} RRU, {wru} WRU, but took {cost:?}");
}

async fn reports(world: &World, rows: usize) {
    let app = world.app();
    let user: UserId = UserId::random_at(app.now());
    let report = |_| Report {
        id: app.ids.next(app.now()),
        reporter_id: user,
        target_type: ReportTarget::User,
        target_id: user.to_string(),
        reported_user_id: user,
        reason: "x".repeat(500).try_into().unwrap(),
        category: Category::Other,
        status: ReportStatus::Pending,
        confidence: None,
        hid: false,
        assistant_note: None,
        admin_note: None,
        decided_by: None,
        decided_at: None,
        created_at: app.now(),
    };
    let rows: Vec<_> = (0..rows).map(report).collect();
    app.table.batch_write(&rows, &[]).await.unwrap();
}

#[tokio::test]
async fn lists_cost_the_same_for_few_rows_and_for_many() {
    let world = World::new().await;
    let root = admin(&world).await;
    for rows in [50, 1000] {
        reports(&world, rows).await;
        for path in ["/admin/reports", "/admin/reports?status=PENDING"] {
            let (answer, cost) = world.cost_of(root.get(path)).await;
            assert_eq!(answer.ok().rows().len(), 20);
            within(path, &cost, 2, 4.0, 0.0);
        }
    }
    let (answer, cost) = world.cost_of(root.get("/admin/audit")).await;
    answer.ok();
    within("audit", &cost, 2, 1.5, 0.0);
    let (answer, cost) = world.cost_of(root.get("/admin/users")).await;
    answer.ok();
    within("users", &cost, 5, 3.0, 0.0);
    let (answer, cost) = world.cost_of(root.get("/admin/stats")).await;
    answer.ok();
    within("stats", &cost, 2, 33.0, 0.0);
    let (answer, cost) = world.cost_of(root.get("/admin/hashtags/trending")).await;
    answer.ok();
    within("trending", &cost, 25, 13.0, 0.0);
}

#[tokio::test]
async fn deeds_cost_what_their_chart_says() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::SuperAdmin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let user = format!("/admin/users/{}", ann.id);
    for (what, body, calls, rru, wru) in [
        ("roles", json!({ "roles": ["ADMIN"] }), 5, 2.0, 10.0),
        ("ban", Value::Null, 4, 2.0, 16.0),
        ("unlock", Value::Null, 3, 1.0, 15.0),
    ] {
        let (answer, cost) = world.cost_of(root.patch(&format!("{user}/{what}"), body)).await;
        answer.ok();
        within(what, &cost, calls, rru, wru);
    }
    let post = ann.signs_in().await.posts(json!({ "content": "x".repeat(1000), "topic": "cats" })).await;
    let body = json!({ "reason": "spam", "type": "post" });
    let (report, cost) = world.cost_of(bob.post(&post.path("/report"), body)).await;
    within("report", &cost, 4, 0.5, 14.0);
    let path = format!("/admin/reports/{}", report.ok().data()["id"].as_str().unwrap());
    for action in ["hide", "dismiss", "delete"] {
        let (answer, cost) = world.cost_of(root.patch(&path, json!({ "action": action }))).await;
        answer.ok();
        within(action, &cost, 7, 4.0, 56.0);
    }
}

#[tokio::test]
async fn searches_and_quests_cost_what_their_chart_says() {
    let world = World::with(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).await;
    let root = admin(&world).await;
    let ann = world.person("ann").await;
    for round in 1..=2 {
        for number in 0..25 {
            let text = format!("common word{round} {number} #tag{number} {}", "x".repeat(950));
            ann.writes(&text).await;
        }
        world.settle().await;
        for (path, calls, rru) in [
            ("/search?q=common", 5, 24.0),
            ("/search?q=common+x", 5, 75.0),
            ("/search?type=user&q=an", 5, 5.0),
            ("/search?type=hashtag&q=tag", 3, 2.0),
        ] {
            let (answer, cost) = world.cost_of(ann.get(path)).await;
            answer.ok();
            within(path, &cost, calls, rru, 1.0);
        }
    }
    let quest = json!({ "code": "WRITE", "action": "POST_CREATED", "requirement": 1 });
    let (answer, cost) = world.cost_of(root.post("/admin/daily-quests", quest)).await;
    answer.ok();
    within("define a quest", &cost, 3, 1.0, 7.0);
    ann.get("/quests/daily").await.ok();
    let (answer, cost) = world.cost_of(ann.get("/quests/daily")).await;
    answer.ok();
    within("the day's quests", &cost, 7, 7.0, 0.0);
    let (answer, cost) = world.cost_of(ann.post("/quests/WRITE/claim", Value::Null)).await;
    answer.ok();
    within("claim", &cost, 7, 6.0, 7.0);
    let (answer, cost) = world.cost_of(ann.get("/users/me/karma")).await;
    answer.ok();
    within("karma", &cost, 3, 3.0, 0.0);
}
