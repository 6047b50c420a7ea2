//! The embedded stack, which runs the service in the other tests.

use std::time::Duration;

use aws_sdk_dynamodb::{error::ProvideErrorMetadata, types::AttributeValue};
use local::{Delivery, Options, QueueState, Stack, Start};
use reqwest::Method;
use serde_json::json;
use tests::{Fault, World, send};

const MAIL: &str = "mail";

/// A template with one bus and one rule.
const WITH_A_RULE: &str = r#"
Resources:
  Api: { Type: AWS::Serverless::HttpApi, Properties: {} }
  Bus: { Type: AWS::Events::EventBus, Properties: { Name: social } }
  Matched: { Type: AWS::SQS::Queue, Properties: {} }
  Rule:
    Type: AWS::Events::Rule
    Properties:
      EventBusName: !Ref Bus
      EventPattern: { detail-type: [MessageSent] }
      Targets: [{ Id: taken, Arn: !GetAtt Matched.Arn }]
"#;

/// A template whose schedule fires every two minutes, and sends messages for 0, 40 and 80 seconds later.
pub(crate) const WITH_TICKS: &str = r#"
Resources:
  Ticks: { Type: AWS::SQS::Queue, Properties: {} }
  Tick:
    Type: AWS::Scheduler::Schedule
    Properties:
      ScheduleExpression: rate(2 minutes)
      FlexibleTimeWindow: { Mode: "OFF" }
      Target:
        Arn: !Sub arn:${AWS::Partition}:scheduler:::aws-sdk:sqs:sendMessageBatch
        RoleArn: none
        Input: !Sub '{"QueueUrl":"${Ticks}","Entries":[{"Id":"a","MessageBody":"0"},{"Id":"b","MessageBody":"40","DelaySeconds":40},{"Id":"c","MessageBody":"80","DelaySeconds":80}]}'
"#;

#[tokio::test]
async fn a_schedule_can_send_messages_every_40_seconds() {
    let stack = Stack::start(manual(WITH_TICKS)).await.unwrap();
    let ticks = |stack: &Stack| (stack.queues()[0].visible, stack.queues()[0].delayed);
    for (seconds, expected) in [(39, (1, 2)), (1, (2, 1)), (40, (3, 0)), (40, (4, 2))] {
        stack.advance(Duration::from_secs(seconds)).await.unwrap();
        assert_eq!(ticks(&stack), expected);
    }
    stack.fire("tick").await.unwrap();
    assert_eq!(ticks(&stack), (5, 4));
    assert!(stack.fire("tock").await.is_err());
}

#[tokio::test]
async fn a_long_clock_move_skips_frequent_runs_until_its_last_hour() {
    let runs_in_4_hours = async |options: Options| {
        let stack = Stack::start(options).await.unwrap();
        stack.advance(Duration::from_secs(4 * 3600)).await.unwrap();
        let queue = stack.queues().remove(0);
        (queue.visible + queue.delayed) / 3
    };
    let last_hour = 60 / 2;
    assert_eq!(runs_in_4_hours(manual(WITH_TICKS)).await, ["00:00"].len() + last_hour);
    let automatic = Options { delivery: Delivery::Automatic, ..manual(WITH_TICKS) };
    assert_eq!(runs_in_4_hours(automatic).await, ["00:00", "01:02", "02:02"].len() + last_hour);
}

#[tokio::test]
async fn a_failing_message_becomes_a_dead_letter() {
    let world = World::new().await;
    put(&world, "unreadable", 0).await;
    // Prevents the worker from moving the message to the dead-letter queue.
    world.faults.plan("SendMessage", Fault::Refused, 0, 100);
    let report = world.stack.settle(None).await.unwrap();
    assert_eq!((report.failed, report.dead, report.left), (5, 1, 0));
    let queue = mail_queue(&world);
    assert_eq!((queue.visible, queue.in_flight, queue.dead), (0, 0, 1));
}

#[tokio::test]
#[should_panic(expected = "a message was left or given up")]
async fn settling_a_world_panics_if_a_message_is_a_dead_letter() {
    let world = World::new().await;
    put(&world, "unreadable", 0).await;
    world.settle().await;
}

#[tokio::test]
async fn a_delayed_queue_message_waits_for_the_clock() {
    let world = World::new().await;
    put(&world, "later", 60).await;
    for (seconds, expected) in [(0, (0, 1)), (59, (0, 1)), (1, (1, 0))] {
        world.advance(seconds).await;
        assert_eq!((mail_queue(&world).visible, mail_queue(&world).delayed), expected, "{seconds}");
    }
}

