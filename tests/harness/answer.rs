//! A response of the API gateway.

use http::HeaderMap;
use serde_json::{Value, json};

/// A response, with the method and path of its request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Method and path of the request, which failure messages show.
    pub request: String,
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The raw body.
    pub bytes: Vec<u8>,
    /// The body as text.
    pub text: String,
    /// The body as JSON, or null if it is not JSON.
    pub body: Value,
}

impl Answer {
    /// Returns the response. Panics unless it has a success status and the success envelope.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert!((200..300).contains(&self.status), "{self}");
        assert_eq!(self.body["success"], true, "{self}");
        self
    }

    /// Returns the field `data` of the body. Panics unless the response is a success.
    #[track_caller]
    pub fn data(&self) -> &Value {
        assert_eq!(self.body["success"], true, "{self}");
        &self.body["data"]
    }

    /// Returns the rows of a list. Panics if `data` is not a list.
    #[track_caller]
    pub fn rows(&self) -> &[Value] {
        self.data().as_array().map(Vec::as_slice).unwrap_or_else(|| panic!("not a list: {self}"))
    }

    /// Returns one field of every row in a list.
    #[track_caller]
    pub fn column(&self, field: &str) -> Vec<Value> {
        self.rows().iter().map(|row| row[field].clone()).collect()
    }

    /// Returns the cursor of the next page, or `None` on the last page.
    #[track_caller]
    pub fn after(&self) -> Option<&str> {
        let pagination = &self.body["pagination"];
        assert_eq!(pagination["hasMore"], !pagination["after"].is_null(), "{self}");
        pagination["after"].as_str()
    }

    /// Returns the error message. Panics unless the response has this status, this error code and the error envelope.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> &str {
        assert_eq!((self.status, self.header("x-error-code")), (status, Some(code)), "{self}");
        let message = self.body["message"].as_str().unwrap_or_else(|| panic!("no message: {self}"));
        assert_eq!(self.body, json!({ "success": false, "message": message }), "{self}");
        message
    }

    /// Panics unless the response is a validation error whose message begins with `start`, such as the name of a field.
    #[track_caller]
    pub fn invalid(&self, start: &str) {
        assert!(self.refused(400, "VALIDATION_FAILED").starts_with(start), "{self}");
    }

    /// Returns the value of a header, or `None` if it is missing.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} answered {} {}", self.request, self.status, self.text)
    }
}
