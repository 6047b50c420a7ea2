//! The envelope that every answer comes in.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use platform::page::{Page, Pagination};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;

/// What a handler answers with.
pub type Respond<T> = Result<Reply<T>>;

/// What a handler of a list answers with.
pub type RespondList<T> = Result<List<T>>;

/// A success: its status, and its data in the envelope.
pub struct Reply<T> {
    status: StatusCode,
    message: Option<&'static str>,
    data: T,
}

/// A success: one page of a list, in the envelope.
pub struct List<T>(pub Page<T>);

/// `{success, message?, data}`
#[derive(Serialize, ToSchema)]
pub struct Envelope<T> {
    /// Always true: errors have an envelope of their own.
    #[schema(example = true)]
    pub success: bool,
    /// What was done, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<&'static str>,
    /// The payload.
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
    /// Where the next page is.
    pub pagination: Pagination,
}

impl<T> Reply<T> {
    /// 200.
    pub fn ok(data: T) -> Self {
        Self { status: StatusCode::OK, message: None, data }
    }

    /// 201, for what was made.
    pub fn created(data: T) -> Self {
        Self { status: StatusCode::CREATED, ..Self::ok(data) }
    }

    /// 202, for what will be done.
    pub fn accepted(data: T) -> Self {
        Self { status: StatusCode::ACCEPTED, ..Self::ok(data) }
    }

    /// Says in words what was done.
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
