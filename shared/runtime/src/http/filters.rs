//! The filters of administrators' lists.

use axum::{extract::FromRequestParts, http::request::Parts};
use platform::{App, decode::decode_all};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::extract::form;
use crate::error::{Error, Result};

/// Paging parameters, which [`super::Query`] reads. They do not count as unknown filters.
const LIST_PARAMETERS: [&str; 4] = ["take", "after", "page", "limit"];

/// The filters in the query string of an administrators' list. Refuses unknown parameters, because a misspelled filter
/// would return all rows.
pub struct Filters<T>(pub T);

/// The type for a list that has no filters.
#[derive(Deserialize)]
pub struct NoFilters {}

impl<T: DeserializeOwned> FromRequestParts<App> for Filters<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut parameters = form(parts.uri.query().unwrap_or_default().as_bytes());
        parameters.retain(|name, _| !LIST_PARAMETERS.contains(&name.as_str()));
        Ok(Self(decode_all(Value::Object(parameters))?))
    }
}
