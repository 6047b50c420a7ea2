//! Parsers of external input return a value or an error for every text, and never panic.
//!
//! `make test` tests each parser with a few texts. `make parsers CASES=10000` tests each parser with 10,000 texts.

mod texts;

use domain::{
    ids::{CircleId, GroupId, MessageId, Position, PostId, UserId},
    jobs::{Chore, IndexJob, MediaJob, TimelineJob},
    people::users::{Email, Username},
    posts::likes::LikeJob,
    search::Terms,
};
use platform::{outbox::Outbox, time::Time};
use proptest::{
    prelude::*,
    test_runner::{RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};
use reqwest::Url;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tests::World;
use texts::{changed, text};

use crate::{
    auth::applications::program,
    matrix::{row::rows, scene::Scene},
    uploads,
};

/// Texts that the tests mutate. Each is valid for at least one parser.
const IDS: [&str; 5] = [
    "01KGB5T9G0A1B2C3D4E5F6G7H8",
    "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "00000000000000000000000000",
    "person",
    "1.1",
];
const JOBS: [&str; 10] = [
    r#"{"job":"fanOut","post":"01KDVDNA00ABCDEFGHJKMNPQRS","author":"01KDVDNA00ZZZZZZZZZZZZZZZ0"}"#,
    r#"{"job":"backFill","reader":"01KDVDNA00ZZZZZZZZZZZZZZZ0","author":"01KDVDNA00ABCDEFGHJKMNPQRS"}"#,
    r#"{"job":"markFollows","author":"01KDVDNA00ZZZZZZZZZZZZZZZ0","messages":7}"#,
    r#"{"job":"post","post":"01KDVDNA00ABCDEFGHJKMNPQRS"}"#,
    r#"{"job":"user","user":"01KDVDNA00ZZZZZZZZZZZZZZZ0"}"#,
    r#"{"job":"liftBans"}"#,
    r#"{"job":"sweepUploads","after":"01KDVDNA00ZZZZZZZZZZZZZZZ0","messages":7}"#,
    r#"{"job":"expire","upload":"01KDVDNA00ZZZZZZZZZZZZZZZ0"}"#,
    r#"{"job":"added","user":"01KDVDNA00ZZZZZZZZZZZZZZZ0","post":"01KDVDNA00ABCDEFGHJKMNPQRS","at":"2026-01-01T00:00:00.000Z"}"#,
    r#"{"job":"removed","user":"01KDVDNA00ZZZZZZZZZZZZZZZ0","post":"01KDVDNA00ABCDEFGHJKMNPQRS"}"#,
];
const OUTBOXES: [&str; 2] = [
    r#"{"id":"01KDVDNA00ZZZZZZZZZZZZZZZ0","send":[{"queue":"timeline","body":{"job":"fanOut"}}]}"#,
    r#"{"id":"01KDVDNA00ZZZZZZZZZZZZZZZ0","publish":[{"name":"Followed","detail":{"a":1}}],"raise":[{"pk":"a","sk":"b","name":"c"}],"again":"2"}"#,
];

#[test]
fn ids_and_names_survive_parsing_and_serializing() {
    for_each_text(&text(&IDS), |text| {
        let value = json!(text);
        round_trips::<PostId>(&value)?;
        round_trips::<CircleId>(&value)?;
        round_trips::<GroupId>(&value)?;
        round_trips::<MessageId>(&value)?;
        round_trips::<Position>(&value)?;
        round_trips::<UserId>(&value)?;
        round_trips::<Username>(&value)?;
        round_trips::<Email>(&value)?;
        round_trips::<Time>(&value)?;
        drop(serde_json::from_value::<Terms>(value));
        Ok(())
    });
}

#[test]
fn queue_messages_survive_parsing_and_serializing() {
    for_each_text(&text(&JOBS), |text| {
        let Ok(value) = serde_json::from_str::<Value>(&text) else { return Ok(()) };
        round_trips::<TimelineJob>(&value)?;
        round_trips::<IndexJob>(&value)?;
        round_trips::<MediaJob>(&value)?;
        round_trips::<Chore>(&value)?;
        round_trips::<LikeJob>(&value)
    });
}

#[test]
fn outbox_records_survive_parsing_and_serializing() {
    for_each_text(&text(&OUTBOXES), |text| {
        let Ok(outbox) = Outbox::read(&text) else { return Ok(()) };
        let written = serde_json::to_string(&outbox).unwrap();
        prop_assert_eq!(Outbox::read(&written).ok(), Some(outbox));
        Ok(())
    });
}

#[test]
fn a_malformed_template_does_not_panic() {
    let template = include_str!("../../template.yaml");
    for_each_text(&changed(vec![template.to_owned()]), |template| {
        drop(local::is_setting(Some(&template), "APP_URL"));
        Ok(())
    });
}

#[test]
fn a_malformed_cursor_causes_no_server_error() {
    let runtime = runtime();
    let (scene, lists) = runtime.block_on(lists());
    assert!(lists.len() > 15, "{lists:?}");
    for_each_text(&text(&IDS), |cursor| {
        runtime.block_on(async {
            for (user, path, parameter) in &lists {
                let url = Url::parse_with_params("http://x/", [(*parameter, &cursor)]).unwrap();
                let mark = if path.contains('?') { '&' } else { '?' };
                let path = format!("{path}{mark}{}", url.query().unwrap());
                let answer = scene.client(user).get(&path).await;
                // Searches beyond the rate limit return 429.
                prop_assert!([200, 400, 404, 429].contains(&answer.status), "{cursor:?}: {answer}");
            }
            Ok(())
        })
    });
}

#[test]
fn a_mutated_token_is_refused() {
    let runtime = runtime();
    let world = runtime.block_on(World::new());
    let ann = runtime.block_on(world.person("ann"));
    let bot = runtime.block_on(program(&ann, &["read"]));
    let valid = [ann.token().unwrap().to_owned(), ann.refresh_token.clone(), bot.token().unwrap().to_owned()];
    for_each_text(&changed(valid.to_vec()), |token| {
        if valid.contains(&token) || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(());
        }
        runtime.block_on(async {
            let answer = world.anyone.with_token(&token).get("/notification").await;
            prop_assert_eq!(answer.status, 401, "{}: {}", token, answer);
            let mut changed = ann.clone();
            changed.refresh_token = token;
            let answer = changed.with_refresh("/auth/refresh-token").await;
            prop_assert_eq!(answer.status, 401, "{}", answer);
            Ok(())
        })
    });
    runtime.block_on(ann.get("/auth/me")).ok();
    runtime.block_on(bot.get("/notification")).ok();
}

