//! The rows that a request writes, and the attributes that the rows can have afterwards.

use std::collections::HashMap;

use dynoxide::{
    Item,
    actions::{
        batch_write_item::{BatchWriteItemRequest, BatchWriteItemResponse, WriteRequest},
        delete_item::{DeleteItemRequest, DeleteItemResponse},
        put_item::{PutItemRequest, PutItemResponse},
        transact_write_items::{TransactWriteItem, TransactWriteItemsRequest, TransactWriteItemsResponse},
        update_item::{UpdateItemRequest, UpdateItemResponse},
    },
};

pub(crate) trait Writes {
    type Answer;

    /// Returns the rows that the request writes if it succeeds.
    fn rows(&self) -> Vec<RowWrite<'_>>;

    /// Returns whether the response contains the whole new row.
    fn returns_new_row(&self) -> bool {
        false
    }

    /// Returns the row in the response, or `None`.
    fn row(_: &Self::Answer) -> Option<&Item> {
        None
    }
}

pub(crate) struct RowWrite<'a> {
    pub(crate) table: &'a str,
    /// Attributes in the request, including at least the key.
    pub(crate) attributes: &'a Item,
    kind: Kind<'a>,
}

#[derive(Clone, Copy)]
enum Kind<'a> {
    Put,
    Update {
        expression: &'a str,
        names: Option<&'a HashMap<String, String>>,
    },
    /// An update without an update expression. Such updates are not analyzed.
    LegacyUpdate,
    Delete,
}

impl RowWrite<'_> {
    /// Returns whether the request can set or keep this attribute. Returns false for updates that do not name the
    /// attribute.
    pub(crate) fn may_leave(&self, attribute: &str) -> bool {
        match self.kind {
            Kind::Put => self.attributes.contains_key(attribute),
            Kind::Update { expression, names } => may_leave(expression, names, attribute),
            Kind::LegacyUpdate => true,
            Kind::Delete => false,
        }
    }
}

/// Returns whether an update expression names the attribute, other than to remove the whole attribute.
fn may_leave(expression: &str, names: Option<&HashMap<String, String>>, attribute: &str) -> bool {
    let aliases = names.into_iter().flatten().filter(|(_, name)| *name == attribute);
    let aliases: Vec<_> = aliases.map(|(alias, _)| alias.as_str()).chain([attribute]).collect();
    let mentions = |text: &str| aliases.iter().any(|alias| text.contains(alias));
    let is_part = |text: &str| mentions(text) && !aliases.contains(&text);
    match expression.rsplit_once("REMOVE ") {
        // Only a REMOVE clause is a plain list of names.
        Some((before, removed)) if !removed.contains(['=', ':', '(']) => {
            mentions(before) || removed.split(',').map(str::trim).any(is_part)
        }
        _ => mentions(expression),
    }
}

impl Writes for PutItemRequest {
    type Answer = PutItemResponse;

    fn rows(&self) -> Vec<RowWrite<'_>> {
        vec![RowWrite { table: &self.table_name, attributes: &self.item, kind: Kind::Put }]
    }
}

impl Writes for UpdateItemRequest {
    type Answer = UpdateItemResponse;

    fn rows(&self) -> Vec<RowWrite<'_>> {
        let kind = match &self.update_expression {
            Some(expression) => update(expression, self.expression_attribute_names.as_ref()),
            None => Kind::LegacyUpdate,
        };
        vec![RowWrite { table: &self.table_name, attributes: &self.key, kind }]
    }

    fn returns_new_row(&self) -> bool {
        self.return_values.as_deref() == Some("ALL_NEW")
    }

    fn row(answer: &Self::Answer) -> Option<&Item> {
        answer.attributes.as_ref()
    }
}

impl Writes for DeleteItemRequest {
    type Answer = DeleteItemResponse;

    fn rows(&self) -> Vec<RowWrite<'_>> {
        vec![RowWrite { table: &self.table_name, attributes: &self.key, kind: Kind::Delete }]
    }
}

impl Writes for BatchWriteItemRequest {
    type Answer = BatchWriteItemResponse;

    fn rows(&self) -> Vec<RowWrite<'_>> {
        self.request_items.iter().flat_map(|(table, requests)| batch_rows(table, requests)).collect()
    }
}

fn batch_rows<'a>(table: &'a str, requests: &'a [WriteRequest]) -> Vec<RowWrite<'a>> {
    let request_row = |request: &'a WriteRequest| {
        let put = request.put_request.as_ref().map(|put| (&put.item, Kind::Put));
        let written = put.or_else(|| Some((&request.delete_request.as_ref()?.key, Kind::Delete)));
        written.map(|(attributes, kind)| RowWrite { table, attributes, kind })
    };
    requests.iter().filter_map(request_row).collect()
}

impl Writes for TransactWriteItemsRequest {
    type Answer = TransactWriteItemsResponse;

    fn rows(&self) -> Vec<RowWrite<'_>> {
        self.transact_items.iter().filter_map(transaction_row).collect()
    }
}

fn transaction_row(step: &TransactWriteItem) -> Option<RowWrite<'_>> {
    if let Some(put) = &step.put {
        return Some(RowWrite { table: &put.table_name, attributes: &put.item, kind: Kind::Put });
    }
    if let Some(step) = &step.update {
        let kind = update(&step.update_expression, step.expression_attribute_names.as_ref());
        return Some(RowWrite { table: &step.table_name, attributes: &step.key, kind });
    }
    let delete = step.delete.as_ref()?;
    Some(RowWrite { table: &delete.table_name, attributes: &delete.key, kind: Kind::Delete })
}

fn update<'a>(expression: &'a str, names: Option<&'a HashMap<String, String>>) -> Kind<'a> {
    Kind::Update { expression, names }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_can_set_or_keep_only_named_attributes() {
        let names = HashMap::from([("#0".to_owned(), "outbox".to_owned())]);
        let leaves = |expression: &str| may_leave(expression, Some(&names), "outbox");
        assert!(leaves("SET outbox = :a") && leaves("SET #0 = :a REMOVE other") && leaves("ADD outbox :a"));
        assert!(leaves("REMOVE outbox.part") && leaves("REMOVE other, #0[1]"), "removes only a part");
        assert!(
            leaves("REMOVE outbox SET other = :a") && leaves("remove outbox"),
            "such expressions are not analyzed"
        );
        assert!(leaves("SET #REMOVE = :a, outbox = :b"), "an alias that contains REMOVE");
        assert!(!leaves("REMOVE outbox") && !leaves("SET other = :a REMOVE other, #0"));
        assert!(!leaves("SET other = :a"), "does not name the attribute");
    }
}
