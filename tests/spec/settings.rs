//! Unusable values of each setting in `infra/SETTINGS.md` prevent the start of the stack and of a function.

use std::collections::BTreeSet;

use futures::{StreamExt, stream};
use local::{Options, Stack};
use tests::World;

use crate::{
    auth::rotation::rotate,
    start::{HLS_KEY, Start, text},
    uploads::begins,
};

const SETTINGS: &str = include_str!("../../infra/SETTINGS.md");
const SHORT: &str = "a secret that is too short";
/// 40 spaces.
const BLANK: &str = "                                        ";
/// Maximum number of processes at once.
const CONCURRENCY: usize = 4;
/// Settings of the gateway. Functions do not read them.
const OF_GATEWAY: [&str; 3] = ["CORS_ORIGINS", "GATEWAY_BURST", "GATEWAY_RATE"];

/// Settings with unusable values. The test also tries a value that is too long for each setting.
const UNUSABLE: &[(&str, &[&str])] = &[
    ("PROPOSED_FEATURES", &["", "true"]),
    ("ENFORCE_VISIBILITY", &["", "ON"]),
    ("AUTH_LIMIT_PER_5_MIN", &["", "0", "100000001"]),
    ("AUTH_ADDRESS_LIMIT_PER_5_MIN", &["", "many", "1.5"]),
    ("WRITE_LIMIT_PER_5_MIN", &["", "-1", "[]"]),
    ("READ_LIMIT_PER_5_MIN", &["", "0", "null"]),
    ("REGISTER_LIMIT_PER_HOUR", &["", "true", "20/h"]),
    ("POST_LIMIT_PER_5_MIN", &["", "0", "\"5\""]),
    ("POST_LIMIT_PER_DAY", &["", "0", "{}"]),
    ("HIDE_LIMIT_PER_HOUR", &["", "0", "ten"]),
    ("HIDE_LIMIT_PER_DAY", &["", "0", " "]),
    ("PREVIEW_LIMIT_PER_HOUR", &["", "0", "x"]),
    ("GATEWAY_RATE", &["", "0", "fast", "null", "-5"]),
    ("GATEWAY_BURST", &["", "0", "[1]", "1e30"]),
    ("FEED_SHARDS", &["", "0", "65", "1.5"]),
    ("FANOUT_MAX_FOLLOWERS", &["", "0", "5k"]),
    ("FANOUT_PAGE_SIZE", &["", "0", "1001"]),
    ("NOTIFICATION_KEYS_PER_RUN", &["", "0", "101"]),
    ("ACCESS_TOKEN_MINUTES", &["", "0", "15m"]),
    ("REFRESH_TOKEN_DAYS", &["", "0", "3651"]),
    ("ADMIN_SECOND_FACTOR", &["", "on"]),
    ("JWT_SECRET", &[SHORT, "arn:short", BLANK]),
    ("JWT_SECRET_PREVIOUS", &[BLANK, SHORT, " "]),
    ("HLS_SECRET", &[BLANK, SHORT, "é"]),
    ("HLS_SIGNATURE_HEADER", &["content-length", "", "x hls", "x:hls", "Host", "Transfer-Encoding"]),
    ("INTERNAL_SECRET", &[SHORT, "x", BLANK]),
    ("OUTBOUND_SECRET", &[SHORT, "x", BLANK]),
    ("ORIGIN_SECRET", &[SHORT, "a secret of more than 32 bytes with an é", BLANK]),
    ("LOG_ADDRESSES", &["", "all"]),
    (
        "PUSHER_HOST",
        &["h:", "h:0", "h:99999", "a b", "ftp://example.com", "example.com/path", "example.com?query"],
    ),
    ("PUSHER_APP_ID", &["a b", "a/b"]),
    ("PUSHER_KEY", &["a b", "a&b"]),
    ("PUSHER_SECRET", &["a b", "é"]),
    (
        "JUDGE",
        &[
            "https://example.com/v1",
            "",
            "gpt",
            "http://example.com/v1#m",
            "https://example.com/v1#",
            "bedrock:",
        ],
    ),
    ("JUDGE_API_KEY", &[" ", "two\nlines", "é", " key"]),
    ("JUDGE_CALLS_PER_DAY", &["", "0", "1e4"]),
    ("INNER_ADDRESSES", &["", "on"]),
    ("MAIL_FROM", &["", "ann", "Ann <ann@a b>"]),
    ("APP_URL", &["https://example.com:", "", "app", "javascript:alert(1)", "https://example.com?a=b"]),
    ("MAIL_EVENTS", &["", "my events", "a.b"]),
    (
        "PASSKEY_ORIGINS",
        &[
            "example.com",
            "http://example.com",
            "https://example.com/,",
            "https://elsewhere.example",
            "android:apk-key-hash:x",
        ],
    ),
    (
        "FILES_URL",
        &["files", "ftp://example.com", "https://ann:secret@example.com", "https://example.com/a b"],
    ),
    ("API_URL", &["api", " https://example.com", "https://example.com#a"]),
    (
        "CORS_ORIGINS",
        &[
            "example.com",
            "https://example.com/",
            "*,https://a.example",
            "https://a.example, ",
            "https://x:99999",
            "https://x:0",
            "https://x:",
            "https://.",
            "https://A.example",
        ],
    ),
];

