//! Cases: all reports of one user or post, and the decision about them.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Answer, Fault, Person, Post, World};

use super::{HARMFUL, appeals::appeals, decisions, notices, reports};
use crate::{
    admin::administrator,
    auth::second_factor::lost::later,
    circles::{
        creates_circle,
        posts::{id, writes_in},
    },
    deletion::runs_deletions,
    notifications::ticks,
    routes::UNKNOWN_ID,
};

const MONTH_SECONDS: u64 = 30 * 24 * 60 * 60;

/// Decides a case, with a reason and the given fields.
pub(super) async fn rules(root: &Person, case: &str, fields: Value) -> Answer {
    let mut body = json!({ "reason": "It breaks a rule." });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    root.post(&format!("/admin/cases/{case}/decisions"), body).await
}

async fn undoes(root: &Person, case: &str) -> Answer {
    root.post(&format!("/admin/cases/{case}/undo"), json!({})).await
}

async fn case(root: &Person, id: &str) -> Value {
    root.get(&format!("/admin/cases/{id}")).await.ok().data().clone()
}

async fn ids(root: &Person, query: &str) -> Vec<Value> {
    root.get(&format!("/admin/cases?{query}")).await.ok().column("id")
}

#[tokio::test]
async fn reports_of_a_post_form_a_case() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let [post, other] = [ann.writes("buy now").await, ann.writes("hello").await];
    let report = reports(&bob, &post.id, json!({ "category": "SPAM" })).await;
    world.advance(1).await;
    reports(&cleo, &post.id, json!({ "category": "HATE" })).await;
    reports(&cleo, &post.id, json!({ "category": "HATE" })).await;
    world.advance(1).await;
    reports(&cleo, &other.id, json!({})).await;
    reports(&bob, &other.id, json!({ "type": "user" })).await;
    world.settle().await;
    let page = root.get("/admin/cases").await.ok();
    assert_eq!(page.column("id"), [json!(post.id), json!(other.id), json!(ann.public_id)]);
    let row = &page.rows()[0];
    assert_eq!((&row["reportsCount"], &row["status"]), (&json!(3), &json!("PENDING")));
    assert_eq!(row["categories"], json!(["SPAM", "HATE"]));
    assert_eq!(row["author"]["username"], "ann");
    assert_eq!(row["reportedContent"]["content"], "buy now");
    assert!(row["confidence"].as_f64().is_some_and(|confidence| confidence < 0.96), "{row}");
    let report = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok().rows()[2].clone()["id"]
        == json!(report.rsplit('/').next().unwrap());
    assert!(report, "the first report is the last row");
    assert_eq!(root.get("/admin/reports").await.ok().rows()[0]["caseId"], json!(ann.public_id));
    ann.patch(&post.path(""), json!({ "content": "hello again" })).await.ok();
    let detail = case(&root, &post.id).await;
    assert_eq!(detail["reportedContent"]["content"], "buy now");
    assert_eq!(detail["post"]["content"], "hello again");
    assert_eq!(detail["reports"].as_array().map(Vec::len), Some(3));
    assert_eq!((&detail["account"]["status"], &detail["earlierDecisions"]), (&json!("ACTIVE"), &json!([])));
    root.get(&format!("/admin/cases/{UNKNOWN_ID}")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn cases_are_sorted_and_filtered() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
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
        let [mut found, mut after] = [Vec::new(), vec![String::new()]];
        while let Some(cursor) = after.pop() {
            let page = root.get(&format!("/admin/cases?sort={sort}&take=1{cursor}")).await.ok();
            found.extend(page.column("id").iter().map(ToString::to_string));
            after.extend(page.after().map(|after| format!("&after={}", after.replace('#', "%23"))));
        }
        let all = ids(&root, &format!("sort={sort}")).await;
        assert_eq!(found, all.iter().map(ToString::to_string).collect::<Vec<_>>(), "{sort}");
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
async fn a_decision_settles_the_reports_of_the_case() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let post = ann.writes("buy now").await;
    for reporter in [&bob, &cleo, &cleo] {
        reports(reporter, &post.id, json!({})).await;
    }
    world.settle().await;
    let decided =
        rules(&root, &post.id, json!({ "actions": ["hide", "warn"], "warning": "Stop it." })).await.ok();
    assert_eq!(
        (&decided.data()["status"], &decided.data()["outcome"]["actions"]),
        (&json!("HIDDEN"), &json!(["hide", "warn"]))
    );
    rules(&root, &post.id, json!({ "actions": ["hide", "warn"], "warning": "Stop it." })).await.ok();
    ticks(&world).await;
    let all = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok();
    assert_eq!(all.column("status"), ["HIDDEN"; 3]);
    assert_eq!(notices(&bob).await.len(), 1);
    assert_eq!(notices(&cleo).await.len(), 2, "one for each report");
    let row = &decisions(&ann).await[0];
    assert_eq!((&row["measure"], &row["warning"]), (&json!("HIDDEN"), &json!("Stop it.")));
    assert_eq!(root.get("/admin/stats").await.status, 403, "a moderator reads no statistics");
    assert_eq!(
        case(&root, &post.id).await["history"].as_array().map(Vec::len),
        Some(1),
        "a repetition is no change"
    );
}

