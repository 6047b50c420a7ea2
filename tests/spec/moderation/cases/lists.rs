//! Lists and details of moderation cases, and the number of cases per month.

use domain::{
    ids::{CaseId, ReportId, UserId},
    moderation::cases::Case,
    people::users::Role,
};
use serde_json::{Value, json};

use super::{case, ids, rules};
use crate::{
    admin::world_with_root,
    moderation::{
        HARMFUL,
        appeals::{appeals, decides},
        id_of, reports,
    },
    routes::UNKNOWN_ID,
};

#[tokio::test]
async fn all_reports_about_a_post_form_one_case() {
    let (world, root, [ann, bob, cleo]) = world_with_root(Role::Moderator, ["ann", "bob", "cleo"]).await;
    let [post, other] = [ann.writes("buy now").await, ann.writes("hello").await];
    let report = reports(&bob, &post.id, json!({ "category": "SPAM" })).await;
    world.advance(1).await;
    reports(&cleo, &post.id, json!({ "category": "HATE" })).await;
    reports(&cleo, &post.id, json!({ "category": "HATE" })).await;
    world.advance(1).await;
    reports(&cleo, &other.id, json!({})).await;
    reports(&bob, &other.id, json!({ "type": "user", "category": null })).await;
    world.settle().await;
    let page = root.get("/admin/cases").await.ok();
    assert_eq!(page.column("id"), [json!(post.id), json!(other.id), json!(ann.public_id)]);
    let row = &page.rows()[0];
    assert_eq!(json!([row["reportsCount"], row["status"]]), json!([3, "PENDING"]));
    assert_eq!(row["categories"], json!(["SPAM", "HATE"]));
    assert_eq!(row["author"]["username"], "ann");
    assert_eq!(row["reportedContent"]["content"], "buy now");
    assert!(row["confidence"].as_f64().is_some_and(|confidence| confidence < 0.96), "{row}");
    let about_post = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok();
    assert_eq!(about_post.column("id")[2], id_of(&report), "the oldest report is listed last");
    assert_eq!(root.get("/admin/reports").await.ok().rows()[0]["caseId"], json!(ann.public_id));
    ann.patch(&post.path(""), json!({ "content": "hello again" })).await.ok();
    let detail = case(&root, &post.id).await;
    assert_eq!(detail["reportedContent"]["content"], "buy now");
    assert_eq!(detail["post"]["content"], "hello again");
    assert_eq!(detail["reports"].as_array().map(Vec::len), Some(3));
    assert_eq!(json!([detail["account"]["status"], detail["earlierDecisions"]]), json!(["ACTIVE", []]));
    root.get(&format!("/admin/cases/{UNKNOWN_ID}")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn cases_can_be_sorted_and_filtered() {
    let (world, root, [ann, bob, cleo]) = world_with_root(Role::Moderator, ["ann", "bob", "cleo"]).await;
    let mut posts = Vec::new();
    for (author, reporters) in
        [(&ann, vec![&cleo]), (&bob, vec![&cleo, &ann, &ann]), (&ann, vec![&bob, &bob])]
    {
        let post = author.writes("hello").await;
        for reporter in reporters {
            reports(reporter, &post.id, json!({ "category": "SPAM" })).await;
            world.advance(1).await;
        }
        posts.push(post.id);
    }
    let of = |positions: [usize; 3]| positions.map(|position| json!(posts[position]));
    assert_eq!(ids(&root, "").await, of([0, 1, 2]));
    assert_eq!(ids(&root, "sort=newest").await, of([2, 1, 0]));
    assert_eq!(ids(&root, "sort=most").await, of([1, 2, 0]));
    for sort in ["oldest", "most", "newest"] {
        let (mut found, mut after) = (Vec::new(), Some(String::new()));
        while let Some(cursor) = after {
            let page = root.get(&format!("/admin/cases?sort={sort}&take=1{cursor}")).await.ok();
            found.extend(page.column("id"));
            after = page.after().map(|after| format!("&after={}", after.replace('#', "%23")));
        }
        assert_eq!(found, ids(&root, &format!("sort={sort}")).await, "{sort}");
    }
    assert_eq!(ids(&root, "reportedUser=ann").await, [json!(posts[2]), json!(posts[0])]);
    assert_eq!(ids(&root, &format!("reporter={}", cleo.public_id)).await, [json!(posts[1]), json!(posts[0])]);
    assert_eq!(ids(&root, "category=HATE").await, Vec::<Value>::new());
    assert_eq!(ids(&root, "type=USER").await, Vec::<Value>::new());
    rules(&root, &posts[0], json!({ "actions": ["dismiss"] })).await.ok();
    assert_eq!(ids(&root, "").await, [json!(posts[1]), json!(posts[2])]);
    assert_eq!(ids(&root, "status=DISMISSED").await, [json!(posts[0])]);
    assert_eq!(ids(&root, "reportedUser=ann&status=DISMISSED").await, [json!(posts[0])]);
    for query in [
        "reporter=ann&assignee=root",
        "reporter=ann&sort=most",
        "sort=best",
        "after=x",
        "reporter=unknown_user",
    ] {
        root.get(&format!("/admin/cases?{query}")).await.refused(400, "VALIDATION_FAILED");
    }
    cleo.get("/admin/cases").await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn moderation_decisions_are_counted_by_month() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let path = "/admin/statistics/moderation";
    assert_eq!(root.get(path).await.ok().data()["medianMinutes"], Value::Null);
    let [harmful, spam, other] =
        [ann.writes(HARMFUL).await, ann.writes("buy").await, ann.writes("hello").await];
    reports(&bob, &harmful.id, json!({ "category": "VIOLENCE" })).await;
    world.settle().await;
    let appeal = appeals(&ann, &harmful.id).await.ok();
    decides(&root, &appeal, "uphold").await.ok();
    for post in [&spam, &other] {
        reports(&bob, &post.id, json!({ "category": "SPAM" })).await;
        world.advance(200).await;
        rules(&root, &post.id, json!({ "actions": ["hide", "warn"], "warning": "Stop it." })).await.ok();
    }
    let counts = root.get(path).await.ok().data().clone();
    let totals = ["decisions", "hiddenByJudge", "medianMinutes", "appealsUpheld"].map(|name| &counts[name]);
    assert_eq!(json!(totals), json!([2, 1, 5, 1]));
    let count = |list: &str, name: &str, value: &str| {
        let rows = counts[list].as_array().unwrap();
        rows.iter().find(|row| row[name] == value).unwrap()["count"].clone()
    };
    assert_eq!(count("byCategory", "category", "SPAM"), 2);
    assert_eq!(count("byAction", "action", "warn"), 2);
    assert_eq!(count("byAction", "action", "ban"), 0);
    assert_eq!(root.get(&format!("{path}?month=2020-01")).await.ok().data()["decisions"], 0);
    root.get(&format!("{path}?month=2020-13")).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_filtered_page_reads_at_most_500_cases() {
    let (world, root, []) = world_with_root(Role::Moderator, []).await;
    let app = world.app();
    let author = UserId::random_at(&app, app.now());
    let open = |_| {
        let (id, first): (CaseId, ReportId) = (app.ids.next(app.now()), app.ids.next(app.now()));
        let row = json!({
            "id": id, "targetType": "POST", "author": author, "evidencePost": id, "status": "PENDING",
            "reports": 1, "doubtfulReports": 0, "categories": ["SPAM"], "confidence": null,
            "firstReport": first, "openedAt": app.now(), "reportedAt": app.now(), "assignee": null,
            "isEscalated": false, "deletedAt": null, "outcome": null, "version": 0,
        });
        serde_json::from_value(row).unwrap()
    };
    let cases: Vec<Case> = (0..600).map(open).collect();
    app.table.batch_write(&cases, &[]).await.unwrap();
    let path = "/admin/cases?category=HATE&take=100";
    let page = root.get(path).await.ok();
    assert_eq!(page.rows().len(), 0);
    let rest = root.get(&format!("{path}&after={}", page.after().unwrap())).await.ok();
    assert_eq!((rest.rows().len(), rest.after()), (0, None));
}
