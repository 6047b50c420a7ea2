//! How large a row is as it is stored: its units of reading and writing are counted by that.

use aws_sdk_dynamodb::types::AttributeValue;

use super::{Row, row::item};
use crate::error::Result;

/// The bytes of a unit of writing.
const WRITE_UNIT_BYTES: usize = 1024;
/// What each value of a list or a map takes beside itself, and they themselves.
const NESTED_BYTES: usize = 1;
const NEST_BYTES: usize = 3;

/// Returns by how many bytes a row may grow until writing it costs more, in the table and in its indexes, which have all
/// of it.
///
/// # Errors
/// Fails when the row cannot be stored.
pub fn bytes_to_grow(row: &impl Row) -> Result<usize> {
    let bytes: usize = item(row)?.iter().map(|(name, value)| name.len() + bytes(value)).sum();
    Ok(bytes.next_multiple_of(WRITE_UNIT_BYTES) - bytes)
}

fn bytes(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(it) => it.len(),
        AttributeValue::N(it) => it.len().div_ceil(2) + 1,
        AttributeValue::B(it) => it.as_ref().len(),
        AttributeValue::L(it) => NEST_BYTES + it.iter().map(|it| NESTED_BYTES + bytes(it)).sum::<usize>(),
        AttributeValue::M(it) => {
            NEST_BYTES + it.iter().map(|(name, it)| NESTED_BYTES + name.len() + bytes(it)).sum::<usize>()
        }
        _ => 1,
    }
}