#[tokio::test]
async fn a_later_decision_changes_all_reports_of_the_case() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let post = ann.writes("buy now").await;
    let first = reports(&bob, &post.id, json!({})).await;
    let second = reports(&cleo, &post.id, json!({})).await;
    root.patch(&first, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    world.advance(1).await;
    root.patch(&second, json!({ "action": "dismiss" })).await.ok();
    world.settle().await;
    assert_eq!(root.get("/admin/reports").await.ok().column("status"), ["DISMISSED"; 2]);
    assert_eq!(bob.sees(&post).await["isHidden"], false);
}

#[tokio::test]
async fn an_undo_restores_a_deleted_post_with_its_counts() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let parent = bob.writes("first").await;
    let post = ann.writes("unique words").await;
    let reply = ann.replies(&parent, "a reply").await;
    let quote = ann.quotes(&parent, "a quote").await;
    let repost = ann.reposts(&parent).await;
    world.settle().await;
    let view = async || {
        let mut seen = Vec::new();
        for path in [
            "/posts/news-feed",
            "/search?q=unique",
            &parent.path("/replies"),
            &parent.path("/quotes"),
            "/user/ann/posts",
        ] {
            seen.push(json!(bob.get(path).await.ok().column("publicId")));
        }
        let counts = bob.sees(&parent).await;
        let names = ["repliesCount", "quotesCount", "repostsCount"];
        (seen, names.map(|name| counts[name].clone()), ann.sees(&parent).await["isReposted"].clone())
    };
    let before = view().await;
    for target in [&post.id, &reply.id, &quote.id, &repost.id] {
        reports(&bob, target, json!({})).await;
        world.faults.next("TransactWriteItems", Fault::CrashAfter);
        rules(&root, target, json!({ "actions": ["delete"] })).await;
        world.faults.calm();
        rules(&root, target, json!({ "actions": ["delete"] })).await.ok();
        bob.get(&format!("/posts/{target}")).await.refused(404, "NOT_FOUND");
    }
    world.settle().await;
    let deleted = view().await;
    assert_eq!(deleted.1, [json!(0), json!(0), json!(0)]);
    assert_ne!(before.0, deleted.0);
    world.advance(1).await;
    for target in [&post.id, &reply.id, &quote.id, &repost.id] {
        assert_eq!(undoes(&root, target).await.ok().data()["status"], "PENDING");
        undoes(&root, target).await.refused(400, "VALIDATION_FAILED");
    }
    world.settle().await;
    assert_eq!(view().await, before);
    assert_eq!(root.get("/admin/reports").await.ok().column("status"), ["PENDING"; 4]);
    let row = &decisions(&ann).await[0];
    assert_eq!(row["restoredAt"], json!(world.app().now()));
}

