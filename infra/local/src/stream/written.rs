//! Which rows a request writes, and which attributes it says something of.

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

/// A request that writes rows.
pub(crate) trait Writes {
    /// What it is answered with.
    type Answer;

    /// Each row that it writes, if it is carried out.
    fn rows(&self) -> Vec<Written<'_>>;

    /// Whether its answer has the one row that it writes, as the row is afterwards.
    fn is_answered_with_row(&self) -> bool {
        false
    }

    /// Returns the row that an answer has.
    fn row(_: &Self::Answer) -> Option<&Item> {
        None
    }
}

/// A row of a request.
pub(crate) struct Written<'a> {
    pub(crate) table: &'a str,
    /// Has the row's key, and maybe more.
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
    /// Of before there were expressions: not looked into.
    OldUpdate,
    Delete,
}

impl Written<'_> {
    /// Whether the request may have the row get or keep this attribute. An update that does not name it, of a row that
    /// has it, says nothing of it.
    pub(crate) fn may_leave(&self, attribute: &str) -> bool {
        match self.kind {
            Kind::Put => self.attributes.contains_key(attribute),
            Kind::Update { expression, names } => may_leave(expression, names, attribute),
            Kind::OldUpdate => true,
            Kind::Delete => false,
        }
    }
}

/// Whether an update says more of an attribute than that it is removed.
fn may_leave(expression: &str, names: Option<&HashMap<String, String>>, attribute: &str) -> bool {
    let places = names.into_iter().flatten().filter(|(_, name)| *name == attribute);
    let places: Vec<_> = places.map(|(place, _)| place.as_str()).chain([attribute]).collect();
    let mentions = |text: &str| places.iter().any(|it| text.contains(it));
    let is_part = |text: &str| mentions(text) && !places.contains(&text);
    match expression.rsplit_once("REMOVE ") {
        // A list of names, which no other clause is.
        Some((before, removed)) if !removed.contains(['=', ':', '(']) => {
            mentions(before) || removed.split(',').map(str::trim).any(is_part)
        }
        _ => mentions(expression),
    }
}

impl Writes for PutItemRequest {
    type Answer = PutItemResponse;

    fn rows(&self) -> Vec<Written<'_>> {
        vec![Written { table: &self.table_name, attributes: &self.item, kind: Kind::Put }]
    }
}

impl Writes for UpdateItemRequest {
    type Answer = UpdateItemResponse;

    fn rows(&self) -> Vec<Written<'_>> {
        let kind = match &self.update_expression {
            Some(expression) => update(expression, self.expression_attribute_names.as_ref()),
            None => Kind::OldUpdate,
        };
        vec![Written { table: &self.table_name, attributes: &self.key, kind }]
    }

    fn is_answered_with_row(&self) -> bool {
        self.return_values.as_deref() == Some("ALL_NEW")
    }

    fn row(answer: &Self::Answer) -> Option<&Item> {
        answer.attributes.as_ref()
    }
}

impl Writes for DeleteItemRequest {
    type Answer = DeleteItemResponse;

    fn rows(&self) -> Vec<Written<'_>> {
        vec![Written { table: &self.table_name, attributes: &self.key, kind: Kind::Delete }]
    }
}

impl Writes for BatchWriteItemRequest {
    type Answer = BatchWriteItemResponse;

    fn rows(&self) -> Vec<Written<'_>> {
        self.request_items.iter().flat_map(|(table, requests)| of_batch(table, requests)).collect()
    }
}

fn of_batch<'a>(table: &'a str, requests: &'a [WriteRequest]) -> Vec<Written<'a>> {
    let of_request = |request: &'a WriteRequest| {
        let put = request.put_request.as_ref().map(|it| (&it.item, Kind::Put));
        let written = put.or_else(|| Some((&request.delete_request.as_ref()?.key, Kind::Delete)));
        written.map(|(attributes, kind)| Written { table, attributes, kind })
    };
    requests.iter().filter_map(of_request).collect()
}

impl Writes for TransactWriteItemsRequest {
    type Answer = TransactWriteItemsResponse;

    fn rows(&self) -> Vec<Written<'_>> {
        self.transact_items.iter().filter_map(of_step).collect()
    }
}

fn of_step(step: &TransactWriteItem) -> Option<Written<'_>> {
    if let Some(put) = &step.put {
        return Some(Written { table: &put.table_name, attributes: &put.item, kind: Kind::Put });
    }
    if let Some(it) = &step.update {
        let kind = update(&it.update_expression, it.expression_attribute_names.as_ref());
        return Some(Written { table: &it.table_name, attributes: &it.key, kind });
    }
    let delete = step.delete.as_ref()?;
    Some(Written { table: &delete.table_name, attributes: &delete.key, kind: Kind::Delete })
}

fn update<'a>(expression: &'a str, names: Option<&'a HashMap<String, String>>) -> Kind<'a> {
    Kind::Update { expression, names }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_may_leave_what_it_does_not_only_remove() {
        let names = HashMap::from([("#0".to_owned(), "outbox".to_owned())]);
        let leaves = |expression: &str| may_leave(expression, Some(&names), "outbox");
        assert!(leaves("SET outbox = :a") && leaves("SET #0 = :a REMOVE other") && leaves("ADD outbox :a"));
        assert!(leaves("REMOVE outbox.part") && leaves("REMOVE other, #0[1]"), "a part of it");
        assert!(leaves("REMOVE outbox SET other = :a") && leaves("remove outbox"), "not looked into");
        assert!(leaves("SET #REMOVE = :a, outbox = :b"), "a name");
        assert!(!leaves("REMOVE outbox") && !leaves("SET other = :a REMOVE other, #0"));
        assert!(!leaves("SET other = :a"), "nothing of it");
    }
}