#[test]
fn a_malformed_webhook_body_causes_no_server_error() {
    let runtime = runtime();
    let world = runtime.block_on(World::builder().settings(&[("HLS_SECRET", uploads::SECRET)]).start());
    let ticket = runtime.block_on(async {
        let ann = world.person("ann").await;
        uploads::begins(&ann, "video/mp4", 5).await
    });
    let event = uploads::event("e1", "video.ready", &ticket, "ready").to_string();
    for_each_text(&text(&[&event]), |body| {
        runtime.block_on(async {
            let now = world.app().now().seconds();
            let signature = format!("t={now},v1={}", uploads::sign(uploads::SECRET, now, &body));
            let answer = uploads::sends_webhook(&world, Some(&signature), &body).await;
            prop_assert!([200, 400, 404].contains(&answer.status), "{body:?}: {answer}");
            let forged = uploads::sends_webhook(&world, Some(&signature), &format!("{body} ")).await;
            prop_assert_eq!(forged.status, 401, "{}", forged);
            Ok(())
        })
    });
}

/// Returns each list with a cursor: a permitted user, the path, and the name of the cursor parameter.
async fn lists() -> (Scene, Vec<(&'static str, String, &'static str)>) {
    let scene = Scene::new().await;
    let document = serde_json::to_value(documents::openapi::document()).unwrap();
    let mut lists = Vec::new();
    for row in rows().iter().filter(|row| row.operation.starts_with("GET ")) {
        let (_, path) = row.method_and_path();
        let parameters = document["paths"][path]["get"]["parameters"].as_array().cloned().unwrap_or_default();
        let named = |name: &str| parameters.iter().any(|parameter| parameter["name"] == name);
        let user = if path.starts_with("/admin/") { "super" } else { "owner" };
        for parameter in ["after", "cursor"].into_iter().filter(|name| named(name)) {
            lists.push((user, scene.fill(&row.path_with_names(path)).await, parameter));
        }
    }
    for kind in ["user", "hashtag"] {
        lists.push(("owner", format!("/search?q=a&type={kind}"), "after"));
    }
    (scene, lists)
}

/// If `value` is a valid `T`, checks that serializing and parsing the `T` returns the same `T`.
fn round_trips<T: DeserializeOwned + Serialize>(value: &Value) -> Result<(), TestCaseError> {
    let Ok(read) = serde_json::from_value::<T>(value.clone()) else { return Ok(()) };
    let written = serde_json::to_value(&read).unwrap();
    let again = serde_json::from_value::<T>(written.clone());
    let again = again.map_err(|error| TestCaseError::fail(format!("{written}: {error}")))?;
    prop_assert_eq!(serde_json::to_value(&again).unwrap(), written);
    Ok(())
}

/// Checks `CASES` texts (default 20). Panics with the shortest text that fails.
pub(crate) fn for_each_text(
    texts: &impl Strategy<Value = String>,
    check: impl Fn(String) -> Result<(), TestCaseError>,
) {
    let cases = std::env::var_os("CASES").and_then(|value| value.to_str()?.parse().ok()).unwrap_or(200);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let seeded = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    match TestRunner::new_with_rng(config, seeded).run(texts, check) {
        Ok(()) => {}
        Err(TestError::Fail(why, text)) => panic!("{text:?}: {why}"),
        Err(error) => panic!("{error}"),
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}