#[tokio::test]
async fn an_undo_keeps_a_post_that_its_author_deleted() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    reports(&bob, &post.id, json!({})).await;
    rules(&root, &post.id, json!({ "actions": ["hide"] })).await.ok();
    world.advance(1).await;
    ann.deletes(&post).await;
    undoes(&root, &post.id).await.ok();
    bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
    let decided =
        rules(&root, &post.id, json!({ "actions": ["delete", "warn"], "warning": "Stop it." })).await.ok();
    assert_eq!(decided.data()["outcome"]["actions"], json!(["warn"]), "the post was already deleted");
}

#[tokio::test]
async fn a_post_can_be_labeled_and_locked() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("a wound").await;
    reports(&bob, &post.id, json!({})).await;
    rules(&root, &post.id, json!({ "actions": ["sensitive", "lock-replies"] })).await.ok();
    let seen = bob.sees(&post).await;
    assert_eq!((&seen["sensitive"], &seen["replyPermission"]), (&json!(true), &json!("NOBODY")));
    bob.post(&post.path("/reply"), json!({ "content": "ouch" })).await.refused(403, "FORBIDDEN");
    assert_eq!(decisions(&ann).await[0]["measure"], "REPLIES_LOCKED");
    assert_eq!(root.get("/admin/cases?status=RESOLVED").await.ok().column("id"), [json!(post.id)]);
    undoes(&root, &post.id).await.ok();
    let seen = bob.sees(&post).await;
    assert_eq!((&seen["sensitive"], &seen["replyPermission"]), (&json!(false), &json!("EVERYONE")));
    let circle = creates_circle(&ann, "Night readers").await;
    let inside = id(&writes_in(&ann, &circle, "hello").await.ok());
    reports(&bob, &inside, json!({})).await;
    rules(&root, &inside, json!({ "actions": ["sensitive"] })).await.refused(400, "VALIDATION_FAILED");
    rules(&root, &inside, json!({ "actions": ["delete"] })).await.ok();
    world.advance(1).await;
    undoes(&root, &inside).await.ok();
    ann.get(&format!("/posts/{inside}")).await.ok();
}

#[tokio::test]
async fn a_ban_needs_an_administrator_and_can_be_undone() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let [first, second] = [ann.writes("one").await, ann.writes("two").await];
    for post in [&first, &second] {
        reports(&bob, &post.id, json!({})).await;
    }
    let ban = json!({ "actions": ["delete", "ban"] });
    rules(&moderator, &first.id, ban.clone()).await.refused(403, "FORBIDDEN");
    rules(&root, &first.id, ban).await.ok();
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    world.settle().await;
    let other = case(&root, &second.id).await;
    assert_eq!((&other["status"], &other["outcome"]["actions"]), (&json!("RESOLVED"), &json!(["ban"])));
    undoes(&moderator, &first.id).await.refused(403, "FORBIDDEN");
    undoes(&root, &first.id).await.ok();
    let ann = ann.signs_in().await;
    ann.get("/auth/me").await.ok();
    bob.sees(&first).await;
    let audit = root.get(&format!("/admin/audit?target={}", ann.public_id)).await.ok();
    assert_eq!(audit.column("action"), ["UNLOCK_USER", "BAN_USER"]);
}

