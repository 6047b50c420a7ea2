//! The stream records that writes cause.

use aws_sdk_dynamodb::{
    Client,
    config::{Credentials, Region},
    types::{
        AttributeValue, Delete, DeleteRequest, Put, PutRequest, TransactWriteItem, Update, WriteRequest,
    },
};
use local::{Options, Stack};
use serde_json::{Value, json};

use super::{
    TEMPLATE, lambda::Lambda, mapping_with, options, outbox_row, row, stack, stack_with, state, table, text,
    write_outboxes,
};

const EVERYTHING: &str = "BatchSize: 1000\nMaximumBatchingWindowInSeconds: 5";

#[tokio::test]
async fn a_stream_record_has_the_format_of_aws() {
    let (lambda, stack) = succeeding().await;
    write_outboxes(&stack, "a", &["first"]).await;
    outbox_row(&table(&stack), "a", "first", "second").send().await.unwrap();
    settle(&stack).await;
    let mut records = lambda.records().concat();
    assert!(records.iter_mut().all(|record| record["eventID"].take().is_string()), "{records:?}");
    let (first, second) = (json!({ "S": "first" }), json!({ "S": "second" }));
    let keys = json!({ "pk": { "S": "a" }, "sk": first });
    let image = |outbox: &Value| json!({ "pk": { "S": "a" }, "sk": first, "outbox": outbox });
    let inserted = json!({
        "ApproximateCreationDateTime": 1_767_225_600, "Keys": keys, "NewImage": image(&first),
        "SequenceNumber": "100000000000000000128", "SizeBytes": 31, "StreamViewType": "NEW_AND_OLD_IMAGES",
    });
    let modified = json!({
        "ApproximateCreationDateTime": 1_767_225_600, "Keys": keys, "NewImage": image(&second),
        "OldImage": image(&first), "SequenceNumber": "100000000000000000256", "SizeBytes": 53,
        "StreamViewType": "NEW_AND_OLD_IMAGES",
    });
    let stream = "arn:aws:dynamodb:us-east-1:000000000000:table/table/stream/2026-01-01T00:00:00.000";
    let record = |name: &str, change: Value| {
        json!({
            "awsRegion": "us-east-1", "dynamodb": change, "eventID": null, "eventName": name,
            "eventSource": "aws:dynamodb", "eventSourceARN": stream, "eventVersion": "1.1",
        })
    };
    assert_eq!(records, [record("INSERT", inserted), record("MODIFY", modified)]);
}

#[tokio::test]
async fn every_kind_of_write_creates_a_stream_record_in_order() {
    let (lambda, stack) = succeeding().await;
    let table = table(&stack);
    outbox_row(&table, "a", "1", "put").send().await.unwrap();
    let update = table.update_item().table_name("table").key("pk", text("a")).key("sk", text("2"));
    let update = update.update_expression("SET #it = :it").expression_attribute_names("#it", "outbox");
    update.expression_attribute_values(":it", text("updated")).send().await.unwrap();
    let item =
        PutRequest::builder().item("pk", text("a")).item("sk", text("3")).item("outbox", text("batch"));
    let put = WriteRequest::builder().put_request(item.build().unwrap()).build();
    table.batch_write_item().request_items("table", vec![put]).send().await.unwrap();
    table.transact_write_items().transact_items(step("4", "transaction")).send().await.unwrap();
    settle(&stack).await;
    assert_eq!(lambda.calls(), [["put", "updated", "batch", "transaction"]]);
}

