//! Reads consumed capacity units from responses.

use serde_json::Value;

/// Units that one call consumed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Consumed {
    /// Read units.
    pub read_units: f64,
    /// Write units.
    pub write_units: f64,
}

impl Consumed {
    /// Returns the units that an operation consumed, as stated in its response. Adds up the units of all tables.
    pub fn by(operation: &str, answer: &Value) -> Self {
        let consumed = &answer["ConsumedCapacity"];
        let tables = consumed.as_array().map_or(std::slice::from_ref(consumed), Vec::as_slice);
        let units = tables.iter().filter_map(|table| table["CapacityUnits"].as_f64()).sum();
        match operation {
            "BatchGetItem" | "GetItem" | "Query" | "Scan" | "TransactGetItems" => {
                Self { read_units: units, ..Self::default() }
            }
            _ => Self { write_units: units, ..Self::default() },
        }
    }
}
