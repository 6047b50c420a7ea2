//! Runs a batch of writes as one transaction. The batch of the database engine commits each row separately, which is
//! slow.

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

/// DynamoDB's maximum number of rows in a batch.
const ROWS_MAX: usize = 25;
const TOTAL: &str = "TOTAL";
const INDEXES: &str = "INDEXES";

/// Writes all rows of a batch, or none. Fails if a row is refused, or if a transaction cannot return the requested data.
/// The caller then uses the batch of the database engine.
pub(crate) fn write(database: &Database, batch: BatchWriteItemRequest) -> Result<BatchWriteItemResponse> {
    let rows = batch.request_items.values().map(Vec::len).sum::<usize>();
    let needs_details = batch.return_consumed_capacity.as_deref().is_some_and(|detail| detail != TOTAL);
    if rows > ROWS_MAX || needs_details || batch.return_item_collection_metrics.is_some() {
        let why = "a transaction cannot return what this batch requests";
        return Err(DynoxideError::ValidationException(why.to_owned()));
    }
    let steps = batch.request_items.into_iter();
    let committed = database.transact_write_items(Transaction {
        transact_items: steps
            .flat_map(|(table, rows)| rows.into_iter().map(move |row| step(&table, row)))
            .collect(),
        return_consumed_capacity: batch.return_consumed_capacity.map(|_| INDEXES.to_owned()),
        ..Transaction::default()
    })?;
    let consumed_capacity =
        committed.consumed_capacity.map(|tables| tables.into_iter().map(batch_capacity).collect());
    Ok(BatchWriteItemResponse { consumed_capacity, ..BatchWriteItemResponse::default() })
}

fn step(table: &str, write: WriteRequest) -> TransactWriteItem {
    let table_name = || table.to_owned();
    let put = |item| TransactPut { table_name: table_name(), item, ..TransactPut::default() };
    let delete = |key| TransactDelete { table_name: table_name(), key, ..TransactDelete::default() };
    TransactWriteItem {
        put: write.put_request.map(|request| put(request.item)),
        delete: write.delete_request.map(|request| delete(request.key)),
        ..TransactWriteItem::default()
    }
}

/// Converts the consumed capacity of a transaction to the capacity of a batch. A transaction doubles the table's units,
/// but not the indexes' units.
fn batch_capacity(transaction: ConsumedCapacity) -> ConsumedCapacity {
    let table = transaction.table.map_or(0.0, |table| table.capacity_units) / 2.0;
    let indexes = transaction.global_secondary_indexes.into_iter().chain(transaction.local_secondary_indexes);
    let capacity_units = table + indexes.flatten().map(|(_, index)| index.capacity_units).sum::<f64>();
    ConsumedCapacity { table_name: transaction.table_name, capacity_units, ..ConsumedCapacity::default() }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, from_value, json, to_value};

    use super::*;
    use crate::dynamodb;

    type BatchWrite = fn(&Database, BatchWriteItemRequest) -> Result<BatchWriteItemResponse>;

    fn database() -> anyhow::Result<Database> {
        let attribute = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
        let key = json!([{ "AttributeName": "list", "KeyType": "HASH" }]);
        let index =
            json!({ "IndexName": "list", "KeySchema": key, "Projection": { "ProjectionType": "ALL" } });
        let table = dynamodb::test_table(&json!({
            "AttributeDefinitions": [attribute("pk"), attribute("list")],
            "GlobalSecondaryIndexes": [index],
        }));
        let database = Database::memory()?;
        dynamodb::create(&database, &table)?;
        Ok(database)
    }

    fn put(pk: &str, bytes: usize, list: Option<&str>) -> Json {
        let mut item = json!({ "pk": { "S": pk }, "text": { "S": "x".repeat(bytes) } });
        list.into_iter().for_each(|list| item["list"] = json!({ "S": list }));
        json!({ "PutRequest": { "Item": item } })
    }

    /// For each batch, returns the response, then the rows in the table and the rows in the index.
    fn history(write: BatchWrite, batches: &[Json]) -> anyhow::Result<Vec<Json>> {
        let database = database()?;
        let mut history = Vec::new();
        for batch in batches {
            let request = json!({ "RequestItems": { "table": batch }, "ReturnConsumedCapacity": "TOTAL" });
            history.push(to_value(write(&database, from_value(request)?)?)?);
            for index in [None, Some("list")] {
                let scan = json!({ "TableName": "table", "IndexName": index });
                history.push(to_value(database.scan(from_value(scan)?)?)?);
            }
        }
        Ok(history)
    }

    #[test]
    fn a_batch_has_the_same_result_as_the_engines_own_batch() -> anyhow::Result<()> {
        let delete = |pk: &str| json!({ "DeleteRequest": { "Key": { "pk": { "S": pk } } } });
        let batches = [
            json!([put("a", 10, None), put("b", 3_000, Some("one")), put("c", 10, Some("two"))]),
            json!([put("b", 10, Some("two")), put("c", 2_000, None), delete("a"), delete("missing")]),
            json!([delete("b"), delete("c"), put("a", 1_500, Some("one"))]),
        ];
        assert_eq!(history(write, &batches)?, history(Database::batch_write_item, &batches)?);
        Ok(())
    }

    #[test]
    fn an_unsupported_batch_fails_without_writes() -> anyhow::Result<()> {
        let rows = |count: usize| Json::from_iter((0..count).map(|number| put(&number.to_string(), 1, None)));
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