#[tokio::test]
async fn the_clock_moves_only_on_request() {
    let world = World::new().await;
    let before = world.anyone.get("/_local/clock").await;
    assert_eq!(before.data()["now"], "2026-01-01T00:00:00.000Z");
    let moved = world.anyone.post("/_local/clock", json!({ "advanceSeconds": 3600 })).await;
    assert_eq!(moved.ok().data()["now"], "2026-01-01T01:00:00.000Z");
    let clock = world.anyone.get("/_local/clock").await;
    assert_eq!(clock.data()["unixSeconds"], before.data()["unixSeconds"].as_i64().unwrap() + 3600);
}

/// Otherwise the result of a simulation would depend on the second at which it starts.
#[tokio::test]
async fn pending_work_is_delivered_before_the_clock_moves() {
    let (world, [ann, bob]) = World::builder().real_time().start_with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    bob.likes(&post).await;
    world.advance(0).await;
    assert_eq!(ann.sees(&post).await["likesCount"], 1);
}

#[tokio::test]
async fn the_clock_of_the_stack_decides_when_a_row_expires() {
    let world = World::new().await;
    let now = world.anyone.get("/_local/clock").await.data()["unixSeconds"].as_i64().unwrap();
    let at = |seconds: i64| AttributeValue::N((now + seconds).to_string());
    let table = world.unwatched_dynamodb();
    for (name, ttl) in [("early", at(3600)), ("late", at(7200)), ("text", text("0"))] {
        let put = table.put_item().table_name(world.table_name());
        put.item("pk", text("TIMES")).item("sk", text(name)).item("ttl", ttl).send().await.unwrap();
    }
    world.advance(7200).await;
    let rows = table.query().table_name(world.table_name()).key_condition_expression("pk = :pk");
    let rows = rows.expression_attribute_values(":pk", text("TIMES")).send().await.unwrap();
    let left: Vec<_> = rows.items().iter().map(|row| row["sk"].as_s().unwrap().as_str()).collect();
    assert_eq!(left, ["late", "text"]);
}

#[tokio::test]
async fn the_table_refuses_an_invalid_number_as_dynamodb_does() {
    let world = World::new().await;
    let put = world.unwatched_dynamodb().put_item().table_name(world.table_name());
    let put = put.item("pk", text("ROW")).item("sk", text("ROW"));
    let refused = put.item("number", AttributeValue::N("abc".to_owned())).send().await.unwrap_err();
    assert_eq!(refused.code(), Some("ValidationException"), "{refused:?}");
}

#[tokio::test]
async fn a_rule_routes_its_events_unless_it_is_disabled() {
    let disabled = WITH_A_RULE.replace("EventBusName:", "State: DISABLED\n      EventBusName:");
    for (template, expected) in [(WITH_A_RULE, 1), (&*disabled, 0)] {
        let stack = Stack::start(manual(template)).await.unwrap();
        let events = platform::app::Clients::new(stack.sdk_config()).bus;
        for kind in ["MessageSent", "FriendRequested"] {
            let entry = aws_sdk_eventbridge::types::PutEventsRequestEntry::builder().event_bus_name("social");
            let entry = entry.source("social").detail_type(kind).detail("{}").build();
            events.put_events().entries(entry).send().await.unwrap();
        }
        assert_eq!(stack.queues()[0].visible, expected, "{template}");
    }
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

/// Returns the options of a stack with this template, manual delivery and a stopped clock.
pub(crate) fn manual(template: &str) -> Options {
    Options {
        template: Some(template.to_owned()),
        delivery: Delivery::Manual,
        clock: Start::At("2026-01-01T00:00:00Z".parse().unwrap()),
        ..Options::default()
    }
}

#[tokio::test]
async fn the_console_accepts_only_local_host_names() {
    let world = World::new().await;
    let port = world.stack.url().rsplit(':').next().unwrap();
    let ask = async |method: Method, path: &str, host: &str| {
        send(world.anyone.request(method, path).header("host", host)).await
    };
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1.evil.example", ""] {
        ask(Method::GET, "/_local/mail", host).await.refused(403, "FORBIDDEN");
    }
    for host in ["localhost", &format!("127.0.0.1:{port}"), &format!("localhost:{port}")] {
        ask(Method::GET, "/_local/mail", host).await.ok();
    }
    ask(Method::POST, "/_local/settle", "evil.example").await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn the_startup_error_names_the_port_that_is_in_use() {
    let world = World::new().await;
    let port = world.stack.url().rsplit(':').next().unwrap().parse().unwrap();
    let refused = Stack::start(Options { port, ..Options::default() }).await.err().unwrap();
    assert_eq!(refused.to_string(), format!("port {port} is in use"));
}

pub(crate) fn queue(world: &World, name: &str) -> QueueState {
    world.stack.queues().into_iter().find(|queue| queue.name == name).unwrap()
}

pub(crate) fn mail_queue(world: &World) -> QueueState {
    queue(world, MAIL)
}

pub(crate) async fn put(world: &World, body: &str, delay: i32) {
    let send = world.clients().sqs.send_message().queue_url(world.stack.queue_url(MAIL));
    send.message_body(body).delay_seconds(delay).send().await.unwrap();
}