/// Unusable values of template parameters that are not variables of functions.
const UNUSABLE_PARAMETERS: &[(&str, &[&str])] = &[
    ("GRADUAL_DEPLOYMENT", &["", "yes"]),
    ("RESERVED_FOR_AUTH", &["", "-1"]),
    ("RESERVED_FOR_NOTIFICATION_GROUPING", &["", "many"]),
    ("RESERVED_FOR_RELAY", &["", "null"]),
    ("ACCOUNT_CONCURRENCY", &["", "9"]),
    ("TABLE_MAX_READS", &["", "0"]),
    ("TABLE_MAX_WRITES", &["", "0"]),
    ("FRONT_ENABLED", &["", "yes"]),
    ("FRONT_DOMAIN", &["https://example.com", "Example.com", "a b.example"]),
    ("FRONT_CERTIFICATE", &["certificate", "arn:a b"]),
    ("FRONT_ONLY", &["", "yes"]),
    ("DESK", &["", "yes"]),
    ("FRONT_SECRET_VERSION", &["a b"]),
    ("FRONT_WEB_ACL", &["acl", "arn:a b"]),
    ("FRONT_LIMIT_PER_5_MIN", &["", "9"]),
    ("MAIL_IDENTITY", &["", "a b"]),
    ("ALARM_EMAIL", &["ann", "ann@a b"]),
    ("LOG_RETENTION_DAYS", &["", "2"]),
    ("LATE_SECONDS", &["", "59"]),
    ("SERVER_ERRORS_PERCENT", &["", "101"]),
    ("CLIENT_ERRORS_PERCENT", &["", "-1"]),
    ("CANARY_SECRET", &["secret", "arn:a b"]),
    ("NO_REQUESTS_MINUTES", &["", "1441"]),
    ("SLOW_MILLIS", &["", "0"]),
    ("MONTHLY_BUDGET", &["", "-1"]),
    ("BACKUP_VAULT", &["vault"]),
    ("RESTORED_TABLE", &["a table", "ab"]),
    ("RESTORED_STREAM", &["stream"]),
    ("NAME_HOT_KEYS", &["", "yes"]),
    ("TABLE_KEY", &["key", "arn:"]),
    ("TRACING", &["", "active"]),
];

#[test]
fn every_documented_setting_has_unusable_values() {
    let tried = UNUSABLE.iter().map(|(name, _)| (*name).to_owned());
    let tried = tried.chain(UNUSABLE_PARAMETERS.iter().map(|(name, _)| camel(name)));
    assert_eq!(tried.collect::<BTreeSet<_>>(), documented());
}

#[tokio::test]
async fn an_unusable_setting_prevents_the_start_of_the_stack() {
    let long = "1".repeat(5_000);
    for (name, values) in [UNUSABLE, UNUSABLE_PARAMETERS].concat() {
        for value in values.iter().copied().chain([long.as_str()]) {
            let variables = [(name.to_owned(), value.to_owned())].into();
            let refused = Stack::start(Options { variables, ..Options::default() }).await.err();
            let refused = refused.map(|error| format!("{error:#}")).unwrap_or_default();
            assert!(refused.starts_with(&format!("{name} must ")), "{name}={value:?}: {refused:?}");
            assert!(!refused.contains(SHORT), "{refused}");
        }
    }
}

#[tokio::test]
async fn an_unusable_address_of_functions_prevents_the_start_of_the_stack() {
    for runtime in [
        "",
        "functions",
        "127.0.0.1:9001",
        "ftp://127.0.0.1:9001",
        "http://127.0.0.1:",
        "http://127.0.0.1:9001?a",
    ] {
        let options = Options { runtime: Some(runtime.to_owned()), ..Options::default() };
        let refused = Stack::start(options).await.err().map(|error| format!("{error:#}")).unwrap_or_default();
        assert!(refused.contains("--runtime must be an http or https URL"), "{runtime:?}: {refused:?}");
    }
}

#[tokio::test]
async fn an_unusable_setting_prevents_the_start_of_a_function() {
    let world = World::new().await;
    let settings = UNUSABLE.iter().filter(|(name, _)| !OF_GATEWAY.contains(name));
    let starts = settings.map(async |(name, values)| {
        let start = Start::with(&world, vec![(*name, values[0])]);
        let started = start.run(&format!("unusable-{name}")).await;
        let output = text(&started);
        assert!(!started.status.success() && output.contains(&format!("{name} must ")), "{name}: {output}");
        assert!(!output.contains(SHORT), "{output}");
    });
    stream::iter(starts).buffered(CONCURRENCY).collect::<()>().await;
}

#[tokio::test]
async fn an_unusable_stored_secret_prevents_the_start_of_a_function() {
    let world = World::new().await;
    rotate(&world, "hls-key", "a key\nof two lines").await;
    let start = Start::with(&world, vec![("JUDGE_API_KEY", HLS_KEY)]);
    let started = start.run("unusable-key").await;
    let output = text(&started);
    assert!(!started.status.success(), "{output}");
    assert!(output.contains("JUDGE_API_KEY must be ASCII without line breaks"), "{output}");
}

#[tokio::test]
async fn settings_without_a_parameter_reach_the_functions() {
    let files = "https://files.example.com/";
    let world = World::builder().settings(&[("FILES_URL", files)]).start().await;
    let ann = world.person("ann").await;
    let ticket = begins(&ann, "image/png", 1).await;
    let url = ticket["url"].as_str().unwrap();
    assert!(url.starts_with("https://files.example.com/uploads/"), "{url}");
}

/// Returns the names in the first column of the tables: variables, and parameters in UpperCamelCase.
fn documented() -> BTreeSet<String> {
    let cells = SETTINGS.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let names = cells.flat_map(|cell| cell.split('`').step_by(2).collect::<Vec<_>>());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn camel(variable: &str) -> String {
    let word = |word: &str| word[..1].to_owned() + &word[1..].to_lowercase();
    variable.split('_').map(word).collect()
}
