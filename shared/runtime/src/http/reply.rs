//! The envelope of successful responses.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use platform::{Page, page::Pagination};
use serde::Serialize;
use utoipa::ToSchema;

use crate::Result;

/// The result of a handler.
pub type Respond<T> = Result<Reply<T>>;

/// The result of a handler that returns a list.
pub type RespondList<T> = Result<List<T>>;

/// A successful response with its status and data.
pub struct Reply<T> {
    status: StatusCode,
    message: Option<&'static str>,
    data: T,
}

/// A successful response with one page of a list.
pub struct List<T>(pub Page<T>);

/// `{success, message?, data}`
#[derive(Serialize, ToSchema)]
pub struct Envelope<T> {
    /// Always true. Error responses have `false`.
    #[schema(example = true)]
    pub success: bool,
    /// Result of the request, as a sentence for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub message: Option<&'static str>,
    /// The result.
    pub data: T,
}

/// `{success, data, pagination}`
#[derive(Serialize, ToSchema)]
pub struct ListEnvelope<T> {
    /// Always true.
    #[schema(example = true)]
    pub success: bool,
    /// The rows of this page.
    pub data: Vec<T>,
    /// Whether more rows follow, and the cursor of the next page.
    pub pagination: Pagination,
}

impl<T> Reply<T> {
    /// Returns a response with status 200.
    pub fn ok(data: T) -> Self {
        Self { status: StatusCode::OK, message: None, data }
    }

    /// Returns a response with status 201, for a resource that was created.
    pub fn created(data: T) -> Self {
        Self { status: StatusCode::CREATED, ..Self::ok(data) }
    }

    /// Returns a response with status 202, for work that a worker completes.
    pub fn accepted(data: T) -> Self {
        Self { status: StatusCode::ACCEPTED, ..Self::ok(data) }
    }

    /// Adds a message to the envelope.
    pub fn message(mut self, text: &'static str) -> Self {
        self.message = Some(text);
        self
    }
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        let Self { status, message, data } = self;
        (status, Json(Envelope { success: true, message, data })).into_response()
    }
}

impl<T: Serialize> IntoResponse for List<T> {
    fn into_response(self) -> Response {
        let Self(page) = self;
        let pagination = page.pagination();
        Json(ListEnvelope { success: true, data: page.rows, pagination }).into_response()
    }
}
