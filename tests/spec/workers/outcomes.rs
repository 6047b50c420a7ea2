//! Checks that `infra/check/outcomes.txt` lists the outcomes of all jobs.

use std::fs;

use domain::{
    circles::{DrainJob, cpr::CprJob, posts::JudgeJob},
    deletion::DeletionJob,
    jobs::{Chore, IndexJob, MediaJob, OutboundJob, TimelineJob},
    moderation::reports::EvaluationJob,
    posts::likes::LikeJob,
};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::docs::schemas::rust_files;

const LISTED: &str = include_str!("../../../infra/check/outcomes.txt");
const TEMPLATE: &str = include_str!("../../../template.yaml");

#[test]
fn each_kind_of_job_has_a_listed_outcome() {
    let jobs = [
        ("account-deletion", kinds::<DeletionJob>()),
        ("circle-drain", kinds::<DrainJob>()),
        ("circle-judge", kinds::<JudgeJob>()),
        ("cpr-check", kinds::<CprJob>()),
        ("housekeeping", kinds::<Chore>()),
        ("like-sync", kinds::<LikeJob>()),
        ("media-processing", kinds::<MediaJob>()),
        ("notification-grouping", events("NotificationEvents")),
        ("outbound", kinds::<OutboundJob>()),
        ("realtime-push", events("Pushes")),
        ("report-evaluation", kinds::<EvaluationJob>()),
        ("search-index", kinds::<IndexJob>()),
        ("timeline", kinds::<TimelineJob>()),
    ];
    for (function, kinds) in jobs {
        assert!(!kinds.is_empty(), "{function}");
        for kind in kinds {
            let line = format!("{function} {kind}");
            let is_listed = |listed: &str| listed == line || listed.starts_with(&format!("{line}: "));
            assert!(LISTED.lines().any(is_listed), "infra/check/outcomes.txt has no `{line}`");
        }
    }
}

#[test]
fn each_job_outcome_in_the_code_is_listed() {
    let files = rust_files(&["shared"]);
    let files = files.iter().filter(|file| !file.ends_with("platform/src/outcomes.rs"));
    let code: String = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let mut outcomes = 0;
    for call in [concat!("note", "(\""), concat!("outcomes::end", "(\"")] {
        for outcome in code.split(call).skip(1).filter_map(|rest| rest.split('"').next()) {
            let is_listed = LISTED.lines().any(|line| line.ends_with(outcome));
            assert!(is_listed, "infra/check/outcomes.txt has no `{outcome}`");
            outcomes += 1;
        }
    }
    assert!(outcomes > 50, "{outcomes}");
}

/// Returns the tags of all variants of a job, from serde's error message for an unknown tag.
fn kinds<J: DeserializeOwned>() -> Vec<String> {
    let error = serde_json::from_value::<J>(json!({ "job": "?" })).err().unwrap().to_string();
    let (_, expected) = error.split_once("expected").unwrap();
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns the kinds of events that a rule of the template sends to a worker.
fn events(rule: &str) -> Vec<String> {
    let (_, rule) = TEMPLATE.split_once(&format!("\n  {rule}:\n    Type: AWS::Events::Rule\n")).unwrap();
    let (_, kinds) = rule.split_once("detail-type: [").unwrap();
    kinds.split(']').next().unwrap().split(", ").map(str::to_owned).collect()
}
