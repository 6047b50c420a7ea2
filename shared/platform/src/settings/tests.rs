use super::*;

/// 40 spaces.
const BLANK: &str = "                                        ";

#[test]
fn the_error_names_an_invalid_setting() {
    let (short, long) = ("a secret that is too short", "1".repeat(5_000));
    let long = long.as_str();
    for (name, values) in [
        ("TABLE_NAME", ["ab", "a table", ""]),
        ("EVENT_BUS_NAME", ["a bus", "bús", ""]),
        ("UPLOAD_BUCKET", ["a_bucket", "s3://bucket", ""]),
        ("DELETIONS_BUCKET", ["a_bucket", "s3://bucket", ""]),
        ("LIKED_ADD_QUEUE_URL", ["arn:aws:sqs:eu-west-1:1:liked-add", "https://", ""]),
        ("OUTBOUND_QUEUE_URL", ["outbound", "sqs:outbound", "//example.com/outbound"]),
        ("DEAD_LETTERS_URLS", ["https://example.com/a", "a b", "https://example.com/a b"]),
        ("PROPOSED_FEATURES", ["On", "true", ""]),
        ("ENFORCE_VISIBILITY", ["yes", "ON", ""]),
        ("AUTH_LIMIT_PER_5_MIN", ["0", "-1", "100000001"]),
        ("AUTH_ADDRESS_LIMIT_PER_5_MIN", ["0", "1.5", "many"]),
        ("WRITE_LIMIT_PER_5_MIN", ["0", "", " 5"]),
        ("READ_LIMIT_PER_5_MIN", ["0", "-3", "all"]),
        ("REGISTER_LIMIT_PER_HOUR", ["0", "-1", "20/h"]),
        ("POST_LIMIT_PER_5_MIN", ["0", "-1", "1e3"]),
        ("POST_LIMIT_PER_DAY", ["0", "100000001", "x"]),
        ("HIDE_LIMIT_PER_HOUR", ["0", "-1", "ten"]),
        ("HIDE_LIMIT_PER_DAY", ["0", "-1", "0.5"]),
        ("PREVIEW_LIMIT_PER_HOUR", ["0", "-1", "many"]),
        ("JUDGE_CALLS_PER_DAY", ["0", "-1", "1e4"]),
        ("FEED_SHARDS", ["0", "65", "256"]),
        ("FANOUT_MAX_FOLLOWERS", ["0", "-5", ""]),
        ("FANOUT_PAGE_SIZE", ["0", "1001", "x"]),
        ("NOTIFICATION_KEYS_PER_RUN", ["0", "101", "x"]),
        ("ACCESS_TOKEN_MINUTES", ["0", "525601", "15m"]),
        ("REFRESH_TOKEN_DAYS", ["0", "3651", "30d"]),
        ("ADMIN_SECOND_FACTOR", ["on", "Required", ""]),
        ("JWT_SECRET", [short, "x", BLANK]),
        ("JWT_SECRET_PREVIOUS", [short, BLANK, " "]),
        ("JUDGE", ["bedrock:a model", "https://example.com/v1", ""]),
        ("JUDGE_API_KEY", ["a\nkey", "kéy", " key"]),
        ("HLS_SECRET", [short, BLANK, ""]),
        ("HLS_SIGNATURE_HEADER", ["x hls", "content-length", "Host"]),
        ("INTERNAL_SECRET", [short, BLANK, ""]),
        ("OUTBOUND_SECRET", [short, BLANK, ""]),
        ("ORIGIN_SECRET", [short, BLANK, "a secret with a\nline break, 32 bytes"]),
        ("CANARY_SECRET", [" ", "\t", BLANK]),
        ("FILES_URL", ["files", "https://ann:secret@example.com", "https://example.com?a=b"]),
        ("API_URL", ["https://example.com:", "https://example.com#a", " https://example.com"]),
        ("LOG_ADDRESSES", ["yes", "Hashed", ""]),
        ("INNER_ADDRESSES", ["yes", "Allowed", ""]),
        ("MAIL_FROM", ["ann", "Ann <ann@a b>", ""]),
        ("MAIL_EVENTS", ["my events", "a.b", ""]),
        ("APP_URL", ["app", "javascript:alert(1)", "https://example.com:0"]),
        ("PASSKEY_ORIGINS", ["example.com", "http://example.com", "android:apk-key-hash:x"]),
        ("PUSHER_APP_ID", ["a b", "a/b", "á"]),
        ("PUSHER_KEY", ["a b", "a?b", "á"]),
        ("PUSHER_SECRET", ["a b", "á", "a\n"]),
        ("PUSHER_HOST", ["h:", "ftp://example.com", "https://example.com/?a"]),
    ] {
        for value in values.into_iter().chain([long]) {
            let set = |asked: &str| (asked == name).then(|| value.to_owned());
            let error = Settings::read(set).err().map(|error| format!("{error:#}")).unwrap_or_default();
            assert!(error.starts_with(&format!("{name} must ")), "{name}={value:?}: {error:?}");
            assert!(!error.contains(short), "{error}");
        }
    }
}

#[test]
fn passkeys_work_only_on_the_site_of_the_app() {
    let read = |origins: &'static str| {
        Settings::read(|name| match name {
            "APP_URL" => Some("https://app.example.com/home".to_owned()),
            "PASSKEY_ORIGINS" => Some(origins.to_owned()),
            _ => None,
        })
    };
    let android = "android:apk-key-hash:n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg";
    for origins in
        ["", "https://app.example.com", "https://m.app.example.com,https://app.example.com:8443", android]
    {
        assert!(read(origins).is_ok(), "{origins}");
    }
    for origins in [
        "https://example.com",
        "https://webapp.example.com",
        "https://app.example.com,https://elsewhere.example",
    ] {
        let error = read(origins).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with("PASSKEY_ORIGINS must be on the host of APP_URL"), "{origins}: {error}");
    }
}