#[tokio::test]
async fn impossible_decisions_name_the_field() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({})).await;
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    for (target, fields, field) in [
        (&post.id, json!({ "actions": [] }), "actions"),
        (&post.id, json!({ "actions": ["hide", "delete"] }), "actions"),
        (&post.id, json!({ "actions": ["dismiss", "warn"], "warning": "x" }), "actions"),
        (&post.id, json!({ "actions": ["ban", "temp-ban"] }), "actions"),
        (&post.id, json!({ "actions": ["hide", "hide"] }), "actions"),
        (&post.id, json!({ "actions": ["warn"] }), "warning"),
        (&post.id, json!({ "actions": ["hide"], "warning": "x" }), "warning"),
        (&post.id, json!({ "actions": ["ban"], "bannedUntil": "2030-01-01T00:00:00.000Z" }), "bannedUntil"),
        (
            &post.id,
            json!({ "actions": ["temp-ban"], "bannedUntil": "2020-01-01T00:00:00.000Z" }),
            "bannedUntil",
        ),
        (&post.id, json!({ "actions": ["hide"], "reason": "" }), "reason"),
        (&ann.public_id, json!({ "actions": ["hide"] }), "actions"),
    ] {
        rules(&root, target, fields).await.invalid(field);
    }
    assert_eq!(ids(&root, "").await.len(), 2, "nothing was decided");
    rules(&root, &ann.public_id, json!({ "actions": ["warn"], "warning": "Be kind." })).await.ok();
    assert_eq!(decisions(&ann).await[0]["id"], json!(ann.public_id));
}

#[tokio::test]
async fn parallel_decisions_do_not_contradict() {
    let world = World::new().await;
    let [root, boss] =
        [administrator(&world, "root", Role::Admin).await, administrator(&world, "boss", Role::Admin).await];
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    for round in 0..4 {
        let post: Post = ann.writes(&format!("post {round}")).await;
        for reporter in [&bob, &cleo] {
            reports(reporter, &post.id, json!({})).await;
        }
        let both = futures::join!(
            rules(&root, &post.id, json!({ "actions": ["delete"] })),
            rules(&boss, &post.id, json!({ "actions": ["dismiss"] })),
        );
        assert_eq!([both.0.status, both.1.status], [200, 200]);
        world.settle().await;
        let status = case(&root, &post.id).await["status"].clone();
        let reports = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok().column("status");
        assert_eq!(reports, [status.clone(), status.clone()]);
        let expected = if status == "DELETED" { 404 } else { 200 };
        assert_eq!(bob.get(&post.path("")).await.status, expected, "{status}");
        world.advance(1).await;
    }
}

#[tokio::test]
async fn a_new_report_opens_a_decided_case_again() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({})).await;
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    world.advance(1).await;
    reports(&cleo, &post.id, json!({})).await;
    world.settle().await;
    let row = root.get("/admin/cases").await.ok().rows()[0].clone();
    assert_eq!((&row["reportsCount"], &row["outcome"]), (&json!(1), &Value::Null));
    let all = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok();
    assert_eq!(all.column("status"), ["PENDING", "DISMISSED"]);
    undoes(&root, &post.id).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn evidence_is_erased_30_days_after_the_decision() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    reports(&bob, &post.id, json!({})).await;
    rules(&root, &post.id, json!({ "actions": ["delete"] })).await.ok();
    later(&world, MONTH_SECONDS - 60).await;
    let root = root.signs_in().await;
    assert_eq!(case(&root, &post.id).await["reportedContent"]["content"], "buy now");
    let views = root.get("/admin/audit?action=VIEW_EVIDENCE").await.ok();
    assert_eq!(views.column("targetId"), [json!(post.id)]);
    later(&world, 120).await;
    assert_eq!(case(&root, &post.id).await["reportedContent"], Value::Null);
}

