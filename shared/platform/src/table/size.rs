//! The stored size of a row, which determines its read and write units.

use aws_sdk_dynamodb::types::AttributeValue;

use super::{Row, row::item};
use crate::Result;

/// Size of a write unit.
const WRITE_UNIT_BYTES: usize = 1024;
/// Overhead in bytes of each value in a list or a map.
const NESTED_BYTES: usize = 1;
/// Overhead in bytes of a list or a map.
const NEST_BYTES: usize = 3;

/// Returns the number of bytes that a row can grow before a write of the row costs one more unit. The same number
/// applies to the indexes, because they contain the whole row.
pub fn bytes_to_grow(row: &impl Row) -> Result<usize> {
    let bytes: usize = item(row)?.iter().map(|(name, value)| name.len() + bytes(value)).sum();
    Ok(bytes.next_multiple_of(WRITE_UNIT_BYTES) - bytes)
}

fn bytes(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(digits) => digits.len().div_ceil(2) + 1,
        AttributeValue::B(blob) => blob.as_ref().len(),
        AttributeValue::L(list) => {
            NEST_BYTES + list.iter().map(|value| NESTED_BYTES + bytes(value)).sum::<usize>()
        }
        AttributeValue::M(map) => {
            let sizes = map.iter().map(|(name, value)| NESTED_BYTES + name.len() + bytes(value));
            NEST_BYTES + sizes.sum::<usize>()
        }
        _ => 1,
    }
}
