//! The partition keys in a request to DynamoDB, for the condition key `dynamodb:LeadingKeys`.

use serde_json::Value as Json;

use super::action_of;

/// Returns the values of the partition key in a request. For a transaction, returns the values of the steps with the
/// action `action`. `partition_key` names the partition key of the table.
pub(crate) fn leading_keys(body: &[u8], action: &str, partition_key: &str) -> Vec<String> {
    let Ok(request) = serde_json::from_slice::<Json>(body) else { return Vec::new() };
    let mut found: Vec<_> = items(&request, action).filter_map(|item| string(&item[partition_key])).collect();
    found.extend(queried(&request));
    found
}

/// Returns the items and keys of a single request, a batch or a transaction.
fn items<'a>(request: &'a Json, action: &str) -> impl Iterator<Item = &'a Json> {
    let of_transaction = array(&request["TransactItems"]).filter_map(Json::as_object).flatten();
    let of_action = move |(kind, _): &(&String, &Json)| action.ends_with(&format!(":{}", action_of(kind)));
    let steps: Vec<_> = of_transaction.filter(of_action).map(|(_, step)| step).collect();
    let tables = request["RequestItems"].as_object().into_iter().flat_map(|tables| tables.values());
    let batched = tables.flat_map(|table| array(&table["Keys"]).chain(array(table).flat_map(put_or_deleted)));
    let single = steps.into_iter().chain([request]).flat_map(|request| [&request["Key"], &request["Item"]]);
    single.chain(batched)
}

fn put_or_deleted(write: &Json) -> [&Json; 2] {
    [&write["PutRequest"]["Item"], &write["DeleteRequest"]["Key"]]
}

/// Returns the partition key value of a query, which the query's first condition contains.
fn queried(request: &Json) -> Option<String> {
    let (_, rest) = request["KeyConditionExpression"].as_str()?.split_once('=')?;
    string(&request["ExpressionAttributeValues"][rest.split_whitespace().next()?])
}

fn array(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_array().into_iter().flatten()
}

fn string(value: &Json) -> Option<String> {
    value["S"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(action: &str, request: &Json) -> Vec<String> {
        leading_keys(request.to_string().as_bytes(), action, "pk")
    }

    fn row(pk: &str) -> Json {
        json!({ "pk": { "S": pk }, "sk": { "S": "-" } })
    }

    #[test]
    fn a_request_has_the_partition_of_each_row() {
        assert_eq!(found("dynamodb:GetItem", &json!({ "Key": row("A") })), ["A"]);
        assert_eq!(found("dynamodb:PutItem", &json!({ "Item": row("A") })), ["A"]);
        let query = json!({
            "KeyConditionExpression": "pk = :pk AND begins_with(sk, :a)",
            "ExpressionAttributeValues": { ":pk": { "S": "A" }, ":a": { "S": "B" } },
        });
        assert_eq!(found("dynamodb:Query", &query), ["A"]);
    }

    #[test]
    fn a_batch_has_the_partition_of_each_row() {
        let read = json!({ "RequestItems": { "table": { "Keys": [row("A"), row("B")] } } });
        assert_eq!(found("dynamodb:BatchGetItem", &read), ["A", "B"]);
        let puts = json!({ "PutRequest": { "Item": row("A") } });
        let deletes = json!({ "DeleteRequest": { "Key": row("B") } });
        let write = json!({ "RequestItems": { "table": [puts, deletes] } });
        assert_eq!(found("dynamodb:BatchWriteItem", &write), ["A", "B"]);
    }

    #[test]
    fn a_transaction_has_the_partitions_of_an_action() {
        let steps = json!([
            { "Put": { "Item": row("A") } },
            { "Update": { "Key": row("B") } },
            { "ConditionCheck": { "Key": row("C") } },
        ]);
        let transaction = json!({ "TransactItems": steps });
        assert_eq!(found("dynamodb:PutItem", &transaction), ["A"]);
        assert_eq!(found("dynamodb:UpdateItem", &transaction), ["B"]);
        assert_eq!(found("dynamodb:ConditionCheckItem", &transaction), ["C"]);
    }
}
