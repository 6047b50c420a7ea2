//! Describes the parameters of lists, with the same words in every operation.

use utoipa::openapi::{
    ObjectBuilder, RefOr, Type,
    path::{Operation, ParameterIn},
};

const ROWS: &str = "Number of rows to return (default 20, maximum 100).";
const POSITION: &str = "Cursor in the response with the previous page. Omit it for the first page.";

/// Describes the number of rows and the cursor.
pub(super) fn describe(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else { continue };
        match parameter.name.as_str() {
            _ if parameter.parameter_in != ParameterIn::Query => {}
            "take" | "limit" => parameter.description = Some(ROWS.to_owned()),
            "after" | "cursor" => {
                parameter.description = Some(POSITION.to_owned());
                parameter.schema = Some(ObjectBuilder::new().schema_type(Type::String).into());
            }
            _ => {}
        }
    }
}
