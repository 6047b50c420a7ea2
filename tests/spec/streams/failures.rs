//! Records that a function fails to handle.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use local::{Options, Stack};
use serde_json::{Value, json};

use super::{
    TEMPLATE,
    lambda::{Lambda, Reply},
    options, stack, stack_with, state, write_outboxes,
};

const TO_THE_BUCKET: &str = "DestinationConfig: { OnFailure: { Destination: !GetAtt Lost.Arn } }";
const TO_THE_QUEUE: &str = "DestinationConfig: { OnFailure: { Destination: !GetAtt GivenUp.Arn } }";

#[tokio::test]
async fn a_batch_is_retried_from_its_first_failed_record() {
    let calls = AtomicUsize::new(0);
    let lambda = Lambda::new(move |_| match calls.fetch_add(1, Ordering::Relaxed) {
        0 => Reply::Failed(vec!["4".to_owned(), "2".to_owned()]),
        1 => Reply::Failed(vec!["4".to_owned()]),
        _ => Reply::Done,
    });
    let lambda = lambda.await;
    let stack = stack(&lambda).await;
    write_outboxes(&stack, "a", &["1", "2", "3", "4"]).await;
    let report = stack.settle(None).await.unwrap().stream;
    assert_eq!(lambda.calls(), [vec!["1", "2", "3", "4"], vec!["2", "3", "4"], vec!["4"]]);
    assert_eq!((report.delivered, report.failed, report.given_up, report.left), (4, 4, 0, 0));
}

#[tokio::test]
async fn an_invalid_response_retries_the_whole_batch() {
    for identifier in [json!("7"), json!(""), Value::Null] {
        let calls = AtomicUsize::new(0);
        let answer = json!({ "batchItemFailures": [{ "itemIdentifier": identifier }] });
        let lambda = Lambda::new(move |_| match calls.fetch_add(1, Ordering::Relaxed) {
            0 => Reply::Raw(answer.clone()),
            1 => Reply::Error,
            _ => Reply::Raw(Value::Null),
        });
        let lambda = lambda.await;
        let stack = stack(&lambda).await;
        write_outboxes(&stack, "a", &["1", "2"]).await;
        assert_eq!(stack.settle(None).await.unwrap().stream.left, 0);
        assert_eq!(lambda.calls(), [["1", "2"]; 3]);
    }
}

#[tokio::test]
async fn later_stream_records_wait_for_a_failed_record() {
    let lambda = Lambda::failing_at("1").await;
    let stack = stack(&lambda).await;
    write_outboxes(&stack, "a", &["1"]).await;
    stack.settle(None).await.unwrap();
    write_outboxes(&stack, "a", &["2"]).await;
    let report = stack.settle(None).await.unwrap().stream;
    assert_eq!((report.delivered, report.left), (0, 2));
    assert!(lambda.calls().iter().all(|call| *call == ["1"]), "{:?}", lambda.calls());
}

#[tokio::test]
async fn a_failing_batch_is_halved_until_the_bad_record_is_isolated() {
    let lambda = Lambda::new(|batch| match batch.iter().any(|outbox| outbox == "bad") {
        true => Reply::Error,
        false => Reply::Done,
    });
    let lambda = lambda.await;
    let properties = "BisectBatchOnFunctionError: true\nMaximumRetryAttempts: 1";
    let stack = stack_with(&lambda, &format!("{properties}\n{TO_THE_BUCKET}")).await;
    write_outboxes(&stack, "a", &["1", "2", "bad", "4"]).await;
    let report = stack.settle(None).await.unwrap().stream;
    let all = ["1", "2", "bad", "4"];
    let calls: [&[&str]; 6] = [&all, &all[..2], &all[2..], &["bad"], &["bad"], &["4"]];
    assert_eq!(lambda.calls(), calls);
    assert_eq!((report.delivered, report.given_up, report.left), (3, 1, 0));
    assert_eq!(lost(&stack).await["payload"]["Records"][0]["dynamodb"]["NewImage"]["outbox"]["S"], "bad");
}

#[tokio::test]
async fn a_failing_stream_record_is_dropped_after_its_last_attempt() {
    let lambda = Lambda::failing_at("2").await;
    let stack = stack_with(&lambda, &format!("MaximumRetryAttempts: 2\n{TO_THE_QUEUE}")).await;
    write_outboxes(&stack, "a", &["1", "2", "3"]).await;
    stack.settle(None).await.unwrap();
    assert_eq!(lambda.calls(), [vec!["1", "2", "3"], vec!["2", "3"], vec!["2", "3"]]);
    assert_eq!(state(&stack).places, ["given-up"]);
    let clients = platform::app::Clients::new(stack.sdk_config());
    let received = clients.sqs.receive_message().queue_url(stack.queue_url("given-up")).send().await.unwrap();
    let message: Value = serde_json::from_str(received.messages()[0].body().unwrap()).unwrap();
    assert_eq!(message["requestContext"]["condition"], "RetryAttemptsExhausted");
    assert_eq!(message["requestContext"]["approximateInvokeCount"], 3);
    let batch = &message["DDBStreamBatchInfo"];
    let tried = lambda.records()[2].clone();
    assert_eq!(batch["startSequenceNumber"], tried[0]["dynamodb"]["SequenceNumber"]);
    assert_eq!(batch["endSequenceNumber"], tried[1]["dynamodb"]["SequenceNumber"]);
    assert_eq!((&batch["batchSize"], &message["payload"]), (&json!(2), &Value::Null));
}

#[tokio::test]
async fn an_expired_stream_record_goes_to_the_failure_destination() {
    let lambda = Lambda::failing_at("old").await;
    let stack = stack_with(&lambda, &format!("MaximumRecordAgeInSeconds: 60\n{TO_THE_BUCKET}")).await;
    write_outboxes(&stack, "a", &["old"]).await;
    assert_eq!(stack.settle(None).await.unwrap().stream.left, 1);
    stack.advance(Duration::from_secs(61)).await.unwrap();
    write_outboxes(&stack, "a", &["young"]).await;
    let report = stack.settle(None).await.unwrap().stream;
    assert_eq!((report.delivered, report.given_up, report.left), (1, 1, 0));
    let place = state(&stack).places.remove(0);
    let parts: Vec<_> = place.split('/').collect();
    let [_, "lost", "aws", "lambda", id, "shardId-00000000000000000000-00000000", "2026", "01", "01", name] =
        parts[..]
    else {
        panic!("{place}")
    };
    assert_eq!((id.len(), &name[..20]), (36, "2026-01-01T00.01.01-"));
    let lost = lost(&stack).await;
    assert_eq!(lost["requestContext"]["condition"], "RecordAgeExceeded");
    assert_eq!(lost["payload"]["Records"][0], lambda.records()[0][0]);
}

#[tokio::test]
async fn batch_item_failures_are_ignored_unless_configured() {
    let lambda = Lambda::failing_at("1").await;
    let template = TEMPLATE.replace("[ReportBatchItemFailures]", "[]");
    let stack = Stack::start(Options { template: Some(template), ..options(&lambda) }).await.unwrap();
    write_outboxes(&stack, "a", &["1"]).await;
    assert_eq!(stack.settle(None).await.unwrap().stream.left, 0);
    assert_eq!(lambda.calls(), [["1"]]);
}

/// Returns the record in the failure destination: the only object in the bucket.
async fn lost(stack: &Stack) -> Value {
    let place = format!("{}{}", stack.aws_url(), state(stack).places[0]);
    serde_json::from_str(&reqwest::get(place).await.unwrap().text().await.unwrap()).unwrap()
}
