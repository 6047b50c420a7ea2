//! Table streams deliver records to a function in order. Failed records are retried, then sent to a failure
//! destination.

mod chaos;
mod failures;
mod kept;
mod lambda;
mod writes;

use aws_sdk_dynamodb::{Client, operation::put_item::builders::PutItemFluentBuilder, types::AttributeValue};
use lambda::Lambda;
use local::{Options, Stack, StreamState};

use crate::stack::manual;

/// A template with a table, whose stream calls a function for rows that have an outbox record.
const TEMPLATE: &str = include_str!("streams/template.yaml");

/// Starts a stack from the template, with manual delivery and a stopped clock.
async fn stack(lambda: &Lambda) -> Stack {
    Stack::start(options(lambda)).await.unwrap()
}

/// Starts a stack from the template, with additional properties of the event source mapping.
async fn stack_with(lambda: &Lambda, properties: &str) -> Stack {
    Stack::start(Options { template: Some(mapping_with(properties)), ..options(lambda) }).await.unwrap()
}

fn mapping_with(properties: &str) -> String {
    TEMPLATE.replace("      BatchSize: 10\n", &format!("      {}\n", properties.replace('\n', "\n      ")))
}

fn options(lambda: &Lambda) -> Options {
    Options { runtime: Some(lambda.url.clone()), ..manual(TEMPLATE) }
}

fn table(stack: &Stack) -> Client {
    Client::new(stack.sdk_config())
}

/// Returns a PutItem request for a row with an outbox record.
fn outbox_row(table: &Client, pk: &str, sk: &str, outbox: &str) -> PutItemFluentBuilder {
    row(table, pk, sk).item("outbox", text(outbox))
}

fn row(table: &Client, pk: &str, sk: &str) -> PutItemFluentBuilder {
    table.put_item().table_name("table").item("pk", text(pk)).item("sk", text(sk))
}

/// Writes rows with outbox records to one partition, one after the other.
async fn write_outboxes(stack: &Stack, pk: &str, outboxes: &[&str]) {
    let table = table(stack);
    for outbox in outboxes {
        outbox_row(&table, pk, outbox, outbox).send().await.unwrap();
    }
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn state(stack: &Stack) -> StreamState {
    stack.streams().remove(0)
}
