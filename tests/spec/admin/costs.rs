//! Checks the costs of administrators' requests against `shared/keys.toml`, with few and with many rows.

use domain::{
    ids::UserId,
    moderation::reports::{Category, Report, ReportStatus, ReportTarget},
    people::users::Role,
};
use serde_json::{Value, json};
use tests::World;

use super::{admin, world_with_root};

async fn reports(world: &World, rows: usize) {
    let app = world.app();
    let user: UserId = UserId::random_at(&app, app.now());
    let report = |_| Report {
        id: app.ids.next(app.now()),
        kept_case_id: None,
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
async fn long_admin_lists_cost_the_same_as_short_ones() {
    let world = World::new().await;
    let root = admin(&world).await;
    for rows in [50, 1000] {
        reports(&world, rows).await;
        for path in ["/admin/reports", "/admin/reports?status=PENDING"] {
            let answer = world.budget("reports", root.get(path)).await;
            assert_eq!(answer.ok().rows().len(), 20);
        }
    }
    world.budget("audit log", root.get("/admin/audit")).await.ok();
    world.budget("accounts", root.get("/admin/users")).await.ok();
    world.budget("statistics", root.get("/admin/stats")).await.ok();
    world.budget("trending hashtags, for administrators", root.get("/admin/hashtags/trending")).await.ok();
}

#[tokio::test]
async fn admin_requests_match_their_cost_budgets() {
    let (world, root, [ann, bob]) = world_with_root(Role::SuperAdmin, ["ann", "bob"]).await;
    let user = format!("/admin/users/{}", ann.id);
    for (budget, path, body) in [
        ("change roles", "roles", json!({ "roles": ["ADMIN"] })),
        ("ban", "ban", Value::Null),
        ("unlock", "unlock", Value::Null),
    ] {
        world.budget(budget, root.patch(&format!("{user}/{path}"), body)).await.ok();
    }
    let post = ann.signs_in().await.posts(json!({ "content": "x".repeat(1000), "topic": "cats" })).await;
    let body = json!({ "reason": "spam", "type": "post" });
    let report = world.budget("report a post", bob.post(&post.path("/report"), body)).await;
    let path = format!("/admin/reports/{}", report.ok().data()["id"].as_str().unwrap());
    world.budget("cases", root.get("/admin/cases")).await.ok();
    world.budget("a case", root.get(&format!("/admin/cases/{}", post.id))).await.ok();
    for (budget, action) in [
        ("decide on a report: hide", "hide"),
        ("decide on a report: dismiss", "dismiss"),
        ("decide on a report: delete", "delete"),
    ] {
        world.budget(budget, root.patch(&path, json!({ "action": action }))).await.ok();
    }
}

#[tokio::test]
async fn search_and_quest_requests_match_their_cost_budgets() {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).start().await;
    let root = admin(&world).await;
    let ann = world.person("ann").await;
    for batch in 1..=2 {
        for number in 0..25 {
            let text = format!("common word{batch} {number} #tag{number} {}", "x".repeat(950));
            ann.writes(&text).await;
        }
        world.settle().await;
        for (budget, path) in [
            ("search posts, one word", "/search?q=common"),
            ("search posts, two words", "/search?q=common+x"),
            ("search users", "/search?type=user&q=an"),
            ("search hashtags", "/search?type=hashtag&q=tag"),
        ] {
            world.budget(budget, ann.get(path)).await.ok();
        }
    }
    let quest = json!({ "code": "WRITE", "action": "POST_CREATED", "requirement": 1 });
    world.budget("define a quest", root.post("/admin/daily-quests", quest)).await.ok();
    ann.get("/quests/daily").await.ok();
    world.budget("the day's quests", ann.get("/quests/daily")).await.ok();
    world.budget("claim", ann.post("/quests/WRITE/claim", Value::Null)).await.ok();
    world.budget("karma", ann.get("/users/me/karma")).await.ok();
}
