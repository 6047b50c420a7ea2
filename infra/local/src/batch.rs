//! A batch of writes, committed once: the engine commits each of its rows alone, which takes longer than the rows.

use dynoxide::{
    Database, DynoxideError, Result,
    actions::{
        batch_write_item::{BatchWriteItemRequest, BatchWriteItemResponse, WriteRequest},
        transact_write_items::{
            TransactDelete, TransactPut, TransactWriteItem, TransactWriteItemsRequest as Transaction,
        },
    },
    types::ConsumedCapacity,
};

/// As many as DynamoDB takes in a batch; a transaction takes more.
const ROWS_MAX: usize = 25;
const TOTAL: &str = "TOTAL";
const INDEXES: &str = "INDEXES";

/// Writes all rows of a batch, or none.
///
/// # Errors
/// A row is refused, or the answer is to say more than a transaction tells. The engine's own way of a batch then has the
/// right answer.
pub(crate) fn write(database: &Database, batch: BatchWriteItemRequest) -> Result<BatchWriteItemResponse> {
    let rows = batch.request_items.values().map(Vec::len).sum::<usize>();
    let asks_more = batch.return_consumed_capacity.as_deref().is_some_and(|it| it != TOTAL);
    if rows > ROWS_MAX || asks_more || batch.return_item_collection_metrics.is_some() {
        let why = "no transaction answers as this batch is to be answered";
        return Err(DynoxideError::ValidationException(why.to_owned()));
    }
    let steps = batch.request_items.into_iter();
    let committed = database.transact_write_items(Transaction {
        transact_items: steps
            .flat_map(|(table, rows)| rows.into_iter().map(move |it| step(&table, it)))
            .collect(),
        return_consumed_capacity: batch.return_consumed_capacity.map(|_| INDEXES.to_owned()),
        ..Transaction::default()
    })?;
    let consumed_capacity = committed.consumed_capacity.map(|it| it.into_iter().map(of_a_batch).collect());
    Ok(BatchWriteItemResponse { consumed_capacity, ..BatchWriteItemResponse::default() })
}

fn step(table: &str, write: WriteRequest) -> TransactWriteItem {
    let table_name = || table.to_owned();
    let put = |item| TransactPut { table_name: table_name(), item, ..TransactPut::default() };
    let delete = |key| TransactDelete { table_name: table_name(), key, ..TransactDelete::default() };
    TransactWriteItem {
        put: write.put_request.map(|it| put(it.item)),
        delete: write.delete_request.map(|it| delete(it.key)),
        ..TransactWriteItem::default()
    }
}

/// A transaction takes the units of the table twice, and those of its indexes once.
fn of_a_batch(transaction: ConsumedCapacity) -> ConsumedCapacity {
    let table = transaction.table.map_or(0.0, |it| it.capacity_units) / 2.0;
    let indexes = transaction.global_secondary_indexes.into_iter().chain(transaction.local_secondary_indexes);
    let capacity_units = table + indexes.flatten().map(|(_, it)| it.capacity_units).sum::<f64>();
    ConsumedCapacity { table_name: transaction.table_name, capacity_units, ..ConsumedCapacity::default() }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, from_value, json, to_value};

    use super::*;
    use crate::{dynamodb, template::Table};

    type Way = fn(&Database, BatchWriteItemRequest) -> Result<BatchWriteItemResponse>;

    fn database() -> anyhow::Result<Database> {
        let attribute = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
        let keys = |name: &str| json!([{ "AttributeName": name, "KeyType": "HASH" }]);
        let index = json!({ "IndexName": "list", "KeySchema": keys("list"), "Projection": { "ProjectionType": "ALL" } });
        let properties = json!({
            "KeySchema": keys("pk"),
            "AttributeDefinitions": [attribute("pk"), attribute("list")],
            "GlobalSecondaryIndexes": [index],
            "BillingMode": "PAY_PER_REQUEST",
        });
        let database = Database::memory()?;
        let table = Table { name: "table".to_owned(), properties: from_value(properties)? };
        dynamodb::create(&database, &table)?;
        Ok(database)
    }

    fn put(pk: &str, bytes: usize, list: Option<&str>) -> Json {
        let mut item = json!({ "pk": { "S": pk }, "text": { "S": "x".repeat(bytes) } });
        list.into_iter().for_each(|it| item["list"] = json!({ "S": it }));
        json!({ "PutRequest": { "Item": item } })
    }

    /// What each batch is answered with, and what is in the table and its index then.
    fn history(way: Way, batches: &[Json]) -> anyhow::Result<Vec<Json>> {
        let database = database()?;
        let mut told = Vec::new();
        for batch in batches {
            let request = json!({ "RequestItems": { "table": batch }, "ReturnConsumedCapacity": "TOTAL" });
            told.push(to_value(way(&database, from_value(request)?)?)?);
            for place in [json!({}), json!({ "IndexName": "list" })] {
                let mut scan = place;
                scan["TableName"] = json!("table");
                told.push(to_value(database.scan(from_value(scan)?)?)?);
            }
        }
        Ok(told)
    }

    #[test]
    fn a_batch_does_and_costs_what_the_engines_own_does() -> anyhow::Result<()> {
        let delete = |pk: &str| json!({ "DeleteRequest": { "Key": { "pk": { "S": pk } } } });
        let batches = [
            json!([put("a", 10, None), put("b", 3_000, Some("one")), put("c", 10, Some("two"))]),
            json!([put("b", 10, Some("two")), put("c", 2_000, None), delete("a"), delete("nobody")]),
            json!([delete("b"), delete("c"), put("a", 1_500, Some("one"))]),
        ];
        assert_eq!(history(write, &batches)?, history(Database::batch_write_item, &batches)?);
        Ok(())
    }

    #[test]
    fn what_a_batch_may_not_have_is_left_to_the_engine() -> anyhow::Result<()> {
        let rows = |count: usize| Json::from_iter((0..count).map(|it| put(&it.to_string(), 1, None)));
        let twice = json!([put("a", 1, None), put("a", 2, None)]);
        let cases = [
            json!({ "RequestItems": { "table": rows(ROWS_MAX + 1) } }),
            json!({ "RequestItems": { "table": twice } }),
            json!({ "RequestItems": { "table": rows(1) }, "ReturnConsumedCapacity": INDEXES }),
            json!({ "RequestItems": { "table": rows(1) }, "ReturnItemCollectionMetrics": "SIZE" }),
        ];
        for case in cases {
            let database = database()?;
            assert!(write(&database, from_value(case.clone())?).is_err(), "{case}");
            let scan = database.scan(from_value(json!({ "TableName": "table" }))?)?;
            assert_eq!(scan.count, 0, "{case}");
        }
        Ok(())
    }
}