#[tokio::test]
async fn account_deletion_removes_the_author_from_cases() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let [open, closed] = [ann.writes("one").await, ann.writes("two").await];
    for post in [&open, &closed] {
        reports(&bob, &post.id, json!({})).await;
    }
    rules(&root, &closed.id, json!({ "actions": ["hide"] })).await.ok();
    ann.leaves().await.ok();
    runs_deletions(&world).await;
    let root = root.signs_in().await;
    let [open, closed] = [case(&root, &open.id).await, case(&root, &closed.id).await];
    assert_eq!((&open["author"], &open["reportedContent"]["content"]), (&Value::Null, &json!("one")));
    assert_eq!((&closed["author"], &closed["reportedContent"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn moderators_share_the_work_on_cases() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({})).await;
    let path = |action: &str| format!("/admin/cases/{}/{action}", post.id);
    moderator.post(&path("assign"), json!({})).await.ok();
    assert_eq!(ids(&root, "assignee=mod").await, [json!(post.id)]);
    moderator.post(&path("assign"), json!({ "assignee": "root" })).await.ok();
    assert_eq!(ids(&root, "assignee=mod").await, Vec::<Value>::new());
    moderator.post(&path("assign"), json!({ "assignee": "bob" })).await.refused(400, "VALIDATION_FAILED");
    moderator.post(&path("notes"), json!({ "text": "Ask Ann." })).await.ok();
    moderator.post(&path("escalate"), json!({})).await.ok();
    rules(&moderator, &post.id, json!({ "actions": ["dismiss"] })).await.refused(403, "FORBIDDEN");
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    let history = case(&root, &post.id).await["history"].clone();
    let kinds: Vec<_> = history.as_array().unwrap().iter().map(|event| event["kind"].clone()).collect();
    assert_eq!(kinds, ["DECIDED", "ESCALATED", "NOTED", "ASSIGNED", "ASSIGNED"]);
    assert_eq!(
        root.post(&path("assign"), json!({ "assignee": null })).await.ok().data()["assignee"],
        Value::Null
    );
}

#[tokio::test]
async fn a_reporter_cannot_decide_the_case() {
    let world = World::new().await;
    let [root, boss] =
        [administrator(&world, "root", Role::Admin).await, administrator(&world, "boss", Role::Admin).await];
    let bob = world.person("bob").await;
    let [post, own] = [bob.writes("hello").await, root.writes("mine").await];
    reports(&root, &post.id, json!({})).await;
    reports(&bob, &own.id, json!({})).await;
    for target in [&post.id, &own.id] {
        rules(&root, target, json!({ "actions": ["dismiss"] })).await.refused(403, "FORBIDDEN");
        rules(&boss, target, json!({ "actions": ["dismiss"] })).await.ok();
    }
}

#[tokio::test]
async fn many_cases_are_decided_at_once() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let mut cases = Vec::new();
    for text in ["one", "two"] {
        let post = ann.writes(text).await;
        reports(&bob, &post.id, json!({})).await;
        cases.push(post.id);
    }
    let own = root.writes("mine").await;
    reports(&bob, &own.id, json!({})).await;
    cases.extend([own.id, UNKNOWN_ID.to_owned()]);
    let body = json!({ "cases": cases, "actions": ["hide"], "reason": "Spam" });
    let results = root.post("/admin/cases/decisions", body.clone()).await.ok();
    let results = results.data().as_array().unwrap().clone();
    let statuses: Vec<_> = results.iter().map(|result| result["status"].clone()).collect();
    assert_eq!(statuses, [json!("HIDDEN"), json!("HIDDEN"), Value::Null, Value::Null]);
    assert!(results[2]["error"].as_str().is_some_and(|error| error.contains("yourself")), "{results:?}");
    assert_eq!(results[3]["error"], "no such case");
    for cases in [json!([]), json!(vec![UNKNOWN_ID; 101])] {
        let body = json!({ "cases": cases, "actions": ["hide"], "reason": "Spam" });
        root.post("/admin/cases/decisions", body).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn a_granted_appeal_dismisses_the_case() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    let appeal = appeals(&ann, &post.id).await.ok();
    super::appeals::decides(&root, &appeal, "grant").await.ok();
    world.settle().await;
    assert_eq!(case(&root, &post.id).await["status"], "DISMISSED");
}

#[tokio::test]
async fn moderation_is_counted_by_month() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let path = "/admin/statistics/moderation";
    assert_eq!(root.get(path).await.ok().data()["medianMinutes"], Value::Null);
    let [harmful, spam, other] =
        [ann.writes(HARMFUL).await, ann.writes("buy").await, ann.writes("hello").await];
    reports(&bob, &harmful.id, json!({ "category": "VIOLENCE" })).await;
    world.settle().await;
    let appeal = appeals(&ann, &harmful.id).await.ok();
    super::appeals::decides(&root, &appeal, "uphold").await.ok();
    for post in [&spam, &other] {
        reports(&bob, &post.id, json!({ "category": "SPAM" })).await;
        world.advance(200).await;
        rules(&root, &post.id, json!({ "actions": ["hide", "warn"], "warning": "Stop it." })).await.ok();
    }
    let counts = root.get(path).await.ok().data().clone();
    assert_eq!((&counts["decisions"], &counts["hiddenByJudge"]), (&json!(2), &json!(1)));
    assert_eq!((&counts["medianMinutes"], &counts["appealsUpheld"]), (&json!(5), &json!(1)));
    let count = |list: &str, name: &str, value: &str| {
        let rows = counts[list].as_array().unwrap();
        rows.iter().find(|row| row[name] == value).unwrap()["count"].clone()
    };
    assert_eq!(count("byCategory", "category", "SPAM"), 2);
    assert_eq!(
        [count("byAction", "action", "warn"), count("byAction", "action", "ban")],
        [json!(2), json!(0)]
    );
    assert_eq!(root.get(&format!("{path}?month=2020-01")).await.ok().data()["decisions"], 0);
    root.get(&format!("{path}?month=2020-13")).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_banned_user_can_appeal() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let ann = world.person("ann").await;
    let ban = json!({ "reason": "Spam", "bannedUntil": "2030-01-31T09:30:00.000Z" });
    root.patch(&format!("/admin/users/{}/ban", ann.id), ban).await.ok();
    let body = json!({ "identifier": "ann", "password": tests::PASSWORD });
    let wrong = json!({ "identifier": "ann", "password": "wrong password" });
    world.anyone.post("/auth/login", wrong).await.refused(401, "UNAUTHORIZED");
    let refused = world.anyone.post("/auth/login", body.clone()).await;
    let message = refused.refused(403, "FORBIDDEN").to_owned();
    for part in ["2030-01-31T09:30:00.000Z", "Spam", &ann.public_id] {
        assert!(message.contains(part), "{part} in {message}");
    }
    let token = refused.header("x-appeal-token").unwrap().to_owned();
    let banned = world.anyone.with_token(&token);
    let decisions = banned.get("/me/moderation").await.ok();
    let row = &decisions.rows()[0];
    assert_eq!(json!([row["id"], row["measure"], row["reason"]]), json!([ann.public_id, "BANNED", "Spam"]));
    for path in ["/auth/me", "/posts/news-feed?type=FOLLOWING", "/me/reports"] {
        banned.get(path).await.refused(401, "UNAUTHORIZED");
    }
    let path = format!("/me/moderation/{}/appeal", ann.public_id);
    let appeal = banned.post(&path, json!({ "text": "It was not me." })).await.ok();
    banned.post(&path, json!({ "text": "Once more." })).await.invalid("you can only appeal once");
    assert_eq!(banned.get("/me/moderation").await.ok().rows()[0]["appeal"]["status"], "PENDING");
    let path = format!("/admin/appeals/{}", appeal.data()["id"].as_str().unwrap());
    moderator.patch(&path, json!({ "action": "grant" })).await.refused(403, "FORBIDDEN");
    root.patch(&path, json!({ "action": "grant" })).await.ok();
    let ann = ann.signs_in().await;
    assert!(ann.get("/me/moderation").await.ok().rows()[0]["restoredAt"].is_string());
    world.advance(15 * 60 + 1).await;
    banned.get("/me/moderation").await.refused(401, "UNAUTHORIZED");
}