#[tokio::test]
async fn writes_without_an_effect_create_no_stream_record() {
    let (lambda, stack) = succeeding().await;
    let table = table(&stack);
    write_outboxes(&stack, "a", &["once"]).await;
    outbox_row(&table, "a", "once", "once").send().await.unwrap();
    let refused = outbox_row(&table, "a", "once", "never").condition_expression("attribute_not_exists(pk)");
    refused.send().await.unwrap_err();
    let no_key = table.put_item().table_name("table").item("outbox", text("never")).send().await;
    no_key.unwrap_err();
    let two = table.transact_write_items().transact_items(step("new", "never"));
    let refusing = Update::builder().table_name("table").key("pk", text("a")).key("sk", text("gone"));
    let refusing = refusing.update_expression("SET x = :x").expression_attribute_values(":x", text("x"));
    let refusing = refusing.condition_expression("attribute_exists(pk)").build().unwrap();
    two.transact_items(TransactWriteItem::builder().update(refusing).build()).send().await.unwrap_err();
    settle(&stack).await;
    assert_eq!(lambda.calls(), [["once"]]);
}

#[tokio::test]
async fn a_repeated_transaction_creates_one_stream_record() {
    let (lambda, stack) = succeeding().await;
    let table = table(&stack);
    for _ in 0..2 {
        let write = table.transact_write_items().client_request_token("again");
        write.transact_items(step("1", "paid")).send().await.unwrap();
        // The repeated transaction must not overwrite this row.
        row(&table, "a", "1").send().await.unwrap();
    }
    settle(&stack).await;
    assert_eq!(lambda.calls(), [["paid"]]);
}

#[tokio::test]
async fn only_stream_records_that_match_the_filter_are_delivered() {
    let (lambda, stack) = succeeding().await;
    let table = table(&stack);
    row(&table, "a", "plain").send().await.unwrap();
    row(&table, "a", "map").item("outbox", AttributeValue::L(vec![])).send().await.unwrap();
    write_outboxes(&stack, "a", &["matching"]).await;
    let deletion = table.delete_item().table_name("table").key("pk", text("a")).key("sk", text("matching"));
    deletion.send().await.unwrap();
    settle(&stack).await;
    assert_eq!(lambda.calls(), [["matching"]]);
}

#[tokio::test]
async fn all_stream_records_are_delivered_without_a_filter() {
    let lambda = Lambda::succeeding().await;
    let filters = TEMPLATE.find("      FilterCriteria").unwrap();
    let template = mapping_with(EVERYTHING)[..].replace(&TEMPLATE[filters..], "");
    let stack = Stack::start(Options { template: Some(template), ..options(&lambda) }).await.unwrap();
    let table = table(&stack);
    row(&table, "a", "plain").send().await.unwrap();
    let put = Put::builder().table_name("table").item("pk", text("a")).item("sk", text("b")).build().unwrap();
    let deletion = Delete::builder().table_name("table").key("pk", text("a")).key("sk", text("plain"));
    let deletion = TransactWriteItem::builder().delete(deletion.build().unwrap()).build();
    let both = table.transact_write_items().transact_items(TransactWriteItem::builder().put(put).build());
    both.transact_items(deletion).send().await.unwrap();
    let deletion = DeleteRequest::builder().key("pk", text("a")).key("sk", text("b")).build().unwrap();
    let deletion = WriteRequest::builder().delete_request(deletion).build();
    table.batch_write_item().request_items("table", vec![deletion]).send().await.unwrap();
    settle(&stack).await;
    let event = |record: &Value| json!([record["eventName"], record["dynamodb"]["Keys"]["sk"]["S"]]);
    let events: Vec<_> = lambda.records().concat().iter().map(event).collect();
    let expected = [["INSERT", "plain"], ["INSERT", "b"], ["REMOVE", "plain"], ["REMOVE", "b"]];
    assert_eq!(json!(events), json!(expected));
}

#[tokio::test]
async fn writes_to_the_table_endpoint_create_stream_records() {
    let (lambda, stack) = succeeding().await;
    let config = aws_sdk_dynamodb::Config::builder().region(Region::from_static("us-east-1"));
    let config = config.credentials_provider(Credentials::new("tool", "secret", None, None, "tool"));
    let config = config.endpoint_url(stack.dynamodb_url()).behavior_version_latest().build();
    let outside = Client::from_conf(config);
    outbox_row(&outside, "a", "1", "from outside").send().await.unwrap();
    // The endpoint forwards operations that it does not implement, such as `ListTables`, to the database engine.
    assert_eq!(outside.list_tables().send().await.unwrap().table_names(), ["table"]);
    settle(&stack).await;
    assert_eq!(lambda.calls(), [["from outside"]]);
}

#[tokio::test]
async fn stream_records_are_delivered_automatically() {
    let lambda = Lambda::succeeding().await;
    let stack =
        Stack::start(Options { delivery: local::Delivery::Automatic, ..options(&lambda) }).await.unwrap();
    for (call, outbox) in ["now", "and again"].into_iter().enumerate() {
        write_outboxes(&stack, "a", &[outbox]).await;
        lambda.until_called(call + 1).await;
        while state(&stack).waiting > 0 {
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(lambda.calls(), [["now"], ["and again"]]);
}

#[tokio::test]
async fn the_console_shows_and_delivers_waiting_stream_records() {
    let (lambda, stack) = succeeding().await;
    write_outboxes(&stack, "a", &["1", "2"]).await;
    let console = format!("{}/_local", stack.url());
    let shown: Value = reqwest::get(format!("{console}/streams")).await.unwrap().json().await.unwrap();
    let oldest = "2026-01-01T00:00:00.000Z";
    let waits =
        json!({ "name": "Scripted/Mapping", "waiting": 2, "oldest": oldest, "givenUp": 0, "places": [] });
    assert_eq!(shown["data"], json!([waits]));
    let settled = reqwest::Client::new().post(format!("{console}/settle")).send().await.unwrap();
    let settled: Value = settled.json().await.unwrap();
    let done = json!({ "delivered": 2, "failed": 0, "givenUp": 0, "left": 0 });
    assert_eq!(settled["data"]["stream"], done);
    assert_eq!(lambda.calls(), [["1", "2"]]);
}

#[tokio::test]
async fn delivered_stream_records_are_no_longer_waiting() {
    let lambda = Lambda::succeeding().await;
    let stack = stack_with(&lambda, EVERYTHING).await;
    for round in 0..20 {
        let outboxes: Vec<_> = (0..10).map(|number| format!("{round}-{number}")).collect();
        write_outboxes(&stack, "a", &outboxes.iter().map(String::as_str).collect::<Vec<_>>()).await;
        assert_eq!(state(&stack).waiting, 10);
        settle(&stack).await;
        assert_eq!((state(&stack).waiting, state(&stack).oldest), (0, None));
    }
}

#[tokio::test]
async fn unsupported_filters_and_missing_access_to_streams_prevent_startup() {
    let lambda = Lambda::succeeding().await;
    for (part, replacement, why) in [
        (r#"{"exists":true}"#, r#"{"numeric":[">",1]}"#, r#"{"numeric":[">",1]}"#),
        ("dynamodb:GetRecords, ", "", "dynamodb:GetRecords"),
    ] {
        let template = Some(TEMPLATE.replace(part, replacement));
        let refused = Stack::start(Options { template, ..options(&lambda) }).await.err().unwrap();
        assert!(format!("{refused:#}").contains(why), "{refused:#}");
    }
}

async fn succeeding() -> (Lambda, Stack) {
    let lambda = Lambda::succeeding().await;
    let stack = stack(&lambda).await;
    (lambda, stack)
}

async fn settle(stack: &Stack) {
    let report = stack.settle(None).await.unwrap();
    assert_eq!((report.stream.failed, report.stream.left), (0, 0), "{report:?}");
}

fn step(sk: &str, outbox: &str) -> TransactWriteItem {
    let put = Put::builder().table_name("table").item("pk", text("a")).item("sk", text(sk));
    TransactWriteItem::builder().put(put.item("outbox", text(outbox)).build().unwrap()).build()
}
